//! Which format an input has, by its ending.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::advice::{self, Advice};
use crate::counts::CountFormat;
use crate::error::IoError;
use crate::source;

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Word counts.
    Counts(CountFormat),
    /// A folder of text files.
    Folder,
    /// Text, one document a line.
    Lines,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// JSON Lines.
    Jsonl,
    /// Parquet.
    Parquet,
    /// The on-disk corpus.
    Arrow,
}

/// Every format with its name and the endings it is known by.
const FORMATS: [(Format, &str, &[&str]); 11] = [
    (Format::Counts(CountFormat::Uci), "uci", &[]), // by how the name begins
    (Format::Counts(CountFormat::MatrixMarket), "mm", &["mm", "mtx"]),
    (Format::Counts(CountFormat::Svmlight), "svmlight", &["svm", "svmlight", "libsvm"]),
    (Format::Counts(CountFormat::LdaC), "ldac", &["ldac", "lda-c"]),
    (Format::Folder, "folder", &[]),
    (Format::Lines, "lines", &["txt", "text", "md"]),
    (Format::Csv, "csv", &["csv"]),
    (Format::Tsv, "tsv", &["tsv"]),
    (Format::Jsonl, "jsonl", &["jsonl", "ndjson"]),
    (Format::Parquet, "parquet", &["parquet"]),
    (Format::Arrow, "arrow", &["arrow", "ipc", "feather"]),
];

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|&(format, ..)| format)
    }

    /// Its name, as [`FromStr`] takes it.
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|(format, ..)| *format == self).map_or("", |&(_, name, _)| name)
    }

    /// The format of a file, by its name without `.gz` or `.zst`; or of a folder.
    ///
    /// ```
    /// use std::path::Path;
    /// use vertopic_io::counts::CountFormat;
    /// use vertopic_io::input::Format;
    /// assert_eq!(Format::of(Path::new("docword.nips.txt.gz"))?, Format::Counts(CountFormat::Uci));
    /// assert_eq!(Format::of(Path::new("notes.ndjson"))?, Format::Jsonl);
    /// # Ok::<(), vertopic_io::IoError>(())
    /// ```
    pub fn of(path: &Path) -> Result<Self, IoError> {
        if path.is_dir() {
            return Ok(Self::Folder);
        }
        let plain = source::strip_compression(path);
        let name = plain.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if name.starts_with("docword.") {
            return Ok(Self::Counts(CountFormat::Uci));
        }
        let ending = plain.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let known = FORMATS.iter().find(|(.., endings)| endings.contains(&&*ending));
        known.map(|&(format, ..)| format).ok_or_else(|| unknown(path))
    }

    /// Whether documents are text that is yet to be split into words.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Folder | Self::Lines) || self.has_columns()
    }

    /// Whether documents are word counts.
    pub fn is_counts(self) -> bool {
        matches!(self, Self::Counts(_))
    }

    /// Whether text, id, label and time are columns or fields.
    pub fn has_columns(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Jsonl | Self::Parquet)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = IoError;

    fn from_str(name: &str) -> Result<Self, IoError> {
        let known = FORMATS.iter().find(|(_, known, _)| *known == name);
        known.map(|&(format, ..)| format).ok_or_else(|| IoError::Usage {
            problem: format!("there is no format {name:?}; the formats are {}", names()),
            hint: None,
        })
    }
}

fn names() -> String {
    FORMATS.map(|(_, name, _)| name).join(", ")
}

fn unknown(path: &Path) -> IoError {
    if let Err(source) = path.metadata() {
        return IoError::File { path: path.to_owned(), what: "cannot open", source };
    }
    let endings: Vec<String> =
        FORMATS.iter().flat_map(|(.., endings)| *endings).map(|e| format!(".{e}")).collect();
    IoError::Usage {
        problem: format!(
            "{}: cannot tell its format by its name; known are docword.*, {}, and folders",
            path.display(),
            endings.join(", ")
        ),
        hint: Some(Advice::change(&[advice::FORMAT], format!("say which it is: {}", names()))),
    }
}
