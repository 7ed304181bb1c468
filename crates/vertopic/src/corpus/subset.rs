//! Some of the documents, chosen one by one.

use crate::context::Context;
use crate::corpus::wire::{PassReader, PassWriter};
use crate::corpus::{CountDocuments, Document, DocumentFilter, Documents, Pass, Vocabulary};
use crate::error::Error;
use crate::seed::{Seed, Stage};

/// A random share of the documents. Each document is drawn by a number that depends on the seed, the stage and the document
/// alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyedSample {
    seed: Seed,
    stage: Stage,
    /// The numbers that are drawn: `size` of the 2⁶⁴ from `start` on.
    start: u64,
    size: u128,
}

impl KeyedSample {
    /// A share in [0, 1], or everything if it is more. Samples for different stages are independent.
    pub fn new(seed: Seed, stage: Stage, share: f64) -> Self {
        let share = (share.min(1.0) * (1_u64 << 32) as f64) as u64;
        Self { seed, stage, start: 0, size: u128::from(share) << 32 }
    }

    /// A share in [0, 1] of the first or the second half of the documents. The two halves have no document in common.
    pub fn of_half(seed: Seed, stage: Stage, second: bool, share: f64) -> Self {
        let size = libm::ldexp(share.min(1.0), 63) as u64;
        Self { seed, stage, start: u64::from(second) << 63, size: u128::from(size) }
    }

    /// The seed.
    pub fn seed(self) -> Seed {
        self.seed
    }

    /// Whether a document is in the sample.
    pub fn has(self, document: Document<'_>) -> bool {
        let drawn = self.seed.stream(self.stage, document.key.0).next_u64();
        u128::from(drawn.wrapping_sub(self.start)) < self.size
    }

    pub(crate) fn write(self, out: &mut PassWriter) {
        out.number(self.seed.0);
        out.byte(self.stage as u8);
        out.number(self.start);
        out.number(self.size as u64);
        out.number((self.size >> 64) as u64);
    }

    pub(crate) fn read(from: &mut PassReader<'_>) -> Result<Self, Error> {
        let (seed, stage, start) = (Seed(from.number()?), from.stage()?, from.number()?);
        let size = u128::from(from.number()?) | u128::from(from.number()?) << 64;
        if u128::from(start) + size > 1 << 64 {
            return Err(from.wrong("it has a sample of more than everything"));
        }
        Ok(Self { seed, stage, start, size })
    }
}

/// The documents that a filter keeps.
///
/// ```
/// use vertopic::corpus::{CorpusBuilder, DocumentInfo, Documents, KeyedSample, Subset};
/// use vertopic::{context::Context, seed::{Seed, Stage}};
/// let mut b = CorpusBuilder::new();
/// for n in 1..=100 {
///     let word = b.word("sea");
///     b.push(&mut [(word, n)], DocumentInfo::default())?;
/// }
/// let (corpus, ctx) = (b.finish()?, Context::silent()?);
/// let half = KeyedSample::of_half(Seed(0), Stage::Half, false, 1.0);
/// let (one, other) = (Subset::new(&corpus, half, &ctx)?, Subset::without(&corpus, half, &ctx)?);
/// assert_eq!(one.n_documents() + other.n_documents(), 100);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug)]
pub struct Subset<'a, D> {
    documents: &'a D,
    filter: DocumentFilter,
    n_documents: usize,
}

impl<'a, D: Documents> Subset<'a, D> {
    /// The documents that `filter` keeps. One pass counts them.
    pub fn new(
        documents: &'a D,
        filter: impl Into<DocumentFilter>,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let filter = filter.into();
        let n_documents = documents.filtered_pass(&filter, &CountDocuments, ctx)?.0 as usize;
        Ok(Self { documents, filter, n_documents })
    }

    /// The documents that `filter` drops.
    pub fn without(
        documents: &'a D,
        filter: impl Into<DocumentFilter>,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        Self::new(documents, filter.into().complement(), ctx)
    }
}

impl<D: Documents> Documents for Subset<'_, D> {
    fn vocabulary(&self) -> &Vocabulary {
        self.documents.vocabulary()
    }

    fn n_documents(&self) -> usize {
        self.n_documents
    }

    fn filtered_pass<'a, P: Pass>(
        &'a self,
        filter: &DocumentFilter,
        pass: &'a P,
        ctx: &Context<'_>,
    ) -> Result<P::Accumulator<'a>, Error> {
        self.documents.filtered_pass(&self.filter.and(filter), pass, ctx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::DocumentKey;

    #[test]
    fn a_share_is_drawn_and_not_another_for_another_purpose() {
        let drawn = |stage, share| -> Vec<u64> {
            let draw = KeyedSample::new(Seed(1), stage, share);
            let document = |key| Document { key: DocumentKey(key), words: &[], counts: &[] };
            (0..4000).filter(|&key| draw.has(document(key))).collect()
        };
        let (tenth, other) = (drawn(Stage::Validation, 0.1), drawn(Stage::HeldOut, 0.1));
        assert!((320..480).contains(&tenth.len()), "{}", tenth.len());
        assert_ne!(tenth, other);
        let fifth = drawn(Stage::Validation, 0.2);
        assert!(tenth.iter().all(|key| fifth.contains(key)), "a larger share has the smaller");
        assert_eq!(
            (drawn(Stage::Validation, 0.0).len(), drawn(Stage::Validation, 1.0).len()),
            (0, 4000)
        );
    }
}
