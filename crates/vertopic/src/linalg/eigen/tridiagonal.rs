//! Reduction of a symmetric matrix to a tridiagonal one by reflections (Householder).

use crate::simd::{self, Aligned, Doubles, Kernel, LANES, Simd};

/// Rows that are dealt with together: they share what is read of the vectors.
const ROWS: usize = 4;

/// A row whose squared length is under this counts as zero: the matrix has entries of about 1, and the square of a reflection's
/// factor would overflow.
const NOTHING: f64 = 1e-120;

/// `T = H₁ ⋯ Hₙ₋₁ A Hₙ₋₁ ⋯ H₁`, with reflections `H_i = I − β_i v_i v_iᵀ`, where v_i has i entries.
#[derive(Debug)]
pub(super) struct Tridiagonal {
    pub(super) n: usize,
    pub(super) diagonal: Vec<f64>,
    /// Entry i is that of rows i and i + 1.
    pub(super) off_diagonal: Vec<f64>,
    /// `β_i`; 0 where nothing is reflected.
    pub(super) factors: Vec<f64>,
    /// Row i begins with `v_i`.
    rows: Aligned<f64, LANES>,
}

impl Tridiagonal {
    /// Reduces the matrix of `n` rows with these entries. Only entries with `j <= i` matter.
    pub(super) fn of(n: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let width = n.div_ceil(LANES);
        let mut rows: Aligned<f64, LANES> = Aligned::zeros(n * width);
        for i in 0..n {
            let row = rows[i * width..(i + 1) * width].as_flattened_mut();
            (0..n).for_each(|j| row[j] = entry(i.max(j), i.min(j)));
        }
        let mut reduced = Self {
            n,
            diagonal: vec![0.0; n],
            off_diagonal: vec![0.0; n.saturating_sub(1)],
            factors: vec![0.0; n],
            rows,
        };
        simd::run(Reduction { reduced: &mut reduced, width });
        reduced
    }

    /// `v_i`.
    pub(super) fn reflector(&self, i: usize) -> &[f64] {
        let width = self.n.div_ceil(LANES);
        &self.rows[i * width..(i + 1) * width].as_flattened()[..i]
    }
}

struct Reduction<'a> {
    reduced: &'a mut Tridiagonal,
    /// Eights in a row.
    width: usize,
}

impl Kernel for Reduction<'_> {
    type Output = ();

    /// From the last row to the first: what the last reflection changes in the rows above and the product with the next are
    /// done in one go, so the matrix is read once a step. The last reflection takes `v qᵀ + q vᵀ` away.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { reduced, width } = self;
        let Tridiagonal { n, diagonal, off_diagonal, factors, rows } = reduced;
        let (mut v, mut q) = (Aligned::zeros(width), Aligned::zeros(width));
        let mut next: Aligned<f64, LANES> = Aligned::zeros(width);
        let mut product = vec![0.0; *n];
        for i in (0..*n).rev() {
            let (above, row) = rows.split_at_mut(i * width);
            let used = (i + 1).div_ceil(LANES);
            let row = &mut row[..used];
            update(simd, [row], i, &v, &q);
            let row = row.as_flattened_mut();
            diagonal[i] = row[i];
            row[i..].fill(0.0);
            let Some(last) = i.checked_sub(1) else { break };
            let (factor, off) = reflection(simd, row, i);
            (factors[i], off_diagonal[last]) = (factor, off);
            next[..used].copy_from_slice(row.as_chunks().0);
            let mut at = 0;
            let mut four = above.chunks_exact_mut(ROWS * width);
            for four in four.by_ref() {
                let mut lines = four.chunks_exact_mut(width);
                let four: [_; ROWS] =
                    std::array::from_fn(|_| &mut lines.next().unwrap_or_default()[..used]);
                let sums = update_times(simd, four, at, &v, &q, &next);
                product[at..at + ROWS].copy_from_slice(&sums);
                at += ROWS;
            }
            for one in four.into_remainder().chunks_exact_mut(width) {
                [product[at]] = update_times(simd, [&mut one[..used]], at, &v, &q, &next);
                at += 1;
            }
            // q = β p − (β²/2) (p·v) v for the product p = A v.
            std::mem::swap(&mut v, &mut next);
            q[..used].as_flattened_mut().iter_mut().zip(&product[..i]).for_each(|(q, p)| *q = *p);
            q.as_flattened_mut()[i..].fill(0.0);
            let along = dot(simd, &q[..used], &v[..used]);
            let half = simd.splat_double(-0.5 * factor * factor * along);
            let factor = simd.splat_double(factor);
            let both = S::view_doubles_mut(&mut q[..used]).iter_mut().zip(S::view_doubles(&v));
            both.for_each(|(q, v)| {
                *q = simd.mul_add_doubles(half, *v, simd.mul_doubles(factor, *q));
            });
        }
    }
}

/// The reflection that leaves only the last of the `i` entries of a row: its factor and that entry. The row becomes the vector
/// of the reflection.
#[inline(always)]
fn reflection<S: Simd>(simd: S, row: &mut [f64], i: usize) -> (f64, f64) {
    let last = row[i - 1];
    row[i - 1] = 0.0;
    let others = dot(simd, row.as_chunks().0, row.as_chunks().0);
    if others == 0.0 {
        return (0.0, last);
    }
    let squared = last * last + others;
    if squared < NOTHING {
        row.fill(0.0);
        return (0.0, 0.0);
    }
    let length = squared.sqrt();
    let to = if last > 0.0 { -length } else { length };
    row[i - 1] = last - to;
    (1.0 / (length * (length + last.abs())), to)
}

#[inline(always)]
fn dot<S: Simd>(simd: S, a: &[Doubles], b: &[Doubles]) -> f64 {
    let both = S::view_doubles(a).iter().zip(S::view_doubles(b));
    let sum = both.fold(simd.splat_double(0.0), |sum, (a, b)| simd.mul_add_doubles(*a, *b, sum));
    simd.sum_doubles(sum)
}

/// Takes `v qᵀ + q vᵀ` away from the rows from number `first` on.
#[inline(always)]
fn update<S: Simd, const R: usize>(
    simd: S,
    rows: [&mut [Doubles]; R],
    first: usize,
    v: &[Doubles],
    q: &[Doubles],
) {
    let (own_v, own_q) = own::<S, R>(simd, first, v, q);
    for (r, row) in rows.into_iter().enumerate() {
        let entries = S::view_doubles_mut(row).iter_mut();
        for ((a, v), q) in entries.zip(S::view_doubles(v)).zip(S::view_doubles(q)) {
            *a = simd.mul_add_doubles(own_q[r], *v, simd.mul_add_doubles(own_v[r], *q, *a));
        }
    }
}

/// The same, and the products of the rows with `next`.
#[inline(always)]
fn update_times<S: Simd, const R: usize>(
    simd: S,
    rows: [&mut [Doubles]; R],
    first: usize,
    v: &[Doubles],
    q: &[Doubles],
    next: &[Doubles],
) -> [f64; R] {
    let (own_v, own_q) = own::<S, R>(simd, first, v, q);
    let terms = rows.first().map_or(0, |row| row.len());
    let rows = rows.map(|row| &mut S::view_doubles_mut(row)[..terms]);
    let (v, q) = (&S::view_doubles(v)[..terms], &S::view_doubles(q)[..terms]);
    let next = &S::view_doubles(next)[..terms];
    let mut sums = [simd.splat_double(0.0); R];
    for k in 0..terms {
        for r in 0..R {
            let a = simd.mul_add_doubles(own_v[r], q[k], rows[r][k]);
            let a = simd.mul_add_doubles(own_q[r], v[k], a);
            rows[r][k] = a;
            sums[r] = simd.mul_add_doubles(a, next[k], sums[r]);
        }
    }
    sums.map(|sum| simd.sum_doubles(sum))
}

/// The entries of `-v` and `-q` that belong to the rows themselves.
#[inline(always)]
fn own<S: Simd, const R: usize>(
    simd: S,
    first: usize,
    v: &[Doubles],
    q: &[Doubles],
) -> ([S::D; R], [S::D; R]) {
    let (v, q) = (v.as_flattened(), q.as_flattened());
    let of = |x: &[f64]| std::array::from_fn(|r| simd.splat_double(-x[first + r]));
    (of(v), of(q))
}
