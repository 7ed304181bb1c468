//! Anchor words: topics from the vertices of the co-occurrence matrix.
//!
//! "A Practical Algorithm for Topic Modeling with Provable Guarantees" (Arora, Ge, Halpern, Mimno, Moitra,
//! Sontag, Wu & Zhu, ICML 2013), the paper's RecL2, and its relatives. A word that belongs to one topic
//! alone, an *anchor*, is a vertex of the hull of the rows of Qbar: `Qbar_i`, the distribution of the word
//! of the other token of a pair, given that one is word i. Greedy search finds K vertices; every word is
//! then a mixture of them.
//!
//! | method | anchors | recovery |
//! |---|---|---|
//! | `recover-l2` | FastAnchorWords: farthest from the affine span, then each anchor again | least squares |
//! | `recover-kl` | the same | Kullback-Leibler divergence |
//! | `spa` | successive projection (Gillis & Vavasis 2014): farthest from the linear span | least squares |
//! | `solid-angle` ([`solid_angle`]) | words extreme in most random directions, apart from each other | least squares |
//!
//! Everything hangs on Q through exact sums, so any order of documents and any number of threads give the
//! same bits.

mod kl;
mod points;
mod recover;
mod rows;
pub mod solid_angle;
mod span;

use crate::parameter::{self, at_least_one, positive, require};
use serde::{Deserialize, Serialize};
use vertopic::context::Context;
use vertopic::corpus::{Corpus, Frequency};
use vertopic::detect::NovelWord;
use vertopic::seed::Seed;
use vertopic::{Error, Parameter};

use self::points::Points;
use self::rows::{Rows, Weighting};
use self::span::Rule;
use crate::method::MethodOutput;

/// How anchors are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The first anchor is the origin of the span of the others; a second pass replaces each anchor by
    /// the word farthest from the span of the others (Arora et al. 2013, Algorithm 4).
    FastAnchorWords,
    /// The linear span, one pass (Gillis & Vavasis 2014).
    SuccessiveProjection,
}

/// What a mixture of anchors should be near to a word in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Squared distance.
    L2,
    /// Kullback-Leibler divergence. Slower: every step costs the word's whole row.
    Kl,
}

/// Settings of the greedy anchor methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnchorParams {
    /// K: topics.
    pub n_topics: usize,
    /// How anchors are chosen.
    pub selection: Selection,
    /// What words are fitted in.
    pub loss: Loss,
    /// Number of dimensions that rows are randomly projected to before the choice; no projection if they have no more.
    pub dimensions: usize,
    /// Documents that an anchor occurs in, at least: a rare word's row is mostly noise, and noise makes
    /// extreme points. `None`: the authors' 100 documents, or 5 % of them if that is less.
    pub min_df: Option<Frequency>,
    /// Gap at which a regression counts as solved. For least squares, after scaling the anchors' rows to a
    /// mean squared norm of 1; for the divergence, in nats.
    pub tolerance: f64,
    /// Seed of the projection and of ties.
    pub seed: Seed,
}

impl AnchorParams {
    /// FastAnchorWords and RecoverL2, with the authors' 1,000 dimensions and tolerance.
    pub fn recover_l2(n_topics: usize) -> Self {
        Self {
            n_topics,
            selection: Selection::FastAnchorWords,
            loss: Loss::L2,
            dimensions: 1000,
            min_df: None,
            tolerance: 1e-6,
            seed: Seed::default(),
        }
    }

    /// FastAnchorWords and RecoverKL.
    pub fn recover_kl(n_topics: usize) -> Self {
        Self { loss: Loss::Kl, ..Self::recover_l2(n_topics) }
    }

    /// Successive projection, then the recovery of RecoverL2.
    pub fn spa(n_topics: usize) -> Self {
        Self { selection: Selection::SuccessiveProjection, ..Self::recover_l2(n_topics) }
    }

    /// The method's name.
    pub fn method(&self) -> &'static str {
        match (self.selection, self.loss) {
            (Selection::FastAnchorWords, Loss::L2) => "recover-l2",
            (Selection::FastAnchorWords, Loss::Kl) => "recover-kl",
            (Selection::SuccessiveProjection, Loss::L2) => "spa",
            (Selection::SuccessiveProjection, Loss::Kl) => "spa-kl",
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        check_common(self.n_topics, self.min_df, self.tolerance)?;
        at_least_one(parameter::DIMENSIONS, self.dimensions)
    }
}

/// Checks what all methods of this module have.
fn check_common(n_topics: usize, min_df: Option<Frequency>, tolerance: f64) -> Result<(), Error> {
    at_least_one(Parameter::Topics, n_topics)?;
    check_min_df(min_df)?;
    positive(Parameter::Tolerance, tolerance)
}

/// Checks the document frequency that a candidate needs.
pub(super) fn check_min_df(min_df: Option<Frequency>) -> Result<(), Error> {
    let rule = "a number of documents or a share from 0 to 1";
    match min_df {
        Some(Frequency::Share(share)) => {
            require((0.0..=1.0).contains(&share), Parameter::CandidateMinDf, rule, share)
        }
        _ => Ok(()),
    }
}

/// Finds anchors, and topics from them. The strength of an anchor is its distance from the span of the
/// others.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic_lab::method::anchor::{AnchorParams, fit};
/// use vertopic_lab::synth::separable::Separable;
///
/// let planted = Separable { words: 60, topics: 3, ..Separable::default() }.generate(1)?;
/// let found = fit(&planted.corpus, &AnchorParams::recover_l2(3), &Context::silent()?)?;
/// assert_eq!(found.topics.n_topics(), 3);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn fit(
    corpus: &Corpus,
    params: &AnchorParams,
    ctx: &Context<'_>,
) -> Result<MethodOutput, Error> {
    params.check()?;
    let (k, seed) = (params.n_topics, params.seed);
    let stats = rows::word_stats(corpus, seed, ctx)?;
    let rows = Rows::new(corpus, &stats, Weighting::Joint);
    let candidates = rows.candidates(params.min_df);
    if candidates.len() < k {
        let found = candidates.len();
        return Err(Error::TooFewCandidates { found, topics: k, n_candidates: found });
    }
    let points = Points::of(&rows, &candidates, params.dimensions, seed, ctx)?;
    let fast = params.selection == Selection::FastAnchorWords;
    let rule = Rule { affine: fast, clean_up: fast };
    let chosen = span::search(&points, k, rule, &rows.ties(&candidates), ctx);
    let anchors: Vec<u32> = chosen.positions.iter().map(|&at| candidates[at]).collect();
    let dimensions = points.dimensions();
    drop(points);

    let anchor_rows = rows.of(&anchors, ctx)?;
    let mixtures = match params.loss {
        Loss::L2 => {
            let products = rows.products(&anchor_rows, ctx)?;
            recover::least_squares(products, &anchors, &rows.frequencies, params.tolerance, ctx)?
        }
        Loss::Kl => kl::regress(&rows, &anchors, &anchor_rows, params.tolerance, ctx)?,
    };
    let report = serde_json::json!({
        "method": params.method(),
        "candidates": candidates.len(),
        "dimensions": dimensions,
        "replaced": chosen.replaced,
        "smallest_distance": chosen.distances.iter().fold(f64::INFINITY, |a, &d| a.min(d)),
        "regression": mixtures.report(),
    });
    let novel: Vec<NovelWord> = anchors
        .iter()
        .zip(&chosen.distances)
        .map(|(&word, &strength)| NovelWord { word, strength })
        .collect();
    mixtures.into_found(corpus, &rows.frequencies, &novel, report)
}

#[cfg(test)]
mod tests;
