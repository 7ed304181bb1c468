//! Flags about documents: where they are, how text becomes words, which words are kept.

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
    /// The ending tells the format: .txt or .md (a document a line), .csv, .tsv, .jsonl or .ndjson,
    /// .parquet, docword.* (UCI), .mtx or .mm, .svm or .libsvm, .ldac, .arrow or .feather; each also
    /// as .gz or .zst. A folder has a document a file. Standard input has a document a line, unless
    /// --format says otherwise; an .arrow corpus cannot be read from it. Several inputs of one kind
    /// are one corpus.
    #[arg(required = true, value_name = "INPUT", help_heading = None::<&str>)]
    pub(crate) inputs: Vec<PathBuf>,

    /// Format of the input, if its ending does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// Words of a count format, one a line in order of their ids
    ///
    /// Without it, vocab.X beside docword.X is used if it is there; else words are numbers.
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,

    /// MatrixMarket: rows are words, columns are documents
    #[arg(long)]
    pub(crate) transpose: bool,

    /// svmlight: ids count from 0, not from 1
    #[arg(long)]
    pub(crate) zero_based: bool,

    /// Folder: which files are documents, such as '*.html' (may be repeated)
    ///
    /// Default: *.txt, *.text and *.md, plain or compressed. Hidden files are skipped.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Column or field with the text, by name or number from 1 (may be repeated)
    ///
    /// Default: the one called text, content, body or document, or the only one there is. In JSONL
    /// fields go by name, a.b for a field within a field.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) text_column: Vec<String>,

    /// Column or field with the document's id [default: id, if there is one]
    ///
    /// Every output has the id. Random draws depend on it: with ids, two documents with the same
    /// words are split and projected differently.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id_column: Option<String>,

    /// Column or field with a label; used in output and evaluation, not in fitting [default: label]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label_column: Option<String>,

    /// Column or field with the time; used in output, not in fitting [default: time,
    /// date or year]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) time_column: Option<String>,

    /// CSV, TSV: there is no header; the first row is a document
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
    /// Stop words to remove: a language (en, de, …), a file with one a line, or none [default: en]
    #[arg(long, value_name = "LIST")]
    pub(crate) stopwords: Option<String>,

    /// Stem words by the rules of this language (en, de, …)
    #[arg(long, value_name = "LANG")]
    pub(crate) stem: Option<String>,

    /// Minimum number of letters of a word [default: 2]
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
    /// Default of fit: half of the documents for text (no limit below 20 documents), no limit for word
    /// counts, which are usually pruned already. Import keeps every word.
    #[arg(long, value_name = "FREQ")]
    pub(crate) max_df: Option<Frequency>,

    /// Keep only the N words in most documents, after the other limits
    #[arg(long, value_name = "N")]
    pub(crate) max_vocab: Option<NonZeroUsize>,
}

/// How the program runs. None of these flags changes a result.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunFlags {
    /// Threads to use, at most 256 [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print the time of each stage and the peak memory on standard error
    #[arg(long)]
    pub(crate) timings: bool,

    /// No progress and no report on standard error, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Threads beyond the cores cost memory and time and bring nothing.
const MOST_THREADS: usize = 256;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(n) if n.get() <= MOST_THREADS => Ok(n),
        _ => Err(format!("not a whole number from 1 to {MOST_THREADS}")),
    }
}

/// A format by its name; the help lists the names.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let names: Vec<&'static str> = Format::all().map(Format::name).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}
