//! Half-sample stability: does each half of the documents have the topics, too?

use rayon::prelude::*;

use crate::context::Context;
use crate::estimate::Topics;
use crate::evaluate::best_matching;
use crate::simd;

/// How much of each topic is found again in both halves of the documents.
///
/// The topics of each half are matched with `topics` by the Bhattacharyya coefficient, Σ_w √(p(w) q(w)): 1 for equal topics,
/// 0 for topics without a common word. The smaller of the two coefficients counts: a topic that depends on a few documents
/// is missing from one half. The halves are not compared with each other, because a topic they share that is not among
/// `topics` would then count in favour of whatever it is matched with.
///
/// `None` if a half has another number of topics.
///
/// ```
/// use vertopic::{estimate::Topics, evaluate::half_sample_stability, context::Context};
/// let whole = Topics::new(3, vec![1., 0., 0., 0., 0.5, 0.5])?;
/// let half = Topics::new(3, vec![0., 0., 1., 1., 0., 0.])?;
/// let again = half_sample_stability(&whole, [&whole, &half], &Context::silent()?).unwrap();
/// assert_eq!(again[0], 1.0);
/// assert!((again[1] - 0.5_f64.sqrt()).abs() < 1e-6);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn half_sample_stability(
    topics: &Topics,
    halves: [&Topics; 2],
    ctx: &Context<'_>,
) -> Option<Vec<f64>> {
    let (k, w) = (topics.n_topics(), topics.n_words());
    if halves.iter().any(|half| (half.n_topics(), half.n_words()) != (k, w)) {
        return None;
    }
    let roots = |topics: &Topics| -> Vec<f32> {
        ctx.install(|| topics.values().par_iter().map(|p| p.sqrt()).collect())
    };
    let whole = roots(topics);
    let mut again = vec![1.0_f64; k];
    for half in halves.map(roots) {
        let row = |at: usize| dot(&whole[at / k * w..][..w], &half[at % k * w..][..w]);
        let cost: Vec<f64> =
            ctx.install(|| (0..k * k).into_par_iter().map(|at| -row(at)).collect());
        for (topic, matched) in best_matching(&cost, k).into_iter().enumerate() {
            again[topic] = again[topic].min(-cost[topic * k + matched]);
        }
    }
    Some(again)
}

/// The inner product, by eight independent sums: a model may have many pairs of topics.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0_f32; 8];
    simd::vectorized(
        #[inline(always)]
        || {
            for (x, y) in a.iter().zip(b) {
                (0..8).for_each(|i| sums[i] += x[i] * y[i]);
            }
        },
    );
    let rest = a_rest.iter().zip(b_rest).map(|(x, y)| x * y);
    sums.into_iter().chain(rest).map(f64::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_coefficient_counts_and_order_does_not() {
        let ctx = Context::silent().expect("threads");
        let whole = Topics::new(4, vec![1., 0., 0., 0., 0., 0.5, 0.5, 0., 0., 0., 0., 1.]);
        let one = Topics::new(4, vec![0., 0., 0., 1., 0.25, 0.75, 0., 0., 0.64, 0., 0., 0.36]);
        let (whole, one) = (whole.expect("rows"), one.expect("rows"));
        let again = half_sample_stability(&whole, [&one, &whole], &ctx).expect("one size");
        for (found, expected) in again.iter().zip([0.8, 0.375_f64.sqrt(), 1.0]) {
            assert!((found - expected).abs() < 1e-6, "{again:?}");
        }
        assert_eq!(half_sample_stability(&whole, [&whole, &one], &ctx), Some(again));
        let two = Topics::new(4, vec![0.25; 8]).expect("rows");
        assert_eq!(half_sample_stability(&whole, [&whole, &two], &ctx), None);
    }

    #[test]
    fn inner_products_have_all_terms() {
        for n in [0, 1, 7, 8, 9, 35] {
            let a: Vec<f32> = (0..n).map(|i| (i % 5) as f32).collect();
            let b: Vec<f32> = (0..n).map(|i| (i % 3) as f32 - 1.0).collect();
            let slow: f64 = a.iter().zip(&b).map(|(x, y)| f64::from(x * y)).sum();
            assert!((dot(&a, &b) - slow).abs() < 1e-12, "{n}");
        }
    }
}
