//! Topics for many K, side by side.

use serde::Serialize;

use crate::choose::ladder::EmbeddingLadder;
use crate::choose::{HeldOut, Trial, smallest_as_good, trial};
use crate::context::Context;
use crate::corpus::{DocumentFilter, Documents, KeyedSample, Subset};
use crate::error::{Error, Parameter};
use crate::evaluate::{Measure, WordCooccurrence, completion, l1_error, mean, topic_diversity};
use crate::model::TopicModel;
use crate::pipeline::{Assembly, FitParams, GeometricFit, coherent_words};
use crate::refine::{self, RefineReport, ValidationSet};
use crate::seed::Stage;

/// Display words of a topic whose coherence and diversity are measured.
const SHOWN: usize = 10;
/// Stabilities that differ by at most this count as equal.
const AS_STABLE: f64 = 0.02;

/// What is gained and lost from one K to the next.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Sweep {
    /// One step for each K that has topics, the smallest first.
    pub steps: Vec<Step>,
    /// Each K without topics, and why.
    pub failed: Vec<Failed>,
    /// Number of documents that the topics come from.
    pub documents: usize,
    /// Number of documents that were held out and scored.
    pub held_out: usize,
    /// The recommended K.
    pub recommended: usize,
    /// Why, in words.
    pub reason: String,
}

/// Topics for one K.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// K.
    pub n_topics: usize,
    /// Perplexity of the held-out documents, by document completion. Less is better.
    pub perplexity: f64,
    /// Standard error of the perplexity, over documents.
    pub perplexity_error: f64,
    /// Mean NPMI of the display words, in documents. More is better.
    pub coherence: Option<f64>,
    /// Share of different words among the display words of all topics.
    pub diversity: Option<f64>,
    /// Mean share of the words' squared lengths that the regression leaves unexplained.
    pub residual: f64,
    /// Stability over two halves of the documents: the mean over matched topics of the probability that they have in
    /// common, from 0 to 1. `None` if a half has no such topics.
    pub stability: Option<f64>,
    /// The topics, heaviest first.
    #[serde(skip)]
    pub model: TopicModel,
}

/// A K without topics.
#[derive(Debug, Clone, Serialize)]
pub struct Failed {
    /// K.
    pub n_topics: usize,
    /// What went wrong.
    pub reason: String,
}

/// Fits topics for each K of `n_topics` and scores them on held-out documents: one in ten, 5,000 at most.
///
/// One embedding, for the largest K, serves all; so topics differ a little from those of a fit. Of the K whose perplexity
/// is within one standard error of the best, the recommended one is the smallest whose stability is as good as that of
/// any. The number of topics in `params` does not matter. Refinement makes each step slower and takes no part in
/// stability.
pub fn sweep<D: Documents>(
    documents: &D,
    n_topics: &[usize],
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<Sweep, Error> {
    let mut ks = n_topics.to_vec();
    ks.sort_unstable();
    ks.dedup();
    let (Some(&least), Some(&most)) = (ks.first(), ks.last()) else {
        return Err(Error::parameter(Parameter::Topics, "given", "none"));
    };
    params.clone().with_topics(least).check()?;
    let seed = params.seed();
    let held_out = HeldOut::new(seed, documents.n_documents());
    let scored = Subset::new(documents, held_out, ctx)?;
    if scored.n_documents() < HeldOut::FEWEST {
        let rule = "enough to hold out 10 of them, about 100";
        return Err(Error::parameter(Parameter::Documents, rule, documents.n_documents()));
    }
    let train = Subset::without(documents, held_out, ctx)?;
    // Validation documents take no part in the topics that refinement starts from.
    let refines = params.refine().sweeps > 0;
    let validation = refines.then(|| ValidationSet::new(seed, train.n_documents()));
    let dropped = validation.map_or(DocumentFilter::All.complement(), DocumentFilter::from);
    let train = Subset::without(&train, dropped, ctx)?;
    let embeddings = EmbeddingLadder::new(&train, params, most, ctx)?;
    let half =
        |second| Subset::new(&train, KeyedSample::of_half(seed, Stage::Half, second, 1.0), ctx);
    let parts = [half(false)?, half(true)?];
    let mut halves: Vec<EmbeddingLadder<'_, _>> = Vec::new();
    for part in &parts {
        match EmbeddingLadder::new(part, params, most, ctx) {
            Ok(half) => halves.push(half),
            Err(error) if error.is_failed_pass() => return Err(error),
            Err(_) => {} // too small for topics
        }
    }

    let (mut steps, mut failed, mut why) = (Vec::new(), Vec::new(), None);
    for &k in &ks {
        let params = params.clone().with_topics(k);
        match embeddings.fit(&params, ctx) {
            Ok(geometry) => {
                let model = model(&embeddings, &geometry, validation, &params, ctx)?;
                let stability = half_stability(&halves, &params, ctx);
                let residual = mean_residual(&geometry);
                let words: Vec<Vec<u32>> = (0..k).map(|t| model.display_words(t, SHOWN)).collect();
                let together = WordCooccurrence::in_documents(&train, &words, ctx)?;
                let score = completion(model.topics(), model.weights(), &scored, seed, ctx)?;
                let Trial { n_topics, perplexity, perplexity_error } = trial(k, &score);
                steps.push(Step {
                    n_topics,
                    perplexity,
                    perplexity_error,
                    coherence: mean(&Measure::Npmi.topics(&together)),
                    diversity: topic_diversity(&words),
                    residual,
                    stability,
                    model,
                });
            }
            Err(error) if error.is_failed_pass() => return Err(error),
            Err(error) => {
                failed.push(Failed { n_topics: k, reason: error.to_string() });
                why = Some(error);
            }
        }
    }
    match why {
        Some(error) if steps.is_empty() => return Err(error),
        _ => {}
    }
    let trials: Vec<Trial> = steps.iter().map(Step::trial).collect();
    let stability: Vec<Option<f64>> = steps.iter().map(|s| s.stability).collect();
    let (recommended, reason) = recommend(&trials, &stability);
    Ok(Sweep {
        steps,
        failed,
        documents: train.n_documents(),
        held_out: scored.n_documents(),
        recommended,
        reason,
    })
}

impl Step {
    fn trial(&self) -> Trial {
        let Self { n_topics, perplexity, perplexity_error, .. } = *self;
        Trial { n_topics, perplexity, perplexity_error }
    }
}

/// The model of the topics of `geometry`, refined if there is a validation set.
fn model<D: Documents>(
    embeddings: &EmbeddingLadder<'_, D>,
    geometry: &GeometricFit,
    validation: Option<ValidationSet>,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<TopicModel, Error> {
    let (train, stats) = (embeddings.documents, &embeddings.stats);
    let refined = match validation {
        Some(set) => refine::refine(train, geometry.start(), set, params.refine(), ctx)?,
        None => geometry.unrefined(RefineReport::default(), ctx)?,
    };
    let display_words = coherent_words(train, stats, geometry, &refined, ctx)?;
    let assembly = Assembly::new(train.vocabulary(), stats, geometry, &refined);
    ctx.install(|| assembly.with_display_words(display_words).model(params))
}

fn mean_residual(geometry: &GeometricFit) -> f64 {
    let residual = &geometry.estimate.residual;
    residual.iter().sum::<f64>() / residual.len() as f64
}

/// The K to take, and why, given the stability of each trial.
fn recommend(trials: &[Trial], stability: &[Option<f64>]) -> (usize, String) {
    let (smallest, best) = smallest_as_good(trials);
    let limit = trials
        .iter()
        .find(|t| t.n_topics == best)
        .map_or(f64::INFINITY, |t| t.perplexity + t.perplexity_error);
    let as_good = || trials.iter().zip(stability).filter(|(t, _)| t.perplexity <= limit);
    let stablest = as_good().filter_map(|(_, s)| *s).fold(0.0, f64::max);
    let mut stable = as_good().filter(|(_, s)| s.is_some_and(|s| s >= stablest - AS_STABLE));
    let chosen = stable.next().map_or(smallest, |(t, _)| t.n_topics);
    let within = "within one standard error of the best";
    let reason = match (chosen == best, chosen == smallest, as_good().count() > 1) {
        (true, _, false) => format!("best held-out perplexity; no other K is {within}"),
        (true, true, true) => "best held-out perplexity; smaller K score worse".to_owned(),
        (true, false, true) => {
            format!("best held-out perplexity; smaller K {within} have less stable topics")
        }
        (false, true, _) => {
            format!("smallest K whose held-out perplexity is {within} ({best} topics)")
        }
        (false, false, _) => format!(
            "held-out perplexity {within} ({best} topics), and more stable topics than smaller K"
        ),
    };
    (chosen, reason)
}

/// The mean probability that matched topics of the two halves have in common.
fn half_stability<D: Documents>(
    halves: &[EmbeddingLadder<'_, D>],
    params: &FitParams,
    ctx: &Context<'_>,
) -> Option<f64> {
    let [one, other] = halves else { return None };
    let (one, other) = (one.fit(params, ctx).ok()?, other.fit(params, ctx).ok()?);
    let apart = l1_error(&one.estimate.topics, &other.estimate.topics);
    // Two distributions at ℓ1 distance d have 1 − d/2 in common.
    Some(1.0 - apart / (2.0 * one.estimate.topics.n_topics() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_k_within_a_standard_error_is_taken_unless_others_are_more_stable() {
        let trial = |(n_topics, perplexity, perplexity_error)| Trial {
            n_topics,
            perplexity,
            perplexity_error,
        };
        let tried =
            [(5, 130.0, 9.0), (10, 107.0, 9.0), (20, 104.0, 8.0), (40, 100.0, 8.0)].map(trial);
        let choice = |stability: [Option<f64>; 4]| recommend(&tried, &stability).0;
        assert_eq!(choice([None; 4]), 10);
        assert_eq!(choice([Some(0.99), Some(0.7), Some(0.71), Some(0.5)]), 10);
        assert_eq!(choice([Some(0.99), Some(0.7), Some(0.9), Some(0.5)]), 20);
        let (k, reason) = recommend(&tried, &[Some(0.9), Some(0.7), Some(0.6), Some(0.5)]);
        assert!(k == 10 && reason.contains("best (40 topics)"), "{reason}");
        let (k, reason) = recommend(&[(5, 200.0, 1.0), (9, 100.0, 1.0)].map(trial), &[None, None]);
        assert!(k == 9 && reason.contains("no other K"), "{reason}");
    }
}
