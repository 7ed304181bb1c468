use super::*;
use crate::seed::{Seed, Stage};

fn context() -> Context<'static> {
    Context::silent().expect("threads")
}

fn found(matrix: &Matrix) -> Eigen {
    eigen(matrix, &context()).expect("finite")
}

/// A symmetric matrix with entries between −½ and ½.
fn random(n: usize) -> Matrix {
    let mut stream = Seed(7).stream(Stage::Tie, n as u64);
    let entries: Vec<f64> = (0..n * n).map(|_| stream.unit() - 0.5).collect();
    Matrix::from_fn(n, n, |i, j| entries[i.min(j) * n + i.max(j)])
}

/// A matrix with these eigenvalues: a diagonal one, turned by two reflections.
fn with_spectrum(values: &[f64]) -> Matrix {
    let n = values.len();
    let mut matrix = Matrix::from_fn(n, n, |i, j| if i == j { values[i] } else { 0.0 });
    for shift in [1.0, 2.0] {
        let v: Vec<f64> = (0..n).map(|i| libm::sin(shift * (i + 1) as f64) + 0.1).collect();
        let squared: f64 = v.iter().map(|v| v * v).sum();
        let times: Vec<f64> =
            (0..n).map(|i| matrix.row(i).iter().zip(&v).map(|(a, v)| a * v).sum()).collect();
        let along: f64 = times.iter().zip(&v).map(|(a, v)| a * v).sum();
        let (two, four) = (2.0 / squared, 4.0 * along / (squared * squared));
        matrix = Matrix::from_fn(n, n, |i, j| {
            matrix[(i, j)] - two * (times[i] * v[j] + v[i] * times[j]) + four * v[i] * v[j]
        });
    }
    matrix
}

/// Largest entries of `A V − V Λ` and of `VᵀV − I`.
fn errors(matrix: &Matrix, found: &Eigen) -> (f64, f64) {
    let (n, v) = (matrix.rows, &found.vectors);
    let (mut residual, mut skew) = (0.0_f64, 0.0_f64);
    for i in 0..n {
        for j in 0..n {
            let product: f64 = (0..n).map(|k| matrix[(i, k)] * v[(k, j)]).sum();
            residual = residual.max((product - v[(i, j)] * found.values[j]).abs());
            let inner: f64 = (0..n).map(|k| v[(k, i)] * v[(k, j)]).sum();
            skew = skew.max((inner - f64::from(u8::from(i == j))).abs());
        }
    }
    (residual, skew)
}

/// Eigenvalues by Jacobi's method, largest first: slow, and nothing like what it is compared with.
fn jacobi(matrix: &Matrix) -> Vec<f64> {
    let (n, mut a) = (matrix.rows, matrix.clone());
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if a[(p, q)].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[(q, q)] - a[(p, p)]) / (2.0 * a[(p, q)]);
                let t = 1.0_f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[(k, p)], a[(k, q)]);
                    (a[(k, p)], a[(k, q)]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[(p, k)], a[(q, k)]);
                    (a[(p, k)], a[(q, k)]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    let mut values: Vec<f64> = (0..n).map(|i| a[(i, i)]).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

#[test]
fn residuals_and_orthogonality_are_within_rounding() {
    for n in [1, 2, 3, 7, 8, 9, 16, 17, 40, 65, 130] {
        let matrix = random(n);
        let found = found(&matrix);
        let (residual, skew) = errors(&matrix, &found);
        let bound = 1e-15 * (n + 10) as f64;
        assert!(residual < bound && skew < bound, "{n}: {residual} {skew}");
        assert!(found.values.is_sorted_by(|a, b| a >= b), "{n}");
    }
}

#[test]
fn eigenvalues_are_those_of_an_independent_method() {
    for n in [1, 2, 5, 24, 60] {
        let matrix = random(n);
        for (a, b) in found(&matrix).values.iter().zip(jacobi(&matrix)) {
            assert!((a - b).abs() < 1e-13, "{n}: {a} {b}");
        }
    }
}

#[test]
fn known_spectra_are_found() {
    // Second differences: 2 − 2 cos(π j / (n + 1)).
    let n = 50;
    let differences = Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    });
    for (j, value) in found(&differences).values.iter().rev().enumerate() {
        let angle = std::f64::consts::PI * (j + 1) as f64 / (n + 1) as f64;
        assert!((value - (2.0 - 2.0 * libm::cos(angle))).abs() < 1e-14, "{j}: {value}");
    }
    // Equal, nearly equal and far apart, of both signs.
    let close: Vec<f64> = (0..20).map(|i| 1.0 + 1e-14 * f64::from(i)).collect();
    let equal: Vec<f64> = (0..30).map(|i| f64::from(i / 10) - 1.0).collect();
    let graded: Vec<f64> = (0..25).map(|i| libm::ldexp(1.0, -2 * i)).collect();
    for mut values in [close, equal, graded, vec![3.0; 12], vec![1.0, 0.0, 0.0, 0.0, -1.0]] {
        let matrix = with_spectrum(&values);
        let found = found(&matrix);
        let (residual, skew) = errors(&matrix, &found);
        assert!(residual < 1e-13 && skew < 1e-13, "{values:?}: {residual} {skew}");
        values.sort_by(|a, b| b.total_cmp(a));
        for (a, b) in found.values.iter().zip(&values) {
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
    }
}

#[test]
fn special_matrices_are_decomposed_exactly() {
    let none = found(&Matrix::zeros(0, 0));
    assert!(none.values.is_empty() && none.vectors.values.is_empty());
    let one = found(&Matrix { rows: 1, columns: 1, values: vec![-3.5] });
    assert_eq!((one.values, one.vectors.values), (vec![-3.5], vec![1.0]));
    let zero = found(&Matrix::zeros(3, 3));
    assert_eq!(zero.values, [0.0; 3]);
    assert_eq!(zero.vectors, Matrix::from_fn(3, 3, |i, j| f64::from(u8::from(i == j))));
    let diagonal = Matrix::from_fn(3, 3, |i, j| if i == j { [2.0, 5.0, -1.0][i] } else { 0.0 });
    let found = found(&diagonal);
    assert_eq!(found.values, [5.0, 2.0, -1.0]);
    assert_eq!(found.vectors.values, [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn tiny_and_huge_matrices_lose_no_digits() {
    let matrix = random(20);
    let plain = found(&matrix);
    for power in [-1000, -300, 300, 900] {
        let scaled = Matrix::from_fn(20, 20, |i, j| libm::ldexp(matrix[(i, j)], power));
        let found = found(&scaled);
        assert_eq!(found.vectors, plain.vectors, "{power}");
        for (a, b) in found.values.iter().zip(&plain.values) {
            assert_eq!(*a, libm::ldexp(*b, power));
        }
    }
}

#[test]
fn what_is_not_finite_is_an_error() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for n in [1, 2, 20] {
            let mut matrix = random(n);
            matrix[(n - 1, n / 2)] = bad;
            let failed = eigen(&matrix, &context());
            assert!(matches!(failed, Err(Error::NotConverged { .. })), "{bad} {n}");
        }
    }
}

#[test]
fn signs_follow_the_largest_entry_and_threads_do_not_matter() {
    let matrix = random(70);
    let found = found(&matrix);
    for j in 0..70 {
        let column = (0..70).map(|i| found.vectors[(i, j)]);
        let largest = column.fold(0.0_f64, |most, v| if v.abs() > most.abs() { v } else { most });
        assert!(largest > 0.0, "{j}");
    }
    let threads = crate::context::Parallelism::Threads(std::num::NonZeroUsize::MIN);
    let ctx = Context::new(threads, &crate::observe::Silent).expect("threads");
    assert_eq!(eigen(&matrix, &ctx).expect("finite"), found);
}

/// Weights `exp(−D)` of a graph, where distances are tens to hundreds: many eigenvalues are as small as rounding errors.
#[test]
fn affinities_of_any_size_are_decomposed() {
    for (n, seed) in [(60, 1), (150, 2), (300, 3), (400, 4), (400, 5), (400, 6)] {
        let mut stream = Seed(seed).stream(Stage::Tie, n as u64);
        let points: Vec<[f64; 8]> =
            (0..n).map(|_| std::array::from_fn(|_| 28.0 * stream.unit())).collect();
        let distance = |i: usize, j: usize| -> f64 {
            points[i].iter().zip(&points[j]).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let weight =
            |i: usize, j: usize| if i == j { 0.0 } else { libm::exp(60.0 - distance(i, j)) };
        let degree: Vec<f64> =
            (0..n).map(|i| (0..n).map(|j| weight(i, j)).sum::<f64>().sqrt()).collect();
        let matrix = Matrix::from_fn(n, n, |i, j| {
            let both = degree[i] * degree[j];
            if both > 0.0 { weight(i, j) / both } else { 0.0 }
        });
        let (residual, skew) = errors(&matrix, &found(&matrix));
        assert!(residual < 1e-13 && skew < 1e-13, "{n}: {residual} {skew}");
    }
}

#[test]
fn rows_of_vanishing_size_are_no_reflections() {
    let scale = |i: usize| libm::pow(10.0, -2.5 * (39 - i) as f64);
    let entries = random(40);
    let matrix = Matrix::from_fn(40, 40, |i, j| scale(i) * scale(j) * entries[(i, j)]);
    let (residual, skew) = errors(&matrix, &found(&matrix));
    assert!(residual < 1e-14 && skew < 1e-13, "{residual} {skew}");
}
