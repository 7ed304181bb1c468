//! What a fit asks of the documents: sums over them, and nothing else.

use std::ops::Range;

use crate::context::Context;
use crate::corpus::{Documents, Vocabulary};
use crate::error::Error;
use crate::moments::cooccurrence::{self, PairSums};
use crate::moments::projections::{self, Projected};
use crate::moments::split::PairScheme;
use crate::moments::tiles::Tile;
use crate::moments::word_stats::{self, WordSums};
use crate::seed::Seed;

/// Where exact sums over documents come from: documents are passed over, a [`Sketch`](crate::sketch::Sketch) has
/// them. The stages that work in the space of documents ask for no more.
pub trait SufficientStats: Sync {
    /// Documents, for what sums alone cannot tell.
    type Documents: Documents;

    /// The documents, if they are at hand.
    fn documents(&self) -> Option<&Self::Documents>;

    /// The words that the sums are of.
    fn words(&self) -> &Vocabulary;

    /// What is known of each word by itself. An error if other pairs were counted.
    fn word_sums(
        &self,
        seed: Seed,
        pairs: PairScheme,
        ctx: &Context<'_>,
    ) -> Result<WordSums, Error>;

    /// Pairs of the words of `rows` with those of `columns`, laid out as for [`word_sums`](Self::word_sums).
    fn pair_sums(
        &self,
        seed: Seed,
        pairs: PairScheme,
        rows: &[u32],
        columns: &[u32],
        ctx: &Context<'_>,
    ) -> PairSums;

    /// Projects words on random directions: `look` gets some directions, at most 32, and the projections of each word on
    /// them, on any thread; what stands behind the last direction means nothing. Its answers come in the order of directions.
    /// An error if other directions were drawn.
    fn projections<T: Send>(
        &self,
        asked: &Projected<'_>,
        ctx: &Context<'_>,
        look: impl Fn(Range<usize>, &[Tile]) -> T + Sync,
    ) -> Result<Vec<T>, Error>;
}

/// Each answer is a pass.
impl<D: Documents> SufficientStats for D {
    type Documents = D;

    fn documents(&self) -> Option<&D> {
        Some(self)
    }

    fn words(&self) -> &Vocabulary {
        self.vocabulary()
    }

    fn word_sums(
        &self,
        seed: Seed,
        pairs: PairScheme,
        ctx: &Context<'_>,
    ) -> Result<WordSums, Error> {
        Ok(word_stats::word_sums(self, seed, pairs, ctx))
    }

    fn pair_sums(
        &self,
        seed: Seed,
        pairs: PairScheme,
        rows: &[u32],
        columns: &[u32],
        ctx: &Context<'_>,
    ) -> PairSums {
        cooccurrence::pair_sums(self, seed, pairs, rows, columns, ctx)
    }

    fn projections<T: Send>(
        &self,
        asked: &Projected<'_>,
        ctx: &Context<'_>,
        look: impl Fn(Range<usize>, &[Tile]) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        Ok(projections::project(self, asked, ctx, look))
    }
}
