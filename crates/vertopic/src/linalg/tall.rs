//! Tall matrices, words × few columns: what a subspace of words needs.
//!
//! Threads work on chunks of rows of a fixed size. The sums of the chunks are added in the order of the chunks, so the number
//! of threads cannot reach the result.

use rayon::prelude::*;

use crate::context::Context;
use crate::error::Error;
use crate::linalg::product::{BLOCK, InnerSum, Panels, RowsProduct, SquaredRows};
use crate::linalg::{Eigen, Matrix, eigen};
use crate::simd::{self, Aligned, Doubles, LANES};

/// Rows of a chunk.
const CHUNK: usize = 1024;
/// Directions shorter than this share of the longest count as zero.
const NOTHING: f64 = 1e-12;
/// One step makes a basis orthonormal to ten digits if its smallest squared length over the largest is above this.
const EVEN: f64 = 1e-6;

/// A matrix with a row per word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TallMatrix {
    pub(crate) columns: usize,
    /// In row order.
    pub(crate) values: Vec<f64>,
}

impl TallMatrix {
    pub(crate) fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// The same as a small matrix.
    pub(crate) fn to_matrix(&self) -> Matrix {
        Matrix { rows: self.rows(), columns: self.columns, values: self.values.clone() }
    }

    /// `selfᵀ other`.
    pub(crate) fn inner(&self, other: &Self, ctx: &Context<'_>) -> Matrix {
        let shape = [self.columns, other.columns];
        let product = |(a, b): (&[f64], &[f64])| {
            let mut sum = InnerSum::zeros(shape[0], shape[1]);
            let (mut left, mut right) = (Panels::default(), Panels::default());
            let blocks = a.chunks(BLOCK * shape[0]).zip(b.chunks(BLOCK * shape[1]));
            for (a, b) in blocks {
                left.load(a, shape[0], |_| 1.0);
                right.load(b, shape[1], |_| 1.0);
                sum.add(&left, &right, false);
            }
            sum
        };
        if shape.contains(&0) {
            return Matrix::zeros(shape[0], shape[1]);
        }
        let chunks = self.values.par_chunks(CHUNK * shape[0]);
        let chunks = chunks.zip(other.values.par_chunks(CHUNK * shape[1]));
        let parts: Vec<InnerSum> = ctx.install(|| chunks.map(product).collect());
        let sum = total(parts, shape);
        let mut out = Matrix::zeros(shape[0], shape[1]);
        for i in 0..shape[0] {
            out.values[i * shape[1]..(i + 1) * shape[1]].copy_from_slice(sum.row(i));
        }
        out
    }

    /// `selfᵀ self`.
    fn gram(&self, ctx: &Context<'_>) -> Matrix {
        let columns = self.columns;
        let product = |rows: &[f64]| {
            let (mut sum, mut panels) = (InnerSum::zeros(columns, columns), Panels::default());
            for rows in rows.chunks(BLOCK * columns) {
                panels.load(rows, columns, |_| 1.0);
                sum.add(&panels, &panels, true);
            }
            sum
        };
        let chunks = self.values.par_chunks((CHUNK * columns).max(1));
        let parts: Vec<InnerSum> = ctx.install(|| chunks.map(product).collect());
        symmetric(parts, columns)
    }

    /// `self · right`.
    pub(crate) fn times(&self, right: &Matrix, ctx: &Context<'_>) -> Self {
        let columns = right.columns;
        if columns == 0 || self.columns == 0 {
            return Self { columns, values: vec![0.0; self.rows() * columns] };
        }
        let right = Panels::of(&right.values, columns);
        let mut values = ctx.zeros(self.rows() * columns);
        let product = |lanes: &mut Aligned<f64, LANES>, (out, rows): (&mut [f64], &[f64])| {
            let n = rows.len() / self.columns;
            if columns.is_multiple_of(LANES) {
                let out = out.as_chunks_mut().0;
                simd::run(RowsProduct { rows, inner: self.columns, right: &right, out });
                return;
            }
            lanes.resize(n * right.len());
            simd::run(RowsProduct { rows, inner: self.columns, right: &right, out: lanes });
            let from = lanes.as_flattened().chunks(right.len() * LANES);
            for (to, from) in out.chunks_mut(columns).zip(from) {
                to.copy_from_slice(&from[..columns]);
            }
        };
        let rows = self.values.par_chunks(BLOCK * self.columns);
        let work = values.par_chunks_mut(BLOCK * columns).zip(rows);
        ctx.install(|| work.for_each_init(Aligned::default, product));
        Self { columns, values }
    }

    /// Sets `diagonal` to that of `A Aᵀ`, where `A = self · right`, and returns what `selfᵀ diag(diagonal) self` gains by it.
    ///
    /// Each block of rows is dealt with while it is in a cache.
    pub(crate) fn complete_diagonal(
        &self,
        right: &Matrix,
        diagonal: &mut [f64],
        ctx: &Context<'_>,
    ) -> Matrix {
        let columns = self.columns;
        let right = Panels::of(&right.values, right.columns);
        let complete = |(values, diagonal): (&[f64], &mut [f64])| {
            let mut sum = InnerSum::zeros(columns, columns);
            let (mut plain, mut scaled) = (Panels::default(), Panels::default());
            let mut product: Aligned<f64, LANES> = Aligned::default();
            let blocks = values.chunks(BLOCK * columns).zip(diagonal.chunks_mut(BLOCK));
            for (rows, diagonal) in blocks {
                product.resize(diagonal.len() * right.len());
                let out: &mut [Doubles] = &mut product;
                simd::run(RowsProduct { rows, inner: columns, right: &right, out });
                let before = diagonal.to_vec();
                simd::run(SquaredRows { rows: &product, width: right.len(), squares: diagonal });
                plain.load(rows, columns, |_| 1.0);
                scaled.load(rows, columns, |i| diagonal[i] - before[i]);
                sum.add(&plain, &scaled, true);
            }
            sum
        };
        let chunks = self.values.par_chunks(CHUNK * columns).zip(diagonal.par_chunks_mut(CHUNK));
        let parts: Vec<InnerSum> = ctx.install(|| chunks.map(complete).collect());
        symmetric(parts, columns)
    }

    /// An orthonormal basis of the columns. Directions that count as zero are left out.
    pub(crate) fn orthonormal(&self, ctx: &Context<'_>) -> Result<Self, Error> {
        // The square in the Gram matrix costs half the digits; a second step restores them where they are needed.
        let (basis, spread) = self.whitened(0.0, ctx)?;
        let done = basis.columns == 0 || spread > EVEN;
        if done { Ok(basis) } else { Ok(basis.whitened(0.0, ctx)?.0) }
    }

    /// An orthonormal basis of the part of the columns that is orthogonal to `others`, which are orthonormal. The columns
    /// have a length of at most 1.
    pub(crate) fn orthonormal_to(&self, others: &[Self], ctx: &Context<'_>) -> Result<Self, Error> {
        // What rounding leaves of the others grows with the shortest direction: so twice.
        let (basis, _) = self.without(others, ctx).whitened(NOTHING, ctx)?;
        if basis.columns == 0 {
            return Ok(basis);
        }
        Ok(basis.without(others, ctx).whitened(NOTHING, ctx)?.0)
    }

    /// The columns less their projections on `others`, which are orthonormal.
    fn without(&self, others: &[Self], ctx: &Context<'_>) -> Self {
        others.iter().fold(self.clone(), |mut left, other| {
            let along = other.times(&other.inner(&left, ctx), ctx);
            left.values.iter_mut().zip(&along.values).for_each(|(v, a)| *v -= a);
            left
        })
    }

    /// `self · E S^-½` with the Gram matrix `selfᵀ self = E S Eᵀ`, and the smallest of S over the largest. Directions whose
    /// squared length is under `least` count as zero, too.
    fn whitened(&self, least: f64, ctx: &Context<'_>) -> Result<(Self, f64), Error> {
        let Eigen { values, vectors } = eigen(&self.gram(ctx), ctx)?;
        let nothing = values.first().map_or(0.0, |largest| (NOTHING * largest).max(least));
        let kept = values.iter().take_while(|&&v| v > nothing).count();
        let scaled = Matrix::from_fn(self.columns, kept, |i, j| vectors[(i, j)] / values[j].sqrt());
        let spread = if kept == 0 { 0.0 } else { values[kept - 1] / values[0] };
        Ok((self.times(&scaled, ctx), spread))
    }
}

/// The sum of the products of chunks, in their order.
fn total(parts: Vec<InnerSum>, shape: [usize; 2]) -> InnerSum {
    let zero = || InnerSum::zeros(shape[0], shape[1]);
    let add = |mut sum: InnerSum, part: InnerSum| {
        sum.merge(&part);
        sum
    };
    parts.into_iter().reduce(add).unwrap_or_else(zero)
}

/// The sum of symmetric products of which the upper triangle is known.
fn symmetric(parts: Vec<InnerSum>, columns: usize) -> Matrix {
    let sum = total(parts, [columns; 2]);
    Matrix::from_fn(columns, columns, |i, j| sum.row(i.min(j))[i.max(j)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basis_is_orthonormal_and_leaves_out_what_is_not_there() {
        let ctx = Context::silent().expect("threads");
        // Three columns over 2,500 rows; the third is the sum of the first two.
        let values = (0..2500)
            .flat_map(|i| {
                let (a, b) = (libm::sin(f64::from(i)), f64::from(i % 7));
                [a, 1e3 * b, a + 1e3 * b]
            })
            .collect();
        let tall = TallMatrix { columns: 3, values };
        let basis = tall.orthonormal(&ctx).expect("small");
        assert_eq!(basis.columns, 2);
        let nothing = TallMatrix { columns: 3, values: vec![0.0; 6] };
        assert_eq!(nothing.orthonormal(&ctx).expect("small").columns, 0);
        let gram = basis.inner(&basis, &ctx);
        for (i, j) in [(0, 0), (0, 1), (1, 1)] {
            let expected = f64::from(u8::from(i == j));
            assert!((gram[(i, j)] - expected).abs() < 1e-12, "{i} {j} {}", gram[(i, j)]);
        }
        // The basis spans the columns: projecting them on it loses nothing.
        let back = basis.times(&basis.inner(&tall, &ctx), &ctx);
        let lost = back.values.iter().zip(&tall.values).map(|(a, b)| (a - b).abs());
        assert!(lost.fold(0.0, f64::max) < 1e-8);
    }
}
