//! Eight numbers at once: by the wide instructions of the machine if it has them, and with the same bits if not.
//!
//! Every operation rounds each of its eight results as the plain one would (products and sums are never fused), and the
//! order of a sum over the eight is fixed. So a kernel gives the same numbers on every machine.

/// Eight numbers in memory.
pub(crate) type Lane = [f32; 8];

/// Numbers of a lane.
pub(crate) const LANES: usize = 8;

/// What can be done with eight numbers.
pub(crate) trait Lanes: Copy {
    /// Eight numbers in a register, laid out as a [`Lane`].
    type V: Copy;

    fn view(lanes: &[Lane]) -> &[Self::V];
    fn view_mut(lanes: &mut [Lane]) -> &mut [Self::V];
    fn splat(self, a: f32) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// The sum of the eight, always as `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
    fn sum(self, a: Self::V) -> f32;
    /// Adds the nearest integers, ties to even. The numbers are below 2⁵¹.
    fn tally(self, sums: &mut [i64; LANES], a: Self::V);
}

/// A computation on lanes. Its `run` is to be `#[inline(always)]`, and so is what that calls: only what is inlined is
/// compiled for the instructions at hand.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs a kernel on the best lanes of the machine.
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        return avx2.vectorize(
            #[inline(always)]
            || kernel.run(avx2),
        );
    }
    kernel.run(Plain)
}

/// Runs loops that the compiler makes wide by itself: those that treat every number alike and sum over none. The closure
/// is to be `#[inline(always)]`.
#[inline]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        return avx2.vectorize(work);
    }
    work()
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2 {
    use super::{LANES, Lane, Lanes};
    use pulp::x86::V3;
    use pulp::{Simd as _, f32x4, f32x8, f64x4, i64x4};

    const MAGIC: f64 = crate::exact::MAGIC;

    impl Lanes for V3 {
        type V = f32x8;

        #[inline(always)]
        fn view(lanes: &[Lane]) -> &[f32x8] {
            pulp::bytemuck::cast_slice(lanes)
        }
        #[inline(always)]
        fn view_mut(lanes: &mut [Lane]) -> &mut [f32x8] {
            pulp::bytemuck::cast_slice_mut(lanes)
        }
        #[inline(always)]
        fn splat(self, a: f32) -> f32x8 {
            self.splat_f32s(a)
        }
        #[inline(always)]
        fn add(self, a: f32x8, b: f32x8) -> f32x8 {
            self.add_f32s(a, b)
        }
        #[inline(always)]
        fn mul(self, a: f32x8, b: f32x8) -> f32x8 {
            self.mul_f32s(a, b)
        }
        #[inline(always)]
        fn min(self, a: f32x8, b: f32x8) -> f32x8 {
            self.min_f32s(a, b)
        }
        #[inline(always)]
        fn max(self, a: f32x8, b: f32x8) -> f32x8 {
            self.max_f32s(a, b)
        }
        #[inline(always)]
        fn sum(self, a: f32x8) -> f32 {
            self.reduce_sum_f32s(a)
        }
        #[inline(always)]
        fn tally(self, sums: &mut [i64; LANES], a: f32x8) {
            let halves: [f32x4; 2] = pulp::cast(a);
            let sums: &mut [i64x4; 2] = pulp::bytemuck::cast_mut(sums);
            for (sum, half) in sums.iter_mut().zip(halves) {
                let shifted =
                    self.add_f64x4(self.convert_f32x4_to_f64x4(half), self.splat_f64x4(MAGIC));
                let integer: i64x4 = pulp::cast::<f64x4, i64x4>(shifted);
                let base = self.splat_i64x4(MAGIC.to_bits() as i64);
                *sum = self.wrapping_add_i64x4(*sum, self.wrapping_sub_i64x4(integer, base));
            }
        }
    }
}

/// Lanes of any machine.
#[derive(Debug, Clone, Copy)]
struct Plain;

impl Lanes for Plain {
    type V = Lane;

    #[inline(always)]
    fn view(lanes: &[Lane]) -> &[Lane] {
        lanes
    }
    #[inline(always)]
    fn view_mut(lanes: &mut [Lane]) -> &mut [Lane] {
        lanes
    }
    #[inline(always)]
    fn splat(self, a: f32) -> Lane {
        [a; LANES]
    }
    #[inline(always)]
    fn add(self, a: Lane, b: Lane) -> Lane {
        std::array::from_fn(|l| a[l] + b[l])
    }
    #[inline(always)]
    fn mul(self, a: Lane, b: Lane) -> Lane {
        std::array::from_fn(|l| a[l] * b[l])
    }
    #[inline(always)]
    fn min(self, a: Lane, b: Lane) -> Lane {
        std::array::from_fn(|l| a[l].min(b[l]))
    }
    #[inline(always)]
    fn max(self, a: Lane, b: Lane) -> Lane {
        std::array::from_fn(|l| a[l].max(b[l]))
    }
    #[inline(always)]
    fn sum(self, a: Lane) -> f32 {
        ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
    }
    #[inline(always)]
    fn tally(self, sums: &mut [i64; LANES], a: Lane) {
        for (sum, a) in sums.iter_mut().zip(a) {
            *sum += crate::exact::nearest(f64::from(a));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{Seed, Stage};

    /// All operations on many numbers of all sizes.
    struct All<'a>(&'a [Lane]);

    impl Kernel for All<'_> {
        type Output = (Vec<u32>, [i64; LANES]);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let (mut bits, mut sums) = (Vec::new(), [0; LANES]);
            for pair in L::view(self.0).windows(2) {
                let (a, b) = (pair[0], pair[1]);
                let all = [
                    lanes.add(a, b),
                    lanes.mul(a, b),
                    lanes.min(a, b),
                    lanes.max(a, b),
                    lanes.add(lanes.mul(a, b), lanes.splat(0.1)),
                ];
                bits.extend(all.map(|v| lanes.sum(v).to_bits()));
                let mut out = [[0.0; LANES]; 5];
                L::view_mut(&mut out).copy_from_slice(&all);
                bits.extend(out.iter().flatten().map(|v| v.to_bits()));
                lanes.tally(&mut sums, a);
            }
            (bits, sums)
        }
    }

    #[test]
    fn every_machine_gives_the_same_bits() {
        let mut random = Seed(3).stream(Stage::Tie, 0);
        let mut number = || {
            let size = libm::ldexp(1.0, (random.unit() * 60.0) as i32 - 30);
            ((random.unit() - 0.5) * size) as f32
        };
        let numbers: Vec<Lane> = (0..500).map(|_| std::array::from_fn(|_| number())).collect();
        let plain = All(&numbers).run(Plain);
        assert_eq!(run(All(&numbers)), plain);
        let expected: Vec<i64> = (0..LANES)
            .map(|l| numbers[..499].iter().map(|v| v[l].round_ties_even() as i64).sum())
            .collect();
        assert_eq!(plain.1.to_vec(), expected);
        assert!(expected.iter().any(|&sum| sum.abs() > 1 << 24), "some are too large for an f32");
    }
}
