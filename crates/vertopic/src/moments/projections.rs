//! Projections of the rows of X, or of the frequencies of whole documents, on random directions.
//!
//! P multiply-adds per (document, word) pair, in blocks that stay in the cache: a block of documents is transposed once
//! ([`Block`]), and for twice 32 directions at a time each word adds its documents' entries in registers. Blocks wait until
//! the end of the pass, as far as memory goes. Then threads share out the directions: the sums of a few directions stay in
//! the cache for all blocks, and are dropped once they were used.

use std::ops::Range;

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, DocumentKey, Documents, Pass, PassReader, PassWriter, SumFields,
    Vocabulary,
};
use crate::error::Error;
use crate::exact::ExactSums;
use crate::moments::cooccurrence::positions;
use crate::moments::directions::Directions;
use crate::moments::kernels::block::{Block, DOCUMENTS, TransposedBlock, class};
use crate::moments::kernels::tiles::{Projector, TILE, TILES, Tiles};
use crate::moments::split::{Halves, PairScheme, Splitter};
use crate::moments::word_stats::TokenSample;
use crate::seed::Seed;

/// Where sums take the memory, waiting blocks have at most so many bytes,
const WAITING: usize = 1 << 26;
/// and at most this share of the memory for a pass.
const WAITING_SHARE: usize = 8;

/// Which projections are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Projected<'a> {
    /// The seed of the directions and of the split.
    pub seed: Seed,
    /// How tokens are paired.
    pub pairs: PairScheme,
    /// Whether one side of the pairs is projected or the whole document.
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
    look: impl Fn(Range<usize>, Tiles<'_>) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let words = documents.vocabulary().len();
    let bytes = asked.rows.len() * size_of::<i64>();
    let (mut waiting, mut columns) = (ctx.bytes() / 2, ctx.columns(2 * bytes, TILE));
    let mut seen = Vec::new();
    let mut start = 0;
    while start < asked.directions {
        let range = start..asked.directions.min(start + columns);
        let pass = ProjectWords::new(asked, range.clone(), waiting, words);
        let projected = documents.pass(&pass, ctx)?;
        let range = if projected.sums.is_empty() { start..asked.directions } else { range };
        start = range.end;
        seen.extend(projected.look(range, columns, ctx, &look));
        // Not all documents could wait, so more of the memory is for sums from now on.
        waiting = (ctx.bytes() / WAITING_SHARE).min(WAITING);
        columns = ctx.columns(bytes, TILE);
    }
    Ok(seen)
}

/// The pass behind the projections on a range of directions.
#[derive(Debug)]
pub(crate) struct ProjectWords {
    seed: Seed,
    pairs: PairScheme,
    sample: TokenSample,
    rows: Vec<u32>,
    row_of: Vec<u32>,
    range: Range<usize>,
    directions: Directions,
    /// Bytes that documents may take while they wait.
    waiting: usize,
}

impl ProjectWords {
    fn new(asked: &Projected<'_>, range: Range<usize>, waiting: usize, words: usize) -> Self {
        let Projected { seed, pairs, sample, rows, .. } = *asked;
        let (row_of, directions) = (positions(rows, words), Directions::new(seed));
        Self { seed, pairs, sample, rows: rows.to_vec(), row_of, range, directions, waiting }
    }
}

impl Pass for ProjectWords {
    const NAME: &'static str = "projections";
    const STAGE: &'static str = "projecting words";
    type Accumulator<'a> = WordProjector<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> WordProjector<'a> {
        WordProjector {
            splitter: Splitter::new(self.seed, self.pairs, words),
            sample: self.sample,
            directions: &self.directions,
            row_of: &self.row_of,
            rows: self.rows.len(),
            range: self.range.clone(),
            halves: Halves::default(),
            blocks: Vec::new(),
            waiting: Vec::new(),
            most: self.waiting,
            sums: ExactSums::default(),
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.pairs.write(self.seed, out);
        out.byte(u8::from(self.sample == TokenSample::Half));
        out.number(self.range.start as u64);
        out.number(self.range.end as u64);
        out.table(self.rows.iter().copied());
    }

    fn read(from: &mut PassReader<'_>, vocabulary: &Vocabulary) -> Result<Self, Error> {
        let (seed, pairs) = PairScheme::read(from)?;
        let sample = if from.flag()? { TokenSample::Half } else { TokenSample::Whole };
        let (start, end) = (from.size(u32::MAX as usize)?, from.size(u32::MAX as usize)?);
        if start > end || !start.is_multiple_of(TILE) {
            return Err(from.wrong("its directions are no range of whole tiles"));
        }
        let rows = from.words(vocabulary)?;
        from.limit(rows.len(), end - start)?;
        let asked = Projected { seed, pairs, sample, rows: &rows, directions: end };
        Ok(Self::new(&asked, start..end, WAITING, vocabulary.len()))
    }
}

/// Documents that wait, and the sums of those that could not.
pub(crate) struct WordProjector<'a> {
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
    sums: ExactSums<TILE>,
}

impl WordProjector<'_> {
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

    /// Sums that hold no document yet.
    fn make_sums(&mut self) {
        if self.sums.is_empty() {
            self.sums = ExactSums::zeros(self.rows * self.range.len().div_ceil(TILE));
        }
    }

    /// Adds the blocks that wait to the sums.
    fn project(&mut self) {
        self.make_sums();
        let mut projector = Projector::new(self.directions);
        for blocks in steps(&self.waiting) {
            self.sums.reserve(growth(blocks));
            let firsts = self.range.clone().step_by(TILES * TILE);
            let sums = self.sums.low_mut().chunks_mut(TILES * self.rows.max(1));
            for (first, sums) in firsts.zip(sums) {
                projector.add(blocks, first, self.rows, sums);
            }
        }
        self.waiting.clear();
    }

    /// Shows the sums of each tile, with those of blocks that still wait, for a range of directions: that of the sums, or
    /// any if all documents wait. A thread holds `columns` columns at a time.
    fn look<T: Send>(
        self,
        range: Range<usize>,
        columns: usize,
        ctx: &Context<'_>,
        look: impl Fn(Range<usize>, Tiles<'_>) -> T + Sync,
    ) -> Vec<T> {
        let progress = ctx.stage(ProjectWords::STAGE, range.len() as u64);
        let (rows, tiles) = (self.rows, TILES.min(columns / TILE));
        let firsts: Vec<usize> = range.clone().step_by(tiles * TILE).collect();
        let memory = || (Projector::new(self.directions), ExactSums::default());
        let part = |(projector, own): &mut (Projector<'_>, ExactSums<TILE>), first: usize| {
            let part = first..range.end.min(first + tiles * TILE);
            let n = part.len().div_ceil(TILE);
            if self.sums.is_empty() {
                own.reset(n * rows);
            } else {
                let start = (first - range.start) / TILE * rows;
                *own = self.sums.part(start..start + n * rows);
            }
            for blocks in steps(&self.waiting) {
                own.reserve(growth(blocks));
                projector.add(blocks, first, rows, own.low_mut());
            }
            progress.advance(part.len() as u64);
            let firsts = part.clone().step_by(TILE).enumerate();
            let tile = |(t, first): (usize, usize)| {
                look(first..part.end.min(first + TILE), Tiles::new(own, t * rows..(t + 1) * rows))
            };
            firsts.map(tile).collect::<Vec<T>>()
        };
        ctx.map_with_scratch(firsts, memory, part).into_iter().flatten().collect()
    }
}

/// Documents that are added before sums must make room for more.
const STEP: usize = if cfg!(test) { 50 } else { 1 << 18 };
/// No document adds more than this to a sum: a frequency of 28 bits times four standard deviations, rounded.
const LARGEST: u64 = 1 << 43;

/// Blocks in steps of about [`STEP`] documents.
fn steps(blocks: &[TransposedBlock]) -> impl Iterator<Item = &[TransposedBlock]> {
    const { assert!((STEP + DOCUMENTS) as u64 <= (1 << 62) / LARGEST) };
    let mut documents = 0;
    blocks.chunk_by(move |before, _| {
        documents += before.documents.len();
        let more = documents < STEP;
        if !more {
            documents = 0;
        }
        more
    })
}

/// What some blocks may add to a sum.
fn growth(blocks: &[TransposedBlock]) -> u64 {
    blocks.iter().map(|block| block.documents.len() as u64).sum::<u64>() * LARGEST
}

impl Accumulator for WordProjector<'_> {
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
            self.sums.merge(&other.sums);
        }
    }

    fn settle(&mut self, _: &Context<'_>) {
        self.project();
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        self.make_sums();
        let (rows, width) = (self.rows, self.range.len());
        fields.placed(&mut self.sums, rows * width, |at| {
            let (row, direction) = (at / width, at % width);
            (direction / TILE * rows + row) * TILE + direction % TILE
        })
    }
}
