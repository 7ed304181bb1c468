//! The Gram matrix of the representatives, made positive definite for the regression.
//!
//! With a split, `G = M Y Y′ᵀ` is symmetric and positive definite only in the limit. So G is symmetrised. If an eigenvalue
//! is negative, all eigenvalues below a thousandth of the largest are raised to it, and the report counts them.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::Error;
use crate::linalg::{Eigen, Matrix, eigen};

/// Eigenvalues of the Gram matrix.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GramReport {
    /// Ratio of the smallest eigenvalue to the largest, before raising.
    pub smallest: f64,
    /// Number of eigenvalues that were raised.
    pub raised: usize,
    /// Share of negative eigenvalues in the sum of absolute values.
    pub negative_share: f64,
}

/// Eigenvalues under this share of the largest are raised to it, if there is a negative one.
const FLOOR: f64 = 1e-3;

/// Symmetrises `gram` (K × K in row order) and makes it positive definite where it is not.
pub(super) fn make_psd(gram: &mut [f64], k: usize, ctx: &Context<'_>) -> Result<GramReport, Error> {
    for i in 0..k {
        for j in 0..i {
            let mean = f64::midpoint(gram[i * k + j], gram[j * k + i]);
            gram[i * k + j] = mean;
            gram[j * k + i] = mean;
        }
    }
    let square = Matrix { rows: k, columns: k, values: gram.to_vec() };
    let Eigen { values, vectors } = eigen(&square, ctx)?;
    let (largest, smallest) = (values[0], values[k - 1]);
    let (negative, all) = values
        .iter()
        .fold((0.0, 0.0), |(negative, all), &v: &f64| (negative + (-v).max(0.0), all + v.abs()));
    let mut report = GramReport {
        smallest: if largest > 0.0 { smallest / largest } else { 0.0 },
        raised: 0,
        negative_share: if all > 0.0 { negative / all } else { 0.0 },
    };
    if smallest < 0.0 {
        let floor = FLOOR * largest.max(0.0);
        report.raised = values.iter().filter(|&&v| v < floor).count();
        for i in 0..k {
            for j in 0..=i {
                let both = vectors.row(i).iter().zip(vectors.row(j)).zip(&values);
                let sum = both.map(|((a, b), v)| a * v.max(floor) * b).sum();
                gram[i * k + j] = sum;
                gram[j * k + i] = sum;
            }
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_positive_definite_matrix_is_only_symmetrised() {
        let mut gram = [2.0, 0.5, 0.7, 1.0];
        let ctx = Context::silent().expect("threads");
        let report = make_psd(&mut gram, 2, &ctx).expect("small");
        assert_eq!(gram, [2.0, 0.6, 0.6, 1.0]);
        assert_eq!(report.raised, 0);
        assert!(report.smallest > 0.0 && report.negative_share == 0.0);
    }

    #[test]
    fn negative_eigenvalues_are_raised_and_counted() {
        // Eigenvalues 3 and −1.
        let mut gram = [1.0, 2.0, 2.0, 1.0];
        let ctx = Context::silent().expect("threads");
        let report = make_psd(&mut gram, 2, &ctx).expect("small");
        assert_eq!(report.raised, 1);
        assert!((report.negative_share - 0.25).abs() < 1e-12);
        assert!((report.smallest + 1.0 / 3.0).abs() < 1e-12);
        // Trace and determinant of the raised matrix: eigenvalues 3 and 0.003.
        assert!((gram[0] + gram[3] - 3.003).abs() < 1e-9);
        assert!((gram[0] * gram[3] - gram[1] * gram[2] - 0.009).abs() < 1e-9);
    }
}
