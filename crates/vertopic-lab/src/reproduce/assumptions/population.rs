//! The limits of C and D as the documents grow without end, from the true topics and the prior's moments.

use vertopic::estimate::Topics;

use crate::synth::moments::Moments;

/// `E_ij = (β_i / β_i a) R (β_j / β_j a)ᵀ`: the limit of `C_ij`.
pub(super) struct Population {
    words: usize,
    limit: Vec<f64>,
    /// The topic of each novel word.
    topic_of: Vec<Option<usize>>,
}

impl Population {
    pub(super) fn new(topics: &Topics, novel_words: &[Vec<u32>], moments: &Moments) -> Self {
        let (k, w) = (topics.n_topics(), topics.n_words());
        let rows: Vec<Vec<f64>> = (0..w)
            .map(|i| {
                let row: Vec<f64> = (0..k).map(|t| f64::from(topics.topic(t)[i])).collect();
                let mean: f64 = row.iter().zip(&moments.mean).map(|(b, a)| b * a).sum();
                row.iter().map(|b| b / mean).collect()
            })
            .collect();
        let mut limit = vec![0.0; w * w];
        for i in 0..w {
            for j in 0..w {
                limit[i * w + j] = (0..k * k)
                    .map(|at| rows[i][at / k] * moments.second[at] * rows[j][at % k])
                    .sum();
            }
        }
        let mut topic_of = vec![None; w];
        for (t, words) in novel_words.iter().enumerate() {
            words.iter().for_each(|&word| topic_of[word as usize] = Some(t));
        }
        Self { words: w, limit, topic_of }
    }

    fn c(&self, i: usize, j: usize) -> f64 {
        self.limit[i * self.words + j]
    }

    fn distance(&self, i: usize, j: usize) -> f64 {
        self.c(i, i) - 2.0 * self.c(i, j) + self.c(j, j)
    }

    /// The largest d that Algorithms 1 and 4 may be told: the least distance between a novel word and a
    /// word that is not novel for the same topic.
    pub(super) fn d(&self) -> f64 {
        self.over_pairs(|i, j| self.distance(i, j))
    }

    /// The largest γ: the least margin of a novel word over such a word.
    pub(super) fn gamma(&self) -> f64 {
        self.over_pairs(|i, j| self.c(i, i) - self.c(i, j))
    }

    /// The least distance between novel words of two topics: enough for clustering alone.
    pub(super) fn between_topics(&self) -> f64 {
        let novel: Vec<usize> = (0..self.words).filter(|&i| self.topic_of[i].is_some()).collect();
        let pairs = novel.iter().flat_map(|&i| novel.iter().map(move |&j| (i, j)));
        pairs
            .filter(|&(i, j)| self.topic_of[i] != self.topic_of[j])
            .map(|(i, j)| self.distance(i, j))
            .fold(f64::INFINITY, f64::min)
    }

    fn over_pairs(&self, value: impl Fn(usize, usize) -> f64) -> f64 {
        let mut least = f64::INFINITY;
        for i in (0..self.words).filter(|&i| self.topic_of[i].is_some()) {
            for j in (0..self.words).filter(|&j| self.topic_of[j] != self.topic_of[i]) {
                least = least.min(value(i, j));
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::prior::Prior;
    use crate::synth::separable::Separable;
    use vertopic::context::Context;
    use vertopic::moments::{Cooccurrence, PairScheme, TokenPairs, WordStats};
    use vertopic::seed::Seed;

    #[test]
    fn c_converges_to_its_limit() {
        let prior = Prior::Dirichlet(0.5);
        let recipe = Separable {
            words: 12,
            novel_share: 0.5,
            topics: 3,
            documents: 20_000,
            tokens: 60,
            prior: prior.clone(),
            ..Separable::default()
        };
        let truth = recipe.generate(1).expect("a corpus");
        let moments = prior.moments(3).expect("good").expect("closed");
        let population = Population::new(&truth.topics, &truth.novel_words, &moments);
        let ctx = Context::silent().expect("threads");
        let totals = WordStats::of(&truth.corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx)
            .expect("pairs");
        let all: Vec<u32> = (0..12).collect();
        let c = Cooccurrence::of(&truth.corpus, &totals, &all, &all, &ctx).expect("sums");
        for i in 0..12 {
            for j in 0..12 {
                let (found, limit) = (c.row(i)[j], population.c(i, j));
                assert!((found - limit).abs() < 0.08 * limit, "{i} {j}: {found} {limit}");
            }
        }
        assert!(population.d() > 0.0 && population.gamma() > 0.0);
        assert!(population.between_topics() >= population.d());
    }
}
