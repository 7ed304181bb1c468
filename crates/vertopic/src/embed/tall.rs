//! Tall matrices, W × few: the shapes that a subspace of words needs, and no more.
//!
//! Rows are worked on in chunks of a fixed size, in parallel, and what chunks sum to is added in their
//! order: the result does not know about threads.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rayon::prelude::*;

use crate::context::Context;
use crate::error::Error;

/// Rows of a chunk.
const CHUNK: usize = 1024;
/// Rows of a chunk where nothing is summed over chunks: many threads find enough of them in a small matrix, too.
const FEW: usize = 128;
/// Directions shorter than this share of the longest are numerically nothing.
const NOTHING: f64 = 1e-12;
/// Directions whose squared lengths differ less than this are orthonormal to ten digits after one step.
const EVEN: f64 = 1e-6;

/// A matrix whose rows are words.
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

    fn chunks(&self, rows: usize) -> impl IndexedParallelIterator<Item = MatRef<'_, f64>> {
        let columns = self.columns;
        let view = move |rows: &[f64]| rows.len() / columns;
        self.values
            .par_chunks(rows * columns)
            .map(move |rows| MatRef::from_row_major_slice(rows, view(rows), columns))
    }

    /// The same as a matrix of faer's.
    pub(crate) fn to_mat(&self) -> Mat<f64> {
        MatRef::from_row_major_slice(&self.values, self.rows(), self.columns).to_owned()
    }

    /// `selfᵀ other`.
    pub(crate) fn inner(&self, other: &Self, ctx: &Context<'_>) -> Mat<f64> {
        let product = |(a, b): (MatRef<'_, f64>, MatRef<'_, f64>)| {
            let mut out = Mat::zeros(a.ncols(), b.ncols());
            matmul(out.as_mut(), Accum::Replace, a.transpose(), b, 1.0, Par::Seq);
            out
        };
        let parts: Vec<Mat<f64>> =
            ctx.install(|| self.chunks(CHUNK).zip(other.chunks(CHUNK)).map(product).collect());
        let zero = Mat::zeros(self.columns, other.columns);
        parts.into_iter().fold(zero, |sum, part| sum + part)
    }

    /// `self · right`.
    pub(crate) fn times(&self, right: &Mat<f64>, ctx: &Context<'_>) -> Self {
        let columns = right.ncols();
        if columns == 0 {
            return Self { columns, values: Vec::new() };
        }
        let mut values = ctx.zeros(self.rows() * columns);
        ctx.install(|| {
            values.par_chunks_mut(FEW * columns).zip(self.chunks(FEW)).for_each(|(out, rows)| {
                let out = MatMut::from_row_major_slice_mut(out, rows.nrows(), columns);
                matmul(out, Accum::Replace, rows, right, 1.0, Par::Seq);
            });
        });
        Self { columns, values }
    }

    /// Sets a diagonal to that of `A Aᵀ`, where `A = self · right`, and gives back what `selfᵀ diag self` gains by it.
    ///
    /// Each chunk is dealt with while it is in a cache.
    pub(crate) fn complete_diagonal(
        &self,
        right: &Mat<f64>,
        diagonal: &mut [f64],
        ctx: &Context<'_>,
    ) -> Mat<f64> {
        let columns = self.columns;
        let complete_diagonal = |(values, diagonal): (&[f64], &mut [f64])| {
            let rows = MatRef::from_row_major_slice(values, diagonal.len(), columns);
            let mut part = Mat::zeros(rows.nrows(), right.ncols());
            matmul(part.as_mut(), Accum::Replace, rows, right, 1.0, Par::Seq);
            let mut change: Vec<f64> = diagonal.iter().map(|d| -d).collect();
            diagonal.fill(0.0);
            // Its columns are in memory one after the other.
            for j in 0..part.ncols() {
                diagonal.iter_mut().zip(part.col_as_slice(j)).for_each(|(d, a)| *d += a * a);
            }
            change.iter_mut().zip(&*diagonal).for_each(|(change, new)| *change += new);
            let mut changes = values.to_vec();
            for (row, change) in changes.chunks_mut(columns).zip(&change) {
                row.iter_mut().for_each(|v| *v *= change);
            }
            let mut gain = Mat::zeros(columns, columns);
            let changes = MatRef::from_row_major_slice(&changes, rows.nrows(), columns);
            matmul(gain.as_mut(), Accum::Replace, rows.transpose(), changes, 1.0, Par::Seq);
            gain
        };
        let chunks = self.values.par_chunks(CHUNK * columns).zip(diagonal.par_chunks_mut(CHUNK));
        let parts: Vec<Mat<f64>> = ctx.install(|| chunks.map(complete_diagonal).collect());
        parts.into_iter().fold(Mat::zeros(columns, columns), |sum, part| sum + part)
    }

    /// An orthonormal basis of the columns. Directions that are numerically nothing are left out.
    pub(crate) fn orthonormal(&self, ctx: &Context<'_>) -> Result<Self, Error> {
        // The square in the Gram matrix costs half the digits; once more if they are needed.
        let (basis, spread) = self.whitened(0.0, ctx)?;
        let done = basis.columns == 0 || spread > EVEN;
        if done { Ok(basis) } else { Ok(basis.whitened(0.0, ctx)?.0) }
    }

    /// An orthonormal basis of what the columns have beside others, which are orthonormal. Columns are of length 1 at most.
    pub(crate) fn orthonormal_to(&self, others: &[Self], ctx: &Context<'_>) -> Result<Self, Error> {
        // What rounding leaves of the others grows with the shortest direction: so twice.
        let (basis, _) = self.without(others, ctx).whitened(NOTHING, ctx)?;
        if basis.columns == 0 {
            return Ok(basis);
        }
        Ok(basis.without(others, ctx).whitened(NOTHING, ctx)?.0)
    }

    /// What is left of the columns without their parts along others, which are orthonormal.
    fn without(&self, others: &[Self], ctx: &Context<'_>) -> Self {
        others.iter().fold(self.clone(), |mut left, other| {
            let along = other.times(&other.inner(&left, ctx), ctx);
            left.values.iter_mut().zip(&along.values).for_each(|(v, a)| *v -= a);
            left
        })
    }

    /// `self · E S^-½` with the Gram matrix `selfᵀ self = E S Eᵀ`, and the smallest of S over the largest. Directions whose
    /// squared length is under `least` are nothing, too.
    fn whitened(&self, least: f64, ctx: &Context<'_>) -> Result<(Self, f64), Error> {
        let (values, vectors) = eigen(&self.inner(self, ctx))?;
        let nothing = values.first().map_or(0.0, |largest| (NOTHING * largest).max(least));
        let kept = values.iter().take_while(|&&v| v > nothing).count();
        let scaled = Mat::from_fn(self.columns, kept, |i, j| vectors[(i, j)] / values[j].sqrt());
        let spread = if kept == 0 { 0.0 } else { values[kept - 1] / values[0] };
        Ok((self.times(&scaled, ctx), spread))
    }
}

/// Eigenvalues of a symmetric matrix, largest first, and its eigenvectors.
pub(crate) fn eigen(matrix: &Mat<f64>) -> Result<(Vec<f64>, Mat<f64>), Error> {
    let n = matrix.nrows();
    let both = Mat::from_fn(n, n, |i, j| f64::midpoint(matrix[(i, j)], matrix[(j, i)]));
    let eigen = both
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| Error::NotConverged { what: "the eigenvalue decomposition of the words" })?;
    let values = (0..n).rev().map(|i| eigen.S()[i]).collect();
    let vectors = eigen.U();
    Ok((values, Mat::from_fn(n, n, |i, j| vectors[(i, n - 1 - j)])))
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
