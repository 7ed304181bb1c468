//! The synthetic recipe of the paper (Section 6.2): a separable topic matrix and documents from it.
//!
//! Rows of non-novel words are uniform on the simplex over the topics; each novel word has one entry,
//! uniform on [0, 1]; columns are normalised. Mixtures are Dirichlet, documents have N tokens.
//!
//! That makes novel words half as frequent as the others, and the rarest words of all are novel: a
//! method that only looks for rare words does well on it. [`Frequency::Matched`] takes the hint away.

use crate::parameter::{self, require};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use vertopic::Error;
use vertopic::corpus::{CorpusBuilder, DocumentInfo};
use vertopic::estimate::Topics;

use super::prior::Prior;
pub use super::truth::Planted;
use super::{check_sizes, novel_per_topic, word_name};

/// The largest Zipf exponent: beyond it the first word is the whole corpus.
pub(super) const LARGEST_EXPONENT: f64 = 5.0;

/// The sizes of a generated corpus, by the paper's letters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Separable {
    /// W: words.
    pub words: usize,
    /// ρ: share of the words that are novel, equally many for each topic.
    pub novel_share: f64,
    /// K: topics.
    pub topics: usize,
    /// M: documents.
    pub documents: usize,
    /// N: tokens of a document.
    pub tokens: usize,
    /// How the mixtures are drawn.
    pub prior: Prior,
    /// How frequent novel words are.
    pub frequency: Frequency,
}

/// How frequent novel words are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frequency {
    /// The paper's recipe, in which novel words are rarer than the others.
    Paper,
    /// Every word's weight over all topics has the same law, novel or not.
    Matched(Law),
}

/// The law of a word's weight over all topics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Uniform on [0, 1].
    Uniform,
    /// 1/rank to this power, with the ranks dealt out at random.
    Zipf(f64),
}

impl Default for Separable {
    /// The first panel of the paper's Figure 2.
    fn default() -> Self {
        Self {
            words: 500,
            novel_share: 0.2,
            topics: 5,
            documents: 1000,
            tokens: 100,
            prior: Prior::Dirichlet(0.1),
            frequency: Frequency::Paper,
        }
    }
}

impl Separable {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        check_sizes(self.words, self.topics, self.documents, self.tokens)?;
        let share = self.novel_share;
        let fits = (0.0..=1.0).contains(&share);
        require(fits, parameter::NOVEL_SHARE, "from 0 to 1", share)?;
        let per_topic = novel_per_topic(share, self.words, self.topics);
        let novel = per_topic * self.topics;
        let fits = novel >= self.topics && novel <= self.words;
        let rule = "from that of topics to that of words";
        require(fits, parameter::NOVEL_WORDS, rule, novel)?;
        if let Frequency::Matched(Law::Zipf(exponent)) = self.frequency {
            check_exponent(exponent)?;
        }
        self.prior.check(self.topics)
    }

    /// Draws topics and documents.
    ///
    /// ```
    /// use vertopic_lab::synth::separable::{Frequency, Law, Separable};
    /// let frequency = Frequency::Matched(Law::Uniform);
    /// let planted = Separable { documents: 50, frequency, ..Separable::default() }.generate(1)?;
    /// assert_eq!(planted.corpus.n_tokens(), 5_000);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn generate(&self, seed: u64) -> Result<Planted, Error> {
        self.check()?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let k = self.topics;
        let per_topic = novel_per_topic(self.novel_share, self.words, k);
        let topic_of = |w: usize| (w < per_topic * k).then_some(w % k);
        let beta = self.topic_matrix(topic_of, &mut random)?;
        let cumulated: Vec<Vec<f64>> = beta.iter().map(|column| cumulate(column)).collect();

        let names: Vec<String> = (0..self.words).map(|w| word_name(w, self.words)).collect();
        let mut builder = CorpusBuilder::with_words(names);
        let mixtures = self.prior.mixtures(k)?;
        let mut weights = vec![0.0; k];
        for d in 0..self.documents {
            let theta = mixtures.draw(&mut random);
            weights.iter_mut().zip(&theta).for_each(|(sum, t)| *sum += t / self.documents as f64);
            let theta = cumulate(&theta);
            let mut pairs: Vec<(u32, u32)> = (0..self.tokens)
                .map(|_| {
                    let topic = draw(&theta, &mut random);
                    (draw(&cumulated[topic], &mut random) as u32, 1)
                })
                .collect();
            let id = Some(format!("d{d:07}"));
            builder.push(&mut pairs, DocumentInfo { id, ..DocumentInfo::default() })?;
        }
        let values = beta.iter().flatten().map(|&v| v as f32).collect();
        let mut novel_words = vec![Vec::new(); k];
        (0..self.words)
            .filter_map(|w| Some((w, topic_of(w)?)))
            .for_each(|(w, t)| novel_words[t].push(w as u32));
        Ok(Planted {
            corpus: builder.finish()?,
            topics: Topics::new(self.words, values)?,
            novel_words,
            weights,
        })
    }

    /// The topics: K distributions over the words.
    fn topic_matrix(
        &self,
        topic_of: impl Fn(usize) -> Option<usize>,
        random: &mut ChaCha8Rng,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let k = self.topics;
        let totals = match self.frequency {
            Frequency::Paper => None,
            Frequency::Matched(law) => Some(law.draw(self.words, random)),
        };
        let simplex = Prior::Dirichlet(1.0).mixtures(k)?;
        let mut beta = vec![vec![0.0; self.words]; k];
        for w in 0..self.words {
            if let Some(own) = topic_of(w) {
                beta[own][w] = totals.as_ref().map_or_else(|| random.random(), |t| t[w]);
            } else {
                let total = totals.as_ref().map_or(1.0, |t| t[w]);
                let row = simplex.draw(random);
                row.iter().enumerate().for_each(|(t, v)| beta[t][w] = v * total);
            }
        }
        for column in &mut beta {
            let sum: f64 = column.iter().sum();
            column.iter_mut().for_each(|v| *v /= sum);
        }
        Ok(beta)
    }
}

impl Law {
    /// The weight of every word.
    fn draw(self, words: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
        match self {
            Self::Uniform => (0..words).map(|_| random.random()).collect(),
            Self::Zipf(exponent) => {
                let mut weights: Vec<f64> =
                    (1..=words).map(|rank| libm::pow(rank as f64, -exponent)).collect();
                shuffle(&mut weights, words, random);
                weights
            }
        }
    }
}

/// Deals the first `n` items at random out of all (Fisher and Yates).
pub(super) fn shuffle<T>(items: &mut [T], n: usize, random: &mut ChaCha8Rng) {
    for i in 0..n.min(items.len().saturating_sub(1)) {
        let j = random.random_range(i..items.len());
        items.swap(i, j);
    }
}

/// Refuses an exponent that is no Zipf law.
pub(super) fn check_exponent(exponent: f64) -> Result<(), Error> {
    let fits = (0.0..=LARGEST_EXPONENT).contains(&exponent);
    require(fits, parameter::ZIPF, "from 0 to 5", exponent)
}

fn cumulate(weights: &[f64]) -> Vec<f64> {
    let running = |sum: &mut f64, w: &f64| {
        *sum += w;
        Some(*sum)
    };
    weights.iter().scan(0.0, running).collect()
}

/// An index drawn with probability proportional to the steps of `cumulated`.
fn draw(cumulated: &[f64], random: &mut ChaCha8Rng) -> usize {
    let total = cumulated.last().copied().unwrap_or(0.0);
    let at = random.random::<f64>() * total;
    cumulated.partition_point(|&c| c <= at).min(cumulated.len() - 1)
}

#[cfg(test)]
mod tests;
