//! What a fit needs of the documents: sums over them.

use std::ops::Range;

use crate::context::Context;
use crate::corpus::{Documents, Vocabulary};
use crate::error::Error;
use crate::moments::cooccurrence::{self, PairSums};
use crate::moments::kernels::tiles::Tiles;
use crate::moments::projections::{self, Projected};
use crate::moments::split::TokenPairs;
use crate::moments::word_stats::{self, WordSums};

/// A source of exact sums over documents: a pass over [`Documents`], or a [`Sketch`](crate::sketch::Sketch) that kept them.
/// The stages that work in the space of documents need no more.
pub trait SufficientStats: Sync {
    /// Type of the documents, for what sums alone cannot tell.
    type Documents: Documents;

    /// The documents, if there are any.
    fn documents(&self) -> Option<&Self::Documents>;

    /// The words that the sums are of.
    fn words(&self) -> &Vocabulary;

    /// Sums of single words. An error if other pairs were counted.
    fn word_sums(&self, pairs: TokenPairs, ctx: &Context<'_>) -> Result<WordSums, Error>;

    /// Sums of pairs of the words of `rows` with those of `columns`, with documents split as for
    /// [`word_sums`](Self::word_sums).
    fn pair_sums(
        &self,
        pairs: TokenPairs,
        rows: &[u32],
        columns: &[u32],
        ctx: &Context<'_>,
    ) -> Result<PairSums, Error>;

    /// Projects words on random directions. `look` gets a range of at most 32 directions and the projections of each word on
    /// them, on any thread. Its results come in the order of directions. An error if other directions were drawn.
    fn projections<T: Send>(
        &self,
        asked: &Projected<'_>,
        ctx: &Context<'_>,
        look: impl Fn(Range<usize>, Tiles<'_>) -> T + Sync,
    ) -> Result<Vec<T>, Error>;
}

/// Each method is a pass.
impl<D: Documents> SufficientStats for D {
    type Documents = D;

    fn documents(&self) -> Option<&D> {
        Some(self)
    }

    fn words(&self) -> &Vocabulary {
        self.vocabulary()
    }

    fn word_sums(&self, pairs: TokenPairs, ctx: &Context<'_>) -> Result<WordSums, Error> {
        word_stats::word_sums(self, pairs, ctx)
    }

    fn pair_sums(
        &self,
        pairs: TokenPairs,
        rows: &[u32],
        columns: &[u32],
        ctx: &Context<'_>,
    ) -> Result<PairSums, Error> {
        cooccurrence::pair_sums(self, pairs, rows, columns, ctx)
    }

    fn projections<T: Send>(
        &self,
        asked: &Projected<'_>,
        ctx: &Context<'_>,
        look: impl Fn(Range<usize>, Tiles<'_>) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        projections::project(self, asked, ctx, look)
    }
}
