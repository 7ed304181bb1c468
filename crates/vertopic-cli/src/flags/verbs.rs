//! One struct per verb.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use crate::flags::{InputFlags, ModelFlags, PruneFlags, RunFlags, TextFlags};

const FIT: &str = "\
Examples:
  vertopic fit my-docs/
  vertopic fit notes.csv --text-column body --id-column id -k 12 -o notes.safetensors
  vertopic fit docword.nips.txt.gz --vocab vocab.nips.txt --max-vocab 2500 -k 40 --paper
  zcat posts.jsonl.gz | vertopic fit - --format jsonl -k 30

The model is the same, bit for bit, for any number of threads, any cut of the input into files and
any order of the documents. Its fingerprint, printed in the end, says so.";

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

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

const TOPICS: &str = "\
Examples:
  vertopic topics model.safetensors -n 15
  vertopic topics model.safetensors --tsv > topic-keys.tsv
  vertopic topics model.safetensors --json | jq '.[0].words'";

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

    /// Print JSON: id, weight, words, novel words, certificate
    #[arg(long, conflicts_with = "tsv")]
    pub(crate) json: bool,

    /// Print tab-separated values: id, weight, words, novel words
    #[arg(long)]
    pub(crate) tsv: bool,
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

const INFO: &str = "\
Examples:
  vertopic info model.safetensors
  vertopic info notes.csv --json";

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
