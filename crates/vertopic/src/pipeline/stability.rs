//! The stability of topics: how much of each is found again in two halves of the documents.

use crate::context::Context;
use crate::corpus::{Documents, KeyedSample, Subset};
use crate::error::Error;
use crate::evaluate::half_sample_stability;
use crate::pipeline::{FitParams, GeometricFit, fit_geometry};
use crate::seed::Stage;

/// Documents of both halves together, at most about.
const SAMPLED: f64 = 100_000.0;
/// Tolerance of a regression whose topics are only compared.
const ROUGH: f64 = 1e-4;

/// The stability of each topic of `geometry`; `None` if a half of the documents is too small for topics.
///
/// A random draw by the document's key decides its half, so copies without ids of their own are in one half and cannot
/// confirm each other. Of a large collection only a sample is used.
pub fn stability<D: Documents>(
    documents: &D,
    params: &FitParams,
    geometry: &GeometricFit,
    ctx: &Context<'_>,
) -> Result<Option<Vec<f64>>, Error> {
    let _progress = ctx.stage("measuring stability", 0);
    let quick = quick(params);
    let share = (SAMPLED / documents.n_documents().max(1) as f64).min(1.0);
    let half = |second, ctx: &Context<'_>| {
        let sample = KeyedSample::of_half(params.seed(), Stage::Half, second, share);
        match fit_geometry(&Subset::new(documents, sample, ctx)?, &quick, ctx) {
            Ok(found) => Ok(Some(found.estimate.topics)),
            Err(error) if error.is_failed_pass() => Err(error),
            Err(_) => Ok(None), // too small
        }
    };
    let (one, other) = ctx.join_halves(|ctx| half(false, ctx), |ctx| half(true, ctx));
    let (Some(one), Some(other)) = (one?, other?) else { return Ok(None) };
    Ok(half_sample_stability(&geometry.estimate.topics, [&one, &other], ctx))
}

/// The same parameters with less effort: whether a topic is there shows before it has converged.
fn quick(params: &FitParams) -> FitParams {
    let mut embed = params.embed().cloned();
    if let Some(embed) = &mut embed {
        embed.passes = (embed.passes * 2).div_ceil(3);
        embed.completions = embed.completions.div_ceil(2);
    }
    let mut estimate = params.estimate().clone();
    estimate.tolerance = estimate.tolerance.max(ROUGH);
    params.clone().with_embed(embed).with_estimate(estimate)
}
