//! Topics laid out for sweeps, and the mixture of one document under them.
//!
//! Numbers are `f32` in lanes of eight, always added in the same order: the compiler turns a lane into
//! vector instructions of whatever width the machine has, and the answer stays the same.

use crate::corpus::Document;
use crate::error::Error;
use crate::estimate::Topics;

/// Numbers that are worked on together.
pub(super) const LANES: usize = 8;
type Lane = [f32; LANES];

/// Probability that a topic gives to all words alike at the start: EM never leaves zero.
const SMOOTHING: f32 = 1e-3;
/// The rounds of EM for a document: how often each squares its step, so that it goes 2, 4, 1, 8 … times as far.
/// What a long step overshoots the short ones after it mend, as in Chebyshev's iteration. After these eight,
/// documents of NIPS lack .0004 nats a token, as after sixteen rounds of steps 1, 2, 1, 2 …; sixteen plain ones lack
/// .0013.
const SQUARINGS: [u32; 8] = [1, 2, 0, 3, 1, 2, 0, 0];
/// A step that is squared goes at most so far; beyond, squares would leave the range of numbers.
const LONGEST: f32 = 8.0;

/// Topics by word: the K numbers of a word stand together, padded to whole lanes with topics of no weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    n_topics: usize,
    lanes: usize,
    rows: Vec<Lane>,
    /// The topics' shares: the prior of a mixture.
    prior: Vec<Lane>,
}

impl Table {
    /// Smoothed topics.
    pub(super) fn new(topics: &Topics, weights: &[f64]) -> Self {
        let (k, w) = (topics.n_topics(), topics.n_words());
        let mut table = Self::blank(k, w, weights);
        for t in 0..k {
            for (i, &p) in topics.topic(t).iter().enumerate() {
                table.rows[i * table.lanes + t / LANES][t % LANES] =
                    (p + SMOOTHING / w as f32) / (1.0 + SMOOTHING);
            }
        }
        table
    }

    /// No topics yet, but their shares.
    fn blank(k: usize, w: usize, weights: &[f64]) -> Self {
        let lanes = k.div_ceil(LANES);
        let mut prior = vec![[0.0; LANES]; lanes];
        let positive: Vec<f64> = weights.iter().map(|a| a.max(1e-6)).collect();
        let sum: f64 = positive.iter().sum();
        for (t, a) in positive.iter().enumerate() {
            prior[t / LANES][t % LANES] = (a / sum) as f32;
        }
        Self { n_topics: k, lanes, rows: vec![[0.0; LANES]; w * lanes], prior }
    }

    /// Topics in proportion to `count(word, topic)`, with shares in proportion to `share(topic)`.
    pub(super) fn moved(
        &self,
        count: impl Fn(usize, usize) -> f64,
        share: impl Fn(usize) -> f64,
    ) -> Result<Self, Error> {
        let k = self.n_topics;
        let mut sums = vec![0.0; k];
        for w in 0..self.n_words() {
            sums.iter_mut().enumerate().for_each(|(t, sum)| *sum += count(w, t));
        }
        if sums.iter().any(|sum| sum.is_nan() || *sum <= 0.0) {
            return Err(Error::NotConverged { what: "the polish of the topics" });
        }
        let all: f64 = (0..k).map(&share).sum();
        let shares: Vec<f64> = (0..k).map(|t| share(t) / all).collect();
        let mut table = Self::blank(k, self.n_words(), &shares);
        for w in 0..self.n_words() {
            for (t, sum) in sums.iter().enumerate() {
                table.rows[w * self.lanes + t / LANES][t % LANES] = (count(w, t) / sum) as f32;
            }
        }
        Ok(table)
    }

    /// Number of words.
    pub(super) fn n_words(&self) -> usize {
        self.rows.len() / self.lanes
    }

    /// Lanes of a row.
    pub(super) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The probability of a word in a topic.
    pub(super) fn probability(&self, word: usize, topic: usize) -> f32 {
        self.rows[word * self.lanes + topic / LANES][topic % LANES]
    }

    /// The topics as rows.
    pub(super) fn topics(&self) -> Result<Topics, Error> {
        let words = self.n_words();
        let values = (0..self.n_topics)
            .flat_map(|t| (0..words).map(move |w| self.probability(w, t)))
            .collect();
        Topics::new(words, values)
    }

    /// The topics' shares.
    pub(super) fn weights(&self) -> Vec<f64> {
        (0..self.n_topics).map(|t| f64::from(self.prior[t / LANES][t % LANES])).collect()
    }

    fn row(&self, word: u32) -> &[Lane] {
        &self.rows[word as usize * self.lanes..(word as usize + 1) * self.lanes]
    }
}

/// Mixtures of one document after the other, with the working space.
#[derive(Debug)]
pub(super) struct Mixer<'a> {
    table: &'a Table,
    /// Rows of the document's words, gathered so that every round reads them in order.
    pub(super) rows: Vec<Lane>,
    pub(super) theta: Vec<Lane>,
    gradient: Vec<Lane>,
}

impl<'a> Mixer<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        let zero = vec![[0.0; LANES]; table.lanes];
        Self { table, rows: Vec::new(), theta: zero.clone(), gradient: zero }
    }

    /// Infers the mixture of a document of these words, by EM from the prior, which is worth so many tokens.
    ///
    /// The EM step multiplies θ by its gradient over N. To multiply by a power of that goes further, and in turn with
    /// plain steps it settles where EM does (over-relaxed EM; Salakhutdinov & Roweis 2003).
    pub(super) fn mix(&mut self, words: &[u32], counts: &[u32], prior: f32) {
        let table = self.table;
        self.rows.clear();
        words.iter().for_each(|&w| self.rows.extend_from_slice(table.row(w)));
        self.theta.copy_from_slice(&table.prior);
        let n: f32 = counts.iter().map(|&c| c as f32).sum();
        if n == 0.0 {
            return;
        }
        for squarings in SQUARINGS {
            self.gradient.fill([0.0; LANES]);
            for (row, &c) in self.rows.chunks_exact(table.lanes).zip(counts) {
                let share = c as f32 / dot(row, &self.theta);
                for (g, p) in self.gradient.iter_mut().zip(row) {
                    (0..LANES).for_each(|l| g[l] += share * p[l]);
                }
            }
            let mut sum = 0.0;
            for ((t, g), a) in self.theta.iter_mut().zip(&self.gradient).zip(&table.prior) {
                for l in 0..LANES {
                    let mut step = g[l] / n;
                    if squarings > 0 {
                        step = step.min(LONGEST);
                        (0..squarings).for_each(|_| step *= step);
                    }
                    t[l] = t[l] * step + a[l] * prior / n;
                    sum += t[l];
                }
            }
            let scale = 1.0 / sum;
            self.theta.iter_mut().flatten().for_each(|t| *t *= scale);
        }
    }

    /// `θ·β_w` of a word under the mixture at hand.
    pub(super) fn probability(&self, word: u32) -> f32 {
        dot(self.table.row(word), &self.theta)
    }

    /// Calls `each` with every word of the document at hand, its probability and its row.
    pub(super) fn each(
        &self,
        document: Document<'_>,
        mut each: impl FnMut(u32, u32, f32, &[Lane]),
    ) {
        for (row, (w, c)) in self.rows.chunks_exact(self.table.lanes).zip(document.pairs()) {
            each(w, c, dot(row, &self.theta), row);
        }
    }
}

#[inline]
fn dot(row: &[Lane], theta: &[Lane]) -> f32 {
    let mut sums = [0.0; LANES];
    for (p, t) in row.iter().zip(theta) {
        (0..LANES).for_each(|l| sums[l] += p[l] * t[l]);
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}
