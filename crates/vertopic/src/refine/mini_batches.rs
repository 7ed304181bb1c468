//! A large collection teaches a part at a time: topics move after each lesson, not only after the last.
//!
//! Stepwise EM (Cappé & Moulines 2009; Liang & Klein 2009). What has been counted so far, S, moves towards what lesson t
//! counts, as if all documents were like those of the lesson: `S ← S + ρ_t (parts · S_t − S)`, `ρ_t = (t + 1)^−κ`. A keyed
//! die decides for each document which lesson it is in, so that their order does not matter.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{Accumulator, Document, Documents};
use crate::exact;
use crate::infer::TopicWordTable;
use crate::moments::add_all;
use crate::seed::{Seed, Stage};
use crate::simd::{Aligned, LANES};

/// A lesson has at least so many tokens,
const TOKENS: u64 = if cfg!(test) { 150_000 } else { 2_000_000 };
/// and so many per topic and word.
const PER_ENTRY: u64 = 1;
/// With fewer lessons than this there is one, of all: topics move further by sweeps over all documents, which may take long
/// steps. On 4.7 million tokens of abstracts 20 of those ended at a perplexity of 759, and 28 of two lessons by turns at 769.
const FEWEST: u64 = 6;
/// κ. Less forgets sooner, and what is left to the chance of a lesson then makes topics worse again.
const STEP_DECAY: f64 = 0.6;

/// Lanes of counts that a thread deals with at a time, at least.
const CHUNK: usize = 4096;

/// How a collection is cut into lessons.
#[derive(Debug, Clone, Copy)]
pub(super) struct MiniBatches {
    seed: Seed,
    parts: u64,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct MiniBatch {
    all: MiniBatches,
    part: u64,
}

impl MiniBatches {
    /// As many lessons as there are tokens for, if they are not too few.
    pub(super) fn of<D: Documents>(
        documents: &D,
        table: &TopicWordTable,
        seed: Seed,
        ctx: &Context<'_>,
    ) -> Self {
        let tokens = documents.pass("choosing documents", ctx, || Tokens(0)).0;
        let entries = (table.n_words() * table.n_topics()) as u64;
        let parts = tokens / TOKENS.max(PER_ENTRY * entries);
        Self { seed, parts: if parts < FEWEST { 1 } else { parts } }
    }

    /// How many.
    pub(super) fn parts(self) -> u64 {
        self.parts
    }

    /// The lesson of a step: one after the other, and from the beginning again.
    pub(super) fn of_step(self, step: usize) -> MiniBatch {
        MiniBatch { all: self, part: step as u64 % self.parts }
    }
}

impl MiniBatch {
    /// Whether a document is taught in it.
    pub(super) fn has(self, document: Document<'_>) -> bool {
        let MiniBatches { seed, parts } = self.all;
        parts == 1 || seed.stream(Stage::MiniBatch, document.key.0).next_u64() % parts == self.part
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
pub(super) struct TopicCounts {
    pub(super) lanes: usize,
    pub(super) counts: Aligned<i64, LANES>,
    /// 1 in the counts.
    pub(super) unit: f64,
    pub(super) tokens: f64,
}

impl TopicCounts {
    /// Tokens of a word that fall to each topic, in units.
    pub(super) fn word(&self, word: usize) -> &[i64] {
        self.counts[word * self.lanes..(word + 1) * self.lanes].as_flattened()
    }

    /// Tokens that fall to each topic.
    pub(super) fn topics(&self, ctx: &Context<'_>) -> Vec<f64> {
        let lanes = self.lanes.max(1);
        let none = || vec![0_i64; self.lanes * LANES];
        let sum = |rows: &[[i64; LANES]]| {
            let mut sums = none();
            rows.chunks(lanes).for_each(|row| add_all(&mut sums, row.as_flattened()));
            sums
        };
        let both = |mut a: Vec<i64>, b: Vec<i64>| {
            add_all(&mut a, &b);
            a
        };
        let parts = self.counts.par_chunks(CHUNK.next_multiple_of(lanes));
        let sums = ctx.install(|| parts.map(sum).reduce(none, both));
        sums.iter().map(|&sum| sum as f64 / self.unit).collect()
    }

    /// What is known after the lesson of a step, which this is, and what came before.
    pub(super) fn step_towards(
        mut self,
        before: Option<Self>,
        step: usize,
        parts: u64,
        ctx: &Context<'_>,
    ) -> Self {
        if parts == 1 {
            return self;
        }
        let share = libm::pow((step + 1) as f64, -STEP_DECAY);
        let gain = share * parts as f64;
        let Some(before) = before else {
            self.counts.iter_mut().flatten().for_each(|c| *c *= parts as i64);
            self.tokens *= parts as f64;
            return self;
        };
        let both = self.counts.par_iter_mut().zip(&before.counts[..]).with_min_len(CHUNK);
        ctx.install(|| {
            both.for_each(|(new, old)| {
                for (new, &old) in new.iter_mut().zip(old) {
                    *new = exact::nearest(gain * *new as f64 + (1.0 - share) * old as f64);
                }
            });
        });
        self.tokens = gain * self.tokens + (1.0 - share) * before.tokens;
        self
    }
}
