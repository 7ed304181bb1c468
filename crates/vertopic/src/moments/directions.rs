//! Random directions over the documents: a Gaussian number for every (document, direction).
//!
//! A direction that is uniform on the sphere and a Gaussian one rank the words alike, so nothing is normalised. Numbers come
//! from a table of quantiles of the normal distribution, rounded to integers: one look-up per number, exact sums, and no
//! function whose last bit differs between machines.

use std::sync::LazyLock;

use crate::corpus::DocumentKey;
use crate::seed::{Seed, Stage, Stream};
use crate::simd::{self, Integers};

/// Random bits per number.
const BITS: u32 = 14;
/// Bits of 16 that are not used.
const SPARE: u32 = 16 - BITS;
/// Equal shares of probability.
const SHARES: usize = 1 << BITS;
/// One standard deviation, as an integer.
pub(super) const UNIT: f64 = 2048.0;
/// Numbers drawn from 64 random bits.
pub(crate) const PER_DRAW: usize = 4;

/// Gives the entries of random directions.
#[derive(Debug, Clone)]
pub struct Directions {
    seed: Seed,
    quantiles: &'static [i16; SHARES],
}

impl Directions {
    /// The directions of a run.
    pub fn new(seed: Seed) -> Self {
        static QUANTILES: LazyLock<Box<[i16; SHARES]>> = LazyLock::new(quantiles);
        Self { seed, quantiles: &QUANTILES }
    }

    /// The document's entries in the directions `start..start + out.len()`, in units of 1/2048
    /// standard deviation. `start` is a multiple of 4.
    pub fn fill(&self, document: DocumentKey, start: usize, out: &mut [i32]) {
        debug_assert!(start.is_multiple_of(PER_DRAW));
        let mut stream = self.of(document).skip((start / PER_DRAW) as u64);
        for four in out.chunks_mut(PER_DRAW) {
            for (out, share) in four.iter_mut().zip(parts(stream.next_u64())) {
                *out = i32::from(self.quantiles[share >> SPARE]);
            }
        }
    }

    /// The random stream of a document's entries.
    pub(super) fn of(&self, document: DocumentKey) -> Stream {
        self.seed.stream(Stage::Direction, document.0)
    }

    /// The entries of documents in the 32 directions from `start` on. Each is multiplied by the factor beside the document,
    /// which is at most 4, and rounded.
    pub(super) fn scaled(
        &self,
        documents: impl Iterator<Item = (Stream, f32)>,
        start: usize,
        out: &mut [Integers],
    ) {
        debug_assert!(start.is_multiple_of(PER_DRAW));
        let mut documents = documents;
        simd::vectorized(
            #[inline(always)]
            || {
                // A store of parts cannot be forwarded to a load of the whole: so several documents are drawn, then scaled.
                for out in out.chunks_mut(WAITING) {
                    let mut scales = [0.0; WAITING];
                    for (at, out) in out.iter_mut().enumerate() {
                        let Some((stream, by)) = documents.next() else { break };
                        scales[at] = by;
                        self.draw(&stream.skip((start / PER_DRAW) as u64).ahead(), out);
                    }
                    // No closure: it would not be compiled for wide instructions.
                    for (at, out) in out.iter_mut().enumerate() {
                        scale_all(out, scales[at]);
                    }
                }
            },
        );
    }

    #[inline(always)]
    fn draw(&self, bits: &[u64; DRAWS], out: &mut Integers) {
        for (four, bits) in out.as_chunks_mut::<PER_DRAW>().0.iter_mut().zip(bits) {
            for (at, share) in parts(*bits).into_iter().enumerate() {
                four[at] = self.quantiles[share >> SPARE];
            }
        }
    }
}

/// Documents whose entries are drawn before they are scaled.
const WAITING: usize = 16;
/// Draws for the entries in 32 directions.
const DRAWS: usize = size_of::<Integers>() / size_of::<i16>() / PER_DRAW;

#[inline(always)]
fn scale_all(entries: &mut Integers, scale: f32) {
    const MAGIC: f32 = 12_582_912.0; // 1.5 · 2²³: a sum with it has the nearest integer in its lowest bits
    for entry in entries {
        *entry = (f32::from(*entry) * scale + MAGIC).to_bits() as i16;
    }
}

/// 64 bits as four numbers of 16, the uppermost first.
#[inline(always)]
fn parts(bits: u64) -> [usize; PER_DRAW] {
    [
        (bits >> 48) as usize,
        (bits >> 32 & 0xffff) as usize,
        (bits >> 16 & 0xffff) as usize,
        (bits & 0xffff) as usize,
    ]
}

/// The normal quantiles at the midpoints of 2^14 equal shares of probability, times 2048.
fn quantiles() -> Box<[i16; SHARES]> {
    let n = SHARES;
    let mut upper = Vec::with_capacity(n / 2);
    let mut x = 0.0_f64;
    for k in 0..n / 2 {
        // Solve Q(x) = tail by Newton's method from the neighbour; Q is the upper tail.
        let tail = 0.5 - (k as f64 + 0.5) / n as f64;
        for _ in 0..8 {
            let q = 0.5 * libm::erfc(x / std::f64::consts::SQRT_2);
            let density = libm::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt();
            x += (q - tail) / density;
        }
        upper.push((x * UNIT).round_ties_even() as i16);
    }
    let both = upper.iter().rev().map(|&q: &i16| -q).chain(upper.iter().copied());
    let all: Box<[i16]> = both.collect();
    all.try_into().unwrap_or_else(|_| unreachable!("a number for every share"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_normal_distribution() {
        let q = quantiles();
        assert_eq!(q.len(), 1 << 14);
        assert!(q.is_sorted());
        // Golden: the 97.5 % quantile is 1.959964 (any table of the normal distribution).
        let at = |p: f64| f64::from(q[(p * q.len() as f64) as usize]) / UNIT;
        assert!((at(0.975) - 1.959_964).abs() < 2e-3, "{}", at(0.975));
        assert!((at(0.841_344_7) - 1.0).abs() < 2e-3);
        let moment =
            |k: i32| q.iter().map(|&x| (f64::from(x) / UNIT).powi(k)).sum::<f64>() / q.len() as f64;
        assert!(moment(1).abs() < 1e-12);
        assert!((moment(2) - 1.0).abs() < 2e-3, "{}", moment(2));
        assert!((moment(4) - 3.0).abs() < 0.03, "{}", moment(4));
    }

    #[test]
    fn a_block_of_directions_is_a_slice_of_all() {
        let directions = Directions::new(Seed(3));
        let (mut all, mut some) = ([0; 40], [0; 16]);
        directions.fill(DocumentKey(77), 0, &mut all);
        directions.fill(DocumentKey(77), 12, &mut some);
        assert_eq!(all[12..28], some);
        directions.fill(DocumentKey(78), 12, &mut some);
        assert_ne!(all[12..28], some);
        // As many documents as wait for each other, and a few more.
        let mut scaled = [[0; 32]; WAITING + 3];
        let scale = |d: u64| 0.3 + d as f32 / 7.0;
        let documents = (0..).map(|d| (directions.of(DocumentKey(d)), scale(d)));
        directions.scaled(documents, 8, &mut scaled);
        for (d, scaled) in (0..).zip(scaled) {
            directions.fill(DocumentKey(d), 0, &mut all);
            let expected = all[8..].iter().map(|&x| (x as f32 * scale(d)).round_ties_even() as i16);
            assert_eq!(scaled.to_vec(), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn entries_of_different_documents_and_directions_are_uncorrelated() {
        let directions = Directions::new(Seed(3));
        let (mut a, mut b) = (vec![0; 20_000], vec![0; 20_000]);
        directions.fill(DocumentKey(1), 0, &mut a);
        directions.fill(DocumentKey(2), 0, &mut b);
        let correlation = |x: &[i32], y: &[i32]| {
            x.iter().zip(y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum::<f64>()
                / (x.len() as f64 * UNIT * UNIT)
        };
        assert!(correlation(&a, &b).abs() < 0.03);
        assert!(correlation(&a[1..], &a[..19_999]).abs() < 0.03);
        assert!((correlation(&a, &a) - 1.0).abs() < 0.05);
    }
}
