//! How many topics?
//!
//! | here | question |
//! |---|---|
//! | [`choose_topics`] | which K, if nobody says? |
//! | [`sweep()`] | what is gained and lost from one K to the next? |
//!
//! Topics for many K come from one embedding: its leading dimensions are those of a smaller K. Some documents are held
//! out. Topics are scored on them by document completion, which gives a perplexity with a standard error. A K whose
//! perplexity is within one standard error of the best is as good as the best (the rule of Breiman, Friedman, Olshen &
//! Stone 1984, section 3.4.3), and among such the fewest topics are the easiest to read.

mod held_out;
mod ladder;
mod sweep;

pub use held_out::HeldOut;
pub use sweep::{Failed, Step, Sweep, sweep};

pub use crate::model::{TopicCountChoice, Trial};

use crate::context::Context;
use crate::corpus::{Documents, Subset};
use crate::embed::{EffectiveRank, effective_rank};
use crate::error::Error;
use crate::evaluate::{Completion, completion};
use crate::moments::{PairScheme, TokenPairs, WordStats};
use crate::pipeline::{FitParams, GeometricFit};
use crate::refine::RefineParams;
use ladder::EmbeddingLadder;

/// Largest number of topics that is chosen: nobody reads more.
pub const MOST: usize = 200;
/// Largest number of topics that is chosen when there are too few documents to hold some out.
const MOST_UNTESTED: usize = 20;
/// Numbers of topics that are tried, at most.
const TRIED: usize = 12;

/// Chooses the number of topics: of K₀, K₀/√2, K₀/2, … the smallest whose held-out perplexity is within one standard
/// error of the best. K₀ is the effective rank of the co-occurrence of words ([`effective_rank`]).
///
/// The seed and the embedding are those of `params`; everything else is the default, whatever method finds the topics
/// afterwards.
///
/// ```
/// use vertopic::{Context, CorpusBuilder, DocumentInfo, FitParams, choose_topics};
/// use vertopic::seed::{Seed, Stage};
/// let mut b = CorpusBuilder::with_words((0..40).map(|w| format!("w{w:02}")).collect());
/// for d in 0..400 {
///     // Every document is about one of four topics of ten words.
///     let mut random = Seed(1).stream(Stage::Tie, d);
///     let mut pairs: Vec<(u32, u32)> =
///         (0..30).map(|_| ((d % 4 * 10 + random.next_u64() % 10) as u32, 1)).collect();
///     b.push(&mut pairs, DocumentInfo::default())?;
/// }
/// let chosen = choose_topics(&b.finish()?, &FitParams::new(2), &Context::silent()?)?;
/// assert_eq!(chosen.n_topics, 4, "{}", chosen.reason);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn choose_topics<D: Documents>(
    documents: &D,
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<TopicCountChoice, Error> {
    let embed = params.embed().cloned().unwrap_or_default();
    let stats = WordStats::of(documents, TokenPairs::new(params.seed(), PairScheme::All), ctx)?;
    let found = effective_rank(documents, &stats, &embed, ctx)?;
    let held_out = HeldOut::new(params.seed(), documents.n_documents());
    let scored = Subset::new(documents, held_out, ctx)?;
    let dimensions = found.rank;
    let rank = rank_in_words(&found);
    if scored.n_documents() < HeldOut::FEWEST || dimensions <= 2 {
        let n_topics = dimensions.clamp(2, MOST_UNTESTED);
        let untested = format!("{rank}; there are too few documents to hold some out");
        let reason = if dimensions <= 2 { rank } else { untested };
        return Ok(TopicCountChoice { n_topics, reason, dimensions, tried: Vec::new() });
    }
    let train = Subset::without(documents, held_out, ctx)?;
    // The default method on this embedding, without refinement.
    let quick = FitParams::new(2).with_seed(params.seed()).with_embed(embed);
    let quick = quick.with_refine(RefineParams::NONE);
    let tried = tried(&train, &scored, &ladder(dimensions.min(MOST)), &quick, ctx)?;
    let (n_topics, best) = smallest_as_good(&tried);
    let reason = if n_topics == best {
        format!("{rank}; {n_topics} topics have the best held-out perplexity")
    } else {
        format!(
            "{rank}; {n_topics} is the smallest K whose held-out perplexity is within one standard error of the best ({best} topics)"
        )
    };
    Ok(TopicCountChoice { n_topics, reason, dimensions, tried })
}

fn rank_in_words(found: &EffectiveRank) -> String {
    let least = if found.is_open() { "at least " } else { "" };
    format!("the co-occurrence of words has {least}{} significant dimensions", found.rank)
}

/// K₀, K₀/√2, K₀/2, …, smallest first.
fn ladder(most: usize) -> Vec<usize> {
    let rung = |i: usize| (most as f64 / libm::pow(2.0, i as f64 / 2.0)).round() as usize;
    let mut all: Vec<usize> = (0..TRIED).map(rung).filter(|&k| k >= 2).collect();
    all.dedup();
    all.reverse();
    all
}

/// Topics for each K of the ladder, scored on the held-out documents. A K without topics is left out.
fn tried(
    train: &impl Documents,
    held_out: &impl Documents,
    ladder: &[usize],
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<Vec<Trial>, Error> {
    let embeddings = EmbeddingLadder::new(train, params, ladder[ladder.len() - 1], ctx)?;
    let (mut tried, mut why) = (Vec::new(), None);
    for &n_topics in ladder {
        match embeddings.fit(&params.clone().with_topics(n_topics), ctx) {
            Ok(GeometricFit { estimate, .. }) => {
                let weights: Vec<f32> = estimate.weights.iter().map(|&a| a as f32).collect();
                let score = completion(&estimate.topics, &weights, held_out, params.seed(), ctx)?;
                tried.push(trial(n_topics, &score));
            }
            Err(error) if error.is_failed_pass() => return Err(error),
            Err(error) => why = Some(error),
        }
    }
    match why {
        Some(error) if tried.is_empty() => Err(error),
        _ => Ok(tried),
    }
}

fn trial(n_topics: usize, score: &Completion) -> Trial {
    let Completion { perplexity, standard_error, .. } = *score;
    Trial { n_topics, perplexity, perplexity_error: perplexity * standard_error }
}

/// The smallest K within one standard error of the best perplexity, and the K that has the best.
fn smallest_as_good(tried: &[Trial]) -> (usize, usize) {
    let best = tried.iter().fold(tried[0], |a, b| if b.perplexity < a.perplexity { *b } else { a });
    let limit = best.perplexity + best.perplexity_error;
    let smallest = tried.iter().find(|t| t.perplexity <= limit).unwrap_or(&best);
    (smallest.n_topics, best.n_topics)
}

#[cfg(test)]
mod tests;
