//! The kernels of matrix products.
//!
//! An output entry is one chain of fused products and sums, in the order of the rows or columns that are summed over. A tile
//! of entries is held in registers; its shape depends on the machine and cannot reach the result.

use crate::simd::{self, Aligned, Doubles, Kernel, LANES, Simd};

/// Terms of a sum that are dealt with at a time: three panels of that many rows fit into the fastest cache.
pub(super) const BLOCK: usize = 128;

/// Columns of a matrix in panels of eight: of each row eight numbers, row after row; the last panel is filled up with zeros.
#[derive(Debug, Default)]
pub(super) struct Panels {
    rows: usize,
    columns: usize,
    entries: Aligned<f64, LANES>,
}

impl Panels {
    /// The columns of a matrix in row order.
    pub(super) fn of(values: &[f64], columns: usize) -> Self {
        let mut panels = Self::default();
        panels.load(values, columns, |_| 1.0);
        panels
    }

    /// Takes the columns of a matrix in row order, row i times `scale(i)`.
    pub(super) fn load(&mut self, values: &[f64], columns: usize, scale: impl Fn(usize) -> f64) {
        let rows = values.len() / columns.max(1);
        (self.rows, self.columns) = (rows, columns);
        self.entries.resize(rows * columns.div_ceil(LANES));
        for (i, row) in values.chunks_exact(columns.max(1)).enumerate() {
            let scale = scale(i);
            let (whole, rest) = row.as_chunks::<LANES>();
            for (p, eight) in whole.iter().enumerate() {
                self.entries[p * rows + i] = eight.map(|v| scale * v);
            }
            if !rest.is_empty() {
                let to = &mut self.entries[whole.len() * rows + i];
                *to = [0.0; LANES];
                to.iter_mut().zip(rest).for_each(|(to, v)| *to = scale * v);
            }
        }
    }

    fn panel(&self, p: usize) -> &[Doubles] {
        &self.entries[p * self.rows..(p + 1) * self.rows]
    }

    /// Number of panels.
    pub(super) fn len(&self) -> usize {
        self.columns.div_ceil(LANES)
    }
}

/// `AᵀB`, summed over blocks of rows.
#[derive(Debug)]
pub(super) struct InnerSum {
    /// Columns of A and B.
    shape: [usize; 2],
    /// Rows of eights of columns.
    sums: Aligned<f64, LANES>,
}

impl InnerSum {
    pub(super) fn zeros(a: usize, b: usize) -> Self {
        let rows = a.next_multiple_of(LANES);
        Self { shape: [a, b], sums: Aligned::zeros(rows * b.div_ceil(LANES)) }
    }

    /// Adds the product of two blocks of rows. Of a `symmetric` product only the upper triangle is summed.
    pub(super) fn add(&mut self, a: &Panels, b: &Panels, symmetric: bool) {
        simd::run(InnerKernel { a, b, symmetric, sums: &mut self.sums });
    }

    /// Adds the sums of other rows.
    pub(super) fn merge(&mut self, other: &Self) {
        let both = self.sums.as_flattened_mut().iter_mut().zip(other.sums.as_flattened());
        both.for_each(|(sum, other)| *sum += other);
    }

    /// Row i of the product.
    pub(super) fn row(&self, i: usize) -> &[f64] {
        let width = self.shape[1].div_ceil(LANES);
        &self.sums[i * width..(i + 1) * width].as_flattened()[..self.shape[1]]
    }
}

struct InnerKernel<'a> {
    a: &'a Panels,
    b: &'a Panels,
    symmetric: bool,
    sums: &'a mut [Doubles],
}

impl Kernel for InnerKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match S::DOUBLE_TILE {
            [8, 2] => self.tiles::<S, 8, 2>(simd),
            _ => self.tiles::<S, 4, 1>(simd),
        }
    }
}

impl InnerKernel<'_> {
    /// All tiles of R rows and N eights of columns.
    #[inline(always)]
    fn tiles<S: Simd, const R: usize, const N: usize>(self, simd: S) {
        let Self { a, b, symmetric, sums } = self;
        let width = b.len();
        for i in 0..a.len() {
            let mut j = if symmetric { i } else { 0 };
            while j < width {
                let step = if j + N <= width { N } else { 1 };
                for from in (0..LANES).step_by(R) {
                    let at = (i * LANES + from) * width + j;
                    let to = &mut sums[at..];
                    if step == N {
                        let panels = std::array::from_fn::<_, N, _>(|n| b.panel(j + n));
                        inner_tile::<S, R, N>(simd, a.panel(i), from, panels, width, to);
                    } else {
                        inner_tile::<S, R, 1>(simd, a.panel(i), from, [b.panel(j)], width, to);
                    }
                }
                j += step;
            }
        }
    }
}

/// Adds to R rows of sums, each of N eights: the rows belong to columns `from ..` of the panel `a`.
#[inline(always)]
fn inner_tile<S: Simd, const R: usize, const N: usize>(
    simd: S,
    a: &[Doubles],
    from: usize,
    b: [&[Doubles]; N],
    width: usize,
    sums: &mut [Doubles],
) {
    let sums = S::view_doubles_mut(sums);
    let b = b.map(|panel| &S::view_doubles(panel)[..a.len()]);
    let mut tile: [[S::D; N]; R] =
        std::array::from_fn(|r| std::array::from_fn(|n| sums[r * width + n]));
    for k in 0..a.len() {
        let Some(a) = a[k][from..].first_chunk::<R>() else { return };
        let row: [S::D; N] = std::array::from_fn(|n| b[n][k]);
        for r in 0..R {
            let a = simd.splat_double(a[r]);
            for n in 0..N {
                tile[r][n] = simd.mul_add_doubles(a, row[n], tile[r][n]);
            }
        }
    }
    // One by one: a reference to the tile would keep it in memory.
    for r in 0..R {
        for n in 0..N {
            sums[r * width + n] = tile[r][n];
        }
    }
}

/// Some rows of a product `A B`.
pub(super) struct RowsProduct<'a> {
    /// Rows of A, one after the other.
    pub(super) rows: &'a [f64],
    /// Columns of A.
    pub(super) inner: usize,
    /// B.
    pub(super) right: &'a Panels,
    /// Rows of the product in eights.
    pub(super) out: &'a mut [Doubles],
}

impl Kernel for RowsProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match S::DOUBLE_TILE {
            [8, 2] => self.tiles::<S, 8, 2>(simd),
            _ => self.tiles::<S, 4, 1>(simd),
        }
    }
}

impl RowsProduct<'_> {
    #[inline(always)]
    fn tiles<S: Simd, const R: usize, const N: usize>(self, simd: S) {
        let width = self.right.len();
        if width == 0 {
            return;
        }
        self.out.fill([0.0; LANES]);
        for block in (0..self.inner).step_by(BLOCK) {
            let span = block..self.inner.min(block + BLOCK);
            let mut j = 0;
            while j < width {
                let step = if j + N <= width { N } else { 1 };
                let tall = self.rows.chunks_exact(R * self.inner);
                let rest = tall.remainder();
                let mut out = self.out.chunks_mut(R * width);
                let sides = std::array::from_fn::<_, N, _>(|n| {
                    &self.right.panel(if n < step { j + n } else { j })[span.clone()]
                });
                for (rows, out) in tall.zip(out.by_ref()) {
                    let rows = std::array::from_fn::<_, R, _>(|r| {
                        &rows[r * self.inner..(r + 1) * self.inner][span.clone()]
                    });
                    if step == N {
                        rows_tile::<S, R, N>(simd, rows, sides, width, &mut out[j..]);
                    } else {
                        rows_tile::<S, R, 1>(simd, rows, [sides[0]], width, &mut out[j..]);
                    }
                }
                let last = out.next().unwrap_or_default().chunks_mut(width);
                for (row, out) in rest.chunks(self.inner).zip(last) {
                    let row = [&row[span.clone()]];
                    if step == N {
                        rows_tile::<S, 1, N>(simd, row, sides, width, &mut out[j..]);
                    } else {
                        rows_tile::<S, 1, 1>(simd, row, [sides[0]], width, &mut out[j..]);
                    }
                }
                j += step;
            }
        }
    }
}

/// Adds the product of R rows with N panels to R rows of sums.
#[inline(always)]
fn rows_tile<S: Simd, const R: usize, const N: usize>(
    simd: S,
    rows: [&[f64]; R],
    panels: [&[Doubles]; N],
    width: usize,
    sums: &mut [Doubles],
) {
    let sums = S::view_doubles_mut(sums);
    let terms = rows[0].len();
    // Of one length, so that the loop needs no check.
    let rows = rows.map(|row| &row[..terms]);
    let panels = panels.map(|panel| &S::view_doubles(panel)[..terms]);
    let mut tile: [[S::D; N]; R] =
        std::array::from_fn(|r| std::array::from_fn(|n| sums[r * width + n]));
    for k in 0..terms {
        let b: [S::D; N] = std::array::from_fn(|n| panels[n][k]);
        for r in 0..R {
            let a = simd.splat_double(rows[r][k]);
            for n in 0..N {
                tile[r][n] = simd.mul_add_doubles(a, b[n], tile[r][n]);
            }
        }
    }
    // One by one: a reference to the tile would keep it in memory.
    for r in 0..R {
        for n in 0..N {
            sums[r * width + n] = tile[r][n];
        }
    }
}

/// `Σ_j a_j²` of each row of eights.
pub(super) struct SquaredRows<'a> {
    pub(super) rows: &'a [Doubles],
    /// Eights in a row.
    pub(super) width: usize,
    pub(super) squares: &'a mut [f64],
}

impl Kernel for SquaredRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.width == 0 {
            return self.squares.fill(0.0);
        }
        let rows = S::view_doubles(self.rows).chunks_exact(self.width);
        for (row, square) in rows.zip(self.squares) {
            let sum =
                row.iter().fold(simd.splat_double(0.0), |sum, a| simd.mul_add_doubles(*a, *a, sum));
            *square = simd.sum_doubles(sum);
        }
    }
}

#[cfg(test)]
mod tests;
