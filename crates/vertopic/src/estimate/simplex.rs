//! Least squares on the simplex: `min bᵀGb − 2bᵀc` over `b ≥ 0, Σb = 1`, with a certificate.
//!
//! Pairwise Frank-Wolfe: weight moves from the coordinate with the largest gradient to the one with
//! the smallest, by an exact line search. A step costs `O(K)`, zeros are exact, and the rate is linear
//! when G is positive definite (Lacoste-Julien & Jaggi 2015). With `h = Gb − c`, half the gradient,
//! the gap `2 (b·h − min h)` bounds how far `b` is from the optimum: it is the certificate.

use crate::simd::{self, Kernel, LANES, Simd};

/// The outcome of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveInfo {
    /// Steps taken.
    pub iterations: usize,
    /// Bound on the distance of the objective from its minimum (for a positive semi-definite G).
    pub gap: f64,
    /// Whether the gap is within the tolerance.
    pub converged: bool,
}

/// Working space of the solver; used again for the next word.
#[derive(Debug, Clone)]
pub struct Scratch {
    half_gradient: Vec<f64>,
}

impl Scratch {
    /// For problems with `k` unknowns.
    pub fn new(k: usize) -> Self {
        Self { half_gradient: vec![0.0; k] }
    }
}

/// The objective `bᵀGb − 2bᵀc`.
#[derive(Debug, Clone, Copy)]
pub struct Quadratic<'a> {
    /// G in row order, symmetric.
    pub gram: &'a [f64],
    /// c.
    pub linear: &'a [f64],
}

/// When a solver stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopRule {
    /// Gap at which the problem counts as solved.
    pub tolerance: f64,
    /// Largest number of steps.
    pub most_iterations: usize,
}

/// Minimises the objective over b on the simplex.
///
/// ```
/// use vertopic::estimate::{Quadratic, Scratch, StopRule, minimise_on_simplex};
/// let objective = Quadratic { gram: &[1.0, 0.0, 0.0, 1.0], linear: &[0.7, 0.3] };
/// let stop = StopRule { tolerance: 1e-9, most_iterations: 100 };
/// let mut b = [0.0; 2];
/// let info = minimise_on_simplex(objective, &mut b, stop, &mut Scratch::new(2));
/// assert!(info.converged && (b[0] - 0.7).abs() < 1e-6);
/// ```
pub fn minimise_on_simplex(
    objective: Quadratic<'_>,
    b: &mut [f64],
    stop: StopRule,
    scratch: &mut Scratch,
) -> SolveInfo {
    let Quadratic { gram, linear: c } = objective;
    let StopRule { tolerance, most_iterations } = stop;
    let h = &mut scratch.half_gradient[..c.len()];
    simd::run(Solve { gram, c, b, h, tolerance, most_iterations })
}

struct Solve<'a> {
    gram: &'a [f64],
    c: &'a [f64],
    b: &'a mut [f64],
    h: &'a mut [f64],
    tolerance: f64,
    most_iterations: usize,
}

impl Kernel for Solve<'_> {
    type Output = SolveInfo;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> SolveInfo {
        let Self { gram, c, b, h, tolerance, most_iterations } = self;
        let k = c.len();
        let row = |i: usize| &gram[i * k..(i + 1) * k];
        // Start at the best single representative.
        let start = (0..k)
            .min_by(|&i, &j| (row(i)[i] - 2.0 * c[i]).total_cmp(&(row(j)[j] - 2.0 * c[j])))
            .unwrap_or(0);
        b.fill(0.0);
        b[start] = 1.0;
        h.iter_mut().zip(row(start)).zip(c).for_each(|((h, g), c)| *h = g - c);
        let mut iterations = 0;
        loop {
            let Slopes { least, most, mean } = Slopes::of(h, b);
            let gap = 2.0 * (mean - least);
            if gap <= tolerance || iterations == most_iterations {
                return SolveInfo { iterations, gap: gap.max(0.0), converged: gap <= tolerance };
            }
            // Of equal slopes the first counts; one that is no number is nowhere.
            let to = first(simd, least, h, b, f64::NEG_INFINITY).unwrap_or(0);
            let from = first(simd, most, h, b, 0.0).unwrap_or(start);
            let curvature = row(to)[to] + row(from)[from] - 2.0 * row(to)[from];
            let step =
                if curvature > 0.0 { ((most - least) / curvature).min(b[from]) } else { b[from] };
            b[to] += step;
            b[from] = if step >= b[from] { 0.0 } else { b[from] - step };
            for ((h, g_to), g_from) in h.iter_mut().zip(row(to)).zip(row(from)) {
                *h += step * (g_to - g_from);
            }
            iterations += 1;
        }
    }
}

/// The first coordinate with this slope and a weight above another.
#[inline(always)]
fn first<L: Simd>(simd: L, slope: f64, h: &[f64], b: &[f64], above: f64) -> Option<usize> {
    let ((wide_h, last_h), (wide_b, last_b)) = (h.as_chunks(), b.as_chunks());
    for (eight, (h, b)) in wide_h.iter().zip(wide_b).enumerate() {
        let there = simd.equal(h, slope) & simd.above(b, above);
        if there != 0 {
            return Some(eight * WIDE + there.trailing_zeros() as usize);
        }
    }
    let last = last_h.iter().zip(last_b).position(|(h, b)| *h == slope && *b > above);
    last.map(|at| wide_h.len() * WIDE + at)
}

/// Coordinates that are looked at together: none waits for the one before.
const WIDE: usize = LANES;

/// What the half gradient says of a step.
struct Slopes {
    /// The smallest, which weight moves to.
    least: f64,
    /// The largest of those that have a weight, which it comes from.
    most: f64,
    /// `b·h`.
    mean: f64,
}

impl Slopes {
    #[inline(always)]
    fn of(h: &[f64], b: &[f64]) -> Self {
        let (mut least, mut most, mut mean) =
            ([f64::INFINITY; WIDE], [f64::NEG_INFINITY; WIDE], [0.0; WIDE]);
        let mut see = |h: &[f64; WIDE], b: &[f64; WIDE]| {
            for l in 0..WIDE {
                let taken = if b[l] > 0.0 { h[l] } else { f64::NEG_INFINITY };
                least[l] = if h[l] < least[l] { h[l] } else { least[l] };
                most[l] = if taken > most[l] { taken } else { most[l] };
                mean[l] += if b[l] > 0.0 { b[l] * h[l] } else { 0.0 };
            }
        };
        let ((wide_h, h), (wide_b, b)) = (h.as_chunks(), b.as_chunks());
        wide_h.iter().zip(wide_b).for_each(|(h, b)| see(h, b));
        let (mut last_h, mut last_b) = ([f64::INFINITY; WIDE], [0.0; WIDE]);
        last_h[..h.len()].copy_from_slice(h);
        last_b[..b.len()].copy_from_slice(b);
        see(&last_h, &last_b);
        Self {
            least: least.into_iter().fold(f64::INFINITY, f64::min),
            most: most.into_iter().fold(f64::NEG_INFINITY, f64::max),
            mean: mean.into_iter().sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Slow and sure: projected gradient with the exact projection of Michelot (1986).
    fn slow(gram: &[f64], c: &[f64]) -> Vec<f64> {
        let k = c.len();
        let lipschitz: f64 = (0..k).map(|i| gram[i * k + i]).sum::<f64>().max(1e-9);
        let mut b = vec![1.0 / k as f64; k];
        for _ in 0..20_000 {
            let step: Vec<f64> = (0..k)
                .map(|i| {
                    let h = (0..k).map(|j| gram[i * k + j] * b[j]).sum::<f64>() - c[i];
                    b[i] - h / lipschitz
                })
                .collect();
            let mut sorted = step.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let (mut sum, mut shift) = (0.0, 0.0);
            for (n, v) in sorted.iter().enumerate() {
                sum += v;
                let t = (sum - 1.0) / (n + 1) as f64;
                if *v > t {
                    shift = t;
                }
            }
            b = step.iter().map(|v| (v - shift).max(0.0)).collect();
        }
        b
    }

    fn objective(gram: &[f64], c: &[f64], b: &[f64]) -> f64 {
        let k = c.len();
        (0..k)
            .map(|i| b[i] * ((0..k).map(|j| gram[i * k + j] * b[j]).sum::<f64>() - 2.0 * c[i]))
            .sum()
    }

    struct First<'a>(f64, &'a [f64], &'a [f64], f64);

    impl Kernel for First<'_> {
        type Output = Option<usize>;

        #[inline(always)]
        fn run<L: Simd>(self, simd: L) -> Option<usize> {
            first(simd, self.0, self.1, self.2, self.3)
        }
    }

    #[test]
    fn the_first_of_equal_slopes_is_found() {
        for k in [1, 7, 8, 9, 24, 30] {
            for seed in 0..50_usize {
                // Few values, so that some are equal, and some miss.
                let of = |i: usize, n: usize| ((i + 3) * (seed + 7) * 31 / 5 % n) as f64;
                let h: Vec<f64> = (0..k).map(|i| of(i, 4)).collect();
                let b: Vec<f64> = (0..k).map(|i| of(i + 5, 3)).collect();
                for (slope, above) in [(0.0, 0.0), (3.0, 1.0), (1.0, f64::NEG_INFINITY)] {
                    let expected = (0..k).find(|&i| h[i] == slope && b[i] > above);
                    assert_eq!(simd::run(First(slope, &h, &b, above)), expected);
                }
                assert_eq!(simd::run(First(f64::NAN, &h, &b, 0.0)), None);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_answer_is_on_the_simplex_and_its_gap_is_honest(
            rows in prop::collection::vec(prop::collection::vec(-1.0_f64..1.0, 6), 2..6),
            target in prop::collection::vec(-1.0_f64..1.0, 6),
        ) {
            let k = rows.len();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let gram: Vec<f64> = (0..k * k).map(|at| dot(&rows[at / k], &rows[at % k])).collect();
            let c: Vec<f64> = rows.iter().map(|r| dot(r, &target)).collect();
            let mut b = vec![0.0; k];
            let info = minimise_on_simplex(Quadratic { gram: &gram, linear: &c }, &mut b, StopRule { tolerance: 1e-9, most_iterations: 100_000 }, &mut Scratch::new(k));
            prop_assert!((b.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(b.iter().all(|v| *v >= 0.0));
            prop_assert!(info.converged == (info.gap <= 1e-9));
            let best = objective(&gram, &c, &slow(&gram, &c));
            let excess = objective(&gram, &c, &b) - best;
            prop_assert!(excess <= info.gap + 1e-7, "excess {excess}, gap {}", info.gap);
        }
    }

    #[test]
    fn a_solve_that_runs_out_of_steps_has_not_converged() {
        let gram = [1.0, 0.9, 0.1, 0.9, 1.0, 0.2, 0.1, 0.2, 1.0];
        let mut b = [0.0; 3];
        let c = [0.4, 0.45, 0.35];
        let info = minimise_on_simplex(
            Quadratic { gram: &gram, linear: &c },
            &mut b,
            StopRule { tolerance: 1e-12, most_iterations: 1 },
            &mut Scratch::new(3),
        );
        assert!(!info.converged && info.gap > 1e-12);
        assert_eq!(info.iterations, 1);
    }
}
