use super::*;
use crate::seed::{Seed, Stage};
use crate::simd::tests::everywhere;

/// A matrix of `rows` rows and `columns` columns, in row order.
fn random(rows: usize, columns: usize) -> Vec<f64> {
    let mut stream = Seed(5).stream(Stage::Tie, (rows * 1000 + columns) as u64);
    (0..rows * columns).map(|_| stream.unit() - 0.3).collect()
}

/// `AᵀB` and `C B` for matrices in row order.
struct Products<'a> {
    a: &'a Panels,
    b: &'a Panels,
    c: &'a [f64],
    inner: usize,
    symmetric: bool,
}

impl Kernel for Products<'_> {
    type Output = (Vec<f64>, Vec<f64>);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { a, b, c, inner, symmetric } = self;
        let mut sum = InnerSum::zeros(a.columns, b.columns);
        for _ in 0..2 {
            InnerKernel { a, b, symmetric, sums: &mut sum.sums }.run(simd);
        }
        let first = (0..a.columns).flat_map(|i| sum.row(i).to_vec()).collect();
        let mut out = vec![[0.0; LANES]; c.len() / inner * b.len()];
        RowsProduct { rows: c, inner, right: b, out: &mut out }.run(simd);
        let rows = out.as_flattened().chunks(b.len() * LANES);
        (first, rows.flat_map(|row| row[..b.columns].to_vec()).collect())
    }
}

#[test]
fn every_entry_is_one_chain_of_fused_sums_for_all_kinds_of_instructions() {
    for (rows, left, right) in [(1, 1, 1), (3, 8, 16), (20, 13, 24), (150, 17, 9), (300, 5, 40)] {
        let (a, b, c) = (random(rows, left), random(rows, right), random(11, rows));
        let (lefts, rights) = (Panels::of(&a, left), Panels::of(&b, right));
        let chain = |start: f64, terms: &dyn Fn(usize) -> (f64, f64)| {
            (0..rows).fold(start, |sum, k| terms(k).0.mul_add(terms(k).1, sum))
        };
        let mut inner = Vec::new();
        for at in 0..left * right {
            let terms = |k: usize| (a[k * left + at / right], b[k * right + at % right]);
            inner.push(chain(chain(0.0, &terms), &terms));
        }
        let product =
            |at: usize| chain(0.0, &|k| (c[at / right * rows + k], b[k * right + at % right]));
        let product: Vec<f64> = (0..11 * right).map(product).collect();
        let kernel = || Products { a: &lefts, b: &rights, c: &c, inner: rows, symmetric: false };
        for found in everywhere(kernel) {
            assert_eq!(found, (inner.clone(), product.clone()), "{rows} {left} {right}");
        }
        // The upper triangle of a symmetric product is the same as without that knowledge.
        let square = |symmetric| {
            let (a, b) = (&lefts, &lefts);
            everywhere(|| Products { a, b, c: &[], inner: rows, symmetric })
        };
        let (whole, half) = (square(false), square(true));
        for (whole, half) in whole.iter().zip(&half) {
            for (i, j) in (0..left).flat_map(|i| (i..left).map(move |j| (i, j))) {
                assert_eq!(whole.0[i * left + j], half.0[i * left + j], "{i} {j}");
            }
        }
    }
}

#[test]
fn squares_of_rows_are_summed() {
    let rows = random(7, 24);
    let (eights, _) = rows.as_chunks();
    let mut squares = vec![0.0; 7];
    simd::run(SquaredRows { rows: eights, width: 3, squares: &mut squares });
    for (found, row) in squares.iter().zip(rows.chunks(24)) {
        assert!((found - row.iter().map(|a| a * a).sum::<f64>()).abs() < 1e-14);
    }
    simd::run(SquaredRows { rows: &[], width: 0, squares: &mut squares });
    assert_eq!(squares, [0.0; 7]);
}
