//! Passes by their names.

use crate::context::Context;
use crate::corpus::{
    Accumulator as _, CountDocuments, CountTokens, DocumentFilter, Documents, Pass, PassReader,
    Sums,
};
use crate::detect::binning::{DrawLots, ProjectBins};
use crate::embed::effective_rank::TestDirections;
use crate::embed::noise::MeasureNoise;
use crate::error::Error;
use crate::evaluate::completion::Complete;
use crate::evaluate::word_cooccurrence::CountTogether;
use crate::moments::{CountPairs, CountWords, MultiplyRows, ProjectWords, SumMargins};
use crate::refine::background::Validate;
use crate::refine::sweep::Sweep;

/// Runs a pass over some documents. Gives its sums.
///
/// `pass` is what an [`Engine`](super::Engine) was asked to run. An error if the bytes are not a pass over documents with these
/// words, or if the documents cannot be read. The same documents give the same bytes, whatever the machine, the threads and the
/// order.
pub fn run_pass<D: Documents>(
    pass: &[u8],
    documents: &D,
    ctx: &Context<'_>,
) -> Result<Vec<u8>, Error> {
    let (from, filter) = PassReader::new(pass, documents.vocabulary())?;
    macro_rules! by_name {
        ($($pass:ty),* $(,)?) => {
            match from.name() {
                $(<$pass as Pass>::NAME => run::<$pass, D>(from, &filter, documents, ctx),)*
                name => Err(Error::BadPass(format!("no pass is called {name:?}"))),
            }
        };
    }
    by_name!(
        CountDocuments,
        CountTokens,
        CountWords,
        CountPairs,
        ProjectWords,
        SumMargins,
        MultiplyRows,
        MeasureNoise,
        TestDirections,
        DrawLots,
        ProjectBins,
        Complete,
        CountTogether,
        Sweep<'_>,
        Validate,
    )
}

/// Runs a pass that is not one of this library's, as [`run_pass`] runs those.
pub fn run_own_pass<P: Pass, D: Documents>(
    pass: &[u8],
    documents: &D,
    ctx: &Context<'_>,
) -> Result<Vec<u8>, Error> {
    let (from, filter) = PassReader::new(pass, documents.vocabulary())?;
    if from.name() != P::NAME {
        return Err(from.wrong(&format!("it is called {:?}, and not {:?}", from.name(), P::NAME)));
    }
    run::<P, D>(from, &filter, documents, ctx)
}

fn run<P: Pass, D: Documents>(
    mut from: PassReader<'_>,
    filter: &DocumentFilter,
    documents: &D,
    ctx: &Context<'_>,
) -> Result<Vec<u8>, Error> {
    let pass = P::read(&mut from, documents.vocabulary())?;
    let mut sums = Sums::new(P::NAME, from.end()?);
    let mut accumulator = documents.filtered_pass(filter, &pass, ctx)?;
    accumulator.settle(ctx);
    accumulator.exchange(sums.fields())?;
    Ok(sums.to_bytes())
}

/// Adds the sums of one pass over different documents.
///
/// An error if the bytes are not sums, or sums of different passes.
pub fn merge_sums(one: &[u8], other: &[u8]) -> Result<Vec<u8>, Error> {
    let mut sums = Sums::from_bytes(one)?;
    sums.merge(Sums::from_bytes(other)?)?;
    Ok(sums.to_bytes())
}
