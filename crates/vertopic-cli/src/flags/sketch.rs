//! Flags of the verbs about sketches.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{InputFlags, PairsFlag, RunFlags, SampleFlag, TextFlags};

const SKETCH: &str = "\
Examples:
  vertopic sketch monday.jsonl -o monday.sketch
  vertopic sketch tuesday.jsonl -o tuesday.sketch
  vertopic fit monday.sketch tuesday.sketch --method ddp -k 20
  vertopic sketch shard-1/ --words words.txt --projections 1000 -o shard-1.sketch
  vertopic sketch shard-1/ --paper --seed 7 -o shard-1.sketch

A sketch has the exact sums over documents that a fit needs, and no document. Shards may be
sketched on different machines and have different words. A fit of sketches gives the same model,
byte for byte, as a fit of all their documents with --min-df 1 --max-df 100%: no word is pruned.

--method ddp can fit any sketch. --method rp needs sketches with --projections (50·K by default).
--paper needs sketches made with --paper and the same --seed. The default method, binning,
refinement, the stability check and -k auto need the documents.

Size: about 12 bytes for each pair of words that occur together in a document (20 with --pairs
split), and 8·P bytes for each word with --projections P.";

/// `vertopic sketch`
#[derive(Debug, Args)]
#[command(after_help = SKETCH)]
pub(crate) struct SketchFlags {
    #[command(flatten)]
    pub(crate) input: InputFlags,

    #[command(flatten)]
    pub(crate) text: TextFlags,

    /// Keep only these words: a file with one word a line, or a model
    ///
    /// Words cannot be pruned by frequency (--min-df, --max-df, --max-vocab of fit): one shard does not
    /// know how frequent a word is in the others.
    #[arg(long, value_name = "FILE", help_heading = "Words")]
    pub(crate) words: Option<PathBuf>,

    /// For fits with --paper: sets --pairs split and --sample half
    #[arg(long, help_heading = "Sums")]
    pub(crate) paper: bool,

    /// Which pairs of tokens are counted [default: all]
    #[arg(long, value_enum, help_heading = "Sums")]
    pub(crate) pairs: Option<PairsFlag>,

    /// For fits with --method rp: number of random directions that words are projected on
    ///
    /// A fit may use fewer. It uses 50·K by default.
    #[arg(long, value_name = "P", default_value_t = 0, help_heading = "Sums")]
    pub(crate) projections: usize,

    /// Which tokens are projected; half needs --pairs split [default: whole]
    #[arg(long, value_enum, help_heading = "Sums")]
    pub(crate) sample: Option<SampleFlag>,

    /// Seed of the split and of the directions
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Sums")]
    pub(crate) seed: u64,

    /// File for the sketch
    #[arg(short, long, value_name = "OUT.sketch", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) refused: RefusedFlags,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// Flags of fit that somebody may try; they get a reason.
#[derive(Debug, Args)]
pub(crate) struct RefusedFlags {
    #[arg(long, hide = true)]
    pub(crate) min_df: Option<String>,

    #[arg(long, hide = true)]
    pub(crate) max_df: Option<String>,

    #[arg(long, hide = true)]
    pub(crate) max_vocab: Option<String>,
}

const MERGE: &str = "\
Examples:
  vertopic merge monday.sketch tuesday.sketch -o week.sketch
  vertopic merge shard-*.sketch -o all.sketch

The result is the sketch of all the documents, byte for byte, in any order.";

/// `vertopic merge`
#[derive(Debug, Args)]
#[command(after_help = MERGE)]
pub(crate) struct MergeFlags {
    /// Sketch files
    #[arg(value_name = "SKETCH", required = true)]
    pub(crate) sketches: Vec<PathBuf>,

    /// File for the sum
    #[arg(short, long, value_name = "OUT.sketch", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Nothing on standard error, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

const SUBTRACT: &str = "\
Examples:
  vertopic subtract week.sketch monday.sketch -o rest.sketch

The result is the sketch of the remaining documents, byte for byte. Words that no longer occur are
dropped. A sum below 0 is an error: the documents were not part of the others. Not every such
mistake is found, since sums do not identify documents.";

/// `vertopic subtract`
#[derive(Debug, Args)]
#[command(after_help = SUBTRACT)]
pub(crate) struct SubtractFlags {
    /// The sketch of all documents
    #[arg(value_name = "SKETCH")]
    pub(crate) whole: PathBuf,

    /// The sketch of those to take away
    #[arg(value_name = "PART")]
    pub(crate) part: PathBuf,

    /// Where the difference goes
    #[arg(short, long, value_name = "OUT.sketch", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Nothing on standard error, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
