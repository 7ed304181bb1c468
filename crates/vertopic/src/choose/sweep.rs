//! Topics for many K, side by side.

use serde::Serialize;

use crate::choose::ladder::EmbeddingLadder;
use crate::choose::{HeldOut, fewest_as_good};
use crate::context::Context;
use crate::corpus::{DocumentFilter, Documents, KeyedSample, Subset};
use crate::error::{Error, Parameter};
use crate::estimate::Estimate;
use crate::evaluate::{Measure, WordCooccurrence, completion, l1_error, mean, topic_diversity};
use crate::model::TopicModel;
use crate::pipeline::{FitParams, assemble};
use crate::refine::{self, RefineReport, ValidationSet};
use crate::seed::Stage;

/// Words of a topic whose coherence and diversity are measured: those that are shown.
const SHOWN: usize = 10;
/// Stabilities that differ by no more are the same.
const AS_STABLE: f64 = 0.02;

/// What is gained and lost from one K to the next.
#[derive(Debug, Clone, Serialize)]
pub struct Sweep {
    /// One step for each K that there are topics for, the smallest first.
    pub steps: Vec<Step>,
    /// The K that there are no topics for, and why.
    pub failed: Vec<Failed>,
    /// Documents that the topics come from.
    pub documents: usize,
    /// Documents that were held out, and scored.
    pub held_out: usize,
    /// The K to take.
    pub recommended: usize,
    /// Why, in words.
    pub reason: String,
}

/// Topics for one K.
#[derive(Debug, Clone, Serialize)]
pub struct Step {
    /// K.
    pub n_topics: usize,
    /// Perplexity of the documents held out, by completion. Less is better.
    pub perplexity: f64,
    /// Its standard error, over documents.
    pub perplexity_error: f64,
    /// Mean NPMI, in documents, of the words that topics show. More is better.
    pub coherence: Option<f64>,
    /// Share of different words among those that topics show.
    pub diversity: Option<f64>,
    /// Mean share of the words' patterns that the regression leaves unexplained.
    pub residual: f64,
    /// How far the topics of two halves of the documents agree: the mean over matched topics of the
    /// probability that they have in common, from 0 to 1. `None` if a half has no such topics.
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

/// Finds topics for each K and measures them. One document in ten is held out, 5,000 at most.
///
/// Statistics of the documents are gathered once, for the largest K, so topics differ a little from those
/// of a fit. The recommended K is, of those whose
/// perplexity is within one standard error of the best, the smallest whose topics are found again in
/// another half of the documents as well as those of any. The number of topics in the parameters does not
/// matter. With a polish each step takes longer, and it has no part in stability.
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
    FitParams { n_topics: Some(least), ..params.clone() }.check()?;
    let held_out = HeldOut::new(params.seed, documents.n_documents());
    let held_out_documents = Subset::new(documents, held_out, ctx)?;
    if held_out_documents.n_documents() < HeldOut::FEWEST {
        let rule = "enough to hold out 10 of them, about 100";
        return Err(Error::parameter(Parameter::Documents, rule, documents.n_documents()));
    }
    let train = Subset::without(documents, held_out, ctx)?;
    let validation = ValidationSet::new(params.seed, train.n_documents());
    let refined = params.refine.sweeps > 0;
    // Those who judge a polish have no part in what it starts from.
    let dropped = if refined { validation.into() } else { DocumentFilter::All.complement() };
    let train = Subset::without(&train, dropped, ctx)?;
    let embeddings = EmbeddingLadder::new(&train, params, most, ctx)?;
    let half = |second| {
        Subset::new(&train, KeyedSample::of_half(params.seed, Stage::Half, second, 1.0), ctx)
    };
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
        let params = FitParams { n_topics: Some(k), ..params.clone() };
        let found = match embeddings.found(k, &params, ctx) {
            Ok(found) => found,
            Err(error) if error.is_failed_pass() => return Err(error),
            Err(error) => {
                failed.push(Failed { n_topics: k, reason: error.to_string() });
                why = Some(error);
                continue;
            }
        };
        let Estimate { topics, weights, residual, .. } = &found.estimate;
        let refined = if refined {
            refine::refine(&train, topics, weights, validation, &params.refine, ctx)?
        } else {
            found.unrefined(RefineReport::default(), ctx)?
        };
        let (words, stats) = (train.vocabulary(), &embeddings.stats);
        let shown = found.shown(&train, stats, &refined, ctx)?;
        let model =
            ctx.install(|| assemble(words, &params, stats, &found, &refined, &shown, None))?;
        let words: Vec<Vec<u32>> = (0..k).map(|t| model.display_words(t, SHOWN)).collect();
        let together = WordCooccurrence::in_documents(&train, &words, ctx)?;
        let held =
            completion(model.topics(), model.weights(), &held_out_documents, params.seed, ctx)?;
        steps.push(Step {
            n_topics: k,
            perplexity: held.perplexity,
            perplexity_error: held.perplexity * held.standard_error,
            coherence: mean(&Measure::Npmi.topics(&together)),
            diversity: topic_diversity(&words),
            residual: residual.iter().sum::<f64>() / k as f64,
            stability: half_stability(&halves, k, &params, ctx),
            model,
        });
    }
    match why {
        Some(error) if steps.is_empty() => return Err(error),
        _ => {}
    }
    let tried: Vec<(usize, f64, f64)> =
        steps.iter().map(|s| (s.n_topics, s.perplexity, s.perplexity_error)).collect();
    let stability: Vec<Option<f64>> = steps.iter().map(|s| s.stability).collect();
    let (recommended, reason) = recommend(&tried, &stability);
    Ok(Sweep {
        steps,
        failed,
        documents: train.n_documents(),
        held_out: held_out_documents.n_documents(),
        recommended,
        reason,
    })
}

/// The K to take, and why. Of each K are given the perplexity, its standard error, and the stability.
fn recommend(tried: &[(usize, f64, f64)], stability: &[Option<f64>]) -> (usize, String) {
    let (fewest, best) = fewest_as_good(tried);
    let limit = tried.iter().find(|t| t.0 == best).map_or(f64::INFINITY, |t| t.1 + t.2);
    let as_good = || tried.iter().zip(stability).filter(|(t, _)| t.1 <= limit);
    let stablest = as_good().filter_map(|(_, s)| *s).fold(0.0, f64::max);
    let mut stable = as_good().filter(|(_, s)| s.is_some_and(|s| s >= stablest - AS_STABLE));
    let chosen = stable.next().map_or(fewest, |(t, _)| t.0);
    let first = if chosen == best {
        "it foretells the documents held out best".to_owned()
    } else {
        format!(
            "it foretells the documents held out as well as {best} topics do, within a standard error"
        )
    };
    let then = match (chosen == fewest, as_good().count() > 1) {
        (_, false) => "no other number of topics tried comes within a standard error",
        (true, _) => "fewer topics do worse or were not tried",
        (false, _) => "its topics are found again in other documents better than those of fewer",
    };
    (chosen, format!("{first}; {then}"))
}

/// The mean probability that matched topics of the two halves have in common.
fn half_stability<D: Documents>(
    halves: &[EmbeddingLadder<'_, D>],
    k: usize,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Option<f64> {
    let [one, other] = halves else { return None };
    let (one, other) = (one.found(k, params, ctx).ok()?, other.found(k, params, ctx).ok()?);
    let apart = l1_error(&one.estimate.topics, &other.estimate.topics);
    // Two distributions that are ℓ1 apart by d have 1 − d/2 in common.
    Some(1.0 - apart / (2.0 * k as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_within_a_standard_error_are_taken_unless_others_are_more_stable() {
        let tried = [(5, 130.0, 9.0), (10, 107.0, 9.0), (20, 104.0, 8.0), (40, 100.0, 8.0)];
        let choice = |stability: [Option<f64>; 4]| recommend(&tried, &stability).0;
        assert_eq!(choice([None; 4]), 10);
        assert_eq!(choice([Some(0.99), Some(0.7), Some(0.71), Some(0.5)]), 10);
        assert_eq!(choice([Some(0.99), Some(0.7), Some(0.9), Some(0.5)]), 20);
        let (k, reason) = recommend(&tried, &[Some(0.9), Some(0.7), Some(0.6), Some(0.5)]);
        assert!(k == 10 && reason.contains("as well as 40 topics"), "{reason}");
        let (k, reason) = recommend(&[(5, 200.0, 1.0), (9, 100.0, 1.0)], &[None, None]);
        assert!(k == 9 && reason.contains("no other"), "{reason}");
    }
}
