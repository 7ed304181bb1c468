//! Fold-in: the mixture of one document by fast EM steps, certified in double precision.

use crate::corpus::Document;
use crate::infer::EmStep::{self, Full};
use crate::infer::{EmSchedule, InferParams, MixtureSolver, TopicWordTable};
use crate::simd::{self, LANES, Lane};

/// The fast steps, cyclically. On halves of NIPS documents they reach a gap of .001 in 23 steps; plain EM takes 84.
const FAST: [EmStep; 11] = [
    Full(1),
    Full(2),
    Full(0),
    Full(3),
    Full(1),
    Full(0),
    Full(2),
    Full(0),
    Full(4),
    Full(0),
    Full(0),
];
/// Largest number of fast steps. They are in single precision; double precision does the rest.
const MOST_FAST: usize = 220;
/// Share of the tolerance that the fast steps aim for, so that the check in double precision agrees despite rounding.
const CAUTION: f64 = 0.95;

/// How the inference of one document went.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) tokens: u64,
    pub(crate) gap: f64,
    pub(crate) iterations: usize,
}

/// EM for one document at a time, with its working space.
#[derive(Debug)]
pub(crate) struct FoldIn<'a> {
    solver: MixtureSolver<'a>,
    params: &'a InferParams,
    n_topics: usize,
    prior: Vec<f64>,
    theta: Vec<f64>,
    gradient: Vec<f64>,
}

impl<'a> FoldIn<'a> {
    pub(crate) fn new(table: &'a TopicWordTable, params: &'a InferParams) -> Self {
        let prior: Vec<f64> = table.prior.iter().flatten().map(|&a| f64::from(a)).collect();
        let n_topics = table.n_topics();
        let (theta, gradient) = (prior.clone(), prior.clone());
        Self { solver: MixtureSolver::new(table), params, n_topics, prior, theta, gradient }
    }

    /// The mixture of the last document.
    pub(crate) fn mixture(&self) -> &[f64] {
        &self.theta[..self.n_topics]
    }

    /// `θ·β_w`: the probability of the word with this `row` in the last document.
    pub(crate) fn probability(&self, row: &[Lane]) -> f64 {
        dot(row, &self.theta)
    }

    /// Infers the mixture of `document`.
    pub(crate) fn solve(&mut self, document: Document<'_>) -> Solved {
        let tokens = document.tokens();
        self.theta.copy_from_slice(&self.prior);
        if tokens == 0 {
            return Solved { tokens, gap: 0.0, iterations: 0 };
        }
        self.solver.load(document.words);
        let n = tokens as f64;
        let improve = EmSchedule {
            em_steps: &FAST,
            most: MOST_FAST.min(self.params.most_iterations),
            tolerance: (CAUTION * self.params.tolerance) as f32,
        };
        let mut iterations = self.solver.improve(document.counts, 1.0, improve);
        self.take_over();
        loop {
            let gap = self.gap(document.counts, n);
            if gap <= self.params.tolerance || iterations == self.params.most_iterations {
                return Solved { tokens, gap: gap.max(0.0), iterations };
            }
            for ((t, g), a) in self.theta.iter_mut().zip(&self.gradient).zip(&self.prior) {
                *t = (*t * g + a) / (n + 1.0);
            }
            iterations += 1;
        }
    }

    /// Takes the mixture of the fast steps, scaled to sum to 1 in double precision.
    fn take_over(&mut self) {
        let sum: f64 = self.solver.theta.iter().flatten().map(|&t| f64::from(t)).sum();
        for (t, fast) in self.theta.iter_mut().zip(self.solver.theta.iter().flatten()) {
            *t = f64::from(*fast) / sum;
        }
    }

    /// The duality gap per token. Leaves the gradient of the likelihood in `self.gradient`,
    /// `g_k = Σ_w c_w β_wk / (θ·β_w)`; that of the objective is `g_k + α_k / θ_k`, with `θ·g = N + Σα`.
    fn gap(&mut self, counts: &[u32], n: f64) -> f64 {
        let Self { solver, theta, gradient, .. } = self;
        simd::vectorized(
            #[inline(always)]
            || {
                gradient.fill(0.0);
                for (row, &c) in solver.rows.chunks_exact(theta.len() / LANES).zip(counts) {
                    let share = f64::from(c) / dot(row, theta);
                    for (g, &p) in gradient.iter_mut().zip(row.as_flattened()) {
                        *g += share * f64::from(p);
                    }
                }
            },
        );
        let all = self.gradient.iter().zip(&self.theta).zip(&self.prior).take(self.n_topics);
        let steepest = all.fold(0.0_f64, |most, ((g, t), a)| most.max(g + a / t));
        (steepest - (n + 1.0)) / n
    }
}

#[inline(always)]
fn dot(row: &[Lane], mixture: &[f64]) -> f64 {
    let mut sums = [0.0; LANES]; // eight independent sums hide the latency of an addition
    for (row, mixture) in row.iter().zip(mixture.as_chunks::<LANES>().0) {
        (0..LANES).for_each(|l| sums[l] += f64::from(row[l]) * mixture[l]);
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}
