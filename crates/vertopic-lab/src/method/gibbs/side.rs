//! The part of the conditional that does not look at the word: totals of topics and one document.

use super::blocked_sampler::BLOCK;

/// Totals of the topics, counts of the document at hand, and what they say together:
/// `a_k = (n_dk + α_k) / (n_k + W β)`. A move of one token changes one `a_k` at each end.
///
/// Vectors are padded with topics of no weight to whole blocks.
#[derive(Debug, Clone)]
pub(super) struct Side {
    /// K.
    pub(super) n_topics: usize,
    n_words: usize,
    alpha: Vec<f64>,
    beta: f64,
    totals: Vec<i32>,
    /// `1 / (n_k + W β)`, and the same with one more token: ready when a token is put, so that the draw
    /// after it need not wait for a division.
    inverse: Vec<f64>,
    inverse_after: Vec<f64>,
    document: Vec<i32>,
    factors: Vec<f64>,
    sum: f64,
}

impl Side {
    /// No tokens yet.
    pub(super) fn new(n_topics: usize, n_words: usize, alpha: f64, beta: f64) -> Self {
        let padded = n_topics.next_multiple_of(BLOCK);
        let mut side = Self {
            n_topics,
            n_words,
            alpha: Vec::new(),
            beta,
            totals: vec![0; padded],
            inverse: vec![0.0; padded],
            inverse_after: vec![0.0; padded],
            document: vec![0; padded],
            factors: vec![0.0; padded],
            sum: 0.0,
        };
        side.set_priors(&vec![alpha; n_topics], beta);
        side
    }

    /// K, padded.
    pub(super) fn padded(&self) -> usize {
        self.factors.len()
    }

    /// W.
    pub(super) fn n_words(&self) -> usize {
        self.n_words
    }

    /// α of every topic.
    pub(super) fn alpha(&self) -> &[f64] {
        &self.alpha[..self.n_topics]
    }

    /// β of every word.
    #[inline]
    pub(super) fn beta(&self) -> f64 {
        self.beta
    }

    /// `W β`.
    #[inline]
    pub(super) fn beta_sum(&self) -> f64 {
        self.n_words as f64 * self.beta
    }

    /// Tokens of every topic, `n_k`.
    pub(super) fn totals(&self) -> &[i32] {
        &self.totals[..self.n_topics]
    }

    /// `a_k`, padded with zeros.
    #[inline]
    pub(super) fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// `Σ_k a_k`.
    #[inline]
    pub(super) fn sum(&self) -> f64 {
        self.sum
    }

    /// Takes other priors; between documents.
    pub(super) fn set_priors(&mut self, alpha: &[f64], beta: f64) {
        self.alpha = alpha.to_vec();
        self.alpha.resize(self.padded(), 0.0);
        self.beta = beta;
        self.invert();
    }

    fn invert(&mut self) {
        for k in 0..self.totals.len() {
            self.inverse[k] = self.inverse_of(self.totals[k]);
            self.inverse_after[k] = self.inverse_of(self.totals[k] + 1);
        }
    }

    /// `n_k`, `n_dk` and `α_k`.
    #[inline]
    pub(super) fn topic(&self, k: usize) -> (f64, f64, f64) {
        (f64::from(self.totals[k]), f64::from(self.document[k]), self.alpha[k])
    }

    /// Takes the totals from who kept them through a document. The next call must be `enter`.
    pub(super) fn set_totals(&mut self, totals: &[f64]) {
        self.totals.iter_mut().zip(totals).for_each(|(own, &n)| *own = n as i32);
        self.invert();
    }

    #[inline]
    fn inverse_of(&self, total: i32) -> f64 {
        1.0 / (f64::from(total) + self.beta_sum())
    }

    /// Turns to a document whose tokens are assigned so; none of them if it is new.
    pub(super) fn enter(&mut self, assigned: &[u32]) {
        self.document.fill(0);
        assigned.iter().for_each(|&k| self.document[k as usize] += 1);
        let counts = self.document.iter().zip(&self.alpha).zip(&self.inverse);
        for (factor, ((&n, alpha), inverse)) in self.factors.iter_mut().zip(counts) {
            *factor = (f64::from(n) + alpha) * inverse;
        }
        self.sum = self.factors.iter().sum(); // anew for each document: errors cannot pile up
    }

    /// Takes a token of the document out of topic `k`.
    #[inline]
    pub(super) fn take(&mut self, k: usize) {
        self.totals[k] -= 1;
        self.document[k] -= 1;
        self.inverse_after[k] = self.inverse[k];
        self.inverse[k] = self.inverse_of(self.totals[k]);
        self.refresh(k);
    }

    /// Puts a token of the document into topic `k`.
    #[inline]
    pub(super) fn put(&mut self, k: usize) {
        self.totals[k] += 1;
        self.document[k] += 1;
        self.inverse[k] = self.inverse_after[k];
        self.refresh(k);
        self.inverse_after[k] = self.inverse_of(self.totals[k] + 1);
    }

    #[inline]
    fn refresh(&mut self, k: usize) {
        let factor = (f64::from(self.document[k]) + self.alpha[k]) * self.inverse[k];
        self.sum += factor - self.factors[k];
        self.factors[k] = factor;
    }
}
