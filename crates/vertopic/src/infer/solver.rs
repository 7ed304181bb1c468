//! The mixture of one document, approximately and fast: a few over-relaxed EM steps, several topics per instruction.

use crate::infer::TopicWordTable;
use crate::infer::em::{EmSchedule, Workspace, em_steps};
use crate::simd::{self, Kernel, Lane, Rows, Simd, sum_over};

/// Infers the mixture of one document at a time, with its working space.
#[derive(Debug)]
pub(crate) struct MixtureSolver<'a> {
    table: &'a TopicWordTable,
    /// Rows of the document's words, gathered so that every step reads them in order.
    pub(crate) rows: Rows,
    pub(crate) theta: Rows,
    gradient: Rows,
    spare: Rows,
}

impl<'a> MixtureSolver<'a> {
    pub(crate) fn new(table: &'a TopicWordTable) -> Self {
        let zero = Rows::zeros(table.lanes());
        let (theta, gradient, spare) = (zero.clone(), zero.clone(), zero);
        Self { table, rows: Rows::default(), theta, gradient, spare }
    }

    /// Loads a document with these `words`; its mixture starts at the prior.
    pub(crate) fn load(&mut self, words: &[u32]) {
        self.rows.clear();
        words.iter().for_each(|&w| self.rows.extend_from_slice(self.table.row(w)));
        self.theta.copy_from_slice(&self.table.prior);
    }

    /// Improves the mixture by EM steps. `prior` is the number of pseudo-tokens of the prior. Returns the number of steps.
    pub(crate) fn improve(&mut self, counts: &[u32], prior: f32, improve: EmSchedule) -> usize {
        let n: f32 = counts.iter().map(|&c| c as f32).sum();
        if n == 0.0 {
            return 0;
        }
        let Self { table, rows, theta, gradient, spare } = self;
        let alpha = &table.prior;
        simd::run(Solve { rows, counts, alpha, theta, gradient, spare, prior, n, improve })
    }

    /// `θ·β_w` of `word` under the current mixture.
    pub(crate) fn probability(&self, word: u32) -> f32 {
        simd::run(Dot { row: self.table.row(word), theta: &self.theta })
    }
}

struct Dot<'a> {
    row: &'a [Lane],
    theta: &'a [Lane],
}

impl Kernel for Dot<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> f32 {
        dot(simd, L::view(self.row), L::view(self.theta))
    }
}

#[inline(always)]
pub(crate) fn dot<L: Simd>(simd: L, row: &[L::V], theta: &[L::V]) -> f32 {
    // Equal lengths let the compiler drop bounds checks.
    let n = row.len().min(theta.len());
    let (row, theta) = (&row[..n], &theta[..n]);
    simd.sum(sum_over(
        simd,
        n,
        #[inline(always)]
        |j, sum| simd.mul_add(row[j], theta[j], sum),
    ))
}

struct Solve<'a> {
    rows: &'a [Lane],
    counts: &'a [u32],
    alpha: &'a [Lane],
    theta: &'a mut [Lane],
    gradient: &'a mut [Lane],
    spare: &'a mut [Lane],
    prior: f32,
    n: f32,
    improve: EmSchedule,
}

impl Kernel for Solve<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> usize {
        // With a number of simd that the compiler knows, θ and its gradient stay in registers.
        match L::view(self.theta).len() {
            1 => self.of::<L, 1>(simd),
            2 => self.of::<L, 2>(simd),
            3 => self.of::<L, 3>(simd),
            4 => self.of::<L, 4>(simd),
            5 => self.of::<L, 5>(simd),
            6 => self.of::<L, 6>(simd),
            7 => self.of::<L, 7>(simd),
            8 => self.of::<L, 8>(simd),
            10 => self.of::<L, 10>(simd),
            13 => self.of::<L, 13>(simd),
            _ => {
                let Self { rows, counts, alpha, theta, gradient, spare, prior, n, improve } = self;
                let (rows, alpha, theta) = (L::view(rows), L::view(alpha), L::view_mut(theta));
                let (gradient, spare) = (L::view_mut(gradient), L::view_mut(spare));
                let work = Workspace { rows, counts, alpha, theta, gradient, spare };
                em_steps(simd, work, prior, n, improve)
            }
        }
    }
}

impl Solve<'_> {
    #[inline(always)]
    fn of<L: Simd, const N: usize>(self, simd: L) -> usize {
        let mut alpha = [simd.splat(0.0); N];
        let (mut theta, mut gradient, mut spare) = (alpha, alpha, alpha);
        alpha.copy_from_slice(L::view(self.alpha));
        theta.copy_from_slice(L::view(self.theta));
        let work = Workspace {
            rows: L::view(self.rows),
            counts: self.counts,
            alpha: &alpha,
            theta: &mut theta,
            gradient: &mut gradient,
            spare: &mut spare,
        };
        let took = em_steps(simd, work, self.prior, self.n, self.improve);
        L::view_mut(self.theta).copy_from_slice(&theta);
        took
    }
}
