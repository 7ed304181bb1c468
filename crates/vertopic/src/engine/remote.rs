//! Documents behind an engine.

use crate::context::Context;
use crate::corpus::{
    Accumulator as _, CountDocuments, DocumentFilter, Documents, Pass, PassWriter, Sums, Vocabulary,
};
use crate::error::Error;

/// Runs passes over documents that are elsewhere.
pub trait Engine: Sync {
    /// Runs a pass over all documents: [`run_pass`](super::run_pass) over each part of them, and
    /// [`merge_sums`](super::merge_sums) for the results. Failures of the engine's own are [`Error::Documents`].
    fn run(&self, pass: &[u8]) -> Result<Vec<u8>, Error>;
}

impl<E: Engine + ?Sized> Engine for &E {
    fn run(&self, pass: &[u8]) -> Result<Vec<u8>, Error> {
        (**self).run(pass)
    }
}

/// Documents that an engine knows, for [`FitParams::fit`](crate::FitParams::fit) and everything else that takes [`Documents`].
#[derive(Debug)]
pub struct Remote<E> {
    engine: E,
    vocabulary: Vocabulary,
    n_documents: usize,
}

impl<E: Engine> Remote<E> {
    /// Documents with the words of `vocabulary`. One pass counts them.
    pub fn new(engine: E, vocabulary: Vocabulary, ctx: &Context<'_>) -> Result<Self, Error> {
        let mut remote = Self { engine, vocabulary, n_documents: 0 };
        let documents = remote.pass(&CountDocuments, ctx)?.0;
        remote.n_documents = documents as usize;
        Ok(remote)
    }

    /// The engine.
    pub fn into_engine(self) -> E {
        self.engine
    }
}

impl<E: Engine> Documents for Remote<E> {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
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
        let progress = ctx.stage(P::STAGE, self.n_documents as u64);
        let (bytes, identity) = PassWriter::pass(pass, filter, &self.vocabulary);
        let mut sums = Sums::from_bytes(&self.engine.run(&bytes)?)?;
        sums.check(P::NAME, identity)?;
        let mut accumulator = pass.accumulator(&self.vocabulary, ctx);
        accumulator.exchange(sums.fields())?;
        sums.end()?;
        progress.advance(self.n_documents as u64);
        Ok(accumulator)
    }
}
