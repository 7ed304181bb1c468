//! Blocks of documents projected on one or two tiles of directions, in registers.

use std::borrow::Cow;
use std::ops::Range;

use super::block::{Block, DOCUMENTS, TransposedBlock, UNIT_BITS};
use crate::exact::ExactSums;
use crate::moments::directions::{Directions, PER_DRAW};
use crate::simd::{self, Aligned, Integers, Kernel, Simd};

/// Directions of a tile.
pub(crate) const TILE: usize = 32;
/// Projections of a word on 32 directions in a row.
pub type Tile = [i64; TILE];

/// Exact projections of words on at most 32 directions in a row.
#[derive(Debug, Clone)]
pub struct Tiles<'a> {
    sums: &'a ExactSums<TILE>,
    rows: Range<usize>,
}

impl<'a> Tiles<'a> {
    /// The tiles of some rows.
    pub(crate) fn new(sums: &'a ExactSums<TILE>, rows: Range<usize>) -> Self {
        Self { sums, rows }
    }

    /// Number of words.
    pub fn n_words(&self) -> usize {
        self.rows.len()
    }

    /// The projection of a word on a direction, by their numbers in the tile.
    pub fn get(&self, word: usize, direction: usize) -> i128 {
        self.sums.get((self.rows.start + word) * TILE + direction)
    }

    /// The projections of each word in units that all words share; what is beyond the last direction means nothing.
    pub fn narrow(&self) -> Cow<'a, [Tile]> {
        if !self.sums.is_wide() {
            return Cow::Borrowed(&self.sums.low()[self.rows.clone()]);
        }
        Cow::Owned(self.sums.part(self.rows.clone()).narrow(i64::BITS - 2).0.to_vec())
    }
}

/// Tiles that are summed at once over a block.
pub(in crate::moments) const TILES: usize = 2;
/// Entries of the documents of a block.
const ENTRIES: usize = TILES * DOCUMENTS;

/// Projects blocks.
pub(in crate::moments) struct Projector<'a> {
    directions: &'a Directions,
    /// Of the documents of a block in the directions of one or two tiles, which stand together.
    entries: Aligned<i16, TILE>,
}

impl<'a> Projector<'a> {
    pub(in crate::moments) fn new(directions: &'a Directions) -> Self {
        Self { directions, entries: Aligned::zeros(ENTRIES) }
    }

    /// Adds blocks to the sums of all words, `rows` of them, for the directions from `first` on: `rows` sums for one tile, and
    /// `rows` more for the next if there are as many.
    pub(in crate::moments) fn add(
        &mut self,
        blocks: &[TransposedBlock],
        first: usize,
        rows: usize,
        sums: &mut [Tile],
    ) {
        let tiles = if sums.len() > rows { TILES } else { 1 };
        for block in blocks {
            let scale = Block::scale(block.class);
            let entries = block.documents.iter().flat_map(|(drawn, tokens)| {
                let draw = |tile| drawn.clone().skip((tile * TILE / PER_DRAW) as u64);
                (0..tiles).map(move |tile| (draw(tile), scale / *tokens as f32))
            });
            let to = &mut self.entries[..tiles * block.documents.len()];
            self.directions.scaled(entries, first, to);
            let Some(entries) = self.entries.first_chunk() else { continue };
            if tiles == TILES {
                let (sums, others) = sums.split_at_mut(rows);
                simd::run(Products { block, entries, sums: [sums, others] });
            } else {
                simd::run(Products { block, entries, sums: [&mut *sums] });
            }
        }
    }
}

/// Projects the words of a block on the directions of N tiles.
struct Products<'a, const N: usize> {
    block: &'a TransposedBlock,
    entries: &'a [Integers; ENTRIES],
    sums: [&'a mut [Tile]; N],
}

impl<const N: usize> Kernel for Products<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) {
        let Self { block, entries, mut sums } = self;
        let Some(entries) = L::view_integers(entries).first_chunk::<ENTRIES>() else { return };
        // So the compiler sees that no entry is beyond the end.
        let of = |document: u16| (usize::from(document) & (DOCUMENTS - 1)) * N;
        let shift = UNIT_BITS - Block::bits(block.class);
        for segment in &block.segments {
            let span = segment.start as usize..segment.end as usize;
            let mut added = [simd.no_sums(); N];
            for (&[a, b], &factors) in block.postings[span.clone()].iter().zip(&block.counts[span])
            {
                let (a, b) = (of(a), of(b));
                for (t, added) in added.iter_mut().enumerate() {
                    *added = simd.add_products(*added, &entries[a + t], &entries[b + t], factors);
                }
            }
            for (sums, added) in sums.iter_mut().zip(added) {
                simd.put(&mut sums[segment.row as usize], added, shift);
            }
        }
    }
}
