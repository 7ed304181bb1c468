//! The on-disk corpus: one Arrow IPC file, a row per document.
//!
//! | column | type | holds |
//! |---|---|---|
//! | `id` | utf8 | name of the document, may be null |
//! | `words` | list of u32 | word ids, ascending |
//! | `counts` | list of u32 | how often each occurs, never 0 |
//! | `label`, `time` | utf8 | what else is known of it, may be null |
//!
//! The metadata of the schema hold `vertopic.format` (1), `vertopic.vocabulary` (a JSON array of words
//! in byte order), `vertopic.kind` (`text` or `counts`), `vertopic.tokenizer` (how text was split, as
//! JSON; absent for counts) and `vertopic.checksum`, by which an altered file is found out. Files of
//! other programs may leave out the checksum.

mod read;
mod write;

pub use read::{read_corpus, read_corpus_into};
pub use write::{write_corpus, write_spooled};

use std::path::Path;

use arrow_schema::{DataType, Field, Schema};

use crate::error::IoError;
use crate::text::TokenizerOptions;

/// The newest format that this program reads, and the one it writes.
const FORMAT: u64 = 1;

/// Keys of the metadata.
mod key {
    pub(super) const FORMAT: &str = "vertopic.format";
    pub(super) const VOCABULARY: &str = "vertopic.vocabulary";
    pub(super) const KIND: &str = "vertopic.kind";
    pub(super) const TOKENIZER: &str = "vertopic.tokenizer";
    pub(super) const CHECKSUM: &str = "vertopic.checksum";
}

/// Where the documents of a corpus came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CorpusKind {
    /// Text, split into words.
    Text,
    /// Word counts.
    Counts,
}

impl CorpusKind {
    /// As it stands in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Counts => "counts",
        }
    }
}

/// What is known of a corpus besides its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusMeta {
    /// Where the documents came from.
    pub kind: CorpusKind,
    /// How text was split into words, as JSON, so that new text can be split alike.
    pub tokenizer: Option<String>,
}

impl CorpusMeta {
    /// How text was split into words; `path` is for messages.
    pub fn tokenizer_options(&self, path: &Path) -> Result<Option<TokenizerOptions>, IoError> {
        let options = self.tokenizer.as_deref().map(serde_json::from_str).transpose();
        options.map_err(|e| IoError::Data {
            path: path.to_owned(),
            line: None,
            problem: format!("how its text was split is not understood: {e}"),
            hint: Some("it may have been written by a newer version".into()),
        })
    }
}

/// The columns, without metadata.
fn schema() -> Schema {
    let list = || DataType::new_list(DataType::UInt32, false);
    Schema::new(vec![
        Field::new("id", DataType::Utf8, true),
        Field::new("words", list(), false),
        Field::new("counts", list(), false),
        Field::new("label", DataType::Utf8, true),
        Field::new("time", DataType::Utf8, true),
    ])
}

#[cfg(test)]
mod tests;
