//! The parameters of a fit.

use serde::{Deserialize, Serialize};

use crate::cluster::{Affinity, ClusterParams, Representative};
use crate::detect::{self, CandidateFilter, DetectParams, Guidance, Method};
use crate::embed::EmbedParams;
use crate::error::{Error, Parameter};
use crate::estimate::EstimateParams;
use crate::moments::{PairScheme, TokenPairs, TokenSample};
use crate::refine::RefineParams;
use crate::seed::Seed;

/// Candidates per topic by default, where words are not embedded: the most frequent words.
pub const CANDIDATES_PER_TOPIC: usize = 20;

/// Squared error of a point, as a share of its squared distance from the centre, at which a word is no candidate by
/// default: a standard error of half the distance.
pub const CANDIDATE_NOISE: f64 = 0.25;

/// Everything that decides the topics, besides the documents.
///
/// A fit checks its parameters before it reads a document; [`check`](Self::check) does so without a fit.
///
/// ```
/// use vertopic::FitParams;
/// let params = FitParams::new(20).with_seed(7).with_stability(false);
/// assert!(params.check().is_ok());
/// assert!(FitParams::new(1).check().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitParams {
    n_topics: Option<usize>,
    seed: Seed,
    pairs: PairScheme,
    embed: Option<EmbedParams>,
    detect: DetectParams,
    cluster: ClusterParams,
    estimate: EstimateParams,
    refine: RefineParams,
    #[serde(default)]
    guidance: Guidance,
    #[serde(default)]
    stability: bool,
}

impl FitParams {
    /// The default method for `n_topics` topics: novel words by random projections of an embedding of the words, topics
    /// refined by EM, and their stability over halves of the documents.
    pub fn new(n_topics: usize) -> Self {
        Self::improved(n_topics, Method::Embedded)
    }

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

    /// `method` with the settings that work best: affinities that do not underflow, pooled representatives, all pairs of
    /// tokens instead of a split, and a filter of candidates. In the embedding the filter is by noise, topics are refined,
    /// and their stability is measured. Elsewhere the filter is by frequency, and topics are not refined.
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

    /// Sets the number of topics, the paper's K. `None` lets it come out of
    /// [`Grouping::Threshold`](crate::cluster::Grouping::Threshold), and needs that.
    #[must_use]
    pub fn with_topics(self, n_topics: impl Into<Option<usize>>) -> Self {
        Self { n_topics: n_topics.into(), ..self }
    }

    /// Sets the seed of all random draws. Default: 0.
    #[must_use]
    pub fn with_seed(self, seed: impl Into<Seed>) -> Self {
        Self { seed: seed.into(), ..self }
    }

    /// Sets which pairs of tokens are counted.
    #[must_use]
    pub fn with_pairs(self, pairs: PairScheme) -> Self {
        Self { pairs, ..self }
    }

    /// Sets which tokens random projections and word frequencies are taken from.
    #[must_use]
    pub fn with_token_sample(mut self, sample: TokenSample) -> Self {
        (self.detect.sample, self.estimate.sample) = (sample, sample);
        self
    }

    /// Sets how words are embedded; `None` works with their patterns over the documents, as the paper does.
    #[must_use]
    pub fn with_embed(self, embed: impl Into<Option<EmbedParams>>) -> Self {
        Self { embed: embed.into(), ..self }
    }

    /// Sets how novel words are found.
    #[must_use]
    pub fn with_detect(self, detect: DetectParams) -> Self {
        Self { detect, ..self }
    }

    /// Sets how novel words are grouped.
    #[must_use]
    pub fn with_cluster(self, cluster: ClusterParams) -> Self {
        Self { cluster, ..self }
    }

    /// Sets how topics are estimated from the groups.
    #[must_use]
    pub fn with_estimate(self, estimate: EstimateParams) -> Self {
        Self { estimate, ..self }
    }

    /// Sets how topics are refined.
    #[must_use]
    pub fn with_refine(self, refine: RefineParams) -> Self {
        Self { refine, ..self }
    }

    /// Sets the words that are or may not be novel. Pins need the embedding.
    #[must_use]
    pub fn with_guidance(self, guidance: Guidance) -> Self {
        Self { guidance, ..self }
    }

    /// Sets whether the fit measures the stability of topics over halves of the documents
    /// ([`Diagnostics::stability`](crate::model::Diagnostics::stability)).
    #[must_use]
    pub fn with_stability(self, stability: bool) -> Self {
        Self { stability, ..self }
    }

    /// Number of topics; `None` if it comes out of the clustering.
    pub fn n_topics(&self) -> Option<usize> {
        self.n_topics
    }

    /// The seed of all random draws.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The seed and which pairs of tokens are counted.
    pub fn token_pairs(&self) -> TokenPairs {
        TokenPairs::new(self.seed, self.pairs)
    }

    /// Which pairs of tokens are counted.
    pub fn pairs(&self) -> PairScheme {
        self.pairs
    }

    /// How words are embedded, if they are.
    pub fn embed(&self) -> Option<&EmbedParams> {
        self.embed.as_ref()
    }

    /// How novel words are found.
    pub fn detect(&self) -> &DetectParams {
        &self.detect
    }

    /// How novel words are grouped.
    pub fn cluster(&self) -> &ClusterParams {
        &self.cluster
    }

    /// How topics are estimated from the groups.
    pub fn estimate(&self) -> &EstimateParams {
        &self.estimate
    }

    /// How topics are refined.
    pub fn refine(&self) -> &RefineParams {
        &self.refine
    }

    /// Words that are or may not be novel.
    pub fn guidance(&self) -> &Guidance {
        &self.guidance
    }

    /// Whether the fit measures the stability of topics.
    pub fn stability(&self) -> bool {
        self.stability
    }

    /// Refuses values outside their ranges, and parameters that contradict each other.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(k) = self.n_topics.filter(|&k| k < 2) {
            return Err(Error::parameter(Parameter::Topics, "at least 2", k));
        }
        let known = match self.detect.method {
            Method::Rp => self.detect.projections.is_some(),
            Method::Ddp => self.detect.novel_words.is_some() || self.detect.gamma.is_some(),
            _ => false,
        };
        if self.n_topics.is_none() && !known {
            let rule = "given, unless rp has its projections or ddp its novel words or thresholds";
            return Err(Error::parameter(Parameter::Topics, rule, "none"));
        }
        if self.embed.is_some() != self.detect.method.is_embedded() {
            let rule = "embedded if words are embedded, and only then";
            let value = format!("{:?}", self.detect.method);
            return Err(Error::parameter(Parameter::Method, rule, value));
        }
        let half =
            self.detect.sample == TokenSample::Half || self.estimate.sample == TokenSample::Half;
        if half && self.pairs == PairScheme::All {
            let rule = "whole, unless documents are split";
            return Err(Error::parameter(Parameter::Sample, rule, "half"));
        }
        let pins = self.guidance.pins.len();
        if pins > 0 && self.embed.is_none() {
            let rule = "left out with another method than the default";
            let value = format!("{:?}", self.detect.method);
            return Err(Error::parameter(Parameter::Pins, rule, value));
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
