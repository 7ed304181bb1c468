//! AVX2 with fused operations: a vector in a register of 256 bits.

use super::{Doubles, Integers, LANES, Lane, Simd};
use pulp::x86::V3;
use pulp::{Simd as _, bytemuck, cast, f32x4, f32x8, f64x4, i16x16, i32x4, i32x8, i64x4, m64x4};

const MAGIC: f64 = crate::exact::MAGIC;

impl Simd for V3 {
    const WIDTH: usize = 1;
    const TILE: usize = 4;

    type V = f32x8;

    #[inline(always)]
    fn view(lanes: &[Lane]) -> &[f32x8] {
        bytemuck::cast_slice(lanes)
    }
    #[inline(always)]
    fn view_mut(lanes: &mut [Lane]) -> &mut [f32x8] {
        bytemuck::cast_slice_mut(lanes)
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
    fn tally(self, sums: &mut [[i64; LANES]], a: f32x8) {
        let halves: [f32x4; 2] = cast(a);
        let sums: &mut [i64x4] = bytemuck::cast_slice_mut(sums);
        for (sum, half) in sums.iter_mut().zip(halves) {
            let shifted =
                self.add_f64x4(self.convert_f32x4_to_f64x4(half), self.splat_f64x4(MAGIC));
            let integer = cast::<f64x4, i64x4>(shifted);
            let base = self.splat_i64x4(MAGIC.to_bits() as i64);
            *sum = self.wrapping_add_i64x4(*sum, self.wrapping_sub_i64x4(integer, base));
        }
    }

    type D = [f64x4; 2];
    const DOUBLE_TILE: [usize; 2] = [4, 1];

    #[inline(always)]
    fn view_doubles(doubles: &[Doubles]) -> &[[f64x4; 2]] {
        bytemuck::cast_slice(doubles)
    }
    #[inline(always)]
    fn view_doubles_mut(doubles: &mut [Doubles]) -> &mut [[f64x4; 2]] {
        bytemuck::cast_slice_mut(doubles)
    }
    #[inline(always)]
    fn splat_double(self, a: f64) -> [f64x4; 2] {
        [self.splat_f64s(a); 2]
    }
    #[inline(always)]
    fn mul_doubles(self, a: [f64x4; 2], b: [f64x4; 2]) -> [f64x4; 2] {
        [self.mul_f64s(a[0], b[0]), self.mul_f64s(a[1], b[1])]
    }
    #[inline(always)]
    fn mul_add_doubles(self, a: [f64x4; 2], b: [f64x4; 2], c: [f64x4; 2]) -> [f64x4; 2] {
        [self.mul_add_f64s(a[0], b[0], c[0]), self.mul_add_f64s(a[1], b[1], c[1])]
    }
    #[inline(always)]
    fn sum_doubles(self, a: [f64x4; 2]) -> f64 {
        let [a, b, c, d]: [f64; 4] = cast(self.add_f64s(a[0], a[1]));
        (a + c) + (b + d)
    }

    #[inline(always)]
    fn equal(self, a: &[f64; LANES], b: f64) -> u8 {
        let [low, high]: [f64x4; 2] = cast(*a);
        let b = self.splat_f64s(b);
        bits(self, [self.equal_f64s(low, b), self.equal_f64s(high, b)])
    }
    #[inline(always)]
    fn above(self, a: &[f64; LANES], b: f64) -> u8 {
        let [low, high]: [f64x4; 2] = cast(*a);
        let b = self.splat_f64s(b);
        bits(self, [self.greater_than_f64s(low, b), self.greater_than_f64s(high, b)])
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
    fn put_integers(self, to: &mut [[i64; LANES]], a: i32x8) {
        let halves: [i32x4; 2] = cast(a);
        let to: &mut [i64x4] = bytemuck::cast_slice_mut(to);
        for (to, half) in to.iter_mut().zip(halves) {
            let wide = cast(self.avx2._mm256_cvtepi32_epi64(cast(half)));
            *to = self.wrapping_add_i64x4(*to, wide);
        }
    }

    type I = [i16x16; 2];
    /// For each register of integers the sums 0 to 3 and 8 to 11, then the others: the order in which the unpack instruction
    /// leaves them.
    type Sums = [[i32x8; 2]; 2];

    #[inline(always)]
    fn view_integers(integers: &[Integers]) -> &[[i16x16; 2]] {
        bytemuck::cast_slice(integers)
    }
    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        [[self.splat_i32x8(0); 2]; 2]
    }
    #[inline(always)]
    fn add_products(
        self,
        sums: Self::Sums,
        a: &Self::I,
        b: &Self::I,
        factors: [i16; 2],
    ) -> Self::Sums {
        let factors = cast(self.splat_i32x8(cast(factors)));
        let mut out = sums;
        for (sums, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
            let pairs = [
                self.avx2._mm256_unpacklo_epi16(cast(*a), cast(*b)),
                self.avx2._mm256_unpackhi_epi16(cast(*a), cast(*b)),
            ];
            for (sum, pairs) in sums.iter_mut().zip(pairs) {
                let product = self.multiply_wrapping_add_adjacent_i16x16(cast(pairs), factors);
                *sum = self.wrapping_add_i32x8(*sum, product);
            }
        }
        out
    }
    #[inline(always)]
    fn put(self, to: &mut [i64; 32], sums: Self::Sums, shift: u32) {
        let to: &mut [[i64x4; 4]; 2] = bytemuck::cast_mut(to);
        let shift = self.sse2._mm_cvtsi32_si128(shift as i32);
        for (to, sums) in to.iter_mut().zip(sums) {
            let s: [[i32x4; 2]; 2] = cast(sums);
            for (to, four) in to.iter_mut().zip([s[0][0], s[1][0], s[0][1], s[1][1]]) {
                let wide = self.avx2._mm256_cvtepi32_epi64(cast(four));
                let shifted = cast(self.avx2._mm256_sll_epi64(wide, shift));
                *to = self.wrapping_add_i64x4(*to, shifted);
            }
        }
    }
}

/// The bits of two masks of four.
#[inline(always)]
fn bits(lanes: V3, halves: [m64x4; 2]) -> u8 {
    let [low, high] = halves.map(|half| lanes.avx._mm256_movemask_pd(cast(half)));
    (low | high << 4) as u8
}
