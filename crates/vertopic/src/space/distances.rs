//! Squared distances between words.

use rayon::prelude::*;

use crate::context::Context;
use crate::error::Error;
use crate::moments::{Cooccurrence, SufficientStats, WordStats, median};
use crate::simd;

/// Entries of C that one pass may hold per thread: 64 MB.
const BLOCK_ENTRIES: usize = if cfg!(test) { 64 } else { 1 << 22 }; // tests run many blocks

/// `D_ij` for all pairs of some words. Symmetric, with zeros on the diagonal.
///
/// Where the truth is near zero an estimate may come out negative; it counts as zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    n: usize,
    values: Vec<f64>,
}

impl Distances {
    /// Of rows of X~, from one or more blocks of C.
    pub(super) fn of_patterns<S: SufficientStats>(
        source: &S,
        stats: &WordStats,
        words: &[u32],
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let n = words.len();
        let mut values: Vec<f64> = ctx.zeros(n * n);
        let block = (BLOCK_ENTRIES / n.max(1)).max(1);
        let blocks = words.chunks(block).zip(values.chunks_mut((block * n).max(1)));
        let diagonal = |w: u32| stats.diagonal[w as usize];
        for (rows, values) in blocks {
            let c = Cooccurrence::of(source, stats, rows, words, ctx)?;
            let lines = values.par_chunks_mut(n).zip(rows).enumerate();
            ctx.install(|| {
                lines.for_each(|(r, (line, &i))| {
                    for (j, (value, &word)) in line.iter_mut().zip(words).enumerate() {
                        if word != i {
                            *value = c.distance(r, j, diagonal(i), diagonal(word)).max(0.0);
                        }
                    }
                });
            });
        }
        // Both triangles hold the same four numbers, added in another order: settle on one.
        for i in 0..n {
            for j in 0..i {
                values[j * n + i] = values[i * n + j];
            }
        }
        Ok(Self { n, values })
    }

    /// Of points with `dimensions` coordinates each, one after the other.
    pub fn of_points(points: &[f64], dimensions: usize, ctx: &Context<'_>) -> Self {
        let dimensions = dimensions.max(1);
        let n = points.len() / dimensions;
        // Coordinates of one dimension stand together: the distances from a point are summed side by side.
        let transposed: Vec<f64> =
            (0..dimensions * n).map(|at| points[at % n * dimensions + at / n]).collect();
        let from = |(out, point): (&mut [f64], &[f64])| {
            simd::vectorized(
                #[inline(always)]
                || {
                    for (x, others) in point.iter().zip(transposed.chunks(n)) {
                        out.iter_mut().zip(others).for_each(|(d, y)| *d += (x - y) * (x - y));
                    }
                },
            );
        };
        let mut values = vec![0.0; n * n];
        let rows = values.par_chunks_mut(n.max(1)).zip(points.par_chunks(dimensions));
        ctx.install(|| rows.for_each(from));
        Self::from_values(n, values)
    }

    /// Of a square matrix in row order. Panics if its size is not `n · n`.
    pub fn from_values(n: usize, values: Vec<f64>) -> Self {
        assert_eq!(values.len(), n * n, "a square matrix");
        Self { n, values }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// `D_ij`.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.n + j]
    }

    /// The median distance between different words; 0 for fewer than two words.
    pub fn median(&self) -> f64 {
        let pairs = (0..self.n).flat_map(|i| (0..i).map(move |j| (i, j)));
        median(pairs.map(|(i, j)| self.at(i, j)).collect())
    }
}
