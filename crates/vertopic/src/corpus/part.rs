//! Some of the documents, chosen one by one.

use crate::corpus::{Accumulator, Document, Documents, Vocabulary};
use crate::run::Run;

/// The documents for which a rule holds. The rule looks at a document alone, so the part is the same for
/// any order.
///
/// ```
/// use vertopic::corpus::{CorpusBuilder, DocumentInfo, Documents, Part};
/// use vertopic::run::Run;
/// let mut b = CorpusBuilder::new();
/// for n in 1..=4 {
///     let word = b.word("sea");
///     b.push(&mut [(word, n)], DocumentInfo::default())?;
/// }
/// let (corpus, run) = (b.finish()?, Run::silent()?);
/// let long = Part::new(&corpus, |document| document.tokens() > 1, &run);
/// assert_eq!(long.n_documents(), 3);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug)]
pub struct Part<'a, D, F> {
    documents: &'a D,
    has: F,
    n_documents: usize,
}

impl<'a, D: Documents, F: Fn(Document<'_>) -> bool + Sync> Part<'a, D, F> {
    /// One pass counts them.
    pub fn new(documents: &'a D, has: F, run: &Run<'_>) -> Self {
        let mut part = Self { documents, has, n_documents: 0 };
        part.n_documents = part.pass("choosing documents", run, || Count(0)).0;
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

impl<D: Documents, F: Fn(Document<'_>) -> bool + Sync> Documents for Part<'_, D, F> {
    fn vocabulary(&self) -> &Vocabulary {
        self.documents.vocabulary()
    }

    fn n_documents(&self) -> usize {
        self.n_documents
    }

    fn pass<A: Accumulator>(
        &self,
        stage: &'static str,
        run: &Run<'_>,
        make: impl Fn() -> A + Sync,
    ) -> A {
        self.documents.pass(stage, run, || Chosen { sum: make(), has: &self.has }).sum
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

    fn merge(&mut self, other: Self) {
        self.sum.merge(other.sum);
    }
}
