//! Counts pairs of row words and column words in a block of documents.
//!
//! A row has as many sums as there are columns. Documents wait until a block is full. Then each row in turn adds the columns of
//! its documents, while its sums are in the first-level cache. Threads may share out the rows.

use std::ops::Range;

use super::sort_by_row;
use crate::exact;
use crate::simd;

/// Column entries at which a block is closed: their weights take a megabyte.
const COLUMNS: usize = if cfg!(test) { 100 } else { 1 << 17 }; // tests run many blocks
/// A block of [`DOCUMENTS`] is closed at this part of them already: it is read again for each row, and must stay in the cache.
const FEW: usize = 4;
/// With fewer documents than this, a row would fetch its sums for little.
const DOCUMENTS: usize = if cfg!(test) { 10 } else { 256 };

/// Documents at which a block is closed whatever they have: so many cannot overflow a sum.
pub(in crate::moments) const MOST_DOCUMENTS: usize = 1 << 17;

/// Documents of a block.
#[derive(Debug, Default)]
pub(in crate::moments) struct CooccurrenceBlock {
    documents: Vec<DocSpan>,
    /// Columns that occur, document after document, and their counts.
    columns: Vec<u32>,
    counts: Vec<u32>,
    /// Rows that occur: in the order of the documents, and in that of rows once the block is transposed.
    entries: Vec<RowEntry>,
    /// Where the entries of a row end.
    ends: Vec<u32>,
}

/// A document: where its columns end, and the weight of a pair of tokens.
#[derive(Debug, Clone, Copy)]
struct DocSpan {
    end: u32,
    weight: f64,
}

/// A row in a document.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::moments) struct RowEntry {
    row: u32,
    document: u32,
    count: u32,
    /// The column of the same word, whose tokens are not paired with themselves; beyond all columns if there is none.
    own: u32,
}

/// The weights that the columns of a document add to a row.
#[derive(Debug, Default)]
pub(in crate::moments) struct PairWeights {
    /// For one token of the row, of the documents that are known,
    ones: Vec<i64>,
    known: Vec<bool>,
    /// and for several tokens, of one document.
    several: Vec<i64>,
}

impl CooccurrenceBlock {
    /// Adds a document: its rows, each with its count and the column of the same word (`u32::MAX` if there is none); its columns
    /// with their counts; and the weight of a pair of tokens.
    pub(in crate::moments) fn push(
        &mut self,
        rows: impl Iterator<Item = (u32, u32, u32)>,
        columns: impl Iterator<Item = (u32, u32)>,
        weight: f64,
    ) {
        let document = self.documents.len() as u32;
        for (row, count, own) in rows {
            self.entries.push(RowEntry { row, document, count, own });
        }
        for (column, count) in columns {
            self.columns.push(column);
            self.counts.push(count);
        }
        self.documents.push(DocSpan { end: self.columns.len() as u32, weight });
    }

    pub(in crate::moments) fn is_full(&self) -> bool {
        let enough = if self.documents.len() >= DOCUMENTS { COLUMNS / FEW } else { COLUMNS };
        self.columns.len() >= enough || self.documents.len() >= MOST_DOCUMENTS
    }

    pub(in crate::moments) fn n_documents(&self) -> usize {
        self.documents.len()
    }

    /// The memory that it takes.
    pub(in crate::moments) fn bytes(&self) -> usize {
        self.documents.capacity() * size_of::<DocSpan>()
            + (self.columns.capacity() + self.counts.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<RowEntry>()
            + self.ends.capacity() * size_of::<u32>()
    }

    /// Sorts the entries by row. `transposed` is memory that is used again.
    pub(in crate::moments) fn transpose(&mut self, rows: usize, transposed: &mut Vec<RowEntry>) {
        let entries = self.entries.iter().map(|&entry| (entry.row, entry));
        sort_by_row(entries, rows, &mut self.ends, transposed);
        std::mem::swap(&mut self.entries, transposed);
    }

    /// Adds the transposed block to the sums of some rows, the first of which is `first`.
    pub(in crate::moments) fn add_to(
        &self,
        first: usize,
        sums: &mut [[i64; 1]],
        columns: usize,
        weights: &mut PairWeights,
    ) {
        let start = |row: usize| row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        weights.forget(self);
        for (row, line) in (first..).zip(sums.chunks_exact_mut(columns)) {
            for entry in &self.entries[start(row)..start(row + 1)] {
                let (span, weight) = self.document(entry.document as usize);
                let values = weights.of(self, entry);
                for (&column, &value) in self.columns[span].iter().zip(values) {
                    let [sum] = &mut line[column as usize];
                    *sum = sum.wrapping_add(value); // no overflow: room was reserved
                }
                if let Some([sum]) = line.get_mut(entry.own as usize) {
                    let count = u64::from(entry.count);
                    let (all, apart) = (count * count, count * (count - 1));
                    *sum += exact::pairs(apart, weight) as i64 - exact::pairs(all, weight) as i64;
                }
            }
        }
    }

    /// Where the columns of a document are, and the weight of a pair of its tokens.
    fn document(&self, document: usize) -> (Range<usize>, f64) {
        let first = document.checked_sub(1).map_or(0, |before| self.documents[before].end);
        let DocSpan { end, weight } = self.documents[document];
        (first as usize..end as usize, weight)
    }

    pub(in crate::moments) fn clear(&mut self) {
        self.documents.clear();
        self.columns.clear();
        self.counts.clear();
        self.entries.clear();
    }
}

impl PairWeights {
    /// Starts with another block.
    fn forget(&mut self, block: &CooccurrenceBlock) {
        self.ones.resize(block.columns.len(), 0);
        self.known.clear();
        self.known.resize(block.documents.len(), false);
    }

    fn of(&mut self, block: &CooccurrenceBlock, entry: &RowEntry) -> &[i64] {
        let document = entry.document as usize;
        let (span, weight) = block.document(document);
        let counts = &block.counts[span.clone()];
        if entry.count > 1 {
            self.several.resize(counts.len(), 0);
            weigh(entry.count, counts, weight, &mut self.several);
            return &self.several;
        }
        if !std::mem::replace(&mut self.known[document], true) {
            weigh(1, counts, weight, &mut self.ones[span.clone()]);
        }
        &self.ones[span]
    }
}

/// The weight of the pairs of `count` tokens of a row with the tokens of each column.
fn weigh(count: u32, counts: &[u32], weight: f64, out: &mut [i64]) {
    simd::vectorized(
        #[inline(always)]
        || {
            for (out, &c) in out.iter_mut().zip(counts) {
                *out = exact::pairs(u64::from(count) * u64::from(c), weight) as i64;
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{Seed, Stage};

    #[test]
    fn sums_are_those_of_every_pair_by_itself() {
        let (rows, columns) = (5_u32, 11_u32);
        let mut random = Seed(4).stream(Stage::Tie, 2);
        let mut expected = vec![[0_i64]; (rows * columns) as usize];
        let (mut block, mut weights) = (CooccurrenceBlock::default(), PairWeights::default());
        let mut sums = [expected.clone(), expected.clone()];
        let mut add_to = |block: &mut CooccurrenceBlock| {
            block.transpose(rows as usize, &mut Vec::new());
            let [whole, parts] = &mut sums;
            block.add_to(0, whole, columns as usize, &mut weights);
            for (part, sums) in parts.chunks_mut(2 * columns as usize).enumerate() {
                block.add_to(2 * part, sums, columns as usize, &mut weights);
            }
            block.clear();
        };
        let mut blocks = 0;
        for d in 0..60 {
            let mut some = |n: u32| -> Vec<(u32, u32)> {
                let counts = (0..n).map(|i| (i, (random.next_u64() % 4) as u32));
                counts.filter(|(_, c)| *c > 0).collect()
            };
            let (r, c) = (some(rows), some(columns));
            let weight = exact::pair_weight(30 + d, 29 + d);
            // Row i and column 2 i are one word, but for the first two.
            let own = |row: u32| if row > 1 { 2 * row } else { u32::MAX };
            for (&(row, a), &(column, b)) in r.iter().flat_map(|r| c.iter().map(move |c| (r, c))) {
                let pairs = exact::pairs(u64::from(a * b), weight) as i64;
                expected[(row * columns + column) as usize][0] += pairs;
            }
            for &(row, a) in r.iter().filter(|(row, _)| *row > 1) {
                let sum = &mut expected[(row * columns + own(row)) as usize];
                sum[0] -= exact::pairs(u64::from(a * a), weight) as i64;
                sum[0] += exact::pairs(u64::from(a * (a - 1)), weight) as i64;
            }
            let entries = r.into_iter().map(|(row, count)| (row, count, own(row)));
            block.push(entries, c.into_iter(), weight);
            if block.is_full() {
                add_to(&mut block);
                blocks += 1;
            }
        }
        add_to(&mut block);
        assert!(blocks > 1);
        add_to(&mut block); // nothing is counted twice
        assert_eq!(sums, [expected.clone(), expected]);
    }
}
