//! What a fit asks of the documents: sums over them, and nothing else.

use std::ops::Range;

use crate::corpus::{Documents, Vocabulary};
use crate::error::Error;
use crate::moments::cooccurrence::{self, PairSums};
use crate::moments::projections::{self, Projected};
use crate::moments::split::Pairs;
use crate::moments::totals::{self, Sample, WordSums};
use crate::run::Run;
use crate::seed::Seed;

/// Where exact sums over documents come from: documents are passed over, a [`Sketch`](crate::sketch::Sketch) has
/// them. The stages that work in the space of documents ask for no more.
pub trait Statistics: Sync {
    /// Documents, for what sums alone cannot tell.
    type Documents: Documents;

    /// The documents, if they are at hand.
    fn documents(&self) -> Option<&Self::Documents>;

    /// The words that the sums are of.
    fn words(&self) -> &Vocabulary;

    /// What is known of each word by itself. An error if other pairs were counted.
    fn word_sums(&self, seed: Seed, pairs: Pairs, run: &Run<'_>) -> Result<WordSums, Error>;

    /// Pairs of the words of `rows` with those of `columns`, laid out as for [`word_sums`](Self::word_sums).
    fn pair_sums(
        &self,
        seed: Seed,
        pairs: Pairs,
        rows: &[u32],
        columns: &[u32],
        run: &Run<'_>,
    ) -> PairSums;

    /// Projections of the words of `rows` on a range of directions. The range begins at a
    /// multiple of 4. An error if other directions were drawn.
    fn projections(
        &self,
        seed: Seed,
        pairs: Pairs,
        sample: Sample,
        rows: &[u32],
        directions: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Projected, Error>;
}

/// Each answer is a pass.
impl<D: Documents> Statistics for D {
    type Documents = D;

    fn documents(&self) -> Option<&D> {
        Some(self)
    }

    fn words(&self) -> &Vocabulary {
        self.vocabulary()
    }

    fn word_sums(&self, seed: Seed, pairs: Pairs, run: &Run<'_>) -> Result<WordSums, Error> {
        Ok(totals::word_sums(self, seed, pairs, run))
    }

    fn pair_sums(
        &self,
        seed: Seed,
        pairs: Pairs,
        rows: &[u32],
        columns: &[u32],
        run: &Run<'_>,
    ) -> PairSums {
        cooccurrence::pair_sums(self, seed, pairs, rows, columns, run)
    }

    fn projections(
        &self,
        seed: Seed,
        pairs: Pairs,
        sample: Sample,
        rows: &[u32],
        directions: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Projected, Error> {
        Ok(projections::projections(self, seed, pairs, sample, rows, directions, run))
    }
}
