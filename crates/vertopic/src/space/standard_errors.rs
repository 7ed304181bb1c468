//! Data-dependent projections of points with standard errors.
//!
//! As in Algorithm 1 a word i is projected on itself: it is novel when every word j that is far from it is
//! clearly less correlated with it than it is with itself, `⟨y_i, y_i − y_j⟩ > 0`. Standard errors, not thresholds, say
//! what is far and what is clear. With v the squared standard error of a point per dimension,
//!
//! * j is far from i when `‖y_i − y_j‖` is more than [`FAR`] standard errors, `‖y_i − y_j‖² > FAR² (v_i + v_j) rank`;
//! * the margin of i over j is `⟨y_i, y_i − y_j⟩` in units of its standard error, the square root of
//!   `v_i ‖2 y_i − y_j‖² + v_j ‖y_i‖²` (to first order).
//!
//! The margin of a word is the least over the far words: how many standard errors the word is from failing.
//!
//! Cost: `O(A² rank)` for A candidates.

use rayon::prelude::*;

use crate::context::Context;
use crate::embed::Embedding;
use crate::space::dot;

/// Standard errors at which two points are told apart.
pub(super) const FAR: f64 = 3.0;

/// The least margin of each candidate over the words far from it; infinite if there is none.
pub(super) fn margins(embedding: &Embedding, candidates: &[u32], ctx: &Context<'_>) -> Vec<f64> {
    let rank = embedding.rank();
    let centre = embedding.centre(ctx);
    let points: Vec<f64> = candidates.iter().flat_map(|&w| embedding.point(w as usize)).collect();
    let squares: Vec<f64> = points.chunks(rank).map(|y| dot(y, y)).collect();
    let errors: Vec<f64> = points
        .chunks(rank)
        .zip(candidates)
        .map(|(y, &w)| {
            let distance: f64 = y.iter().zip(&centre).map(|(y, c)| (y - c) * (y - c)).sum();
            embedding.noise[w as usize] * distance / rank as f64
        })
        .collect();
    let progress = ctx.stage("comparing words", candidates.len() as u64);
    let margin = |i: usize| {
        let (y, own, v) = (&points[i * rank..(i + 1) * rank], squares[i], errors[i]);
        let mut least = f64::INFINITY;
        for (j, other) in points.chunks(rank).enumerate() {
            let together = dot(y, other);
            let apart = own - 2.0 * together + squares[j];
            if apart <= FAR * FAR * (v + errors[j]) * rank as f64 {
                continue;
            }
            let variance = variance([own, together, squares[j]], [v, errors[j]]);
            least = least.min((own - together) / variance.max(f64::MIN_POSITIVE).sqrt());
        }
        progress.advance(1);
        least
    };
    ctx.install(|| (0..candidates.len()).into_par_iter().map(margin).collect())
}

/// Squared standard error of `⟨y_i, y_i − y_j⟩`, given `⟨y_i, y_i⟩`, `⟨y_i, y_j⟩` and `⟨y_j, y_j⟩`.
fn variance([own, together, other]: [f64; 3], [v_i, v_j]: [f64; 2]) -> f64 {
    v_i * (4.0 * own - 4.0 * together + other) + v_j * own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{Seed, Stage};

    #[test]
    fn the_standard_error_is_the_standard_deviation_over_draws() {
        let mut random = Seed(1).stream(Stage::Tie, 0);
        let mut gaussian = || (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
        let (y, z, v) = ([1.0, 2.0, -1.0], [0.5, 1.0, 1.0], [1e-4, 4e-4_f64]);
        let n = 20_000;
        let mut squares = 0.0;
        let truth = dot(&y, &y) - dot(&y, &z);
        for _ in 0..n {
            let near =
                |p: [f64; 3], v: f64, g: &mut dyn FnMut() -> f64| p.map(|x| x + v.sqrt() * g());
            let (y, z) = (near(y, v[0], &mut gaussian), near(z, v[1], &mut gaussian));
            squares += (dot(&y, &y) - dot(&y, &z) - truth).powi(2);
        }
        let ratio = squares / f64::from(n) / variance([dot(&y, &y), dot(&y, &z), dot(&z, &z)], v);
        assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
    }
}
