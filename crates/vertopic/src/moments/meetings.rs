//! A block of documents in which words of some rows meet words of some columns.
//!
//! The sums of a row are as long as there are columns. Documents wait until there are enough of them; then each row in turn
//! adds up what its documents have for it, while its sums are in the nearest cache.

use crate::exact;
use crate::lanes;

/// Columns of the documents of a block beyond which none is added, with two megabytes of what they are worth,
const COLUMNS: usize = if cfg!(test) { 100 } else { 1 << 17 }; // tests run many blocks
/// or so many fewer: what a block has is read again for each row, and had better stay near,
const FEW: usize = 4;
/// if it has as many documents. Where few have a row, its sums are fetched for little.
const DOCUMENTS: usize = if cfg!(test) { 10 } else { 256 };

/// Documents that wait.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    documents: Vec<Met>,
    /// Columns that occur, document after document: position, count, and what they add for one token of a row.
    columns: Vec<u32>,
    counts: Vec<u32>,
    ones: Vec<u64>,
    /// Rows that occur, in the order of the documents.
    rows: Vec<Visit>,
    /// Visits in the order of rows, and where those of a row end.
    turned: Vec<Visit>,
    ends: Vec<u32>,
    /// What the columns of a document add for several tokens of a row.
    several: Vec<u64>,
}

/// A document: where its columns end, and the weight of a pair of tokens.
#[derive(Debug, Clone, Copy)]
struct Met {
    end: u32,
    weight: f64,
}

/// A row in a document.
#[derive(Debug, Clone, Copy, Default)]
struct Visit {
    row: u32,
    document: u32,
    count: u32,
}

impl Meetings {
    /// Adds a document: its rows and its columns with their counts, and what a pair of tokens weighs.
    pub(super) fn push(
        &mut self,
        rows: impl Iterator<Item = (u32, u32)>,
        columns: impl Iterator<Item = (u32, u32)>,
        weight: f64,
    ) {
        let (document, first) = (self.documents.len() as u32, self.columns.len());
        self.rows.extend(rows.map(|(row, count)| Visit { row, document, count }));
        for (column, count) in columns {
            self.columns.push(column);
            self.counts.push(count);
        }
        self.ones.resize(self.columns.len(), 0);
        worth(1, &self.counts[first..], weight, &mut self.ones[first..]);
        self.documents.push(Met { end: self.columns.len() as u32, weight });
    }

    pub(super) fn is_full(&self) -> bool {
        let enough = if self.documents.len() >= DOCUMENTS { COLUMNS / FEW } else { COLUMNS };
        self.columns.len() >= enough
    }

    /// Adds the documents that wait to the sums of all rows, each of so many columns.
    pub(super) fn settle(&mut self, sums: &mut [u64], columns: usize) {
        if self.rows.is_empty() || columns == 0 {
            self.clear();
            return;
        }
        self.turn(sums.len() / columns);
        let (mut visits, mut start) = (self.turned.iter(), 0);
        for (line, &end) in sums.chunks_exact_mut(columns).zip(&self.ends) {
            for visit in visits.by_ref().take((end - start) as usize) {
                let document = visit.document as usize;
                let first = document.checked_sub(1).map_or(0, |d| self.documents[d].end as usize);
                let Met { end, weight } = self.documents[document];
                let span = first..end as usize;
                let values = if visit.count == 1 {
                    &self.ones[span.clone()]
                } else {
                    self.several.resize(span.len(), 0);
                    worth(visit.count, &self.counts[span.clone()], weight, &mut self.several);
                    &self.several[..]
                };
                for (&column, &value) in self.columns[span].iter().zip(values) {
                    let sum = &mut line[column as usize];
                    *sum = sum.wrapping_add(value); // a token with itself may have been taken off before
                }
            }
            start = end;
        }
        self.clear();
    }

    /// Sorts the visits by row.
    fn turn(&mut self, rows: usize) {
        self.ends.clear();
        self.ends.resize(rows, 0);
        self.rows.iter().for_each(|visit| self.ends[visit.row as usize] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            (*end, start) = (start, start + *end);
        }
        self.turned.resize(self.rows.len(), Visit::default());
        for &visit in &self.rows {
            let next = &mut self.ends[visit.row as usize];
            self.turned[*next as usize] = visit;
            *next += 1;
        }
    }

    fn clear(&mut self) {
        self.documents.clear();
        self.columns.clear();
        self.counts.clear();
        self.ones.clear();
        self.rows.clear();
    }
}

/// What so many tokens of a row and those of each column are worth together.
fn worth(count: u32, counts: &[u32], weight: f64, out: &mut [u64]) {
    lanes::wide(
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
        let (mut meetings, mut sums) = (Meetings::default(), expected.clone());
        let mut blocks = 0;
        for d in 0..60 {
            let mut some = |n: u32| -> Vec<(u32, u32)> {
                let counts = (0..n).map(|i| (i, (random.next_u64() % 4) as u32));
                counts.filter(|(_, c)| *c > 0).collect()
            };
            let (r, c) = (some(rows), some(columns));
            let weight = exact::pair_weight(30 + d, 29 + d);
            for (&(row, a), &(column, b)) in r.iter().flat_map(|r| c.iter().map(move |c| (r, c))) {
                let pairs = exact::pairs(u64::from(a * b), weight);
                expected[(row * columns + column) as usize] += pairs;
            }
            meetings.push(r.into_iter(), c.into_iter(), weight);
            if meetings.is_full() {
                meetings.settle(&mut sums, columns as usize);
                blocks += 1;
            }
        }
        meetings.settle(&mut sums, columns as usize);
        assert_eq!(sums, expected);
        assert!(blocks > 1);
        meetings.settle(&mut sums, columns as usize);
        assert_eq!(sums, expected, "nothing is counted twice");
    }
}
