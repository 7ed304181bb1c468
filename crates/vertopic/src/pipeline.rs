//! The whole method on one page: each line a public stage that can be replaced.

mod assemble;
mod sketched;
mod stability;
mod words;

pub use sketched::fit_sketch;

pub(crate) use assemble::assemble;
use assemble::summary;
use serde::{Deserialize, Serialize};
use stability::stability;
use words::geometric_words;

use crate::cluster::{self, Affinity, ClusterParams, Groups, Representative};
use crate::context::Context;
use crate::corpus::{Documents, Subset, Vocabulary};
use crate::detect::{self, CandidateFilter, DetectParams, Guidance, Method};
use crate::embed::{EmbedParams, Embedding};
use crate::error::Error;
use crate::estimate::{self, Estimate, EstimateParams};
use crate::model::TopicModel;
use crate::moments::{PairScheme, SufficientStats, TokenSample, WordStats};
use crate::refine::{self, RefineParams, RefineReport, Refined, ValidationSet};
use crate::seed::Seed;

/// Everything that decides an answer, besides the documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitParams {
    /// Number of topics, the paper's K. `None` only with [`cluster::Grouping::Threshold`].
    pub n_topics: Option<usize>,
    /// The seed.
    pub seed: Seed,
    /// Which pairs of tokens the statistics of pairs of words count.
    pub pairs: PairScheme,
    /// How words are embedded; `None` works with the documents themselves, as the paper does.
    pub embed: Option<EmbedParams>,
    /// How novel words are found.
    pub detect: DetectParams,
    /// How they are grouped.
    pub cluster: ClusterParams,
    /// How topics are estimated from the groups.
    pub estimate: EstimateParams,
    /// How topics are polished.
    pub refine: RefineParams,
    /// Words that are or are not novel by the user's word. Pins are for the embedding.
    #[serde(default)]
    pub guidance: Guidance,
    /// Whether topics are looked for again in two halves of the documents ([`Diagnostics::stability`](crate::model::Certificate::stability)).
    #[serde(default)]
    pub stability: bool,
}

/// Words per topic that may be novel, by default: the most frequent ones.
pub const CANDIDATES_PER_TOPIC: usize = 20;

/// Squared error of a point, as a share of its squared distance from the centre, at which a word may still be
/// novel by default: a standard error of half the distance.
pub const CANDIDATE_NOISE: f64 = 0.25;

impl FitParams {
    /// The algorithms of the paper exactly as published.
    pub fn paper(n_topics: usize, method: Method) -> Self {
        Self {
            n_topics: Some(n_topics),
            seed: Seed::default(),
            pairs: PairScheme::Split,
            embed: None,
            detect: DetectParams::paper(method),
            cluster: ClusterParams::paper(),
            estimate: EstimateParams::paper(),
            refine: RefineParams::NONE,
            guidance: Guidance::default(),
            stability: false,
        }
    }

    /// The best pipeline known: words in the embedding, a polish, and a look at halves of the documents.
    pub fn new(n_topics: usize) -> Self {
        Self::improved(n_topics, Method::Embedded)
    }

    /// An algorithm with the settings that work best: weights that do not underflow, pooled
    /// representatives, no split (all tokens and all pairs of them are used), and a candidate filter. In the
    /// embedding the floor is by noise, topics are polished, and looked for again in halves of the documents; elsewhere
    /// the floor is by frequency, and that is all.
    pub fn improved(n_topics: usize, method: Method) -> Self {
        let paper = Self::paper(n_topics, method);
        let embedded = method.is_embedded();
        Self {
            pairs: PairScheme::All,
            embed: embedded.then(EmbedParams::default),
            detect: DetectParams {
                filter: CandidateFilter {
                    most: (!embedded).then(|| n_topics.saturating_mul(CANDIDATES_PER_TOPIC)),
                    noise: embedded.then_some(CANDIDATE_NOISE),
                    ..CandidateFilter::NONE
                },
                sample: TokenSample::Whole,
                ..paper.detect
            },
            cluster: ClusterParams {
                affinity: Affinity::ExpMedian,
                representative: Representative::Pooled,
                ..paper.cluster
            },
            estimate: EstimateParams { sample: TokenSample::Whole, ..paper.estimate },
            refine: if embedded { RefineParams::default() } else { RefineParams::NONE },
            stability: embedded,
            ..paper
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(k) = self.n_topics.filter(|&k| k < 2) {
            let (name, rule) = ("the number of topics (-k)", "at least 2");
            return Err(Error::Parameter { name, rule, value: k.to_string() });
        }
        let known = match self.detect.method {
            Method::Rp => self.detect.projections.is_some(),
            Method::Ddp => self.detect.novel_words.is_some() || self.detect.gamma.is_some(),
            _ => false,
        };
        if self.n_topics.is_none() && !known {
            let name = "the number of topics";
            let rule = "given, unless rp has its projections or ddp its novel words or thresholds";
            return Err(Error::Parameter { name, rule, value: "none".into() });
        }
        if self.embed.is_some() != self.detect.method.is_embedded() {
            let (name, rule) = ("method", "embedded if words are embedded, and only then");
            return Err(Error::Parameter {
                name,
                rule,
                value: format!("{:?}", self.detect.method),
            });
        }
        let half =
            self.detect.sample == TokenSample::Half || self.estimate.sample == TokenSample::Half;
        if half && self.pairs == PairScheme::All {
            let (name, rule) = ("sample", "whole, unless documents are split (--pairs split)");
            return Err(Error::Parameter { name, rule, value: "half".into() });
        }
        let pins = self.guidance.pins.len();
        if pins > 0 && self.embed.is_none() {
            let (name, rule) = ("pins (--pin)", "with the default method (--method embedded)");
            let value = format!("{:?}", self.detect.method);
            return Err(Error::Parameter { name, rule, value });
        }
        if let Some(k) = self.n_topics.filter(|&k| pins > k) {
            return Err(detect::too_many_pins(pins, k));
        }
        self.guidance.check()?;
        self.detect.check()?;
        self.cluster.check()?;
        self.estimate.check()?;
        self.refine.check()
    }
}

/// Fits a topic model.
///
/// ```
/// use vertopic::{FitParams, corpus::{CorpusBuilder, DocumentInfo}, detect::Method, fit, context::Context};
/// let mut b = CorpusBuilder::new();
/// for d in 0..200 {
///     // Two topics, four words each; every document is mostly about one of them.
///     let (own, other) = if d % 2 == 0 { ("sea", "hill") } else { ("hill", "sea") };
///     let mut pairs: Vec<(u32, u32)> =
///         (0..4).map(|i| (b.word(&format!("{own}{i}")), 3 + (d + i) % 4)).collect();
///     pairs.push((b.word(&format!("{other}{}", d % 4)), 1));
///     b.push(&mut pairs, DocumentInfo::default())?;
/// }
/// let model = fit(&b.finish()?, &FitParams::paper(2, Method::Rp), &Context::silent()?)?;
/// let top = model.topics().top_words(0, 4);
/// let names: Vec<&str> = top.iter().map(|&(w, _)| &model.vocabulary().word(w)[..3]).collect();
/// assert!(names.iter().all(|n| *n == names[0]), "a topic is of one kind: {names:?}");
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn fit<D: Documents>(
    documents: &D,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<TopicModel, Error> {
    params.check()?;
    // All of it on the threads of the run: else each stage would wake them, and wake this one when it is done.
    ctx.install(|| stages(documents, params, ctx))
}

fn stages<D: Documents>(
    documents: &D,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<TopicModel, Error> {
    let stats = WordStats::of(documents, params.seed, params.pairs, ctx)?;
    let (found, refined) = if params.refine.sweeps == 0 {
        let found = fit_geometry(documents, params, ctx)?;
        let unrefined = found.unrefined(RefineReport::default(), ctx)?;
        (found, unrefined)
    } else {
        // Those who judge the polish have no part in what it starts from.
        let validation = ValidationSet::new(params.seed, documents.n_documents());
        let train = Subset::without(documents, validation, ctx)?;
        let start = fit_geometry(&train, params, ctx)?;
        let Estimate { topics, weights, .. } = &start.estimate;
        let refined = refine::refine(documents, topics, weights, validation, &params.refine, ctx)?;
        if refined.report.kept > 0 {
            (start, refined)
        } else {
            let found = fit_geometry(documents, params, ctx)?;
            let unrefined = found.unrefined(refined.report, ctx)?;
            (found, unrefined)
        }
    };
    let stability =
        if params.stability { stability(documents, params, &found, ctx)? } else { None };
    let shown = found.shown(documents, &stats, &refined, ctx)?;
    let stability = stability.as_deref();
    let words = documents.vocabulary();
    assemble(words, params, &stats, &found, &refined, &shown, stability)
}

/// Dimensions beyond K of an embedding that has pins. With 5 topics of weblog posts a pin of `marriage` and `gay`
/// made a topic of `republican`, `party` and `elections` without them.
const WIDER: usize = 20;
/// Words for each of these dimensions: with fewer it is noise that they show.
const WORDS_EACH: usize = 10;

/// Topics by geometry alone.
fn fit_geometry<D: Documents>(
    documents: &D,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<GeometricFit, Error> {
    let stats = WordStats::of(documents, params.seed, params.pairs, ctx)?;
    match (&params.embed, params.n_topics) {
        (Some(embed), Some(k)) => in_embedding(documents, &stats, params, embed, k, ctx),
        (_, n_topics) => in_documents(documents, &stats, params, n_topics, ctx),
    }
}

/// What the geometry gives.
pub(crate) struct GeometricFit {
    /// Words that could have been novel.
    n_candidates: usize,
    /// Novel words near a pin.
    left_out: usize,
    groups: Groups,
    pub(crate) estimate: Estimate,
}

impl GeometricFit {
    /// The geometric topics, as sure as the report has it.
    pub(crate) fn unrefined(
        &self,
        report: RefineReport,
        ctx: &Context<'_>,
    ) -> Result<Refined, Error> {
        let Estimate { topics, weights, .. } = &self.estimate;
        let topics =
            refine::smooth_with_background(topics, weights, report.background_weight, ctx)?;
        Ok(Refined { topics, weights: weights.clone(), report })
    }

    /// Words of the geometric topics that are shown in place of the polished ones'; none if there are no such.
    pub(crate) fn shown<D: Documents>(
        &self,
        documents: &D,
        stats: &WordStats,
        refined: &Refined,
        ctx: &Context<'_>,
    ) -> Result<Vec<Vec<u32>>, Error> {
        if refined.report.kept == 0 && refined.report.background_weight == 0.0 {
            return Ok(Vec::new());
        }
        let topics = [&self.estimate.topics, &refined.topics];
        geometric_words(
            documents,
            &summary(documents.vocabulary(), stats),
            topics,
            &refined.weights,
            ctx,
        )
    }
}

/// The paper's way: every stage asks for sums over the documents.
fn in_documents<S: SufficientStats>(
    source: &S,
    stats: &WordStats,
    params: &FitParams,
    n_topics: Option<usize>,
    ctx: &Context<'_>,
) -> Result<GeometricFit, Error> {
    let least = n_topics.unwrap_or(2);
    let guidance = params.guidance.resolve(source.words())?;
    let novel = detect::novel_words(source, stats, &params.detect, &guidance, least, ctx)?;
    let groups = cluster::groups(source, stats, &novel, &params.cluster, n_topics, ctx)?;
    let estimate = estimate::topics(source, stats, &groups, &params.estimate, ctx)?;
    Ok(GeometricFit { n_candidates: novel.n_candidates, left_out: 0, groups, estimate })
}

/// The same in the embedding of the words, which alone looks at the documents.
fn in_embedding<D: Documents>(
    documents: &D,
    stats: &WordStats,
    params: &FitParams,
    embed: &EmbedParams,
    k: usize,
    ctx: &Context<'_>,
) -> Result<GeometricFit, Error> {
    let points = Embedding::of(documents, stats, embed, k, ctx)?;
    if params.guidance.pins.is_empty() {
        return fit_in_space([&points, &points], documents.vocabulary(), stats, params, k, ctx);
    }
    // A pin may be about something that is not among the K largest subjects.
    let wider = WIDER.min(stats.n_words() / WORDS_EACH);
    let wide = Embedding::of(documents, stats, embed, k + wider, ctx)?;
    fit_in_space([&points, &wide], documents.vocabulary(), stats, params, k, ctx)
}

/// What is left when words are points: novel words are found among the first, grouped and regressed on among the
/// second.
pub(crate) fn fit_in_space(
    [points, wide]: [&Embedding; 2],
    words: &Vocabulary,
    stats: &WordStats,
    params: &FitParams,
    k: usize,
    ctx: &Context<'_>,
) -> Result<GeometricFit, Error> {
    let (cluster, seed) = (&params.cluster, params.seed);
    let guidance = params.guidance.resolve(words)?;
    let novel = detect::in_embedding(points, words, stats, &params.detect, &guidance, k, ctx)?;
    let (n_candidates, won) = (novel.n_candidates, novel.words.len());
    let novel = cluster::away_from_pins(wide, words, novel, &guidance, ctx)?;
    let left_out = won - novel.words.len();
    let groups = cluster::groups_in_embedding(wide, &novel, &guidance, cluster, k, seed, ctx)?;
    let estimate =
        estimate::topics_in_embedding(wide, words, stats, &groups, &params.estimate, ctx)?;
    Ok(GeometricFit { n_candidates, left_out, groups, estimate })
}
