//! Numbers out of text, eight bytes at a time.
//!
//! Bytes are handled side by side in a word of 64 bits: the first byte of the text is the lowest. The three
//! multiplications that make a number of eight digits are those of D. Lemire, "Quickly parsing eight digits"
//! (2018).

#![allow(clippy::inline_always)] // they run once a line, where a call costs as much as the work

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Two numbers of one to seven digits with the byte `between` between them, as `12 3` or `12:3`, and where
/// they end. `None` says nothing of the text: it is to be looked at with more care.
#[inline(always)]
pub(super) fn two(text: &[u8; 16], between: u8) -> Option<(u32, u32, usize)> {
    let (first, end) = one(text)?;
    if text[end] != between {
        return None;
    }
    // Most counts are one digit.
    let (digit, after) = (text[end + 1].wrapping_sub(b'0'), text[end + 2]);
    if digit < 10 && !after.is_ascii_digit() {
        return Some((first, u32::from(digit), end + 2));
    }
    let (second, len) = one(text[end + 1..].first_chunk::<8>()?)?;
    Some((first, second, end + 1 + len))
}

/// A number of one to seven digits, and where it ends.
#[inline(always)]
pub(super) fn one<const N: usize>(text: &[u8; N]) -> Option<(u32, usize)> {
    let bytes = u64::from_le_bytes(*text.first_chunk()?) ^ ZEROS;
    let digits = (ends(bytes).trailing_zeros() / 8) as usize;
    (digits != 0 && digits != 8).then(|| (value(bytes, digits), digits))
}

/// Numbers of as many digits, from 1 to 7.
#[derive(Debug, Clone, Copy)]
pub(super) struct Width {
    digits: usize,
    /// The highest bit of the byte after the digits, and all bits up to it.
    end: u64,
    up_to: u64,
}

impl Width {
    pub(super) fn new(digits: usize) -> Option<Self> {
        let end = (1..8).contains(&digits).then(|| 0x80 << (8 * digits))?;
        Some(Self { digits, end, up_to: end | (end - 1) })
    }

    /// The number at the start of the text, if it has so many digits and no more.
    #[inline(always)]
    pub(super) fn read<const N: usize>(self, text: &[u8; N]) -> Option<u32> {
        let bytes = u64::from_le_bytes(*text.first_chunk()?) ^ ZEROS;
        (ends(bytes) & self.up_to == self.end).then(|| value(bytes, self.digits))
    }
}

/// The highest bit of each byte that is not 0 to 9, up to the first at least: one above 0x89 carries.
#[inline(always)]
fn ends(bytes: u64) -> u64 {
    (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080
}

/// The number in the first bytes, from 1 to 7 of them.
#[inline(always)]
fn value(bytes: u64, digits: usize) -> u32 {
    let digits = bytes << (64 - 8 * digits); // zeros in front
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let low = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let high = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    (low.wrapping_add(high) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, byte by byte.
    fn slow(text: &[u8]) -> Option<(u32, usize)> {
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
        (digits <= 7).then_some((number, digits))
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_the_text(
            text in "[0-9]{0,9}[ :\n\u{fe}é][0-9]{0,9}[ :\n\u{fe}é]?[0-9]{20}"
        ) {
            let text: &[u8; 16] = text.as_bytes().first_chunk().expect("long enough");
            prop_assert_eq!(one(text), slow(text));
            for digits in 0..9 {
                let want = slow(text).filter(|found| found.1 == digits).map(|found| found.0);
                prop_assert_eq!(Width::new(digits).and_then(|width| width.read(text)), want);
            }
            for between in [b' ', b':'] {
                let first = slow(text).filter(|&(_, end)| text[end] == between);
                let want = first.and_then(|(a, end)| {
                    let (b, len) = slow(&text[end + 1..])?;
                    Some((a, b, end + 1 + len))
                });
                prop_assert_eq!(two(text, between), want);
            }
        }
    }

    #[test]
    fn every_number_of_up_to_seven_digits_is_read() {
        for n in (0..10_000).chain((0..10_000_000).step_by(997)).chain([9_999_999]) {
            let text = format!("{n} {n}\n");
            let mut bytes = [0; 16];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            assert_eq!(two(&bytes, b' '), Some((n, n, text.len() - 1)));
        }
        assert_eq!(one(b"12345678"), None);
        assert_eq!(one(b"12"), None);
    }
}
