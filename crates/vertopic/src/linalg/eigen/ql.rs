//! Eigenvalues of a symmetric tridiagonal matrix: the QL algorithm with implicit shifts.

/// Sweeps for one eigenvalue, at most. Two or three are usual.
const MOST: usize = 60;
/// Off-diagonal entries under this count as zero: the matrix has entries of about 1.
const NOTHING: f64 = 1e-32;
/// After this many sweeps, entries of the size of rounding errors count as zero, as in EISPACK's `tql2`. Where many
/// eigenvalues are as small as rounding errors, entries need not become small beside them.
const PATIENT: usize = 20;

/// Rotations of columns that follow each other, in the order in which they are to be applied.
#[derive(Debug, Default)]
pub(super) struct Rotations {
    /// Last column of each sweep, and its number of rotations. The first turns columns `last − 1` and `last`, the second the
    /// pair before, and so on.
    pub(super) sweeps: Vec<(usize, usize)>,
    /// Cosine and sine.
    pub(super) rotations: Vec<[f64; 2]>,
}

/// Turns the diagonal into the eigenvalues, in no order. False if they are not found.
pub(super) fn diagonalize(d: &mut [f64], off: &mut [f64], found: &mut Rotations) -> bool {
    let n = d.len();
    let is_zero = |d: &[f64], off: f64, m: usize, nothing: f64| {
        off.abs() <= (f64::EPSILON * (d[m].abs() + d[m + 1].abs())).max(nothing)
    };
    for l in 0..n {
        let mut sweeps = 0;
        loop {
            let nothing = if sweeps < PATIENT { NOTHING } else { f64::EPSILON };
            // The block from l to m stands alone.
            let m = (l..n - 1).find(|&m| is_zero(d, off[m], m, nothing)).unwrap_or(n - 1);
            if m == l {
                break;
            }
            if sweeps == MOST {
                return false;
            }
            sweeps += 1;
            sweep(d, off, l, m, found);
        }
    }
    true
}

/// One sweep over the block from l to m, from its end to its beginning, with the shift of Wilkinson.
fn sweep(d: &mut [f64], off: &mut [f64], l: usize, m: usize, found: &mut Rotations) {
    let slope = (d[l + 1] - d[l]) / (2.0 * off[l]);
    let root = (slope * slope + 1.0).sqrt();
    let mut g = d[m] - d[l] + off[l] / (slope + root.copysign(slope));
    let (mut sine, mut cosine, mut p) = (1.0, 1.0, 0.0);
    let before = found.rotations.len();
    for i in (l..m).rev() {
        let (f, b) = (sine * off[i], cosine * off[i]);
        let r = (f * f + g * g).sqrt();
        if let Some(off) = off.get_mut(i + 1) {
            *off = if i + 1 < m { r } else { 0.0 };
        }
        if r == 0.0 {
            // The block falls apart here.
            d[i + 1] -= p;
            found.sweeps.push((m, found.rotations.len() - before));
            return;
        }
        let inverse = 1.0 / r;
        (sine, cosine) = (f * inverse, g * inverse);
        g = d[i + 1] - p;
        let r = (d[i] - g) * sine + 2.0 * cosine * b;
        p = sine * r;
        d[i + 1] = g + p;
        g = cosine * r - b;
        found.rotations.push([cosine, sine]);
    }
    d[l] -= p;
    off[l] = g;
    found.sweeps.push((m, m - l));
}
