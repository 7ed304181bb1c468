//! Word counts: UCI bag of words, MatrixMarket, svmlight, LDA-C.
//!
//! | module | a document is | ids from | endings |
//! |---|---|---|---|
//! | [`uci`] | the entries `document word count` that name it, in any order | 1 | `docword.*` |
//! | [`matrix_market`] | a row (or a column) | 1 | `.mtx` |
//! | [`svmlight`] | a line `label id:count …` | 1 (or 0) | `.svm`, `.svmlight`, `.libsvm` |
//! | [`ldac`] | a line `pairs id:count …` | 0 | `.ldac`, `.lda-c` |
//!
//! [`CountFormat`] reads and writes them all. The words behind the ids come from a file of their own
//! ([`vocab`]). Without it a word is named by its number, from 1 in every format, and the vocabulary
//! holds the numbers that occur; so the same documents give the same corpus whatever the format.
//!
//! Nothing is allocated because a header or an id says so: memory grows with the entries that are
//! really there.

mod batches;
mod chunks;
mod collect;
mod entries;
mod format;
pub mod ldac;
pub mod matrix_market;
mod pairs;
mod parse;
mod repeated_prefix;
mod streaming;
pub mod svmlight;
mod swar_int;
mod table;
pub mod uci;
pub mod vocab;

pub use format::CountFormat;

use std::path::PathBuf;

use vertopic::corpus::Corpus;

/// How to read word counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountOptions {
    /// The words in order of their ids ([`vocab::read`]); without it words are named by their number.
    pub vocab: Option<Vec<String>>,
    /// Where these words come from, for messages.
    pub vocab_path: Option<PathBuf>,
    /// MatrixMarket: rows are words and columns documents.
    pub transpose: bool,
    /// svmlight: ids count from 0.
    pub zero_based: bool,
}

/// A corpus of word counts, and what was odd about its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountsRead {
    /// The corpus.
    pub corpus: Corpus,
    /// What a user should know, with numbers; empty if all was well.
    pub warnings: Vec<String>,
}

#[cfg(test)]
mod tests;
