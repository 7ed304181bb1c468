//! Projections of the rows of X, or of the frequencies of whole documents, on random directions.
//!
//! P multiply-adds per (document, word) pair, in blocks that stay in the cache: a block of documents is turned round
//! once ([`Block`]), and for 32 directions at a time each word adds up its documents' entries in registers. Several blocks
//! wait for each other, so that the sums of 32 directions are fetched once for all of them.

use std::ops::Range;

use crate::corpus::{Accumulator, Document, DocumentKey, Documents};
use crate::lanes::{self, Aligned, Integers, Kernel, Lanes};
use crate::moments::block::{Block, Turned, UNIT_BITS, class};
use crate::moments::cooccurrence::positions;
use crate::moments::directions::Directions;
use crate::moments::split::{Halves, Pairs, Splitter};
use crate::moments::totals::{Sample, add_all};
use crate::run::Run;
use crate::seed::Seed;

/// Directions that are summed at once.
pub(crate) const TILE: usize = 32;
/// Bytes of the blocks that wait, about, in each thread.
const WAITING: usize = if cfg!(test) { 2000 } else { 1 << 25 }; // tests run many blocks

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
        entries: Aligned::default(),
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
    /// Of 32 directions, for the documents of a block.
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
            if self.waiting.iter().map(Turned::bytes).sum::<usize>() >= WAITING {
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
        for (tile, sums) in self.sums.sums.chunks_mut(self.sums.rows.max(1)).enumerate() {
            let first = self.start + tile * TILE;
            for block in &self.waiting {
                let scale = Block::scale(block.class);
                self.entries.resize(block.documents.len());
                let documents = block.documents.iter();
                let scaled =
                    documents.map(|(drawn, tokens)| (drawn.clone(), scale / *tokens as f32));
                self.directions.scaled(scaled, first, &mut self.entries);
                lanes::run(Tile { block, entries: &self.entries, sums });
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

/// Projects the words of a block on 32 directions.
struct Tile<'a> {
    block: &'a Turned,
    entries: &'a [Integers],
    sums: &'a mut [[i64; TILE]],
}

impl Kernel for Tile<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let entries = L::view_integers(self.entries);
        let Turned { class, postings, counts, segments, .. } = self.block;
        let shift = UNIT_BITS - Block::bits(*class);
        for segment in segments {
            let span = segment.start as usize..segment.end as usize;
            let mut sums = lanes.no_sums();
            for (&[a, b], &factors) in postings[span.clone()].iter().zip(&counts[span]) {
                let (a, b) = (&entries[usize::from(a)], &entries[usize::from(b)]);
                sums = lanes.add_products(sums, a, b, factors);
            }
            lanes.put(&mut self.sums[segment.row as usize], sums, shift);
        }
    }
}
