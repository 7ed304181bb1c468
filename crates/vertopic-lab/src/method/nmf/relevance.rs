//! Automatic relevance determination (Tan & Févotte 2013, Sections 3 and 4).
//!
//! Component k, a column of W and a row of H, has one relevance λ_k, with an inverse-gamma prior of shape
//! a and scale b; its entries are exponential (l1) or half-normal (l2) of that scale. The most probable
//! factors minimise
//!
//! `D(V | WH) + Σ_k (f(w_k) + f(h_k) + b)/λ_k + c log λ_k`, with f the sum or half the sum of squares and
//! `c = F + N + a + 1` (l1) or `(F + N)/2 + a + 1` (l2).
//!
//! A component that the data do not need shrinks until only b is left of it: `λ_k = b/c`.

use vertopic::Error;

use super::kernel::column_sums;
use super::matrix::Matrix;
use super::params::{Penalty, Relevance};

/// The relevances of the components.
#[derive(Debug, Clone)]
pub(crate) struct Prior {
    pub(crate) penalty: Penalty,
    pub(crate) lambda: Vec<f64>,
    /// a, the shape of λ's prior.
    pub(crate) shape: f64,
    /// b, its scale.
    pub(crate) scale: f64,
    /// c, what f + b is divided by.
    constant: f64,
}

impl Prior {
    /// The scale b is such that the prior mean of WH is the mean of V (their Section 4.4).
    pub(crate) fn new(relevance: Relevance, matrix: &Matrix, k: usize) -> Result<Self, Error> {
        let size = (matrix.n_words() + matrix.n_documents()) as f64;
        let a = relevance.shape.unwrap_or_else(|| libm::log(size));
        relevance.check_shape(a)?;
        let mean = matrix.mean() / k as f64;
        let (constant, scale) = match relevance.penalty {
            Penalty::L1 => (size + a + 1.0, ((a - 1.0) * (a - 2.0) * mean).sqrt()),
            Penalty::L2 => (size / 2.0 + a + 1.0, std::f64::consts::FRAC_PI_2 * (a - 1.0) * mean),
        };
        Ok(Self { penalty: relevance.penalty, lambda: Vec::new(), shape: a, scale, constant })
    }

    /// Moves every λ to its optimum; gives the largest relative change.
    pub(crate) fn update(&mut self, words: &[f64], documents: &[f64], k: usize) -> f64 {
        let new: Vec<f64> = self
            .sizes(words, documents, k)
            .iter()
            .map(|f| (f + self.scale) / self.constant)
            .collect();
        let changes = self.lambda.iter().zip(&new).map(|(old, new)| ((new - old) / old).abs());
        let largest = changes.fold(0.0, f64::max);
        self.lambda = new;
        largest
    }

    /// What relevance adds to the divergence.
    pub(crate) fn cost(&self, words: &[f64], documents: &[f64], k: usize) -> f64 {
        let cost = |(f, l): (&f64, &f64)| (f + self.scale) / l + self.constant * libm::log(*l);
        self.sizes(words, documents, k).iter().zip(&self.lambda).map(cost).sum()
    }

    /// How far λ_k is above its lower bound, as a share of it: their measure of relevance.
    pub(crate) fn excess(&self, k: usize) -> f64 {
        self.lambda[k] * self.constant / self.scale - 1.0
    }

    /// `f(w_k) + f(h_k)` of every component.
    fn sizes(&self, words: &[f64], documents: &[f64], k: usize) -> Vec<f64> {
        let f = |v: f64| match self.penalty {
            Penalty::L1 => v,
            Penalty::L2 => 0.5 * v * v,
        };
        let mut sums = column_sums(words, k, f);
        sums.iter_mut().zip(column_sums(documents, k, f)).for_each(|(s, d)| *s += d);
        sums
    }
}
