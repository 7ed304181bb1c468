//! A pass: one accumulator over all documents.
//!
//! What is learnt from documents is a sum over documents, and the sums are exact (integers or fixed
//! point, [`crate::exact`]). So an accumulator gives the same value however the documents are cut up,
//! in which order they come, and on how many threads: `merge` is associative and commutative to the
//! last bit. Where documents live is known to the implementation of [`Documents`] alone.

use rayon::prelude::*;

use crate::corpus::{Corpus, Document, Vocabulary};
use crate::run::Run;

/// A sum over documents.
///
/// `add` in any order followed by `merge` in any order must give the same state, bit for bit.
///
/// ```
/// use vertopic::corpus::{Accumulator, Document};
/// /// Counts tokens.
/// struct Tokens(u64);
/// impl Accumulator for Tokens {
///     fn add(&mut self, document: Document<'_>) { self.0 += document.tokens(); }
///     fn merge(&mut self, other: Self) { self.0 += other.0; }
/// }
/// ```
pub trait Accumulator: Send {
    /// Takes in one document.
    fn add(&mut self, document: Document<'_>);
    /// Deals with what it has put off; called after the last document, before `merge`.
    fn finish(&mut self) {}
    /// Takes in what another accumulator has summed over other documents.
    fn merge(&mut self, other: Self);
}

/// A place where documents live: memory, a disk, a cluster.
pub trait Documents: Sync {
    /// The words of the documents.
    fn vocabulary(&self) -> &Vocabulary;

    /// Number of documents, those without words included.
    fn n_documents(&self) -> usize;

    /// Runs an accumulator over all documents. `make` gives an empty one; it may be called often.
    fn pass<A: Accumulator>(
        &self,
        stage: &'static str,
        run: &Run<'_>,
        make: impl Fn() -> A + Sync,
    ) -> A;
}

/// Documents that a thread takes at a time between two reports of progress.
const STEP: usize = 256;

impl Documents for Corpus {
    fn vocabulary(&self) -> &Vocabulary {
        Corpus::vocabulary(self)
    }

    fn n_documents(&self) -> usize {
        Corpus::n_documents(self)
    }

    /// One accumulator per thread, each over a contiguous share of the documents with about the same
    /// number of pairs.
    fn pass<A: Accumulator>(
        &self,
        stage: &'static str,
        run: &Run<'_>,
        make: impl Fn() -> A + Sync,
    ) -> A {
        let progress = run.stage(stage, self.n_documents() as u64);
        let bounds = self.shares(run.threads());
        let work = |share: &[usize]| {
            let mut sum = make();
            let mut d = share[0];
            while d < share[1] {
                let end = (d + STEP).min(share[1]);
                (d..end).for_each(|d| sum.add(self.document(d)));
                progress.advance((end - d) as u64);
                d = end;
            }
            sum.finish();
            sum
        };
        run.install(|| bounds.par_windows(2).map(work).collect::<Vec<A>>())
            .into_iter()
            .reduce(|mut a, b| {
                a.merge(b);
                a
            })
            .unwrap_or_else(make)
    }
}

impl Corpus {
    /// Cuts the documents into `shares` spans of about equally many pairs.
    fn shares(&self, shares: usize) -> Vec<usize> {
        let pairs = self.n_pairs();
        let mut bounds: Vec<usize> = (0..=shares)
            .map(|t| self.offsets.partition_point(|&o| o < pairs * t / shares))
            .map(|d| d.min(self.n_documents()))
            .collect();
        bounds[0] = 0;
        bounds[shares] = self.n_documents();
        bounds
    }
}
