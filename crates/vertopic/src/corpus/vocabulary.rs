//! The words of a corpus, in byte order, each once.
//!
//! The order is canonical: the same set of words has the same ids however the documents were given.

use crate::error::Error;
use crate::seed::mix;

/// The words of a corpus. A word's id is its rank in byte order.
///
/// ```
/// use vertopic::corpus::Vocabulary;
/// let v = Vocabulary::new(vec!["pear".into(), "apple".into()])?;
/// assert_eq!(v.word(0), "apple");
/// assert_eq!(v.id("pear"), Some(1));
/// assert_eq!(v.id("plum"), None);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary {
    words: Vec<String>,
    keys: Vec<u64>,
}

impl Vocabulary {
    /// Sorts the words; a word given twice is an error.
    pub fn new(words: Vec<String>) -> Result<Self, Error> {
        Ok(Self::ranked(words)?.0)
    }

    /// Sorts the words, and gives the id of each in the order given.
    pub(super) fn ranked(mut words: Vec<String>) -> Result<(Self, Vec<u32>), Error> {
        if words.len() >= u32::MAX as usize {
            return Err(Error::TooManyWords { words: words.len() });
        }
        let mut order: Vec<u32> = (0..words.len() as u32).collect();
        if !words.is_sorted() {
            order.sort_unstable_by(|&a, &b| words[a as usize].cmp(&words[b as usize]));
            words = order.iter().map(|&old| std::mem::take(&mut words[old as usize])).collect();
        }
        if let Some(pair) = words.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateWord { word: pair[0].clone() });
        }
        let mut ids = vec![0; words.len()];
        for (id, &old) in order.iter().enumerate() {
            ids[old as usize] = id as u32;
        }
        let keys = words.iter().map(|w| word_key(w)).collect();
        Ok((Self { words, keys }, ids))
    }

    /// Number of words, the paper's W.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The word with this id. Panics if the id is not below [`len`](Self::len).
    pub fn word(&self, id: u32) -> &str {
        &self.words[id as usize]
    }

    /// The id of a word, if the vocabulary has it.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.words.binary_search_by(|w| w.as_str().cmp(word)).ok().map(|i| i as u32)
    }

    /// All words in order of their ids.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// A number that stands for the word in keyed random draws: the same in every vocabulary.
    #[inline]
    pub fn key(&self, id: u32) -> u64 {
        self.keys[id as usize]
    }
}

/// FNV-1a over the bytes, then mixed.
pub(crate) fn word_key(word: &str) -> u64 {
    let fnv = word
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    mix(fnv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_ranks_in_byte_order_whatever_the_order_given() {
        let a = Vocabulary::new(["b", "a", "Z", "é"].map(String::from).to_vec()).expect("distinct");
        let b = Vocabulary::new(["é", "Z", "b", "a"].map(String::from).to_vec()).expect("distinct");
        assert_eq!(a, b);
        assert_eq!(a.words(), ["Z", "a", "b", "é"]);
        for (i, w) in a.words().iter().enumerate() {
            assert_eq!(a.id(w), Some(i as u32));
        }
    }

    #[test]
    fn a_word_given_twice_is_named() {
        let err = Vocabulary::new(vec!["x".into(), "y".into(), "x".into()]).expect_err("duplicate");
        assert_eq!(err.to_string(), "the word \"x\" stands twice in the vocabulary");
    }
}
