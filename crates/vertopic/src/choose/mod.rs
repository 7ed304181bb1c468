//! How many topics?
//!
//! | here | question |
//! |---|---|
//! | [`choose_topics`] | which K, if nobody says? |
//! | [`sweep()`] | what is gained and lost from one K to the next? |
//!
//! Topics of many K come from one embedding: the leading dimensions are those of a smaller K. Some documents
//! have no part in it; they are foretold from the topics (document completion), and the perplexity has a
//! standard error. A K whose perplexity is within one standard error of the best is as good as the best
//! (the rule of Breiman, Friedman, Olshen & Stone 1984, section 3.4.3), and among such the fewest topics are
//! the easiest to read.

mod held_out;
mod ladder;
mod sweep;

pub use held_out::HeldOut;
pub use sweep::{Failed, Step, Sweep, sweep};

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::{Documents, Subset};
use crate::embed::{EffectiveRank, EmbedParams, effective_rank};
use crate::error::Error;
use crate::evaluate::completion;
use crate::model::TopicModel;
use crate::moments::{PairScheme, WordStats};
use crate::pipeline::FitParams;
use crate::refine::RefineParams;
use ladder::EmbeddingLadder;

/// A number of topics, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopicCountChoice {
    /// K.
    pub n_topics: usize,
    /// Why, in words.
    pub reason: String,
    /// Dimensions of the co-occurrence that are real: more topics than this cannot be told apart.
    pub dimensions: usize,
    /// The K that were tried, with the perplexity of the documents held out and its standard error.
    pub tried: Vec<(usize, f64, f64)>,
}

/// Topics at most that are chosen without being asked for: nobody reads more.
pub const MOST: usize = 200;
/// Without enough documents to hold some out, at most so many.
const MOST_UNTESTED: usize = 20;
/// Numbers of topics that are tried, at most.
const TRIED: usize = 12;

/// Chooses the number of topics: of K₀, K₀/√2, K₀/2, … the fewest that foretell documents as well as the best
/// of them, within one standard error. K₀ is the number of dimensions that are real ([`effective_rank`]).
///
/// The seed and the embedding are those of the parameters; all else is the default, whatever the
/// method that the topics are then found by.
///
/// ```
/// use vertopic::{FitParams, choose_topics, corpus::{CorpusBuilder, DocumentInfo}, context::Context};
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
    let embed = params.embed.clone().unwrap_or_default();
    let stats = WordStats::of(documents, params.seed, PairScheme::All, ctx)?;
    let found = effective_rank(documents, &stats, &embed, ctx)?;
    let held_out = HeldOut::new(params.seed, documents.n_documents());
    let held_out_documents = Subset::new(documents, held_out, ctx)?;
    let dimensions = found.rank;
    let real = real_in_words(&found);
    if held_out_documents.n_documents() < HeldOut::FEWEST || dimensions <= 2 {
        let n_topics = dimensions.clamp(2, MOST_UNTESTED);
        let reason = format!("{real}, and there are too few documents to hold some out");
        let reason = if dimensions <= 2 { real } else { reason };
        return Ok(TopicCountChoice { n_topics, reason, dimensions, tried: Vec::new() });
    }
    let train = Subset::without(documents, held_out, ctx)?;
    let params = trial(params, embed);
    let tried = tried(&train, &held_out_documents, &ladder(dimensions.min(MOST)), &params, ctx)?;
    let (n_topics, best) = fewest_as_good(&tried);
    let reason = if n_topics == dimensions {
        format!("{real}, and fewer topics foretell documents less well")
    } else if best == n_topics {
        format!("{real}, and so many topics foretell documents best")
    } else {
        format!(
            "{real}, and so many topics foretell documents as well as {best} do, within a standard error"
        )
    };
    Ok(TopicCountChoice { n_topics, reason, dimensions, tried })
}

impl TopicModel {
    /// The same model with a note on how its number of topics was chosen, `chosen` among its parameters.
    pub fn with_chosen(self, chosen: &TopicCountChoice) -> Result<Self, Error> {
        let note = serde_json::to_value(chosen).map_err(|e| Error::BadModel(e.to_string()))?;
        self.with_parameter("chosen", note)
    }
}

fn real_in_words(found: &EffectiveRank) -> String {
    let least = if found.is_open() { "at least " } else { "" };
    format!("{least}{} dimensions of the co-occurrence of words are real", found.rank)
}

/// The default method on this embedding, without a polish.
fn trial(params: &FitParams, embed: EmbedParams) -> FitParams {
    let (seed, embed) = (params.seed, Some(embed));
    FitParams { seed, embed, refine: RefineParams::NONE, ..FitParams::new(2) }
}

/// K₀, K₀/√2, K₀/2, …, smallest first.
fn ladder(most: usize) -> Vec<usize> {
    let rung = |i: usize| (most as f64 / libm::pow(2.0, i as f64 / 2.0)).round() as usize;
    let mut all: Vec<usize> = (0..TRIED).map(rung).filter(|&k| k >= 2).collect();
    all.dedup();
    all.reverse();
    all
}

/// K, perplexity and its standard error, for each K at which there are topics.
fn tried(
    train: &impl Documents,
    held_out_documents: &impl Documents,
    ladder: &[usize],
    params: &FitParams,
    ctx: &Context<'_>,
) -> Result<Vec<(usize, f64, f64)>, Error> {
    let embeddings = EmbeddingLadder::new(train, params, ladder[ladder.len() - 1], ctx)?;
    let (mut tried, mut why) = (Vec::new(), None);
    for &k in ladder {
        match embeddings.found(k, params, ctx) {
            Ok(found) => {
                let estimate = found.estimate;
                let weights: Vec<f32> = estimate.weights.iter().map(|&a| a as f32).collect();
                let c =
                    completion(&estimate.topics, &weights, held_out_documents, params.seed, ctx)?;
                tried.push((k, c.perplexity, c.perplexity * c.standard_error));
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

/// The fewest topics within one standard error of the best perplexity, and the best.
fn fewest_as_good(tried: &[(usize, f64, f64)]) -> (usize, usize) {
    let best = tried.iter().fold(tried[0], |a, b| if b.1 < a.1 { *b } else { a });
    let fewest = tried.iter().find(|t| t.1 <= best.1 + best.2).unwrap_or(&best);
    (fewest.0, best.0)
}

#[cfg(test)]
mod tests;
