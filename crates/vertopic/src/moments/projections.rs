//! Projections of the rows of X, or of the frequencies of whole documents, on random directions.

use std::ops::Range;

use crate::corpus::{Accumulator, Document, Documents};
use crate::exact;
use crate::lanes;
use crate::moments::cooccurrence::positions;
use crate::moments::directions::Directions;
use crate::moments::split::{Halves, Pairs, Splitter};
use crate::moments::totals::{Sample, add_all};
use crate::run::Run;
use crate::seed::Seed;

/// `Σ_m x_im u_m` of some words for a range of directions, exact: one pass over the documents.
pub(super) fn projections<D: Documents>(
    documents: &D,
    seed: Seed,
    pairs: Pairs,
    sample: Sample,
    rows: &[u32],
    range: Range<usize>,
    run: &Run<'_>,
) -> Vec<i64> {
    let row_of = positions(rows, documents.vocabulary().len());
    let directions = Directions::new(seed);
    let sums = documents.pass("projecting words", run, || Projections {
        splitter: Splitter::new(seed, pairs, documents.vocabulary()),
        sample,
        directions: &directions,
        row_of: &row_of,
        start: range.start,
        halves: Halves::default(),
        entries: vec![0; range.len()],
        sums: vec![0; rows.len() * range.len()],
    });
    sums.sums
}

/// The sums, with one document's entries of the directions.
struct Projections<'a> {
    splitter: Splitter<'a>,
    sample: Sample,
    directions: &'a Directions,
    row_of: &'a [u32],
    start: usize,
    halves: Halves,
    entries: Vec<i32>,
    sums: Vec<i64>,
}

impl Projections<'_> {
    fn add_word(&mut self, word: u32, count: u32, length: u64) {
        let row = self.row_of[word as usize];
        if row == u32::MAX {
            return;
        }
        // A frequency is at most 2²⁸: factors of 32 bits each have an instruction of their own.
        let x = exact::frequency(count, length) as i32;
        let at = row as usize * self.entries.len();
        let (sums, entries) = (&mut self.sums[at..at + self.entries.len()], &self.entries);
        lanes::wide(
            #[inline(always)]
            || {
                for (sum, &u) in sums.iter_mut().zip(entries) {
                    *sum = sum.wrapping_add(i64::from(x) * i64::from(u));
                }
            },
        );
    }
}

impl Accumulator for Projections<'_> {
    fn add(&mut self, document: Document<'_>) {
        match self.sample {
            Sample::Whole => {
                let length = document.tokens();
                self.directions.fill(document.key, self.start, &mut self.entries);
                document.pairs().for_each(|(w, c)| self.add_word(w, c, length));
            }
            Sample::Half => {
                let mut halves = std::mem::take(&mut self.halves);
                if self.splitter.split(document, &mut halves) {
                    self.directions.fill(document.key, self.start, &mut self.entries);
                    let half = &halves.first;
                    half.pairs.iter().for_each(|&(w, c)| self.add_word(w, c, half.tokens));
                }
                self.halves = halves;
            }
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.sums, &other.sums);
    }
}
