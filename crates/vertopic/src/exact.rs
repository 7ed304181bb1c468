//! Sums that do not depend on their order: fixed-point numbers.
//!
//! Adding floats in another order gives another last bit; adding integers does not. So a document's
//! contribution to a sum is rounded to an integer once, by a rule that looks at that document alone,
//! and integers are added.

/// Binary digits behind the point of a word's frequency in a document, `count / length`.
///
/// 28 keep the rounding of a single occurrence in a document of 10,000 tokens under 2·10⁻⁵ of its
/// value, and leave a sum of products with a 14-bit direction inside 63 bits for two million
/// documents' worth of one word.
pub const FREQUENCY_BITS: u32 = 28;

/// Binary digits behind the point of a product of two frequencies.
pub const PAIR_BITS: u32 = 40;

/// Binary digits behind the point of a sum whose total is known to stay below 2.
pub const UNIT_BITS: u32 = 60;

/// `count / length` in fixed point, rounded to nearest. `length` is positive and at least `count`.
#[inline]
pub fn frequency(count: u32, length: u64) -> u64 {
    ((u64::from(count) << FREQUENCY_BITS) + length / 2) / length
}

/// `1 / (length · other)` in fixed point, rounded to nearest: the weight of one pair of tokens.
#[inline]
pub fn pair_weight(length: u64, other: u64) -> u64 {
    let pairs = u128::from(length) * u128::from(other);
    (((1_u128 << PAIR_BITS) + pairs / 2) / pairs) as u64
}

/// A number in [0, 2] in fixed point, rounded to nearest.
#[inline]
pub fn unit(x: f64) -> u64 {
    (x * (1_u64 << UNIT_BITS) as f64).round_ties_even() as u64
}

/// The value of a fixed-point number with `bits` digits behind the point.
#[inline]
pub fn value(fixed: u64, bits: u32) -> f64 {
    fixed as f64 / (1_u128 << bits) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_is_near_the_real_number() {
        for (c, n) in [(1_u32, 3_u64), (7, 10_000), (u32::MAX, u64::from(u32::MAX)), (1, 1)] {
            let real = f64::from(c) / n as f64;
            assert!(
                (value(frequency(c, n), FREQUENCY_BITS) - real).abs() <= 0.5 / (1 << 28) as f64
            );
        }
        let w = value(pair_weight(450, 451), PAIR_BITS);
        assert!((w * 450.0 * 451.0 - 1.0).abs() < 1e-6);
        assert!((value(unit(0.3), UNIT_BITS) - 0.3).abs() < 1e-15);
    }
}
