//! Sums over pairs of row words and column words.
//!
//! Blocks of documents wait until the end of the pass, as far as memory goes. Then threads share out the rows, and there is one
//! copy of the sums. Where not all blocks can wait, each thread has sums of its own.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::SumFields;
use crate::error::Error;
use crate::exact::{self, ExactSums};
use crate::moments::kernels::cooccurrence_block::{
    CooccurrenceBlock, MOST_DOCUMENTS, PairWeights, RowEntry,
};

/// Spans of rows for each thread: some rows have many more entries than others.
const SPANS: usize = 8;

/// Documents that are added before sums must make room for more.
const STEP: usize = if cfg!(test) { 16 } else { MOST_DOCUMENTS };

/// Sums of some rows, and documents that are not in them yet.
#[derive(Debug)]
pub(super) struct CooccurrenceAccumulator {
    rows: usize,
    columns: usize,
    /// The block that grows.
    block: CooccurrenceBlock,
    /// Blocks that are full.
    waiting: Vec<CooccurrenceBlock>,
    /// Bytes that may still wait.
    left: usize,
    /// Row after row. Empty as long as all documents wait.
    sums: ExactSums,
    /// Memory that is used again.
    weights: PairWeights,
    transposed: Vec<RowEntry>,
}

impl CooccurrenceAccumulator {
    /// Sums of `rows` × `columns`; waiting documents take `most` bytes at most.
    pub(super) fn new(rows: usize, columns: usize, most: usize) -> Self {
        Self {
            rows,
            columns,
            block: CooccurrenceBlock::default(),
            waiting: Vec::new(),
            left: most,
            sums: ExactSums::default(),
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

    /// Closes a block: it waits if it can, or is added to the sums.
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
            self.sums = ExactSums::zeros(entries);
        }
        self.waiting.push(std::mem::take(&mut self.block));
        for block in self.waiting.drain(..) {
            self.sums.reserve(block.n_documents() as u64 * exact::LARGEST_PAIRS);
            block.add_to(0, self.sums.low_mut(), self.columns, &mut self.weights);
            self.block = block; // its memory, for the next
        }
        self.block.clear();
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.waiting.extend(other.waiting);
        if self.sums.is_empty() {
            self.sums = other.sums;
        } else if !other.sums.is_empty() {
            self.sums.merge(&other.sums);
        }
    }

    /// Adds the documents that wait.
    pub(super) fn settle(&mut self, ctx: &Context<'_>) {
        let Self { rows, columns, waiting, sums, .. } = self;
        if sums.is_empty() {
            *sums = ExactSums::shared(*rows * *columns, ctx);
        }
        let span = rows.div_ceil(SPANS * ctx.threads()).max(1);
        let mut rest = &waiting[..];
        while !rest.is_empty() {
            let mut documents = 0;
            let next = rest.iter().take_while(|block| {
                documents += block.n_documents();
                documents <= STEP
            });
            let (some, later) = rest.split_at(next.count().max(1));
            let documents: usize = some.iter().map(CooccurrenceBlock::n_documents).sum();
            sums.reserve(documents as u64 * exact::LARGEST_PAIRS);
            let add_to = |weights: &mut PairWeights, (at, sums): (usize, &mut [[i64; 1]])| {
                some.iter().for_each(|block| block.add_to(at * span, sums, *columns, weights));
            };
            let spans = sums.low_mut().par_chunks_mut((span * *columns).max(1));
            let spans = spans.enumerate().with_max_len(1);
            ctx.install(|| spans.for_each_init(PairWeights::default, add_to));
            rest = later;
        }
        waiting.clear();
    }

    /// Names the sums, in which no document waits.
    pub(super) fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        if self.sums.is_empty() {
            self.sums = ExactSums::zeros(self.rows * self.columns);
        }
        fields.sums(&mut self.sums)
    }

    /// The sums over all documents.
    pub(super) fn sums(mut self, ctx: &Context<'_>) -> ExactSums {
        self.settle(ctx);
        self.sums
    }
}
