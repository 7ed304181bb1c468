//! A pass: one accumulator over all documents.
//!
//! What is learnt from documents is a sum over documents, and the sums are exact (integers or fixed
//! point, [`crate::exact`]). So an accumulator gives the same value however the documents are cut up,
//! in which order they come, and on how many threads: `merge` is associative and commutative to the
//! last bit. Where documents live is known to the implementation of [`Documents`] alone.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{Corpus, Document, Vocabulary};

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
        ctx: &Context<'_>,
        make: impl Fn() -> A + Sync,
    ) -> A;
}

/// Shares of the documents for each thread: one that is held up leaves the rest to the others.
const SHARES: usize = 16;

impl Documents for Corpus {
    fn vocabulary(&self) -> &Vocabulary {
        Corpus::vocabulary(self)
    }

    fn n_documents(&self) -> usize {
        Corpus::n_documents(self)
    }

    /// One accumulator per thread. A thread takes a share of the documents after the other, all with about as many pairs:
    /// which ones does not matter to the sum.
    fn pass<A: Accumulator>(
        &self,
        stage: &'static str,
        ctx: &Context<'_>,
        make: impl Fn() -> A + Sync,
    ) -> A {
        let progress = ctx.stage(stage, self.n_documents() as u64);
        let bounds = self.shares(ctx.threads() * SHARES);
        let next = AtomicUsize::new(0);
        let work = |_| {
            let mut sum = make();
            while let Some(share) = bounds.windows(2).nth(next.fetch_add(1, Ordering::Relaxed)) {
                (share[0]..share[1]).for_each(|d| sum.add(self.document(d)));
                progress.advance((share[1] - share[0]) as u64);
            }
            sum.finish();
            sum
        };
        let sums = || (0..ctx.threads()).into_par_iter().map(work).collect::<Vec<A>>();
        ctx.install(|| merged(sums())).unwrap_or_else(make)
    }
}

/// The sum of what accumulators have; `None` without any. To be called from the threads of the run: a merge may use all of
/// them.
///
/// ```
/// use vertopic::corpus::{Accumulator, Document, merged};
/// struct Tokens(u64);
/// impl Accumulator for Tokens {
///     fn add(&mut self, document: Document<'_>) { self.0 += document.tokens(); }
///     fn merge(&mut self, other: Self) { self.0 += other.0; }
/// }
/// assert_eq!(merged(vec![Tokens(2), Tokens(3)]).map(|sum| sum.0), Some(5));
/// ```
pub fn merged<A: Accumulator>(sums: Vec<A>) -> Option<A> {
    sums.into_iter().reduce(|mut sum, other| {
        sum.merge(other);
        sum
    })
}

impl Corpus {
    /// Cuts the documents into `shares` spans of about equally many pairs.
    fn shares(&self, shares: usize) -> Vec<usize> {
        let pairs = self.nnz();
        let mut bounds: Vec<usize> = (0..=shares)
            .map(|t| self.offsets.partition_point(|&o| o < pairs * t / shares))
            .map(|d| d.min(self.n_documents()))
            .collect();
        bounds[0] = 0;
        bounds[shares] = self.n_documents();
        bounds
    }
}
