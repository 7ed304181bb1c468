//! Whether topics are found again in parts of the documents.

use crate::context::Context;
use crate::corpus::{Document, Documents, Subset};
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
) -> Option<Vec<f64>> {
    let _progress = ctx.stage("finding topics again", 0);
    let mut quick = params.clone(); // whether a topic is there shows before it has settled
    if let Some(embed) = &mut quick.embed {
        embed.passes = (embed.passes * 2).div_ceil(3);
        embed.completions = embed.completions.div_ceil(2);
    }
    quick.estimate.tolerance = quick.estimate.tolerance.max(ROUGH);
    let asked = (WITNESSES / documents.n_documents().max(1) as f64).min(1.0);
    let share = (asked * libm::ldexp(1.0, 63)) as u64; // below it the lower bits of a die
    let half = |which: u64, ctx: &Context<'_>| {
        let die = |d: Document<'_>| params.seed.stream(Stage::Half, d.key.0).next_u64();
        let drawn = |die: u64| die >> 63 == which && (die << 1 >> 1) < share;
        let half = Subset::new(documents, |document| drawn(die(document)), ctx);
        Some(fit_geometry(&half, &quick, ctx).ok()?.estimate.topics)
    };
    let (one, other) = ctx.join_halves(|ctx| half(0, ctx), |ctx| half(1, ctx));
    half_sample_stability(&found.estimate.topics, [&one?, &other?], ctx)
}
