//! Inference: mixtures of documents, old or new, given the topics.
//!
//! Each document is a separate problem: maximise `Σ_w c_w log(θ·β_w) + Σ_k α_k log θ_k` over the
//! simplex. It is concave, so there is one optimum and no random start. EM maximises it,
//! `θ_k ∝ θ_k Σ_w c_w β_wk / (θ·β_w) + α_k`, until the duality gap is small: with g the gradient, no θ
//! is better than the current one by more than `max_k g_k − θ·g`. `em_steps` are fast, with long steps and in single
//! precision; `fold_in` certifies what they found, and goes on in double precision if need be.
//!
//! The prior's α are the topics' weights in the corpus. They sum to 1: the prior counts as one token. A document without a
//! known word gets the corpus mixture, and a short document is drawn towards it.

mod em;
mod fold_in;
mod solver;
mod table;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::Corpus;
use crate::error::{Error, Parameter};
use crate::estimate::Topics;

pub(crate) use em::{EmSchedule, EmStep, LeftOut};
pub(crate) use fold_in::{FoldIn, Solved};
pub(crate) use solver::{MixtureSolver, dot};
pub(crate) use table::TopicWordTable;

/// Settings of the inference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct InferParams {
    /// Duality gap per token, in nats, at which a document has converged.
    pub tolerance: f64,
    /// Largest number of EM steps per document.
    pub most_iterations: usize,
}

impl InferParams {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        if self.tolerance > 0.0 && self.tolerance.is_finite() {
            return Ok(());
        }
        Err(Error::parameter(Parameter::Tolerance, "a positive number", self.tolerance))
    }
}

impl Default for InferParams {
    fn default() -> Self {
        Self { tolerance: 1e-3, most_iterations: 1000 }
    }
}

/// Mixtures of all documents of a corpus, with a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixtures {
    n_topics: usize,
    values: Vec<f32>,
    /// Number of known tokens of each document.
    pub tokens: Vec<u64>,
    /// How the inference went.
    pub report: InferReport,
}

/// How an inference went.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct InferReport {
    /// Number of documents; each has a row.
    pub documents: usize,
    /// Documents without a known word; they get the corpus mixture.
    pub empty: usize,
    /// Documents whose gap is above the tolerance.
    pub not_converged: usize,
    /// Largest remaining gap per token.
    pub largest_gap: f64,
    /// Mean number of EM steps per document.
    pub mean_iterations: f64,
}

impl Mixtures {
    /// Number of documents.
    pub fn n_documents(&self) -> usize {
        self.tokens.len()
    }

    /// Number of topics.
    pub fn n_topics(&self) -> usize {
        self.n_topics
    }

    /// The mixture of document number `d` of the input; it sums to 1. Panics if `d` is out of range.
    pub fn mixture(&self, d: usize) -> &[f32] {
        &self.values[d * self.n_topics..(d + 1) * self.n_topics]
    }
}

/// Infers the mixture of every document. The corpus is over the words of the topics
/// ([`Corpus::project`]), and `weights` are the topics' shares in the training corpus.
pub fn mixtures(
    topics: &Topics,
    weights: &[f32],
    corpus: &Corpus,
    params: &InferParams,
    ctx: &Context<'_>,
) -> Result<Mixtures, Error> {
    params.check()?;
    let weights: Vec<f64> = weights.iter().map(|&a| f64::from(a)).collect();
    let table = TopicWordTable::new(topics, &weights, corpus.n_words(), ctx)?;
    let k = topics.n_topics();
    let progress = ctx.stage("inferring mixtures", corpus.n_documents() as u64);
    let mut values = vec![0.0_f32; corpus.n_documents() * k];
    let solved: Vec<Solved> = ctx.install(|| {
        values
            .par_chunks_mut(k)
            .enumerate()
            .map_init(
                || FoldIn::new(&table, params),
                |fold_in, (d, row)| {
                    let solved = fold_in.solve(corpus.document(d));
                    row.iter_mut().zip(fold_in.mixture()).for_each(|(out, t)| *out = *t as f32);
                    progress.advance(1);
                    solved
                },
            )
            .collect()
    });
    let documents = solved.len();
    let report = InferReport {
        documents,
        empty: solved.iter().filter(|s| s.tokens == 0).count(),
        not_converged: solved.iter().filter(|s| s.gap > params.tolerance).count(),
        largest_gap: solved.iter().map(|s| s.gap).fold(0.0, f64::max),
        mean_iterations: solved.iter().map(|s| s.iterations as f64).sum::<f64>()
            / documents.max(1) as f64,
    };
    Ok(Mixtures { n_topics: k, values, tokens: solved.iter().map(|s| s.tokens).collect(), report })
}

#[cfg(test)]
mod tests;
