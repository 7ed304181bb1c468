//! Text documents: where they come from and how they become word counts.
//!
//! | module | one document is |
//! |---|---|
//! | [`folder`] | a file |
//! | [`lines`] | a line |
//! | [`delimited`] | a row of a CSV or TSV file |
//! | [`jsonl`] | a JSON object on a line |
//! | [`parquet`] | a row of a Parquet file |
//!
//! Every reader hands its documents to a [`CorpusReader`], which splits them into words on all threads. A
//! document is never dropped: one without words is an empty document.

mod columns;
mod corpus_reader;
pub mod delimited;
pub mod folder;
pub mod jsonl;
pub mod lines;
pub mod parquet;
mod stopwords;
mod tokenizer;

pub use columns::Columns;
pub use corpus_reader::{CorpusReader, Gathered, Place};
pub use stopwords::Stopwords;
pub use tokenizer::{Scratch, Tokenizer, TokenizerOptions, stem_languages};

/// Drops the byte order mark that some programs write at the start of a file.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests;
