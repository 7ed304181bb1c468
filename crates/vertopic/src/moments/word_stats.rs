//! Statistics of single words: how often each occurs, and the row sums of X and X′.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, Documents, Pass, PassReader, PassWriter, SumFields, Vocabulary,
};
use crate::error::Error;
use crate::exact::{self, ExactSums, FREQUENCY_BITS, PAIR_BITS};
use crate::moments::SufficientStats;
use crate::moments::split::{Halves, PairScheme, Splitter, TokenPairs};
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

/// Statistics of every word. Row sums are in documents: a word that fills one document counts 1.
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
    /// Documents with a pair of tokens: the M of the paired statistics.
    pub paired: usize,
    /// Occurrences of each word.
    pub tokens: Vec<u64>,
    /// Document frequency of each word.
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
        pairs: TokenPairs,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let sums = source.word_sums(pairs, ctx)?;
        let rows = |sums: &ExactSums| -> Vec<f64> {
            (0..sums.len()).map(|w| exact::scaled(sums.value(w), FREQUENCY_BITS)).collect()
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
                rows => m * exact::scaled(sums.diagonal.value(i), PAIR_BITS) / rows,
            })
            .collect();
        Ok(Self {
            seed: pairs.seed,
            pairs: pairs.scheme,
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

    /// The pairs of tokens that were counted.
    pub fn token_pairs(&self) -> TokenPairs {
        TokenPairs::new(self.seed, self.pairs)
    }

    /// Splits documents as the pass behind these statistics did.
    pub fn splitter<'v>(&self, vocabulary: &'v Vocabulary) -> Splitter<'v> {
        Splitter::new(self.seed, self.pairs, vocabulary)
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

/// The exact sums behind [`WordStats`]: fixed point, by word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordSums {
    /// Documents, those without words included.
    pub documents: usize,
    /// Documents with at least one word.
    pub filled: usize,
    /// Documents with a pair of tokens.
    pub paired: usize,
    /// Occurrences of each word.
    pub tokens: Vec<u64>,
    /// Document frequency of each word.
    pub df: Vec<u64>,
    /// Frequencies in whole documents, with [`FREQUENCY_BITS`].
    pub whole: ExactSums,
    /// Frequencies on the first side of the pairs, with [`FREQUENCY_BITS`].
    pub first: ExactSums,
    /// Frequencies on the second side of the pairs, with [`FREQUENCY_BITS`].
    pub second: ExactSums,
    /// Pairs of the word with itself, with [`PAIR_BITS`].
    pub diagonal: ExactSums,
}

/// One pass over the documents.
pub(super) fn word_sums<D: Documents>(
    documents: &D,
    pairs: TokenPairs,
    ctx: &Context<'_>,
) -> Result<WordSums, Error> {
    let counted = documents.pass(&CountWords { seed: pairs.seed, pairs: pairs.scheme }, ctx)?.sums;
    Ok(WordSums { documents: documents.n_documents(), ..counted })
}

/// The pass behind [`WordSums`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountWords {
    seed: Seed,
    pairs: PairScheme,
}

impl Pass for CountWords {
    const NAME: &'static str = "words";
    const STAGE: &'static str = "counting words";
    type Accumulator<'a> = WordCounter<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> WordCounter<'a> {
        let (zeros, sums) = (|| vec![0; words.len()], || ExactSums::zeros(words.len()));
        WordCounter {
            splitter: Splitter::new(self.seed, self.pairs, words),
            halves: Halves::default(),
            sums: WordSums {
                tokens: zeros(),
                df: zeros(),
                whole: sums(),
                first: sums(),
                second: sums(),
                diagonal: sums(),
                ..WordSums::default()
            },
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.pairs.write(self.seed, out);
    }

    fn read(from: &mut PassReader<'_>, _: &Vocabulary) -> Result<Self, Error> {
        let (seed, pairs) = PairScheme::read(from)?;
        Ok(Self { seed, pairs })
    }
}

/// The sums, and the two sides of one document's pairs.
pub(crate) struct WordCounter<'a> {
    splitter: Splitter<'a>,
    halves: Halves,
    sums: WordSums,
}

impl Accumulator for WordCounter<'_> {
    fn add(&mut self, document: Document<'_>) {
        let length = document.tokens();
        if length == 0 {
            return;
        }
        let Self { splitter, halves, sums } = self;
        sums.filled += 1;
        sums.whole.reserve(exact::LARGEST_FREQUENCY);
        let whole = sums.whole.low_mut();
        for (w, c) in document.entries() {
            sums.tokens[w as usize] += u64::from(c);
            sums.df[w as usize] += 1;
            whole[w as usize][0] += exact::frequency(c, length) as i64;
        }
        if !splitter.split(document, halves) {
            return;
        }
        sums.paired += 1;
        let weight = halves.pair_weight();
        let Halves { first, second, same } = &*halves;
        for (sums, half) in [(&mut sums.first, first), (&mut sums.second, second)] {
            sums.reserve(exact::LARGEST_FREQUENCY);
            let sums = sums.low_mut();
            for &(w, c) in &half.pairs {
                sums[w as usize][0] += exact::frequency(c, half.tokens) as i64;
            }
        }
        sums.diagonal.reserve(exact::LARGEST_PAIRS);
        let diagonal = sums.diagonal.low_mut();
        let mut other = second.pairs.iter().peekable();
        for &(w, c) in &first.pairs {
            while other.next_if(|p| p.0 < w).is_some() {}
            if let Some(&&(_, c2)) = other.peek().filter(|p| p.0 == w) {
                let pairs = u64::from(c) * u64::from(c2 - u32::from(*same));
                diagonal[w as usize][0] += exact::pairs(pairs, weight) as i64;
            }
        }
    }

    fn merge(&mut self, other: Self) {
        let (sums, other) = (&mut self.sums, other.sums);
        sums.filled += other.filled;
        sums.paired += other.paired;
        add_all(&mut sums.tokens, &other.tokens);
        add_all(&mut sums.df, &other.df);
        sums.whole.merge(&other.whole);
        sums.first.merge(&other.first);
        sums.second.merge(&other.second);
        sums.diagonal.merge(&other.diagonal);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        let sums = &mut self.sums;
        fields.size(&mut sums.filled)?;
        fields.size(&mut sums.paired)?;
        fields.counts(&mut sums.tokens)?;
        fields.counts(&mut sums.df)?;
        fields.sums(&mut sums.whole)?;
        fields.sums(&mut sums.first)?;
        fields.sums(&mut sums.second)?;
        fields.sums(&mut sums.diagonal)
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
