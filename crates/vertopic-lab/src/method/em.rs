//! EM for the topic model from given topics: maximum likelihood, or most probable under Dirichlet priors.
//!
//! The likelihood `Σ c_dw log(θ_d · β_w)` is, up to a constant, minus the Kullback-Leibler divergence of
//! [`nmf`](super::nmf) with `h_d = N_d θ_d`, and EM is its multiplicative update with normalised columns.
//! The halves take turns (ECM, Meng & Rubin 1993), each with fresh responsibilities
//! `q_dw = c_dw / (h_d · β_w)`:
//!
//! 1. `h_dk ← h_dk Σ_w q_dw β_wk + α`
//! 2. `β_wk ← β_wk Σ_d q_dw h_dk + η`, normalised; `h_·k` takes over the scale (below).
//!
//! Started at the truth it finds the maximum next to it: the limit of what the data tell.

use crate::parameter::{self, at_least_one, not_negative, positive, require};
use serde::{Deserialize, Serialize};
use serde_json::json;
use vertopic::context::{Context, Progress};
use vertopic::corpus::Corpus;
use vertopic::estimate::Topics;
use vertopic::{Error, Parameter};

use crate::method::MethodOutput;
use crate::method::nmf::{Divergence, Factors, Matrix, TINY, column_sums};

/// Settings of EM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EmParams {
    /// Added to the expected tokens of every topic in a document: its Dirichlet prior is α + 1.
    pub alpha: f64,
    /// Added to the expected tokens of every word of a topic: its Dirichlet prior is η + 1.
    pub eta: f64,
    /// Probability that is spread evenly over the words of each topic at the start. EM never leaves 0, so
    /// without it the words that a topic lacks at the start are taken as known.
    pub spread: f64,
    /// Stop when an iteration lowers the divergence by less than this share of it.
    pub tolerance: f64,
    /// Iterations, at most, of the fold-in and again of EM.
    pub most_iterations: usize,
}

impl Default for EmParams {
    /// Maximum likelihood, run until it stands still.
    fn default() -> Self {
        Self { alpha: 0.0, eta: 0.0, spread: 1e-6, tolerance: 1e-7, most_iterations: 10_000 }
    }
}

impl EmParams {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        not_negative(parameter::ALPHA, self.alpha)?;
        not_negative(parameter::ETA, self.eta)?;
        let fits = (0.0..=1.0).contains(&self.spread);
        require(fits, parameter::INITIAL_SPREAD, "from 0 to 1", self.spread)?;
        positive(Parameter::Tolerance, self.tolerance)?;
        at_least_one(parameter::ITERATIONS, self.most_iterations)
    }
}

/// Runs EM from `start`, whose words are those of the corpus. Mixtures start at their best for `start`.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic_lab::method::em::{EmParams, em};
/// use vertopic_lab::synth::separable::Separable;
///
/// let planted = Separable { words: 50, topics: 2, documents: 100, ..Separable::default() }.generate(1)?;
/// let found = em(&planted.corpus, &planted.topics, &EmParams::default(), &Context::silent()?)?;
/// assert_eq!(found.report["converged"], true);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn em(
    corpus: &Corpus,
    start: &Topics,
    params: &EmParams,
    ctx: &Context<'_>,
) -> Result<MethodOutput, Error> {
    params.check()?;
    if corpus.n_words() != start.n_words() {
        let (have, need) = (corpus.n_words(), start.n_words());
        let message = format!("the documents are over {have} words, the topics over {need}");
        return Err(Error::BadModel(message));
    }
    let matrix = Matrix::of(corpus);
    if matrix.n_documents() == 0 {
        return Err(Error::NoWords { documents: corpus.n_documents() });
    }
    let words = by_word(start, params.spread);
    let k = start.n_topics();
    for (w, row) in words.chunks_exact(k).enumerate() {
        if row.iter().sum::<f64>() < TINY && matrix.by_word.row(w).next().is_some() {
            let word = corpus.vocabulary().word(w as u32);
            let message = format!("no topic has the word {word:?}, but documents do");
            return Err(Error::BadModel(message));
        }
    }
    let documents = vec![1.0; matrix.n_documents() * k];
    let mut ascent = Ascent { matrix: &matrix, params, factors: Factors { k, words, documents } };
    let progress = ctx.stage("running EM", params.most_iterations as u64);
    let (fold_in, went) = ctx.install(|| (ascent.fold_in(), ascent.ascend(&progress)));
    let (topics, weights) = ascent.factors.topics(|_| true)?;
    let report = json!({
        "method": "em",
        "fold_in_iterations": fold_in.iterations,
        "fold_in_converged": fold_in.converged,
        "iterations": went.iterations,
        "converged": went.converged,
        "objective_start": went.begin,
        "objective_end": went.end,
    });
    let novel_words = vec![Vec::new(); topics.n_topics()];
    Ok(MethodOutput { topics, weights, novel_words, report })
}

/// The topics as W × K, with some probability spread over all words.
fn by_word(topics: &Topics, spread: f64) -> Vec<f64> {
    let (k, w) = (topics.n_topics(), topics.n_words());
    let mut out = vec![0.0; w * k];
    for t in 0..k {
        let sum: f64 = topics.topic(t).iter().map(|&p| f64::from(p)).sum();
        for (i, &p) in topics.topic(t).iter().enumerate() {
            out[i * k + t] = (1.0 - spread) * f64::from(p) / sum + spread / w as f64;
        }
    }
    out
}

/// EM under way. The columns of the words sum to 1 before and after every step.
struct Ascent<'a> {
    matrix: &'a Matrix,
    params: &'a EmParams,
    factors: Factors,
}

/// How a stretch of iterations went.
struct Went {
    iterations: usize,
    converged: bool,
    begin: f64,
    end: f64,
}

impl Ascent<'_> {
    /// Best mixtures for the topics as they are.
    fn fold_in(&mut self) -> Went {
        self.repeat(|_| ())
    }

    fn ascend(&mut self, progress: &Progress<'_>) -> Went {
        self.repeat(|ascent| {
            ascent.move_words();
            progress.advance(1);
        })
    }

    /// Moves the documents and does `then`, until the objective stands still.
    fn repeat(&mut self, then: impl Fn(&mut Self)) -> Went {
        let (tolerance, most) = (self.params.tolerance, self.params.most_iterations);
        let begin = self.objective();
        let mut went = Went { iterations: 0, converged: false, begin, end: begin };
        while !went.converged && went.iterations < most {
            let cost = self.cost();
            let (divergence, last) = (self.move_documents(true), went.end);
            went.end = divergence + cost;
            // Relative to the divergence: the cost of the priors may have any sign.
            let still = last - went.end <= tolerance * divergence.abs();
            went.converged = went.iterations > 0 && still;
            then(self);
            went.iterations += 1;
        }
        went.end = self.objective();
        went
    }

    fn move_documents(&mut self, measured: bool) -> f64 {
        let (matrix, alpha) = (self.matrix, self.params.alpha);
        let Factors { k, words, documents } = &mut self.factors;
        let lists = &matrix.by_document;
        Divergence::KullbackLeibler.pass(lists, documents, words, *k, measured, |row, gradient| {
            for ((v, num), den) in row.iter_mut().zip(&gradient.num).zip(&gradient.den) {
                let new = (*v * num + alpha) / den;
                *v = if new < TINY { 0.0 } else { new };
            }
        })
    }

    /// Step 2. With β_wk s_k instead of β_wk, the expected objective is least at
    /// `s_k = (expected tokens of k + α M) / Σ_d h_dk`; the scale then moves over to h.
    fn move_words(&mut self) {
        let (matrix, EmParams { alpha, eta, .. }) = (self.matrix, self.params);
        let Factors { k, words, documents } = &mut self.factors;
        let old_totals = column_sums(documents, *k, |v| v);
        let lists = &matrix.by_word;
        Divergence::KullbackLeibler.pass(lists, words, documents, *k, false, |row, gradient| {
            for (v, num) in row.iter_mut().zip(&gradient.num) {
                let new = *v * num + eta;
                *v = if new < TINY { 0.0 } else { new };
            }
        });
        let sums = column_sums(words, *k, |v| v);
        let (w, m) = (matrix.n_words() as f64, matrix.n_documents() as f64);
        let scale: Vec<f64> = sums
            .iter()
            .zip(&old_totals)
            .map(|(sum, old)| (sum - eta * w + alpha * m) / old.max(TINY))
            .collect();
        words
            .chunks_exact_mut(*k)
            .for_each(|row| row.iter_mut().zip(&sums).for_each(|(v, s)| *v /= s.max(TINY)));
        documents
            .chunks_exact_mut(*k)
            .for_each(|row| row.iter_mut().zip(&scale).for_each(|(v, s)| *v *= s));
    }

    /// Divergence and cost of the priors.
    fn objective(&mut self) -> f64 {
        let Factors { k, words, documents } = &mut self.factors;
        let lists = &self.matrix.by_document;
        let kl = Divergence::KullbackLeibler;
        let divergence = kl.pass(lists, documents, words, *k, true, |_, _| ());
        divergence + self.cost()
    }

    /// `−α Σ log h − η Σ log β`.
    fn cost(&self) -> f64 {
        let Factors { k, words, documents } = &self.factors;
        let logs = |factor: &[f64], weight: f64| -> f64 {
            if weight == 0.0 {
                return 0.0;
            }
            weight * column_sums(factor, *k, |v| libm::log(v.max(TINY))).iter().sum::<f64>()
        };
        -logs(documents, self.params.alpha) - logs(words, self.params.eta)
    }
}

#[cfg(test)]
mod tests;
