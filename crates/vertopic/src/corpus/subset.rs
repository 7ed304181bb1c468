//! Some of the documents, chosen one by one.

use crate::context::Context;
use crate::corpus::{Accumulator, Document, Documents, Vocabulary};
use crate::seed::{Seed, Stage};

/// A share of the documents, drawn at random: a keyed coin decides for each, whatever the others.
#[derive(Debug, Clone, Copy)]
pub struct KeyedSample {
    seed: Seed,
    stage: Stage,
    /// Of 2³² documents, so many.
    share: u64,
}

impl KeyedSample {
    /// A share in [0, 1], or all if it is more, drawn for the purpose that the stage names.
    pub fn new(seed: Seed, stage: Stage, share: f64) -> Self {
        Self { seed, stage, share: (share.min(1.0) * (1_u64 << 32) as f64) as u64 }
    }

    /// The seed.
    pub fn seed(self) -> Seed {
        self.seed
    }

    /// Whether a document is among them.
    pub fn has(self, document: Document<'_>) -> bool {
        self.seed.stream(self.stage, document.key.0).next_u64() >> 32 < self.share
    }
}

/// The documents for which a rule holds. The rule looks at a document alone, so the part is the same for
/// any order.
///
/// ```
/// use vertopic::corpus::{CorpusBuilder, DocumentInfo, Documents, Subset};
/// use vertopic::context::Context;
/// let mut b = CorpusBuilder::new();
/// for n in 1..=4 {
///     let word = b.word("sea");
///     b.push(&mut [(word, n)], DocumentInfo::default())?;
/// }
/// let (corpus, ctx) = (b.finish()?, Context::silent()?);
/// let long = Subset::new(&corpus, |document| document.tokens() > 1, &ctx);
/// assert_eq!(long.n_documents(), 3);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug)]
pub struct Subset<'a, D, F> {
    documents: &'a D,
    has: F,
    n_documents: usize,
}

impl<'a, D: Documents, F: Fn(Document<'_>) -> bool + Sync> Subset<'a, D, F> {
    /// One pass counts them.
    pub fn new(documents: &'a D, has: F, ctx: &Context<'_>) -> Self {
        let mut part = Self { documents, has, n_documents: 0 };
        part.n_documents = part.pass("choosing documents", ctx, || Count(0)).0;
        part
    }
}

struct Count(usize);

impl Accumulator for Count {
    fn add(&mut self, _: Document<'_>) {
        self.0 += 1;
    }

    fn merge(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl<D: Documents, F: Fn(Document<'_>) -> bool + Sync> Documents for Subset<'_, D, F> {
    fn vocabulary(&self) -> &Vocabulary {
        self.documents.vocabulary()
    }

    fn n_documents(&self) -> usize {
        self.n_documents
    }

    fn pass<A: Accumulator>(
        &self,
        stage: &'static str,
        ctx: &Context<'_>,
        make: impl Fn() -> A + Sync,
    ) -> A {
        self.documents.pass(stage, ctx, || Chosen { sum: make(), has: &self.has }).sum
    }
}

/// Sums over the documents of the part.
struct Chosen<'a, A, F> {
    sum: A,
    has: &'a F,
}

impl<A: Accumulator, F: Fn(Document<'_>) -> bool + Sync> Accumulator for Chosen<'_, A, F> {
    fn add(&mut self, document: Document<'_>) {
        if (self.has)(document) {
            self.sum.add(document);
        }
    }

    fn finish(&mut self) {
        self.sum.finish();
    }

    fn merge(&mut self, other: Self) {
        self.sum.merge(other.sum);
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
