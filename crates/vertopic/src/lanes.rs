//! Eight numbers at once: by the wide instructions of the machine if it has them, and with the same bits if not.
//!
//! Every operation rounds each of its eight results as the plain one would: products and sums are fused where a kernel asks
//! for it and nowhere else. The order of a sum over the eight is fixed. So a kernel gives the same numbers on every machine.

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
    /// `a b + c`, rounded once.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// The sum of the eight, always as `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
    fn sum(self, a: Self::V) -> f32;
    /// The largest of the eight.
    fn most(self, a: Self::V) -> f32;
    /// Adds the nearest integers, ties to even. The numbers are below 2⁵¹.
    fn tally(self, sums: &mut [i64; LANES], a: Self::V);

    /// Eight integers of 32 bits in a register.
    type N: Copy;
    fn no_integers(self) -> Self::N;
    /// Adds the nearest integers, ties to even. The numbers are below 2³¹.
    fn add_nearest(self, sums: Self::N, a: Self::V) -> Self::N;
    /// Adds integers to others.
    fn put_integers(self, to: &mut [i64; LANES], a: Self::N);

    /// Sixteen integers in a register, laid out as [`Integers`].
    type I: Copy;
    /// Sixteen sums of 32 bits in registers, in an order of their own.
    type Sums: Copy;

    fn view_integers(integers: &[Integers]) -> &[Self::I];
    fn no_sums(self) -> Self::Sums;
    /// Adds `factors[0]·a + factors[1]·b`.
    fn add_products(
        self,
        sums: Self::Sums,
        a: Self::I,
        b: Self::I,
        factors: [i16; 2],
    ) -> Self::Sums;
    /// Adds the sums times `2^shift` to others, in the order of the integers.
    fn put(self, to: &mut [i64; 16], sums: Self::Sums, shift: u32);
}

/// Sixteen integers in memory.
pub(crate) type Integers = [i16; 16];

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
    use super::{Integers, LANES, Lane, Lanes};
    use pulp::x86::V3;
    use pulp::{Simd as _, cast, f32x4, f32x8, f64x4, i16x16, i32x4, i32x8, i64x4};

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
        fn mul_add(self, a: f32x8, b: f32x8, c: f32x8) -> f32x8 {
            self.mul_add_f32s(a, b, c)
        }
        #[inline(always)]
        fn div(self, a: f32x8, b: f32x8) -> f32x8 {
            self.div_f32s(a, b)
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
        fn most(self, a: f32x8) -> f32 {
            self.reduce_max_f32s(a)
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

        type N = i32x8;

        #[inline(always)]
        fn no_integers(self) -> i32x8 {
            self.splat_i32x8(0)
        }
        #[inline(always)]
        fn add_nearest(self, sums: i32x8, a: f32x8) -> i32x8 {
            self.wrapping_add_i32x8(sums, cast(self.avx._mm256_cvtps_epi32(cast(a))))
        }
        #[inline(always)]
        fn put_integers(self, to: &mut [i64; LANES], a: i32x8) {
            let halves: [i32x4; 2] = cast(a);
            let to: &mut [i64x4; 2] = pulp::bytemuck::cast_mut(to);
            for (to, half) in to.iter_mut().zip(halves) {
                let wide = cast(self.avx2._mm256_cvtepi32_epi64(cast(half)));
                *to = self.wrapping_add_i64x4(*to, wide);
            }
        }

        type I = i16x16;
        /// Numbers 0 to 3 and 8 to 11, then the others: so the instruction that pairs two rows leaves them.
        type Sums = [i32x8; 2];

        #[inline(always)]
        fn view_integers(integers: &[Integers]) -> &[i16x16] {
            pulp::bytemuck::cast_slice(integers)
        }
        #[inline(always)]
        fn no_sums(self) -> Self::Sums {
            [self.splat_i32x8(0); 2]
        }
        #[inline(always)]
        fn add_products(
            self,
            sums: Self::Sums,
            a: i16x16,
            b: i16x16,
            [x, y]: [i16; 2],
        ) -> Self::Sums {
            let factors = cast(self.splat_i32x8(i32::from(x) & 0xffff | i32::from(y) << 16));
            let low = cast(self.avx2._mm256_unpacklo_epi16(cast(a), cast(b)));
            let high = cast(self.avx2._mm256_unpackhi_epi16(cast(a), cast(b)));
            let product = |pairs| self.multiply_wrapping_add_adjacent_i16x16(pairs, factors);
            [
                self.wrapping_add_i32x8(sums[0], product(low)),
                self.wrapping_add_i32x8(sums[1], product(high)),
            ]
        }
        #[inline(always)]
        fn put(self, to: &mut [i64; 16], sums: Self::Sums, shift: u32) {
            let s: [[i32x4; 2]; 2] = cast(sums);
            let to: &mut [i64x4; 4] = pulp::bytemuck::cast_mut(to);
            let shift = self.sse2._mm_cvtsi32_si128(shift as i32);
            for (to, four) in to.iter_mut().zip([s[0][0], s[1][0], s[0][1], s[1][1]]) {
                let wide = self.avx2._mm256_cvtepi32_epi64(cast(four));
                let shifted = cast(self.avx2._mm256_sll_epi64(wide, shift));
                *to = self.wrapping_add_i64x4(*to, shifted);
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
    fn mul_add(self, a: Lane, b: Lane, c: Lane) -> Lane {
        std::array::from_fn(|l| a[l].mul_add(b[l], c[l]))
    }
    #[inline(always)]
    fn div(self, a: Lane, b: Lane) -> Lane {
        std::array::from_fn(|l| a[l] / b[l])
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
    fn most(self, a: Lane) -> f32 {
        a.iter().copied().fold(a[0], f32::max)
    }
    #[inline(always)]
    fn tally(self, sums: &mut [i64; LANES], a: Lane) {
        for (sum, a) in sums.iter_mut().zip(a) {
            *sum += crate::exact::nearest(f64::from(a));
        }
    }

    type N = [i32; LANES];

    #[inline(always)]
    fn no_integers(self) -> [i32; LANES] {
        [0; LANES]
    }
    #[inline(always)]
    fn add_nearest(self, sums: [i32; LANES], a: Lane) -> [i32; LANES] {
        std::array::from_fn(|l| sums[l].wrapping_add(a[l].round_ties_even() as i32))
    }
    #[inline(always)]
    fn put_integers(self, to: &mut [i64; LANES], a: [i32; LANES]) {
        to.iter_mut().zip(a).for_each(|(to, a)| *to += i64::from(a));
    }

    type I = Integers;
    type Sums = [i32; 16];

    #[inline(always)]
    fn view_integers(integers: &[Integers]) -> &[Integers] {
        integers
    }
    #[inline(always)]
    fn no_sums(self) -> [i32; 16] {
        [0; 16]
    }
    #[inline(always)]
    fn add_products(
        self,
        sums: [i32; 16],
        a: Integers,
        b: Integers,
        factors: [i16; 2],
    ) -> [i32; 16] {
        let [x, y] = factors.map(i32::from);
        std::array::from_fn(|l| {
            let product = (x * i32::from(a[l])).wrapping_add(y * i32::from(b[l]));
            sums[l].wrapping_add(product)
        })
    }
    #[inline(always)]
    fn put(self, to: &mut [i64; 16], sums: [i32; 16], shift: u32) {
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = to.wrapping_add(i64::from(sum) << shift);
        }
    }
}

#[cfg(test)]
mod tests;
