//! How novel words are looked for. Names as in the paper; `None` stands for the paper's rule of thumb.

use serde::{Deserialize, Serialize};

use crate::corpus::Frequency;
use crate::error::{Error, Parameter};
use crate::moments::TokenSample;

/// Which algorithm finds the novel words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Method {
    /// Data-dependent projections (Algorithm 1).
    Ddp,
    /// Random projections (Algorithm 2).
    Rp,
    /// Random projections with binning (Algorithm 3).
    Binning,
    /// Random projections in the embedding of words; not in the paper.
    Embedded,
    /// Data-dependent projections in the embedding of words, with standard errors for thresholds; not in the paper.
    EmbeddedDdp,
}

impl Method {
    /// Whether it looks at words as points of the embedding, and not at the documents.
    pub fn is_embedded(self) -> bool {
        matches!(self, Self::Embedded | Self::EmbeddedDdp)
    }
}

/// Only words seen often enough may be novel; all words stay in the vocabulary.
///
/// A rare word is an extreme point by chance: its pattern over the documents is mostly noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CandidateFilter {
    /// Documents that a candidate occurs in, at least.
    pub min_df: Frequency,
    /// Tokens that a candidate has, at least.
    pub min_tokens: u64,
    /// Of the words that pass, only so many of the highest document frequency may be novel; those as
    /// frequent as the last of them stay too.
    pub most: Option<usize>,
    /// In the embedding: the squared standard error of a candidate's point, at most, as a share of its squared
    /// distance from the centre.
    pub noise: Option<f64>,
}

impl CandidateFilter {
    /// No filter: every word may be novel.
    pub const NONE: Self =
        Self { min_df: Frequency::Count(0), min_tokens: 0, most: None, noise: None };
}

/// Settings of the detection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DetectParams {
    /// Which algorithm.
    pub method: Method,
    /// Which words may be novel.
    pub filter: CandidateFilter,
    /// Which tokens RP projects. Binning always takes the first side of the pairs.
    pub sample: TokenSample,
    /// RP, there or in the embedding: number of directions, the paper's P. `None`: 50·K.
    pub projections: Option<usize>,
    /// DDP: number of most distant words compared with, the paper's r. `None`: half of the words that
    /// pass the filter; W/2 without a filter.
    pub far_words: Option<usize>,
    /// DDP: number of best scores kept, the paper's s; in the embedding, of the words that won most. `None`:
    /// 10·K.
    pub novel_words: Option<usize>,
    /// DDP with thresholds, and binning: the paper's d. `None`: DDP without thresholds; for binning,
    /// the median squared distance between the words that won.
    pub distance: Option<f64>,
    /// DDP with thresholds: the paper's γ.
    pub gamma: Option<f64>,
    /// Binning: number of bins. `None`: √M.
    pub bins: Option<usize>,
    /// In the embedding: so many of the words that pass the filter, drawn at random, stand in for the novel words.
    /// A control that shows what finding them is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<usize>,
}

impl DetectParams {
    /// The paper's settings: every word may be novel, random projections of the half X.
    pub fn paper(method: Method) -> Self {
        Self {
            method,
            filter: CandidateFilter::NONE,
            sample: TokenSample::Half,
            projections: None,
            far_words: None,
            novel_words: None,
            distance: None,
            gamma: None,
            bins: None,
            random: None,
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        for (parameter, value) in [
            (Parameter::Projections, self.projections),
            (Parameter::FarWords, self.far_words),
            (Parameter::NovelWords, self.novel_words),
            (Parameter::Bins, self.bins),
            (Parameter::Candidates, self.filter.most),
            (Parameter::RandomCandidates, self.random),
        ] {
            if value == Some(0) {
                return Err(Error::parameter(parameter, "at least 1", 0));
            }
        }
        for (parameter, value) in [
            (Parameter::Distance, self.distance),
            (Parameter::Gamma, self.gamma),
            (Parameter::CandidateNoise, self.filter.noise),
        ] {
            if let Some(v) = value.filter(|v| !(v.is_finite() && *v >= 0.0)) {
                return Err(Error::parameter(parameter, "a number, not negative", v));
            }
        }
        if self.random.is_some() && !self.method.is_embedded() {
            let rule = "embedded where candidates are drawn at random";
            return Err(Error::parameter(Parameter::Method, rule, format!("{:?}", self.method)));
        }
        if self.gamma.is_some() && self.distance.is_none() {
            let rule = "given together with gamma";
            return Err(Error::parameter(Parameter::Distance, rule, "gamma alone"));
        }
        Ok(())
    }
}
