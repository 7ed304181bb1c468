//! Held-out score of a set of topics: in each document one half of the tokens predicts the other.

use crate::corpus::{Document, SumFields};
use crate::error::Error;
use crate::infer::EmStep::Full;
use crate::infer::{EmSchedule, MixtureSolver, TopicWordTable};
use crate::refine::sweep::{Log, fixed_log, per_token};

/// A few EM steps: the next sweep infers mixtures anew. On NIPS they leave .001 nats a token.
const VALIDATION_STEPS: EmSchedule =
    EmSchedule::fixed(&[Full(1), Full(2), Full(0), Full(3), Full(1), Full(2), Full(0), Full(0)]);

/// Sums of the scores so far.
pub(super) struct HeldOutScorer<'t> {
    solver: MixtureSolver<'t>,
    /// Pseudo-tokens of the prior of a mixture.
    prior: f32,
    /// The current document: its words, their counts in the observed half, and in the predicted half.
    words: Vec<u32>,
    halves: [Vec<u32>; 2],
    pub(super) documents: usize,
    tokens: u64,
    logs: i128,
}

impl<'t> HeldOutScorer<'t> {
    pub(super) fn new(table: &'t TopicWordTable, prior: f32) -> Self {
        Self {
            solver: MixtureSolver::new(table),
            prior,
            words: Vec::new(),
            halves: [Vec::new(), Vec::new()],
            documents: 0,
            tokens: 0,
            logs: 0,
        }
    }

    /// Scores `document`: every second token is observed and predicts the others.
    pub(super) fn score(&mut self, document: Document<'_>) {
        let [observed, predicted] = &mut self.halves;
        self.words.clear();
        observed.clear();
        predicted.clear();
        let mut before = 0_u64;
        for (w, c) in document.entries() {
            let odd = u32::from(before % 2 == 1);
            let first = (c + 1 - odd) / 2;
            self.words.push(w);
            observed.push(first);
            predicted.push(c - first);
            before += u64::from(c);
        }
        self.solver.load(&self.words);
        self.solver.improve(observed, self.prior, VALIDATION_STEPS);
        let mut log = Log::default();
        for (&w, &c) in self.words.iter().zip(predicted.iter()).filter(|(_, c)| **c > 0) {
            log.add(self.solver.probability(w), c);
        }
        self.documents += 1;
        self.tokens += document.tokens() / 2;
        self.logs += i128::from(fixed_log(log.value()));
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.documents += other.documents;
        self.tokens += other.tokens;
        self.logs += other.logs;
    }

    /// Names the sums.
    pub(super) fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.size(&mut self.documents)?;
        fields.count(&mut self.tokens)?;
        fields.wide(&mut self.logs)
    }

    /// Log-likelihood per predicted token.
    pub(super) fn per_token_score(&self) -> f64 {
        per_token(self.logs, self.tokens)
    }
}
