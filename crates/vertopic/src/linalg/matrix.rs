//! Small dense matrices.

use std::ops::{AddAssign, Index, IndexMut};

/// A dense matrix in row order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: vec![0.0; rows * columns] }
    }

    /// The matrix whose entry in row i and column j is `entry(i, j)`.
    pub(crate) fn from_fn(
        rows: usize,
        columns: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let entry = &entry;
        let values = (0..rows).flat_map(|i| (0..columns).map(move |j| entry(i, j))).collect();
        Self { rows, columns, values }
    }

    /// The first `columns` columns.
    pub(crate) fn first_columns(&self, columns: usize) -> Self {
        Self::from_fn(self.rows, columns, |i, j| self[(i, j)])
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..(i + 1) * self.columns]
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.values[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.values[i * self.columns + j]
    }
}

impl AddAssign<&Matrix> for Matrix {
    fn add_assign(&mut self, other: &Matrix) {
        self.values.iter_mut().zip(&other.values).for_each(|(a, b)| *a += b);
    }
}
