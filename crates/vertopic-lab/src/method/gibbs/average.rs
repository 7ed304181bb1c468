//! The mean of several states of the chain, as topics and weights.

use vertopic::Error;
use vertopic::estimate::Topics;

use super::chain::Chain;
use super::kernel::Kernel;

/// Sums over the states so far.
#[derive(Debug)]
pub(super) struct Average {
    n_words: usize,
    states: f64,
    topics: Vec<f64>,
    weights: Vec<f64>,
}

impl Average {
    /// No states yet.
    pub(super) fn new(n_topics: usize, n_words: usize) -> Self {
        let (topics, weights) = (vec![0.0; n_topics * n_words], vec![0.0; n_topics]);
        Self { n_words, states: 0.0, topics, weights }
    }

    /// Takes in a state: topics `(n_wk + β) / (n_k + W β)`, weights the mean over the documents of
    /// `(n_dk + α_k) / (n_d + Σα)`.
    pub(super) fn add<K: Kernel>(&mut self, chain: &Chain<'_, K>) {
        let side = &chain.side;
        let whole = |k: usize| f64::from(side.totals()[k]) + side.beta_sum();
        for (k, row) in self.topics.chunks_mut(self.n_words).enumerate() {
            let none = side.beta() / whole(k);
            row.iter_mut().for_each(|p| *p += none);
        }
        chain.each_count(|w, k, n| self.topics[k * self.n_words + w] += f64::from(n) / whole(k));
        let alpha: f64 = side.alpha().iter().sum();
        let (mut sums, mut documents) = (vec![0.0; self.weights.len()], 0.0);
        for assigned in chain.assignments() {
            let share = 1.0 / (assigned.len() as f64 + alpha);
            sums.iter_mut().zip(side.alpha()).for_each(|(s, a)| *s += a * share);
            assigned.iter().for_each(|&k| sums[k as usize] += share);
            documents += 1.0;
        }
        self.weights.iter_mut().zip(&sums).for_each(|(w, s)| *w += s / documents);
        self.states += 1.0;
    }

    /// Topics and weights.
    pub(super) fn finish(self) -> Result<(Topics, Vec<f64>), Error> {
        let topics = self.topics.iter().map(|p| (p / self.states) as f32).collect();
        let weights = self.weights.iter().map(|w| w / self.states).collect();
        Ok((Topics::new(self.n_words, topics)?, weights))
    }
}
