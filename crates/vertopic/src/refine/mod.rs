//! The last mile: topics that make the documents most likely, from where the geometry leaves off.
//!
//! EM for `c_dw ~ Multinomial(θ_d·β_w)`. A sweep infers the mixture of every document under the topics at hand, gives each
//! token to topics by the mixture of the *other* tokens of its document, `θ^−` (`infer/em_steps`), and then moves the topics to
//!
//! `β_wk ∝ Σ_d c_dw β_wk θ^−_dk / (θ^−_d·β_w) + η + g W β⁰_wk`
//!
//! where η is a uniform prior and `g W` tokens speak for the geometric topic β⁰. What they say counts less the more there
//! is to learn from: `g = min(1, geometry / r)`, where r is the number of tokens per topic and word. Every second sweep takes
//! a longer step than that, as long as it makes tokens more likely given the others. Mixtures are inferred anew in each
//! sweep and not kept, so memory is O(W·K) whatever the number of documents.
//!
//! Plain EM, in which a token also speaks for itself, learns short texts by heart: from the same start, 30 sweeps of it over
//! abstracts of 80 words made perplexity worse (805 to 931), and these better (to 774). Still, more likely is not always
//! better, and some documents judge instead of teach ([`ValidationSet`]). In every sweep one half of the tokens of each predicts the
//! other, and when that has become worse for a while, the best topics so far are taken back, which may be the geometric
//! ones. They also say how sure topics may be (`shrink`). In the end the judges teach, too, for up to [`FINAL_SWEEPS`] sweeps. In a
//! small collection there are no judges, and these few sweeps are all. A large collection teaches in lessons, each of which
//! counts as a sweep.

mod background;
mod mini_batches;
mod scorer;
mod sweep;
mod validation;

pub(crate) use background::smooth_with_background;
pub use validation::ValidationSet;

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::Documents;
use crate::error::Error;
use crate::estimate::Topics;
use crate::infer::TopicWordTable;
use mini_batches::{MiniBatches, TopicCounts};
use sweep::sweep;

/// Settings of the polish.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefineParams {
    /// Sweeps, at most; 0 leaves the topics as the geometry gives them.
    pub sweeps: usize,
    /// η: tokens of the uniform prior, per topic and word.
    pub smoothing: f64,
    /// How much the geometric topics count: as so many tokens per topic and word, but never more than one, over the number
    /// of tokens that there are per topic and word.
    pub geometry: f64,
}

impl RefineParams {
    /// No polish.
    pub const NONE: Self = Self { sweeps: 0, smoothing: 0.1, geometry: 1.0 };

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        for (name, value) in [("smoothing", self.smoothing), ("geometry", self.geometry)] {
            if !(value.is_finite() && value >= 0.0) {
                let rule = "a number, not negative";
                return Err(Error::Parameter { name, rule, value: value.to_string() });
            }
        }
        Ok(())
    }
}

impl Default for RefineParams {
    fn default() -> Self {
        Self { sweeps: 30, ..Self::NONE }
    }
}

/// Sweeps that the judges teach in, if what they judged has not become worse by more than a thousandth of a nat per token;
/// else one. With one, the errors of planted topics were 4 % larger for 500 documents, a tenth of which judge.
pub const FINAL_SWEEPS: usize = 3;
/// Sweeps without a better judgement after which the polish ends.
const PATIENCE: usize = 3;
/// It ends, too, when so many sweeps in a row gained together less than [`PLATEAU_GAIN`].
const PLATEAU_WINDOW: usize = 4;
/// In nats per token: a fifth of a percent of perplexity. Half of it takes five sweeps more on NIPS and KOS, for a twentieth
/// of a percent.
const PLATEAU_GAIN: f64 = 2e-3;
/// A loss that counts, in nats per token.
const TOLERATED_LOSS: f64 = 1e-3;
/// Every second sweep goes so many times as far as EM would, and the next mends what that overshoots: ten sweeps reach
/// what twenty plain ones do.
const OVER_RELAXATION: i32 = 3;

/// Polished topics.
#[derive(Debug, Clone)]
pub struct Refined {
    /// The topics, in their order.
    pub topics: Topics,
    /// Share of each topic in the documents' tokens.
    pub weights: Vec<f64>,
    /// How it went.
    pub report: RefineReport,
}

/// How a polish went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RefineReport {
    /// Sweeps done, those that were taken back and the last ones included.
    pub sweeps: usize,
    /// Sweeps that the topics have seen; 0 if the geometric ones were judged best.
    pub kept: usize,
    /// Documents that judged.
    pub validation_documents: usize,
    /// λ: how much of the mean of all topics the judges want in each.
    #[serde(default)]
    pub background_weight: f64,
    /// log-likelihood per token of the documents that taught, given the other tokens of its document, before each sweep.
    pub training_ll: Vec<f64>,
    /// log-likelihood per token that the judges saw, before each sweep.
    pub validation_ll: Vec<f64>,
}

/// Polishes topics. `weights` are their shares in the documents. The topics are to come from documents other
/// than the judges.
pub fn refine<D: Documents>(
    documents: &D,
    topics: &Topics,
    weights: &[f64],
    validation: ValidationSet,
    params: &RefineParams,
    ctx: &Context<'_>,
) -> Result<Refined, Error> {
    params.check()?;
    let start = TopicWordTable::new(topics, weights, documents.vocabulary().len(), ctx)?;
    let mut report = RefineReport::default();
    let mut table = start.clone();
    let mut best: Option<(usize, TopicWordTable)> = None;
    let mut step_length = StepLength::default();
    let mut counts_so_far: Option<TopicCounts> = None;
    let batches = MiniBatches::of(documents, &start, validation.seed(), ctx);
    // `done` sweeps have moved the topics that a sweep finds.
    for done in 0..(params.sweeps + 1).saturating_sub(FINAL_SWEEPS) {
        let sums = sweep(documents, &table, Some((validation, batches.of_step(done))), ctx);
        report.sweeps += 1;
        report.validation_documents = sums.scorer.documents;
        report.training_ll.push(sums.likelihood());
        let score = sums.scorer.per_token_score();
        let now =
            sums.topic_counts().step_towards(counts_so_far.take(), done, batches.parts(), ctx);
        if report.validation_documents == 0 {
            break; // nobody could tell when to stop
        }
        report.validation_ll.push(score);
        let before = best.as_ref().map(|&(at, _)| at);
        let better = before.is_none_or(|at| score > report.validation_ll[at]);
        let since = if better { 0 } else { before.map_or(0, |at| done - at) };
        let settled = done >= PLATEAU_WINDOW
            && score - report.validation_ll[done - PLATEAU_WINDOW] < PLATEAU_GAIN;
        let now = counts_so_far.insert(now);
        if since >= PATIENCE || settled || done + FINAL_SWEEPS == params.sweeps {
            if better {
                best = Some((done, table.clone()));
            }
            break;
        }
        // Likelihoods of different lessons do not compare.
        let power = if batches.parts() == 1 { step_length.next(&report.training_ll) } else { 1 };
        let next_table = next(&table, &start, now, params, power, ctx)?;
        let scored = std::mem::replace(&mut table, next_table);
        if better {
            best = Some((done, scored));
        }
    }
    drop(counts_so_far);
    let mut last = FINAL_SWEEPS.min(params.sweeps);
    if let Some((kept, topics)) = best {
        let lost =
            report.validation_ll.last().map_or(0.0, |last| report.validation_ll[kept] - last);
        if kept == 0 {
            last = 0; // the geometric topics are taken back
        } else if lost > TOLERATED_LOSS {
            last = 1; // past the best already: not much further
        } else if batches.parts() > 1 {
            last = last.min(2); // they take long, and what lessons taught is nearly settled
        }
        report.kept = kept;
        report.background_weight =
            background::share(documents, &topics.topics(ctx)?, &topics.weights(), validation, ctx)?;
        table = topics;
    }
    for left in (0..last).rev() {
        let sums = sweep(documents, &table, None, ctx);
        report.sweeps += 1;
        report.kept += 1;
        report.training_ll.push(sums.likelihood());
        table =
            next(&table, &start, &sums.topic_counts(), params, step_length.final_step(left), ctx)?;
    }
    if report.kept == 0 {
        let topics = smooth_with_background(topics, weights, report.background_weight, ctx)?;
        return Ok(Refined { topics, weights: weights.to_vec(), report });
    }
    let weights = table.weights();
    Ok(Refined {
        topics: smooth_with_background(
            &table.topics(ctx)?,
            &weights,
            report.background_weight,
            ctx,
        )?,
        weights,
        report,
    })
}

/// How far to go: by turns as far as EM, and further (over-relaxed EM; Salakhutdinov & Roweis 2003).
#[derive(Debug, Default)]
struct StepLength {
    sweeps: usize,
    /// A long step made the documents less likely; there are no more of them.
    plain_only: bool,
}

impl StepLength {
    /// The power of the next step, given the likelihood before each sweep so far.
    fn next(&mut self, likelihood: &[f64]) -> i32 {
        if let [.., before, now] = likelihood {
            self.plain_only |= now < before;
        }
        self.sweeps += 1;
        if self.plain_only || self.sweeps % 2 == 1 { 1 } else { OVER_RELAXATION }
    }

    /// The power of a step that so many others follow: the last is no long one, which none would mend.
    fn final_step(&self, left: usize) -> i32 {
        if self.plain_only || left.is_multiple_of(2) { 1 } else { OVER_RELAXATION }
    }
}

/// Tokens that taught, per topic and word.
fn per_entry(counts_so_far: &TopicCounts, table: &TopicWordTable) -> f64 {
    counts_so_far.tokens / (table.n_topics() * table.n_words()) as f64
}

/// The topics after a sweep: what it counted, and the prior. They move `power` times as far as that from the table at hand,
/// to `β (β′ / β)^power`.
fn next(
    table: &TopicWordTable,
    start: &TopicWordTable,
    counts_so_far: &TopicCounts,
    params: &RefineParams,
    power: i32,
    ctx: &Context<'_>,
) -> Result<TopicWordTable, Error> {
    let words = table.n_words();
    let geometry = (params.geometry / per_entry(counts_so_far, table)).min(1.0) * words as f64;
    let fill = |w: usize, row: &mut [f64]| {
        let counts = counts_so_far.word(w).iter().zip(start.word(w));
        for (to, (&count, &before)) in row.iter_mut().zip(counts) {
            let count = count as f64 / counts_so_far.unit;
            *to = count + params.smoothing + geometry * f64::from(before);
        }
        if power > 1 {
            let from = table.word(w).iter().map(|&from| f64::from(from));
            row.iter_mut().zip(from).for_each(|(to, from)| *to *= (*to / from).powi(power - 1));
        }
    };
    TopicWordTable::in_proportion(words, &counts_so_far.topics(ctx)[..table.n_topics()], fill, ctx)
        .ok_or(Error::NotConverged { what: "the polish of the topics" })
}

#[cfg(test)]
mod tests;
