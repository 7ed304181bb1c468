//! Sums of pairs of words, sparse: only words that occur together in a document.
//!
//! Entries are rows i and columns j ≥ i. With a split the sums of (i, j) and of (j, i) differ, and an entry has both. Without
//! one they are equal, and an entry has one.

use crate::context::Context;
use crate::corpus::Documents;
use crate::error::Error;
use crate::exact::ExactSums;
use crate::moments::{PairScheme, PairSums, SufficientStats, positions};
use crate::sketch::SketchParams;

/// Sums that one block of rows may hold per thread and direction: 128 MB.
const BLOCK_ENTRIES: usize = if cfg!(test) { 64 } else { 1 << 24 }; // tests run many blocks

/// The upper triangle by rows. Columns ascend, and no entry is all 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Triangle {
    /// Where each row begins; one more than there are rows.
    pub(super) offsets: Vec<u64>,
    pub(super) columns: Vec<u32>,
    /// The row's word on the second side, the column's on the first.
    pub(super) forward: ExactSums,
    /// The other way round; `None` where it is the same.
    pub(super) backward: Option<ExactSums>,
}

impl Triangle {
    /// No rows yet.
    pub(super) fn empty(split: bool) -> Self {
        let backward = split.then(ExactSums::default);
        Self { offsets: vec![0], columns: Vec::new(), forward: ExactSums::default(), backward }
    }

    /// Pairs of some words (ascending), which get the ids 0, 1, …. Rows are counted in blocks, one pass each.
    pub(super) fn of<D: Documents>(
        documents: &D,
        params: &SketchParams,
        words: &[u32],
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let mut all = Self::empty(params.pairs == PairScheme::Split);
        let mut start = 0;
        while start < words.len() {
            let columns = &words[start..];
            let rows = &columns[..(BLOCK_ENTRIES / columns.len()).clamp(1, columns.len())];
            let sums = documents.pair_sums(params.token_pairs(), rows, columns, ctx)?;
            for r in 0..rows.len() {
                for c in r..columns.len() {
                    let at = r * columns.len() + c;
                    let backward = if sums.backward.is_empty() { 0 } else { sums.backward.get(at) };
                    all.push((start + c) as u32, sums.forward.get(at), backward);
                }
                all.end_row();
            }
            start += rows.len();
        }
        Ok(all)
    }

    /// Adds an entry to the last row, unless it is 0.
    pub(super) fn push(&mut self, column: u32, forward: i128, backward: i128) {
        if forward == 0 && backward == 0 {
            return;
        }
        self.columns.push(column);
        self.forward.push(forward);
        if let Some(sums) = &mut self.backward {
            sums.push(backward);
        }
    }

    /// Begins a new row.
    pub(super) fn end_row(&mut self) {
        self.offsets.push(self.columns.len() as u64);
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    fn span(&self, row: u32) -> std::ops::Range<usize> {
        self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize
    }

    /// Column and both sums of the entry at a place.
    fn entry(&self, at: usize) -> (u32, i128, i128) {
        let backward = self.backward.as_ref().unwrap_or(&self.forward);
        (self.columns[at], self.forward.get(at), backward.get(at))
    }

    /// Column and both sums of the entries of a row; the second is 0 where it is not kept.
    pub(super) fn row(&self, row: u32) -> impl Iterator<Item = (u32, i128, i128)> + '_ {
        let kept = self.backward.is_some();
        self.span(row).map(move |at| {
            let (column, forward, backward) = self.entry(at);
            (column, forward, if kept { backward } else { 0 })
        })
    }

    /// Pairs of each word with itself.
    pub(super) fn diagonal(&self) -> ExactSums {
        let own = |row: u32| {
            let first = self.span(row).next().map(|at| self.entry(at));
            first.filter(|&(column, ..)| column == row).map_or(0, |(_, sum, _)| sum)
        };
        (1..self.offsets.len() as u32).map(|row| own(row - 1)).collect()
    }

    /// The dense block of some rows and columns.
    pub(super) fn block(&self, rows: &[u32], columns: &[u32]) -> PairSums {
        let words = self.offsets.len() - 1;
        let (row_of, column_of) = (positions(rows, words), positions(columns, words));
        let entries = rows.len() * columns.len();
        let kept = self.backward.is_some();
        let mut forward = ExactSums::zeros(entries);
        let mut backward = ExactSums::zeros(if kept { entries } else { 0 });
        let mut put = |row: u32, column: u32, there: i128, back: i128| {
            let at = row as usize * columns.len() + column as usize;
            forward.set(at, there);
            if kept {
                backward.set(at, back);
            }
        };
        for (row, &i) in rows.iter().enumerate() {
            for at in self.span(i) {
                let (j, there, back) = self.entry(at);
                if column_of[j as usize] != u32::MAX {
                    put(row as u32, column_of[j as usize], there, back);
                }
            }
        }
        // Below the diagonal: the entries of the columns' own rows, within reach of the rows.
        let Some((&low, &high)) = rows.iter().min().zip(rows.iter().max()) else {
            return PairSums { forward, backward };
        };
        for (column, &j) in columns.iter().enumerate() {
            let span = self.span(j);
            let from = span.start + self.columns[span.clone()].partition_point(|&i| i < low);
            for at in from..span.end {
                let (i, back, there) = self.entry(at);
                if i > high {
                    break;
                }
                if row_of[i as usize] != u32::MAX {
                    put(row_of[i as usize], column as u32, there, back);
                }
            }
        }
        PairSums { forward, backward }
    }

    /// What is wrong with it as the triangle of `words` words.
    pub(super) fn check(&self, words: usize) -> Result<(), String> {
        let entries = self.columns.len();
        let lengths = [Some(self.forward.len()), self.backward.as_ref().map(ExactSums::len)];
        if lengths.iter().flatten().any(|&n| n != entries) {
            return Err("its sums of pairs are not as many as the pairs".into());
        }
        let begins = self.offsets.first() == Some(&0);
        let ends = self.offsets.last() == Some(&(entries as u64));
        if self.offsets.len() != words + 1 || !begins || !ends || !self.offsets.is_sorted() {
            return Err("the rows of its pairs do not follow each other".into());
        }
        for row in 0..words {
            let columns = &self.columns[self.span(row as u32)];
            let ascending = columns.windows(2).all(|pair| pair[0] < pair[1]);
            let first = columns.first().is_none_or(|&c| c as usize >= row);
            if !ascending || !first || columns.last().is_some_and(|&c| c as usize >= words) {
                return Err(format!("the pairs of word {row} are not in order"));
            }
        }
        if (0..entries).any(|at| self.entry(at).1 == 0 && self.entry(at).2 == 0) {
            return Err("it has a pair that does not occur".into());
        }
        if (0..entries).any(|at| self.entry(at).1 < 0 || self.entry(at).2 < 0) {
            return Err("it has a pair that occurs less than never".into());
        }
        Ok(())
    }
}
