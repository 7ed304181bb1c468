//! A `docword` file in parts, for documents that are never all in memory.
//!
//! The parts, made in any order and written one after the other, are the file. Each is plain text or a
//! gzip member of its own, so the bytes do not hang on who made them.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// How the parts of a file are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packing {
    /// As they are.
    Plain,
    /// With gzip.
    Gzip,
}

impl Packing {
    /// What the name of the file ends in.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Gzip => ".gz",
        }
    }

    /// A part of the file as it is written.
    pub fn pack(self, part: Vec<u8>) -> io::Result<Vec<u8>> {
        match self {
            Self::Plain => Ok(part),
            Self::Gzip => {
                // Without name and time: the same part is the same bytes.
                let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
                gzip.write_all(&part)?;
                gzip.finish()
            }
        }
    }
}

/// The header: how many documents, words and entries there are.
pub fn header(documents: u64, words: usize, entries: u64) -> Vec<u8> {
    format!("{documents}\n{words}\n{entries}\n").into_bytes()
}

/// Appends an entry `document word count` for every pair of document `document`, which counts from 0; in
/// the file ids count from 1.
///
/// ```
/// use vertopic_io::counts::uci::push_entries;
/// let mut text = Vec::new();
/// push_entries(&mut text, 6, [(0, 2), (41, 1)]);
/// assert_eq!(text, b"7 1 2\n7 42 1\n");
/// ```
pub fn push_entries(
    text: &mut Vec<u8>,
    document: u64,
    pairs: impl IntoIterator<Item = (u32, u32)>,
) {
    let mut digits = [0; 20];
    let start = number(document.saturating_add(1), &mut digits);
    let document = &digits[start..];
    let mut own = [0; 20];
    for (word, count) in pairs {
        text.extend_from_slice(document);
        for n in [u64::from(word) + 1, u64::from(count)] {
            text.push(b' ');
            let start = number(n, &mut own);
            text.extend_from_slice(&own[start..]);
        }
        text.push(b'\n');
    }
}

/// The digits of `n` at the end of `out`, and where they start. `write!` takes several times as long.
fn number(mut n: u64, out: &mut [u8; 20]) -> usize {
    let mut at = out.len();
    loop {
        at -= 1;
        out[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn entries_are_what_write_would_print() {
        for (d, word, count) in [
            (0, 0, 1),
            (9, 99, 10),
            (1_234_567, 102_659, 7),
            (u64::from(u32::MAX), u32::MAX, u32::MAX),
        ] {
            let mut text = Vec::new();
            push_entries(&mut text, d, [(word, count)]);
            let expected = format!("{} {} {count}\n", d + 1, u64::from(word) + 1);
            assert_eq!(String::from_utf8(text).expect("text"), expected);
        }
        let mut digits = [0; 20];
        assert_eq!(number(u64::MAX, &mut digits), 0);
        assert_eq!(digits, *b"18446744073709551615");
    }

    #[test]
    fn packed_parts_are_one_file() {
        let parts: [&[u8]; 3] = [b"2\n1\n2\n", b"1 1 1\n", b"2 1 1\n"];
        let pack = |packing: Packing| -> Vec<u8> {
            parts.iter().flat_map(|p| packing.pack(p.to_vec()).expect("packed")).collect()
        };
        assert_eq!(pack(Packing::Plain), parts.concat());
        let packed = pack(Packing::Gzip);
        assert_eq!(packed, pack(Packing::Gzip));
        let mut text = Vec::new();
        flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut text).expect("unpacked");
        assert_eq!(text, parts.concat());
    }
}
