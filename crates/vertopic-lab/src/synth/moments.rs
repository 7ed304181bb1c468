//! First and second moments of a prior, and what the paper assumes of them.
//!
//! With θ a random mixture, `a = E θ` and `R = E θ θᵀ`. The paper's Section 5 needs
//!
//! - (P1) R is positive definite: its smallest eigenvalue `λ_∧` is positive ([`Moments::lambda_min`]);
//! - (P2) `ζ = min_{i≠j} R_ii/(a_i a_i) − R_ij/(a_i a_j)` is positive ([`Moments::zeta`]).
//!
//! Proposition A.1 of its supplement has both for the Dirichlet distribution: `λ_∧ ≥ α_∧/(α₀(α₀+1))`
//! and `ζ = α₀/(α_∨(α₀+1))`, with α_∧ and α_∨ the smallest and largest α, and α₀ their sum.

use crate::parameter::{self, at_least_one};
use faer::{Mat, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use vertopic::Error;

use super::prior::Prior;

/// Mean and second moments of topic mixtures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// a: the mean share of each topic.
    pub mean: Vec<f64>,
    /// R: the mean of `θ_i θ_j`, K × K in row order.
    pub second: Vec<f64>,
}

impl Moments {
    /// Number of topics, K.
    pub fn n_topics(&self) -> usize {
        self.mean.len()
    }

    /// `λ_∧`: the smallest eigenvalue of R, positive under (P1).
    pub fn lambda_min(&self) -> Result<f64, Error> {
        let k = self.n_topics();
        let eigenvalues = Mat::from_fn(k, k, |i, j| self.second[i * k + j])
            .self_adjoint_eigenvalues(Side::Lower)
            .map_err(|_| Error::NotConverged { what: "the eigenvalues of the topics' moments" })?;
        Ok(eigenvalues.first().copied().unwrap_or(0.0)) // they ascend
    }

    /// ζ of (P2): how much more a topic goes with itself than with another, at the least.
    pub fn zeta(&self) -> f64 {
        let (k, a) = (self.n_topics(), &self.mean);
        let together = |i: usize, j: usize| self.second[i * k + j] / (a[i] * a[j]);
        let pairs = (0..k).flat_map(|i| (0..k).filter(move |&j| j != i).map(move |j| (i, j)));
        pairs.map(|(i, j)| together(i, i) - together(i, j)).fold(f64::INFINITY, f64::min)
    }
}

impl Prior {
    /// The moments, where they have a closed form: for Dirichlet distributions.
    ///
    /// `a = α/α₀` and `R = (α αᵀ + diag α) / (α₀ (α₀ + 1))`.
    ///
    /// ```
    /// use vertopic_lab::synth::prior::Prior;
    /// let moments = Prior::Dirichlet(0.1).moments(5)?.expect("closed");
    /// assert!((moments.lambda_min()? - 0.1 / (0.5 * 1.5)).abs() < 1e-12);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn moments(&self, n_topics: usize) -> Result<Option<Moments>, Error> {
        self.check(n_topics)?;
        let alphas = match self {
            Self::Dirichlet(alpha) => vec![*alpha; n_topics],
            Self::Asymmetric(alphas) => alphas.clone(),
            Self::LogisticNormal(_) => return Ok(None),
        };
        let total: f64 = alphas.iter().sum();
        let mean: Vec<f64> = alphas.iter().map(|a| a / total).collect();
        let entry = |i: usize, j: usize| {
            let own = if i == j { 1.0 } else { 0.0 };
            mean[i] * (alphas[j] + own) / (total + 1.0)
        };
        let second = (0..n_topics).flat_map(|i| (0..n_topics).map(move |j| (i, j)));
        let second = second.map(|(i, j)| entry(i, j)).collect();
        Ok(Some(Moments { mean, second }))
    }

    /// The moments of `draws` drawn mixtures: an estimate for any prior.
    pub fn sampled_moments(
        &self,
        n_topics: usize,
        draws: usize,
        seed: u64,
    ) -> Result<Moments, Error> {
        at_least_one(parameter::DRAWS, draws)?;
        let mixtures = self.mixtures(n_topics)?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut mean, mut second) = (vec![0.0; n_topics], vec![0.0; n_topics * n_topics]);
        let mut theta = Vec::new();
        for _ in 0..draws {
            mixtures.draw_into(&mut random, &mut theta);
            for (i, &t) in theta.iter().enumerate() {
                mean[i] += t;
                let row = &mut second[i * n_topics..][..=i];
                row.iter_mut().zip(&theta).for_each(|(sum, other)| *sum += t * other);
            }
        }
        let n = draws as f64;
        mean.iter_mut().for_each(|sum| *sum /= n);
        for i in 0..n_topics {
            for j in 0..=i {
                let value = second[i * n_topics + j] / n;
                second[i * n_topics + j] = value;
                second[j * n_topics + i] = value;
            }
        }
        Ok(Moments { mean, second })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::prior::LogisticNormal;

    const DRAWS: usize = 100_000;

    fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn closed_moments_are_those_of_draws() {
        for prior in
            [Prior::Dirichlet(0.1), Prior::Dirichlet(2.0), Prior::Asymmetric(vec![0.05, 0.3, 1.5])]
        {
            let closed = prior.moments(3).expect("fine").expect("closed");
            let drawn = prior.sampled_moments(3, DRAWS, 1).expect("fine");
            // A mixture's entries are in [0, 1], so a mean of n is off by 1/(2√n) at most in scale.
            assert!(largest_difference(&closed.mean, &drawn.mean) < 0.006, "{prior:?}");
            assert!(largest_difference(&closed.second, &drawn.second) < 0.006, "{prior:?}");
            let (l, z) = (closed.lambda_min().expect("found"), closed.zeta());
            assert!((drawn.lambda_min().expect("found") / l - 1.0).abs() < 0.1, "{prior:?}");
            assert!((drawn.zeta() / z - 1.0).abs() < 0.1, "{prior:?}: {} {z}", drawn.zeta());
        }
    }

    /// Proposition A.1 of the paper's supplement.
    #[test]
    fn dirichlet_priors_keep_the_papers_assumptions() {
        let symmetric = Prior::Dirichlet(0.25).moments(8).expect("fine").expect("closed");
        let (alpha, total) = (0.25, 2.0);
        let expected = alpha / (total * (total + 1.0));
        assert!((symmetric.lambda_min().expect("found") - expected).abs() < 1e-14);
        assert!((symmetric.zeta() - total / (alpha * (total + 1.0))).abs() < 1e-12);

        let alphas = vec![0.1, 0.7, 2.0, 0.4];
        let total: f64 = alphas.iter().sum();
        let moments = Prior::Asymmetric(alphas).moments(4).expect("fine").expect("closed");
        let lambda = moments.lambda_min().expect("found");
        let bound = 0.1 / (total * (total + 1.0));
        assert!(lambda >= bound * (1.0 - 1e-12) && lambda < 2.0 * bound, "{lambda} {bound}");
        assert!((moments.zeta() - total / (2.0 * (total + 1.0))).abs() < 1e-12);
    }

    #[test]
    fn correlated_topics_bring_zeta_down() {
        let zeta = |correlation| {
            let normal =
                LogisticNormal { sigma: 1.0, correlation, groups: 2, ..LogisticNormal::default() };
            let prior = Prior::LogisticNormal(normal);
            assert_eq!(prior.moments(6).expect("fine"), None);
            let moments = prior.sampled_moments(6, 20_000, 3).expect("fine");
            assert!((moments.mean.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(moments.lambda_min().expect("found") > 0.0);
            moments.zeta()
        };
        let (free, tied) = (zeta(0.0), zeta(0.9));
        assert!(tied > 0.0 && tied < 0.3 * free, "{tied} {free}");
    }

    #[test]
    fn no_draws_are_no_estimate() {
        let error = Prior::Dirichlet(1.0).sampled_moments(3, 0, 1).expect_err("none");
        assert_eq!(error.to_string(), "the number of draws must be at least 1, got 0");
    }
}
