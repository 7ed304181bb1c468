//! Mixtures of documents, old or new, given the topics.
//!
//! Each document is a problem of its own: maximise `Σ_w c_w log(θ·β_w) + Σ_k α_k log θ_k` over the
//! simplex. It is concave, so there is one answer and no random start. EM climbs it,
//! `θ_k ∝ θ_k Σ_w c_w β_wk / (θ·β_w) + α_k`, until the duality gap is small: with g the gradient, no θ
//! is better than the current one by more than `max_k g_k − θ·g`.
//!
//! The prior's α are the topics' weights in the corpus (they sum to 1: one token's worth), so a
//! document without a known word gets the corpus mixture, and a short one leans towards it.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, Document};
use crate::error::Error;
use crate::estimate::Topics;
use crate::run::Run;

/// Settings of the inference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct InferParams {
    /// Gap per token, in nats, at which a document counts as solved.
    pub tolerance: f64,
    /// Rounds of EM, at most.
    pub most_iterations: usize,
}

impl InferParams {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        if self.tolerance > 0.0 && self.tolerance.is_finite() {
            return Ok(());
        }
        let value = self.tolerance.to_string();
        Err(Error::Parameter { name: "tolerance", rule: "a positive number", value })
    }
}

impl Default for InferParams {
    fn default() -> Self {
        Self { tolerance: 1e-4, most_iterations: 1000 }
    }
}

/// Mixtures of all documents of a corpus, and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixtures {
    n_topics: usize,
    values: Vec<f32>,
    /// Known tokens of each document.
    pub tokens: Vec<u64>,
    /// How it went.
    pub report: InferReport,
}

/// How an inference went.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct InferReport {
    /// Documents, each with a row.
    pub documents: usize,
    /// Documents without a known word; they have the corpus mixture.
    pub empty: usize,
    /// Documents whose gap is above the tolerance.
    pub not_converged: usize,
    /// The largest gap per token that is left.
    pub largest_gap: f64,
    /// Rounds of EM per document, on average.
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

    /// The mixture of document `d` of the input; it sums to 1. Panics if there are not so many.
    pub fn mixture(&self, d: usize) -> &[f32] {
        &self.values[d * self.n_topics..(d + 1) * self.n_topics]
    }
}

/// Probability added to every word of a topic, in all: a word that a topic excludes is then unlikely in
/// it, not impossible.
const SMOOTHING: f32 = 1e-3;

/// Infers the mixture of every document. The corpus is over the words of the topics
/// ([`Corpus::project`]), and `weights` are the topics' shares in the training corpus.
pub fn mixtures(
    topics: &Topics,
    weights: &[f32],
    corpus: &Corpus,
    params: &InferParams,
    run: &Run<'_>,
) -> Result<Mixtures, Error> {
    params.check()?;
    let (k, w) = (topics.n_topics(), topics.n_words());
    if corpus.n_words() != w || weights.len() != k {
        let message = format!(
            "the documents are over {} words and there are {} weights, the topics are {k} over {w} words",
            corpus.n_words(),
            weights.len()
        );
        return Err(Error::BadModel(message));
    }
    let by_word = by_word(topics);
    let prior = prior(weights);
    let progress = run.stage("inferring mixtures", corpus.n_documents() as u64);
    let mut values = vec![0.0_f32; corpus.n_documents() * k];
    let solved: Vec<Solved> = run.install(|| {
        values
            .par_chunks_mut(k)
            .enumerate()
            .map_init(
                || FoldIn::new(&by_word, &prior, params),
                |fold_in, (d, row)| {
                    let solved = fold_in.solve(corpus.document(d));
                    row.iter_mut().zip(&fold_in.theta).for_each(|(out, t)| *out = *t as f32);
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

/// Smoothed probabilities, W × K: the K numbers of a word stand together.
fn by_word(topics: &Topics) -> Vec<f32> {
    let (k, w) = (topics.n_topics(), topics.n_words());
    let mut out = vec![0.0; w * k];
    for t in 0..k {
        for (i, &p) in topics.topic(t).iter().enumerate() {
            out[i * k + t] = (p + SMOOTHING / w as f32) / (1.0 + SMOOTHING);
        }
    }
    out
}

/// The weights as positive numbers that sum to 1.
fn prior(weights: &[f32]) -> Vec<f64> {
    let positive: Vec<f64> = weights.iter().map(|&a| f64::from(a).max(1e-6)).collect();
    let sum: f64 = positive.iter().sum();
    positive.iter().map(|a| a / sum).collect()
}

/// How one document went.
struct Solved {
    tokens: u64,
    gap: f64,
    iterations: usize,
}

/// EM for one document after the other, with its working space.
struct FoldIn<'a> {
    by_word: &'a [f32],
    prior: &'a [f64],
    params: &'a InferParams,
    /// Rows of the document's words, gathered so that every round reads them in order.
    rows: Vec<f32>,
    theta: Vec<f64>,
    gradient: Vec<f64>,
}

impl<'a> FoldIn<'a> {
    fn new(by_word: &'a [f32], prior: &'a [f64], params: &'a InferParams) -> Self {
        let k = prior.len();
        Self {
            by_word,
            prior,
            params,
            rows: Vec::new(),
            theta: vec![0.0; k],
            gradient: vec![0.0; k],
        }
    }

    fn solve(&mut self, document: Document<'_>) -> Solved {
        let k = self.prior.len();
        let tokens = document.tokens();
        self.theta.copy_from_slice(self.prior);
        if tokens == 0 {
            return Solved { tokens, gap: 0.0, iterations: 0 };
        }
        self.rows.clear();
        for &w in document.words {
            self.rows.extend_from_slice(&self.by_word[w as usize * k..(w as usize + 1) * k]);
        }
        let n = tokens as f64;
        let mut iterations = 0;
        loop {
            // The gradient: g_k = Σ_w c_w β_wk / (θ·β_w) + α_k / θ_k, with θ·g = N + Σα.
            self.gradient.fill(0.0);
            for (row, &c) in self.rows.chunks_exact(k).zip(document.counts) {
                let mix: f64 = row.iter().zip(&self.theta).map(|(&p, t)| f64::from(p) * t).sum();
                let share = f64::from(c) / mix;
                for (g, &p) in self.gradient.iter_mut().zip(row) {
                    *g += share * f64::from(p);
                }
            }
            let mut steepest = 0.0_f64;
            for ((g, t), a) in self.gradient.iter().zip(&self.theta).zip(self.prior) {
                steepest = steepest.max(g + a / t);
            }
            let gap = (steepest - (n + 1.0)) / n;
            if gap <= self.params.tolerance || iterations == self.params.most_iterations {
                return Solved { tokens, gap: gap.max(0.0), iterations };
            }
            for ((t, g), a) in self.theta.iter_mut().zip(&self.gradient).zip(self.prior) {
                *t = (*t * g + a) / (n + 1.0);
            }
            iterations += 1;
        }
    }
}

#[cfg(test)]
mod tests;
