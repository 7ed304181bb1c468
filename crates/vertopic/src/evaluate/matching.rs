//! Distance between two sets of topics after the best matching, as the paper reports it.

use crate::estimate::Topics;

/// For each row of a square cost matrix (in row order) the column it is matched with, so that the total
/// cost is least.
///
/// The shortest augmenting path form of the Hungarian method, `O(n³)`.
///
/// ```
/// use vertopic::evaluate::best_matching;
/// assert_eq!(best_matching(&[4., 1., 3., 2., 0., 5., 3., 2., 2.], 3), [1, 0, 2]);
/// ```
pub fn best_matching(cost: &[f64], n: usize) -> Vec<usize> {
    // Row and column n are sentinels; `row_of[j]` is the row matched with column j.
    let (mut u, mut v) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    let mut row_of = vec![n; n + 1];
    for row in 0..n {
        row_of[n] = row;
        let mut least = vec![f64::INFINITY; n];
        let mut came_from = vec![n; n];
        let mut done = vec![false; n + 1];
        let mut at = n;
        while row_of[at] != n {
            done[at] = true;
            let i = row_of[at];
            let (mut next, mut delta) = (n, f64::INFINITY);
            for j in (0..n).filter(|&j| !done[j]) {
                let reduced = cost[i * n + j] - u[i] - v[j];
                if reduced < least[j] {
                    (least[j], came_from[j]) = (reduced, at);
                }
                if least[j] < delta {
                    (next, delta) = (j, least[j]);
                }
            }
            for j in 0..=n {
                if done[j] {
                    u[row_of[j]] += delta;
                    v[j] -= delta;
                } else if j < n {
                    least[j] -= delta;
                }
            }
            at = next;
        }
        while at != n {
            let before = came_from[at];
            row_of[at] = row_of[before];
            at = before;
        }
    }
    let mut column_of = vec![0; n];
    (0..n).for_each(|j| column_of[row_of[j]] = j);
    column_of
}

/// Sum over the topics of the ℓ1 distance to the matched topic, under the best matching.
///
/// Both have the same number of topics and of words; otherwise it panics.
pub fn l1_error(truth: &Topics, found: &Topics) -> f64 {
    let k = truth.n_topics();
    assert_eq!((k, truth.n_words()), (found.n_topics(), found.n_words()), "same shape");
    let distance = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(x, y)| (f64::from(*x) - f64::from(*y)).abs()).sum()
    };
    let cost: Vec<f64> =
        (0..k * k).map(|at| distance(truth.topic(at / k), found.topic(at % k))).collect();
    best_matching(&cost, k).iter().enumerate().map(|(i, &j)| cost[i * k + j]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn permutations(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![Vec::new()];
        }
        let shorter = permutations(n - 1);
        let insert = |p: &Vec<usize>, at: usize| {
            let mut p = p.clone();
            p.insert(at, n - 1);
            p
        };
        shorter.iter().flat_map(|p| (0..n).map(move |at| insert(p, at))).collect()
    }

    proptest! {
        #[test]
        fn no_permutation_is_cheaper(cost in prop::collection::vec(0.0_f64..10.0, 25)) {
            let total = |p: &[usize]| -> f64 { p.iter().enumerate().map(|(i, &j)| cost[i * 5 + j]).sum() };
            let found = best_matching(&cost, 5);
            let mut sorted = found.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..5).collect::<Vec<_>>());
            let best = permutations(5).iter().map(|p| total(p)).fold(f64::INFINITY, f64::min);
            prop_assert!((total(&found) - best).abs() < 1e-9);
        }
    }

    #[test]
    fn the_error_ignores_the_order_of_topics() {
        let a = Topics::new(2, vec![1.0, 0.0, 0.25, 0.75]).expect("rows");
        let b = Topics::new(2, vec![0.25, 0.75, 0.9, 0.1]).expect("rows");
        assert!((l1_error(&a, &b) - 0.2).abs() < 1e-6);
        assert!(l1_error(&a, &a).abs() < 1e-12);
    }
}
