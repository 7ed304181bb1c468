//! Documents as word counts, in canonical form.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | `n_documents` | M | number of documents |
//! | `n_words` | W | number of words in the vocabulary |
//! | `tokens` of a document | N | its length |
//!
//! Words are in byte order, the words of a document ascend, and documents stay in the order of the
//! input, because every input row has an output row. Results do not depend on that order: random draws depend on a
//! document's [`DocumentKey`], and sums over documents are exact ([`Pass`]).

mod builder;
mod count;
mod document;
mod filter;
mod pass;
mod prune;
mod rows;
mod select;
pub mod subset;
mod texts;
mod vocabulary;
mod wire;

pub use builder::CorpusBuilder;
pub use count::{CountDocuments, CountTokens, NumberOfDocuments, NumberOfTokens};
pub use document::{Document, DocumentInfo, DocumentKey};
pub use filter::DocumentFilter;
pub use pass::{Accumulator, Documents, Pass, fold_shares, merged};
pub use prune::{Frequency, Prune, PruneReport};
pub use rows::Rows;
pub use subset::{KeyedSample, Subset};
pub use texts::{Texts, UNKNOWN};
pub use vocabulary::Vocabulary;
pub(crate) use wire::Sums;
pub use wire::{Number, PassReader, PassWriter, SumFields};

use sha2::{Digest, Sha256};

/// A document collection in memory: one row of word counts per document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corpus {
    vocabulary: Vocabulary,
    offsets: Vec<usize>,
    words: Vec<u32>,
    counts: Vec<u32>,
    keys: Vec<DocumentKey>,
    /// Of all documents.
    tokens: u64,
    info: InfoColumns,
}

/// Ids, labels and times; a column that no document fills takes no memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct InfoColumns {
    ids: Vec<Option<Box<str>>>,
    labels: Vec<Option<Box<str>>>,
    times: Vec<Option<Box<str>>>,
}

impl InfoColumns {
    /// Adds what is known of document number `row`.
    fn push(&mut self, row: usize, info: DocumentInfo) {
        let put = |column: &mut Vec<Option<Box<str>>>, value: Option<String>| {
            if value.is_some() || !column.is_empty() {
                column.resize(row, None);
                column.push(value.map(String::into_boxed_str));
            }
        };
        put(&mut self.ids, info.id);
        put(&mut self.labels, info.label);
        put(&mut self.times, info.time);
    }

    fn id(&self, row: usize) -> Option<&str> {
        self.ids.get(row).and_then(Option::as_deref)
    }
}

impl Corpus {
    /// The words.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Number of documents, those without words included.
    pub fn n_documents(&self) -> usize {
        self.keys.len()
    }

    /// Number of words in the vocabulary.
    pub fn n_words(&self) -> usize {
        self.vocabulary.len()
    }

    /// Number of (document, word) pairs.
    pub fn nnz(&self) -> usize {
        self.words.len()
    }

    /// Number of tokens of all documents.
    pub fn n_tokens(&self) -> u64 {
        self.tokens
    }

    /// How many documents have no word.
    pub fn n_empty(&self) -> usize {
        self.offsets.windows(2).filter(|s| s[0] == s[1]).count()
    }

    /// Document number `d` of the input. Panics if `d` is out of range.
    pub fn document(&self, d: usize) -> Document<'_> {
        let span = self.offsets[d]..self.offsets[d + 1];
        Document { key: self.keys[d], words: &self.words[span.clone()], counts: &self.counts[span] }
    }

    /// All documents in the order of the input.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> + '_ {
        (0..self.n_documents()).map(|d| self.document(d))
    }

    /// The id of document `d`, if it has one.
    pub fn id(&self, d: usize) -> Option<&str> {
        self.info.id(d)
    }

    /// The label of document `d`, if it has one.
    pub fn label(&self, d: usize) -> Option<&str> {
        self.info.labels.get(d).and_then(Option::as_deref)
    }

    /// The time of document `d`, if it has one.
    pub fn time(&self, d: usize) -> Option<&str> {
        self.info.times.get(d).and_then(Option::as_deref)
    }

    /// A hash of the words and of the documents as a set: the same for any order of the documents.
    /// Labels and times are not part of it.
    ///
    /// Written as `sha256:` and 64 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(b"vertopic corpus 1\n");
        for word in self.vocabulary.words() {
            hash.update((word.len() as u64).to_le_bytes());
            hash.update(word.as_bytes());
        }
        let mut keys = self.keys.clone();
        keys.sort_unstable();
        // Few bytes at a time would take longer than their hash.
        for some in keys.chunks(512) {
            let bytes: Vec<u8> = some.iter().flat_map(|key| key.0.to_le_bytes()).collect();
            hash.update(bytes);
        }
        hex(&hash.finalize())
    }
}

/// `sha256:` and the digits of a hash.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold("sha256:".to_owned(), |mut out, b| {
        let _ = write!(out, "{b:02x}"); // writing to a String cannot fail
        out
    })
}

#[cfg(test)]
mod tests;
