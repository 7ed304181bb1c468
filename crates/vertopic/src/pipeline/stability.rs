//! Whether topics are found again in parts of the documents.

use crate::context::Context;
use crate::corpus::{Documents, KeyedSample, Subset};
use crate::error::Error;
use crate::evaluate::half_sample_stability;
use crate::pipeline::{FitParams, GeometricFit, fit_geometry};
use crate::seed::Stage;

/// Documents that both halves have together, at most about.
const WITNESSES: f64 = 100_000.0;
/// The regression of a topic that is only compared may be off by so much.
const ROUGH: f64 = 1e-4;

/// How much of each topic is found again in two halves of the documents; `None` if a half is too small to find any.
///
/// A coin decides for each document, and hangs on its key: copies without ids of their own are in one half, where
/// they cannot bear witness to each other. Of a large collection only some documents are asked: about [`WITNESSES`].
pub(super) fn stability<D: Documents>(
    documents: &D,
    params: &FitParams,
    found: &GeometricFit,
    ctx: &Context<'_>,
) -> Result<Option<Vec<f64>>, Error> {
    let _progress = ctx.stage("finding topics again", 0);
    let mut quick = params.clone(); // whether a topic is there shows before it has settled
    if let Some(embed) = &mut quick.embed {
        embed.passes = (embed.passes * 2).div_ceil(3);
        embed.completions = embed.completions.div_ceil(2);
    }
    quick.estimate.tolerance = quick.estimate.tolerance.max(ROUGH);
    let asked = (WITNESSES / documents.n_documents().max(1) as f64).min(1.0);
    let half = |second, ctx: &Context<'_>| {
        let sample = KeyedSample::of_half(params.seed, Stage::Half, second, asked);
        match fit_geometry(&Subset::new(documents, sample, ctx)?, &quick, ctx) {
            Ok(found) => Ok(Some(found.estimate.topics)),
            Err(error) if error.is_failed_pass() => Err(error),
            Err(_) => Ok(None), // too small
        }
    };
    let (one, other) = ctx.join_halves(|ctx| half(false, ctx), |ctx| half(true, ctx));
    let (Some(one), Some(other)) = (one?, other?) else { return Ok(None) };
    Ok(half_sample_stability(&found.estimate.topics, [&one, &other], ctx))
}
