//! Sums that do not depend on their order: fixed-point numbers.
//!
//! Adding floats in another order gives another last bit; adding integers does not. So a document's
//! contribution to a sum is rounded to an integer once, by a rule that looks at that document alone,
//! and integers are added. [`ExactSums`] holds sums over any number of documents.

mod sums;

pub use sums::ExactSums;

/// Binary digits behind the point of a word's frequency in a document, `count / length`.
///
/// 28 keep the rounding of a single occurrence in a document of 10,000 tokens under 2·10⁻⁵ of its value.
pub const FREQUENCY_BITS: u32 = 28;

/// Binary digits behind the point of a product of two frequencies.
///
/// 42 keep the rounding of a single pair in a document of 100,000 tokens under 0.2 % of its value.
pub const PAIR_BITS: u32 = 42;

/// No frequency of a word in a document is larger.
pub(crate) const LARGEST_FREQUENCY: u64 = 1 << FREQUENCY_BITS;
/// No sum of the pairs of two words in a document is larger; that of a word with itself is twice 1 before own pairs are
/// taken off.
pub(crate) const LARGEST_PAIRS: u64 = 1 << (PAIR_BITS + 2);

/// `count / length` in fixed point, rounded to nearest. `length` is positive and at least `count`.
#[inline]
pub fn frequency(count: u32, length: u64) -> u64 {
    ((u64::from(count) << FREQUENCY_BITS) + length / 2) / length
}

/// The weight of one of `length · other` pairs of tokens, in units of the last fixed-point digit. It is rounded
/// after counts have multiplied it: in a long document it is small.
#[inline]
pub fn pair_weight(length: u64, other: u64) -> f64 {
    (1_u64 << PAIR_BITS) as f64 / (length as f64 * other as f64)
}

/// The weight of `count` pairs in fixed point, rounded to nearest.
#[inline]
pub fn pairs(count: u64, weight: f64) -> u64 {
    nearest(count as f64 * weight) as u64 // at most 2⁴³, about
}

/// Added to a number below 2⁵¹ it leaves the nearest integer in the lowest bits of the sum.
pub(crate) const MAGIC: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²

/// The integer nearest to a number of less than 2⁵¹ in size. Unlike a cast it is fast for whole vectors.
#[inline]
pub fn nearest(x: f64) -> i64 {
    (x + MAGIC).to_bits().wrapping_sub(MAGIC.to_bits()) as i64
}

/// The integer nearest to any number; the nearest that 64 bits have if it is larger.
#[inline]
pub(crate) fn nearest_large(x: f64) -> i64 {
    const LIMIT: f64 = (1_u64 << 51) as f64;
    if x.abs() < LIMIT { nearest(x) } else { x.round_ties_even() as i64 }
}

/// Adds to a sum whose digits were chosen by [`sum_bits`]. Only the parameters of a forged pass can make it wrap around.
#[inline]
pub(crate) fn add(sum: &mut i64, term: i64) {
    *sum = sum.wrapping_add(term);
}

/// Binary digits behind the point for which `terms` numbers of at most `largest` in size can be rounded by
/// [`nearest`] and summed in an `i64`. Negative for very large numbers.
pub fn sum_bits(terms: usize, largest: f64) -> i32 {
    let size = libm::frexp(largest).1; // largest < 2^size
    let count = (usize::BITS - terms.leading_zeros()) as i32; // terms < 2^count
    (50 - size).min(62 - size - count)
}

/// The value of a fixed-point number with `bits` digits behind the point.
#[inline]
pub fn scaled(fixed: f64, bits: u32) -> f64 {
    fixed / (1_u64 << bits) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_is_near_the_real_number() {
        for (c, n) in [(1_u32, 3_u64), (7, 10_000), (u32::MAX, u64::from(u32::MAX)), (1, 1)] {
            let real = f64::from(c) / n as f64;
            assert!(
                (scaled(frequency(c, n) as f64, FREQUENCY_BITS) - real).abs()
                    <= 0.5 / (1 << 28) as f64
            );
        }
        for (n, relative) in [(450_u64, 1e-6), (100_000, 2e-3), (2_000_000, 0.5)] {
            let one = scaled(pairs(1, pair_weight(n, n + 1)) as f64, PAIR_BITS)
                * n as f64
                * (n + 1) as f64;
            assert!((one - 1.0).abs() < relative, "{n}: {one}");
            let all = scaled(pairs(n * (n + 1), pair_weight(n, n + 1)) as f64, PAIR_BITS);
            assert!((all - 1.0).abs() < 1e-9, "{n}: {all}");
        }
        for x in [0.0, 0.5, 1.5, -2.5, 1e15, -1e15, 7.49] {
            assert_eq!(nearest(x), x.round_ties_even() as i64);
        }
        for (terms, largest) in [(1, 1.0), (300_000, 3e-9), (7, 1e18), (1 << 40, 0.75)] {
            let fixed = libm::ldexp(largest, sum_bits(terms, largest));
            assert!((1024.0..=(1_u64 << 51) as f64).contains(&fixed), "{terms} {largest}");
            assert!((terms as f64 * fixed) < (1_u64 << 62) as f64 * 1.001);
        }
    }
}
