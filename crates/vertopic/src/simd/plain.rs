//! Vectors as arrays, for any processor.

use super::{Doubles, Integers, LANES, Lane, Simd};

/// The operations of any processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Simd for Plain {
    const WIDTH: usize = 1;
    const TILE: usize = 4;

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
    fn tally(self, sums: &mut [[i64; LANES]], a: Lane) {
        for (sum, a) in sums.as_flattened_mut().iter_mut().zip(a) {
            *sum += crate::exact::nearest(f64::from(a));
        }
    }

    type D = Doubles;
    const DOUBLE_TILE: [usize; 2] = [4, 1];

    #[inline(always)]
    fn view_doubles(doubles: &[Doubles]) -> &[Doubles] {
        doubles
    }
    #[inline(always)]
    fn view_doubles_mut(doubles: &mut [Doubles]) -> &mut [Doubles] {
        doubles
    }
    #[inline(always)]
    fn splat_double(self, a: f64) -> Doubles {
        [a; LANES]
    }
    #[inline(always)]
    fn mul_doubles(self, a: Doubles, b: Doubles) -> Doubles {
        std::array::from_fn(|l| a[l] * b[l])
    }
    #[inline(always)]
    fn mul_add_doubles(self, a: Doubles, b: Doubles, c: Doubles) -> Doubles {
        std::array::from_fn(|l| a[l].mul_add(b[l], c[l]))
    }
    #[inline(always)]
    fn sum_doubles(self, a: Doubles) -> f64 {
        ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
    }

    #[inline(always)]
    fn equal(self, a: &[f64; LANES], b: f64) -> u8 {
        bits(a.map(|a| a == b))
    }
    #[inline(always)]
    fn above(self, a: &[f64; LANES], b: f64) -> u8 {
        bits(a.map(|a| a > b))
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
    fn put_integers(self, to: &mut [[i64; LANES]], a: [i32; LANES]) {
        to.as_flattened_mut().iter_mut().zip(a).for_each(|(to, a)| *to += i64::from(a));
    }

    type I = Integers;
    type Sums = [i32; 32];

    #[inline(always)]
    fn view_integers(integers: &[Integers]) -> &[Integers] {
        integers
    }
    #[inline(always)]
    fn no_sums(self) -> [i32; 32] {
        [0; 32]
    }
    #[inline(always)]
    fn add_products(
        self,
        sums: [i32; 32],
        a: &Integers,
        b: &Integers,
        factors: [i16; 2],
    ) -> [i32; 32] {
        let [x, y] = factors.map(i32::from);
        std::array::from_fn(|l| {
            let product = (x * i32::from(a[l])).wrapping_add(y * i32::from(b[l]));
            sums[l].wrapping_add(product)
        })
    }
    #[inline(always)]
    fn put(self, to: &mut [i64; 32], sums: [i32; 32], shift: u32) {
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = to.wrapping_add(i64::from(sum) << shift);
        }
    }
}

fn bits(answers: [bool; LANES]) -> u8 {
    (0..).zip(answers).fold(0, |bits, (l, yes)| bits | u8::from(yes) << l)
}
