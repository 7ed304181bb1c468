//! Rows of words as points of a space of few dimensions.
//!
//! Distances survive a random projection (Johnson & Lindenstrauss). Its entries are `√(3/d)` times −1, 0
//! or 1 with probabilities 1/6, 2/3 and 1/6 (Achlioptas 2003); the scale makes distances comparable with
//! those before it. A word's entries hang on the word and the seed alone.

use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::seed::{Seed, Stage};

use super::rows::{Rows, dot};

/// Points, one after the other.
pub(super) struct Points {
    dimensions: usize,
    values: Vec<f64>,
    /// Squared distance of each from the origin.
    pub(super) norms: Vec<f64>,
}

/// Signs from one draw: the six-sided digits of 64 bits, few enough to be fair to one part in 10⁶.
const PER_DRAW: usize = 16;
/// Numbers that one block of the projection may hold.
const BLOCK_ENTRIES: usize = if cfg!(test) { 1 << 10 } else { 1 << 22 }; // tests run many blocks

impl Points {
    /// Takes points of `dimensions` dimensions.
    pub(super) fn new(dimensions: usize, values: Vec<f64>) -> Self {
        let norms = values.chunks(dimensions.max(1)).map(|x| dot(x, x)).collect();
        Self { dimensions, values, norms }
    }

    /// The rows of some words, projected if they have more than `dimensions` entries.
    pub(super) fn of(
        rows: &Rows<'_>,
        words: &[u32],
        dimensions: usize,
        seed: Seed,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let w = rows.len();
        if dimensions >= w {
            return Ok(Self::new(w, rows.of(words, ctx)?));
        }
        let mut values = vec![0.0; words.len() * dimensions];
        let block = (BLOCK_ENTRIES / w).clamp(PER_DRAW, dimensions.max(PER_DRAW));
        let block = block / PER_DRAW * PER_DRAW;
        for start in (0..dimensions).step_by(block) {
            let width = block.min(dimensions - start);
            let mut signs = vec![0.0; w * width];
            let scale = (3.0 / dimensions as f64).sqrt();
            ctx.install(|| {
                signs.par_chunks_mut(width).enumerate().for_each(|(i, line)| {
                    fill_signs(seed, rows.key(i as u32), start, scale, line);
                });
            });
            let projected = rows.times(&mut signs, width, ctx)?;
            for (point, &word) in values.chunks_mut(dimensions).zip(words) {
                let at = word as usize * width;
                point[start..start + width].copy_from_slice(&projected[at..at + width]);
            }
        }
        Ok(Self::new(dimensions, values))
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.norms.len()
    }

    /// Number of dimensions.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// One of the points.
    pub(super) fn point(&self, i: usize) -> &[f64] {
        &self.values[i * self.dimensions..(i + 1) * self.dimensions]
    }

    /// Some of the points.
    pub(super) fn only(&self, chosen: &[usize]) -> Self {
        let values = chosen.iter().flat_map(|&i| self.point(i)).copied().collect();
        Self::new(self.dimensions, values)
    }

    /// Inner products of all points with one of them.
    pub(super) fn products(&self, with: usize, ctx: &Context<'_>) -> Vec<f64> {
        let other = self.point(with);
        ctx.install(|| {
            self.values
                .par_chunks(self.dimensions)
                .with_min_len(64)
                .map(|x| dot(x, other))
                .collect()
        })
    }
}

/// Entries `start..` of a word's row of the projection. `start` is a multiple of 16.
fn fill_signs(seed: Seed, word: u64, start: usize, scale: f64, out: &mut [f64]) {
    let mut stream = seed.stream(Stage::Direction, word).skip((start / PER_DRAW) as u64);
    for chunk in out.chunks_mut(PER_DRAW) {
        let mut digits = stream.next_u64();
        for entry in chunk {
            *entry = match digits % 6 {
                0 => scale,
                1 => -scale,
                _ => 0.0,
            };
            digits /= 6;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_their_probabilities_and_blocks_are_slices_of_the_whole() {
        let mut all = vec![0.0; 60_000];
        fill_signs(Seed(3), 77, 0, 1.0, &mut all);
        let share = |sign: f64| all.iter().filter(|&&v| v == sign).count() as f64 / 60_000.0;
        // Five standard errors of a share of 1/6 are .0076.
        assert!((share(1.0) - 1.0 / 6.0).abs() < 0.0076, "{}", share(1.0));
        assert!((share(-1.0) - 1.0 / 6.0).abs() < 0.0076, "{}", share(-1.0));
        let mut some = [0.0; 100];
        fill_signs(Seed(3), 77, 48, 1.0, &mut some);
        assert_eq!(all[48..148], some);
        fill_signs(Seed(3), 78, 48, 1.0, &mut some);
        assert_ne!(all[48..148], some);
        fill_signs(Seed(4), 77, 48, 1.0, &mut some);
        assert_ne!(all[48..148], some);
    }

    #[test]
    fn products_are_inner_products() {
        let ctx = Context::silent().expect("threads");
        let values: Vec<f64> = (0..55).map(|i| f64::from(i % 7) - 2.5).collect();
        let points = Points::new(11, values.clone());
        let expected =
            |i: usize| -> f64 { (0..11).map(|d| values[i * 11 + d] * values[2 * 11 + d]).sum() };
        for (i, found) in points.products(2, &ctx).iter().enumerate() {
            assert!((found - expected(i)).abs() < 1e-12);
        }
        assert_eq!(points.norms[2], points.products(2, &ctx)[2]);
    }
}
