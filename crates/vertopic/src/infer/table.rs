//! Topics as documents meet them: smoothed, and the numbers of a word together.

use crate::error::Error;
use crate::estimate::Topics;
use crate::lanes::{LANES, Lane};

/// Probability added to every word of a topic, in all: a word that a topic excludes is then unlikely in
/// it, not impossible, and EM can leave zero.
const SMOOTHING: f32 = 1e-3;

/// No word is quite impossible in a topic: what EM brings down to nothing could not be divided by.
const LEAST: f32 = 1e-20;

/// Topics by word, padded to whole lanes with topics of no weight.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    n_topics: usize,
    lanes: usize,
    rows: Vec<Lane>,
    /// The topics' shares as positive numbers that sum to 1: the prior of a mixture.
    pub(crate) prior: Vec<Lane>,
}

impl Table {
    /// Smooths the topics. Refuses documents over another number of words and weights of other topics.
    pub(crate) fn new(topics: &Topics, weights: &[f64], words: usize) -> Result<Self, Error> {
        let (k, w) = (topics.n_topics(), topics.n_words());
        if words != w || weights.len() != k {
            let message = format!(
                "the documents are over {words} words and there are {} weights, the topics are {k} over {w} words",
                weights.len()
            );
            return Err(Error::BadModel(message));
        }
        let smooth = |w: usize, k: usize| {
            (topics.topic(k)[w] + SMOOTHING / words as f32) / (1.0 + SMOOTHING)
        };
        Ok(Self::of(words, weights, smooth))
    }

    /// A table of these probabilities of words in topics, with shares in proportion to the weights.
    pub(crate) fn of(
        words: usize,
        weights: &[f64],
        probability: impl Fn(usize, usize) -> f32,
    ) -> Self {
        let lanes = weights.len().div_ceil(LANES);
        let mut rows = vec![[0.0; LANES]; words * lanes];
        for (w, row) in rows.chunks_mut(lanes.max(1)).enumerate() {
            (0..weights.len())
                .for_each(|k| row[k / LANES][k % LANES] = probability(w, k).max(LEAST));
        }
        let mut prior = vec![[0.0; LANES]; lanes];
        let positive: Vec<f64> = weights.iter().map(|a| a.max(1e-6)).collect();
        let sum: f64 = positive.iter().sum();
        for (k, a) in positive.iter().enumerate() {
            prior[k / LANES][k % LANES] = (a / sum) as f32;
        }
        Self { n_topics: weights.len(), lanes, rows, prior }
    }

    /// These topics, but `power` times as far from others: `β ∝ others · (self / others)^power`.
    pub(crate) fn beyond(&self, others: &Self, power: i32) -> Self {
        let far = |w: usize, k: usize| {
            let from = f64::from(others.probability(w, k));
            from * (f64::from(self.probability(w, k)) / from).powi(power)
        };
        let mut sums = vec![0.0; self.n_topics];
        for w in 0..self.n_words() {
            sums.iter_mut().enumerate().for_each(|(k, sum)| *sum += far(w, k));
        }
        Self::of(self.n_words(), &self.weights(), |w, k| (far(w, k) / sums[k]) as f32)
    }

    /// Number of words.
    pub(crate) fn n_words(&self) -> usize {
        self.rows.len() / self.lanes.max(1)
    }

    /// Number of topics.
    pub(crate) fn n_topics(&self) -> usize {
        self.n_topics
    }

    /// Lanes of a row.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The probabilities of all words, one word after the other.
    pub(crate) fn rows(&self) -> &[Lane] {
        &self.rows
    }

    /// The probabilities of a word, one of each topic.
    pub(crate) fn row(&self, word: u32) -> &[Lane] {
        &self.rows[word as usize * self.lanes..(word as usize + 1) * self.lanes]
    }

    /// The probability of a word in a topic.
    pub(crate) fn probability(&self, word: usize, topic: usize) -> f32 {
        self.rows[word * self.lanes + topic / LANES][topic % LANES]
    }

    /// The topics as rows.
    pub(crate) fn topics(&self) -> Result<Topics, Error> {
        let words = self.n_words();
        let values = (0..self.n_topics)
            .flat_map(|k| (0..words).map(move |w| self.probability(w, k)))
            .collect();
        Topics::new(words, values)
    }

    /// The topics' shares.
    pub(crate) fn weights(&self) -> Vec<f64> {
        self.prior.iter().flatten().take(self.n_topics).map(|&a| f64::from(a)).collect()
    }
}
