//! The rows of words that anchors are chosen among and words are regressed on.
//!
//! | weighting | row of word i | used by |
//! |---|---|---|
//! | [`Weighting::Joint`] | `Qbar_i = Q_i / p_i`: distribution of the other token of a pair | RecoverL2, RecoverKL, SPA |
//! | [`Weighting::Normalised`] | `E_i = Qbar_i diag(1/p)` | solid angles |
//!
//! No W × W matrix is held: a few rows are formed from the pairs of words, and what is needed of all
//! rows is a product with the operator [`Joint`].

use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::corpus::{Corpus, Frequency};
use vertopic::moments::{Cooccurrence, CooccurrenceOperator, PairScheme, TokenPairs, WordStats};
use vertopic::seed::{Seed, Stage};

/// How the entries of a row are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weighting {
    /// As they are: a row sums to 1.
    Joint,
    /// By one over the frequency of the column's word: 1 where words are independent.
    Normalised,
}

/// The rows of all words, given piece by piece.
pub(super) struct Rows<'a> {
    corpus: &'a Corpus,
    stats: &'a WordStats,
    /// Frequency of each word, the row sums of Q.
    pub(super) frequencies: Vec<f64>,
    /// Weight of each column.
    weights: Vec<f64>,
}

/// Documents that a candidate occurs in by default, at least (the authors' published settings).
const MIN_DF: u64 = 100;
/// In a small corpus that is too many: this share of the documents is enough.
const MIN_SHARE: Frequency = Frequency::Share(0.05);

/// What least squares on the anchors needs.
pub(super) struct Products {
    /// Inner products of the anchors' rows, K × K.
    pub(super) gram: Vec<f64>,
    /// Inner products of every word's row with the anchors', W × K.
    pub(super) linear: Vec<f64>,
}

/// The totals that the rows are made of.
pub(super) fn word_stats(
    corpus: &Corpus,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<WordStats, Error> {
    WordStats::of(corpus, TokenPairs::new(seed, PairScheme::All), ctx)
}

impl<'a> Rows<'a> {
    pub(super) fn new(corpus: &'a Corpus, stats: &'a WordStats, weighting: Weighting) -> Self {
        let m = stats.paired as f64;
        let frequencies: Vec<f64> = stats.first.iter().map(|r| r / m).collect();
        let weights = match weighting {
            Weighting::Joint => vec![1.0; frequencies.len()],
            Weighting::Normalised => frequencies.iter().map(|&p| inverse(p)).collect(),
        };
        Self { corpus, stats, frequencies, weights }
    }

    /// Number of words.
    pub(super) fn len(&self) -> usize {
        self.frequencies.len()
    }

    /// Words in at least `min_df` documents, and in one with a second token: only they have a row.
    pub(super) fn candidates(&self, min_df: Option<Frequency>) -> Vec<u32> {
        let usual = || MIN_DF.min(MIN_SHARE.at_least(self.stats.documents));
        let least = min_df.map_or_else(usual, |df| df.at_least(self.stats.documents));
        (0..self.len() as u32)
            .filter(|&w| self.frequencies[w as usize] > 0.0)
            .filter(|&w| self.stats.df[w as usize] >= least)
            .collect()
    }

    /// Decides between words that are equally far: a coin that hangs on the word and the seed, so that
    /// spelling favours nobody.
    pub(super) fn ties(&self, words: &[u32]) -> Vec<u64> {
        let vocabulary = self.corpus.vocabulary();
        let coin = |&w: &u32| self.stats.seed.stream(Stage::Tie, vocabulary.key(w)).next_u64();
        words.iter().map(coin).collect()
    }

    /// What random numbers of a word hang on.
    pub(super) fn key(&self, word: u32) -> u64 {
        self.corpus.vocabulary().key(word)
    }

    /// The whole rows of some words, one after the other.
    pub(super) fn of(&self, words: &[u32], ctx: &Context<'_>) -> Result<Vec<f64>, Error> {
        let all: Vec<u32> = (0..self.len() as u32).collect();
        let block = Cooccurrence::of(self.corpus, self.stats, words, &all, ctx)?;
        let mut out = Vec::with_capacity(words.len() * self.len());
        for row in 0..words.len() {
            let entries = block.row(row).iter().zip(&self.frequencies).zip(&self.weights);
            out.extend(entries.map(|((c, p), s)| c * p * s)); // C_ij = Q_ij / (p_i p_j)
        }
        Ok(out)
    }

    /// `D_ij = E_ii − 2 E_ij + E_jj` between some words, in row order.
    pub(super) fn distances(&self, words: &[u32], ctx: &Context<'_>) -> Result<Vec<f64>, Error> {
        let block = Cooccurrence::of(self.corpus, self.stats, words, words, ctx)?;
        let own = |i: usize| self.stats.diagonal[words[i] as usize];
        let pairs = (0..words.len()).flat_map(|i| (0..words.len()).map(move |j| (i, j)));
        Ok(pairs.map(|(i, j)| block.distance(i, j, own(i), own(j))).collect())
    }

    /// Every row times V (W × `columns`, the numbers of a word together; so is the result).
    pub(super) fn times(
        &self,
        vectors: &mut [f64],
        columns: usize,
        ctx: &Context<'_>,
    ) -> Result<Vec<f64>, Error> {
        for (row, s) in vectors.chunks_mut(columns).zip(&self.weights) {
            row.iter_mut().for_each(|v| *v *= s);
        }
        let mut out =
            CooccurrenceOperator::new(self.corpus, self.stats).times(vectors, columns, ctx)?;
        for (row, &p) in out.chunks_mut(columns).zip(&self.frequencies) {
            let scale = inverse(p);
            row.iter_mut().for_each(|v| *v *= scale);
        }
        Ok(out)
    }

    /// Inner products of all rows with those of the anchors, given as [`Rows::of`] gives them.
    pub(super) fn products(&self, anchors: &[f64], ctx: &Context<'_>) -> Result<Products, Error> {
        let w = self.len();
        let k = anchors.len() / w;
        let row = |i: usize| &anchors[i * w..(i + 1) * w];
        let mut gram = vec![0.0; k * k];
        ctx.install(|| {
            gram.par_chunks_mut(k).enumerate().for_each(|(i, line)| {
                line.iter_mut().enumerate().for_each(|(j, g)| *g = dot(row(i), row(j)));
            });
        });
        let mut vectors = vec![0.0; w * k];
        for (j, line) in vectors.chunks_mut(k).enumerate() {
            line.iter_mut().enumerate().for_each(|(i, v)| *v = anchors[i * w + j]);
        }
        Ok(Products { gram, linear: self.times(&mut vectors, k, ctx)? })
    }
}

/// `1/x`, and 0 for 0: what belongs to a word without a row.
fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// The inner product, in eight sums side by side: a fixed order that vector units like.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (x, y) in a8.iter().zip(b8) {
        for l in 0..8 {
            lanes[l] += x[l] * y[l];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f64>() + rest
}
