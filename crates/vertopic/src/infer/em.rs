//! EM steps for the mixture of a document.
//!
//! The EM step multiplies each share by its part of the gradient, `(g_k + α_k / θ_k) / (N + Σα)` with
//! `g_k = Σ_w c_w β_wk / (θ·β_w)`. Multiplying by a power of that factor goes further; by turns with plain
//! steps it converges to the fixed point of EM (over-relaxed EM; Salakhutdinov & Roweis 2003). The largest factor bounds the
//! possible gain.
//!
//! In training, the mixture above includes the token itself. The shorter the text, the more the topics then only confirm
//! themselves. A step of [`EmStep::LeaveOneOut`] assigns a token by the other tokens of its document alone (as in CVB0;
//! Asuncion, Welling, Smyth & Teh 2009). Of the `T = N + Σα` tokens of the mixture, the token's own part in topic k is
//! `θ_k β_wk / (θ·β_w)`. Without it, the token is in topic k in proportion to `β_wk θ_k (1 − β_wk / (T θ·β_w))`.

use crate::infer::dot;
use crate::moments::without;
use crate::simd::{Simd, sum_over};

/// One EM step. The number says how often the factor is squared: the step is 1, 2, 4, 8 … times as long. Short steps correct
/// what a long one overshoots, as in Chebyshev's iteration.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EmStep {
    /// Each token is assigned by all tokens of the document.
    Full(u32),
    /// Each token is assigned by the other tokens of the document.
    LeaveOneOut(u32),
}

/// A schedule of EM steps: the steps, taken cyclically; their largest number; the gap at which to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EmSchedule {
    pub(crate) em_steps: &'static [EmStep],
    pub(crate) most: usize,
    pub(crate) tolerance: f32,
}

impl EmSchedule {
    /// Exactly these steps, whatever gap they leave.
    pub(crate) const fn fixed(em_steps: &'static [EmStep]) -> Self {
        Self { em_steps, most: em_steps.len(), tolerance: -1.0 }
    }
}

/// Largest factor before squaring, so that squares stay in range.
const LONGEST: f32 = 8.0;
/// Smallest divisor: the padding of the last lane is 0.
const LEAST: f32 = 1e-30;

/// A document and the working space of its mixture.
pub(super) struct Workspace<'a, V> {
    pub(super) rows: &'a [V],
    pub(super) counts: &'a [u32],
    pub(super) alpha: &'a [V],
    pub(super) theta: &'a mut [V],
    pub(super) gradient: &'a mut [V],
    pub(super) spare: &'a mut [V],
}

/// Runs the schedule. `n` is the number of tokens, `prior` that of pseudo-tokens. Returns the number of steps taken.
#[inline(always)]
pub(super) fn em_steps<L: Simd>(
    simd: L,
    work: Workspace<'_, L::V>,
    prior: f32,
    n: f32,
    improve: EmSchedule,
) -> usize {
    let Workspace { rows, counts, alpha, theta, gradient, spare } = work;
    let total = n + prior;
    let (per_token, prior, longest) =
        (simd.splat(1.0 / total), simd.splat(prior), simd.splat(LONGEST));
    let enough = 1.0 + improve.tolerance * n / total;
    for (done, round) in improve.em_steps.iter().cycle().take(improve.most).enumerate() {
        gradient.fill(simd.splat(0.0));
        let documents = rows.chunks_exact(theta.len()).zip(counts);
        let squarings = match *round {
            EmStep::Full(squarings) => {
                for (row, &c) in documents {
                    let share = simd.splat(c as f32 / dot(simd, row, theta));
                    add(simd, gradient, row, share);
                }
                squarings
            }
            EmStep::LeaveOneOut(squarings) => {
                for (row, &c) in documents {
                    let left_out = LeftOut::of(simd, row, theta, total, spare);
                    add(simd, gradient, spare, simd.splat(c as f32 / left_out.rest));
                }
                squarings
            }
        };
        let mut steepest = simd.splat(0.0);
        for ((g, t), a) in gradient.iter_mut().zip(theta.iter()).zip(alpha) {
            let pull = simd.div(simd.mul(*a, prior), simd.max(*t, simd.splat(LEAST)));
            *g = simd.mul(simd.add(*g, pull), per_token);
            steepest = simd.max(steepest, *g);
        }
        if simd.most(steepest) <= enough {
            return done;
        }
        for ((t, g), a) in theta.iter_mut().zip(gradient.iter()).zip(alpha) {
            let mut step = simd.min(*g, longest);
            (0..squarings).for_each(|_| step = simd.mul(step, step));
            // At the fixed point no share is below what the prior alone gives; EM could not leave 0.
            let least = simd.mul(simd.mul(*a, prior), per_token);
            *t = simd.max(simd.mul(*t, step), least);
        }
        let sum = sum_over(
            simd,
            theta.len(),
            #[inline(always)]
            |j, sum| simd.add(sum, theta[j]),
        );
        let scale = simd.splat(1.0 / simd.sum(sum));
        theta.iter_mut().for_each(|t| *t = simd.mul(*t, scale));
    }
    improve.most
}

#[inline(always)]
fn add<L: Simd>(simd: L, gradient: &mut [L::V], row: &[L::V], share: L::V) {
    for (g, p) in gradient.iter_mut().zip(row) {
        *g = simd.mul_add(share, *p, *g);
    }
}

/// A token left out of the mixture of its document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeftOut {
    /// `1 / (T θ·β_w)`: times `β_wk`, the token's own part of θ_k.
    pub(crate) own: f32,
    /// `Σ_k β_wk θ_k (1 − own β_wk)`: θ·β_w without the token, for T tokens.
    pub(crate) rest: f32,
}

impl LeftOut {
    /// Leaves out a token of the word with this `row`. Writes `β_wk (1 − own β_wk)` to `left`.
    #[inline(always)]
    pub(crate) fn of<L: Simd>(
        simd: L,
        row: &[L::V],
        theta: &[L::V],
        total: f32,
        left: &mut [L::V],
    ) -> Self {
        let own = 1.0 / (total * dot(simd, row, theta));
        let (factor, one, n) = (simd.splat(-own), simd.splat(1.0), theta.len());
        let (row, left) = (&row[..n], &mut left[..n]);
        let rest = sum_over(
            simd,
            n,
            #[inline(always)]
            |j, rest| {
                left[j] = simd.mul(row[j], without(simd, row[j], factor, one));
                simd.mul_add(left[j], theta[j], rest)
            },
        );
        Self { own, rest: simd.sum(rest).max(LEAST) }
    }
}
