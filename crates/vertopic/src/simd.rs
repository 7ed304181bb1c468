//! SIMD kernels with the same bits on every processor.
//!
//! A kernel is written once, over vectors of eight numbers, and compiled for AVX-512, AVX2 and plain code. [`run`] picks the
//! widest that the processor has. The bits are the same for three reasons:
//!
//! - Every operation rounds each element as its scalar form does.
//! - A product and a sum are fused where a kernel asks for it, and nowhere else. Processors without fused operations compute
//!   them in software.
//! - The order of a sum over vectors is fixed ([`sum_over`]).

mod aligned;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

use plain::Plain;

pub(crate) use aligned::Aligned;

/// A vector of eight `f32` in memory.
pub(crate) type Lane = [f32; 8];

/// Vectors in memory; the first starts a cache line.
pub(crate) type Rows = Aligned<f32, LANES>;

/// Elements of a vector.
pub(crate) const LANES: usize = 8;

/// Vectors that a row of `elements` takes on this processor: whole registers, the last padded.
pub(crate) fn lanes_for(elements: usize) -> usize {
    elements.div_ceil(LANES).next_multiple_of(run(Width))
}

struct Width;

impl Kernel for Width {
    type Output = usize;

    #[inline(always)]
    fn run<L: Simd>(self, _: L) -> usize {
        L::WIDTH
    }
}

/// The operations of a kind of processor, on registers of one or two vectors.
pub(crate) trait Simd: Copy {
    /// Vectors in a register: 1 or 2.
    const WIDTH: usize;
    /// Accumulators that fit into registers together with as many factors.
    const TILE: usize;

    /// A register of `f32`, laid out as its vectors in memory.
    type V: Copy;

    /// Views `vectors` as registers. Their number is a multiple of [`Self::WIDTH`].
    fn view(vectors: &[Lane]) -> &[Self::V];
    fn view_mut(vectors: &mut [Lane]) -> &mut [Self::V];
    fn splat(self, a: f32) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a b + c`, rounded once.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// The sum of the elements of `a`: two vectors are added first, then the eight elements, always as
    /// `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
    fn sum(self, a: Self::V) -> f32;
    /// The largest element of `a`.
    fn most(self, a: Self::V) -> f32;
    /// Rounds each element of `a` to the nearest integer, ties to even, and adds it to its sum. Elements are below 2⁵¹.
    fn tally(self, sums: &mut [[i64; LANES]], a: Self::V);

    /// Registers of eight `f64`, laid out as [`Doubles`].
    type D: Copy;
    /// Rows and vectors of a tile of a matrix product: as many accumulators as fit into registers.
    const DOUBLE_TILE: [usize; 2];

    fn view_doubles(doubles: &[Doubles]) -> &[Self::D];
    fn view_doubles_mut(doubles: &mut [Doubles]) -> &mut [Self::D];
    fn splat_double(self, a: f64) -> Self::D;
    fn mul_doubles(self, a: Self::D, b: Self::D) -> Self::D;
    /// `a b + c`, rounded once.
    fn mul_add_doubles(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    /// The sum of the elements of `a`, always as `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
    fn sum_doubles(self, a: Self::D) -> f64;

    /// Bit i says whether `a[i] == b`.
    fn equal(self, a: &[f64; LANES], b: f64) -> u8;
    /// Bit i says whether `a[i] > b`.
    fn above(self, a: &[f64; LANES], b: f64) -> u8;

    /// A register of as many `i32` as [`Self::V`] has elements.
    type N: Copy;
    fn no_integers(self) -> Self::N;
    /// Rounds each element of `a` to the nearest integer, ties to even, and adds it. Elements are below 2³¹.
    fn add_nearest(self, sums: Self::N, a: Self::V) -> Self::N;
    /// Adds each integer of `a` to its sum.
    fn put_integers(self, to: &mut [[i64; LANES]], a: Self::N);

    /// Registers of 32 `i16`, laid out as [`Integers`].
    type I;
    /// Registers of 32 sums of 32 bits, in an order that suits the processor.
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
    /// Adds `sums · 2^shift` to `to`, in the order of the integers.
    fn put(self, to: &mut [i64; 32], sums: Self::Sums, shift: u32);
}

/// A vector of eight `f64` in memory.
pub(crate) type Doubles = [f64; LANES];

/// A vector of 32 `i16` in memory.
pub(crate) type Integers = [i16; 32];

/// A sum over the registers of a row in a fixed order: even and odd vectors are summed apart. `add(j, sum)` adds register j
/// and must be `#[inline(always)]`. [`Simd::sum`] of the result is the sum of all elements.
#[inline(always)]
pub(crate) fn sum_over<L: Simd>(
    simd: L,
    registers: usize,
    mut add: impl FnMut(usize, L::V) -> L::V,
) -> L::V {
    let (mut even, mut odd) = (simd.splat(0.0), simd.splat(0.0));
    if L::WIDTH == 2 {
        // The upper half of a register is an odd vector.
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

/// A computation on vectors. `run` must be `#[inline(always)]`, and so must all it calls: only inlined code is compiled for
/// the instructions of the processor.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Simd>(self, simd: L) -> Self::Output;
}

/// Runs a kernel with the widest instructions of the processor.
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

/// Runs loops that the compiler vectorizes by itself: each element on its own, without a sum across elements. The closure
/// must be `#[inline(always)]`.
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
pub(crate) mod tests;
