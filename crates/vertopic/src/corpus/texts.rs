//! Documents as sequences of words, for what hangs on the order of words.

/// Stands for a token whose word is not in the vocabulary. It keeps its place.
pub const UNKNOWN: u32 = u32::MAX;

/// Documents as sequences of word ids.
///
/// ```
/// use vertopic::corpus::{Texts, UNKNOWN};
/// let mut texts = Texts::default();
/// texts.push([0, UNKNOWN, 0]);
/// texts.push([]);
/// assert_eq!((texts.n_documents(), texts.text(0).len()), (2, 3));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    tokens: Vec<u32>,
    /// Where each document ends.
    ends: Vec<usize>,
}

impl Texts {
    /// Adds a document.
    pub fn push(&mut self, tokens: impl IntoIterator<Item = u32>) {
        self.tokens.extend(tokens);
        self.ends.push(self.tokens.len());
    }

    /// Number of documents, those without tokens included.
    pub fn n_documents(&self) -> usize {
        self.ends.len()
    }

    /// Number of tokens, unknown ones included.
    pub fn n_tokens(&self) -> usize {
        self.tokens.len()
    }

    /// The tokens of document `d`. Panics if `d` is out of range.
    pub fn text(&self, d: usize) -> &[u32] {
        let start = if d == 0 { 0 } else { self.ends[d - 1] };
        &self.tokens[start..self.ends[d]]
    }

    /// Cuts the documents into `shares` spans of about equally many tokens.
    pub(crate) fn shares(&self, shares: usize) -> Vec<std::ops::Range<usize>> {
        let (shares, tokens) = (shares.max(1), self.n_tokens());
        let mut start = 0;
        let span = |t: usize| {
            let cut = self.ends.partition_point(|&end| end <= tokens * t / shares);
            let end = if t == shares { self.n_documents() } else { cut.max(start) };
            std::mem::replace(&mut start, end)..end
        };
        (1..=shares).map(span).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_hold_every_document_once() {
        let mut texts = Texts::default();
        for d in 0..23_u32 {
            texts.push(0..(d * 7) % 5);
        }
        for shares in 1..40 {
            let spans = texts.shares(shares);
            assert_eq!(spans.len(), shares);
            assert!(spans.iter().flat_map(Clone::clone).eq(0..23), "{spans:?}");
        }
        assert_eq!(Texts::default().shares(2), [0..0, 0..0]);
    }
}
