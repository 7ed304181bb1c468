//! Flags of `vertopic synth`: the sizes and laws of a generated corpus, with the paper's letters.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::flags::RunFlags;

const SYNTH: &str = "\
Examples:
  vertopic synth separable -o planted            the paper's recipe, 1,000 documents
  vertopic fit planted/docword.synth.txt -k 5    find its topics
  vertopic topics planted/truth.safetensors      show the true ones

The same flags and seed give the same files, byte for byte, for any number of threads.";

/// `vertopic synth`
#[derive(Debug, Args)]
#[command(after_help = SYNTH)]
pub(crate) struct SynthFlags {
    /// What to generate.
    #[command(subcommand)]
    pub(crate) kind: SynthKind,
}

/// What to generate.
#[derive(Debug, Subcommand)]
pub(crate) enum SynthKind {
    /// The paper's recipe: every topic has words of its own, documents of equal length
    Separable(Box<SeparableFlags>),
    /// The paper's images: 256 swimmers, pixels are words and limb positions are topics
    Swimmer(Box<SwimmerFlags>),
    /// LDA documents with Zipf word frequencies, as many as the disk holds
    Lda(Box<LdaFlags>),
}

const SEPARABLE: &str = "\
Examples:
  vertopic synth separable -o planted --documents 10000 --seed 3
  vertopic synth separable -o fair --frequency-matched
  vertopic synth separable -o tied --prior logistic-normal --sigma 2 --correlation 0.6 --groups 2

In the paper's recipe the novel words are the rarest words, so rarity alone identifies them.
With --frequency-matched, frequency says nothing about whether a word is novel.";

/// `vertopic synth separable`
#[derive(Debug, Args)]
#[command(after_help = SEPARABLE)]
pub(crate) struct SeparableFlags {
    /// Number of words, the paper's W
    #[arg(long, value_name = "W", default_value_t = 500, help_heading = "Corpus")]
    pub(crate) words: usize,

    /// Number of topics, the paper's K
    #[arg(short = 'k', long = "topics", value_name = "K", default_value_t = 5)]
    #[arg(help_heading = "Corpus")]
    pub(crate) n_topics: usize,

    /// Number of documents, the paper's M
    #[arg(long, value_name = "M", default_value_t = 1000, help_heading = "Corpus")]
    pub(crate) documents: usize,

    /// Tokens of a document, the paper's N
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Corpus")]
    pub(crate) tokens: usize,

    /// Share of the words that occur in one topic alone, the paper's rho
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, help_heading = "Corpus")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) novel_share: f64,

    /// Novel words are as frequent as other words
    #[arg(long, help_heading = "Corpus")]
    pub(crate) frequency_matched: bool,

    /// With --frequency-matched: frequencies fall with the rank to this power [default: uniform]
    #[arg(long, value_name = "EXPONENT", help_heading = "Corpus", allow_negative_numbers = true)]
    pub(crate) zipf: Option<f64>,

    #[command(flatten)]
    pub(crate) prior: PriorFlags,

    #[command(flatten)]
    pub(crate) out: SynthOutFlags,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

const SWIMMER: &str = "\
Examples:
  vertopic synth swimmer -o swimmer
  vertopic synth swimmer -o clean --background 0 --tokens 1000";

/// `vertopic synth swimmer`
#[derive(Debug, Args)]
#[command(after_help = SWIMMER)]
pub(crate) struct SwimmerFlags {
    /// Pixels drawn from an image, the paper's N
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Corpus")]
    pub(crate) tokens: u32,

    /// Value of a background pixel; a body pixel has 10
    #[arg(long, value_name = "B", default_value_t = 1.0, help_heading = "Corpus")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) background: f64,

    #[command(flatten)]
    pub(crate) out: SynthOutFlags,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

const LDA: &str = "\
Examples:
  vertopic synth lda -o small
  vertopic synth lda -o news --documents 300000 --words 102660 --tokens 300 -k 100 --gzip
  vertopic synth lda -o skewed --alpha 1,0.5,0.1 -k 3 --lengths log-normal

Documents are written as they are drawn. Memory holds only the topics, 12 bytes for each word of each
topic; with --format arrow it holds the documents, too. The most frequent tenth of the words is
never novel. A novel word is as frequent as another word of its rank.";

/// `vertopic synth lda`
#[derive(Debug, Args)]
#[command(after_help = LDA)]
pub(crate) struct LdaFlags {
    /// Number of words, the paper's W
    #[arg(long, value_name = "W", default_value_t = 5000, help_heading = "Corpus")]
    pub(crate) words: usize,

    /// Number of topics, the paper's K
    #[arg(short = 'k', long = "topics", value_name = "K", default_value_t = 20)]
    #[arg(help_heading = "Corpus")]
    pub(crate) n_topics: usize,

    /// Number of documents, the paper's M
    #[arg(long, value_name = "M", default_value_t = 10_000, help_heading = "Corpus")]
    pub(crate) documents: usize,

    /// Mean number of tokens of a document, the paper's N
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Corpus")]
    pub(crate) tokens: usize,

    /// How the lengths of documents spread
    #[arg(long, value_enum, default_value_t = LengthsFlag::Poisson, help_heading = "Corpus")]
    pub(crate) lengths: LengthsFlag,

    /// With --lengths log-normal: standard deviation of the logarithm [default: 0.5]
    #[arg(long, value_name = "S", help_heading = "Corpus", allow_negative_numbers = true)]
    pub(crate) length_spread: Option<f64>,

    /// Share of the words that occur in one topic alone, the paper's rho; 0 for none
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, help_heading = "Corpus")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) novel_share: f64,

    /// Frequencies of words fall with their rank to this power
    #[arg(long, value_name = "EXPONENT", default_value_t = 1.0, help_heading = "Corpus")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) zipf: f64,

    /// How far topics depart from that: standard deviation of the logarithm of a word's frequency
    /// [default: 2]
    #[arg(long, value_name = "S", help_heading = "Corpus", allow_negative_numbers = true)]
    pub(crate) spread: Option<f64>,

    /// Draw topics from a Dirichlet distribution instead, whose parameters sum to this; the smaller,
    /// the fewer words a topic has
    #[arg(long, value_name = "C", help_heading = "Corpus", allow_negative_numbers = true)]
    pub(crate) concentration: Option<f64>,

    #[command(flatten)]
    pub(crate) prior: PriorFlags,

    #[command(flatten)]
    pub(crate) out: SynthOutFlags,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// How topic mixtures are drawn.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Mixtures")]
pub(crate) struct PriorFlags {
    /// Distribution of the topic mixtures
    #[arg(long, value_enum, default_value_t = PriorFlag::Dirichlet)]
    pub(crate) prior: PriorFlag,

    /// dirichlet: the parameter alpha, one number for all topics or one for each [default: 0.1]
    ///
    /// The smaller it is, the fewer topics a document has.
    #[arg(long, value_name = "A", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) alpha: Vec<f64>,

    /// logistic-normal: standard deviation of a topic's logit [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) sigma: Option<f64>,

    /// logistic-normal: correlation of the logits of two topics of a group [default: 0]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(crate) correlation: Option<f64>,

    /// logistic-normal: groups of correlated topics [default: 1]
    #[arg(long, value_name = "G")]
    pub(crate) groups: Option<usize>,
}

/// Where a generated corpus goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct SynthOutFlags {
    /// Folder for the corpus and its truth; it is made if it is not there
    ///
    /// docword.synth.txt and vocab.synth.txt (or synth.arrow) are the corpus. truth.safetensors has the
    /// true topics as a model file, truth.json what was asked for.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Format of the corpus
    #[arg(long, value_enum, default_value_t = SynthFormat::Uci)]
    pub(crate) format: SynthFormat,

    /// Compress docword.synth.txt
    #[arg(long)]
    pub(crate) gzip: bool,

    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Distributions of mixtures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PriorFlag {
    /// Few topics in a document, none correlated
    #[default]
    Dirichlet,
    /// The softmax of Gaussian numbers; topics may be correlated
    LogisticNormal,
}

/// Laws of document lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LengthsFlag {
    /// All alike
    Fixed,
    /// Poisson
    Poisson,
    /// Log-normal: few long documents, many short ones
    LogNormal,
}

/// Formats of a generated corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SynthFormat {
    /// UCI bag of words, and a file of words
    Uci,
    /// The on-disk corpus of `vertopic import`
    Arrow,
}
