//! Who takes part, with which settings, and how far each ends from the truth.

use serde::{Deserialize, Serialize};
use serde_json::json;
use vertopic::cluster::{Groups, Representative};
use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::detect::{Method as Detector, NovelWord, NovelWords};
use vertopic::estimate::{self, EstimateParams, Topics};
use vertopic::evaluate::l1_error;
use vertopic::moments::{PairScheme, TokenPairs, TokenSample, WordStats};
use vertopic::seed::Seed;
use vertopic::space::{CooccurrenceSpace, WordSpace};
use vertopic::{Error, FitParams};

use crate::method::Method;
use crate::method::anchor::AnchorParams;
use crate::method::anchor::solid_angle::SolidAngleParams;
use crate::method::eca::EcaParams;
use crate::method::em::{EmParams, em};
use crate::method::gibbs::GibbsParams;
use crate::method::nmf::NmfParams;
use crate::synth::separable::Planted;

/// Something that estimates topics.
#[derive(Debug, Clone)]
pub(super) enum Contender {
    /// A method that sees the documents alone.
    Method(&'static str, Box<Method>),
    /// A limit: the library's regression, given the true novel words.
    Regression,
    /// A limit: EM started at the true topics.
    Em,
}

/// How a contender did on one corpus.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// ℓ1 distance to the truth, summed over the topics; none if it failed.
    pub(super) error: Option<f64>,
    /// Topics found, which may be fewer than asked for.
    pub(super) topics: usize,
    /// Seconds on one thread.
    pub(super) seconds: f64,
    /// Why it failed.
    pub(super) problem: Option<String>,
}

impl Contender {
    /// All of them for K topics. The samplers' priors are what the pilot runs chose, and excess
    /// correlation analysis is told the concentration of the mixtures.
    pub(super) fn all(k: usize, gibbs: GibbsParams, alpha0: f64) -> Vec<Self> {
        let one = |name, method| Self::Method(name, Box::new(method));
        let own = |params| Method::Own(params);
        vec![
            one("rp (paper)", own(FitParams::paper(k, Detector::Rp))),
            one("ddp (paper)", own(FitParams::paper(k, Detector::Ddp))),
            one("binning (paper)", own(FitParams::paper(k, Detector::Binning))),
            one("default", own(FitParams::new(k))),
            one("gibbs", Method::Gibbs(gibbs)),
            one("nmf", Method::Nmf(NmfParams::new(k))),
            one("recover-l2", Method::Anchor(AnchorParams::recover_l2(k))),
            one("eca", Method::Eca(EcaParams { alpha0, ..EcaParams::new(k) })),
            one("solid-angle", Method::SolidAngle(SolidAngleParams::new(k))),
            Self::Regression,
            Self::Em,
        ]
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Method(name, _) => name,
            Self::Regression => "limit: novel words given",
            Self::Em => "limit: EM from the truth",
        }
    }

    /// Whether it takes part in the contest; limits know the truth.
    pub(super) fn competes(&self) -> bool {
        matches!(self, Self::Method(..))
    }

    /// The settings, for the journal and the page.
    pub(super) fn settings(&self) -> serde_json::Value {
        match self {
            Self::Method(_, method) => method.parameters().unwrap_or_default(),
            Self::Regression => json!({"pairs": "all", "representative": "pooled"}),
            Self::Em => serde_json::to_value(EmParams::default()).unwrap_or_default(),
        }
    }

    /// Estimates the topics of a corpus and compares.
    pub(super) fn compete(&self, truth: &Planted, seed: u64, ctx: &Context<'_>) -> Outcome {
        let start = std::time::Instant::now();
        let found = self.topics(truth, Seed(seed), ctx);
        let seconds = start.elapsed().as_secs_f64();
        let (k, w) = (truth.topics.n_topics(), truth.topics.n_words());
        match found.and_then(|topics| Ok((topics.n_topics(), filled(&topics, k, w)?))) {
            Ok((topics, filled)) => {
                let error = Some(l1_error(&truth.topics, &filled));
                Outcome { error, topics, seconds, problem: None }
            }
            Err(e) => Outcome { error: None, topics: 0, seconds, problem: Some(e.to_string()) },
        }
    }

    fn topics(&self, truth: &Planted, seed: Seed, ctx: &Context<'_>) -> Result<Topics, Error> {
        let corpus = &truth.corpus;
        match self {
            Self::Method(_, method) => {
                let model = method.clone().with_seed(seed).fit(corpus, ctx)?;
                Ok(model.topics().clone())
            }
            Self::Regression => regression(corpus, &truth.novel_words, seed, ctx),
            Self::Em => Ok(em(corpus, &truth.topics, &EmParams::default(), ctx)?.topics),
        }
    }
}

/// Topics that were not found count as the even distribution.
fn filled(topics: &Topics, k: usize, w: usize) -> Result<Topics, Error> {
    let mut values = topics.values().to_vec();
    values.resize(k * w, 1.0 / w as f32);
    Topics::new(w, values)
}

/// The library's regression of every word on the true novel words of each topic, pooled.
fn regression(
    corpus: &Corpus,
    novel_words: &[Vec<u32>],
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<Topics, Error> {
    let k = novel_words.len();
    let totals = WordStats::of(corpus, TokenPairs::new(seed, PairScheme::All), ctx)?;
    let (words, groups): (Vec<NovelWord>, Vec<usize>) = (0..k)
        .flat_map(|t| novel_words[t].iter().map(move |&word| (word, t)))
        .filter(|&(word, _)| totals.first[word as usize] > 0.0)
        .map(|(word, t)| (NovelWord { word, strength: 1.0 }, t))
        .unzip();
    if (0..k).any(|t| !groups.contains(&t)) {
        return Err(Error::TooFewCandidates {
            found: words.len(),
            topics: k,
            n_candidates: words.len(),
        });
    }
    let novel = NovelWords { words, n_candidates: corpus.n_words() };
    let space = CooccurrenceSpace::new(corpus, &totals);
    let groups = Groups::new(&novel, &groups, Representative::Pooled, space.masses());
    let mut params = EstimateParams::paper();
    params.sample = TokenSample::Whole;
    Ok(estimate::topics(&space, &groups, &params, ctx)?.topics)
}
