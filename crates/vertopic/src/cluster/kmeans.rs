//! k-means: the last step of spectral clustering. Deterministic: the starts are drawn from the seed,
//! the best of several is kept, and ties go to the lower number.

use rayon::prelude::*;

use crate::lanes;
use crate::run::Run;
use crate::seed::{Seed, Stage, Stream};

/// How many starts are tried.
const STARTS: u64 = 20;
/// Rounds of assigning and averaging, at most.
const ROUNDS: usize = 100;

/// A grouping of points and its cost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grouped {
    /// Group of each point. Some group may be empty where there are fewer distinct points than groups.
    pub(crate) group: Vec<usize>,
    /// Sum of squared distances of the points to the centres of their groups.
    pub(crate) cost: f64,
}

/// Groups points of `dimension` coordinates (one after the other in `points`) into `k` groups.
pub(crate) fn k_means(
    points: &[f64],
    dimension: usize,
    k: usize,
    seed: Seed,
    run: &Run<'_>,
) -> Grouped {
    let tries: Vec<Grouped> = run.install(|| {
        (0..STARTS)
            .into_par_iter()
            .map(|start| one_start(points, dimension, k, seed.stream(Stage::Centres, start)))
            .collect()
    });
    tries
        .into_iter()
        .reduce(|best, next| if next.cost < best.cost { next } else { best })
        .unwrap_or_else(|| unreachable!("there is at least one start"))
}

fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// Squared distances of a point from all centres at once, which stand in columns.
fn all_squared(point: &[f64], columns: &[f64], distances: &mut [f64]) {
    distances.fill(0.0);
    lanes::wide(
        #[inline(always)]
        || {
            for (x, coordinates) in point.iter().zip(columns.chunks(distances.len())) {
                for (d, c) in distances.iter_mut().zip(coordinates) {
                    *d += (x - c) * (x - c);
                }
            }
        },
    );
}

/// Lloyd's rounds from centres drawn by k-means++ (Arthur & Vassilvitskii 2007).
fn one_start(points: &[f64], dimension: usize, k: usize, mut random: Stream) -> Grouped {
    let point = |i: usize| &points[i * dimension..(i + 1) * dimension];
    let n = points.len() / dimension;
    let mut centres = spread(points, dimension, k, &mut random);
    let mut group = vec![usize::MAX; n];
    let mut near = vec![0.0; n];
    let (mut columns, mut distances) = (vec![0.0; centres.len()], vec![0.0; k]);
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (at, column) in columns.iter_mut().enumerate() {
            *column = centres[at % k * dimension + at / k];
        }
        for i in 0..n {
            all_squared(point(i), &columns, &mut distances);
            let (mut best, mut least) = (0, f64::INFINITY);
            for (c, &d) in distances.iter().enumerate() {
                if d < least {
                    (best, least) = (c, d);
                }
            }
            changed |= group[i] != best;
            (group[i], near[i]) = (best, least);
        }
        if !changed {
            break;
        }
        let mut sizes = vec![0_usize; k];
        centres.fill(0.0);
        for (i, &g) in group.iter().enumerate() {
            sizes[g] += 1;
            let centre = &mut centres[g * dimension..(g + 1) * dimension];
            centre.iter_mut().zip(point(i)).for_each(|(c, x)| *c += x);
        }
        for (g, &size) in sizes.iter().enumerate() {
            let centre = &mut centres[g * dimension..(g + 1) * dimension];
            if size > 0 {
                centre.iter_mut().for_each(|c| *c /= size as f64);
            } else if let Some(far) =
                (0..n).max_by(|&a, &b| near[a].total_cmp(&near[b]).then(b.cmp(&a)))
            {
                // An empty group starts anew at the point that fits its group worst.
                centre.copy_from_slice(point(far));
                near[far] = 0.0;
            }
        }
    }
    Grouped { group, cost: near.iter().sum() }
}

/// First centres: each next one drawn with probability proportional to its squared distance from those
/// there are.
fn spread(points: &[f64], dimension: usize, k: usize, random: &mut Stream) -> Vec<f64> {
    let n = points.len() / dimension;
    let point = |i: usize| &points[i * dimension..(i + 1) * dimension];
    let mut chosen = ((random.unit() * n as f64) as usize).min(n - 1);
    let mut near = vec![f64::INFINITY; n];
    let mut centres = Vec::with_capacity(k * dimension);
    loop {
        centres.extend_from_slice(point(chosen));
        if centres.len() == k * dimension {
            return centres;
        }
        for (i, d) in near.iter_mut().enumerate() {
            *d = d.min(squared(point(i), point(chosen)));
        }
        let total: f64 = near.iter().sum();
        let mut left = random.unit() * total;
        chosen = near
            .iter()
            .position(|&d| {
                left -= d;
                left < 0.0
            })
            .unwrap_or(n - 1);
    }
}
