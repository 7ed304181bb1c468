//! The co-occurrence matrix of words as an operator: `V ↦ Q V`, without ever forming Q.
//!
//! `Q = (1/M) Σ_m (a aᵀ − diag s)`, where `a_i` is what word i weighs in document m and `s_i` what is taken
//! off the diagonal. With h the counts and n the length of the document:
//!
//! | | `a_i` | `s_i` |
//! |---|---|---|
//! | [`CooccurrenceOperator::new`] | `h_i / √(n (n − 1))` | `h_i / (n (n − 1))`: a token is no pair with itself |
//! | [`CooccurrenceOperator::off_diagonal`], [`Weighting::Tokens`] | the same | `a_i²`: nothing is left |
//! | [`CooccurrenceOperator::off_diagonal`], [`Weighting::TfIdf`] | `h_i idf_i / ‖h idf‖₂` | `a_i²` |
//!
//! The first is the distribution of the words of two different tokens of a document (Arora et al. 2013),
//! the numerator of the paper's C for all pairs of tokens: `C_ij = Q_ij / (p_i p_j)` with p its row sums.
//! The weights of the third are those of text retrieval. Words are told apart by whom they occur with, and
//! a frequent partner tells little; a document with a few words said often says less about pairs than
//! one of many words.
//!
//! `Q V` needs one pass: each document sums its words' rows of V and adds the sum to every word. A word's own part, `s_i`, is
//! the same for all columns and subtracted at the end. Memory is O(W · columns), time O(nnz · columns).

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::Documents;
use crate::error::Error;
use crate::exact;
use crate::linalg::columns;
use crate::moments::word_stats::WordStats;
use crate::simd::{LANES, Rows, lanes_for};

mod passes;

pub(crate) use passes::{MultiplyRows, Shape, SumMargins, Weighed, WordWeights};

/// The weight of a word in a document when pairs of words are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Weighting {
    /// Every pair of tokens counts, and every document the same.
    Tokens,
    /// Rare words weigh more, `idf = 1 + ln((1 + M) / (1 + df))`, and documents have ℓ2 length 1.
    #[default]
    TfIdf,
}

/// `Q` as an operator.
#[derive(Debug)]
pub struct CooccurrenceOperator<'a, D> {
    documents: &'a D,
    stats: &'a WordStats,
    /// idf of every word; `None` if pairs of tokens are counted.
    idf: Option<Arc<[f64]>>,
    diagonal: bool,
    margins: OnceLock<Margins>,
}

/// Sums that no vector is needed for.
#[derive(Debug)]
struct Margins {
    /// Row sums of Q.
    rows: Vec<f64>,
    /// `(1/M) Σ_m s_i`.
    own: Vec<f64>,
}

/// Binary digits of the largest number that a document can add to a sum.
const TERM_BITS: i32 = 26;

impl<'a, D: Documents> CooccurrenceOperator<'a, D> {
    /// The matrix of all pairs of tokens; `stats` are over all pairs ([`crate::moments::PairScheme::All`]).
    pub fn new(documents: &'a D, stats: &'a WordStats) -> Self {
        Self { documents, stats, idf: None, diagonal: true, margins: OnceLock::new() }
    }

    /// The matrix of pairs of different words; its diagonal is 0.
    ///
    /// The diagonal is mostly burstiness: a word that was said once is soon said again. It tells nothing about topics, and is
    /// the largest number of its row.
    pub fn off_diagonal(documents: &'a D, stats: &'a WordStats, weighting: Weighting) -> Self {
        let m = stats.documents as f64;
        let idf = match weighting {
            Weighting::Tokens => None,
            Weighting::TfIdf => Some(
                stats.df.iter().map(|&df| 1.0 + libm::log((1.0 + m) / (1.0 + df as f64))).collect(),
            ),
        };
        Self { documents, stats, idf, diagonal: false, margins: OnceLock::new() }
    }

    /// The weight of a token of `word`, relative to other words.
    pub fn word_weight(&self, word: usize) -> f64 {
        self.idf.as_ref().map_or(1.0, |idf| idf[word])
    }

    /// Row sums of Q. For all pairs of tokens they are the mean frequencies of the words in the
    /// documents that have a pair.
    pub fn row_sums(&self, ctx: &Context<'_>) -> Result<Vec<f64>, Error> {
        if self.diagonal {
            let m = self.stats.paired as f64;
            return Ok(self.stats.first.iter().map(|r| r / m).collect());
        }
        Ok(self.margins(ctx)?.rows.clone())
    }

    fn margins(&self, ctx: &Context<'_>) -> Result<&Margins, Error> {
        if let Some(margins) = self.margins.get() {
            return Ok(margins);
        }
        let (words, m) = (self.stats.n_words(), self.stats.paired);
        // A document adds at most ‖a‖₁ ‖a‖_∞, and ‖a‖₂ ≤ √2.
        let bits = exact::sum_bits(m, 2.0 * (words as f64).sqrt());
        let pass = SumMargins { weights: self.word_weights(), bits };
        let sums = self.documents.pass(&pass, ctx)?;
        let down = libm::ldexp(1.0 / m as f64, -bits);
        let mean = |sums: &[i64]| sums.iter().map(|&s| s as f64 * down).collect();
        let margins = Margins { rows: mean(&sums.rows), own: mean(&sums.own) };
        Ok(self.margins.get_or_init(|| margins))
    }

    /// `Q V` for finite V, W × `columns`, where the numbers of a word stand together; so does the result.
    ///
    /// Products are of 24 binary digits, and sums over documents exact: the same for any threads and order.
    pub fn times(
        &self,
        vectors: &[f64],
        columns: usize,
        ctx: &Context<'_>,
    ) -> Result<Vec<f64>, Error> {
        let words = self.stats.n_words();
        assert_eq!(vectors.len(), words * columns, "a row of V for every word");
        let mut out = ctx.zeros(words * columns);
        let width = ctx.columns(words * size_of::<i64>(), lanes_for(1) * LANES);
        for start in (0..columns).step_by(width) {
            let width = width.min(columns - start);
            self.block(vectors, columns, start, width, &mut out, ctx)?;
        }
        let own = &self.margins(ctx)?.own;
        let columns = columns.max(1);
        let rows = out.par_chunks_mut(columns).zip(vectors.par_chunks(columns)).zip(own);
        ctx.install(|| {
            rows.for_each(|((out, v), own)| {
                out.iter_mut().zip(v).for_each(|(out, v)| *out -= own * v);
            });
        });
        Ok(out)
    }

    /// Columns `start .. start + width` of all of the product, each word's own share included.
    fn block(
        &self,
        vectors: &[f64],
        all: usize,
        start: usize,
        width: usize,
        out: &mut [f64],
        ctx: &Context<'_>,
    ) -> Result<(), Error> {
        let span = start..start + width;
        // A document adds to a sum at most the ℓ2 norm of a column times √2 ‖a‖₂, and ‖a‖₂ ≤ √2.
        let norms = columns::reduce_columns(vectors, all, |norm, _, v| norm + v * v, ctx);
        let bits: Vec<i32> = norms[span.clone()]
            .iter()
            .map(|norm| TERM_BITS - libm::frexp(2.0 * norm.sqrt()).1)
            .collect();
        let lanes = lanes_for(width);
        let mut scaled = Rows::shared(self.stats.n_words() * lanes, ctx);
        let up: Vec<f64> = bits.iter().map(|&bits| libm::ldexp(1.0, bits)).collect();
        let rows = scaled.par_chunks_mut(lanes).zip(vectors.par_chunks(all));
        ctx.install(|| {
            rows.for_each(|(to, row)| {
                let to = to.as_flattened_mut().iter_mut().zip(&row[span.clone()]);
                to.zip(&up).for_each(|((to, v), up)| *to = (v * up) as f32);
            });
        });
        let pass = MultiplyRows { weights: self.word_weights(), vectors: scaled, width };
        let product = self.documents.pass(&pass, ctx)?.scatter.sums;
        let m = self.stats.paired as f64;
        let down: Vec<f64> = bits.iter().map(|&bits| libm::ldexp(1.0 / m, -bits)).collect();
        ctx.install(|| {
            out.par_chunks_mut(all).enumerate().for_each(|(w, row)| {
                let out = (w * lanes * LANES..).zip(&mut row[span.clone()]).zip(&down);
                out.for_each(|((at, out), down)| *out = product.value(at) * down);
            });
        });
        Ok(())
    }

    /// The weights of words in documents.
    pub(crate) fn word_weights(&self) -> WordWeights {
        WordWeights { idf: self.idf.clone(), diagonal: self.diagonal }
    }
}

#[cfg(test)]
mod tests;
