//! Projections of the rows of X, or of the frequencies of whole documents, on random directions.
//!
//! P multiply-adds per (document, word) pair, in blocks that stay in the cache: a block of documents is turned round
//! once ([`Block`]), and for twice 32 directions at a time each word adds up its documents' entries in registers. Blocks
//! wait for the last document, as far as memory goes. Then threads share out the directions: the sums of a few stay
//! in the cache for all blocks, and are forgotten once they were looked at.

use std::ops::Range;

use crate::context::Context;
use crate::corpus::{Accumulator, Document, DocumentKey, Documents};
use crate::moments::block::{Block, TransposedBlock, class};
use crate::moments::cooccurrence::positions;
use crate::moments::directions::Directions;
use crate::moments::split::{Halves, PairScheme, Splitter};
use crate::moments::tiles::{Projector, TILE, TILES, Tile};
use crate::moments::word_stats::{TokenSample, add_all};
use crate::seed::Seed;
use crate::simd::Aligned;

/// Bytes of the blocks that wait where sums take the memory, at most,
const WAITING: usize = 1 << 26;
/// and the share of the memory for a pass.
const WAITING_SHARE: usize = 8;

const STAGE: &str = "projecting words";

/// Which projections are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Projected<'a> {
    /// What directions are drawn with.
    pub seed: Seed,
    /// How tokens are paired,
    pub pairs: PairScheme,
    /// and whether one side of the pairs is projected or the whole.
    pub sample: TokenSample,
    /// The words.
    pub rows: &'a [u32],
    /// How many directions, P.
    pub directions: usize,
}

/// `Σ_m x_im u_m` of the words, for all directions: in one pass if documents fit into half of the memory, or else in as many
/// as the sums need.
pub(super) fn project<D: Documents, T: Send>(
    documents: &D,
    asked: &Projected<'_>,
    ctx: &Context<'_>,
    look: impl Fn(Range<usize>, &[Tile]) -> T + Sync,
) -> Vec<T> {
    let (row_of, rows) = (positions(asked.rows, documents.vocabulary().len()), asked.rows.len());
    let directions = Directions::new(asked.seed);
    let bytes = rows * size_of::<i64>();
    let (mut most, mut columns) = (ctx.bytes() / 2, ctx.columns(2 * bytes, TILE));
    let mut seen = Vec::new();
    let mut start = 0;
    while start < asked.directions {
        let range = start..asked.directions.min(start + columns);
        let pass = documents.pass(STAGE, ctx, || Projections {
            splitter: Splitter::new(asked.seed, asked.pairs, documents.vocabulary()),
            sample: asked.sample,
            directions: &directions,
            row_of: &row_of,
            rows,
            range: range.clone(),
            halves: Halves::default(),
            blocks: Vec::new(),
            waiting: Vec::new(),
            most,
            sums: Aligned::default(),
        });
        let range = if pass.sums.is_empty() { start..asked.directions } else { range };
        start = range.end;
        seen.extend(pass.look(range, columns, ctx, &look));
        // Not all documents could wait, so more of the memory is for sums from now on.
        most = (ctx.bytes() / WAITING_SHARE).min(WAITING);
        columns = ctx.columns(bytes, TILE);
    }
    seen
}

/// Documents that wait, and the sums of those that could not.
struct Projections<'a> {
    splitter: Splitter<'a>,
    sample: TokenSample,
    directions: &'a Directions,
    row_of: &'a [u32],
    rows: usize,
    /// Directions of the sums.
    range: Range<usize>,
    halves: Halves,
    /// By class of the documents' lengths.
    blocks: Vec<Block>,
    /// Blocks that are full.
    waiting: Vec<TransposedBlock>,
    /// Bytes that may wait.
    most: usize,
    /// `rows` for the first tile of the range, then `rows` for the next. Empty as long as all documents wait.
    sums: Aligned<i64, TILE>,
}

impl Projections<'_> {
    fn take(&mut self, key: DocumentKey, tokens: u64, pairs: impl Iterator<Item = (u32, u32)>) {
        if tokens == 0 {
            return;
        }
        let class = class(tokens);
        if self.blocks.len() <= class {
            self.blocks.resize_with(class + 1, Block::default);
        }
        let row_of = self.row_of;
        let rows = pairs.map(|(w, c)| (row_of[w as usize], c)).filter(|&(row, _)| row != u32::MAX);
        self.blocks[class].push(self.directions.of(key), tokens, rows);
        if self.blocks[class].is_full() {
            self.transpose(class);
            if self.waiting.iter().map(TransposedBlock::bytes).sum::<usize>() >= self.most {
                self.project();
            }
        }
    }

    fn transpose(&mut self, class: usize) {
        let transposed = self.blocks[class].transpose(class, self.rows);
        self.waiting.push(transposed);
    }

    /// Adds the blocks that wait to the sums.
    fn project(&mut self) {
        if self.sums.is_empty() {
            self.sums = Aligned::zeros(self.rows * self.range.len().div_ceil(TILE));
        }
        let mut projector = Projector::new(self.directions);
        let firsts = self.range.clone().step_by(TILES * TILE);
        for (first, sums) in firsts.zip(self.sums.chunks_mut(TILES * self.rows.max(1))) {
            projector.add(&self.waiting, first, self.rows, sums);
        }
        self.waiting.clear();
    }

    /// Shows the sums of each tile, those of blocks that still wait included, for a range of directions: that of the sums, or
    /// any if there are none yet. Then each thread holds as many columns at a time as is said.
    fn look<T: Send>(
        mut self,
        range: Range<usize>,
        columns: usize,
        ctx: &Context<'_>,
        look: impl Fn(Range<usize>, &[Tile]) -> T + Sync,
    ) -> Vec<T> {
        let progress = ctx.stage(STAGE, range.len() as u64);
        let (rows, tiles) = (self.rows, TILES.min(columns / TILE));
        let mut sums = self.sums.chunks_mut(tiles * rows.max(1));
        let firsts = range.clone().step_by(tiles * TILE);
        let parts: Vec<_> = firsts.map(|first| (first, sums.next().unwrap_or_default())).collect();
        let memory = || (Projector::new(self.directions), Aligned::default());
        let part = |(projector, own): &mut (Projector<'_>, Aligned<i64, TILE>),
                    (first, sums): (usize, &mut [Tile])| {
            let part = first..range.end.min(first + tiles * TILE);
            let sums = match sums {
                [] => {
                    own.resize(part.len().div_ceil(TILE) * rows);
                    own.fill([0; TILE]);
                    own
                }
                sums => sums,
            };
            projector.add(&self.waiting, first, rows, sums);
            progress.advance(part.len() as u64);
            let firsts = part.clone().step_by(TILE).enumerate();
            let tile = |(t, first): (usize, usize)| {
                look(first..part.end.min(first + TILE), &sums[t * rows..(t + 1) * rows])
            };
            firsts.map(tile).collect::<Vec<T>>()
        };
        ctx.map_with_scratch(parts, memory, part).into_iter().flatten().collect()
    }
}

impl Accumulator for Projections<'_> {
    fn add(&mut self, document: Document<'_>) {
        match self.sample {
            TokenSample::Whole => self.take(document.key, document.tokens(), document.entries()),
            TokenSample::Half => {
                let mut halves = std::mem::take(&mut self.halves);
                if self.splitter.split(document, &mut halves) {
                    let half = &halves.first;
                    self.take(document.key, half.tokens, half.pairs.iter().copied());
                }
                self.halves = halves;
            }
        }
    }

    fn finish(&mut self) {
        (0..self.blocks.len()).for_each(|class| self.transpose(class));
        if !self.sums.is_empty() {
            self.project();
        }
    }

    fn merge(&mut self, other: Self) {
        self.waiting.extend(other.waiting);
        if self.sums.is_empty() {
            self.sums = other.sums;
        } else if !other.sums.is_empty() {
            add_all(self.sums.as_flattened_mut(), other.sums.as_flattened());
        }
    }
}
