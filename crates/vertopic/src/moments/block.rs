//! A block of documents turned round: for each word, the documents that have it.
//!
//! A frequency is `count / length`. The count stays with the (document, word) pair, and the length goes into the
//! document's entries of the directions, once for all its words. For products of 16 bits these entries must be of
//! a size, so documents of a block are of a class: their lengths differ by less than a factor of eight. The sums of
//! classes differ by a power of two and are still exact.

use crate::moments::directions::UNIT;
use crate::seed::Stream;

/// Documents of a block, at most: fewer than 16 bits can number, so many that most words occur often, and so few that
/// their entries are near at hand.
pub(super) const DOCUMENTS: usize = 1 << 13;
/// Beyond so many documents none is added.
const FULL: usize = if cfg!(test) { 20 } else { DOCUMENTS }; // tests run many blocks
/// Pairs of a block beyond which no document is added.
const PAIRS: usize = 1 << 21;
/// Tokens of a segment, at most: with entries of 15 bits their sum fits into 31.
const TOKENS: u32 = if cfg!(test) { 40 } else { 1 << 16 };
/// Largest count of a posting; more are cut up.
const COUNT: u32 = if cfg!(test) { 30 } else { i16::MAX as u32 };

/// Binary digits of the length that a class leaves open.
const CLASS_BITS: u32 = 3;
/// The last class has documents of 2²⁴ tokens and more.
const CLASSES: u32 = 9;
/// Binary digits behind the point of a sum, besides those of a direction's entry.
pub(super) const UNIT_BITS: u32 = 28;
/// Binary digits that an entry of 16 bits has more than a direction's.
const SPARE_BITS: u32 = 2;

/// The class of a document's length, which is at least 1.
pub(super) fn class(tokens: u64) -> usize {
    (tokens.ilog2() / CLASS_BITS).min(CLASSES - 1) as usize
}

/// Some documents that have a word: those of the postings `start..end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) row: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Documents of one class, as they come.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// What their entries are drawn with, and lengths.
    documents: Vec<(Stream, u64)>,
    /// (row, posting) in the order of the documents; a posting is a document (16 bits) and a count (the upper 15).
    pairs: Vec<(u32, u32)>,
}

/// A block in the order of its rows. Postings are in twos, as they are multiplied; one without a partner has a count of 0
/// beside it.
#[derive(Debug)]
pub(super) struct TransposedBlock {
    pub(super) class: usize,
    pub(super) documents: Vec<(Stream, u64)>,
    pub(super) postings: Vec<[u16; 2]>,
    pub(super) counts: Vec<[i16; 2]>,
    /// One or more for each row that occurs, in ascending order of rows.
    pub(super) segments: Vec<Segment>,
}

impl Block {
    pub(super) fn is_full(&self) -> bool {
        self.documents.len() >= FULL || self.pairs.len() >= PAIRS
    }

    pub(super) fn push(
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
    pub(super) fn bits(class: usize) -> u32 {
        class as u32 * CLASS_BITS + SPARE_BITS
    }

    /// What an entry is multiplied by, besides 1 / length.
    pub(super) fn scale(class: usize) -> f32 {
        const { assert!(UNIT * 4.0 * 4.0 <= 32768.0) }; // entries are below four standard deviations
        (1_u64 << Self::bits(class)) as f32
    }

    /// Sorts the pairs by row, and leaves an empty block.
    pub(super) fn transpose(&mut self, class: usize, rows: usize) -> TransposedBlock {
        let mut starts = vec![0_u32; rows + 1];
        for &(row, _) in &self.pairs {
            starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let twos = starts.windows(2).map(|span| (span[1] - span[0]).div_ceil(2) as usize).sum();
        let mut sorted = vec![0_u32; self.pairs.len()];
        for &(row, posting) in &self.pairs {
            let next = &mut starts[row as usize];
            sorted[*next as usize] = posting;
            *next += 1; // in the end, where the next row starts
        }
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
            let (mut start, mut tokens, end) = (first, 0, starts[row] as usize);
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
    /// The memory that it takes. Documents count, too: there may be many without a row that is asked for.
    pub(super) fn bytes(&self) -> usize {
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
