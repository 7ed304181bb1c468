//! Priors from the counts: Minka's fixed point for the Dirichlet-multinomial.
//!
//! "Estimating a Dirichlet distribution" (Minka 2000), equation 55:
//! `α_k ← α_k Σ_d [ψ(n_dk + α_k) − ψ(α_k)] / Σ_d [ψ(n_d + Σα) − ψ(Σα)]`. Each round raises the
//! likelihood of the counts. MALLET re-estimates its priors between sweeps in the same way.

use super::chain::Chain;
use super::kernel::Kernel;

/// Least value of a prior: a topic without tokens may still get some.
const LEAST: f64 = 1e-5;
/// Relative change at which the fixed point is reached; between two samples priors move by more.
const TOLERANCE: f64 = 1e-4;
/// Rounds, at most. What is missing is made up at the next re-estimation, which starts here.
const MOST_ROUNDS: usize = 200;

/// How often each count occurs; counts ascend.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Runs(Vec<(f64, f64)>);

impl Runs {
    pub(super) fn new(mut counts: Vec<i32>) -> Self {
        counts.sort_unstable();
        let runs = counts.chunk_by(|a, b| a == b);
        Self(runs.map(|ctx| (f64::from(ctx[0]), ctx.len() as f64)).collect())
    }

    /// `Σ [ψ(n + a) − ψ(a)]` over the counts.
    fn gain(&self, a: f64) -> f64 {
        let base = digamma(a);
        self.0.iter().map(|&(n, times)| times * (digamma(n + a) - base)).sum()
    }
}

/// The prior of each of several categories under which counts are most likely. `categories` has the
/// counts of each (zeros may be left out), `lengths` their sums.
pub(super) fn asymmetric(mut prior: Vec<f64>, categories: &[Runs], lengths: &Runs) -> Vec<f64> {
    for _ in 0..MOST_ROUNDS {
        let whole = lengths.gain(prior.iter().sum());
        if whole <= 0.0 {
            break; // no counts
        }
        let mut moved = 0.0_f64;
        for (a, counts) in prior.iter_mut().zip(categories) {
            let next = (*a * counts.gain(*a) / whole).max(LEAST);
            moved = moved.max((next / *a - 1.0).abs());
            *a = next;
        }
        if moved < TOLERANCE {
            break;
        }
    }
    prior
}

/// The same for one prior that `n` categories share; `counts` are of all categories.
pub(super) fn symmetric(mut prior: f64, n: usize, counts: &Runs, lengths: &Runs) -> f64 {
    for _ in 0..MOST_ROUNDS {
        let whole = n as f64 * lengths.gain(prior * n as f64);
        if whole <= 0.0 {
            break;
        }
        let next = (prior * counts.gain(prior) / whole).max(LEAST);
        let moved = (next / prior - 1.0).abs();
        prior = next;
        if moved < TOLERANCE {
            break;
        }
    }
    prior
}

impl<K: Kernel> Chain<'_, K> {
    /// Sets α (one for each topic) and β (the same for all words) to fit the assignments.
    pub(super) fn estimate_priors(&mut self) {
        let k = self.side.n_topics;
        let (mut topics, mut lengths) = (vec![Vec::new(); k], Vec::new());
        let mut counts = vec![0_i32; k];
        for assigned in self.assignments() {
            assigned.iter().for_each(|&t| counts[t as usize] += 1);
            for (count, all) in counts.iter_mut().zip(&mut topics).filter(|(n, _)| **n > 0) {
                all.push(std::mem::take(count));
            }
            lengths.push(assigned.len() as i32);
        }
        let topics: Vec<Runs> = topics.into_iter().map(Runs::new).collect();
        let alpha = asymmetric(self.side.alpha().to_vec(), &topics, &Runs::new(lengths));
        let mut words = Vec::new();
        self.each_count(|_, _, n| words.push(n));
        let totals = Runs::new(self.side.totals().to_vec());
        let beta = symmetric(self.side.beta(), self.side.n_words(), &Runs::new(words), &totals);
        self.side.set_priors(&alpha, beta);
    }
}

/// ψ, the derivative of ln Γ, for positive numbers: `ψ(x) = ψ(x + 1) − 1/x` up to 6, then the
/// asymptotic series (Abramowitz & Stegun 6.3.18).
fn digamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 6.0 {
        below -= 1.0 / x;
        x += 1.0;
    }
    let f = 1.0 / (x * x);
    let series = f
        * (1.0 / 12.0
            - f * (1.0 / 120.0 - f * (1.0 / 252.0 - f * (1.0 / 240.0 - f * (1.0 / 132.0)))));
    below + libm::log(x) - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_is_the_slope_of_ln_gamma() {
        assert!((digamma(1.0) + 0.577_215_664_901_532_9).abs() < 1e-10);
        for x in [1e-3, 0.2, 1.7, 5.9, 6.1, 300.0, 2e6] {
            assert!((digamma(x + 1.0) - digamma(x) - 1.0 / x).abs() < 1e-10 * (1.0 + 1.0 / x));
        }
        let (x, h) = (3.3, 1e-5);
        let slope = (libm::lgamma(x + h) - libm::lgamma(x - h)) / (2.0 * h);
        assert!((digamma(x) - slope).abs() < 1e-8);
    }

    /// Log-probability of counts under a Dirichlet-multinomial, up to what does not depend on the prior.
    fn likelihood(prior: &[f64], rows: &[Vec<i32>]) -> f64 {
        let gain = |n: i32, a: f64| libm::lgamma(f64::from(n) + a) - libm::lgamma(a);
        let row = |row: &Vec<i32>| {
            row.iter().zip(prior).map(|(&n, &a)| gain(n, a)).sum::<f64>()
                - gain(row.iter().sum(), prior.iter().sum())
        };
        rows.iter().map(row).sum()
    }

    #[test]
    fn the_fixed_point_is_the_most_likely_prior() {
        let rows: Vec<Vec<i32>> = (0..60_i32)
            .map(|d| vec![(d * d) % 23, (d * 7) % 11, if d % 3 == 0 { d } else { 0 }])
            .collect();
        let lengths = Runs::new(rows.iter().map(|r| r.iter().sum()).collect());
        let column = |k: usize| Runs::new(rows.iter().map(|r| r[k]).collect());
        let columns: Vec<Runs> = (0..3).map(column).collect();
        let found = asymmetric(vec![1.0; 3], &columns, &lengths);
        let best = likelihood(&found, &rows);
        for k in 0..3 {
            for factor in [0.95, 1.05] {
                let mut other = found.clone();
                other[k] *= factor;
                assert!(likelihood(&other, &rows) < best, "{found:?}, {k} × {factor}");
            }
        }
        let all = Runs::new(rows.concat());
        let shared = symmetric(1.0, 3, &all, &lengths);
        let best = likelihood(&[shared; 3], &rows);
        for factor in [0.95, 1.05] {
            assert!(likelihood(&[shared * factor; 3], &rows) < best, "{shared} × {factor}");
        }
    }

    #[test]
    fn without_counts_the_prior_stays() {
        assert_eq!(symmetric(0.3, 4, &Runs::new(vec![]), &Runs::new(vec![])), 0.3);
    }
}
