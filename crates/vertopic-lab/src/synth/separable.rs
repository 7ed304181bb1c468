//! The synthetic recipe of the paper (Section 6.2): a separable topic matrix and documents from it.
//!
//! Rows of non-novel words are uniform on the simplex over the topics; each novel word has one entry,
//! uniform on [0, 1]; columns are normalised. Mixtures are Dirichlet, documents have N tokens.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, Gamma};
use vertopic::Error;
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use vertopic::estimate::Topics;

/// The sizes of a generated corpus, by the paper's letters.
#[derive(Debug, Clone, Copy, PartialEq)]
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
    /// α: parameter of the symmetric Dirichlet prior of the mixtures.
    pub alpha: f64,
}

impl Default for Separable {
    /// The first panel of the paper's Figure 2.
    fn default() -> Self {
        Self { words: 500, novel_share: 0.2, topics: 5, documents: 1000, tokens: 100, alpha: 0.1 }
    }
}

/// A corpus and its truth.
#[derive(Debug, Clone)]
pub struct Planted {
    /// The documents.
    pub corpus: Corpus,
    /// The topics that they were drawn from, over the words of the corpus.
    pub topics: Topics,
    /// The novel words of each topic, by id.
    pub novel_words: Vec<Vec<u32>>,
}

impl Separable {
    /// Draws topics and documents.
    pub fn generate(&self, seed: u64) -> Result<Planted, Error> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let k = self.topics;
        let per_topic = (self.novel_share * self.words as f64 / k as f64).round() as usize;
        let topic_of = |w: usize| (w < per_topic * k).then_some(w % k);
        let mut beta = vec![vec![0.0; self.words]; k];
        for w in 0..self.words {
            if let Some(own) = topic_of(w) {
                beta[own][w] = random.random::<f64>();
            } else {
                let row = dirichlet(1.0, k, &mut random);
                row.iter().enumerate().for_each(|(t, v)| beta[t][w] = *v);
            }
        }
        let sums: Vec<f64> = beta.iter().map(|column| column.iter().sum()).collect();
        beta.iter_mut()
            .zip(&sums)
            .for_each(|(column, sum)| column.iter_mut().for_each(|v| *v /= sum));
        let cumulated: Vec<Vec<f64>> = beta.iter().map(|column| cumulate(column)).collect();

        // Names sort like numbers, so ids are the numbers.
        let names: Vec<String> = (0..self.words).map(|w| format!("w{w:06}")).collect();
        let mut builder = CorpusBuilder::with_words(names);
        for d in 0..self.documents {
            let theta = cumulate(&dirichlet(self.alpha, k, &mut random));
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
        })
    }
}

/// A draw from the symmetric Dirichlet distribution.
fn dirichlet(alpha: f64, k: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
    let gamma = Gamma::new(alpha, 1.0).unwrap_or_else(|_| unreachable!("alpha is positive"));
    loop {
        let draw: Vec<f64> = (0..k).map(|_| gamma.sample(random)).collect();
        let sum: f64 = draw.iter().sum();
        if sum > 0.0 {
            return draw.iter().map(|g| g / sum).collect(); // with a small alpha all may underflow
        }
    }
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
mod tests {
    use super::*;

    #[test]
    fn the_recipe_is_the_papers() {
        let planted =
            Separable { documents: 50, ..Separable::default() }.generate(1).expect("made");
        assert_eq!((planted.corpus.n_documents(), planted.corpus.n_words()), (50, 500));
        assert!(planted.corpus.documents().all(|d| d.tokens() == 100));
        assert_eq!(planted.novel_words.iter().map(Vec::len).collect::<Vec<_>>(), [20; 5]);
        for (t, novel) in planted.novel_words.iter().enumerate() {
            for &w in novel {
                for k in 0..5 {
                    assert_eq!(planted.topics.topic(k)[w as usize] > 0.0, k == t);
                }
            }
        }
        let others = (100..500).all(|w| (0..5).all(|k| planted.topics.topic(k)[w] > 0.0));
        assert!(others, "words that are not novel occur in every topic");
    }

    #[test]
    fn documents_follow_the_topics() {
        // With a symmetric prior the mean mixture is even, so a word's frequency is its mean over topics.
        let recipe =
            Separable { topics: 2, documents: 4000, alpha: 1.0, words: 20, ..Separable::default() };
        let planted = recipe.generate(3).expect("made");
        let tokens = planted.corpus.n_tokens() as f64;
        let mut counts = [0.0; 20];
        planted
            .corpus
            .documents()
            .for_each(|d| d.pairs().for_each(|(w, c)| counts[w as usize] += f64::from(c)));
        for (w, count) in counts.iter().enumerate() {
            let mean = f64::midpoint(
                f64::from(planted.topics.topic(0)[w]),
                f64::from(planted.topics.topic(1)[w]),
            );
            assert!((count / tokens - mean).abs() < 0.01, "{w}: {} {mean}", count / tokens);
        }
    }
}
