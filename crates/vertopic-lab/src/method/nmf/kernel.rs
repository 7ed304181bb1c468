//! One pass of multiplicative updates: one factor moves, the other stands still.
//!
//! With `y = row · other_j` the model of entry `x`, the gradient of the β-divergence in a row is
//! `den − num`, `num = Σ_j x y^(β−2) other_j` and `den = Σ_j y^(β−1) other_j`; what to do with the two is
//! the caller's. `num` runs over the non-zero entries only. So does `den` for β = 1, where it is the
//! column sums of the other factor, and for β = 2, where it is `row · (otherᵀ other)`. For any other β
//! the entries of the row's model are made one by one, and never kept.
//!
//! Every row is summed by one task in the order of its entries, so threads cannot change a bit.

use rayon::prelude::*;

use super::matrix::Lists;

/// Models below this count as this, and factors below it as 0: no division by 0, no slow subnormals.
pub(crate) const TINY: f64 = 1e-100;

/// Rows that are summed together. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 1024;

/// The β-divergences, by how their updates are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Divergence {
    /// β = 1.
    KullbackLeibler,
    /// β = 2: half the squared error.
    Squared,
    /// Any other β > 0.
    Other(f64),
}

/// The two halves of a row's gradient.
#[derive(Debug)]
pub(crate) struct Gradient {
    pub(crate) num: Vec<f64>,
    pub(crate) den: Vec<f64>,
}

impl Divergence {
    pub(crate) fn new(beta: f64) -> Self {
        match beta {
            1.0 => Self::KullbackLeibler,
            2.0 => Self::Squared,
            _ => Self::Other(beta),
        }
    }

    /// Calls `update` on every row of `moving` with its gradient. Gives the divergence as it was before,
    /// if `measured`; otherwise a number without meaning.
    pub(crate) fn pass(
        self,
        lists: &Lists,
        moving: &mut [f64],
        fixed: &[f64],
        k: usize,
        measured: bool,
        update: impl Fn(&mut [f64], &Gradient) + Sync,
    ) -> f64 {
        let shared = match self {
            Self::KullbackLeibler => column_sums(fixed, k, |v| v),
            Self::Squared => gram(fixed, k),
            Self::Other(_) => Vec::new(),
        };
        let scratch = || Gradient { num: vec![0.0; k], den: vec![0.0; k] };
        let parts: Vec<f64> = moving
            .par_chunks_mut(k)
            .enumerate()
            .map_init(scratch, |gradient, (i, row)| {
                gradient.num.fill(0.0);
                let entries = lists.row(i);
                let part = match self {
                    Self::KullbackLeibler => {
                        kullback_leibler(row, entries, fixed, &shared, measured, gradient)
                    }
                    Self::Squared => squared(row, entries, fixed, &shared, gradient),
                    Self::Other(beta) => other(beta, row, entries, fixed, gradient),
                };
                update(row, gradient);
                part
            })
            .collect();
        parts.iter().sum()
    }
}

/// `Σ x log(x/y) − x + y`.
fn kullback_leibler(
    row: &[f64],
    entries: impl Iterator<Item = (usize, f64)>,
    fixed: &[f64],
    sums: &[f64],
    measured: bool,
    gradient: &mut Gradient,
) -> f64 {
    let k = row.len();
    gradient.den.copy_from_slice(sums);
    let mut part = if measured { dot(row, sums) } else { 0.0 };
    for (j, x) in entries {
        let line = &fixed[j * k..(j + 1) * k];
        let ratio = x / dot(row, line).max(TINY);
        add(&mut gradient.num, ratio, line);
        if measured {
            part += x * (libm::log(ratio) - 1.0);
        }
    }
    part
}

/// `½ Σ (x − y)²`.
fn squared(
    row: &[f64],
    entries: impl Iterator<Item = (usize, f64)>,
    fixed: &[f64],
    gram: &[f64],
    gradient: &mut Gradient,
) -> f64 {
    let k = row.len();
    let mut squares = 0.0;
    for (j, x) in entries {
        add(&mut gradient.num, x, &fixed[j * k..(j + 1) * k]);
        squares += x * x;
    }
    gradient.den.fill(0.0);
    row.iter().zip(gram.chunks_exact(k)).for_each(|(r, line)| add(&mut gradient.den, *r, line));
    0.5 * (squares + dot(row, &gradient.den)) - dot(row, &gradient.num)
}

/// `Σ x^β/(β(β−1)) + y^β/β − x y^(β−1)/(β−1)`.
fn other(
    beta: f64,
    row: &[f64],
    entries: impl Iterator<Item = (usize, f64)>,
    fixed: &[f64],
    gradient: &mut Gradient,
) -> f64 {
    let mut entries = entries.peekable();
    gradient.den.fill(0.0);
    let mut part = 0.0;
    for (j, line) in fixed.chunks_exact(row.len()).enumerate() {
        let y = dot(row, line).max(TINY);
        let slope = power(y, beta - 1.0);
        add(&mut gradient.den, slope, line);
        part += slope * y / beta;
        if let Some((_, x)) = entries.next_if(|&(at, _)| at == j) {
            add(&mut gradient.num, x * slope / y, line);
            part += x * (power(x, beta - 1.0) / beta - slope) / (beta - 1.0);
        }
    }
    part
}

/// `x^p`; multiples of ½ by square root and multiplication, which is much faster.
pub(crate) fn power(x: f64, p: f64) -> f64 {
    match p {
        1.0 => x,
        0.5 => x.sqrt(),
        -0.5 => 1.0 / x.sqrt(),
        2.0 => x * x,
        _ => libm::pow(x, p),
    }
}

/// Inner product, in eight running sums so that it can be vectorised.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|i| sums[i] += a[i] * b[i]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest
}

#[inline]
fn add(to: &mut [f64], factor: f64, line: &[f64]) {
    to.iter_mut().zip(line).for_each(|(t, l)| *t += factor * l);
}

/// Sum of `f` over each column of a matrix of `k` columns.
pub(crate) fn column_sums(factor: &[f64], k: usize, f: impl Fn(f64) -> f64 + Sync) -> Vec<f64> {
    summed(factor, k, k, |row, sums| sums.iter_mut().zip(row).for_each(|(s, v)| *s += f(*v)))
}

/// `factorᵀ factor`, K × K.
fn gram(factor: &[f64], k: usize) -> Vec<f64> {
    summed(factor, k, k * k, |row, sums| {
        row.iter().zip(sums.chunks_exact_mut(k)).for_each(|(r, line)| add(line, *r, row));
    })
}

/// Adds up rows, chunk by chunk, and then the chunks in their order.
fn summed(
    factor: &[f64],
    k: usize,
    size: usize,
    add_row: impl Fn(&[f64], &mut [f64]) + Sync,
) -> Vec<f64> {
    let chunk_sum = |rows: &[f64]| {
        let mut sums = vec![0.0; size];
        rows.chunks_exact(k).for_each(|row| add_row(row, &mut sums));
        sums
    };
    let chunks: Vec<Vec<f64>> = factor.par_chunks(CHUNK * k).map(chunk_sum).collect();
    chunks.iter().fold(vec![0.0; size], |mut total, chunk| {
        add(&mut total, 1.0, chunk);
        total
    })
}
