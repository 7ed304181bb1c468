//! Pairs of tokens of one document: from two random halves, the paper's X and X′, or all of them.
//!
//! In a split, a fair coin sends each token to one half. The coin depends on (seed, document, word), so the split does not
//! depend on the order of the documents.
//!
//! All pairs of different tokens have the same expectation as pairs across a split, and there are about
//! twice as many: their statistic, `c_i c_j − 1{i=j} c_i` over `n (n − 1)`, is the mean over all splits.
//! It needs no random number, and a document needs two tokens only.

use serde::{Deserialize, Serialize};

use crate::corpus::{Document, PassReader, PassWriter, Vocabulary};
use crate::error::Error;
use crate::exact;
use crate::seed::{Seed, Stage, Stream};

/// Which pairs of tokens the statistics of pairs of words count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairScheme {
    /// All pairs of different tokens of a document.
    #[default]
    All,
    /// One token of each of two random halves, as in the paper.
    Split,
}

impl PairScheme {
    /// Writes what decides how documents are split.
    pub(crate) fn write(self, seed: Seed, out: &mut PassWriter) {
        out.number(seed.0);
        out.byte(u8::from(self == Self::Split));
    }

    /// Reads a seed and a scheme.
    pub(crate) fn read(from: &mut PassReader<'_>) -> Result<(Seed, Self), Error> {
        let seed = Seed(from.number()?);
        Ok((seed, if from.flag()? { Self::Split } else { Self::All }))
    }
}

/// Which pairs of tokens are counted, and the seed of the split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenPairs {
    /// The seed of the split.
    pub seed: Seed,
    /// Which pairs of tokens.
    pub scheme: PairScheme,
}

impl TokenPairs {
    /// Pairs by `scheme`, split with `seed`.
    pub fn new(seed: Seed, scheme: PairScheme) -> Self {
        Self { seed, scheme }
    }
}

/// Lays out the two sides of a document's pairs.
#[derive(Debug, Clone, Copy)]
pub struct Splitter<'a> {
    seed: Seed,
    pairs: PairScheme,
    vocabulary: &'a Vocabulary,
}

/// One half of a document: `(word, count)` in ascending order of words, and its length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Half {
    /// Words of this half with their counts.
    pub pairs: Vec<(u32, u32)>,
    /// Tokens of this half.
    pub tokens: u64,
}

impl Half {
    fn clear(&mut self) {
        self.pairs.clear();
        self.tokens = 0;
    }

    fn push(&mut self, word: u32, count: u32) {
        if count > 0 {
            self.pairs.push((word, count));
            self.tokens += u64::from(count);
        }
    }
}

/// The two sides of one document's pairs; used again for the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Halves {
    /// The half behind X, or the whole document.
    pub first: Half,
    /// The half behind X′, or the whole document.
    pub second: Half,
    /// Whether both are the whole document, so that a token must not be paired with itself.
    pub same: bool,
}

impl Halves {
    /// Number of ways to choose the second token of a pair once the first is chosen.
    pub fn partners(&self) -> u64 {
        self.second.tokens - u64::from(self.same)
    }

    /// The weight of one pair of tokens, for [`exact::pairs`].
    pub fn pair_weight(&self) -> f64 {
        exact::pair_weight(self.first.tokens, self.partners())
    }
}

impl<'a> Splitter<'a> {
    /// A splitter for documents over this vocabulary.
    pub fn new(seed: Seed, pairs: PairScheme, vocabulary: &'a Vocabulary) -> Self {
        Self { seed, pairs, vocabulary }
    }

    /// Lays out a document in `halves`. False if it has no pair of tokens; then it is left out of all paired statistics.
    pub fn split(&self, document: Document<'_>, halves: &mut Halves) -> bool {
        halves.first.clear();
        halves.second.clear();
        halves.same = self.pairs == PairScheme::All;
        if halves.same {
            for (word, count) in document.entries() {
                halves.first.push(word, count);
                halves.second.push(word, count);
            }
            return halves.first.tokens > 1;
        }
        // A branch on a coin would be mispredicted half of the time. So each word is written into both halves, and the next
        // word overwrites it where it does not belong.
        let (first, second) = (&mut halves.first, &mut halves.second);
        first.pairs.resize(document.words.len(), (0, 0));
        second.pairs.resize(document.words.len(), (0, 0));
        let (mut in_first, mut in_second) = (0, 0);
        for (word, count) in document.entries() {
            let item = document.key.0 ^ self.vocabulary.key(word);
            let heads = heads(&mut self.seed.stream(Stage::Split, item), count);
            first.pairs[in_first] = (word, heads);
            second.pairs[in_second] = (word, count - heads);
            in_first += usize::from(heads > 0);
            in_second += usize::from(heads < count);
            first.tokens += u64::from(heads);
            second.tokens += u64::from(count - heads);
        }
        first.pairs.truncate(in_first);
        second.pairs.truncate(in_second);
        first.tokens > 0 && second.tokens > 0
    }
}

/// How many of `n` fair coins show heads: the ones among `n` random bits.
fn heads(coins: &mut Stream, n: u32) -> u32 {
    let mut heads = 0;
    let mut left = n;
    while left > 0 {
        let tossed = left.min(64);
        heads += (coins.next_u64() >> (64 - tossed)).count_ones();
        left -= tossed;
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit;

    #[test]
    fn every_token_is_in_one_half_and_the_coin_is_fair() {
        let document = |d: u32| (0..50).map(|w| (w, 1 + (w * d) % 130)).collect::<Vec<_>>();
        let corpus = testkit::corpus(50, (0..200).map(document));
        let splitter = Splitter::new(Seed(1), PairScheme::Split, corpus.vocabulary());
        let (mut first, mut all, mut variance, mut halves) = (0_u64, 0_u64, 0.0, Halves::default());
        for document in corpus.documents() {
            assert!(splitter.split(document, &mut halves));
            let mut sum = vec![0_u32; 50];
            for &(w, c) in halves.first.pairs.iter().chain(&halves.second.pairs) {
                sum[w as usize] += c;
            }
            assert_eq!(sum, document.counts);
            first += halves.first.tokens;
            all += document.tokens();
            for &(w, c) in &halves.first.pairs {
                let n = f64::from(document.counts[w as usize]);
                variance += (f64::from(c) - n / 2.0).powi(2);
            }
        }
        // Binomial(n, 1/2): mean n/2 and variance n/4, each within five standard errors.
        let n = all as f64;
        assert!((first as f64 - n / 2.0).abs() < 5.0 * (n / 4.0).sqrt(), "{first} of {all}");
        assert!((variance / (n / 4.0) - 1.0).abs() < 0.1, "{variance} for {n} tokens");
    }

    #[test]
    fn a_single_token_cannot_be_split() {
        let corpus = testkit::corpus(1, [[(0, 1)]]);
        let splitter = Splitter::new(Seed(1), PairScheme::Split, corpus.vocabulary());
        assert!(!splitter.split(corpus.document(0), &mut Halves::default()));
        let all = Splitter::new(Seed(1), PairScheme::All, corpus.vocabulary());
        assert!(!all.split(corpus.document(0), &mut Halves::default()), "one token has no partner");
    }
}
