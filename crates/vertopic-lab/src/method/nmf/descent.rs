//! The way down: documents, words, relevances, and again.

use vertopic::context::Progress;

use super::factors::Factors;
use super::kernel::{Divergence, Gradient, TINY, power};
use super::matrix::Matrix;
use super::params::{NmfParams, Penalty};
use super::relevance::Prior;

/// A factorisation under way.
#[derive(Debug)]
pub(crate) struct Descent<'a> {
    matrix: &'a Matrix,
    divergence: Divergence,
    /// What the ratio of an update is raised to, so that no update increases the objective.
    exponent: f64,
    pub(crate) factors: Factors,
    pub(crate) prior: Option<Prior>,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
    /// The objective at the start and at the end.
    pub(crate) begin: f64,
    pub(crate) end: f64,
}

impl<'a> Descent<'a> {
    pub(crate) fn new(
        matrix: &'a Matrix,
        beta: f64,
        factors: Factors,
        mut prior: Option<Prior>,
    ) -> Self {
        if let Some(prior) = &mut prior {
            prior.update(&factors.words, &factors.documents, factors.k);
        }
        Self {
            matrix,
            divergence: Divergence::new(beta),
            exponent: exponent(beta, prior.as_ref().map(|p| p.penalty)),
            factors,
            prior,
            iterations: 0,
            converged: false,
            begin: f64::NAN,
            end: f64::NAN,
        }
    }

    /// Iterates until it stands still, or until it may not go on.
    pub(crate) fn descend(&mut self, params: &NmfParams, progress: &Progress<'_>) {
        self.begin = self.objective();
        let mut last = self.begin;
        while !self.converged && self.iterations < params.most_iterations {
            let plain = self.prior.is_none();
            let now = self.move_documents(plain);
            // `now` is the objective after the iterations so far.
            if plain && self.iterations > 0 {
                self.converged = last - now <= params.tolerance * now.abs();
                last = now;
            }
            self.move_words();
            if let Some(prior) = &mut self.prior {
                let Factors { k, words, documents } = &self.factors;
                self.converged = prior.update(words, documents, *k) < params.tolerance;
            }
            self.iterations += 1;
            progress.advance(1);
        }
        self.end = self.objective();
    }

    /// Updates the documents. Gives the divergence before, if `measured`.
    pub(crate) fn move_documents(&mut self, measured: bool) -> f64 {
        let update = updater(self.exponent, self.prior.as_ref());
        let Factors { k, words, documents } = &mut self.factors;
        self.divergence.pass(&self.matrix.by_document, documents, words, *k, measured, update)
    }

    /// Updates the words.
    pub(crate) fn move_words(&mut self) {
        let update = updater(self.exponent, self.prior.as_ref());
        let Factors { k, words, documents } = &mut self.factors;
        self.divergence.pass(&self.matrix.by_word, words, documents, *k, false, update);
    }

    /// Divergence and cost of relevance.
    pub(crate) fn objective(&mut self) -> f64 {
        let Factors { k, words, documents } = &mut self.factors;
        let lists = &self.matrix.by_document;
        let divergence = self.divergence.pass(lists, documents, words, *k, true, |_, _| ());
        divergence + self.prior.as_ref().map_or(0.0, |p| p.cost(words, documents, *k))
    }
}

/// The exponent with which an update is a majorise-and-minimise step (Févotte & Idier 2011 without, Tan &
/// Févotte 2013, Table 1 with a penalty).
fn exponent(beta: f64, penalty: Option<Penalty>) -> f64 {
    match penalty {
        _ if beta > 2.0 => 1.0 / (beta - 1.0),
        Some(Penalty::L2) => 1.0 / (3.0 - beta),
        _ if beta < 1.0 => 1.0 / (2.0 - beta),
        _ => 1.0,
    }
}

/// `row ← row (num / (den + slope of the penalty))^exponent`.
fn updater(exponent: f64, prior: Option<&Prior>) -> impl Fn(&mut [f64], &Gradient) + Sync {
    move |row, Gradient { num, den }| {
        for (t, v) in row.iter_mut().enumerate() {
            let penalty = prior.map_or(0.0, |p| match p.penalty {
                Penalty::L1 => 1.0 / p.lambda[t],
                Penalty::L2 => *v / p.lambda[t],
            });
            let ratio = num[t] / (den[t] + penalty).max(TINY);
            let new = *v * power(ratio, exponent);
            *v = if new < TINY { 0.0 } else { new };
        }
    }
}
