//! One document: which words, how often, and the key that its random draws hang on.

use crate::corpus::vocabulary::{Vocabulary, word_key};
use crate::seed::mix;

/// Stands for a document in keyed random draws.
///
/// It is a hash of the document's id, if it has one, and of its words and counts. So it does not
/// depend on where in the input the document stands, in which shard it came, or which other
/// documents there are. Two documents equal in id, words and counts have equal keys and draw the
/// same random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentKey(pub u64);

impl DocumentKey {
    /// The key of a document with these words (ascending ids) and counts.
    pub fn new(id: Option<&str>, words: &[u32], counts: &[u32], vocabulary: &Vocabulary) -> Self {
        let mut h = id.map_or(0, |id| mix(word_key(id)));
        for (&w, &c) in words.iter().zip(counts) {
            h = mix(h ^ vocabulary.key(w).wrapping_add(u64::from(c)));
        }
        Self(h)
    }
}

/// A document as the stages see it: distinct word ids in ascending order, and their counts.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// What the document's random draws hang on.
    pub key: DocumentKey,
    /// Distinct word ids, ascending.
    pub words: &'a [u32],
    /// How often each word occurs; never 0.
    pub counts: &'a [u32],
}

impl Document<'_> {
    /// Number of tokens, the paper's N.
    pub fn tokens(&self) -> u64 {
        self.counts.iter().map(|&c| u64::from(c)).sum()
    }

    /// `(word, count)` pairs in ascending order of words.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.words.iter().copied().zip(self.counts.iter().copied())
    }
}

/// What is known of a document besides its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentInfo {
    /// Name of the document, given back with its mixture.
    pub id: Option<String>,
    /// A class that somebody gave it; never used in fitting.
    pub label: Option<String>,
    /// When it was written, as the input says it; never used in fitting.
    pub time: Option<String>,
}
