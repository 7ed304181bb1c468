//! Eigenvalues and eigenvectors of symmetric matrices.
//!
//! A matrix is reduced to a tridiagonal one by reflections ([`tridiagonal`]), whose eigenvalues the QL algorithm with implicit
//! shifts finds by rotations ([`ql`]). Reflections and rotations are kept and then applied to the identity a few rows at a
//! time ([`vectors`]): these rows stay in the fastest cache, and threads share them out.

mod ql;
mod tridiagonal;
mod vectors;

use crate::context::Context;
use crate::error::Error;
use crate::linalg::Matrix;
use ql::{Rotations, diagonalize};
use tridiagonal::Tridiagonal;

/// `A = V diag(values) Vᵀ`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Eigen {
    /// Eigenvalues, largest first.
    pub(crate) values: Vec<f64>,
    /// Eigenvectors, one a column. The largest entry of each is positive; the first of them if several are as large.
    pub(crate) vectors: Matrix,
}

/// Decomposes a symmetric matrix; of one that is not, the symmetric part. An error if an entry is not finite.
pub(crate) fn eigen(matrix: &Matrix, ctx: &Context<'_>) -> Result<Eigen, Error> {
    let n = matrix.rows;
    assert_eq!(matrix.columns, n, "a square matrix");
    let failed = || Error::NotConverged { what: "the eigenvalue decomposition" };
    if !matrix.values.iter().all(|v| v.is_finite()) {
        return Err(failed());
    }
    let largest = matrix.values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    if largest == 0.0 {
        let vectors = Matrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)));
        return Ok(Eigen { values: vec![0.0; n], vectors });
    }
    // Squares neither overflow nor vanish if the largest entry is about 1.
    let exponent = libm::frexp(largest).1;
    let entry = |i: usize, j: usize| {
        let [a, b] = [matrix[(i, j)], matrix[(j, i)]].map(|v| libm::ldexp(v, -exponent));
        f64::midpoint(a, b)
    };
    // The reduction begins with the last row. It loses the fewest digits if large entries come last.
    let mut order: Vec<usize> = (0..n).collect();
    let size = |i: &usize| matrix[(*i, *i)].abs();
    order.sort_by(|a, b| size(a).total_cmp(&size(b)));
    let mut reduced = Tridiagonal::of(n, |i, j| entry(order[i], order[j]));
    let mut rotations = Rotations::default();
    if !diagonalize(&mut reduced.diagonal, &mut reduced.off_diagonal, &mut rotations) {
        return Err(failed());
    }
    let values = &reduced.diagonal;
    let mut largest_first: Vec<usize> = (0..n).collect();
    largest_first.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let mut vectors = Matrix::zeros(n, n);
    let found = vectors::of(&reduced, &rotations, ctx);
    for (row, &i) in found.chunks_exact(n).zip(&order) {
        let to = &mut vectors.values[i * n..(i + 1) * n];
        to.iter_mut().zip(&largest_first).for_each(|(to, &j)| *to = row[j]);
    }
    fix_signs(&mut vectors);
    let values = largest_first.iter().map(|&j| libm::ldexp(values[j], exponent)).collect();
    Ok(Eigen { values, vectors })
}

/// Makes the largest entry of each column positive; the first of them if several are as large.
fn fix_signs(vectors: &mut Matrix) {
    let n = vectors.columns.max(1);
    let mut largest = vec![0.0_f64; n];
    for row in vectors.values.chunks_exact(n) {
        for (most, v) in largest.iter_mut().zip(row) {
            if v.abs() > most.abs() {
                *most = *v;
            }
        }
    }
    for row in vectors.values.chunks_exact_mut(n) {
        row.iter_mut().zip(&largest).for_each(|(v, most)| *v = if *most < 0.0 { -*v } else { *v });
    }
}

#[cfg(test)]
mod tests;
