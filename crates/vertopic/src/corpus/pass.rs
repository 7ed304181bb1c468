//! A pass: what is summed over documents, as a value.
//!
//! A [`Pass`] has a name, parameters and tables, and can be written to bytes. Its [`Accumulator`] sums documents. The sums
//! are exact (integers or fixed point, [`crate::exact`]), so `merge` is associative and commutative to the last bit: threads,
//! shards and the order of documents cannot reach a result. The sums can be written to bytes, too, and these depend on the
//! documents alone.
//!
//! [`Documents`] runs passes. Only its implementations know where documents live; a pass over a disk or a cluster may fail.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::wire::{PassReader, PassWriter, SumFields};
use crate::corpus::{Corpus, Document, DocumentFilter, Vocabulary};
use crate::error::Error;

/// A sum over documents.
///
/// `add` in any order followed by `merge` in any order must give the same state, bit for bit.
///
/// ```
/// use vertopic::Error;
/// use vertopic::corpus::{Accumulator, Document, SumFields};
/// /// Counts tokens.
/// struct Tokens(u64);
/// impl Accumulator for Tokens {
///     fn add(&mut self, document: Document<'_>) { self.0 += document.tokens(); }
///     fn merge(&mut self, other: Self) { self.0 += other.0; }
///     fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> { fields.count(&mut self.0) }
/// }
/// ```
pub trait Accumulator: Send {
    /// Adds one document.
    fn add(&mut self, document: Document<'_>);

    /// Ends the work of this thread; called after its last document and before `merge`.
    fn finish(&mut self) {}

    /// Adds what another accumulator has summed over other documents.
    fn merge(&mut self, other: Self);

    /// Adds documents that wait in blocks to the sums; called once, before the sums are written.
    fn settle(&mut self, _ctx: &Context<'_>) {}

    /// Names the sums one after the other, always in the same order. They are written to `fields`, or read from them into an
    /// accumulator that has seen no document.
    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error>;
}

/// What is summed over documents: a value that can be written to bytes and run elsewhere.
///
/// Parameters must not depend on the machine, and neither must the sums: tables are written without the padding that
/// registers need.
pub trait Pass: Sync + Sized {
    /// The name that the pass has in bytes. No two passes share one.
    const NAME: &'static str;

    /// What progress reports call it.
    const STAGE: &'static str;

    /// Sums documents for this pass.
    type Accumulator<'a>: Accumulator
    where
        Self: 'a;

    /// An accumulator that has seen no document. `vocabulary` has the words of the documents.
    fn accumulator<'a>(
        &'a self,
        vocabulary: &'a Vocabulary,
        ctx: &Context<'_>,
    ) -> Self::Accumulator<'a>;

    /// Writes parameters and tables.
    fn write(&self, out: &mut PassWriter);

    /// Reads what `write` wrote, and refuses what does not fit `vocabulary`.
    fn read(from: &mut PassReader<'_>, vocabulary: &Vocabulary) -> Result<Self, Error>;
}

/// A place where documents live: memory, a disk, a cluster.
pub trait Documents: Sync {
    /// The words of the documents.
    fn vocabulary(&self) -> &Vocabulary;

    /// Number of documents, those without words included.
    fn n_documents(&self) -> usize;

    /// Runs a pass over the documents that `filter` keeps.
    fn filtered_pass<'a, P: Pass>(
        &'a self,
        filter: &DocumentFilter,
        pass: &'a P,
        ctx: &Context<'_>,
    ) -> Result<P::Accumulator<'a>, Error>;

    /// Runs a pass over all documents.
    fn pass<'a, P: Pass>(
        &'a self,
        pass: &'a P,
        ctx: &Context<'_>,
    ) -> Result<P::Accumulator<'a>, Error> {
        self.filtered_pass(&DocumentFilter::All, pass, ctx)
    }
}

/// Shares of the documents for each thread: a thread that is held up leaves the rest to the others.
const SHARES: usize = 16;

impl Documents for Corpus {
    fn vocabulary(&self) -> &Vocabulary {
        Corpus::vocabulary(self)
    }

    fn n_documents(&self) -> usize {
        Corpus::n_documents(self)
    }

    fn filtered_pass<'a, P: Pass>(
        &'a self,
        filter: &DocumentFilter,
        pass: &'a P,
        ctx: &Context<'_>,
    ) -> Result<P::Accumulator<'a>, Error> {
        let progress = ctx.stage(P::STAGE, self.n_documents() as u64);
        let bounds = self.shares(ctx.threads() * SHARES);
        let add = |share: usize, (): &mut (), sum: &mut P::Accumulator<'a>| {
            let documents = bounds[share]..bounds[share + 1];
            let n = documents.len() as u64;
            let kept = documents.map(|d| self.document(d)).filter(|&d| filter.has(d));
            kept.for_each(|document| sum.add(document));
            progress.advance(n);
            Ok(())
        };
        fold_shares(pass, &self.vocabulary, bounds.len() - 1, add, ctx)
    }
}

/// Runs a pass over documents that are cut into `shares` parts. Each thread has an accumulator and takes one share after
/// the other, so a thread that is held up leaves the rest to the others. `add` adds the documents of a share; it
/// may keep what it needs for the next in its scratch. After a failure no further share is begun.
pub fn fold_shares<'a, P: Pass, S: Default>(
    pass: &'a P,
    vocabulary: &'a Vocabulary,
    shares: usize,
    add: impl Fn(usize, &mut S, &mut P::Accumulator<'a>) -> Result<(), Error> + Sync,
    ctx: &Context<'_>,
) -> Result<P::Accumulator<'a>, Error> {
    let next = AtomicUsize::new(0);
    let work = |_| {
        let (mut sum, mut scratch) = (pass.accumulator(vocabulary, ctx), S::default());
        loop {
            let share = next.fetch_add(1, Ordering::Relaxed);
            if share >= shares {
                break;
            }
            if let Err(e) = add(share, &mut scratch, &mut sum) {
                next.store(shares, Ordering::Relaxed);
                return Err(e);
            }
        }
        sum.finish();
        Ok(sum)
    };
    let sums = || (0..ctx.threads()).into_par_iter().map(work).collect::<Result<Vec<_>, Error>>();
    let sum = ctx.install(|| sums().map(merged))?;
    Ok(sum.unwrap_or_else(|| pass.accumulator(vocabulary, ctx)))
}

/// The sum of what `sums` have; `None` if there are none. To be called on the threads of the context: a merge may use all
/// of them.
///
/// ```
/// use vertopic::Error;
/// use vertopic::corpus::{Accumulator, Document, SumFields, merged};
/// struct Tokens(u64);
/// impl Accumulator for Tokens {
///     fn add(&mut self, document: Document<'_>) { self.0 += document.tokens(); }
///     fn merge(&mut self, other: Self) { self.0 += other.0; }
///     fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> { fields.count(&mut self.0) }
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
    /// Cuts the documents into `shares` spans of about equally many entries.
    fn shares(&self, shares: usize) -> Vec<usize> {
        let entries = self.nnz();
        let mut bounds: Vec<usize> = (0..=shares)
            .map(|t| self.offsets.partition_point(|&o| o < entries * t / shares))
            .map(|d| d.min(self.n_documents()))
            .collect();
        bounds[0] = 0;
        bounds[shares] = self.n_documents();
        bounds
    }
}
