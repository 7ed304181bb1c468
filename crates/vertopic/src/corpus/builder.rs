//! Documents in, corpus out: gathers documents in any vocabulary order and puts them in canonical form.

use std::collections::HashMap;

use crate::corpus::document::DocumentInfo;
use crate::corpus::{Corpus, Rows};
use crate::error::Error;

/// Gathers documents one by one.
///
/// ```
/// use vertopic::corpus::{CorpusBuilder, DocumentInfo};
/// let mut b = CorpusBuilder::new();
/// let (sea, sun) = (b.word("sea"), b.word("sun"));
/// b.push(&mut vec![(sun, 1), (sea, 2), (sun, 1)], DocumentInfo::default())?;
/// let corpus = b.finish()?;
/// assert_eq!(corpus.document(0).counts, [2, 2]);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct CorpusBuilder {
    words: Vec<String>,
    ids: HashMap<String, u32>, // looked up, never walked
    rows: Rows,
    merged_pairs: u64,
}

impl CorpusBuilder {
    /// An empty corpus without words.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty corpus whose word ids are positions in `words`. [`finish`](Self::finish) refuses duplicates.
    pub fn with_words(words: Vec<String>) -> Self {
        Self { words, ..Self::new() }
    }

    /// The id of a word, new or known. Not to be mixed with [`with_words`](Self::with_words).
    pub fn word(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.words.len() as u32;
        self.words.push(word.to_owned());
        self.ids.insert(word.to_owned(), id);
        id
    }

    /// Number of words so far.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Number of documents so far.
    pub fn n_documents(&self) -> usize {
        self.rows.offsets.len() - 1
    }

    /// How many pairs named a word that the same document had named before; their counts were added.
    pub fn merged_pairs(&self) -> u64 {
        self.merged_pairs
    }

    /// Adds a document of `(word id, count)` pairs in any order. A word named twice gets the sum of its
    /// counts. The pairs are left sorted in `pairs`, which the caller may clear and use again.
    pub fn push(&mut self, pairs: &mut [(u32, u32)], info: DocumentInfo) -> Result<(), Error> {
        let document = self.n_documents();
        let mut tokens = 0_u64;
        for &(word, count) in pairs.iter() {
            if word as usize >= self.words.len() {
                return Err(Error::UnknownWordId { document, id: word, words: self.words.len() });
            }
            if count == 0 {
                return Err(Error::ZeroCount { document, word: self.words[word as usize].clone() });
            }
            tokens += u64::from(count);
        }
        if tokens > u64::from(u32::MAX) {
            return Err(Error::DocumentTooLong { document, tokens });
        }
        pairs.sort_unstable_by_key(|&(w, _)| w);
        let Rows { offsets, words, counts, info: infos } = &mut self.rows;
        let start = words.len();
        for &(word, count) in pairs.iter() {
            match counts.last_mut() {
                Some(last) if words[start..].last() == Some(&word) => {
                    *last += count; // below the number of tokens, which was checked
                    self.merged_pairs += 1;
                }
                _ => {
                    words.push(word);
                    counts.push(count);
                }
            }
        }
        offsets.push(words.len());
        infos.push(document, info);
        Ok(())
    }

    /// Puts the corpus in canonical form: words in byte order, each document's words ascending.
    pub fn finish(self) -> Result<Corpus, Error> {
        Ok(Corpus::from_rows(self.words, self.rows)?.0)
    }
}
