//! The same method without the documents.

use crate::context::Context;
use crate::detect::Method;
use crate::error::Error;
use crate::model::TopicModel;
use crate::moments::WordStats;
use crate::pipeline::{Assembly, FitParams, fit_in_spaces};
use crate::refine::RefineReport;
use crate::sketch::{Sketch, SketchParams};
use crate::space::CooccurrenceSpace;

impl FitParams {
    /// The parameters of a sketch that serves such a fit. An error if the fit needs the documents themselves.
    pub fn sketch(&self) -> Result<SketchParams, Error> {
        let needs = [
            (self.embed().is_some(), "the default method"),
            (self.detect().method == Method::Binning, "binning"),
            (self.refine().sweeps > 0, "refinement"),
            (self.stability(), "the stability check"),
        ];
        if let Some(&(_, what)) = needs.iter().find(|(needed, _)| *needed) {
            return Err(Error::NeedsDocuments { what });
        }
        let projections = match self.detect().method {
            Method::Rp => self.detect().projections.unwrap_or(50 * self.n_topics().unwrap_or(2)),
            _ => 0,
        };
        let (pairs, sample, seed) = (self.pairs(), self.detect().sample, self.seed());
        Ok(SketchParams { pairs, projections, sample, seed }.settled())
    }

    /// Fits a topic model from a sketch. The model is that of a fit to the sketched documents, byte for byte.
    ///
    /// DDP and RP without refinement can do it; other fits are an error. A sketch does not have words that occur in no
    /// document, so the vocabulary of the documents is meant without them.
    ///
    /// ```
    /// use vertopic::{Context, CorpusBuilder, DocumentInfo, FitParams, Method, Sketch};
    /// let mut b = CorpusBuilder::new();
    /// for d in 0..60 {
    ///     let (own, other) = if d % 2 == 0 { ("sea", "hill") } else { ("hill", "sea") };
    ///     let mut pairs: Vec<(u32, u32)> =
    ///         (0..4).map(|i| (b.word(&format!("{own}{i}")), 3 + (d + i) % 4)).collect();
    ///     pairs.push((b.word(&format!("{other}{}", d % 4)), 1));
    ///     b.push(&mut pairs, DocumentInfo::default())?;
    /// }
    /// let (corpus, ctx) = (b.finish()?, Context::silent()?);
    /// let params = FitParams::improved(2, Method::Ddp);
    /// let sketch = Sketch::of(&corpus, &params.sketch()?, &ctx)?;
    /// assert_eq!(params.fit_sketch(&sketch, &ctx)?, params.fit_with(&corpus, &ctx)?);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn fit_sketch(&self, sketch: &Sketch, ctx: &Context<'_>) -> Result<TopicModel, Error> {
        self.check()?;
        sketch.provide(&self.sketch()?)?;
        let stats = WordStats::of(sketch, self.token_pairs(), ctx)?;
        let space = CooccurrenceSpace::new(sketch, &stats);
        let geometry = fit_in_spaces(&space, &space, self, ctx)?;
        let refined = geometry.unrefined(RefineReport::default(), ctx)?;
        let assembly = Assembly::new(sketch.vocabulary(), &stats, &geometry, &refined);
        ctx.install(|| assembly.model(self))
    }
}
