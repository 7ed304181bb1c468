//! The leading eigenvectors of a large symmetric matrix: block Krylov iteration.
//!
//! The vectors are sought in the span of `V, L V, L² V, …`, where V is a random block with a few spare columns. Few powers
//! suffice for any spectrum (Musco & Musco 2015), and a block finds equal eigenvalues, which a single vector misses.
//! Cost: `O(n² K)`, where the whole decomposition costs `O(n³)`.

use crate::context::Context;
use crate::error::Error;
use crate::linalg::{TallMatrix, eigen};
use crate::seed::{Seed, Stage};

/// Columns of the block beyond the vectors wanted.
const SPARE: usize = 10;
/// Powers of the matrix.
const POWERS: usize = 7;

/// The `wanted` eigenvectors of the largest eigenvalues of a symmetric matrix whose eigenvalues are above −1, as
/// columns, largest first.
pub(super) fn leading(
    matrix: &TallMatrix,
    wanted: usize,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<TallMatrix, Error> {
    let n = matrix.columns;
    let columns = (wanted + SPARE).min(n);
    let start = (0..n as u64).flat_map(|i| {
        let mut stream = seed.stream(Stage::Krylov, i);
        (0..columns).map(move |_| stream.unit() - 0.5)
    });
    let start = TallMatrix { columns, values: start.collect() };
    // Blocks are orthogonal to each other, so all of them together are orthonormal.
    let (mut blocks, mut products): (Vec<TallMatrix>, Vec<TallMatrix>) = (Vec::new(), Vec::new());
    while blocks.len() <= POWERS {
        let block = match products.last() {
            None => start.orthonormal(ctx)?,
            Some(product) => product.orthonormal_to(&blocks, ctx)?,
        };
        if block.columns == 0 {
            break;
        }
        products.push(matrix.times(&block.to_matrix(), ctx));
        blocks.push(block);
    }
    let (basis, product) = (beside(&blocks), beside(&products));
    let vectors = eigen(&basis.inner(&product, ctx), ctx)?.vectors;
    let kept = wanted.min(basis.columns);
    Ok(basis.times(&vectors.first_columns(kept), ctx))
}

/// The columns of all blocks.
fn beside(blocks: &[TallMatrix]) -> TallMatrix {
    let rows = blocks.first().map_or(0, TallMatrix::rows);
    let columns = blocks.iter().map(|b| b.columns).sum();
    let mut values = Vec::with_capacity(rows * columns);
    for i in 0..rows {
        for block in blocks {
            values.extend_from_slice(&block.values[i * block.columns..(i + 1) * block.columns]);
        }
    }
    TallMatrix { columns, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Eigen;

    #[test]
    fn leading_vectors_equal_those_of_the_whole_decomposition() {
        // Groups that hardly touch (eigenvalues near 1, several equal), over a long tail.
        let (n, k, ctx) = (400, 6, Context::silent().expect("threads"));
        let mut random = Seed(2).stream(Stage::Tie, 0);
        let noise: Vec<f64> = (0..n * n).map(|_| random.unit()).collect();
        let entry = |i: usize, j: usize| {
            let same = if i % 4 == j % 4 { 3.0 } else { 0.01 };
            if i == j { 0.0 } else { (same + noise[i.min(j) * n + i.max(j)]) / n as f64 }
        };
        let values: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
        let matrix = TallMatrix { columns: n, values };
        let found = leading(&matrix, k, Seed(1), &ctx).expect("small");
        let Eigen { values: expected, vectors } = eigen(&matrix.to_matrix(), &ctx).expect("small");
        let product = matrix.times(&found.to_matrix(), &ctx);
        let ritz = found.inner(&product, &ctx);
        for (j, expected) in expected.iter().take(k).enumerate() {
            // Within the tail, where one vector is as good as another, near is enough.
            let tolerance = if j < 4 { 1e-9 } else { 0.05 };
            let off = (ritz[(j, j)] / expected - 1.0).abs();
            assert!(off < tolerance, "{j}: {} for {expected}", ritz[(j, j)]);
        }
        // Above the gap the space is the same: projecting on it loses nothing.
        let first = TallMatrix {
            columns: 4,
            values: (0..n * 4).map(|at| vectors[(at / 4, at % 4)]).collect(),
        };
        let both = found.inner(&first, &ctx);
        for j in 0..4 {
            let length: f64 = (0..k).map(|i| both[(i, j)] * both[(i, j)]).sum();
            assert!((length - 1.0).abs() < 1e-6, "{j}: {length}");
        }
    }

    #[test]
    fn the_iteration_ends_when_the_blocks_span_the_space() {
        // Two blocks of 15 columns are all that 30 rows have room for: what is found then is exact.
        let (n, k, ctx) = (30, 5, Context::silent().expect("threads"));
        let entry = |i: usize, j: usize| libm::sin((i.min(j) * 7 + i.max(j) * 3) as f64) / n as f64;
        let values: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
        let matrix = TallMatrix { columns: n, values };
        let found = leading(&matrix, k, Seed(1), &ctx).expect("small");
        let expected = eigen(&matrix.to_matrix(), &ctx).expect("small").values;
        let product = matrix.times(&found.to_matrix(), &ctx);
        let (ritz, gram) = (found.inner(&product, &ctx), found.inner(&found, &ctx));
        for (i, j) in (0..k).flat_map(|i| (0..k).map(move |j| (i, j))) {
            let (value, length) = if i == j { (expected[i], 1.0) } else { (0.0, 0.0) };
            assert!((ritz[(i, j)] - value).abs() < 1e-12, "{i} {j}");
            assert!((gram[(i, j)] - length).abs() < 1e-12, "{i} {j}");
        }
    }
}
