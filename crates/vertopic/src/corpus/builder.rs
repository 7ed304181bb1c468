//! Documents in, corpus out: gathers documents in any vocabulary order and puts them in canonical form.

use std::collections::HashMap;

use crate::corpus::document::{DocumentInfo, DocumentKey};
use crate::corpus::vocabulary::Vocabulary;
use crate::corpus::{Corpus, InfoColumns};
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
    offsets: Vec<usize>,
    doc_words: Vec<u32>,
    doc_counts: Vec<u32>,
    info: InfoColumns,
    merged_pairs: u64,
}

impl CorpusBuilder {
    /// An empty corpus without words.
    pub fn new() -> Self {
        Self { offsets: vec![0], ..Self::default() }
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
        self.offsets.len() - 1
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
        let start = self.doc_words.len();
        for &(word, count) in pairs.iter() {
            match self.doc_counts.last_mut() {
                Some(last) if self.doc_words[start..].last() == Some(&word) => {
                    *last += count; // below the number of tokens, which was checked
                    self.merged_pairs += 1;
                }
                _ => {
                    self.doc_words.push(word);
                    self.doc_counts.push(count);
                }
            }
        }
        self.offsets.push(self.doc_words.len());
        self.info.push(document, info);
        Ok(())
    }

    /// Puts the corpus in canonical form: words in byte order, each document's words ascending.
    pub fn finish(self) -> Result<Corpus, Error> {
        let Self { words, offsets, mut doc_words, mut doc_counts, info, .. } = self;
        let mut order: Vec<u32> = (0..words.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| words[a as usize].cmp(&words[b as usize]));
        let mut new_id = vec![0_u32; words.len()];
        for (new, &old) in order.iter().enumerate() {
            new_id[old as usize] = new as u32;
        }
        let vocabulary = Vocabulary::new(words)?;
        let mut pairs = Vec::new();
        for span in offsets.windows(2) {
            let (w, c) = (&mut doc_words[span[0]..span[1]], &mut doc_counts[span[0]..span[1]]);
            pairs.clear();
            pairs.extend(w.iter().zip(c.iter()).map(|(&w, &c)| (new_id[w as usize], c)));
            pairs.sort_unstable();
            for (k, &(word, count)) in pairs.iter().enumerate() {
                w[k] = word;
                c[k] = count;
            }
        }
        Ok(Corpus::assemble(vocabulary, offsets, doc_words, doc_counts, info))
    }
}

impl Corpus {
    /// Computes the keys of documents that are in canonical form.
    pub(super) fn assemble(
        vocabulary: Vocabulary,
        offsets: Vec<usize>,
        words: Vec<u32>,
        counts: Vec<u32>,
        info: InfoColumns,
    ) -> Self {
        let keys = offsets
            .windows(2)
            .enumerate()
            .map(|(d, s)| {
                DocumentKey::new(info.id(d), &words[s[0]..s[1]], &counts[s[0]..s[1]], &vocabulary)
            })
            .collect();
        Self { vocabulary, offsets, words, counts, keys, info }
    }
}
