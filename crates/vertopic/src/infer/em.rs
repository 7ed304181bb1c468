//! Rounds of EM for the mixture of a document.
//!
//! The EM step multiplies each share by its part of the gradient, `(g_k + α_k / θ_k) / (N + Σα)` with
//! `g_k = Σ_w c_w β_wk / (θ·β_w)`. To multiply by a power of that goes further, and in turn with plain steps it settles
//! where EM does (over-relaxed EM; Salakhutdinov & Roweis 2003). The largest factor says how much there may be to gain.
//!
//! A document that teaches topics is to say what its tokens tell of each other. In the mixture above a token also finds
//! itself, and the shorter the text, the more of what topics learn from it is what they said before. So in rounds of
//! [`EmStep::LeaveOneOut`] a token is given to topics by the others of its document alone (as in CVB0; Asuncion, Welling, Smyth &
//! Teh 2009). Of the `T = N + Σα` tokens of the mixture, its own part in topic k is `θ_k β_wk / (θ·β_w)`; without it, the
//! token is in topic k in proportion to `β_wk θ_k (1 − β_wk / (T θ·β_w))`.

use crate::infer::dot;
use crate::moments::without;
use crate::simd::{Simd, sum_over};

/// One round of EM, and how often it squares its step, so that it goes 1, 2, 4, 8 … times as far. What a long step overshoots
/// the short ones after it mend, as in Chebyshev's iteration.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EmStep {
    /// Each token by all tokens.
    Full(u32),
    /// Each token by the others.
    LeaveOneOut(u32),
}

/// How far to climb: which rounds there are, by turns; how many; and the gap at which there are enough.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EmSchedule {
    pub(crate) em_steps: &'static [EmStep],
    pub(crate) most: usize,
    pub(crate) tolerance: f32,
}

impl EmSchedule {
    /// A few rounds, whatever gap they leave.
    pub(crate) const fn fixed(em_steps: &'static [EmStep]) -> Self {
        Self { em_steps, most: em_steps.len(), tolerance: -1.0 }
    }
}

/// A step goes at most so far before it is squared: squares would leave the range of numbers.
const LONGEST: f32 = 8.0;
/// Nothing is divided by what is smaller: the shares that fill up the last lane are 0.
const LEAST: f32 = 1e-30;

/// A document, and the space for its mixture.
pub(super) struct Workspace<'a, V> {
    pub(super) rows: &'a [V],
    pub(super) counts: &'a [u32],
    pub(super) alpha: &'a [V],
    pub(super) theta: &'a mut [V],
    pub(super) gradient: &'a mut [V],
    pub(super) spare: &'a mut [V],
}

/// Climbs; `n` is the number of tokens, and the prior is worth so many. Gives the rounds that it took.
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
            // Where EM settles no share is less than what the prior alone gives; from 0 there would be no way back.
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

/// A token apart from the others of its document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeftOut {
    /// `1 / (T θ·β_w)`: times `β_wk`, the part of θ_k that is its own.
    pub(crate) own: f32,
    /// `Σ_k β_wk θ_k (1 − own β_wk)`: what is left of θ·β_w without the token, for T tokens.
    pub(crate) rest: f32,
}

impl LeftOut {
    /// A token of the word of this row. Leaves `β_wk (1 − own β_wk)`.
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
