//! A transposed block of documents: for each word, the documents that have it.
//!
//! A frequency is `count / length`. The count stays with the (document, word) pair, and the length divides the document's
//! entries of the directions, once for all its words. Products of 16 bits need entries of similar size, so a block has documents
//! of one class: their lengths differ by less than a factor of eight. The sums of classes differ by a power of two and are
//! exact.

use super::sort_by_row;
use crate::moments::directions::UNIT;
use crate::seed::Stream;

/// Documents of a block, at most: 16 bits can number them, most words occur several times, and the documents' entries fit into
/// the cache.
pub(in crate::moments) const DOCUMENTS: usize = 1 << 13;
/// A block is closed at so many documents,
const FULL: usize = if cfg!(test) { 20 } else { DOCUMENTS }; // tests run many blocks
/// or at so many entries.
const PAIRS: usize = 1 << 21;
/// Tokens of a segment, at most: with entries of 15 bits their sum fits into 31.
const TOKENS: u32 = if cfg!(test) { 40 } else { 1 << 16 };
/// Largest count of a posting; a larger count becomes several postings.
const COUNT: u32 = if cfg!(test) { 30 } else { i16::MAX as u32 };

/// Binary digits of the length that a class leaves open.
const CLASS_BITS: u32 = 3;
/// The last class has documents of 2²⁴ tokens and more.
const CLASSES: u32 = 9;
/// Binary digits behind the point of a sum, besides those of a direction's entry.
pub(in crate::moments) const UNIT_BITS: u32 = 28;
/// Binary digits that an entry of 16 bits has more than a direction's.
const SPARE_BITS: u32 = 2;

/// The class of a document's length, which is at least 1.
pub(in crate::moments) fn class(tokens: u64) -> usize {
    (tokens.ilog2() / CLASS_BITS).min(CLASSES - 1) as usize
}

/// Some documents that have a word: the postings `start..end`.
#[derive(Debug, Clone, Copy)]
pub(in crate::moments) struct Segment {
    pub(in crate::moments) row: u32,
    pub(in crate::moments) start: u32,
    pub(in crate::moments) end: u32,
}

/// Documents of one class, in the order in which they come.
#[derive(Debug, Default)]
pub(in crate::moments) struct Block {
    /// The streams that their entries are drawn from, and their lengths.
    documents: Vec<(Stream, u64)>,
    /// (row, posting) in the order of the documents; a posting is a document (16 bits) and a count (the upper 15).
    pairs: Vec<(u32, u32)>,
}

/// A block in the order of its rows. Postings come in pairs, as they are multiplied; the last one may have a partner with a
/// count of 0.
#[derive(Debug)]
pub(in crate::moments) struct TransposedBlock {
    pub(in crate::moments) class: usize,
    pub(in crate::moments) documents: Vec<(Stream, u64)>,
    pub(in crate::moments) postings: Vec<[u16; 2]>,
    pub(in crate::moments) counts: Vec<[i16; 2]>,
    /// One or more for each row that occurs, in ascending order of rows.
    pub(in crate::moments) segments: Vec<Segment>,
}

impl Block {
    pub(in crate::moments) fn is_full(&self) -> bool {
        self.documents.len() >= FULL || self.pairs.len() >= PAIRS
    }

    pub(in crate::moments) fn push(
        &mut self,
        drawn: Stream,
        tokens: u64,
        rows: impl Iterator<Item = (u32, u32)>,
    ) {
        let document = self.documents.len() as u32;
        self.documents.push((drawn, tokens));
        for (row, mut count) in rows {
            while count > 0 {
                let part = count.min(COUNT);
                self.pairs.push((row, part << 16 | document));
                count -= part;
            }
        }
    }

    /// Binary digits by which a document's entries are larger than `entry / length`.
    pub(in crate::moments) fn bits(class: usize) -> u32 {
        class as u32 * CLASS_BITS + SPARE_BITS
    }

    /// The factor of an entry, besides 1 / length.
    pub(in crate::moments) fn scale(class: usize) -> f32 {
        const { assert!(UNIT * 4.0 * 4.0 <= 32768.0) }; // entries are below four standard deviations
        (1_u64 << Self::bits(class)) as f32
    }

    /// Sorts the pairs by row, and leaves an empty block.
    pub(in crate::moments) fn transpose(&mut self, class: usize, rows: usize) -> TransposedBlock {
        let (mut ends, mut sorted) = (Vec::new(), Vec::new());
        sort_by_row(self.pairs.iter().copied(), rows, &mut ends, &mut sorted);
        let before = std::iter::once(&0).chain(&ends);
        let twos = ends.iter().zip(before).map(|(end, start)| (end - start).div_ceil(2) as usize);
        let twos = twos.sum();
        self.pairs.clear();
        let mut transposed = TransposedBlock {
            class,
            documents: std::mem::take(&mut self.documents),
            postings: Vec::with_capacity(twos),
            counts: Vec::with_capacity(twos),
            segments: Vec::new(),
        };
        let mut first = 0;
        for row in 0..rows {
            let (mut start, mut tokens, end) = (first, 0, ends[row] as usize);
            for at in first..end {
                let count = sorted[at] >> 16;
                if tokens + count > TOKENS {
                    transposed.push(row, &sorted[start..at]);
                    (start, tokens) = (at, 0);
                }
                tokens += count;
            }
            if start < end {
                transposed.push(row, &sorted[start..end]);
            }
            first = end;
        }
        transposed
    }
}

impl TransposedBlock {
    /// The memory that it takes. Documents count, too: many may have none of the rows.
    pub(in crate::moments) fn bytes(&self) -> usize {
        size_of_val(&self.documents[..])
            + size_of_val(&self.postings[..])
            + size_of_val(&self.counts[..])
            + size_of_val(&self.segments[..])
    }

    /// Adds a segment.
    fn push(&mut self, row: usize, postings: &[u32]) {
        let start = self.postings.len() as u32;
        for two in postings.chunks(2) {
            let other = two.get(1).copied().unwrap_or(two[0] & 0xffff);
            self.postings.push([two[0] as u16, other as u16]);
            self.counts.push([(two[0] >> 16) as i16, (other >> 16) as i16]);
        }
        self.segments.push(Segment { row: row as u32, start, end: self.postings.len() as u32 });
    }
}
