//! k-means, the last step of spectral clustering. Deterministic: starts are drawn from the seed, the best of several is
//! kept, and ties go to the lower number.

use crate::cluster::panels::PointPanels;
use crate::context::Context;
use crate::seed::{Seed, Stage, Stream};

/// Number of starts.
const STARTS: u64 = 20;
/// Largest number of rounds of assigning and averaging.
const ROUNDS: usize = 100;

/// A grouping of points and its cost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grouped {
    /// Group of each point. With fewer distinct points than groups some groups are empty.
    pub(crate) group: Vec<usize>,
    /// Sum of squared distances of the points to the centres of their groups.
    pub(crate) cost: f64,
}

/// Groups `points`, each of `dimension` coordinates, into `k` groups.
pub(crate) fn k_means(
    points: &[f64],
    dimension: usize,
    k: usize,
    seed: Seed,
    ctx: &Context<'_>,
) -> Grouped {
    let panels = PointPanels::of(points, dimension);
    let tries = ctx.map_with_scratch(
        (0..STARTS).collect(),
        || (),
        |(), start| one_start(points, &panels, k, seed.stream(Stage::Centres, start)),
    );
    tries
        .into_iter()
        .reduce(|best, next| if next.cost < best.cost { next } else { best })
        .unwrap_or_else(|| unreachable!("there is at least one start"))
}

/// Lloyd's rounds from centres drawn by k-means++ (Arthur & Vassilvitskii 2007).
fn one_start(points: &[f64], panels: &PointPanels, k: usize, mut random: Stream) -> Grouped {
    let dimension = panels.dimension;
    let point = |i: usize| &points[i * dimension..(i + 1) * dimension];
    let n = points.len() / dimension;
    let mut centres = spread(points, panels, k, &mut random);
    let mut group = vec![usize::MAX; n];
    let mut near = vec![0.0; n];
    for _ in 0..ROUNDS {
        let before = group.clone();
        PointPanels::of(&centres, dimension).nearest(points, &mut group, &mut near);
        if group == before {
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
                // An empty group restarts at the point farthest from its centre.
                centre.copy_from_slice(point(far));
                near[far] = 0.0;
            }
        }
    }
    Grouped { group, cost: near.iter().sum() }
}

/// First centres: each is drawn with probability proportional to its squared distance from the centres before it.
fn spread(points: &[f64], panels: &PointPanels, k: usize, random: &mut Stream) -> Vec<f64> {
    let dimension = panels.dimension;
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
        panels.closer(point(chosen), &mut near);
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
