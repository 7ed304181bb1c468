//! Sums down the columns of a matrix whose rows are words.
//!
//! Threads share the columns, not the rows: every sum has the order of the rows, whatever the number of threads.

use rayon::prelude::*;

use crate::context::Context;

/// Columns that are dealt with at a time: what a line of the cache has of a row.
pub(crate) const TOGETHER: usize = 8;

/// For each column what `fold` makes, row after row, of what it was (0 at first), the row's number and the entry.
pub(crate) fn reduce_columns(
    values: &[f64],
    columns: usize,
    fold: impl Fn(f64, usize, f64) -> f64 + Sync,
    ctx: &Context<'_>,
) -> Vec<f64> {
    let mut folded = vec![0.0; columns];
    let few = |(part, folded): (usize, &mut [f64])| {
        let span = part * TOGETHER..part * TOGETHER + folded.len();
        for (i, row) in values.chunks_exact(columns).enumerate() {
            folded.iter_mut().zip(&row[span.clone()]).for_each(|(to, v)| *to = fold(*to, i, *v));
        }
    };
    ctx.install(|| folded.par_chunks_mut(TOGETHER).enumerate().for_each(few));
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_is_folded_in_the_order_of_rows() {
        let ctx = Context::silent().expect("threads");
        for columns in [1, 8, 19] {
            let values: Vec<f64> = (0..columns * 30).map(|at| libm::sin(at as f64)).collect();
            let found =
                reduce_columns(&values, columns, |so_far, i, v| so_far * 0.7 + v * i as f64, &ctx);
            for (j, found) in found.iter().enumerate() {
                let mut slow = 0.0;
                for i in 0..30 {
                    slow = slow * 0.7 + values[i * columns + j] * i as f64;
                }
                assert_eq!(*found, slow, "column {j} of {columns}");
            }
        }
        assert_eq!(reduce_columns(&[], 3, |_, _, _| 1.0, &ctx), [0.0; 3]);
    }
}
