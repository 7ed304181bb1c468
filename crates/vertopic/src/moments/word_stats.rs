//! What is known of each word by itself: how often it occurs, and the row sums of X and X′.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{Accumulator, Document, Documents, Vocabulary};
use crate::error::Error;
use crate::exact::{self, FREQUENCY_BITS, PAIR_BITS};
use crate::moments::SufficientStats;
use crate::moments::split::{Halves, PairScheme, Splitter};
use crate::seed::Seed;

/// Which tokens the statistics of single words use: random projections and word frequencies.
///
/// Statistics of pairs of words have their own choice, [`PairScheme`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenSample {
    /// All tokens.
    #[default]
    Whole,
    /// The first side of the pairs: with [`PairScheme::Split`] a half, the paper's X.
    Half,
}

/// Totals of every word. Row sums are in documents: a word that fills one document counts 1.
#[derive(Debug, Clone, PartialEq)]
pub struct WordStats {
    /// The seed of the split.
    pub seed: Seed,
    /// Which pairs of tokens are counted.
    pub pairs: PairScheme,
    /// Documents, those without words included.
    pub documents: usize,
    /// Documents with at least one word.
    pub filled: usize,
    /// Documents with a pair of tokens to offer: the M of the paired statistics.
    pub paired: usize,
    /// Occurrences of each word.
    pub tokens: Vec<u64>,
    /// Documents each word occurs in.
    pub df: Vec<u64>,
    /// Row sums of the frequency matrix of whole documents.
    pub whole: Vec<f64>,
    /// Row sums of X.
    pub first: Vec<f64>,
    /// Row sums of X′.
    pub second: Vec<f64>,
    /// `C_ii = M ⟨X~_i, X~′_i⟩`; 0 where the word misses from a side.
    pub diagonal: Vec<f64>,
}

impl WordStats {
    /// One pass over the documents, where there are some.
    pub fn of<S: SufficientStats>(
        source: &S,
        seed: Seed,
        pairs: PairScheme,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let sums = source.word_sums(seed, pairs, ctx)?;
        sums.check(source.words())?;
        let rows = |fixed: &[u64]| -> Vec<f64> {
            fixed.iter().map(|&r| exact::value(r, FREQUENCY_BITS)).collect()
        };
        let (whole, first, second) = (rows(&sums.whole), rows(&sums.first), rows(&sums.second));
        if sums.paired < 2 {
            let (usable, documents) = (sums.paired, sums.documents);
            return Err(Error::TooFewDocuments { usable, documents });
        }
        let m = sums.paired as f64;
        let diagonal = (0..sums.tokens.len())
            .map(|i| match first[i] * second[i] {
                0.0 => 0.0,
                rows => m * exact::value(sums.diagonal[i], PAIR_BITS) / rows,
            })
            .collect();
        Ok(Self {
            seed,
            pairs,
            documents: sums.documents,
            filled: sums.filled,
            paired: sums.paired,
            tokens: sums.tokens,
            df: sums.df,
            whole,
            first,
            second,
            diagonal,
        })
    }

    /// Lays out the pairs of every further pass as they were laid out in this one.
    pub fn splitter<'v>(&self, vocabulary: &'v Vocabulary) -> Splitter<'v> {
        Splitter::new(self.seed, self.pairs, vocabulary)
    }

    /// Row sums of X and of X′.
    pub fn row_sums(&self) -> [&[f64]; 2] {
        [&self.first, &self.second]
    }

    /// Number of words.
    pub fn n_words(&self) -> usize {
        self.tokens.len()
    }

    /// Mean frequency of each word, the paper's `(1/M) X_i 1`.
    pub fn frequencies(&self, sample: TokenSample) -> Vec<f64> {
        let (rows, m) = match sample {
            TokenSample::Whole => (&self.whole, self.filled),
            TokenSample::Half => (&self.first, self.paired),
        };
        rows.iter().map(|r| r / m as f64).collect()
    }
}

/// More documents' worth of one word than this could overflow the fixed-point sums.
const MOST_DOCUMENTS: f64 = (1 << 21) as f64;

/// The exact sums behind [`WordStats`]: fixed point, by word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordSums {
    /// Documents, those without words included.
    pub documents: usize,
    /// Documents with at least one word.
    pub filled: usize,
    /// Documents with a pair of tokens to offer.
    pub paired: usize,
    /// Occurrences of each word.
    pub tokens: Vec<u64>,
    /// Documents each word occurs in.
    pub df: Vec<u64>,
    /// Frequencies in whole documents, with [`FREQUENCY_BITS`].
    pub whole: Vec<u64>,
    /// Frequencies on the first side of the pairs, with [`FREQUENCY_BITS`].
    pub first: Vec<u64>,
    /// Frequencies on the second side of the pairs, with [`FREQUENCY_BITS`].
    pub second: Vec<u64>,
    /// Pairs of the word with itself, with [`PAIR_BITS`].
    pub diagonal: Vec<u64>,
}

impl WordSums {
    /// Refuses sums that are so large that those of pairs or projections could overflow.
    pub(crate) fn check(&self, words: &Vocabulary) -> Result<(), Error> {
        for sums in [&self.whole, &self.first, &self.second] {
            let documents = |r: u64| exact::value(r, FREQUENCY_BITS);
            if let Some(at) = sums.iter().position(|&r| documents(r) >= MOST_DOCUMENTS) {
                let (word, documents) = (words.word(at as u32), documents(sums[at]) as u64);
                return Err(Error::TooLargeForExactSums { word: word.to_owned(), documents });
            }
        }
        Ok(())
    }
}

/// One pass over the documents.
pub(super) fn word_sums<D: Documents>(
    documents: &D,
    seed: Seed,
    pairs: PairScheme,
    ctx: &Context<'_>,
) -> WordSums {
    let splitter = Splitter::new(seed, pairs, documents.vocabulary());
    let zeros = || vec![0; documents.vocabulary().len()];
    let counting = documents.pass("counting words", ctx, || Counting {
        splitter,
        halves: Halves::default(),
        sums: WordSums {
            tokens: zeros(),
            df: zeros(),
            whole: zeros(),
            first: zeros(),
            second: zeros(),
            diagonal: zeros(),
            ..WordSums::default()
        },
    });
    WordSums { documents: documents.n_documents(), ..counting.sums }
}

/// The sums, with one document's pairs.
struct Counting<'a> {
    splitter: Splitter<'a>,
    halves: Halves,
    sums: WordSums,
}

impl Accumulator for Counting<'_> {
    fn add(&mut self, document: Document<'_>) {
        let length = document.tokens();
        if length == 0 {
            return;
        }
        let Self { splitter, halves, sums } = self;
        sums.filled += 1;
        for (w, c) in document.entries() {
            sums.tokens[w as usize] += u64::from(c);
            sums.df[w as usize] += 1;
            sums.whole[w as usize] += exact::frequency(c, length);
        }
        if !splitter.split(document, halves) {
            return;
        }
        sums.paired += 1;
        let weight = halves.pair_weight();
        let Halves { first, second, same } = &*halves;
        for &(w, c) in &first.pairs {
            sums.first[w as usize] += exact::frequency(c, first.tokens);
        }
        for &(w, c) in &second.pairs {
            sums.second[w as usize] += exact::frequency(c, second.tokens);
        }
        let mut other = second.pairs.iter().peekable();
        for &(w, c) in &first.pairs {
            while other.next_if(|p| p.0 < w).is_some() {}
            if let Some(&&(_, c2)) = other.peek().filter(|p| p.0 == w) {
                let pairs = u64::from(c) * u64::from(c2 - u32::from(*same));
                sums.diagonal[w as usize] += exact::pairs(pairs, weight);
            }
        }
    }

    fn merge(&mut self, other: Self) {
        let (sums, other) = (&mut self.sums, other.sums);
        sums.filled += other.filled;
        sums.paired += other.paired;
        for (mine, theirs) in [
            (&mut sums.tokens, other.tokens),
            (&mut sums.df, other.df),
            (&mut sums.whole, other.whole),
            (&mut sums.first, other.first),
            (&mut sums.second, other.second),
            (&mut sums.diagonal, other.diagonal),
        ] {
            add_all(mine, &theirs);
        }
    }
}

/// Numbers that a thread adds at a time.
const PIECE: usize = if cfg!(test) { 8 } else { 1 << 15 };

/// Adds one vector of sums to another, a long one on all threads of the current pool.
pub(crate) fn add_all<T>(mine: &mut [T], theirs: &[T])
where
    T: Copy + std::ops::AddAssign + Send + Sync,
{
    let add = |mine: &mut [T], theirs: &[T]| {
        mine.iter_mut().zip(theirs).for_each(|(a, &b)| *a += b);
    };
    if mine.len() <= PIECE {
        return add(mine, theirs);
    }
    let pieces = mine.par_chunks_mut(PIECE).zip(theirs.par_chunks(PIECE));
    pieces.for_each(|(mine, theirs)| add(mine, theirs));
}
