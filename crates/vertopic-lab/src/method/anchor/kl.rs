//! RecoverKL: `b_i = argmin KL(Qbar_i ‖ Σ_k b_k Qbar_{S_k})` on the simplex, by exponentiated gradient.
//!
//! A step multiplies each `b_k` by `exp(−η g_k)` and normalises. It is kept if the gradient where it ends
//! still points forward: the objective is convex, so it has fallen, and no difference of two rounded
//! objectives is needed to know. η doubles after a step that is kept and halves after one that is not. As
//! everywhere, `b·g − min g` bounds how far the objective is from its minimum (Arora et al. 2013).
//!
//! Unlike least squares it needs the whole row of every word. Rows are formed in blocks.

use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::estimate::SolveInfo;

use super::recover::{Mixtures, gather, to_solve};
use super::rows::{Rows, dot};

/// Anchors' entries are at least this: a mixture must not exclude a word (the authors' code).
const FLOOR: f64 = 1e-9;
/// Mixture weights are at least this, so that none is lost for good.
const LEAST: f64 = 1e-15;
/// Rounds for a word, at most.
const MOST_ROUNDS: usize = 10_000;
/// Numbers that a block of rows may hold.
const BLOCK_ENTRIES: usize = if cfg!(test) { 1 << 12 } else { 1 << 22 }; // tests run many blocks

/// Regresses every word with a row on the anchors, whose rows are given.
pub(super) fn regress(
    rows: &Rows<'_>,
    anchors: &[u32],
    anchor_rows: &[f64],
    tolerance: f64,
    ctx: &Context<'_>,
) -> Result<Mixtures, Error> {
    let (w, k) = (rows.len(), anchors.len());
    // By word: the K numbers of a word together.
    let mut by_word = vec![0.0; w * k];
    for (j, line) in by_word.chunks_mut(k).enumerate() {
        line.iter_mut().enumerate().for_each(|(t, x)| *x = anchor_rows[t * w + j].max(FLOOR));
    }
    let work = to_solve(anchors, &rows.frequencies);
    let mut solved: Vec<(Vec<f64>, SolveInfo)> = Vec::with_capacity(work.len());
    for block in work.chunks((BLOCK_ENTRIES / w).max(1)) {
        let words: Vec<u32> = block.iter().map(|&i| i as u32).collect();
        let dense = rows.of(&words, ctx)?;
        let progress = ctx.stage("regressing words", block.len() as u64);
        solved.extend(ctx.install(|| {
            dense
                .par_chunks(w)
                .map_init(
                    || Solver::new(&by_word, k),
                    |solver, row| {
                        let info = solver.solve(row, tolerance, MOST_ROUNDS);
                        progress.advance(1);
                        (solver.b.clone(), info)
                    },
                )
                .collect::<Vec<_>>()
        }));
    }
    Ok(gather(anchors, w, &work, solved))
}

/// Solves one word after the other.
struct Solver<'a> {
    by_word: &'a [f64],
    k: usize,
    /// Entries of the word's row that are not 0, and the anchors' entries there.
    row: Vec<f64>,
    anchors: Vec<f64>,
    /// The current mixture and its gradient.
    b: Vec<f64>,
    gradient: Vec<f64>,
    /// The same of a step that is tried.
    tried: Vec<f64>,
    tried_gradient: Vec<f64>,
}

impl<'a> Solver<'a> {
    fn new(by_word: &'a [f64], k: usize) -> Self {
        let zeros = || vec![0.0; k];
        Self {
            by_word,
            k,
            row: Vec::new(),
            anchors: Vec::new(),
            b: zeros(),
            gradient: zeros(),
            tried: zeros(),
            tried_gradient: zeros(),
        }
    }

    /// Leaves the mixture in `b`.
    fn solve(&mut self, row: &[f64], tolerance: f64, most_rounds: usize) -> SolveInfo {
        let k = self.k;
        self.row.clear();
        self.anchors.clear();
        for (&y, x) in row.iter().zip(self.by_word.chunks_exact(k)).filter(|&(y, _)| *y > 0.0) {
            self.row.push(y);
            self.anchors.extend_from_slice(x);
        }
        self.b.fill(1.0 / k as f64);
        gradient(&self.anchors, &self.row, &self.b, &mut self.gradient);
        // The gradient is about −1 where it matters, so 1 is the natural step.
        let (mut step, mut iterations) = (1.0, 0);
        loop {
            let least = self.gradient.iter().fold(f64::INFINITY, |a, &g| a.min(g));
            let gap: f64 = self.b.iter().zip(&self.gradient).map(|(b, g)| b * (g - least)).sum();
            if gap <= tolerance || iterations == most_rounds {
                return SolveInfo { iterations, gap, converged: gap <= tolerance };
            }
            iterations += 1;
            self.step(step, least);
            gradient(&self.anchors, &self.row, &self.tried, &mut self.tried_gradient);
            let moved = self.tried.iter().zip(&self.b).map(|(t, b)| t - b);
            let slope: f64 = moved.zip(&self.tried_gradient).map(|(m, g)| m * g).sum();
            if slope <= 0.0 {
                std::mem::swap(&mut self.b, &mut self.tried);
                std::mem::swap(&mut self.gradient, &mut self.tried_gradient);
                step *= 2.0;
            } else {
                step *= 0.5;
            }
        }
    }

    /// Goes a step from `b`. `least` is the smallest entry of the gradient; taking it away changes nothing.
    fn step(&mut self, step: f64, least: f64) {
        for ((t, b), g) in self.tried.iter_mut().zip(&self.b).zip(&self.gradient) {
            *t = (b * libm::exp(-step * (g - least))).max(LEAST);
        }
        let sum: f64 = self.tried.iter().sum();
        self.tried.iter_mut().for_each(|t| *t /= sum);
    }
}

/// `g_k = −Σ_j y_j x_jk / Σ_l b_l x_jl`.
fn gradient(anchors: &[f64], row: &[f64], b: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (x, y) in anchors.chunks_exact(b.len()).zip(row) {
        let share = y / dot(x, b);
        out.iter_mut().zip(x).for_each(|(g, x)| *g -= share * x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn divergence(y: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let k = b.len();
        y.iter()
            .enumerate()
            .filter(|(_, y)| **y > 0.0)
            .map(|(j, y)| {
                let mixed: f64 = (0..k).map(|t| b[t] * x[j * k + t]).sum();
                y * libm::log(y / mixed)
            })
            .sum()
    }

    /// Columns and a row of distributions over as many words.
    fn distributions(raw: &[f64], k: usize) -> (Vec<f64>, Vec<f64>) {
        let w = raw.len() / (k + 1);
        let sum = |t: usize| (0..w).map(|j| raw[j * (k + 1) + t]).sum::<f64>();
        let sums: Vec<f64> = (0..=k).map(sum).collect();
        let x = (0..w * k).map(|at| raw[at / k * (k + 1) + at % k] / sums[at % k]).collect();
        let y = (0..w).map(|j| raw[j * (k + 1) + k] / sums[k]).collect();
        (x, y)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn two_topics_are_as_good_as_a_search_of_the_line(
            raw in prop::collection::vec(0.001_f64..1.0, 8 * 3),
        ) {
            let (x, y) = distributions(&raw, 2);
            let mut solver = Solver::new(&x, 2);
            let info = solver.solve(&y, 1e-6, 10_000);
            prop_assert!(info.converged && info.gap <= 1e-6);
            let found = divergence(&y, &x, &solver.b);
            let best = (0..=20_000)
                .map(|i| f64::from(i) / 20_000.0)
                .map(|b| divergence(&y, &x, &[b, 1.0 - b]))
                .fold(f64::INFINITY, f64::min);
            prop_assert!(found <= best + info.gap + 1e-12, "{found} {best}");
            prop_assert!(found >= best - 1e-6, "{found} {best}");
        }

        #[test]
        fn the_objective_never_rises_and_its_gap_is_honest(
            raw in prop::collection::vec(0.0_f64..1.0, 12 * 5),
        ) {
            let raw: Vec<f64> = raw.iter().map(|v| (v - 0.3).max(0.0) + 1e-6).collect();
            let (x, y) = distributions(&raw, 4);
            let mut solver = Solver::new(&x, 4);
            let best = {
                solver.solve(&y, 1e-10, 100_000);
                divergence(&y, &x, &solver.b)
            };
            let mut last = f64::INFINITY;
            for rounds in 0..30 {
                let info = solver.solve(&y, 1e-10, rounds);
                let now = divergence(&y, &x, &solver.b);
                prop_assert!((solver.b.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                prop_assert!(now <= last + 1e-12, "round {rounds}: {now} after {last}");
                prop_assert!(now - best <= info.gap + 1e-9, "{now} {best} {}", info.gap);
                last = now;
            }
        }
    }

    #[test]
    fn zeros_of_the_row_and_running_out_of_rounds() {
        // The row is the first anchor: all weight goes there, though the row has zeros.
        let x = [0.5, 0.2, 0.5, 0.2, FLOOR, 0.6];
        let mut solver = Solver::new(&x, 2);
        let info = solver.solve(&[0.5, 0.5, 0.0], 1e-9, 10_000);
        assert!(info.converged && solver.b[0] > 1.0 - 1e-8, "{:?}", solver.b);
        let info = solver.solve(&[0.3, 0.3, 0.4], 1e-12, 1);
        assert!(!info.converged && info.gap > 1e-12);
        assert_eq!(info.iterations, 1);
    }
}
