//! Points in panels: the first coordinates of 16 points, then their second coordinates, and so on. Squared distances from
//! other points are summed side by side in registers, each in the order of the coordinates.

use crate::simd;

/// Points of a panel.
const PANEL: usize = 16;
/// Points that are compared with a panel at once.
const TOGETHER: usize = 4;

/// Points of `dimension` coordinates.
#[derive(Debug)]
pub(super) struct PointPanels {
    pub(super) dimension: usize,
    points: usize,
    /// A panel has `dimension` of these; the last is filled up with zeros.
    coordinates: Vec<[f64; PANEL]>,
}

impl PointPanels {
    /// Panels of `points`, whose coordinates stand one after the other.
    pub(super) fn of(points: &[f64], dimension: usize) -> Self {
        let panels = points.chunks(PANEL * dimension);
        let mut coordinates = Vec::with_capacity(panels.len() * dimension);
        for panel in panels {
            coordinates.extend((0..dimension).map(|j| {
                let mut line = [0.0; PANEL];
                line.iter_mut().zip(panel.chunks(dimension)).for_each(|(to, x)| *to = x[j]);
                line
            }));
        }
        Self { dimension, points: points.len() / dimension, coordinates }
    }

    /// For each of the `others` the nearest of these points and its squared distance. Ties go to the lower number.
    pub(super) fn nearest(&self, others: &[f64], which: &mut [usize], near: &mut [f64]) {
        which.fill(0);
        near.fill(f64::INFINITY);
        for (at, panel) in self.coordinates.chunks(self.dimension).enumerate() {
            let first = at * PANEL;
            let used = PANEL.min(self.points - first);
            let mut settle = |i: usize, distances: &[f64; PANEL]| {
                for (c, &d) in distances[..used].iter().enumerate() {
                    if d < near[i] {
                        (which[i], near[i]) = (first + c, d);
                    }
                }
            };
            let mut together = others.chunks_exact(TOGETHER * self.dimension);
            let mut i = 0;
            for four in together.by_ref() {
                let four = std::array::from_fn(|p| &four[p * self.dimension..][..self.dimension]);
                for distances in squared::<TOGETHER>(four, panel) {
                    settle(i, &distances);
                    i += 1;
                }
            }
            for one in together.remainder().chunks(self.dimension) {
                settle(i, &squared([one], panel)[0]);
                i += 1;
            }
        }
    }

    /// Lowers each squared distance in `near` to that from `point`, where that is smaller.
    pub(super) fn closer(&self, point: &[f64], near: &mut [f64]) {
        let panels = self.coordinates.chunks(self.dimension);
        for (near, panel) in near.chunks_mut(PANEL).zip(panels) {
            let [distances] = squared([point], panel);
            near.iter_mut().zip(distances).for_each(|(near, d)| *near = near.min(d));
        }
    }
}

/// Squared distances of some points from those of a panel.
#[inline]
fn squared<const N: usize>(points: [&[f64]; N], panel: &[[f64; PANEL]]) -> [[f64; PANEL]; N] {
    // Slices of one length: without bounds checks the sums stay in registers.
    let points = points.map(|point| &point[..panel.len()]);
    simd::vectorized(
        #[inline(always)]
        || {
            let mut sums = [[0.0; PANEL]; N];
            for j in 0..panel.len() {
                for p in 0..N {
                    let x = points[p][j];
                    for c in 0..PANEL {
                        let apart = x - panel[j][c];
                        sums[p][c] += apart * apart;
                    }
                }
            }
            sums
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{Seed, Stage};

    #[test]
    fn distances_equal_those_of_points_one_by_one() {
        let mut random = Seed(3).stream(Stage::Tie, 5);
        for (n, others, dimension) in [(1, 1, 1), (5, 9, 3), (16, 4, 7), (37, 23, 11)] {
            // Few values, so that some are as near as others.
            let mut draw = |n: usize| -> Vec<f64> {
                (0..n * dimension).map(|_| (random.unit() * 3.0).floor() / 7.0).collect()
            };
            let (points, others) = (draw(n), draw(others));
            let slow =
                |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
            let panels = PointPanels::of(&points, dimension);
            let m = others.len() / dimension;
            let (mut which, mut near) = (vec![usize::MAX; m], vec![0.0; m]);
            panels.nearest(&others, &mut which, &mut near);
            let mut lowered = vec![0.3; n];
            panels.closer(&others[..dimension], &mut lowered);
            for (i, other) in others.chunks(dimension).enumerate() {
                let all: Vec<f64> = points.chunks(dimension).map(|p| slow(other, p)).collect();
                let least = all.iter().copied().fold(f64::INFINITY, f64::min);
                assert_eq!(near[i], least);
                assert_eq!(Some(which[i]), all.iter().position(|&d| d == least));
                if i == 0 {
                    assert_eq!(lowered, all.iter().map(|d| d.min(0.3)).collect::<Vec<_>>());
                }
            }
        }
    }
}
