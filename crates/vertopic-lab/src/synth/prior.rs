//! Topic mixtures of generated documents: the prior of the topic model.
//!
//! The paper's experiments use the symmetric Dirichlet; its theory needs of a prior only what
//! [`Moments`](super::moments::Moments) measures, and the logistic-normal lets topics be correlated (Blei & Lafferty 2007).

use crate::parameter::{self, require};
use rand::Rng;
use rand_distr::{Distribution, Gamma, StandardNormal};
use serde::{Deserialize, Serialize};
use vertopic::Error;

/// Below this parameter nearly all gamma draws underflow to 0, and there is no mixture to be had.
const SMALLEST_ALPHA: f64 = 1e-3;
/// Above this parameter every mixture is the mean.
const LARGEST_ALPHA: f64 = 1e6;
/// A logit with a larger spread always gives one topic everything.
const LARGEST_SIGMA: f64 = 1e3;

/// How topic mixtures are drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prior {
    /// The symmetric Dirichlet distribution with this α for every topic.
    Dirichlet(f64),
    /// The Dirichlet distribution with an α for each topic.
    Asymmetric(Vec<f64>),
    /// The logistic-normal distribution: the softmax of Gaussian logits.
    LogisticNormal(LogisticNormal),
}

/// Gaussian logits with variance σ², correlated within groups of topics.
///
/// With ρ the correlation, topic k in group g has the logit `μ_k + σ (√ρ z_g + √(1−ρ) z_k)`, so the
/// covariance is σ² on the diagonal, ρσ² within a group and 0 between groups: positive definite for
/// every ρ below 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogisticNormal {
    /// μ: mean of each topic's logit; if empty, 0 for all.
    pub mean: Vec<f64>,
    /// σ: standard deviation of a logit.
    pub sigma: f64,
    /// ρ: correlation of the logits of two topics of one group; 0 makes all independent.
    pub correlation: f64,
    /// Groups of topics that follow each other, about equally large.
    pub groups: usize,
}

impl Default for LogisticNormal {
    /// Independent logits of variance 1.
    fn default() -> Self {
        Self { mean: Vec::new(), sigma: 1.0, correlation: 0.0, groups: 1 }
    }
}

impl LogisticNormal {
    /// The group of a topic.
    fn group(&self, topic: usize, n_topics: usize) -> usize {
        topic * self.groups / n_topics
    }

    /// Covariance of the logits of two topics.
    pub fn covariance(&self, i: usize, j: usize, n_topics: usize) -> f64 {
        let together = self.group(i, n_topics) == self.group(j, n_topics);
        let correlation = match (i == j, together) {
            (true, _) => 1.0,
            (false, true) => self.correlation,
            (false, false) => 0.0,
        };
        self.sigma * self.sigma * correlation
    }
}

impl Prior {
    /// Refuses values that have no mixtures over `n_topics` topics.
    pub fn check(&self, n_topics: usize) -> Result<(), Error> {
        let alpha = |a: f64| {
            let ok = (SMALLEST_ALPHA..=LARGEST_ALPHA).contains(&a);
            require(ok, parameter::PRIOR_ALPHA, "from 0.001 to 1,000,000", a)
        };
        match self {
            Self::Dirichlet(a) => alpha(*a),
            Self::Asymmetric(alphas) => {
                let fits = alphas.len() == n_topics;
                require(fits, parameter::PRIOR_ALPHAS, "1 or that of topics", alphas.len())?;
                alphas.iter().try_for_each(|&a| alpha(a))
            }
            Self::LogisticNormal(LogisticNormal { mean, sigma, correlation, groups }) => {
                let fits = mean.is_empty() || mean.len() == n_topics;
                require(fits, parameter::PRIOR_MEANS, "0 or that of topics", mean.len())?;
                let bad = mean.iter().find(|m| m.is_nan() || m.abs() > LARGEST_SIGMA);
                let value = bad.unwrap_or(&0.0);
                require(bad.is_none(), parameter::PRIOR_MEAN, "from -1000 to 1000", value)?;
                let ok = (0.0..=LARGEST_SIGMA).contains(sigma);
                require(ok, parameter::PRIOR_SIGMA, "from 0 to 1000", sigma)?;
                let ok = (0.0..1.0).contains(correlation);
                require(ok, parameter::CORRELATION, "at least 0 and below 1", correlation)?;
                let ok = (1..=n_topics).contains(groups);
                require(ok, parameter::GROUPS, "from 1 to that of topics", groups)
            }
        }
    }

    /// The sampler of mixtures over `n_topics` topics.
    ///
    /// ```
    /// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
    /// use vertopic_lab::synth::prior::Prior;
    /// let mut random = ChaCha8Rng::seed_from_u64(1);
    /// let mixture = Prior::Dirichlet(0.1).mixtures(5)?.draw(&mut random);
    /// assert!((mixture.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn mixtures(&self, n_topics: usize) -> Result<Mixtures, Error> {
        self.check(n_topics)?;
        let gamma = |&a: &f64| {
            let refused = |_| Error::parameter(parameter::PRIOR_ALPHA, "positive", a);
            Gamma::new(a, 1.0).map_err(refused)
        };
        let kind = match self {
            Self::Dirichlet(a) => Kind::Dirichlet(vec![gamma(a)?; n_topics]),
            Self::Asymmetric(alphas) => {
                Kind::Dirichlet(alphas.iter().map(gamma).collect::<Result<_, _>>()?)
            }
            Self::LogisticNormal(normal) => Kind::LogisticNormal(normal.clone()),
        };
        Ok(Mixtures { n_topics, kind })
    }
}

/// Draws topic mixtures.
#[derive(Debug, Clone)]
pub struct Mixtures {
    n_topics: usize,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Dirichlet(Vec<Gamma<f64>>),
    LogisticNormal(LogisticNormal),
}

impl Mixtures {
    /// A mixture: one number per topic, none negative, in all 1.
    pub fn draw<R: Rng>(&self, random: &mut R) -> Vec<f64> {
        let mut mixture = Vec::with_capacity(self.n_topics);
        self.draw_into(random, &mut mixture);
        mixture
    }

    /// The same into a buffer, whose contents are replaced.
    pub fn draw_into<R: Rng>(&self, random: &mut R, mixture: &mut Vec<f64>) {
        match &self.kind {
            Kind::Dirichlet(gammas) => loop {
                mixture.clear();
                mixture.extend(gammas.iter().map(|gamma| gamma.sample(random)));
                if normalise(mixture) {
                    return; // with a small alpha all may underflow
                }
            },
            Kind::LogisticNormal(normal) => {
                softmax_of_logits(normal, self.n_topics, random, mixture);
                normalise(mixture); // the largest is 1 before that
            }
        }
    }
}

fn softmax_of_logits<R: Rng>(
    normal: &LogisticNormal,
    n_topics: usize,
    random: &mut R,
    mixture: &mut Vec<f64>,
) {
    let mut gauss = || -> f64 { StandardNormal.sample(random) };
    let (common, own) = (normal.correlation.sqrt(), (1.0 - normal.correlation).sqrt());
    mixture.clear();
    let mut shared = (usize::MAX, 0.0); // topics of a group follow each other
    for k in 0..n_topics {
        let group = normal.group(k, n_topics);
        if shared.0 != group && common > 0.0 {
            shared = (group, gauss());
        }
        let mean = normal.mean.get(k).copied().unwrap_or(0.0);
        mixture.push(mean + normal.sigma * (common * shared.1 + own * gauss()));
    }
    let largest = mixture.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    mixture.iter_mut().for_each(|logit| *logit = libm::exp(*logit - largest));
}

/// Divides by the sum, unless that is 0.
fn normalise(values: &mut [f64]) -> bool {
    let sum: f64 = values.iter().sum();
    let some = sum > 0.0;
    if some {
        values.iter_mut().for_each(|v| *v /= sum);
    }
    some
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn bad_values_are_named() {
        let normal = |sigma, correlation, groups| {
            Prior::LogisticNormal(LogisticNormal { mean: Vec::new(), sigma, correlation, groups })
        };
        let mean = |m: f64| LogisticNormal { mean: vec![m; 5], ..LogisticNormal::default() };
        for (prior, part) in [
            (Prior::Dirichlet(0.0), "alpha must be from 0.001 to 1,000,000, got 0"),
            (Prior::Dirichlet(-1.0), "got -1"),
            (Prior::Dirichlet(f64::NAN), "got NaN"),
            (Prior::Dirichlet(f64::INFINITY), "got inf"),
            (Prior::Asymmetric(vec![1.0; 4]), "must be 1 or that of topics, got 4"),
            (Prior::Asymmetric(vec![1.0, 1.0, 1.0, 1.0, 0.0]), "got 0"),
            (normal(-1.0, 0.0, 1), "sigma must be from 0 to 1000, got -1"),
            (normal(f64::NAN, 0.0, 1), "got NaN"),
            (normal(1.0, 1.0, 1), "correlation must be at least 0 and below 1"),
            (normal(1.0, 0.5, 6), "groups must be from 1 to that of topics, got 6"),
            (Prior::LogisticNormal(mean(f64::NAN)), "the prior's mean must be"),
        ] {
            let error = prior.mixtures(5).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn every_prior_gives_mixtures_at_the_ends_of_its_range() {
        let extreme = LogisticNormal { sigma: 1000.0, ..LogisticNormal::default() };
        let equal = LogisticNormal { sigma: 0.0, ..LogisticNormal::default() };
        for prior in [
            Prior::Dirichlet(SMALLEST_ALPHA),
            Prior::Dirichlet(LARGEST_ALPHA),
            Prior::Asymmetric(vec![0.001, 1.0, 1e6]),
            Prior::LogisticNormal(extreme),
            Prior::LogisticNormal(equal),
        ] {
            let mixtures = prior.mixtures(3).expect("fine");
            let mut random = ChaCha8Rng::seed_from_u64(1);
            for _ in 0..200 {
                let mixture = mixtures.draw(&mut random);
                assert!(mixture.iter().all(|p| (0.0..=1.0).contains(p)), "{prior:?} {mixture:?}");
                assert!((mixture.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }

    /// The logits' covariance, from log ratios of the mixture: var(log θ_i/θ_j) = Σ_ii + Σ_jj − 2 Σ_ij.
    #[test]
    fn logits_have_the_covariance_that_is_promised() {
        let normal =
            LogisticNormal { sigma: 0.8, correlation: 0.6, groups: 2, ..LogisticNormal::default() };
        let mixtures = Prior::LogisticNormal(normal.clone()).mixtures(5).expect("fine");
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let draws: Vec<Vec<f64>> = (0..20_000).map(|_| mixtures.draw(&mut random)).collect();
        assert_eq!([0, 1, 2, 3, 4].map(|k| normal.group(k, 5)), [0, 0, 0, 1, 1]);
        for (i, j) in [(0, 1), (1, 2), (3, 4), (0, 3), (2, 4)] {
            let ratios: Vec<f64> = draws.iter().map(|t| libm::log(t[i] / t[j])).collect();
            let n = ratios.len() as f64;
            let mean = ratios.iter().sum::<f64>() / n;
            let variance = ratios.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / n;
            let expected = normal.covariance(i, i, 5) + normal.covariance(j, j, 5)
                - 2.0 * normal.covariance(i, j, 5);
            assert!(mean.abs() < 0.03, "{i} {j}: {mean}");
            assert!((variance / expected - 1.0).abs() < 0.05, "{i} {j}: {variance} {expected}");
        }
    }

    #[test]
    fn a_mean_makes_a_topic_larger() {
        let mean = vec![2.0, 0.0, 0.0];
        let normal = LogisticNormal { mean, sigma: 0.0, ..LogisticNormal::default() };
        let mixtures = Prior::LogisticNormal(normal).mixtures(3).expect("fine");
        let mixture = mixtures.draw(&mut ChaCha8Rng::seed_from_u64(1));
        assert!((mixture[0] / mixture[1] - libm::exp(2.0)).abs() < 1e-12, "{mixture:?}");
    }
}
