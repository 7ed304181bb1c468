//! Eigenvectors of a matrix: its reflections and rotations applied to the identity.

use rayon::prelude::*;

use super::ql::Rotations;
use super::tridiagonal::Tridiagonal;
use crate::context::Context;
use crate::simd::{self, Aligned, Doubles, Kernel, LANES, Simd};

/// Eights of rows that are dealt with at a time.
const EIGHTS: usize = 2;
/// Rows that are dealt with at a time. Both steps change columns only, so rows are independent.
const ROWS: usize = EIGHTS * LANES;

/// `Hₙ₋₁ ⋯ H₁ G`, with the rotations G, in row order.
pub(super) fn of(reduced: &Tridiagonal, rotations: &Rotations, ctx: &Context<'_>) -> Vec<f64> {
    let n = reduced.n;
    let mut out = ctx.zeros(n * n);
    let rows = |columns: &mut Aligned<f64, LANES>, (at, out): (usize, &mut [f64])| {
        columns.resize(n * EIGHTS);
        columns.fill([0.0; LANES]);
        let entries = columns.as_flattened_mut();
        (0..ROWS.min(n - at * ROWS)).for_each(|r| entries[(at * ROWS + r) * ROWS + r] = 1.0);
        simd::run(Apply { reduced, rotations, columns });
        let entries = columns.as_flattened();
        for (r, row) in out.chunks_exact_mut(n).enumerate() {
            row.iter_mut().enumerate().for_each(|(j, to)| *to = entries[j * ROWS + r]);
        }
    };
    let work = out.par_chunks_mut((ROWS * n).max(1)).enumerate();
    ctx.install(|| work.for_each_init(Aligned::default, rows));
    out
}

/// Applies reflections and rotations to some rows.
struct Apply<'a> {
    reduced: &'a Tridiagonal,
    rotations: &'a Rotations,
    /// The entries of the rows in the first column, then those in the second, and so on.
    columns: &'a mut [Doubles],
}

impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { reduced, rotations, columns } = self;
        let (columns, _) = S::view_doubles_mut(columns).as_chunks_mut::<EIGHTS>();
        for i in (1..reduced.n).rev() {
            if reduced.factors[i] != 0.0 {
                reflect(simd, columns, reduced.reflector(i), reduced.factors[i]);
            }
        }
        let mut rest = &*rotations.rotations;
        for &(last, count) in &rotations.sweeps {
            let (sweep, others) = rest.split_at(count);
            rest = others;
            rotate(simd, &mut columns[last - count..=last], sweep);
        }
    }
}

/// `R − β (R v) vᵀ`.
#[inline(always)]
fn reflect<S: Simd>(simd: S, columns: &mut [[S::D; EIGHTS]], v: &[f64], factor: f64) {
    let columns = &mut columns[..v.len()];
    // Two sums side by side: a chain of fused products waits for each link.
    let mut sums = [[simd.splat_double(0.0); EIGHTS]; 2];
    let (pairs, rest) = columns.as_chunks::<2>();
    let (pairs_v, rest_v) = v.as_chunks::<2>();
    for (pair, v) in pairs.iter().zip(pairs_v) {
        for h in 0..2 {
            let v = simd.splat_double(v[h]);
            for e in 0..EIGHTS {
                sums[h][e] = simd.mul_add_doubles(pair[h][e], v, sums[h][e]);
            }
        }
    }
    for (column, v) in rest.iter().zip(rest_v) {
        for e in 0..EIGHTS {
            sums[0][e] = simd.mul_add_doubles(column[e], simd.splat_double(*v), sums[0][e]);
        }
    }
    let minus = simd.splat_double(-factor);
    let one = simd.splat_double(1.0);
    let along: [S::D; EIGHTS] = std::array::from_fn(|e| {
        simd.mul_doubles(minus, simd.mul_add_doubles(sums[0][e], one, sums[1][e]))
    });
    for (column, v) in columns.iter_mut().zip(v) {
        let v = simd.splat_double(*v);
        for e in 0..EIGHTS {
            column[e] = simd.mul_add_doubles(along[e], v, column[e]);
        }
    }
}

/// Rotates each two columns that follow each other, the last two first.
#[inline(always)]
fn rotate<S: Simd>(simd: S, columns: &mut [[S::D; EIGHTS]], rotations: &[[f64; 2]]) {
    let count = rotations.len();
    // What a rotation leaves in the first of its columns is the second of the next.
    let mut carry = columns[count];
    for (at, &[cosine, sine]) in rotations.iter().enumerate() {
        let before = columns[count - 1 - at];
        let (c, s, minus) =
            (simd.splat_double(cosine), simd.splat_double(sine), simd.splat_double(-sine));
        for e in 0..EIGHTS {
            columns[count - at][e] =
                simd.mul_add_doubles(c, carry[e], simd.mul_doubles(s, before[e]));
            carry[e] = simd.mul_add_doubles(minus, carry[e], simd.mul_doubles(c, before[e]));
        }
    }
    columns[0] = carry;
}
