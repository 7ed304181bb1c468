//! The topic matrix (Algorithm 5): every word is a mixture of the representatives.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`Products::gram`] | M Y Y′ᵀ | inner products of the representatives |
//! | [`Products::linear`] | M X~ Y′ᵀ | inner products of a word with the representatives |
//! | `b` | b | the word as a mixture of topics, on the simplex |
//! | `frequency` | (1/M) X_i 1 | how frequent the word is |
//!
//! For each word i, `b_i = argmin M (X~_i − bY)(X~′_i − bY′)ᵀ` on the simplex, that is
//! `min bᵀGb − 2bᵀc_i`; then `β_i = frequency_i b_i`, and the columns of β are normalised. Before that
//! the column sums estimate the mean weights of the topics, since `Σ_i β_ik a_k = a_k`.

mod gram;
mod simplex;
mod topics;

pub use gram::GramReport;
use gram::make_psd;
pub use simplex::{Quadratic, Scratch, SolveInfo, StopRule, minimise_on_simplex};
pub use topics::Topics;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use crate::space::Products;

use crate::cluster::{Group, Groups};
use crate::context::Context;
use crate::error::{Error, Parameter};
use crate::linalg::columns::{self, TOGETHER};
use crate::moments::TokenSample;
use crate::space::WordSpace;

/// Settings of the estimation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EstimateParams {
    /// Which tokens word frequencies are taken from.
    pub sample: TokenSample,
    /// Gap at which a regression counts as solved, after scaling G to a mean diagonal of 1.
    pub tolerance: f64,
}

impl EstimateParams {
    /// The paper's settings: frequencies of the half X.
    pub fn paper() -> Self {
        Self { sample: TokenSample::Half, tolerance: 1e-6 }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        if self.tolerance > 0.0 && self.tolerance.is_finite() {
            return Ok(());
        }
        Err(Error::parameter(Parameter::Tolerance, "a positive number", self.tolerance))
    }
}

/// The topics and how well they fit.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// The topics, in the order of the groups.
    pub topics: Topics,
    /// Mean share of each topic in the documents.
    pub weights: Vec<f64>,
    /// Squared distance from each topic's representative to the nearest other one.
    pub separation: Vec<f64>,
    /// Per topic, the share of its words' squared lengths that the regression leaves unexplained.
    pub residual: Vec<f64>,
    /// The outcome of the regressions.
    pub report: EstimateReport,
}

/// The outcome of the regressions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EstimateReport {
    /// Words whose regression did not reach the tolerance.
    pub not_converged: usize,
    /// The largest remaining gap.
    pub largest_gap: f64,
    /// Words without a point; their mixture is that of the topics' weights.
    pub unseen: usize,
    /// The Gram matrix.
    pub gram: GramReport,
}

/// Steps of a regression, at most, per topic.
const STEPS_PER_TOPIC: usize = 200;
/// Words that a thread takes at a time: some need many more steps than others.
const WORDS: usize = 64;

/// Regresses every word on the groups' representatives.
pub fn topics<S: WordSpace>(
    space: &S,
    groups: &Groups,
    params: &EstimateParams,
    ctx: &Context<'_>,
) -> Result<Estimate, Error> {
    params.check()?;
    let (k, w) = (groups.len(), space.stats().n_words());
    let representatives: Vec<_> = groups.groups.iter().map(Group::weighted).collect();
    let Products { mut gram, mut linear } = space.products(&representatives, ctx)?;
    let (frequencies, masses) = (space.frequencies(params.sample), space.masses());
    let seen: Vec<bool> = (0..w as u32).map(|i| masses.on_a_side(i)).collect();
    let report = make_psd(&mut gram, k, ctx)?;
    let separation = separation(&gram, k);
    // On a mean diagonal of 1 the tolerance means the same for every corpus.
    let scale = (0..k).map(|i| gram[i * k + i]).sum::<f64>() / k as f64;
    if scale.is_nan() || scale <= 0.0 {
        return Err(Error::NoPairs);
    }
    gram.iter_mut().for_each(|v| *v /= scale);
    ctx.install(|| {
        linear.par_chunks_mut(k).for_each(|c| c.iter_mut().for_each(|v| *v /= scale));
    });

    let (tolerance, most_iterations) = (params.tolerance, STEPS_PER_TOPIC * k);
    let stop = StopRule { tolerance, most_iterations };
    let progress = ctx.stage("regressing words", w as u64);
    let mut mixtures = ctx.zeros(w * k);
    let infos: Vec<SolveInfo> = ctx.install(|| {
        mixtures
            .par_chunks_mut(k)
            .zip(linear.par_chunks(k))
            .with_max_len(WORDS)
            .map_init(
                || Scratch::new(k),
                |scratch, (b, c)| {
                    let objective = Quadratic { gram: &gram, linear: c };
                    let info = minimise_on_simplex(objective, b, stop, scratch);
                    progress.advance(1);
                    info
                },
            )
            .collect()
    });
    drop(progress);

    let add = |sum: f64, i: usize, b: f64| if seen[i] { sum + frequencies[i] * b } else { sum };
    let mut weights = columns::reduce_columns(&mixtures, k, add, ctx);
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|a| *a /= total);
    for (b, _) in mixtures.chunks_mut(k).zip(&seen).filter(|(_, seen)| !**seen) {
        b.copy_from_slice(&weights);
    }

    let empty = |topic: usize| {
        let words = groups.groups[topic].words.iter();
        Error::EmptyTopic {
            novel_words: words.map(|n| space.vocabulary().word(n.word).to_owned()).collect(),
        }
    };
    let (topics, column_sums) = normalise(&mixtures, &frequencies, k, empty, ctx)?;
    let solved = Solved { gram: &gram, linear: &linear, mixtures: &mixtures };
    let unexplained = solved.unexplained(|i| space.square(i as u32) / scale, ctx);
    let add = |sum: f64, i: usize, b: f64| sum + frequencies[i] * b * unexplained[i];
    let mut residual = columns::reduce_columns(&mixtures, k, add, ctx);
    residual.iter_mut().zip(&column_sums).for_each(|(sum, column)| *sum /= column);
    let report = EstimateReport {
        not_converged: infos.iter().filter(|info| !info.converged).count(),
        largest_gap: infos.iter().map(|info| info.gap).fold(0.0, f64::max),
        unseen: seen.iter().filter(|seen| !**seen).count(),
        gram: report,
    };
    Ok(Estimate { topics, weights, separation, residual, report })
}

/// Squared distance of each representative to its nearest neighbour.
fn separation(gram: &[f64], k: usize) -> Vec<f64> {
    let g = |i: usize, j: usize| gram[i * k + j];
    (0..k)
        .map(|i| {
            let others = (0..k).filter(|&j| j != i).map(|j| g(i, i) - 2.0 * g(i, j) + g(j, j));
            others.fold(f64::INFINITY, f64::min)
        })
        .collect()
}

/// `β_ik = frequency_i b_ik` with columns normalised, as rows of topics; and the column sums.
fn normalise(
    mixtures: &[f64],
    frequencies: &[f64],
    k: usize,
    empty: impl Fn(usize) -> Error,
    ctx: &Context<'_>,
) -> Result<(Topics, Vec<f64>), Error> {
    let w = frequencies.len();
    let sums = columns::reduce_columns(mixtures, k, |sum, i, b| sum + frequencies[i] * b, ctx);
    if let Some(topic) = sums.iter().position(|&sum| sum <= 0.0) {
        return Err(empty(topic));
    }
    let mut values: Vec<f32> = ctx.zeros(k * w);
    ctx.install(|| {
        values.par_chunks_mut(TOGETHER * w).enumerate().for_each(|(part, topics)| {
            let (first, n) = (part * TOGETHER, topics.len() / w);
            let sums = &sums[first..first + n];
            for (i, (b, f)) in mixtures.chunks(k).zip(frequencies).enumerate() {
                for (t, (b, sum)) in b[first..first + n].iter().zip(sums).enumerate() {
                    topics[t * w + i] = (f * b / sum) as f32;
                }
            }
        });
    });
    Ok((Topics::new(w, values)?, sums))
}

/// The regressions of all words, and their solutions.
struct Solved<'a> {
    gram: &'a [f64],
    linear: &'a [f64],
    mixtures: &'a [f64],
}

impl Solved<'_> {
    /// For each word, `M (X~_i − bY)(X~′_i − bY′)ᵀ / C_ii` in [0, 1]: the share of its squared length that the topics
    /// leave unexplained. `square` gives C_ii; a word without one counts as explained.
    fn unexplained(&self, square: impl Fn(usize) -> f64 + Sync, ctx: &Context<'_>) -> Vec<f64> {
        let k = self.gram.len().isqrt();
        let share = |topics: &mut Vec<usize>, (i, (b, c)): (usize, (&[f64], &[f64]))| {
            let c_ii = square(i);
            if c_ii <= 0.0 {
                return 0.0;
            }
            topics.clear(); // a word has few of them
            topics.extend((0..k).filter(|&t| b[t] > 0.0));
            let term = |&t: &usize| {
                let gb: f64 = topics.iter().map(|&u| self.gram[t * k + u] * b[u]).sum();
                b[t] * (gb - 2.0 * c[t])
            };
            let fit: f64 = topics.iter().map(term).sum();
            ((c_ii + fit) / c_ii).clamp(0.0, 1.0)
        };
        let words = self.mixtures.par_chunks(k).zip(self.linear.par_chunks(k)).enumerate();
        ctx.install(|| words.map_init(Vec::new, share).collect())
    }
}

#[cfg(test)]
mod tests;
