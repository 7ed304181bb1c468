//! Sums of the meetings of rows with columns.
//!
//! Blocks of documents wait for the last one, as far as memory goes: then threads share out the rows, and all sums are there
//! once. Where not all can wait, each thread has sums of its own for its documents.

use rayon::prelude::*;

use crate::context::Context;
use crate::moments::meetings::{Meetings, Visit, Worth};
use crate::moments::totals::add_all;
use crate::simd::zeros;

/// Spans of rows for each thread: some rows have many more meetings than others.
const SPANS: usize = 8;

/// Sums of some rows, and documents that are not in them yet.
#[derive(Debug)]
pub(super) struct Side {
    rows: usize,
    columns: usize,
    /// Documents as they come.
    meetings: Meetings,
    /// Blocks that are full.
    waiting: Vec<Meetings>,
    /// Bytes that may still wait.
    left: usize,
    /// Row after row. Empty as long as all documents wait.
    sums: Vec<u64>,
    /// Memory that is used again.
    worth: Worth,
    turned: Vec<Visit>,
}

impl Side {
    /// For so many rows and columns; documents that wait take so many bytes at most.
    pub(super) fn new(rows: usize, columns: usize, most: usize) -> Self {
        Self {
            rows,
            columns,
            meetings: Meetings::default(),
            waiting: Vec::new(),
            left: most,
            sums: Vec::new(),
            worth: Worth::default(),
            turned: Vec::new(),
        }
    }

    /// Adds a document, as [`Meetings::push`] does.
    pub(super) fn add(
        &mut self,
        rows: impl Iterator<Item = (u32, u32, u32)>,
        columns: impl Iterator<Item = (u32, u32)>,
        weight: f64,
    ) {
        self.meetings.push(rows, columns, weight);
        if self.meetings.is_full() {
            self.turn();
        }
    }

    /// Ends a block: it waits if it can, or is added to the sums.
    pub(super) fn turn(&mut self) {
        let entries = self.rows * self.columns;
        if entries == 0 {
            return self.meetings.clear();
        }
        self.meetings.turn(self.rows, &mut self.turned);
        let bytes = self.meetings.bytes();
        if bytes <= self.left {
            self.left -= bytes;
            self.waiting.push(std::mem::take(&mut self.meetings));
            return;
        }
        self.left = 0;
        if self.sums.is_empty() {
            self.sums = zeros(entries);
        }
        self.waiting.push(std::mem::take(&mut self.meetings));
        for block in self.waiting.drain(..) {
            block.settle(0, &mut self.sums, self.columns, &mut self.worth);
            self.meetings = block; // its memory, for the next
        }
        self.meetings.clear();
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.waiting.extend(other.waiting);
        if self.sums.is_empty() {
            self.sums = other.sums;
        } else if !other.sums.is_empty() {
            add_all(&mut self.sums, &other.sums);
        }
    }

    /// The sums over all documents.
    pub(super) fn sums(self, ctx: &Context<'_>) -> Vec<u64> {
        let Self { rows, columns, waiting, mut sums, .. } = self;
        if sums.is_empty() {
            sums = ctx.zeros(rows * columns);
        }
        let span = rows.div_ceil(SPANS * ctx.threads()).max(1);
        let settle = |worth: &mut Worth, (at, sums): (usize, &mut [u64])| {
            waiting.iter().for_each(|block| block.settle(at * span, sums, columns, worth));
        };
        let spans = sums.par_chunks_mut((span * columns).max(1)).enumerate().with_max_len(1);
        ctx.install(|| spans.for_each_init(Worth::default, settle));
        sums
    }
}
