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
//! `Q V` needs one pass: each document sums its words' rows of V and gives every word the sum. What is a word's own, `s_i`,
//! is the same for all columns, and taken off in the end. Memory is O(W · columns), time O(pairs of word and
//! document · columns).

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, Documents, Pass, PassReader, PassWriter, SumFields, Vocabulary,
};
use crate::error::Error;
use crate::exact;
use crate::linalg::columns;
use crate::moments::scatter_add::{Contribution, ScatterAdd};
use crate::moments::word_stats::{WordStats, add_all};
use crate::simd::{self, Kernel, LANES, Lane, Rows, Simd, lanes_for};

/// What a word weighs in a document when pairs of words are counted.
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

/// `Q`, applied and never formed.
#[derive(Debug)]
pub struct CooccurrenceOperator<'a, D> {
    documents: &'a D,
    stats: &'a WordStats,
    /// idf of every word; without it a document is weighed by its pairs of tokens.
    idf: Option<Arc<[f64]>>,
    diagonal: bool,
    margins: OnceLock<Margins>,
}

/// What takes no vector to know.
#[derive(Debug)]
struct Margins {
    /// Row sums of Q.
    rows: Vec<f64>,
    /// `(1/M) Σ_m s_i`.
    own: Vec<f64>,
}

/// Binary digits of the largest number that a document can add to a sum,
const TERM_BITS: i32 = 26;
/// and how many such numbers 32 bits can hold.
const TERMS: u16 = 16;

impl<'a, D: Documents> CooccurrenceOperator<'a, D> {
    /// The matrix of all pairs of tokens; the totals are over all pairs ([`crate::moments::PairScheme::All`]).
    pub fn new(documents: &'a D, stats: &'a WordStats) -> Self {
        Self { documents, stats, idf: None, diagonal: true, margins: OnceLock::new() }
    }

    /// The matrix of pairs of different words; its diagonal is 0.
    ///
    /// What a word does to itself is mostly burstiness: said once, it is soon said again. It says nothing
    /// about topics, and it is the largest number of its row.
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

    /// What a token of a word weighs, against a token of another.
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

/// The weights of words in documents, as a parameter of passes.
#[derive(Debug, Clone)]
pub(crate) struct WordWeights {
    idf: Option<Arc<[f64]>>,
    diagonal: bool,
}

impl WordWeights {
    /// Weighs the words of one document after the other.
    pub(crate) fn shape(&self) -> Shape<'_> {
        Shape { idf: self.idf.as_deref(), diagonal: self.diagonal, weights: Vec::new() }
    }

    pub(crate) fn write(&self, out: &mut PassWriter) {
        out.byte(u8::from(self.diagonal));
        out.byte(u8::from(self.idf.is_some()));
        if let Some(idf) = &self.idf {
            out.table(idf.iter().copied());
        }
    }

    pub(crate) fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let diagonal = from.flag()?;
        let idf = if from.flag()? { Some(from.table(words.len())?.into()) } else { None };
        Ok(Self { idf, diagonal })
    }
}

/// The weights of the words of a document.
pub(crate) struct Shape<'a> {
    idf: Option<&'a [f64]>,
    diagonal: bool,
    /// `a_i` of the document's words.
    pub(crate) weights: Vec<f64>,
}

impl Shape<'_> {
    /// Turns to a document; false if it has no pair of tokens.
    pub(crate) fn load(&mut self, document: Document<'_>) -> bool {
        let n = document.tokens() as f64;
        if n < 2.0 {
            return false;
        }
        self.weights.clear();
        let scale = if let Some(idf) = self.idf {
            self.weights.extend(document.entries().map(|(w, c)| f64::from(c) * idf[w as usize]));
            self.weights.iter().map(|a| a * a).sum::<f64>()
        } else {
            self.weights.extend(document.counts.iter().map(|&c| f64::from(c)));
            n * (n - 1.0)
        };
        let scale = 1.0 / scale.sqrt();
        self.weights.iter_mut().for_each(|a| *a *= scale);
        true
    }

    /// `s_i` over `a_i`, for a word that occurs `count` times and weighs `weight`.
    #[inline]
    pub(crate) fn own(&self, weight: f64, count: u32) -> f64 {
        if self.diagonal { weight / f64::from(count) } else { weight }
    }
}

/// The pass behind the margins.
#[derive(Debug)]
pub(crate) struct SumMargins {
    weights: WordWeights,
    /// Binary digits behind the point of a sum.
    bits: i32,
}

impl Pass for SumMargins {
    const NAME: &'static str = "margins";
    const STAGE: &'static str = STAGE;
    type Accumulator<'a> = MarginSums<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> MarginSums<'a> {
        MarginSums {
            shape: self.weights.shape(),
            up: libm::ldexp(1.0, self.bits),
            rows: vec![0; words.len()],
            own: vec![0; words.len()],
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.weights.write(out);
        out.bits(self.bits);
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        Ok(Self { weights: WordWeights::read(from, words)?, bits: from.bits()? })
    }
}

/// What progress reports call the passes over documents here.
const STAGE: &str = "applying co-occurrence";

/// The sums behind the margins. Their digits are chosen so that 64 bits hold them for any number of documents.
pub(crate) struct MarginSums<'a> {
    shape: Shape<'a>,
    up: f64,
    rows: Vec<i64>,
    own: Vec<i64>,
}

impl Accumulator for MarginSums<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.shape.load(document) {
            return;
        }
        let up = self.up;
        let all: f64 = self.shape.weights.iter().sum();
        for ((w, c), &a) in document.entries().zip(&self.shape.weights) {
            let own = self.shape.own(a, c);
            exact::add(&mut self.rows[w as usize], exact::nearest(up * a * (all - own)));
            exact::add(&mut self.own[w as usize], exact::nearest(up * a * own));
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.rows, &other.rows);
        add_all(&mut self.own, &other.own);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.integers(&mut self.rows)?;
        fields.integers(&mut self.own)
    }
}

/// The pass behind a block of the product.
#[derive(Debug)]
pub(crate) struct MultiplyRows {
    weights: WordWeights,
    /// Rows of V in units of the sums.
    vectors: Rows,
    /// Numbers of a row that count; the others fill registers.
    width: usize,
}

impl Pass for MultiplyRows {
    const NAME: &'static str = "product";
    const STAGE: &'static str = STAGE;
    type Accumulator<'a> = Product<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> Product<'a> {
        let lanes = lanes_for(self.width);
        Product {
            shape: self.weights.shape(),
            vectors: &self.vectors,
            width: self.width,
            whole: Rows::zeros(lanes),
            scatter: ScatterAdd::new(words.len(), lanes, None, TERMS),
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.weights.write(out);
        out.rows(&self.vectors, self.width);
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let weights = WordWeights::read(from, words)?;
        let (vectors, width) = from.rows(words.len())?;
        Ok(Self { weights, vectors, width })
    }
}

/// The sums behind a block of the product.
pub(crate) struct Product<'a> {
    shape: Shape<'a>,
    vectors: &'a [Lane],
    width: usize,
    /// `a·V`.
    whole: Rows,
    scatter: ScatterAdd<'a>,
}

impl Accumulator for Product<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.shape.load(document) {
            return;
        }
        let Self { shape, vectors, whole, scatter, .. } = self;
        let weights = &shape.weights;
        simd::run(Weighed { words: document.words, weights, vectors, whole });
        let contributions = document.words.iter().zip(weights).map(|(&word, &a)| Contribution {
            word,
            weight: 1,
            factor: a as f32,
            own: 0.0,
        });
        scatter.push(whole, contributions);
    }

    fn finish(&mut self) {
        self.scatter.flush();
    }

    fn merge(&mut self, other: Self) {
        self.scatter.merge(&other.scatter);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        self.scatter.exchange(self.width, fields)
    }
}

/// The sum of some words' rows, weighed.
pub(crate) struct Weighed<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) weights: &'a [f64],
    /// As many lanes for a word as the sum has.
    pub(crate) vectors: &'a [Lane],
    pub(crate) whole: &'a mut [Lane],
}

impl Kernel for Weighed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) {
        let Self { words, weights, vectors, whole } = self;
        let (vectors, whole) = (L::view(vectors), L::view_mut(whole));
        whole.fill(simd.splat(0.0));
        for (&w, &a) in words.iter().zip(weights) {
            let a = simd.splat(a as f32);
            let row = &vectors[w as usize * whole.len()..(w as usize + 1) * whole.len()];
            whole.iter_mut().zip(row).for_each(|(t, v)| *t = simd.add(*t, simd.mul(a, *v)));
        }
    }
}

#[cfg(test)]
mod tests;
