use super::*;
use crate::detect::NovelWord;
use crate::seed::{Seed, Stage};
use crate::space::Masses;
use proptest::prelude::*;

/// Points on a line in three clumps; D is the squared distance.
fn clumps() -> (Distances, Vec<usize>) {
    let at = [0.0, 10.0, 0.2, 20.3, 10.1, 0.1, 20.0, 9.9, 20.1];
    let truth = vec![0, 1, 0, 2, 1, 0, 2, 1, 2];
    let values = at.iter().flat_map(|a| at.iter().map(move |b: &f64| (a - b) * (a - b))).collect();
    (Distances::from_values(at.len(), values), truth)
}

#[test]
fn spectral_and_components_find_the_clumps() {
    let (distances, truth) = clumps();
    let ctx = Context::silent().expect("threads");
    assert_eq!(components(&distances, 1.0), truth);
    for affinity in [Affinity::Exp, Affinity::ExpMedian] {
        let found = spectral(&distances, affinity, 3, Seed(1), &ctx).expect("three clumps");
        assert_eq!(found, truth, "{affinity:?}");
    }
}

#[test]
fn distances_between_points_are_sums_over_dimensions() {
    let points: Vec<f64> = (0..7 * 3).map(|at| libm::sin(at as f64)).collect();
    let found = Distances::of_points(&points, 3, &Context::silent().expect("threads"));
    assert_eq!(found.len(), 7);
    for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
        let slow: f64 = (0..3).map(|d| (points[3 * i + d] - points[3 * j + d]).powi(2)).sum();
        assert!((found.at(i, j) - slow).abs() < 1e-12, "{i} {j}");
        assert_eq!(found.at(i, j), found.at(j, i));
    }
    assert!(Distances::of_points(&[], 3, &Context::silent().expect("threads")).is_empty());
}

#[test]
fn k_means_reaches_the_optimum_of_a_small_case() {
    // All groupings of 7 points into 3 groups, by brute force.
    let points = [0.0, 0.9, 1.1, 4.0, 4.5, 9.0, 9.7];
    let cost = |group: &[usize]| -> f64 {
        (0..3)
            .map(|g| {
                let mine: Vec<f64> =
                    points.iter().zip(group).filter(|(_, x)| **x == g).map(|(p, _)| *p).collect();
                let mean = mine.iter().sum::<f64>() / mine.len().max(1) as f64;
                mine.iter().map(|p| (p - mean).powi(2)).sum::<f64>()
            })
            .sum()
    };
    let best = (0..3_usize.pow(7))
        .map(|code| cost(&(0..7).map(|i| code / 3_usize.pow(i) % 3).collect::<Vec<_>>()))
        .fold(f64::INFINITY, f64::min);
    let found = k_means(&points, 1, 3, Seed(2), &Context::silent().expect("threads"));
    assert!((found.cost - best).abs() < 1e-12, "{} {best}", found.cost);
    assert!((cost(&found.group) - found.cost).abs() < 1e-12);
}

#[test]
fn fewer_distinct_points_than_groups_leave_groups_empty() {
    let points = [1.0, 1.0, 5.0, 5.0, 1.0];
    let found = k_means(&points, 1, 3, Seed(1), &Context::silent().expect("threads"));
    let mut used = found.group.clone();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), 2, "{found:?}");
    assert!(found.cost.abs() < 1e-12);
}

#[test]
fn weights_make_rows_that_sum_to_one() {
    let mut random = Seed(3).stream(Stage::Tie, 0);
    let rows: Vec<f64> = (0..5).map(|_| 0.1 + random.unit()).collect();
    let doubled: Vec<f64> = rows.iter().map(|r| r * 2.0).collect();
    let masses = Masses { first: &rows, second: &doubled };
    let words = [3, 0, 4].map(|word| NovelWord { word, strength: 1.0 }).to_vec();
    let novel = NovelWords { words, n_candidates: 5 };
    for representative in [Representative::Word, Representative::Average, Representative::Pooled] {
        let groups = Groups::new(&novel, &[0, 0, 0], representative, masses);
        let group = &groups.groups[0];
        let sum = |weights: &[f64], rows: &[f64]| -> f64 {
            group.words.iter().zip(weights).map(|(n, w)| w * rows[n.word as usize]).sum()
        };
        assert!((sum(&group.first, masses.first) - 1.0).abs() < 1e-12);
        assert!((sum(&group.second, masses.second) - 1.0).abs() < 1e-12);
    }
    let pooled = Groups::new(&novel, &[0, 0, 0], Representative::Pooled, masses);
    assert!(pooled.groups[0].first.windows(2).all(|w| w[0] == w[1]), "pooling adds counts");
}

proptest! {
    #[test]
    fn components_are_those_of_the_transitive_closure(
        values in prop::collection::vec(0.0_f64..4.0, 49), half in 0.0_f64..2.0,
    ) {
        let n = 7;
        let d = |i: usize, j: usize| if i == j { 0.0 } else { values[i.min(j) * n + i.max(j)] };
        let square = (0..n * n).map(|at| d(at / n, at % n)).collect();
        let found = components(&Distances::from_values(n, square), half);
        let mut reach: Vec<Vec<bool>> = (0..n).map(|i| (0..n).map(|j| d(i, j) <= half).collect()).collect();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    reach[i][j] |= reach[i][k] && reach[k][j];
                }
            }
        }
        for i in 0..n {
            for j in 0..n {
                prop_assert_eq!(found[i] == found[j], reach[i][j]);
            }
        }
    }
}
