//! How inputs are to be read.

use std::path::PathBuf;

use vertopic::Parameter;

use crate::advice;
use crate::counts::CountFormat;
use crate::error::IoError;
use crate::input::format::Format;
use crate::text::{Columns, TokenizerOptions};

/// How to read inputs. The default reads each by its ending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputOptions {
    /// The format of all inputs, whatever their endings.
    pub format: Option<Format>,
    /// Counts: the file with the words.
    pub vocab: Option<PathBuf>,
    /// MatrixMarket: rows are words and columns documents.
    pub transpose: bool,
    /// svmlight: ids count from 0.
    pub zero_based: bool,
    /// Folders: which files are documents; see [`Include`](crate::text::folder::Include).
    pub include: Vec<String>,
    /// CSV, TSV, JSONL, Parquet: where text, id, label and time stand.
    pub columns: Columns,
    /// Text: how it is split into words.
    pub tokenizer: TokenizerOptions,
    /// Text: bytes that are not UTF-8 are an error.
    pub strict: bool,
}

impl InputOptions {
    /// The options for other inputs, each read by its ending: text is split alike, and what is said of one
    /// kind of file goes for them if they are of that kind.
    #[must_use]
    pub fn for_others(&self, paths: &[PathBuf]) -> Self {
        let any = |fits: fn(Format) -> bool| paths.iter().any(|p| Format::of(p).is_ok_and(fits));
        let mut other = Self { format: None, ..self.clone() };
        other.vocab = other.vocab.filter(|_| any(Format::is_counts));
        other.transpose &= any(|f| f == Format::Counts(CountFormat::MatrixMarket));
        other.zero_based &= any(|f| f == Format::Counts(CountFormat::Svmlight));
        if !any(|f| f == Format::Folder) {
            other.include.clear();
        }
        if !any(Format::has_columns) {
            other.columns = Columns::default();
        }
        other.columns.no_header &= any(|f| matches!(f, Format::Csv | Format::Tsv));
        other
    }

    /// An option that fits none of the inputs would be ignored in silence: refuse it.
    pub(super) fn check(&self, formats: &[Format]) -> Result<(), IoError> {
        type Fits = fn(Format) -> bool;
        let columns = &self.columns;
        let rules: [(bool, Parameter, Fits, &'static str); 9] = [
            (self.vocab.is_some(), advice::VOCAB, Format::is_counts, "word counts"),
            (
                self.transpose,
                advice::TRANSPOSE,
                |f| f == Format::Counts(CountFormat::MatrixMarket),
                "MatrixMarket files",
            ),
            (
                self.zero_based,
                advice::ZERO_BASED,
                |f| f == Format::Counts(CountFormat::Svmlight),
                "svmlight files",
            ),
            (!self.include.is_empty(), advice::INCLUDE, |f| f == Format::Folder, "folders"),
            (!columns.text.is_empty(), advice::TEXT_COLUMN, Format::has_columns, TABLES),
            (columns.id.is_some(), advice::ID_COLUMN, Format::has_columns, TABLES),
            (columns.label.is_some(), advice::LABEL_COLUMN, Format::has_columns, TABLES),
            (columns.time.is_some(), advice::TIME_COLUMN, Format::has_columns, TABLES),
            (
                columns.no_header,
                advice::NO_HEADER,
                |f| matches!(f, Format::Csv | Format::Tsv),
                "CSV and TSV files",
            ),
        ];
        for (given, parameter, fits, what) in rules {
            if given && !formats.iter().any(|&format| fits(format)) {
                let mut read: Vec<String> = formats.iter().map(ToString::to_string).collect();
                read.dedup();
                return Err(IoError::UnusedOption {
                    parameter,
                    fits: what,
                    input: read.join(", "),
                });
            }
        }
        Ok(())
    }
}

const TABLES: &str = "CSV, TSV, JSONL and Parquet files";
