//! Sums of the meetings of rows with columns.
//!
//! Blocks of documents wait for the last one, as far as memory goes: then threads share out the rows, and all sums are there
//! once. Where not all can wait, each thread has sums of its own for its documents.

use rayon::prelude::*;

use crate::context::Context;
use crate::moments::cooccurrence_block::{CooccurrenceBlock, PairWeights, RowEntry};
use crate::moments::word_stats::add_all;
use crate::simd::zeros;

/// Spans of rows for each thread: some rows have many more meetings than others.
const SPANS: usize = 8;

/// Sums of some rows, and documents that are not in them yet.
#[derive(Debug)]
pub(super) struct CooccurrenceAccumulator {
    rows: usize,
    columns: usize,
    /// Documents as they come.
    block: CooccurrenceBlock,
    /// Blocks that are full.
    waiting: Vec<CooccurrenceBlock>,
    /// Bytes that may still wait.
    left: usize,
    /// Row after row. Empty as long as all documents wait.
    sums: Vec<u64>,
    /// Memory that is used again.
    weights: PairWeights,
    transposed: Vec<RowEntry>,
}

impl CooccurrenceAccumulator {
    /// For so many rows and columns; documents that wait take so many bytes at most.
    pub(super) fn new(rows: usize, columns: usize, most: usize) -> Self {
        Self {
            rows,
            columns,
            block: CooccurrenceBlock::default(),
            waiting: Vec::new(),
            left: most,
            sums: Vec::new(),
            weights: PairWeights::default(),
            transposed: Vec::new(),
        }
    }

    /// Adds a document, as [`CooccurrenceBlock::push`] does.
    pub(super) fn add(
        &mut self,
        rows: impl Iterator<Item = (u32, u32, u32)>,
        columns: impl Iterator<Item = (u32, u32)>,
        weight: f64,
    ) {
        self.block.push(rows, columns, weight);
        if self.block.is_full() {
            self.transpose();
        }
    }

    /// Ends a block: it waits if it can, or is added to the sums.
    pub(super) fn transpose(&mut self) {
        let entries = self.rows * self.columns;
        if entries == 0 {
            return self.block.clear();
        }
        self.block.transpose(self.rows, &mut self.transposed);
        let bytes = self.block.bytes();
        if bytes <= self.left {
            self.left -= bytes;
            self.waiting.push(std::mem::take(&mut self.block));
            return;
        }
        self.left = 0;
        if self.sums.is_empty() {
            self.sums = zeros(entries);
        }
        self.waiting.push(std::mem::take(&mut self.block));
        for block in self.waiting.drain(..) {
            block.add_to(0, &mut self.sums, self.columns, &mut self.weights);
            self.block = block; // its memory, for the next
        }
        self.block.clear();
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
        let add_to = |weights: &mut PairWeights, (at, sums): (usize, &mut [u64])| {
            waiting.iter().for_each(|block| block.add_to(at * span, sums, columns, weights));
        };
        let spans = sums.par_chunks_mut((span * columns).max(1)).enumerate().with_max_len(1);
        ctx.install(|| spans.for_each_init(PairWeights::default, add_to));
        sums
    }
}
