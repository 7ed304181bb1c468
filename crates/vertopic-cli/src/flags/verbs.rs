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

The model is the same, bit for bit, for any number of threads, any cut of the input into files and
any order of the documents. Its fingerprint, printed in the end, says so. Sketches (vertopic sketch)
are fitted as the documents they are of, by --method ddp or rp.";

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

    /// Where the model goes
    #[arg(short, long, value_name = "MODEL", default_value = "model.safetensors")]
    #[arg(help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Print a JSON object instead of the fingerprint line
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Leave the documents on the disk, and need about so much memory, such as 1GB
    ///
    /// The model is the same. Temporary files of the documents are made in the folder of the model, twice their
    /// size; they are gone when the program ends, in whatever way. Text is read once, an on-disk corpus too, and
    /// a file of entries (UCI, MatrixMarket) once for each piece that fits in the memory, and once more to find these.
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

A topic without a line `not sure` is one that nothing speaks against.";

/// `vertopic topics`
#[derive(Debug, Args)]
#[command(after_help = TOPICS)]
pub(crate) struct TopicsFlags {
    /// A model file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// How many words of each topic
    #[arg(short = 'n', long = "words", value_name = "N", default_value_t = 10)]
    pub(crate) n_words: usize,

    /// Which words of a topic come first
    #[arg(long, value_enum, default_value = "telling")]
    pub(crate) rank: RankFlag,

    /// Print JSON: id, weight, label, words with probability and posterior, novel words, certificate,
    /// verdict
    #[arg(long, conflicts_with = "tsv")]
    pub(crate) json: bool,

    /// Print tab-separated values: id, weight, label, words, novel words, separation, residual,
    /// agreement, effective words, verdict
    #[arg(long)]
    pub(crate) tsv: bool,

    /// No warnings on standard error, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Which words of a topic come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankFlag {
    /// Those that tell it from other topics: by √p(word|topic) · p(topic|word)
    Telling,
    /// The most probable ones
    Probability,
}

const EDIT: &str = "\
Examples:
  vertopic edit model.safetensors --merge 3,17 -o edited.safetensors
  vertopic edit model.safetensors --merge 3,17 --merge 4,5,8 -o edited.safetensors

The joined topic is the average of the topics by weight. Topics are again heaviest first, so numbers
change; the new model tells what was done (vertopic info).";

/// `vertopic edit`
#[derive(Debug, Args)]
#[command(after_help = EDIT)]
pub(crate) struct EditFlags {
    /// A model file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Topics to join, by the numbers that `vertopic topics` prints; several times for several groups
    #[arg(long, value_name = "A,B", required = true, value_parser = topic_numbers)]
    pub(crate) merge: Vec<TopicNumbers>,

    /// Where the new model goes
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

Every input document has a row, in the order of the input. A document without a known word gets the
mixture of the corpus.";

/// `vertopic infer`
#[derive(Debug, Args)]
#[command(after_help = INFER)]
pub(crate) struct InferFlags {
    /// A model file; text is split into words as its documents were
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) input: InputFlags,

    /// Where the mixtures go: .csv, .tsv, .jsonl or .parquet; `-` is CSV on standard output
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

Coherence (more is better) asks whether the words that a topic shows occur together: c_npmi and
c_uci in windows of 10 words, c_v in windows of 110, u_mass in documents, all as gensim's
CoherenceModel counts them; and npmi in documents. Windows need the order of words, which word
counts and imported corpora do not have: there each document is one window, and the output says so.
A word that the documents never have is left out of its topic and reported.

Read coherence together with diversity (share of distinct words), inverted_rbo (1 = no overlap) and
exclusivity (share of a word's probability that is this topic's): topics full of frequent words look
coherent. Perplexity (less is better) is that of one half of each document given the other. Where
documents have labels, nmi, ari and purity compare them with each document's largest topic.

Documents that the model was not fitted on tell more than those it was.";

/// `vertopic eval`
#[derive(Debug, Args)]
#[command(after_help = EVAL)]
pub(crate) struct EvalFlags {
    /// A model file; text is split into words as its documents were
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) input: InputFlags,

    /// Judge this many words of each topic, 2 to 100
    #[arg(short = 'n', long = "words", value_name = "N", default_value_t = 10)]
    #[arg(value_parser = words_judged, help_heading = "Measures")]
    pub(crate) n_words: usize,

    /// Count words together in these documents instead (may be repeated)
    ///
    /// Read by its ending; column flags also go for it if it has columns. Perplexity and labels stay
    /// with INPUT.
    #[arg(long, value_name = "INPUT", help_heading = "Measures")]
    pub(crate) reference: Vec<PathBuf>,

    /// Seed of the halving of documents
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Measures")]
    pub(crate) seed: u64,

    /// Print a JSON object: all measures, topic by topic, and every constant
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// The words of a topic are counted in pairs: more would fill the memory, and fewer make no pair.
fn words_judged(text: &str) -> Result<usize, String> {
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

    /// Where the corpus goes
    #[arg(short, long, value_name = "CORPUS.arrow", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// `vertopic demo`
#[derive(Debug, Args)]
pub(crate) struct DemoFlags {
    /// Also write the corpora and models to this folder
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
