//! One sweep over the documents: what they say of the topics, and how the judges find them.

use crate::context::Context;
use crate::corpus::{Accumulator, Document, Documents};
use crate::exact;
use crate::infer::EmStep::{Full, LeaveOneOut};
use crate::infer::{EmSchedule, LeftOut, MixtureSolver, TopicWordTable};
use crate::moments::{Contribution, ScatterAdd};
use crate::refine::ValidationSet;
use crate::refine::mini_batches::{MiniBatch, TopicCounts};
use crate::refine::scorer::HeldOutScorer;
use crate::simd::{self, Kernel, Lane, Rows, Simd};

/// Tokens that the prior of a mixture is worth while a document teaches. What mixtures lack in sharpness topics make
/// up for, so it is less than in an inference: planted topics come out nearest to the truth so.
const TRAINING_PRIOR: f32 = 0.3;
/// The rounds of EM while a document teaches and judges look on. Few are enough: the next sweep will find mixtures again.
const TRAINING_STEPS: EmSchedule = EmSchedule::fixed(&[Full(1), Full(2), LeaveOneOut(2)]);
/// The rounds of the last sweeps, on which mixtures settle. What mixtures lack topics make up for, and keep: without these the
/// errors of planted topics were 8 % larger for 10,000 documents, and 12 % for documents of 1,000 tokens.
const FINAL_STEPS: EmSchedule = EmSchedule::fixed(&[
    Full(1),
    Full(2),
    LeaveOneOut(0),
    LeaveOneOut(3),
    LeaveOneOut(1),
    LeaveOneOut(2),
    LeaveOneOut(0),
    LeaveOneOut(0),
]);
/// The same while a document judges: as in an inference.
const VALIDATION_PRIOR: f32 = 1.0;
/// Binary digits behind the point of a log-likelihood.
const LOG_BITS: i32 = 20;

/// Runs a sweep: all documents teach, or those of a lesson and the judges judge.
pub(super) fn sweep<'t, D: Documents>(
    documents: &D,
    table: &'t TopicWordTable,
    validation: Option<(ValidationSet, MiniBatch)>,
    ctx: &Context<'_>,
) -> Sums<'t> {
    let up = libm::ldexp(1.0, COUNT_BITS);
    documents.pass("polishing topics", ctx, || Sums {
        table,
        solver: MixtureSolver::new(table),
        batch: validation,
        up: up as f32,
        shares: Vec::new(),
        spare: Rows::zeros(table.lanes()),
        counts: ScatterAdd::new(table.n_words(), table.lanes(), Some(table.rows()), TOKENS),
        tokens: 0,
        logs: 0,
        scorer: HeldOutScorer::new(table, VALIDATION_PRIOR),
    })
}

/// Binary digits behind the point of a count. An `f32` has 24 digits in all, and 2⁴² tokens of one word in one
/// topic are still far from the end of an `i64`.
const COUNT_BITS: i32 = 20;
/// Tokens that can be counted in 31 bits, with room for rounding.
const TOKENS: u16 = (1 << 11) - 48;

/// What a sweep sums.
pub(super) struct Sums<'t> {
    table: &'t TopicWordTable,
    solver: MixtureSolver<'t>,
    batch: Option<(ValidationSet, MiniBatch)>,
    up: f32,
    /// What a document has for each of its words.
    shares: Vec<Contribution>,
    spare: Rows,
    /// Tokens of each word that fall to each topic.
    counts: ScatterAdd<'t>,
    /// Tokens of the documents that taught.
    tokens: u64,
    logs: i64,
    pub(super) scorer: HeldOutScorer<'t>,
}

impl Sums<'_> {
    /// What the documents taught.
    pub(super) fn topic_counts(self) -> TopicCounts {
        let (lanes, unit) = (self.table.lanes(), f64::from(self.up));
        TopicCounts { lanes, counts: self.counts.sums, unit, tokens: self.tokens as f64 }
    }

    /// log-likelihood per token of the documents that taught.
    pub(super) fn likelihood(&self) -> f64 {
        per_token(self.logs, self.tokens)
    }

    fn accumulate(&mut self, document: Document<'_>) {
        self.solver.load(document.words);
        let em_steps = if self.batch.is_some() { TRAINING_STEPS } else { FINAL_STEPS };
        self.solver.improve(document.counts, TRAINING_PRIOR, em_steps);
        let MixtureSolver { rows, theta, .. } = &self.solver;
        let Self { shares, spare, up, .. } = self;
        let tokens = document.tokens();
        let share = Share {
            document,
            rows,
            theta,
            total: tokens as f32 + TRAINING_PRIOR,
            up: *up,
            shares,
            spare,
        };
        self.logs += fixed_log(simd::run(share));
        self.counts.push(theta, shares.iter().copied());
        self.tokens += tokens;
    }
}

/// What each word of a document is to give to its topics, by the shares that the document's other tokens have in them. Gives
/// the log-likelihood of each token, given the others.
struct Share<'a> {
    document: Document<'a>,
    rows: &'a [Lane],
    theta: &'a [Lane],
    /// Tokens of the document and of the prior.
    total: f32,
    up: f32,
    shares: &'a mut Vec<Contribution>,
    spare: &'a mut [Lane],
}

impl Kernel for Share<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> f64 {
        let Self { document, rows, theta, total, up, shares, spare } = self;
        let (theta, spare) = (L::view(theta), L::view_mut(spare));
        let mut log = Log::default();
        shares.clear();
        for (row, (word, count)) in L::view(rows).chunks_exact(theta.len()).zip(document.entries())
        {
            let LeftOut { own, rest } = LeftOut::of(simd, row, theta, total, spare);
            log.add(rest * (total / (total - 1.0)), count);
            shares.push(Contribution {
                word,
                weight: count,
                factor: up * count as f32 / rest,
                own,
            });
        }
        log.value()
    }
}

/// A word that occurs more often has a logarithm of its own.
const MANY: u32 = 12;

/// A sum of logarithms: of products of several probabilities, as far as these do not become too small.
pub(super) struct Log {
    product: f64,
    sum: f64,
}

impl Default for Log {
    fn default() -> Self {
        Self { product: 1.0, sum: 0.0 }
    }
}

impl Log {
    /// Adds `count · log(p)`.
    #[inline(always)]
    pub(super) fn add(&mut self, p: f32, count: u32) {
        let p = f64::from(p); // above 10⁻³⁸
        if count > MANY {
            self.sum += f64::from(count) * libm::log(p);
            return;
        }
        for _ in 0..count / 3 {
            self.times(p * p * p);
        }
        match count % 3 {
            1 => self.times(p),
            2 => self.times(p * p),
            _ => {}
        }
    }

    #[inline(always)]
    fn times(&mut self, p: f64) {
        self.product *= p;
        if self.product < 1e-200 {
            self.sum += libm::log(self.product);
            self.product = 1.0;
        }
    }

    pub(super) fn value(&self) -> f64 {
        self.sum + libm::log(self.product)
    }
}

pub(super) fn fixed_log(log: f64) -> i64 {
    exact::nearest(libm::ldexp(log, LOG_BITS))
}

pub(super) fn per_token(fixed: i64, tokens: u64) -> f64 {
    if tokens == 0 { 0.0 } else { libm::ldexp(fixed as f64, -LOG_BITS) / tokens as f64 }
}

impl Accumulator for Sums<'_> {
    fn add(&mut self, document: Document<'_>) {
        if document.words.is_empty() {
            return;
        }
        match self.batch {
            Some((validation, _)) if validation.has(document) => self.scorer.score(document),
            Some((_, batch)) if !batch.has(document) => {}
            _ => self.accumulate(document),
        }
    }

    fn finish(&mut self) {
        self.counts.flush();
    }

    fn merge(&mut self, other: Self) {
        self.counts.merge(&other.counts);
        self.tokens += other.tokens;
        self.logs += other.logs;
        self.scorer.merge(&other.scorer);
    }
}
