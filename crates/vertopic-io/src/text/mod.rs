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
//! Each of these hands its documents to a [`TextReader`], which splits them into words on all threads and writes the
//! counts into a [sink](crate::sink). No document is dropped: one without words is an empty document.

mod columns;
pub mod delimited;
pub mod folder;
pub mod jsonl;
pub mod lines;
pub mod parquet;
mod reader;
mod stopwords;
mod tokenizer;

pub use columns::Columns;
pub use reader::{Place, TextReader};
pub use stopwords::Stopwords;
pub use tokenizer::{Scratch, Tokenizer, TokenizerOptions, stem_languages};

/// Drops the byte order mark that some programs write at the start of a file.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests;
