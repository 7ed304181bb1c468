//! One struct per verb.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::Shell;

use crate::flags::{InputFlags, ModelFlags, PruneFlags, RunFlags, TextFlags};

const FIT: &str = "\
Examples:
  vertopic fit my-docs/
  vertopic fit notes.csv --text-column body --id-column id -k 12 -o notes.safetensors
  vertopic fit posts.jsonl -k auto
  vertopic fit docword.nips.txt.gz --vocab vocab.nips.txt --max-vocab 2500 -k 40 --paper
  vertopic fit papers/ -k 40 --pin chip,circuit --pin policy,reward --forbid figure,table
  zcat posts.jsonl.gz | vertopic fit - --format jsonl -k 30
  vertopic fit monday.sketch tuesday.sketch --method ddp -k 20
  vertopic fit news.arrow -k 100 --memory 1GB

The model is the same, bit for bit, for any number of threads, any split of the input into files and
any order of the documents. The fingerprint printed at the end identifies it. Sketches (vertopic
sketch) can be fitted in place of documents by --method ddp or rp.";

/// `vertopic fit`
#[derive(Debug, Args)]
#[command(after_help = FIT)]
pub(crate) struct FitFlags {
    #[command(flatten)]
    pub(crate) input: InputFlags,

    #[command(flatten)]
    pub(crate) model: ModelFlags,

    #[command(flatten)]
    pub(crate) text: TextFlags,

    #[command(flatten)]
    pub(crate) prune: PruneFlags,

    /// File for the model
    #[arg(short, long, value_name = "MODEL", default_value = "model.safetensors")]
    #[arg(help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Print a JSON object instead of the fingerprint line
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Keep the documents on disk and use about this much memory, such as 1GB
    ///
    /// The model is the same. Temporary files in the folder of the model need twice the size of the
    /// documents. They are deleted when the program ends, even if it is killed. UCI and MatrixMarket
    /// files are read several times; other inputs are read once.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Run")]
    pub(crate) memory: Option<u64>,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// A number of bytes: `1GB`, `512MB`, `1.5GiB`.
fn size(text: &str) -> Result<u64, String> {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("MB", 1_000_000)];
    let text = text.trim();
    let found = units.iter().find_map(|(unit, bytes)| {
        let number = text.get(text.len().checked_sub(unit.len())?..)?;
        number.eq_ignore_ascii_case(unit).then(|| (&text[..text.len() - unit.len()], *bytes))
    });
    let size = found.and_then(|(number, bytes): (&str, u64)| {
        let size = number.trim().parse::<f64>().ok()? * bytes as f64;
        (size.is_finite() && size >= LEAST_MEMORY as f64).then_some(size as u64)
    });
    size.ok_or_else(|| "not a size of at least 16MB, such as 1GB, 512MB or 1.5GiB".to_owned())
}

/// With less there is no room for a block of documents on each thread.
const LEAST_MEMORY: u64 = 16_000_000;

const TOPICS: &str = "\
Examples:
  vertopic topics model.safetensors -n 15
  vertopic topics model.safetensors --rank probability
  vertopic topics model.safetensors --tsv > topic-keys.tsv
  vertopic topics model.safetensors --json | jq '.[0].words'

A line `weak: …` under a topic says why not to trust it.";

/// `vertopic topics`
#[derive(Debug, Args)]
#[command(after_help = TOPICS)]
pub(crate) struct TopicsFlags {
    /// A model file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Number of words of each topic
    #[arg(short = 'n', long = "words", value_name = "N", default_value_t = 10)]
    pub(crate) n_words: usize,

    /// Order of a topic's words
    #[arg(long, value_enum, default_value = "discriminative")]
    pub(crate) rank: RankFlag,

    /// Print JSON: id, weight, label, words with probability and posterior, novel words, diagnostics,
    /// assessment
    #[arg(long, conflicts_with = "tsv")]
    pub(crate) json: bool,

    /// Print tab-separated values: id, weight, label, words, novel words, separation, residual,
    /// stability, effective words, assessment
    #[arg(long)]
    pub(crate) tsv: bool,

    /// No warnings on standard error, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Which words of a topic come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankFlag {
    /// By √p(word|topic) · p(topic|word): words that distinguish the topic
    Discriminative,
    /// By p(word|topic)
    Probability,
}

const EDIT: &str = "\
Examples:
  vertopic edit model.safetensors --merge 3,17 -o edited.safetensors
  vertopic edit model.safetensors --merge 3,17 --merge 4,5,8 -o edited.safetensors

The merged topic is the average of the topics, weighted by their weights. Topics are sorted again,
heaviest first, so their numbers change. The new model records the merge (vertopic info).";

/// `vertopic edit`
#[derive(Debug, Args)]
#[command(after_help = EDIT)]
pub(crate) struct EditFlags {
    /// A model file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Topics to merge, by the numbers that `vertopic topics` prints; repeat the flag for more groups
    #[arg(long, value_name = "A,B", required = true, value_parser = topic_numbers)]
    pub(crate) merge: Vec<TopicNumbers>,

    /// File for the new model
    #[arg(short, long, value_name = "MODEL", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Nothing on standard error, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Numbers of topics.
#[derive(Debug, Clone)]
pub(crate) struct TopicNumbers(pub(crate) Vec<usize>);

fn topic_numbers(text: &str) -> Result<TopicNumbers, String> {
    let numbers = text.split(',').map(|n| n.trim().parse()).collect::<Result<_, _>>();
    numbers.map(TopicNumbers).map_err(|_| "not numbers of topics, as in 3,17".to_owned())
}

const INFER: &str = "\
Examples:
  vertopic infer model.safetensors new-docs/ > mixtures.csv
  vertopic infer model.safetensors posts.jsonl -o mixtures.parquet

Every input document has a row, in the order of the input. A document without a known word has the
topic weights of the corpus.";

/// `vertopic infer`
#[derive(Debug, Args)]
#[command(after_help = INFER)]
pub(crate) struct InferFlags {
    /// A model file; text is split into words as its documents were
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) input: InputFlags,

    /// File for the mixtures: .csv, .tsv, .jsonl or .parquet; `-` is CSV on standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

const EVAL: &str = "\
Examples:
  vertopic eval model.safetensors held-out/
  vertopic eval model.safetensors held-out.csv --label-column section
  vertopic eval model.safetensors held-out/ --reference wikipedia.jsonl.gz --json | jq .metrics

Coherence (higher is better) measures how often the display words of a topic occur together. c_npmi
and c_uci count windows of 10 words, c_v windows of 110, u_mass and npmi documents. c_npmi, c_uci,
c_v and u_mass equal those of gensim's CoherenceModel. Windows need the order of words. Word counts
and imported corpora do not have it: there each document is one window, and the output says so.
A word that is in no document is left out and reported.

Read coherence together with diversity (share of distinct words), inverted_rbo (1 = no overlap) and
exclusivity (share of a word's probability in this topic): topics of frequent words look coherent.
Perplexity (lower is better) is that of one half of each document given the other half. With labels,
nmi, ari and purity compare them with each document's largest topic.

Evaluate on documents that the model was not fitted on.";

/// `vertopic eval`
#[derive(Debug, Args)]
#[command(after_help = EVAL)]
pub(crate) struct EvalFlags {
    /// A model file; text is split into words as its documents were
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) input: InputFlags,

    /// Number of words of each topic to evaluate, 2 to 100
    #[arg(short = 'n', long = "words", value_name = "N", default_value_t = 10)]
    #[arg(value_parser = words_evaluated, help_heading = "Measures")]
    pub(crate) n_words: usize,

    /// Measure coherence on these documents instead (may be repeated)
    ///
    /// The ending tells the format. Column flags apply to it too. Perplexity and labels always come
    /// from INPUT.
    #[arg(long, value_name = "INPUT", help_heading = "Measures")]
    pub(crate) reference: Vec<PathBuf>,

    /// Seed of the split of documents into halves
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Measures")]
    pub(crate) seed: u64,

    /// Print a JSON object: all measures, topic by topic, and every constant
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// The words of a topic are counted in pairs: more would fill the memory, and fewer make no pair.
fn words_evaluated(text: &str) -> Result<usize, String> {
    let rule = "not a whole number from 2 to 100";
    text.parse().ok().filter(|n| (2..=100).contains(n)).ok_or_else(|| rule.to_owned())
}

const INFO: &str = "\
Examples:
  vertopic info model.safetensors
  vertopic info notes.csv --json
  vertopic info week.sketch";

/// `vertopic info`
#[derive(Debug, Args)]
#[command(after_help = INFO)]
pub(crate) struct InfoFlags {
    #[command(flatten)]
    pub(crate) input: InputFlags,

    #[command(flatten)]
    pub(crate) text: TextFlags,

    /// Print a JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

const IMPORT: &str = "\
Examples:
  vertopic import posts-*.jsonl.gz -o posts.arrow
  vertopic fit posts.arrow

Fitting the imported corpus gives the same model, bit for bit, as fitting the files themselves.";

/// `vertopic import`
#[derive(Debug, Args)]
#[command(after_help = IMPORT)]
pub(crate) struct ImportFlags {
    #[command(flatten)]
    pub(crate) input: InputFlags,

    #[command(flatten)]
    pub(crate) text: TextFlags,

    #[command(flatten)]
    pub(crate) prune: PruneFlags,

    /// File for the corpus
    #[arg(short, long, value_name = "CORPUS.arrow", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// `vertopic demo`
#[derive(Debug, Args)]
pub(crate) struct DemoFlags {
    /// Write the corpora and models to this folder, too
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

const COMPLETIONS: &str = "\
Examples:
  vertopic completions bash > ~/.local/share/bash-completion/completions/vertopic
  vertopic completions zsh > ~/.zfunc/_vertopic";

/// `vertopic completions`
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct CompletionsFlags {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
