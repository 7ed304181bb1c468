//! The same method without the documents.

use super::{FitParams, assemble, in_documents};
use crate::context::Context;
use crate::detect::Method;
use crate::error::Error;
use crate::model::TopicModel;
use crate::moments::WordStats;
use crate::refine::RefineReport;
use crate::sketch::{Sketch, SketchParams};

impl FitParams {
    /// What a sketch must have for such a fit. An error if the fit needs the documents themselves.
    pub fn sketch(&self) -> Result<SketchParams, Error> {
        let needs = [
            (self.embed.is_some(), "the default method"),
            (self.detect.method == Method::Binning, "binning"),
            (self.refine.sweeps > 0, "refinement"),
            (self.stability, "the stability check"),
        ];
        if let Some(&(_, what)) = needs.iter().find(|(needed, _)| *needed) {
            return Err(Error::NeedsDocuments { what });
        }
        let projections = match self.detect.method {
            Method::Rp => self.detect.projections.unwrap_or(50 * self.n_topics.unwrap_or(2)),
            _ => 0,
        };
        let (pairs, sample, seed) = (self.pairs, self.detect.sample, self.seed);
        Ok(SketchParams { pairs, projections, sample, seed }.settled())
    }
}

/// Fits a topic model from a sketch: the same model, byte for byte, as [`fit`](super::fit) gives for its documents.
///
/// Only DDP and RP without a polish can do it; other fits are refused. A word that no document has is not in a
/// sketch, so the vocabulary of the documents is meant without such words.
///
/// ```
/// use vertopic::{FitParams, corpus::{CorpusBuilder, DocumentInfo}, detect::Method, fit, fit_sketch};
/// use vertopic::{context::Context, sketch::Sketch};
/// let mut b = CorpusBuilder::new();
/// for d in 0..60 {
///     let (own, other) = if d % 2 == 0 { ("sea", "hill") } else { ("hill", "sea") };
///     let mut pairs: Vec<(u32, u32)> =
///         (0..4).map(|i| (b.word(&format!("{own}{i}")), 3 + (d + i) % 4)).collect();
///     pairs.push((b.word(&format!("{other}{}", d % 4)), 1));
///     b.push(&mut pairs, DocumentInfo::default())?;
/// }
/// let (corpus, ctx, params) = (b.finish()?, Context::silent()?, FitParams::improved(2, Method::Ddp));
/// let sketch = Sketch::of(&corpus, &params.sketch()?, &ctx)?;
/// assert_eq!(fit_sketch(&sketch, &params, &ctx)?, fit(&corpus, &params, &ctx)?);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn fit_sketch(
    sketch: &Sketch,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<TopicModel, Error> {
    params.check()?;
    sketch.provide(&params.sketch()?)?;
    let stats = WordStats::of(sketch, params.seed, params.pairs, ctx)?;
    let found = in_documents(sketch, &stats, params, params.n_topics, ctx)?;
    let unrefined = found.unrefined(RefineReport::default(), ctx)?;
    let words = sketch.vocabulary();
    ctx.install(|| assemble(words, params, &stats, &found, &unrefined, &[], None))
}
