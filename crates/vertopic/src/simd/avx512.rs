//! AVX-512: two vectors in a register of 512 bits.

use super::{Doubles, Integers, LANES, Lane, Simd};
use pulp::x86::V4;
use pulp::{Simd as _, bytemuck, cast, f32x8, f32x16, f64x4, f64x8, i16x32, i32x16, i64x8};

const MAGIC: f64 = crate::exact::MAGIC;

impl Simd for V4 {
    const WIDTH: usize = 2;
    const TILE: usize = 8;

    type V = f32x16;

    #[inline(always)]
    fn view(lanes: &[Lane]) -> &[f32x16] {
        bytemuck::cast_slice(lanes)
    }
    #[inline(always)]
    fn view_mut(lanes: &mut [Lane]) -> &mut [f32x16] {
        bytemuck::cast_slice_mut(lanes)
    }
    #[inline(always)]
    fn splat(self, a: f32) -> f32x16 {
        self.splat_f32s(a)
    }
    #[inline(always)]
    fn add(self, a: f32x16, b: f32x16) -> f32x16 {
        self.add_f32s(a, b)
    }
    #[inline(always)]
    fn mul(self, a: f32x16, b: f32x16) -> f32x16 {
        self.mul_f32s(a, b)
    }
    #[inline(always)]
    fn mul_add(self, a: f32x16, b: f32x16, c: f32x16) -> f32x16 {
        self.mul_add_f32s(a, b, c)
    }
    #[inline(always)]
    fn div(self, a: f32x16, b: f32x16) -> f32x16 {
        self.div_f32s(a, b)
    }
    #[inline(always)]
    fn min(self, a: f32x16, b: f32x16) -> f32x16 {
        self.min_f32s(a, b)
    }
    #[inline(always)]
    fn max(self, a: f32x16, b: f32x16) -> f32x16 {
        self.max_f32s(a, b)
    }
    #[inline(always)]
    fn sum(self, a: f32x16) -> f32 {
        let [low, high] = halves(self, a);
        (*self).reduce_sum_f32s(self.add_f32x8(low, high))
    }
    #[inline(always)]
    fn most(self, a: f32x16) -> f32 {
        self.reduce_max_f32s(a)
    }
    #[inline(always)]
    fn tally(self, sums: &mut [[i64; LANES]], a: f32x16) {
        let sums: &mut [i64x8] = bytemuck::cast_slice_mut(sums);
        for (sum, half) in sums.iter_mut().zip(halves(self, a)) {
            let wide = cast(self.avx512f._mm512_cvtps_pd(cast(half)));
            let integer = cast::<f64x8, i64x8>(self.add_f64s(wide, self.splat_f64s(MAGIC)));
            let base = self.splat_i64x8(MAGIC.to_bits() as i64);
            *sum = self.wrapping_add_i64x8(*sum, self.wrapping_sub_i64x8(integer, base));
        }
    }

    type D = f64x8;
    const DOUBLE_TILE: [usize; 2] = [8, 2];

    #[inline(always)]
    fn view_doubles(doubles: &[Doubles]) -> &[f64x8] {
        bytemuck::cast_slice(doubles)
    }
    #[inline(always)]
    fn view_doubles_mut(doubles: &mut [Doubles]) -> &mut [f64x8] {
        bytemuck::cast_slice_mut(doubles)
    }
    #[inline(always)]
    fn splat_double(self, a: f64) -> f64x8 {
        self.splat_f64s(a)
    }
    #[inline(always)]
    fn mul_doubles(self, a: f64x8, b: f64x8) -> f64x8 {
        self.mul_f64s(a, b)
    }
    #[inline(always)]
    fn mul_add_doubles(self, a: f64x8, b: f64x8, c: f64x8) -> f64x8 {
        self.mul_add_f64s(a, b, c)
    }
    #[inline(always)]
    fn sum_doubles(self, a: f64x8) -> f64 {
        let [low, high]: [f64x4; 2] = cast(a);
        let [a, b, c, d]: [f64; 4] = cast(self.add_f64x4(low, high));
        (a + c) + (b + d)
    }

    #[inline(always)]
    fn equal(self, a: &[f64; LANES], b: f64) -> u8 {
        self.equal_f64s(cast(*a), self.splat_f64s(b)).0
    }
    #[inline(always)]
    fn above(self, a: &[f64; LANES], b: f64) -> u8 {
        self.greater_than_f64s(cast(*a), self.splat_f64s(b)).0
    }

    type N = i32x16;

    #[inline(always)]
    fn no_integers(self) -> i32x16 {
        self.splat_i32x16(0)
    }
    #[inline(always)]
    fn add_nearest(self, sums: i32x16, a: f32x16) -> i32x16 {
        self.wrapping_add_i32x16(sums, cast(self.avx512f._mm512_cvtps_epi32(cast(a))))
    }
    #[inline(always)]
    fn put_integers(self, to: &mut [[i64; LANES]], a: i32x16) {
        let to: &mut [i64x8] = bytemuck::cast_slice_mut(to);
        for (to, half) in to.iter_mut().zip(halves(self, cast(a))) {
            let wide = cast(self.avx512f._mm512_cvtepi32_epi64(cast(half)));
            *to = self.wrapping_add_i64x8(*to, wide);
        }
    }

    type I = i16x32;
    /// The first four of each eight sums, then the others: the order in which the unpack instruction leaves them.
    type Sums = [i32x16; 2];

    #[inline(always)]
    fn view_integers(integers: &[Integers]) -> &[i16x32] {
        bytemuck::cast_slice(integers)
    }
    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        [self.splat_i32x16(0); 2]
    }
    #[inline(always)]
    fn add_products(
        self,
        sums: Self::Sums,
        a: &i16x32,
        b: &i16x32,
        factors: [i16; 2],
    ) -> Self::Sums {
        let factors = cast(self.splat_i32x16(cast(factors)));
        let pairs = [
            self.avx512bw._mm512_unpacklo_epi16(cast(*a), cast(*b)),
            self.avx512bw._mm512_unpackhi_epi16(cast(*a), cast(*b)),
        ];
        let mut out = sums;
        for (sum, pairs) in out.iter_mut().zip(pairs) {
            let product = cast(self.avx512bw._mm512_madd_epi16(pairs, factors));
            *sum = self.wrapping_add_i32x16(*sum, product);
        }
        out
    }
    #[inline(always)]
    fn put(self, to: &mut [i64; 32], sums: Self::Sums, shift: u32) {
        let to: &mut [[i64x8; 2]; 2] = bytemuck::cast_mut(to);
        let shift = self.sse2._mm_cvtsi32_si128(shift as i32);
        for (to, order) in to.iter_mut().zip(EIGHTS) {
            let order = cast(order);
            let [first, last] = sums.map(cast);
            let sixteen = self.avx512f._mm512_permutex2var_epi64(first, order, last);
            for (to, eight) in to.iter_mut().zip(halves(self, cast(sixteen))) {
                let wide = self.avx512f._mm512_cvtepi32_epi64(cast(eight));
                let shifted = cast(self.avx512f._mm512_sll_epi64(wide, shift));
                *to = self.wrapping_add_i64x8(*to, shifted);
            }
        }
    }
}

/// Pairs that make up the first and the second sixteen sums; numbers from 8 on are in the second register.
const EIGHTS: [[i64; 8]; 2] = [[0, 1, 8, 9, 2, 3, 10, 11], [4, 5, 12, 13, 6, 7, 14, 15]];

/// The two vectors of a register. By instructions: through an array the compiler would split the sums into more registers.
#[inline(always)]
fn halves(lanes: V4, a: f32x16) -> [f32x8; 2] {
    let low = cast(lanes.avx512f._mm512_castps512_ps256(cast(a)));
    let high = cast(lanes.avx512dq._mm512_extractf32x8_ps::<1>(cast(a)));
    [low, high]
}
