//! Projections of the rows of X, or of the frequencies of whole documents, on random directions.
//!
//! P multiply-adds per (document, word) pair, in blocks that stay in the cache: a block of documents is turned round
//! once ([`Block`]), and for twice 32 directions at a time each word adds up its documents' entries in registers. Several
//! blocks wait for each other, so that the sums of these directions are fetched once for all of them.

use std::ops::Range;

use crate::corpus::{Accumulator, Document, DocumentKey, Documents};
use crate::lanes::{self, Aligned, Integers, Kernel, Lanes};
use crate::moments::block::{Block, DOCUMENTS, Turned, UNIT_BITS, class};
use crate::moments::cooccurrence::positions;
use crate::moments::directions::{Directions, PER_DRAW};
use crate::moments::split::{Halves, Pairs, Splitter};
use crate::moments::totals::{Sample, add_all};
use crate::run::Run;
use crate::seed::Seed;

/// Directions that are summed at once.
pub(crate) const TILE: usize = 32;
/// Tiles that are summed in one go over a block.
const TILES: usize = 2;
/// Entries of the documents of a block.
const ENTRIES: usize = TILES * DOCUMENTS;
/// Bytes of the blocks that wait in a thread, at most,
const WAITING: usize = 1 << 26;
/// and the share of the memory for a pass.
const WAITING_SHARE: usize = 8;

/// Exact projections of some words on a range of directions, 32 directions after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projected {
    rows: usize,
    directions: usize,
    /// `rows` for the first 32 directions, then `rows` for the next; the last are filled up with zeros.
    sums: Aligned<i64, TILE>,
}

impl Projected {
    fn zero(rows: usize, directions: usize) -> Self {
        Self { rows, directions, sums: Aligned::zeros(rows * directions.div_ceil(TILE)) }
    }

    /// From the projections of one word after another.
    pub fn from_rows<'a>(
        rows: impl ExactSizeIterator<Item = &'a [i64]>,
        directions: usize,
    ) -> Self {
        let mut all = Self::zero(rows.len(), directions);
        for (row, values) in rows.enumerate() {
            for (tile, part) in values.chunks(TILE).enumerate() {
                all.sums[tile * all.rows + row][..part.len()].copy_from_slice(part);
            }
        }
        all
    }

    /// The projections of a word, one direction after another.
    pub fn row(&self, row: usize) -> impl Iterator<Item = i64> + '_ {
        let tiles = self.directions.div_ceil(TILE);
        (0..tiles).flat_map(move |t| self.sums[t * self.rows + row]).take(self.directions)
    }

    /// Up to 32 directions with the projections of all words on them, one such after another.
    pub(crate) fn tiles(&self) -> Vec<(usize, &[[i64; TILE]])> {
        let width = |tile: usize| TILE.min(self.directions - tile * TILE);
        let rows = |tile: usize| &self.sums[tile * self.rows..(tile + 1) * self.rows];
        (0..self.directions.div_ceil(TILE)).map(|tile| (width(tile), rows(tile))).collect()
    }
}

/// `Σ_m x_im u_m` of some words for a range of directions: one pass over the documents.
pub(super) fn projections<D: Documents>(
    documents: &D,
    seed: Seed,
    pairs: Pairs,
    sample: Sample,
    rows: &[u32],
    range: Range<usize>,
    run: &Run<'_>,
) -> Projected {
    let row_of = positions(rows, documents.vocabulary().len());
    let directions = Directions::new(seed);
    let mut sums = documents.pass("projecting words", run, || Projections {
        splitter: Splitter::new(seed, pairs, documents.vocabulary()),
        sample,
        directions: &directions,
        row_of: &row_of,
        start: range.start,
        halves: Halves::default(),
        blocks: Vec::new(),
        waiting: Vec::new(),
        most: (run.bytes() / WAITING_SHARE).min(WAITING),
        entries: Aligned::zeros(ENTRIES),
        sums: Projected::zero(rows.len(), range.len()),
    });
    let (last, used) = (range.len() / TILE * rows.len(), range.len() % TILE);
    sums.sums.sums[last..].iter_mut().for_each(|tile| tile[used..].fill(0));
    sums.sums
}

/// The sums, with the documents that are not in them yet.
struct Projections<'a> {
    splitter: Splitter<'a>,
    sample: Sample,
    directions: &'a Directions,
    row_of: &'a [u32],
    start: usize,
    halves: Halves,
    /// By class of the documents' lengths.
    blocks: Vec<Block>,
    /// Blocks that are full.
    waiting: Vec<Turned>,
    /// Bytes that may wait.
    most: usize,
    /// Of the documents of a block in the directions of one or two tiles, which stand together.
    entries: Aligned<i16, 32>,
    sums: Projected,
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
            self.turn(class);
            if self.waiting.iter().map(Turned::bytes).sum::<usize>() >= self.most {
                self.project();
            }
        }
    }

    fn turn(&mut self, class: usize) {
        let turned = self.blocks[class].turn(class, self.sums.rows);
        self.waiting.push(turned);
    }

    /// Adds the blocks that wait to the sums.
    fn project(&mut self) {
        let rows = self.sums.rows.max(1);
        for (at, sums) in self.sums.sums.chunks_mut(TILES * rows).enumerate() {
            let first = self.start + at * TILES * TILE;
            let tiles = sums.len() / rows;
            for block in &self.waiting {
                let scale = Block::scale(block.class);
                let entries = block.documents.iter().flat_map(|(drawn, tokens)| {
                    let draw = |tile| drawn.clone().skip((tile * TILE / PER_DRAW) as u64);
                    (0..tiles).map(move |tile| (draw(tile), scale / *tokens as f32))
                });
                let to = &mut self.entries[..tiles * block.documents.len()];
                self.directions.scaled(entries, first, to);
                let Some(entries) = self.entries.first_chunk() else { continue };
                if let Some((sums, others)) = sums.split_at_mut_checked(rows).filter(|_| tiles > 1)
                {
                    lanes::run(Tile { block, entries, sums: [sums, others] });
                } else {
                    lanes::run(Tile { block, entries, sums: [&mut *sums] });
                }
            }
        }
        self.waiting.clear();
    }
}

impl Accumulator for Projections<'_> {
    fn add(&mut self, document: Document<'_>) {
        match self.sample {
            Sample::Whole => self.take(document.key, document.tokens(), document.pairs()),
            Sample::Half => {
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
        (0..self.blocks.len()).for_each(|class| self.turn(class));
        self.project();
    }

    fn merge(&mut self, other: Self) {
        add_all(self.sums.sums.as_flattened_mut(), other.sums.sums.as_flattened());
    }
}

/// Projects the words of a block on the directions of N tiles.
struct Tile<'a, const N: usize> {
    block: &'a Turned,
    entries: &'a [Integers; ENTRIES],
    sums: [&'a mut [[i64; TILE]]; N],
}

impl<const N: usize> Kernel for Tile<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { block, entries, mut sums } = self;
        let Some(entries) = L::view_integers(entries).first_chunk::<ENTRIES>() else { return };
        // So the compiler sees that no entry is beyond the end.
        let of = |document: u16| (usize::from(document) & (DOCUMENTS - 1)) * N;
        let shift = UNIT_BITS - Block::bits(block.class);
        for segment in &block.segments {
            let span = segment.start as usize..segment.end as usize;
            let mut added = [lanes.no_sums(); N];
            for (&[a, b], &factors) in block.postings[span.clone()].iter().zip(&block.counts[span])
            {
                let (a, b) = (of(a), of(b));
                for (t, added) in added.iter_mut().enumerate() {
                    *added = lanes.add_products(*added, &entries[a + t], &entries[b + t], factors);
                }
            }
            for (sums, added) in sums.iter_mut().zip(added) {
                lanes.put(&mut sums[segment.row as usize], added, shift);
            }
        }
    }
}
