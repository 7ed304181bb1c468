//! The topic-word table: smoothed topics, stored word by word as inference reads them.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{PassReader, PassWriter, Vocabulary};
use crate::error::Error;
use crate::estimate::Topics;
use crate::simd::{LANES, Lane, Rows, lanes_for};

/// Probability added to a topic, spread over all words: a word the topic excludes becomes unlikely instead of impossible,
/// and EM can leave zero.
const SMOOTHING: f32 = 1e-3;

/// Smallest probability of a word in a topic, so that it can be divided by.
const LEAST: f32 = 1e-20;

/// Words a thread takes at a time.
const CHUNK: usize = 1024;

/// Topics by word: a row of topic probabilities for each word, padded to whole lanes with zeros.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TopicWordTable {
    n_topics: usize,
    lanes: usize,
    rows: Rows,
    /// The topics' weights, positive and summing to 1: the prior of a mixture.
    pub(crate) prior: Rows,
}

impl TopicWordTable {
    /// Smooths `topics`. An error if `words` or the number of `weights` does not fit them.
    pub(crate) fn new(
        topics: &Topics,
        weights: &[f64],
        words: usize,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
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
        Ok(Self::of(words, weights, smooth, ctx))
    }

    /// A table with `probability(word, topic)`; the prior is proportional to `weights`.
    pub(crate) fn of(
        words: usize,
        weights: &[f64],
        probability: impl Fn(usize, usize) -> f32 + Sync,
        ctx: &Context<'_>,
    ) -> Self {
        let mut table = Self::empty(words, weights, ctx);
        let lanes = table.lanes.max(1);
        let rows = table.rows.par_chunks_mut(lanes).enumerate().with_min_len(CHUNK);
        ctx.install(|| {
            rows.for_each(|(w, row)| {
                let row = &mut row.as_flattened_mut()[..weights.len()];
                row.iter_mut().enumerate().for_each(|(k, p)| *p = probability(w, k).max(LEAST));
            });
        });
        table
    }

    /// A table whose topics are proportional to what `fill` writes for each word; the prior is proportional to `weights`.
    /// `None` if a topic sums to 0 or to no number.
    pub(crate) fn in_proportion(
        words: usize,
        weights: &[f64],
        fill: impl Fn(usize, &mut [f64]) + Sync,
        ctx: &Context<'_>,
    ) -> Option<Self> {
        let mut table = Self::empty(words, weights, ctx);
        let (k, size) = (weights.len(), CHUNK * table.lanes.max(1));
        let parts: Vec<Vec<f64>> = ctx.install(|| {
            let starts = (0..words).into_par_iter().step_by(CHUNK);
            let sum = |start: usize| {
                let (mut sums, mut row) = (vec![0.0; k], vec![0.0; k]);
                for w in start..words.min(start + CHUNK) {
                    fill(w, &mut row);
                    sums.iter_mut().zip(&row).for_each(|(sum, p)| *sum += p);
                }
                sums
            };
            starts.map(sum).collect()
        });
        // In the order of the chunks, so that threads do not matter.
        let mut sums = vec![0.0; k];
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        if sums.iter().any(|sum| !(*sum > 0.0 && sum.is_finite())) {
            return None;
        }
        let lanes = table.lanes.max(1);
        ctx.install(|| {
            table.rows.par_chunks_mut(size).enumerate().for_each(|(chunk, rows)| {
                let mut row = vec![0.0; k];
                for (w, to) in rows.chunks_mut(lanes).enumerate() {
                    fill(chunk * CHUNK + w, &mut row);
                    let to = to.as_flattened_mut().iter_mut();
                    to.zip(&row)
                        .zip(&sums)
                        .for_each(|((to, p), sum)| *to = ((p / sum) as f32).max(LEAST));
                }
            });
        });
        Some(table)
    }

    /// A table without probabilities.
    fn empty(words: usize, weights: &[f64], ctx: &Context<'_>) -> Self {
        let lanes = lanes_for(weights.len());
        let (rows, mut prior) = (Rows::shared(words * lanes, ctx), Rows::zeros(lanes));
        let positive: Vec<f64> = weights.iter().map(|a| a.max(1e-6)).collect();
        let sum: f64 = positive.iter().sum();
        for (k, a) in positive.iter().enumerate() {
            prior[k / LANES][k % LANES] = (a / sum) as f32;
        }
        Self { n_topics: weights.len(), lanes, rows, prior }
    }

    /// Writes the table without the padding.
    pub(crate) fn write(&self, out: &mut PassWriter) {
        out.rows(&self.rows, self.n_topics);
        out.rows(&self.prior, self.n_topics);
    }

    /// Reads a table over the words of a vocabulary.
    pub(crate) fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let (rows, n_topics) = from.rows(words.len())?;
        let (prior, same) = from.rows(1)?;
        let sound = |p: &f32| p.is_finite() && *p >= 0.0;
        if n_topics == 0 || n_topics != same || !rows.iter().chain(&*prior).flatten().all(sound) {
            return Err(from.wrong("its topics are no distributions"));
        }
        Ok(Self { n_topics, lanes: lanes_for(n_topics), rows, prior })
    }

    /// Number of words.
    pub(crate) fn n_words(&self) -> usize {
        self.rows.len() / self.lanes.max(1)
    }

    /// Number of topics.
    pub(crate) fn n_topics(&self) -> usize {
        self.n_topics
    }

    /// Number of lanes of a row.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The rows of all words.
    pub(crate) fn rows(&self) -> &[Lane] {
        &self.rows
    }

    /// The row of `word`: a probability for each topic.
    pub(crate) fn row(&self, word: u32) -> &[Lane] {
        &self.rows[word as usize * self.lanes..(word as usize + 1) * self.lanes]
    }

    /// The row of `word` without the padding.
    pub(crate) fn word(&self, word: usize) -> &[f32] {
        &self.row(word as u32).as_flattened()[..self.n_topics]
    }

    /// The topics as rows.
    pub(crate) fn topics(&self, ctx: &Context<'_>) -> Result<Topics, Error> {
        let words = self.n_words();
        let mut values = ctx.zeros(self.n_topics * words);
        let transpose = |(lane, topics): (usize, &mut [f32])| {
            for (w, row) in self.rows.chunks_exact(self.lanes).enumerate() {
                let topics = topics.chunks_exact_mut(words);
                topics.zip(row[lane]).for_each(|(topic, p)| topic[w] = p);
            }
        };
        let fixed = values.par_chunks_mut((LANES * words).max(1)).enumerate();
        ctx.install(|| fixed.for_each(transpose));
        Topics::new(words, values)
    }

    /// The topics' weights.
    pub(crate) fn weights(&self) -> Vec<f64> {
        self.prior.iter().flatten().take(self.n_topics).map(|&a| f64::from(a)).collect()
    }
}
