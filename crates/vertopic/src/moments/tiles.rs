//! Blocks of documents projected on one or two tiles of directions, in registers.

use crate::moments::block::{Block, DOCUMENTS, TransposedBlock, UNIT_BITS};
use crate::moments::directions::{Directions, PER_DRAW};
use crate::simd::{self, Aligned, Integers, Kernel, Simd};

/// Directions of a tile.
pub(crate) const TILE: usize = 32;
/// Exact projections of a word on 32 directions that follow each other.
pub type Tile = [i64; TILE];

/// Tiles that are summed in one go over a block.
pub(super) const TILES: usize = 2;
/// Entries of the documents of a block.
const ENTRIES: usize = TILES * DOCUMENTS;

/// Projects blocks.
pub(super) struct Projector<'a> {
    directions: &'a Directions,
    /// Of the documents of a block in the directions of one or two tiles, which stand together.
    entries: Aligned<i16, TILE>,
}

impl<'a> Projector<'a> {
    pub(super) fn new(directions: &'a Directions) -> Self {
        Self { directions, entries: Aligned::zeros(ENTRIES) }
    }

    /// Adds blocks to the sums of all words, `rows` of them, for the directions from `first` on: those of a tile, then those
    /// of the next if there are as many.
    pub(super) fn add(
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
