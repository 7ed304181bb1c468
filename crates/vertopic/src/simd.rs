//! Numbers in lanes of eight, several at once: by the wide instructions of the machine if it has them, and with the same bits
//! if not.
//!
//! Every operation rounds each of its results as the plain one would: products and sums are fused where a kernel asks for it
//! and nowhere else. The order of a sum is fixed: those of every second lane first ([`sum_over`]). So a kernel gives the same
//! numbers on every machine.

mod aligned;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

use plain::Plain;

pub(crate) use aligned::Aligned;

/// Eight numbers in memory.
pub(crate) type Lane = [f32; 8];

/// Lanes, the first at the beginning of a line of the cache.
pub(crate) type Rows = Aligned<f32, LANES>;

/// Numbers of a lane.
pub(crate) const LANES: usize = 8;

/// Lanes that numbers of a row take here: whole registers, the last filled up.
pub(crate) fn lanes_for(numbers: usize) -> usize {
    numbers.div_ceil(LANES).next_multiple_of(run(Width))
}

struct Width;

impl Kernel for Width {
    type Output = usize;

    #[inline(always)]
    fn run<L: Simd>(self, _: L) -> usize {
        L::WIDTH
    }
}

/// What can be done with one or two lanes in a register.
pub(crate) trait Simd: Copy {
    /// Lanes that a register holds: 1 or 2.
    const WIDTH: usize;
    /// Registers that a kernel may sum in at once, with as many factors beside them.
    const TILE: usize;

    /// A register, laid out as lanes in memory.
    type V: Copy;

    /// Lanes as registers; there are to be as many as these hold.
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
    /// The sum of the numbers: two lanes are added, then the eight numbers of one, always as
    /// `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
    fn sum(self, a: Self::V) -> f32;
    /// The largest of the numbers.
    fn most(self, a: Self::V) -> f32;
    /// Adds the nearest integers to the sums of each lane, ties to even. The numbers are below 2⁵¹.
    fn tally(self, sums: &mut [[i64; LANES]], a: Self::V);

    /// Eight doubles in one or more registers, laid out as [`Doubles`].
    type D: Copy;
    /// Doubles that a tile of a matrix product sums at once: rows, and columns in eights.
    const DOUBLE_TILE: [usize; 2];

    fn view_doubles(doubles: &[Doubles]) -> &[Self::D];
    fn view_doubles_mut(doubles: &mut [Doubles]) -> &mut [Self::D];
    fn splat_double(self, a: f64) -> Self::D;
    fn mul_doubles(self, a: Self::D, b: Self::D) -> Self::D;
    /// `a b + c`, rounded once.
    fn mul_add_doubles(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    /// The sum of the eight, always as `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
    fn sum_doubles(self, a: Self::D) -> f64;

    /// Which of eight numbers are equal to another: a bit for each, the lowest for the first.
    fn equal(self, a: &[f64; LANES], b: f64) -> u8;
    /// Which are above it.
    fn above(self, a: &[f64; LANES], b: f64) -> u8;

    /// As many integers of 32 bits in a register.
    type N: Copy;
    fn no_integers(self) -> Self::N;
    /// Adds the nearest integers, ties to even. The numbers are below 2³¹.
    fn add_nearest(self, sums: Self::N, a: Self::V) -> Self::N;
    /// Adds integers to the sums of each lane.
    fn put_integers(self, to: &mut [[i64; LANES]], a: Self::N);

    /// 32 integers in registers, laid out as [`Integers`].
    type I;
    /// 32 sums of 32 bits in registers, in an order of their own.
    type Sums: Copy;

    fn view_integers(integers: &[Integers]) -> &[Self::I];
    fn no_sums(self) -> Self::Sums;
    /// Adds `factors[0]·a + factors[1]·b`.
    fn add_products(
        self,
        sums: Self::Sums,
        a: &Self::I,
        b: &Self::I,
        factors: [i16; 2],
    ) -> Self::Sums;
    /// Adds the sums times `2^shift` to others, in the order of the integers.
    fn put(self, to: &mut [i64; 32], sums: Self::Sums, shift: u32);
}

/// Eight doubles in memory.
pub(crate) type Doubles = [f64; LANES];

/// 32 integers in memory.
pub(crate) type Integers = [i16; 32];

/// A sum over the registers of a row, in the order that is the same on every machine: one sum of the even lanes and one of
/// the odd. `add` adds register j to what is summed so far, and is to be `#[inline(always)]`; [`Simd::sum`] of the result
/// is the sum of all numbers.
#[inline(always)]
pub(crate) fn sum_over<L: Simd>(
    simd: L,
    registers: usize,
    mut add: impl FnMut(usize, L::V) -> L::V,
) -> L::V {
    let (mut even, mut odd) = (simd.splat(0.0), simd.splat(0.0));
    if L::WIDTH == 2 {
        // Its upper half is the odd simd.
        for j in 0..registers {
            even = add(j, even);
        }
        return even;
    }
    for two in 0..registers / 2 {
        even = add(2 * two, even);
        odd = add(2 * two + 1, odd);
    }
    if !registers.is_multiple_of(2) {
        even = add(registers - 1, even);
    }
    simd.add(even, odd)
}

/// A computation on lanes. Its `ctx` is to be `#[inline(always)]`, and so is what that calls: only what is inlined is
/// compiled for the instructions at hand.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Simd>(self, lanes: L) -> Self::Output;
}

/// Runs a kernel on the best lanes of the machine.
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = pulp::x86::V4::try_new() {
        return avx512.vectorize(
            #[inline(always)]
            || kernel.run(avx512),
        );
    }
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
pub(crate) fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = pulp::x86::V4::try_new() {
        return avx512.vectorize(work);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        return avx2.vectorize(work);
    }
    work()
}

#[cfg(test)]
mod tests;
