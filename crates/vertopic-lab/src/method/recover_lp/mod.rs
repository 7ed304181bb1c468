//! Anchor words by linear programming, and Recover (Arora, Ge & Moitra 2012).
//!
//! Let `Q_ij` be the probability that two tokens of a document are words i and j, and `Qbar` the same with
//! rows that sum to 1. Rows of anchor words (the paper's novel words) are the vertices of the convex hull of
//! all rows. A word is a *robust loner* if it stays away from the hull of the rows that are not close to it
//! (Arora, Ge, Kannan & Moitra 2012, whose anchors these are): one linear programme for each word.
//! Then topics come from K anchors S by inverting a matrix, which is exact without noise and frail with it:
//! entries turn negative, and are set to 0. [`hull`] has the distance, [`recover`] the inversion.
//!
//! The linear programmes are what later work replaced (Arora et al. 2013), so only small vocabularies will do.

pub mod hull;
pub mod recover;

use crate::method::anchor::check_min_df;
use crate::parameter::{self, require};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use vertopic::context::Context;
use vertopic::corpus::{Corpus, Frequency};
use vertopic::detect::NovelWord;
use vertopic::moments::{Cooccurrence, PairScheme, TokenPairs, WordStats};
use vertopic::seed::Seed;
use vertopic::{Error, Parameter};

use crate::method::MethodOutput;
use recover::Matrix;

/// Settings of the method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecoverParams {
    /// Number of topics, K.
    pub n_topics: usize,
    /// ℓ1 distance to the hull that an anchor must exceed; the farthest are taken first anyway.
    pub eps: f64,
    /// Rows within this ℓ1 distance are close: a word is not held against the hull of rows close to it, and
    /// a word close to an anchor is not another one. Distances of rows are from 0 to 2. `None`: 0.4
    /// of the median distance of two rows.
    pub separation: Option<f64>,
    /// Documents that a word occurs in, at least, to be an anchor or to span the hull. The inversion divides
    /// by how often an anchor occurs twice in a document, so rare anchors spoil it.
    pub min_df: Frequency,
    /// Words, at most; 400 take about a minute on two cores.
    pub most_words: usize,
}

/// Share of the median distance that counts as close. On the paper's synthetic recipe (K = 5, 40 to 200 words,
/// 500 to 10,000 documents; other K were not tried) 0.4 finds an anchor of every topic each time; 0.6 and more miss one now and then.
const CLOSE: f64 = 0.4;

impl RecoverParams {
    /// The usual settings.
    pub fn new(n_topics: usize) -> Self {
        let min_df = Frequency::Share(0.05);
        Self { n_topics, eps: 1e-6, separation: None, min_df, most_words: 400 }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        require(self.n_topics >= 2, Parameter::Topics, "at least 2", self.n_topics)?;
        let distance = |parameter, value| {
            let rule = "a distance of distributions, from 0 to less than 2";
            require((0.0..2.0).contains(&value), parameter, rule, value)
        };
        distance(parameter::EPS, self.eps)?;
        distance(parameter::SEPARATION, self.separation.unwrap_or(0.0))?;
        check_min_df(Some(self.min_df))
    }
}

/// Finds the topics.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic_lab::method::recover_lp::{RecoverParams, fit};
/// use vertopic_lab::synth::separable::Separable;
/// let recipe = Separable { words: 20, topics: 2, documents: 2000, ..Separable::default() };
/// let found = fit(&recipe.generate(1)?.corpus, &RecoverParams::new(2), &Context::silent()?)?;
/// assert_eq!(found.topics.n_topics(), 2);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn fit(
    corpus: &Corpus,
    params: &RecoverParams,
    ctx: &Context<'_>,
) -> Result<MethodOutput, Error> {
    params.check()?;
    let (n_words, most) = (corpus.n_words(), params.most_words);
    let rule = "at most most_words, since each word is a linear programme with a variable a word";
    let value = format!("{n_words} where most_words is {most}");
    require(n_words <= most, parameter::MOST_WORDS, rule, value)?;
    let stats = WordStats::of(corpus, TokenPairs::new(Seed::default(), PairScheme::All), ctx)?;
    let q = joint(corpus, &stats, ctx)?;
    let min_df = params.min_df.at_least(corpus.n_documents());
    let n_candidates: Vec<u32> = (0..corpus.n_words() as u32)
        .filter(|&w| stats.df[w as usize] >= min_df && q.rows[w as usize] > 0.0)
        .collect();
    let separation = params
        .separation
        .unwrap_or_else(|| CLOSE * ctx.install(|| median_distance(&q, &n_candidates)));
    let loners = robust_loners(&q, &n_candidates, separation, params.eps, ctx);
    let anchors = far_apart(&q, &loners.words, separation, params.n_topics);
    if anchors.len() < params.n_topics {
        let (found, topics) = (anchors.len(), params.n_topics);
        return Err(Error::TooFewCandidates { found, topics, n_candidates: n_candidates.len() });
    }
    let ids: Vec<u32> = anchors.iter().map(|a| a.word).collect();
    let recovered = recover::recover(&q, &ids).map_err(|k| match k {
        None => Error::NotConverged { what: "the inversion of the anchors' co-occurrence" },
        Some(k) => {
            Error::EmptyTopic { novel_words: vec![corpus.vocabulary().word(ids[k]).to_owned()] }
        }
    })?;
    let report = serde_json::json!({
        "n_candidates": n_candidates.len(),
        "separation": separation,
        "robust_loners": loners.words.len(),
        "failed_programmes": loners.failed,
        "clipped": recovered.clipped,
        "negative_weights": recovered.negative_weights,
    });
    Ok(MethodOutput {
        topics: vertopic::estimate::Topics::new(corpus.n_words(), recovered.topics)?,
        weights: recovered.weights,
        novel_words: anchors.into_iter().map(|a| vec![a]).collect(),
        report,
    })
}

/// Q, all of it.
fn joint(corpus: &Corpus, stats: &WordStats, ctx: &Context<'_>) -> Result<Matrix, Error> {
    let all: Vec<u32> = (0..corpus.n_words() as u32).collect();
    let c = Cooccurrence::of(corpus, stats, &all, &all, ctx)?;
    let m = stats.paired as f64;
    let p: Vec<f64> = stats.first.iter().map(|r| r / m).collect();
    let row = |i: usize| c.row(i).iter().zip(&p).map(move |(c, p)| (i, c * p));
    let values = (0..all.len()).flat_map(row).map(|(i, v)| v * p[i]).collect();
    Ok(Matrix::new(values, all.len()))
}

/// Words away from the hull of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Loners {
    /// The words, farthest first; the strength is the ℓ1 distance to the hull.
    pub words: Vec<NovelWord>,
    /// Linear programmes that the solver gave up; their words are left out.
    pub failed: usize,
}

/// The median ℓ1 distance of the rows of two words; 0 if there are no two.
fn median_distance(q: &Matrix, words: &[u32]) -> f64 {
    let rows: Vec<Vec<f64>> = words.iter().map(|&w| q.conditional(w)).collect();
    let to_earlier = |i: usize| -> Vec<f64> {
        rows[..i].iter().map(|other| hull::l1(other, &rows[i])).collect()
    };
    let mut distances: Vec<f64> = (0..rows.len()).into_par_iter().flat_map(to_earlier).collect();
    if distances.is_empty() {
        return 0.0;
    }
    let middle = distances.len() / 2;
    *distances.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The words, of those `n_candidates`, that are farther than `eps` from the hull of the rows not close to them.
pub fn robust_loners(
    q: &Matrix,
    n_candidates: &[u32],
    separation: f64,
    eps: f64,
    ctx: &Context<'_>,
) -> Loners {
    let rows: Vec<Vec<f64>> = n_candidates.iter().map(|&w| q.conditional(w)).collect();
    let progress = ctx.stage("solving linear programmes", rows.len() as u64);
    let one = |point: &Vec<f64>| {
        let close = |row: &[f64]| hull::l1(row, point) <= separation;
        let others: Vec<&[f64]> =
            rows.iter().map(Vec::as_slice).filter(|row| !close(row)).collect();
        let distance = hull::distance(point, &others);
        progress.advance(1);
        distance
    };
    let distances: Vec<Option<f64>> = ctx.install(|| rows.par_iter().map(one).collect());
    let mut words: Vec<NovelWord> = n_candidates
        .iter()
        .zip(&distances)
        .filter_map(|(&word, d)| d.map(|strength| NovelWord { word, strength }))
        .filter(|n| n.strength > eps)
        .collect();
    words.sort_by(|a, b| b.strength.total_cmp(&a.strength).then(a.word.cmp(&b.word)));
    Loners { words, failed: distances.iter().filter(|d| d.is_none()).count() }
}

/// At most `n_topics` of the words, in their order, none close to one before.
pub fn far_apart(
    q: &Matrix,
    loners: &[NovelWord],
    separation: f64,
    n_topics: usize,
) -> Vec<NovelWord> {
    let mut chosen: Vec<(NovelWord, Vec<f64>)> = Vec::new();
    for &loner in loners {
        if chosen.len() == n_topics {
            break;
        }
        let row = q.conditional(loner.word);
        if chosen.iter().all(|(_, other)| hull::l1(other, &row) > separation) {
            chosen.push((loner, row));
        }
    }
    chosen.into_iter().map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests;
