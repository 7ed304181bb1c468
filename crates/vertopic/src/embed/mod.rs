//! Words as points in K dimensions, from their co-occurrence with other words.
//!
//! `Q`, the co-occurrence of different words ([`CooccurrenceOperator::off_diagonal`]), has rank K in the limit, but
//! for its diagonal, which burstiness biases. So the diagonal is left out and completed: take the nearest matrix of rank K,
//! insert its diagonal into Q, and repeat (principal axis factoring; Lee, Bindel & Mimno 2015 rectify Q for anchor words in
//! the same spirit). Then `Q ≈ Y Yᵀ` with
//! Y of W × K, and the point of a word is its row of Y over its mass, the row sum of Q. Novel words are
//! the vertices of these points as they are of the rows of the paper's C, but there the noise of a word
//! has W dimensions or M, and here it has K (Bhattacharyya, Kannan & Kumar 2023).
//!
//! The algorithm is a block power iteration that completes the diagonal in every pass. Memory is O(W·K). Documents are read
//! by passes only.
//!
//! | here | meaning |
//! |---|---|
//! | [`Embedding::point`] | a word's pattern of co-occurrence, in K dimensions |
//! | [`Embedding::mass`] | its share of all co-occurrence |
//! | [`Embedding::noise`] | squared standard error of the point over its squared distance from the centre |

pub(crate) mod effective_rank;
pub(crate) mod noise;

pub use effective_rank::{EffectiveRank, SIGNIFICANCE_Z, effective_rank};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::{Documents, KeyedSample, Subset};
use crate::error::Error;
use crate::linalg::columns::reduce_columns;
use crate::linalg::{Eigen, Matrix, TallMatrix, eigen};
use crate::moments::{CooccurrenceOperator, Weighting, WordStats};
use crate::seed::Stage;
use crate::simd::LANES;

/// Settings of the embedding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EmbedParams {
    /// Weight of a word in a document.
    pub weighting: Weighting,
    /// Passes of the power iteration.
    pub passes: usize,
    /// Completions of the diagonal in each pass; 0 leaves the diagonal out.
    pub completions: usize,
}

impl Default for EmbedParams {
    fn default() -> Self {
        Self { weighting: Weighting::default(), passes: 6, completions: 4 }
    }
}

/// Words as points.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    rank: usize,
    weighting: Weighting,
    /// Y, W × rank in row order.
    rows: Vec<f64>,
    /// Row sums of Q, all entries of which sum to 1. 0 for a word that occurs with no other.
    pub mass: Vec<f64>,
    /// Weight of a token of each word. Mass over weight is proportional to frequency.
    pub weights: Vec<f64>,
    /// Squared standard error of each point over its squared distance from the centre of all words; about
    /// 1 where there is nothing but noise.
    pub noise: Vec<f64>,
    /// Eigenvalues of Q, largest first.
    pub eigenvalues: Vec<f64>,
}

/// Dimensions beyond the rank, at least (oversampling): they speed up convergence.
const SPARE: usize = 10;
/// Documents that the first half of the passes samples, about.
const FEW: f64 = if cfg!(test) { 1000.0 } else { 40_000.0 };
/// Eigenvalues below this share of the largest count as zero.
const NOTHING: f64 = 1e-10;

impl Embedding {
    /// Embeds the words in `rank` dimensions, or fewer if the documents have no more.
    pub fn of<D: Documents>(
        documents: &D,
        stats: &WordStats,
        params: &EmbedParams,
        rank: usize,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let cooccurrence = CooccurrenceOperator::off_diagonal(documents, stats, params.weighting);
        let others = cooccurrence.row_sums(ctx)?;
        let total: f64 = others.iter().sum();
        if total <= 0.0 {
            return Err(Error::NoPairs);
        }
        let vocabulary = documents.vocabulary();
        let columns = (rank + SPARE).next_multiple_of(LANES).min(stats.n_words());
        let start = || -> Result<Subspace, Error> {
            let mut values = ctx.zeros(stats.n_words() * columns);
            ctx.install(|| {
                values.par_chunks_mut(columns).enumerate().for_each(|(w, row)| {
                    let mut stream = stats.seed.stream(Stage::Embed, vocabulary.key(w as u32));
                    row.iter_mut().for_each(|v| *v = stream.unit() - 0.5);
                });
            });
            let basis = TallMatrix { columns, values }.orthonormal(ctx)?;
            Ok(Subspace { basis, diagonal: vec![0.0; stats.n_words()] })
        };
        let times = |v: &[f64], columns| cooccurrence.times(v, columns, ctx);
        let draw = KeyedSample::new(stats.seed, Stage::Embed, FEW / stats.documents.max(1) as f64);
        let few = Subset::new(documents, draw, ctx)?;
        // The first passes need no precision: a sample of the documents serves.
        let found = if few.n_documents() < stats.documents {
            let cooccurrence = CooccurrenceOperator::off_diagonal(&few, stats, params.weighting);
            let pairs: f64 = cooccurrence.row_sums(ctx)?.iter().sum();
            // The operator divides sums over the sample by the number of all documents.
            let all = stats.documents as f64 / few.n_documents().max(1) as f64;
            let times = |v: &[f64], columns| -> Result<Vec<f64>, Error> {
                let mut product = cooccurrence.times(v, columns, ctx)?;
                let rows = product.par_chunks_mut(columns);
                ctx.install(|| rows.for_each(|row| row.iter_mut().for_each(|q| *q *= all)));
                Ok(product)
            };
            let rough = params.passes.div_ceil(2);
            // A sample may have fewer dimensions than all documents.
            if pairs > 0.0 {
                let start = start()?;
                let columns = start.basis.columns;
                let found = start.settle(&times, rough, params.completions, rank, ctx)?;
                (found.basis.columns == columns).then_some((found, rough))
            } else {
                None
            }
        } else {
            None
        };
        let subspace = match found {
            Some((found, rough)) => {
                found.settle(&times, params.passes - rough, params.completions, rank, ctx)?
            }
            None => start()?.settle(&times, params.passes, params.completions, rank, ctx)?,
        };
        // Q as its product with the basis shows it (Rayleigh-Ritz).
        let gram = subspace.basis.inner(&subspace.apply(&times, ctx)?, ctx);
        let (eigenvalues, vectors) = leading(&gram, rank, ctx)?;
        if eigenvalues.is_empty() {
            return Err(Error::NoPairs);
        }
        let mut embedding = Self::from_parts(
            &eigenvalues,
            subspace.basis.times(&vectors, ctx),
            &others,
            &subspace.diagonal,
            ctx,
        );
        embedding.weighting = params.weighting;
        embedding.weights = (0..stats.n_words()).map(|w| cooccurrence.word_weight(w)).collect();
        embedding.noise =
            noise::relative(documents, &cooccurrence, stats, &embedding, &others, ctx)?;
        Ok(embedding)
    }

    fn from_parts(
        eigenvalues: &[f64],
        mut vectors: TallMatrix,
        others: &[f64],
        diagonal: &[f64],
        ctx: &Context<'_>,
    ) -> Self {
        let mass: Vec<f64> = others.iter().zip(diagonal).map(|(o, d)| o + d).collect();
        let total: f64 = mass.iter().sum();
        let rank = vectors.columns;
        let upward = upward(&vectors, ctx).into_iter().zip(eigenvalues);
        let scale: Vec<f64> = upward.map(|(sign, v)| sign * (v / total).sqrt()).collect();
        let rows = vectors.values.par_chunks_mut(rank);
        ctx.install(|| {
            rows.for_each(|row| row.iter_mut().zip(&scale).for_each(|(y, scale)| *y *= scale));
        });
        Self {
            rank,
            weighting: Weighting::default(),
            rows: vectors.values,
            // A word without co-occurrence has no point, whatever rounding left on the diagonal.
            mass: mass
                .iter()
                .zip(others)
                .map(|(m, o)| if *o > 0.0 { m / total } else { 0.0 })
                .collect(),
            weights: Vec::new(),
            noise: Vec::new(),
            eigenvalues: eigenvalues.iter().map(|v| v / total).collect(),
        }
    }

    /// The same in its leading dimensions. The documents are those it was made with.
    ///
    /// It is nearly what [`Embedding::of`] gives for this rank: only the diagonal was completed in more
    /// dimensions.
    pub fn leading<D: Documents>(
        &self,
        documents: &D,
        stats: &WordStats,
        rank: usize,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let rank = rank.clamp(1, self.rank);
        let cooccurrence = CooccurrenceOperator::off_diagonal(documents, stats, self.weighting);
        let mut embedding = Self {
            rank,
            weighting: self.weighting,
            rows: self.rows.chunks(self.rank).flat_map(|row| &row[..rank]).copied().collect(),
            eigenvalues: self.eigenvalues[..rank].to_vec(),
            mass: self.mass.clone(),
            weights: self.weights.clone(),
            noise: Vec::new(),
        };
        let others = cooccurrence.row_sums(ctx)?;
        embedding.noise =
            noise::relative(documents, &cooccurrence, stats, &embedding, &others, ctx)?;
        Ok(embedding)
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Number of words.
    pub fn n_words(&self) -> usize {
        self.mass.len()
    }

    /// A word's row of Y: its point times its mass.
    pub fn row(&self, word: usize) -> &[f64] {
        &self.rows[word * self.rank..(word + 1) * self.rank]
    }

    /// The point of a word that has a mass.
    pub fn point(&self, word: usize) -> Vec<f64> {
        self.row(word).iter().map(|y| y / self.mass[word]).collect()
    }

    /// Mean point of all words, weighed by their mass.
    pub fn centre(&self, ctx: &Context<'_>) -> Vec<f64> {
        let centre = reduce_columns(&self.rows, self.rank, |sum, _, y| sum + y, ctx);
        let total: f64 = self.mass.iter().sum();
        centre.iter().map(|c| c / total).collect()
    }
}

/// State of the iteration.
#[derive(Debug)]
struct Subspace {
    basis: TallMatrix,
    /// D, the completed diagonal of Q.
    diagonal: Vec<f64>,
}

/// `V, columns ↦ Q V`.
type Times<'a> = dyn Fn(&[f64], usize) -> Result<Vec<f64>, Error> + 'a;

impl Subspace {
    /// `(Q + D) V` for the basis V.
    fn apply(&self, times: &Times<'_>, ctx: &Context<'_>) -> Result<TallMatrix, Error> {
        let columns = self.basis.columns;
        let mut product = TallMatrix { columns, values: times(&self.basis.values, columns)? };
        self.add_diagonal(&mut product, &self.diagonal, ctx);
        Ok(product)
    }

    /// Adds `diag(d) V`.
    fn add_diagonal(&self, product: &mut TallMatrix, d: &[f64], ctx: &Context<'_>) {
        let columns = product.columns.max(1);
        let basis = self.basis.values.par_chunks(columns);
        let rows = product.values.par_chunks_mut(columns).zip(basis).zip(d);
        ctx.install(|| {
            rows.for_each(|((out, row), d)| {
                out.iter_mut().zip(row).for_each(|(out, v)| *out += d * v);
            });
        });
    }

    /// Runs `passes` power iterations with `completions` of the diagonal in each.
    ///
    /// A completion takes the best matrix of rank K within the basis. It needs no pass: `Q V` is all it needs of Q.
    fn settle(
        mut self,
        times: &Times<'_>,
        passes: usize,
        completions: usize,
        rank: usize,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        for _ in 0..passes {
            let mut product = self.apply(times, ctx)?;
            let progress = ctx.stage("completing the diagonal", completions as u64);
            let mut gram = self.basis.inner(&product, ctx);
            let before = self.diagonal.clone();
            for _ in 0..completions {
                let (values, vectors) = leading(&gram, rank, ctx)?;
                let roots = Matrix::from_fn(gram.rows, values.len(), |i, j| {
                    vectors[(i, j)] * values[j].sqrt()
                });
                gram += &self.basis.complete_diagonal(&roots, &mut self.diagonal, ctx);
                progress.advance(1);
            }
            let change: Vec<f64> =
                self.diagonal.iter().zip(&before).map(|(new, old)| new - old).collect();
            self.add_diagonal(&mut product, &change, ctx);
            self.basis = product.orthonormal(ctx)?;
        }
        Ok(self)
    }
}

/// The leading positive eigenvalues of a symmetric matrix, `rank` at most, and their vectors.
fn leading(gram: &Matrix, rank: usize, ctx: &Context<'_>) -> Result<(Vec<f64>, Matrix), Error> {
    let Eigen { mut values, vectors } = eigen(gram, ctx)?;
    let kept = values.iter().take(rank).take_while(|&&v| v > NOTHING * values[0].max(0.0)).count();
    values.truncate(kept);
    Ok((values, vectors.first_columns(kept)))
}

/// An eigenvector is one up to its sign: the largest entry decides, the first of them if there are two.
fn upward(vectors: &TallMatrix, ctx: &Context<'_>) -> Vec<f64> {
    let larger = |a: f64, _, v: f64| if v.abs() > a.abs() { v } else { a };
    let largest = reduce_columns(&vectors.values, vectors.columns, larger, ctx);
    largest.iter().map(|&v| if v < 0.0 { -1.0 } else { 1.0 }).collect()
}

#[cfg(test)]
mod tests;
