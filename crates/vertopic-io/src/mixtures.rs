//! Mixtures out: one row per input document, always, in the order of the input.
//!
//! | column | holds |
//! |---|---|
//! | `id` | the document's id, or its row, from 1, where it has none |
//! | `label`, `time` | as in the input; only if a document has one |
//! | `tokens` | how many tokens of the document the model knows |
//! | `topic_0` … | the mixture; it sums to 1 (JSONL: one array, `mixture`) |
//!
//! The ending of the file tells the format; the text formats may be compressed (`.csv.gz`).

mod parquet;
mod text;

use std::io::{self, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use vertopic::corpus::Corpus;
use vertopic::infer::Mixtures;

use crate::atomic::{write_atomically, write_error};
use crate::error::IoError;
use crate::source::strip_compression;

/// How mixtures are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MixtureFormat {
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
    /// A JSON object per line.
    Jsonl,
    /// Parquet.
    Parquet,
}

impl MixtureFormat {
    /// By the file's ending. Worth asking before a long computation: a wrong ending is an error.
    ///
    /// ```
    /// use std::path::Path;
    /// use vertopic_io::mixtures::MixtureFormat;
    /// assert_eq!(MixtureFormat::of(Path::new("m.csv.gz"))?, MixtureFormat::Csv);
    /// assert!(MixtureFormat::of(Path::new("m.doc")).is_err());
    /// # Ok::<(), vertopic_io::IoError>(())
    /// ```
    pub fn of(path: &Path) -> Result<Self, IoError> {
        let plain = strip_compression(path);
        let ending = plain.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let problem = match ending.as_deref() {
            Some("csv") => return Ok(Self::Csv),
            Some("tsv") => return Ok(Self::Tsv),
            Some("jsonl" | "ndjson") => return Ok(Self::Jsonl),
            Some("parquet") if plain == path => return Ok(Self::Parquet),
            Some("parquet") => "a Parquet file is compressed inside, not as a whole".to_owned(),
            Some(other) => format!("the ending .{other} tells no format"),
            None => "without an ending the format is not known".to_owned(),
        };
        Err(IoError::Usage {
            problem: format!("{}: {problem}", path.display()),
            hint: Some(
                "use .csv, .tsv, .jsonl or .parquet; the first three also with .gz or .zst".into(),
            ),
        })
    }
}

/// Writes the mixtures of the documents of `corpus` to a file: whole, or not at all.
pub fn write_mixtures(path: &Path, corpus: &Corpus, mixtures: &Mixtures) -> Result<(), IoError> {
    let format = MixtureFormat::of(path)?;
    let ends_in = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
    write_atomically(path, |out| {
        let written = if ends_in("gz") {
            let mut packed = GzEncoder::new(out, flate2::Compression::default());
            write_to(&mut packed, format, corpus, mixtures).and_then(|()| packed.finish().map(drop))
        } else if ends_in("zst") {
            zstd::Encoder::new(out, 0).and_then(|mut packed| {
                write_to(&mut packed, format, corpus, mixtures)?;
                packed.finish().map(drop)
            })
        } else {
            write_to(out, format, corpus, mixtures)
        };
        written.map_err(|e| write_error(path, e))
    })
}

/// Writes the mixtures to anything that takes bytes. The corpus gives ids, labels and times; its
/// documents are those of the mixtures.
pub fn write_to(
    out: &mut dyn Write,
    format: MixtureFormat,
    corpus: &Corpus,
    mixtures: &Mixtures,
) -> io::Result<()> {
    if corpus.n_documents() != mixtures.n_documents() {
        let (have, need) = (mixtures.n_documents(), corpus.n_documents());
        let problem = format!("{have} mixtures do not fit {need} documents");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let rows = Rows { corpus, mixtures };
    match format {
        MixtureFormat::Csv => text::delimited(out, b',', &rows),
        MixtureFormat::Tsv => text::delimited(out, b'\t', &rows),
        MixtureFormat::Jsonl => text::jsonl(out, &rows),
        MixtureFormat::Parquet => parquet::write(out, &rows),
    }
}

/// What is written of each document.
struct Rows<'a> {
    corpus: &'a Corpus,
    mixtures: &'a Mixtures,
}

impl Rows<'_> {
    fn len(&self) -> usize {
        self.corpus.n_documents()
    }

    /// The document's id, or its row, from 1.
    fn id(&self, d: usize) -> String {
        self.corpus.id(d).map_or_else(|| (d + 1).to_string(), str::to_owned)
    }

    fn has_labels(&self) -> bool {
        (0..self.len()).any(|d| self.corpus.label(d).is_some())
    }

    fn has_times(&self) -> bool {
        (0..self.len()).any(|d| self.corpus.time(d).is_some())
    }
}

#[cfg(test)]
mod tests;
