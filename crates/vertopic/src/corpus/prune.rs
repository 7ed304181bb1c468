//! Which words a model is fitted on: by document frequency, as the paper's experiments prune.

use serde::{Deserialize, Serialize};

use crate::corpus::vocabulary::Vocabulary;
use crate::corpus::{Corpus, DocumentInfo, InfoColumns};
use crate::error::Error;

/// A number of documents, or a share of all documents.
///
/// ```
/// use vertopic::corpus::Frequency;
/// assert_eq!("5".parse(), Ok(Frequency::Count(5)));
/// assert_eq!("0.5".parse(), Ok(Frequency::Share(0.5)));
/// assert_eq!("50%".parse(), Ok(Frequency::Share(0.5)));
/// assert!("1.5".parse::<Frequency>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// So many documents.
    Count(u64),
    /// This share of the documents, in [0, 1].
    Share(f64),
}

/// 7 % of 100 documents is 7, though as floats it is a little more.
const ROUNDING: f64 = 1e-6;

impl Frequency {
    /// Documents that this means for a lower limit, rounded up.
    pub fn at_least(self, documents: usize) -> u64 {
        match self {
            Self::Count(n) => n,
            Self::Share(s) => (s * documents as f64 - ROUNDING).ceil() as u64,
        }
    }

    /// Documents that this means for an upper limit, rounded down.
    pub(crate) fn at_most(self, documents: usize) -> u64 {
        match self {
            Self::Count(n) => n,
            Self::Share(s) => (s * documents as f64 + ROUNDING).floor() as u64,
        }
    }
}

impl std::str::FromStr for Frequency {
    type Err = String;

    /// A whole number is a count; a number with a point or a percent sign is a share.
    fn from_str(s: &str) -> Result<Self, String> {
        let rule =
            || format!("{s:?} is neither a number of documents (5) nor a share (0.5 or 50%)");
        if let Ok(n) = s.parse::<u64>() {
            return Ok(Self::Count(n));
        }
        let (digits, unit) = s.strip_suffix('%').map_or((s, 1.0), |digits| (digits, 0.01));
        let share = digits.trim().parse::<f64>().map_err(|_| rule())? * unit;
        if (0.0..=1.0).contains(&share) { Ok(Self::Share(share)) } else { Err(rule()) }
    }
}

/// Limits on the document frequency of the words that stay.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prune {
    /// Words in fewer documents go.
    pub min_df: Frequency,
    /// Words in more documents go.
    pub max_df: Frequency,
    /// Largest vocabulary: words of the highest document frequency stay (ties in byte order).
    pub max_vocab: Option<usize>,
}

impl Prune {
    /// The ids of the words that stay, ascending. `df` has the document frequency of each word, out of `documents`.
    pub fn kept(&self, df: &[u64], documents: usize) -> Result<Vec<u32>, Error> {
        let words = df.iter().filter(|&&df| df > 0).count();
        if words == 0 {
            return Err(Error::NoWords { documents });
        }
        let low = self.min_df.at_least(documents).max(1);
        let high = self.max_df.at_most(documents);
        let mut kept: Vec<u32> =
            (0..df.len() as u32).filter(|&w| (low..=high).contains(&df[w as usize])).collect();
        if let Some(most) = self.max_vocab.filter(|&most| kept.len() > most) {
            kept.sort_by_key(|&w| (std::cmp::Reverse(df[w as usize]), w));
            kept.truncate(most);
            kept.sort_unstable();
        }
        if kept.is_empty() {
            return Err(Error::NothingLeft { words, documents, low, high });
        }
        Ok(kept)
    }
}

impl Default for Prune {
    /// Keeps every word that occurs.
    fn default() -> Self {
        Self { min_df: Frequency::Count(1), max_df: Frequency::Share(1.0), max_vocab: None }
    }
}

/// What pruning did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PruneReport {
    /// Documents; pruning never removes one.
    pub documents: usize,
    /// Documents left without a word.
    pub empty_documents: usize,
    /// Words that occur.
    pub words_before: usize,
    /// Vocabulary that stays.
    pub words_after: usize,
    /// Tokens as given.
    pub tokens_before: u64,
    /// Tokens that stay.
    pub tokens_after: u64,
}

impl Corpus {
    /// In how many documents each word occurs.
    pub fn document_frequencies(&self) -> Vec<u64> {
        let mut df = vec![0_u64; self.n_words()];
        for &w in &self.words {
            df[w as usize] += 1;
        }
        df
    }

    /// The corpus without the words outside the limits. A document that loses all its words stays.
    pub fn prune(self, limits: &Prune) -> Result<(Corpus, PruneReport), Error> {
        let (documents, tokens_before) = (self.n_documents(), self.n_tokens());
        let df = self.document_frequencies();
        let words_before = df.iter().filter(|&&df| df > 0).count();
        let kept = limits.kept(&df, documents)?;
        let words_after = kept.len();
        let corpus = if words_after == df.len() { self } else { self.keep(&kept)? };
        let report = PruneReport {
            documents,
            empty_documents: corpus.n_empty(),
            words_before,
            words_after,
            tokens_before,
            tokens_after: corpus.n_tokens(),
        };
        Ok((corpus, report))
    }

    /// The corpus on the words with these ids (ascending).
    fn keep(self, kept: &[u32]) -> Result<Corpus, Error> {
        let vocabulary =
            Vocabulary::new(kept.iter().map(|&w| self.vocabulary.word(w).to_owned()).collect())?;
        let mut new_id = vec![u32::MAX; self.n_words()];
        for (new, &old) in kept.iter().enumerate() {
            new_id[old as usize] = new as u32;
        }
        Ok(self.relabel(vocabulary, &new_id))
    }

    /// The documents in another vocabulary: words it does not have are dropped. For inference.
    #[must_use]
    pub fn project(self, vocabulary: &Vocabulary) -> Corpus {
        let new_id: Vec<u32> =
            self.vocabulary.words().iter().map(|w| vocabulary.id(w).unwrap_or(u32::MAX)).collect();
        self.relabel(vocabulary.clone(), &new_id)
    }

    /// Renames words; `new_id` is ascending where it is not `u32::MAX`, which drops the word.
    fn relabel(self, vocabulary: Vocabulary, new_id: &[u32]) -> Corpus {
        let mut offsets = Vec::with_capacity(self.offsets.len());
        let (mut words, mut counts) = (Vec::new(), Vec::new());
        offsets.push(0);
        for document in self.documents() {
            for (w, c) in document.entries() {
                if new_id[w as usize] != u32::MAX {
                    words.push(new_id[w as usize]);
                    counts.push(c);
                }
            }
            offsets.push(words.len());
        }
        Corpus::assemble(vocabulary, offsets, words, counts, self.info)
    }

    /// One corpus of several, documents in the order given.
    pub fn concat(shards: Vec<Corpus>) -> Result<Corpus, Error> {
        if shards.len() == 1 {
            return Ok(shards.into_iter().next().unwrap_or_else(|| unreachable!("length is 1")));
        }
        let mut all: Vec<String> =
            shards.iter().flat_map(|s| s.vocabulary.words().iter().cloned()).collect();
        all.sort_unstable();
        all.dedup();
        let vocabulary = Vocabulary::new(all)?;
        let (mut offsets, mut words, mut counts) = (vec![0], Vec::new(), Vec::new());
        let mut info = InfoColumns::default();
        for shard in shards {
            let row = offsets.len() - 1;
            for d in 0..shard.n_documents() {
                let text = |s: Option<&str>| s.map(str::to_owned);
                info.push(
                    row + d,
                    DocumentInfo {
                        id: text(shard.id(d)),
                        label: text(shard.label(d)),
                        time: text(shard.time(d)),
                    },
                );
            }
            let shard = shard.project(&vocabulary);
            let start = words.len();
            offsets.extend(shard.offsets[1..].iter().map(|o| o + start));
            words.extend_from_slice(&shard.words);
            counts.extend_from_slice(&shard.counts);
        }
        Ok(Corpus::assemble(vocabulary, offsets, words, counts, info))
    }
}
