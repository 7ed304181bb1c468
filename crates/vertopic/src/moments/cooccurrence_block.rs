//! A block of documents in which words of some rows meet words of some columns.
//!
//! The sums of a row are as long as there are columns. Documents wait until there are enough of them; then each row in turn
//! adds up what its documents have for it, while its sums are in the nearest cache. Rows may be shared out among threads.

use std::ops::Range;

use crate::exact;
use crate::simd;

/// Columns of the documents of a block beyond which none is added, with two megabytes of what they are worth,
const COLUMNS: usize = if cfg!(test) { 100 } else { 1 << 17 }; // tests run many blocks
/// or so many fewer: what a block has is read again for each row, and had better stay near,
const FEW: usize = 4;
/// if it has as many documents. Where few have a row, its sums are fetched for little.
const DOCUMENTS: usize = if cfg!(test) { 10 } else { 256 };

/// Documents that wait.
#[derive(Debug, Default)]
pub(super) struct CooccurrenceBlock {
    documents: Vec<DocSpan>,
    /// Columns that occur, document after document, and their counts.
    columns: Vec<u32>,
    counts: Vec<u32>,
    /// Rows that occur: in the order of the documents, and in that of rows once they were turned.
    entries: Vec<RowEntry>,
    /// Where the visits of a row end.
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
pub(super) struct RowEntry {
    row: u32,
    document: u32,
    count: u32,
    /// The column of the same tokens, which are not paired with themselves; beyond all columns if there is none.
    own: u32,
}

/// What the columns of documents add to a row.
#[derive(Debug, Default)]
pub(super) struct PairWeights {
    /// For one token of the row: those of the documents that are known,
    ones: Vec<u64>,
    known: Vec<bool>,
    /// and for several tokens, of one document.
    several: Vec<u64>,
}

impl CooccurrenceBlock {
    /// Adds a document: its rows, each with its count and the column of the same tokens (`u32::MAX` if there is none); its
    /// columns with their counts; and what a pair of tokens weighs.
    pub(super) fn push(
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

    pub(super) fn is_full(&self) -> bool {
        let enough = if self.documents.len() >= DOCUMENTS { COLUMNS / FEW } else { COLUMNS };
        self.columns.len() >= enough
    }

    /// The memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.documents.capacity() * size_of::<DocSpan>()
            + (self.columns.capacity() + self.counts.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<RowEntry>()
            + self.ends.capacity() * size_of::<u32>()
    }

    /// Sorts the visits by row, of which there are so many, into other memory that is left theirs.
    pub(super) fn transpose(&mut self, rows: usize, transposed: &mut Vec<RowEntry>) {
        self.ends.clear();
        self.ends.resize(rows, 0);
        self.entries.iter().for_each(|entry| self.ends[entry.row as usize] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            (*end, start) = (start, start + *end);
        }
        transposed.resize(self.entries.len(), RowEntry::default());
        for &entry in &self.entries {
            let next = &mut self.ends[entry.row as usize];
            transposed[*next as usize] = entry;
            *next += 1;
        }
        std::mem::swap(&mut self.entries, transposed);
    }

    /// Adds the documents to the sums of some rows, from `first` on, each of so many columns. They were turned before.
    pub(super) fn add_to(
        &self,
        first: usize,
        sums: &mut [u64],
        columns: usize,
        worth: &mut PairWeights,
    ) {
        let start = |row: usize| row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        worth.forget(self);
        for (row, line) in (first..).zip(sums.chunks_exact_mut(columns)) {
            for entry in &self.entries[start(row)..start(row + 1)] {
                let (span, weight) = self.document(entry.document as usize);
                let values = worth.of(self, entry);
                for (&column, &value) in self.columns[span].iter().zip(values) {
                    let sum = &mut line[column as usize];
                    *sum = sum.wrapping_add(value);
                }
                if let Some(sum) = line.get_mut(entry.own as usize) {
                    let count = u64::from(entry.count);
                    let (all, apart) = (count * count, count * (count - 1));
                    *sum = sum.wrapping_sub(exact::pairs(all, weight));
                    *sum = sum.wrapping_add(exact::pairs(apart, weight));
                }
            }
        }
    }

    /// Where the columns of a document are, and what a pair of its tokens weighs.
    fn document(&self, document: usize) -> (Range<usize>, f64) {
        let first = document.checked_sub(1).map_or(0, |before| self.documents[before].end);
        let DocSpan { end, weight } = self.documents[document];
        (first as usize..end as usize, weight)
    }

    pub(super) fn clear(&mut self) {
        self.documents.clear();
        self.columns.clear();
        self.counts.clear();
        self.entries.clear();
    }
}

impl PairWeights {
    /// Begins with other documents.
    fn forget(&mut self, block: &CooccurrenceBlock) {
        self.ones.resize(block.columns.len(), 0);
        self.known.clear();
        self.known.resize(block.documents.len(), false);
    }

    fn of(&mut self, block: &CooccurrenceBlock, entry: &RowEntry) -> &[u64] {
        let document = entry.document as usize;
        let (span, weight) = block.document(document);
        let counts = &block.counts[span.clone()];
        if entry.count > 1 {
            self.several.resize(counts.len(), 0);
            worth(entry.count, counts, weight, &mut self.several);
            return &self.several;
        }
        if !std::mem::replace(&mut self.known[document], true) {
            worth(1, counts, weight, &mut self.ones[span.clone()]);
        }
        &self.ones[span]
    }
}

/// What so many tokens of a row and those of each column are worth together.
fn worth(count: u32, counts: &[u32], weight: f64, out: &mut [u64]) {
    simd::vectorized(
        #[inline(always)]
        || {
            for (out, &c) in out.iter_mut().zip(counts) {
                *out = exact::pairs(u64::from(count) * u64::from(c), weight);
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
        let mut expected = vec![0_u64; (rows * columns) as usize];
        let (mut block, mut worth) = (CooccurrenceBlock::default(), PairWeights::default());
        let mut sums = [expected.clone(), expected.clone()];
        let mut add_to = |block: &mut CooccurrenceBlock| {
            block.transpose(rows as usize, &mut Vec::new());
            let [whole, parts] = &mut sums;
            block.add_to(0, whole, columns as usize, &mut worth);
            for (part, sums) in parts.chunks_mut(2 * columns as usize).enumerate() {
                block.add_to(2 * part, sums, columns as usize, &mut worth);
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
                let pairs = exact::pairs(u64::from(a * b), weight);
                let sum = &mut expected[(row * columns + column) as usize];
                *sum = sum.wrapping_add(pairs);
            }
            for &(row, a) in r.iter().filter(|(row, _)| *row > 1) {
                let sum = &mut expected[(row * columns + own(row)) as usize];
                *sum = sum.wrapping_sub(exact::pairs(u64::from(a * a), weight));
                *sum = sum.wrapping_add(exact::pairs(u64::from(a * (a - 1)), weight));
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
