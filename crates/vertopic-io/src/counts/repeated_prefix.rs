//! Lines of entries that look like the one before: the same first id, and a second of as many digits.

use crate::counts::swar_int::{Width, one};

/// Bytes that are looked at of a line: two ids of up to seven digits, a count of one, and what is between them.
const LINE: usize = 24;

/// The first id of a line and the blank after it, to be recognised on the next line without being read.
pub(super) struct First {
    /// The bytes, and which of the eight they are.
    bytes: u64,
    mask: u64,
    len: usize,
    id: u32,
}

impl First {
    pub(super) fn new(text: &[u8]) -> Option<Self> {
        let text: &[u8; 8] = text.first_chunk()?;
        let (id, end) = one(text)?;
        let mask = u64::MAX >> (56 - 8 * end); // it has at most 7 digits
        (text[end] == b' ').then_some(Self {
            bytes: u64::from_le_bytes(*text) & mask,
            mask,
            len: end + 1,
            id,
        })
    }

    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// Bytes of the id and the blank.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What comes after it, if the text starts with it and does not end soon.
    #[inline]
    pub(super) fn rest<'t>(&self, text: &'t [u8]) -> Option<&'t [u8; 16]> {
        let text: &[u8; LINE] = text.first_chunk()?;
        let start = u64::from_le_bytes(*text.first_chunk()?);
        if start & self.mask == self.bytes { text[self.len..].first_chunk() } else { None }
    }

    /// Adds the pairs of the lines from `next` on that start with it, have a second id of so many digits, from 1 to
    /// `n`, and a count of one digit. Gives back where the first other line starts.
    ///
    /// Such lines are of one length. So the processor need not read one to find the next, and works on several at a
    /// time.
    #[allow(clippy::needless_bitwise_bool)] // one branch instead of three
    #[inline]
    pub(super) fn alike(
        &self,
        digits: usize,
        text: &[u8],
        mut next: usize,
        n: u64,
        pairs: &mut Vec<(u32, u32)>,
    ) -> usize {
        let Some(width) = Width::new(digits) else { return next };
        while let Some(rest) = text.get(next..).and_then(|text| self.rest(text)) {
            let Some(id) = width.read(rest) else { break };
            let Some(&[blank, count, end]) = rest[digits..].first_chunk() else { break };
            let (second, count) = (id.wrapping_sub(1), count.wrapping_sub(b'0'));
            let common = (blank == b' ') & (end == b'\n') & (count.wrapping_sub(1) < 9);
            if !common || u64::from(second) >= n {
                break;
            }
            pairs.push((second, u32::from(count)));
            next += self.len + digits + 3;
        }
        next
    }
}
