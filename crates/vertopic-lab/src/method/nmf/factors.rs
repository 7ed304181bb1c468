//! The two factors, and the topics that are read off them.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use vertopic::Error;
use vertopic::estimate::Topics;
use vertopic::seed::Seed;

use super::kernel::column_sums;
use super::matrix::Matrix;

/// `V ≈ W H`, both with the K numbers of a word or a document side by side.
#[derive(Debug, Clone)]
pub(crate) struct Factors {
    pub(crate) k: usize,
    /// W, words × K.
    pub(crate) words: Vec<f64>,
    /// Hᵀ, documents × K.
    pub(crate) documents: Vec<f64>,
}

impl Factors {
    /// Start number `start`: random words, even documents, and WH about as large as V.
    pub(crate) fn random(matrix: &Matrix, k: usize, seed: Seed, start: usize) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed.0);
        random.set_stream(start as u64);
        let size = (matrix.mean() / k as f64).sqrt();
        let draw = |_| size * (0.5 + random.random::<f64>());
        let words = (0..matrix.n_words() * k).map(draw).collect();
        Self { k, words, documents: vec![size; matrix.n_documents() * k] }
    }

    /// Topics and mean weights of the components for which `keep` holds and that have any weight.
    pub(crate) fn topics(&self, keep: impl Fn(usize) -> bool) -> Result<(Topics, Vec<f64>), Error> {
        let k = self.k;
        let sums = column_sums(&self.words, k, |v| v);
        let totals = column_sums(&self.documents, k, |v| v);
        let kept: Vec<usize> =
            (0..k).filter(|&t| sums[t] > 0.0 && totals[t] > 0.0 && keep(t)).collect();
        if kept.is_empty() {
            return Err(Error::BadModel("every component was switched off".to_owned()));
        }
        let n_words = self.words.len() / k;
        let mut values = Vec::with_capacity(kept.len() * n_words);
        for &t in &kept {
            values.extend(self.words.iter().skip(t).step_by(k).map(|w| (w / sums[t]) as f32));
        }
        // The share of a topic in a document is that of its expected tokens.
        let mut weights = vec![0.0; kept.len()];
        for row in self.documents.chunks_exact(k) {
            let total: f64 = kept.iter().map(|&t| row[t] * sums[t]).sum();
            if total > 0.0 {
                weights.iter_mut().zip(&kept).for_each(|(w, &t)| *w += row[t] * sums[t] / total);
            }
        }
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= total);
        Ok((Topics::new(n_words, values)?, weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_normalised_columns_and_weights_count_tokens() {
        // Column sums of W: 4, 2, 1. The last component is not kept.
        let words = vec![1.0, 2.0, 0.5, 3.0, 0.0, 0.5];
        let documents = vec![1.0, 2.0, 9.0, 3.0, 2.0, 0.0];
        let factors = Factors { k: 3, words, documents };
        let (topics, weights) = factors.topics(|t| t != 2).expect("topics");
        assert_eq!(topics.values(), [0.25, 0.75, 1.0, 0.0]);
        let first = f64::midpoint(4.0 / 8.0, 12.0 / 16.0);
        assert!((weights[0] - first).abs() < 1e-15 && (weights[1] - (1.0 - first)).abs() < 1e-15);
        assert!(factors.topics(|_| false).is_err());
    }
}
