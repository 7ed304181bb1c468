//! The mixture of one document: EM on the smoothed topics.

use crate::corpus::Document;
use crate::error::Error;
use crate::estimate::Topics;
use crate::infer::InferParams;

/// Probability added to every word of a topic, in all: a word that a topic excludes is then unlikely in
/// it, not impossible.
const SMOOTHING: f32 = 1e-3;

/// What mixtures are inferred from: the topics as the documents meet them.
#[derive(Debug)]
pub(crate) struct Given {
    /// Smoothed probabilities, W × K: the K numbers of a word stand together.
    by_word: Vec<f32>,
    /// The weights as positive numbers that sum to 1.
    prior: Vec<f64>,
}

impl Given {
    /// Smooths the topics. Refuses documents over another number of words and weights of other topics.
    pub(crate) fn new(topics: &Topics, weights: &[f32], words: usize) -> Result<Self, Error> {
        let (k, w) = (topics.n_topics(), topics.n_words());
        if words != w || weights.len() != k {
            let message = format!(
                "the documents are over {words} words and there are {} weights, the topics are {k} over {w} words",
                weights.len()
            );
            return Err(Error::BadModel(message));
        }
        let mut by_word = vec![0.0; w * k];
        for t in 0..k {
            for (i, &p) in topics.topic(t).iter().enumerate() {
                by_word[i * k + t] = (p + SMOOTHING / w as f32) / (1.0 + SMOOTHING);
            }
        }
        let positive: Vec<f64> = weights.iter().map(|&a| f64::from(a).max(1e-6)).collect();
        let sum: f64 = positive.iter().sum();
        Ok(Self { by_word, prior: positive.iter().map(|a| a / sum).collect() })
    }

    /// The smoothed probabilities of a word, one of each topic.
    pub(crate) fn word(&self, w: u32) -> &[f32] {
        let k = self.prior.len();
        &self.by_word[w as usize * k..(w as usize + 1) * k]
    }

    /// `θ·β_w`: the probability of a word in a document of this mixture.
    pub(crate) fn probability(&self, w: u32, mixture: &[f64]) -> f64 {
        dot(self.word(w), mixture)
    }
}

#[inline]
fn dot(row: &[f32], mixture: &[f64]) -> f64 {
    row.iter().zip(mixture).map(|(&p, t)| f64::from(p) * t).sum()
}

/// How one document went.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) tokens: u64,
    pub(crate) gap: f64,
    pub(crate) iterations: usize,
}

/// EM for one document after the other, with its working space.
#[derive(Debug)]
pub(crate) struct FoldIn<'a> {
    given: &'a Given,
    params: &'a InferParams,
    /// Rows of the document's words, gathered so that every round reads them in order.
    rows: Vec<f32>,
    theta: Vec<f64>,
    gradient: Vec<f64>,
}

impl<'a> FoldIn<'a> {
    pub(crate) fn new(given: &'a Given, params: &'a InferParams) -> Self {
        let k = given.prior.len();
        Self { given, params, rows: Vec::new(), theta: vec![0.0; k], gradient: vec![0.0; k] }
    }

    /// The mixture of the document that was solved last.
    pub(crate) fn mixture(&self) -> &[f64] {
        &self.theta
    }

    /// Finds the mixture of a document.
    pub(crate) fn solve(&mut self, document: Document<'_>) -> Solved {
        let prior = &self.given.prior;
        let tokens = document.tokens();
        self.theta.copy_from_slice(prior);
        if tokens == 0 {
            return Solved { tokens, gap: 0.0, iterations: 0 };
        }
        self.rows.clear();
        for &w in document.words {
            self.rows.extend_from_slice(self.given.word(w));
        }
        let n = tokens as f64;
        let mut iterations = 0;
        loop {
            // The gradient: g_k = Σ_w c_w β_wk / (θ·β_w) + α_k / θ_k, with θ·g = N + Σα.
            self.gradient.fill(0.0);
            for (row, &c) in self.rows.chunks_exact(prior.len()).zip(document.counts) {
                let share = f64::from(c) / dot(row, &self.theta);
                for (g, &p) in self.gradient.iter_mut().zip(row) {
                    *g += share * f64::from(p);
                }
            }
            let mut steepest = 0.0_f64;
            for ((g, t), a) in self.gradient.iter().zip(&self.theta).zip(prior) {
                steepest = steepest.max(g + a / t);
            }
            let gap = (steepest - (n + 1.0)) / n;
            if gap <= self.params.tolerance || iterations == self.params.most_iterations {
                return Solved { tokens, gap: gap.max(0.0), iterations };
            }
            for ((t, g), a) in self.theta.iter_mut().zip(&self.gradient).zip(prior) {
                *t = (*t * g + a) / (n + 1.0);
            }
            iterations += 1;
        }
    }
}
