//! Flags about documents: where they are, how they become words, which words stay.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use vertopic::corpus::Frequency;
use vertopic_io::input::Format;

/// Which documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
#[allow(clippy::struct_excessive_bools)] // a switch on the command line is a bool
pub(crate) struct InputFlags {
    /// Files or folders with documents; `-` is standard input
    ///
    /// The ending tells the format: .txt (a document a line), .csv, .tsv, .jsonl, .parquet,
    /// docword.* (UCI), .mtx, .svm, .ldac, .arrow; each also as .gz or .zst. A folder has a
    /// document a file. Several inputs of one kind are one corpus.
    #[arg(required = true, value_name = "INPUT", help_heading = None::<&str>)]
    pub(crate) inputs: Vec<PathBuf>,

    /// Format of the input, where its ending does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// Words of a count format, one a line in order of their ids
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,

    /// MatrixMarket: rows are words, columns are documents
    #[arg(long)]
    pub(crate) transpose: bool,

    /// svmlight: ids count from 0, not from 1
    #[arg(long)]
    pub(crate) zero_based: bool,

    /// Folder: which files are documents, such as '*.md' (may be repeated)
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Column or field with the text, by name or number from 1 (may be repeated)
    #[arg(long, value_name = "COLUMN")]
    pub(crate) text_column: Vec<String>,

    /// Column or field with the document's id
    ///
    /// An id goes with the document into every output. Random draws hang on it, too, so that
    /// documents with ids may come in any order.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id_column: Option<String>,

    /// Column or field with a label; kept for the output, never used in fitting
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label_column: Option<String>,

    /// Column or field with the time; kept for the output, never used in fitting
    #[arg(long, value_name = "COLUMN")]
    pub(crate) time_column: Option<String>,

    /// CSV, TSV: the first row is a document, too
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Refuse bytes that are not UTF-8 instead of replacing them
    #[arg(long)]
    pub(crate) strict: bool,
}

/// How text becomes words.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Words")]
pub(crate) struct TextFlags {
    /// Words to leave out: a language (en, de, …), a file with one a line, or none [default: en]
    #[arg(long, value_name = "LIST")]
    pub(crate) stopwords: Option<String>,

    /// Reduce words to their stems, by the rules of this language (en, de, …)
    #[arg(long, value_name = "LANG")]
    pub(crate) stem: Option<String>,

    /// Fewest letters of a word [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) min_length: Option<usize>,

    /// Keep numbers as words
    #[arg(long)]
    pub(crate) numbers: bool,
}

/// Which words stay.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Words")]
pub(crate) struct PruneFlags {
    /// Drop words in fewer documents than this: a number (5) or a share (0.01, 1%)
    ///
    /// Default of fit: a 200th of the documents, at least 2 and at most 10. Import keeps every
    /// word.
    #[arg(long, value_name = "FREQ")]
    pub(crate) min_df: Option<Frequency>,

    /// Drop words in more documents than this: a number or a share
    ///
    /// Default of fit: half of the documents for text, no limit for word counts, whose makers have
    /// mostly pruned already. Import keeps every word.
    #[arg(long, value_name = "FREQ")]
    pub(crate) max_df: Option<Frequency>,

    /// Of the words left, keep only the N in most documents
    #[arg(long, value_name = "N")]
    pub(crate) max_vocab: Option<NonZeroUsize>,
}

/// How the program runs; none of it can change an answer.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunFlags {
    /// Threads to use [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Say nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// A format by its name; the help lists the names.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let names: Vec<&'static str> = Format::all().map(Format::name).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}
