//! The mixture of one document, roughly and fast: a few rounds of EM with long steps, eight topics at a time.

use crate::infer::Table;
use crate::lanes::{self, Kernel, LANES, Lane, Lanes};

/// How far to climb: how often each round of EM squares its step, in turn, so that it goes 2, 4, 1, 8 … times as far; how
/// many rounds; and the gap at which there are enough. What a long step overshoots the short ones after it mend, as in
/// Chebyshev's iteration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Climb {
    pub(crate) squarings: &'static [u32],
    pub(crate) rounds: usize,
    pub(crate) tolerance: f32,
}

impl Climb {
    /// A fixed number of rounds, for mixtures that will soon be found again. Documents of NIPS lack .001 nats a token after
    /// them.
    pub(crate) const ROUGH: Self =
        Self { squarings: &[1, 2, 0, 3, 1, 2, 0, 0], rounds: 8, tolerance: -1.0 };
}

/// A step goes at most so far before it is squared: squares would leave the range of numbers.
const LONGEST: f32 = 8.0;
/// No share is divided by if it is smaller: those that fill up the last lane are 0.
const LEAST: f32 = 1e-30;

/// Mixtures of one document after the other, with the working space.
#[derive(Debug)]
pub(crate) struct Mixer<'a> {
    table: &'a Table,
    /// Rows of the document's words, gathered so that every round reads them in order.
    pub(crate) rows: Vec<Lane>,
    pub(crate) theta: Vec<Lane>,
    gradient: Vec<Lane>,
}

impl<'a> Mixer<'a> {
    pub(crate) fn new(table: &'a Table) -> Self {
        let zero = vec![[0.0; LANES]; table.lanes()];
        Self { table, rows: Vec::new(), theta: zero.clone(), gradient: zero }
    }

    /// Turns to a document of these words; its mixture is the prior.
    pub(crate) fn enter(&mut self, words: &[u32]) {
        self.rows.clear();
        words.iter().for_each(|&w| self.rows.extend_from_slice(self.table.row(w)));
        self.theta.copy_from_slice(&self.table.prior);
    }

    /// Improves the mixture by rounds of EM; the prior is worth so many tokens. Gives the rounds that it took.
    ///
    /// The EM step multiplies each share by its part of the gradient, `(g_k + α_k / θ_k) / (N + Σα)`. To multiply by a power
    /// of that goes further, and in turn with plain steps it settles where EM does (over-relaxed EM; Salakhutdinov & Roweis
    /// 2003). The largest of these factors says how much there may be left to gain.
    pub(crate) fn climb(&mut self, counts: &[u32], prior: f32, climb: Climb) -> usize {
        let n: f32 = counts.iter().map(|&c| c as f32).sum();
        if n == 0.0 {
            return 0;
        }
        let Self { table, rows, theta, gradient } = self;
        lanes::run(Climbing { rows, counts, theta, gradient, table, prior, n, climb })
    }

    /// `θ·β_w` of a word under the mixture at hand.
    pub(crate) fn probability(&self, word: u32) -> f32 {
        lanes::run(Dot { row: self.table.row(word), theta: &self.theta })
    }
}

struct Dot<'a> {
    row: &'a [Lane],
    theta: &'a [Lane],
}

impl Kernel for Dot<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> f32 {
        dot(lanes, L::view(self.row), L::view(self.theta))
    }
}

#[inline(always)]
pub(crate) fn dot<L: Lanes>(lanes: L, row: &[L::V], theta: &[L::V]) -> f32 {
    let mut sum = lanes.splat(0.0);
    for (p, t) in row.iter().zip(theta) {
        sum = lanes.add(sum, lanes.mul(*p, *t));
    }
    lanes.sum(sum)
}

struct Climbing<'a> {
    rows: &'a [Lane],
    counts: &'a [u32],
    theta: &'a mut [Lane],
    gradient: &'a mut [Lane],
    table: &'a Table,
    prior: f32,
    n: f32,
    climb: Climb,
}

impl Kernel for Climbing<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        // With a number of lanes that the compiler knows, θ and its gradient stay in registers.
        match self.theta.len() {
            1 => self.of::<L, 1>(lanes),
            2 => self.of::<L, 2>(lanes),
            3 => self.of::<L, 3>(lanes),
            4 => self.of::<L, 4>(lanes),
            5 => self.of::<L, 5>(lanes),
            6 => self.of::<L, 6>(lanes),
            7 => self.of::<L, 7>(lanes),
            8 => self.of::<L, 8>(lanes),
            10 => self.of::<L, 10>(lanes),
            13 => self.of::<L, 13>(lanes),
            _ => {
                let Self { rows, counts, theta, gradient, table, prior, n, climb } = self;
                let (theta, gradient) = (L::view_mut(theta), L::view_mut(gradient));
                rounds(lanes, L::view(rows), counts, theta, gradient, table, prior, n, climb)
            }
        }
    }
}

impl Climbing<'_> {
    #[inline(always)]
    fn of<L: Lanes, const N: usize>(self, lanes: L) -> usize {
        let Self { rows, counts, theta, table, prior, n, climb, .. } = self;
        let mut own = [lanes.splat(0.0); N];
        let mut gradient = own;
        let theta = L::view_mut(theta);
        own.copy_from_slice(theta);
        let rows = L::view(rows);
        let took = rounds(lanes, rows, counts, &mut own, &mut gradient, table, prior, n, climb);
        theta.copy_from_slice(&own);
        took
    }
}

#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "inlined, once for each number of lanes")]
fn rounds<L: Lanes>(
    lanes: L,
    rows: &[L::V],
    counts: &[u32],
    theta: &mut [L::V],
    gradient: &mut [L::V],
    table: &Table,
    prior: f32,
    n: f32,
    climb: Climb,
) -> usize {
    let (per_token, prior) = (lanes.splat(1.0 / (n + prior)), lanes.splat(prior));
    let longest = lanes.splat(LONGEST);
    let enough = 1.0 + climb.tolerance * n / (n + 1.0);
    for (round, squarings) in climb.squarings.iter().cycle().take(climb.rounds).enumerate() {
        gradient.fill(lanes.splat(0.0));
        for (row, &c) in rows.chunks_exact(theta.len()).zip(counts) {
            let share = lanes.splat(c as f32 / dot(lanes, row, theta));
            for (g, p) in gradient.iter_mut().zip(row) {
                *g = lanes.add(*g, lanes.mul(share, *p));
            }
        }
        let mut steepest = lanes.splat(0.0);
        for ((g, t), a) in gradient.iter_mut().zip(theta.iter()).zip(L::view(&table.prior)) {
            let pull = lanes.div(lanes.mul(*a, prior), lanes.max(*t, lanes.splat(LEAST)));
            *g = lanes.mul(lanes.add(*g, pull), per_token);
            steepest = lanes.max(steepest, *g);
        }
        if lanes.most(steepest) <= enough {
            return round;
        }
        let mut sum = lanes.splat(0.0);
        for ((t, g), a) in theta.iter_mut().zip(gradient.iter()).zip(L::view(&table.prior)) {
            let mut step = lanes.min(*g, longest);
            (0..*squarings).for_each(|_| step = lanes.mul(step, step));
            // Where EM settles no share is less than what the prior alone gives; from 0 there would be no way back.
            let least = lanes.mul(lanes.mul(*a, prior), per_token);
            *t = lanes.max(lanes.mul(*t, step), least);
            sum = lanes.add(sum, *t);
        }
        let scale = lanes.splat(1.0 / lanes.sum(sum));
        theta.iter_mut().for_each(|t| *t = lanes.mul(*t, scale));
    }
    climb.rounds
}
