//! The whole method on one page. Each line calls a public stage, so each can be replaced by one of your own
//! (`examples/replace_a_stage.rs`).

mod assemble;
mod params;
mod shown;
mod sketched;
mod stability;

pub use assemble::Assembly;
pub use params::{CANDIDATE_NOISE, CANDIDATES_PER_TOPIC, FitParams};
pub use shown::coherent_words;
pub use stability::stability;

use crate::cluster::{self, Groups};
use crate::context::Context;
use crate::corpus::{Documents, Subset};
use crate::detect::{self, TopicRequest};
use crate::embed::Embedding;
use crate::error::Error;
use crate::estimate::{self, Estimate};
use crate::model::TopicModel;
use crate::moments::WordStats;
use crate::refine::{self, RefineReport, Refined, Start, ValidationSet};
use crate::space::{CooccurrenceSpace, EmbeddingSpace, WordSpace};

/// Extra dimensions of the embedding when some topics are pinned. With 5 topics of weblog posts a pin of `marriage` and
/// `gay` made a topic of `republican`, `party` and `elections` without them.
const EXTRA_DIMENSIONS: usize = 20;
/// Words for each extra dimension, at least: with fewer it shows only noise.
const WORDS_PER_DIMENSION: usize = 10;

impl FitParams {
    /// Fits a topic model to `documents`, on all cores and without a word about progress.
    ///
    /// ```
    /// use vertopic::{CorpusBuilder, DocumentInfo, FitParams};
    /// let mut b = CorpusBuilder::new();
    /// for d in 0..200 {
    ///     // Two topics, four words each; every document is mostly about one of them.
    ///     let (own, other) = if d % 2 == 0 { ("sea", "hill") } else { ("hill", "sea") };
    ///     let mut pairs: Vec<(u32, u32)> =
    ///         (0..4).map(|i| (b.word(&format!("{own}{i}")), 3 + (d + i) % 4)).collect();
    ///     pairs.push((b.word(&format!("{other}{}", d % 4)), 1));
    ///     b.push(&mut pairs, DocumentInfo::default())?;
    /// }
    /// let model = FitParams::new(2).fit(&b.finish()?)?;
    /// let top = model.topics().top_words(0, 4);
    /// let names: Vec<&str> = top.iter().map(|&(w, _)| &model.vocabulary().word(w)[..3]).collect();
    /// assert!(names.iter().all(|n| *n == names[0]), "a topic is of one kind: {names:?}");
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn fit<D: Documents>(&self, documents: &D) -> Result<TopicModel, Error> {
        self.fit_with(documents, &Context::silent()?)
    }

    /// Fits a topic model to `documents` with the threads, the memory and the observer of `ctx`.
    pub fn fit_with<D: Documents>(
        &self,
        documents: &D,
        ctx: &Context<'_>,
    ) -> Result<TopicModel, Error> {
        self.check()?;
        // Inside the pool as a whole: else each stage would wake the threads and then the caller.
        ctx.install(|| fit(documents, self, ctx))
    }
}

fn fit<D: Documents>(
    documents: &D,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<TopicModel, Error> {
    let stats = WordStats::of(documents, params.token_pairs(), ctx)?;
    let (geometry, refined) = fit_refined(documents, params, ctx)?;
    let stability =
        if params.stability() { stability(documents, params, &geometry, ctx)? } else { None };
    let display_words = coherent_words(documents, &stats, &geometry, &refined, ctx)?;
    Assembly::new(documents.vocabulary(), &stats, &geometry, &refined)
        .with_stability(stability)
        .with_display_words(display_words)
        .model(params)
}

/// Topics by geometry, and what refinement makes of them.
pub fn fit_refined<D: Documents>(
    documents: &D,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<(GeometricFit, Refined), Error> {
    if params.refine().sweeps == 0 {
        let geometry = fit_geometry(documents, params, ctx)?;
        let refined = geometry.unrefined(RefineReport::default(), ctx)?;
        return Ok((geometry, refined));
    }
    // Validation documents take no part in the topics that refinement starts from.
    let validation = ValidationSet::new(params.seed(), documents.n_documents());
    let train = Subset::without(documents, validation, ctx)?;
    let start = fit_geometry(&train, params, ctx)?;
    let refined = refine::refine(documents, start.start(), validation, params.refine(), ctx)?;
    if refined.report.kept > 0 {
        return Ok((start, refined));
    }
    let geometry = fit_geometry(documents, params, ctx)?;
    let refined = geometry.unrefined(refined.report, ctx)?;
    Ok((geometry, refined))
}

/// Topics by geometry alone, in the space that `params` asks for.
pub fn fit_geometry<D: Documents>(
    documents: &D,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<GeometricFit, Error> {
    let stats = WordStats::of(documents, params.token_pairs(), ctx)?;
    let (Some(embed), Some(k)) = (params.embed(), params.n_topics()) else {
        let space = CooccurrenceSpace::new(documents, &stats);
        return fit_in_spaces(&space, &space, params, ctx);
    };
    let embedding = Embedding::of(documents, &stats, embed, k, ctx)?;
    let space = EmbeddingSpace::new(documents, &stats, &embedding);
    if params.guidance().pins.is_empty() {
        return fit_in_spaces(&space, &space, params, ctx);
    }
    // A pin may be about something that is not among the K largest subjects.
    let rank = k + EXTRA_DIMENSIONS.min(stats.n_words() / WORDS_PER_DIMENSION);
    let wide = Embedding::of(documents, &stats, embed, rank, ctx)?;
    fit_in_spaces(&space, &EmbeddingSpace::new(documents, &stats, &wide), params, ctx)
}

/// Topics by geometry: novel words are found in `space`; they are grouped, and all words regressed on the groups, in
/// `wide`, which is the same space unless some topics are pinned.
pub fn fit_in_spaces<S: WordSpace>(
    space: &S,
    wide: &S,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<GeometricFit, Error> {
    let guidance = params.guidance().resolve(space.vocabulary())?;
    let request = TopicRequest::new(params.n_topics()).with_guidance(guidance);
    let found = detect::novel_words(space, params.detect(), &request, ctx)?;
    let novel = cluster::away_from_pins(wide, &found, &request, ctx)?;
    let groups = cluster::groups(wide, &novel, params.cluster(), &request, ctx)?;
    let estimate = estimate::topics(wide, &groups, params.estimate(), ctx)?;
    let left_out = found.words.len() - novel.words.len();
    Ok(GeometricFit { n_candidates: Some(found.n_candidates), left_out, groups, estimate })
}

/// Topics by geometry alone.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GeometricFit {
    /// Number of words that could have been novel, if detection said so.
    pub n_candidates: Option<usize>,
    /// Number of novel words that were left out because they are near a pin.
    pub left_out: usize,
    /// The novel words of each topic.
    pub groups: Groups,
    /// The topics.
    pub estimate: Estimate,
}

impl GeometricFit {
    /// The topics of `groups` as estimated.
    pub fn new(groups: Groups, estimate: Estimate) -> Self {
        Self { n_candidates: None, left_out: 0, groups, estimate }
    }

    /// The topics that refinement starts from.
    pub fn start(&self) -> Start<'_> {
        Start { topics: &self.estimate.topics, weights: &self.estimate.weights }
    }

    /// The topics as they are, smoothed with the background weight of `report`.
    pub fn unrefined(&self, report: RefineReport, ctx: &Context<'_>) -> Result<Refined, Error> {
        let Estimate { topics, weights, .. } = &self.estimate;
        let topics =
            refine::smooth_with_background(topics, weights, report.background_weight, ctx)?;
        Ok(Refined { topics, weights: weights.clone(), report })
    }
}
