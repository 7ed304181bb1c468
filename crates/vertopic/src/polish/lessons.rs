//! A large collection teaches a part at a time: topics move after each lesson, not only after the last.
//!
//! Stepwise EM (Cappé & Moulines 2009; Liang & Klein 2009). What has been counted so far, S, moves towards what lesson t
//! counts, as if all documents were like those of the lesson: `S ← S + ρ_t (parts · S_t − S)`, `ρ_t = (t + 1)^−κ`. A keyed
//! die decides for each document which lesson it is in, so that their order does not matter.

use crate::corpus::{Accumulator, Document, Documents};
use crate::infer::Table;
use crate::lanes::LANES;
use crate::run::Run;
use crate::seed::{Seed, Stage};

/// A lesson has at least so many tokens,
const TOKENS: u64 = if cfg!(test) { 150_000 } else { 2_000_000 };
/// and so many per topic and word.
const PER_ENTRY: u64 = 1;
/// κ. Less forgets sooner, and what is left to the chance of a lesson then makes topics worse again.
const FORGET: f64 = 0.6;

/// How a collection is cut into lessons.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lessons {
    seed: Seed,
    parts: u64,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lesson {
    all: Lessons,
    part: u64,
}

impl Lessons {
    /// As many lessons as there are tokens for.
    pub(super) fn of<D: Documents>(
        documents: &D,
        table: &Table,
        seed: Seed,
        run: &Run<'_>,
    ) -> Self {
        let tokens = documents.pass("choosing documents", run, || Tokens(0)).0;
        let entries = (table.n_words() * table.n_topics()) as u64;
        Self { seed, parts: (tokens / TOKENS.max(PER_ENTRY * entries)).max(1) }
    }

    /// How many.
    pub(super) fn parts(self) -> u64 {
        self.parts
    }

    /// The lesson of a step: one after the other, and from the beginning again.
    pub(super) fn of_step(self, step: usize) -> Lesson {
        Lesson { all: self, part: step as u64 % self.parts }
    }
}

impl Lesson {
    /// Whether a document is taught in it.
    pub(super) fn has(self, document: Document<'_>) -> bool {
        let Lessons { seed, parts } = self.all;
        parts == 1 || seed.stream(Stage::Lesson, document.key.0).next_u64() % parts == self.part
    }
}

struct Tokens(u64);

impl Accumulator for Tokens {
    fn add(&mut self, document: Document<'_>) {
        self.0 += document.tokens();
    }

    fn merge(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// Tokens of each word that fall to each topic, by what has been taught.
#[derive(Debug)]
pub(super) struct Learnt {
    pub(super) lanes: usize,
    pub(super) counts: Vec<[i64; LANES]>,
    /// 1 in the counts.
    pub(super) unit: f64,
    pub(super) tokens: f64,
}

impl Learnt {
    /// Tokens of a word that fall to a topic.
    pub(super) fn count(&self, word: usize, topic: usize) -> f64 {
        self.counts[word * self.lanes + topic / LANES][topic % LANES] as f64 / self.unit
    }

    /// Tokens that fall to a topic.
    pub(super) fn topic(&self, topic: usize) -> f64 {
        (0..self.counts.len() / self.lanes.max(1)).map(|w| self.count(w, topic)).sum()
    }

    /// What is known after the lesson of a step, which this is, and what came before.
    pub(super) fn after(mut self, before: Option<Self>, step: usize, parts: u64) -> Self {
        if parts == 1 {
            return self;
        }
        let share = libm::pow((step + 1) as f64, -FORGET);
        let gain = share * parts as f64;
        let Some(before) = before else {
            self.counts.iter_mut().flatten().for_each(|c| *c *= parts as i64);
            self.tokens *= parts as f64;
            return self;
        };
        let old = before.counts.iter().flatten();
        for (new, old) in self.counts.iter_mut().flatten().zip(old) {
            *new = (gain * *new as f64 + (1.0 - share) * *old as f64).round_ties_even() as i64;
        }
        self.tokens = gain * self.tokens + (1.0 - share) * before.tokens;
        self
    }
}
