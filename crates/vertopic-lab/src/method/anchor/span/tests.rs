//! The searches against explicit Gram-Schmidt, and closed cases.

use super::*;
use proptest::prelude::*;

pub(in super::super) const FAST: Rule = Rule { affine: true, clean_up: true };
pub(in super::super) const SPA: Rule = Rule { affine: false, clean_up: false };

fn subtract(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Distance of a point from the span of the members, by modified Gram-Schmidt on whole vectors.
fn slow_distance(point: &[f64], members: &[&[f64]], affine: bool) -> f64 {
    let (origin, rest) = match members.split_first() {
        Some((first, rest)) if affine => (first.to_vec(), rest),
        _ => (vec![0.0; point.len()], members),
    };
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let residual = |x: &[f64], basis: &[Vec<f64>]| {
        let mut left = subtract(x, &origin);
        for b in basis {
            let along = product(&left, b);
            left.iter_mut().zip(b).for_each(|(l, b)| *l -= along * b);
        }
        left
    };
    for member in rest {
        let left = residual(member, &basis);
        let norm = product(&left, &left).sqrt();
        if norm > 1e-9 {
            basis.push(left.iter().map(|v| v / norm).collect());
        }
    }
    let left = residual(point, &basis);
    product(&left, &left).sqrt()
}

/// The algorithms as printed, on whole vectors.
pub(in super::super) fn slow_search(points: &[Vec<f64>], k: usize, rule: Rule) -> Vec<usize> {
    let farthest = |members: &[usize]| {
        let chosen: Vec<&[f64]> = members.iter().map(|&m| points[m].as_slice()).collect();
        (0..points.len())
            .filter(|i| !members.contains(i))
            .map(|i| (i, slow_distance(&points[i], &chosen, rule.affine)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .expect("points")
            .0
    };
    let mut chosen = Vec::new();
    for _ in 0..k {
        chosen.push(farthest(&chosen));
    }
    if rule.clean_up {
        for i in 0..k {
            let mut others = chosen.clone();
            others.remove(i);
            chosen[i] = farthest(&others);
        }
    }
    chosen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn anchors_are_those_of_gram_schmidt(
        values in prop::collection::vec(0.0_f64..1.0, 25 * 9),
        k in 1_usize..8,
    ) {
        let ctx = Context::silent().expect("threads");
        let rows: Vec<Vec<f64>> = values.chunks(9).map(<[f64]>::to_vec).collect();
        let points = Points::new(9, values);
        let ties = vec![0; 25];
        for rule in [FAST, SPA, Rule { affine: true, clean_up: false }] {
            let found = search(&points, k, rule, &ties, &ctx);
            prop_assert_eq!(&found.positions, &slow_search(&rows, k, rule), "{:?}", rule);
            for (i, distance) in found.distances.iter().enumerate() {
                let others: Vec<&[f64]> = found.positions.iter().enumerate()
                    .filter(|&(j, _)| j != i)
                    .map(|(_, &p)| rows[p].as_slice())
                    .collect();
                let slow = slow_distance(&rows[found.positions[i]], &others, rule.affine);
                prop_assert!((distance - slow).abs() < 1e-6, "{} {}", distance, slow);
            }
        }
    }

    #[test]
    fn vertices_of_a_hull_are_found(
        weights in prop::collection::vec(0.05_f64..1.0, 30 * 4),
        vertices in prop::collection::vec(0.0_f64..1.0, 4 * 12),
    ) {
        // Points inside a simplex, and its four corners among them at 3, 11, 17 and 28.
        let corners = [3, 11, 17, 28];
        let mut values = Vec::new();
        for i in 0..30 {
            let mut b: Vec<f64> = weights[i * 4..(i + 1) * 4].to_vec();
            if let Some(c) = corners.iter().position(|&c| c == i) {
                b = (0..4).map(|t| f64::from(u8::from(t == c))).collect();
            }
            let sum: f64 = b.iter().sum();
            values.extend((0..12).map(|d| (0..4).map(|t| b[t] / sum * vertices[t * 12 + d]).sum::<f64>()));
        }
        let ctx = Context::silent().expect("threads");
        for rule in [FAST, SPA] {
            let mut found = search(&Points::new(12, values.clone()), 4, rule, &[0; 30], &ctx).positions;
            found.sort_unstable();
            prop_assert_eq!(found, corners);
        }
    }
}

#[test]
fn the_second_pass_mends_a_bad_start() {
    // (0, 10) has the largest norm and (9.5, −2) is farthest from it, but (−9.4, −2) from that one.
    let values = vec![0.0, 10.0, 9.5, -2.0, -9.4, -2.0, 1.0, 1.0];
    let ctx = Context::silent().expect("threads");
    let points = Points::new(2, values);
    let first = search(&points, 2, Rule { clean_up: false, ..FAST }, &[0; 4], &ctx);
    assert_eq!((first.positions, first.replaced), (vec![0, 1], 0));
    let found = search(&points, 2, FAST, &[0; 4], &ctx);
    assert_eq!((&found.positions, found.replaced), (&vec![2, 1], 1));
    assert!(found.distances.iter().all(|d| (d - 18.9).abs() < 1e-12), "{:?}", found.distances);
}

#[test]
fn ties_are_decided_by_the_coin_and_no_point_is_chosen_twice() {
    let ctx = Context::silent().expect("threads");
    // Three equal points and a shorter one.
    let points = Points::new(2, vec![2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 1.0, 0.0]);
    let found = search(&points, 1, FAST, &[5, 1, 3, 0], &ctx);
    assert_eq!(found.positions, [1]);
    for rule in [FAST, SPA] {
        let mut all = search(&points, 4, rule, &[5, 1, 3, 0], &ctx).positions;
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }
    assert_eq!(search(&points, 2, SPA, &[5, 1, 3, 0], &ctx).distances, [0.0, 0.0]);
}

#[test]
fn members_come_out_as_they_went_in() {
    let ctx = Context::silent().expect("threads");
    let values: Vec<f64> = (0..40).map(|i| libm::sin(f64::from(i * i))).collect();
    let points = Points::new(5, values);
    for affine in [false, true] {
        let mut span = Span::new(&points, affine, 3);
        let mut seen = vec![span.distances().to_vec()];
        for member in [2, 5, 7] {
            span.push(member, &points.products(member, &ctx), &ctx);
            assert!(span.distances()[member] < 1e-12);
            seen.push(span.distances().to_vec());
        }
        while let Some(last) = seen.pop() {
            assert_eq!(span.distances(), last);
            span.pop();
        }
        assert_eq!(span.distances(), points.norms, "nothing to take out of nothing");
    }
}
