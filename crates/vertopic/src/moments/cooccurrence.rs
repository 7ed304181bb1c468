//! Blocks of the normalised co-occurrence matrix `C = M X~′ X~ᵀ` (paper, Algorithm 1, line 3).
//!
//! `C_ij` converges to `β~_i R β~_jᵀ`: the inner product of the patterns of words i and j over the
//! documents, with the sampling noise averaged out because the two tokens of a pair are independent.
//! With a split and finitely many documents `C` is not symmetric; both triangles are kept, since the
//! distance `D_ij = C_ii − C_ij − C_ji + C_jj` needs them (the paper prints `2 C_ij`, its limit).
//!
//! Only a block of rows by a set of columns is ever held. The cost of a pass is that of the pairs of distinct words of each
//! document, `O(M N²)` at most.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, Documents, Pass, PassReader, PassWriter, SumFields, Vocabulary,
};
use crate::error::Error;
use crate::exact::{self, ExactSums, PAIR_BITS};
use crate::moments::SufficientStats;
use crate::moments::cooccurrence_accumulator::CooccurrenceAccumulator;
use crate::moments::split::{Half, Halves, PairScheme, Splitter, TokenPairs};
use crate::moments::word_stats::WordStats;
use crate::seed::Seed;

/// `C_ij` and `C_ji` for some rows i and some columns j.
#[derive(Debug, Clone)]
pub struct Cooccurrence {
    columns: usize,
    forward: Vec<f64>,
    backward: Vec<f64>,
}

impl Cooccurrence {
    /// The block of `rows` × `columns` (word ids).
    pub fn of<S: SufficientStats>(
        source: &S,
        stats: &WordStats,
        rows: &[u32],
        columns: &[u32],
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let sums = source.pair_sums(stats.token_pairs(), rows, columns, ctx)?;
        let m = stats.paired as f64;
        let scale = |sums: &ExactSums, row_sums: &[f64], column_sums: &[f64]| -> Vec<f64> {
            let width = columns.len().max(1);
            let mut out: Vec<f64> = ctx.zeros(sums.len());
            let lines = out.par_chunks_mut(width).zip(rows).enumerate();
            ctx.install(|| {
                lines.for_each(|(r, (out, &i))| {
                    let row = row_sums[i as usize];
                    for ((at, out), &j) in (r * width..).zip(out).zip(columns) {
                        let both = row * column_sums[j as usize];
                        if both > 0.0 {
                            *out = m * exact::scaled(sums.value(at), PAIR_BITS) / both;
                        }
                    }
                });
            });
            out
        };
        Ok(Self {
            columns: columns.len(),
            forward: scale(&sums.forward, &stats.second, &stats.first),
            backward: scale(&sums.backward, &stats.first, &stats.second),
        })
    }

    /// `C_ij = M ⟨X~′_i, X~_j⟩` of a row, by position of the columns.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.forward[row * self.columns..(row + 1) * self.columns]
    }

    /// `C_ji = M ⟨X~′_j, X~_i⟩` of a row, by position of the columns.
    pub fn row_transposed(&self, row: usize) -> &[f64] {
        &self.transposed()[row * self.columns..(row + 1) * self.columns]
    }

    /// `D_ij = M (X~_i − X~_j)(X~′_i − X~′_j)ᵀ`, where `c_ii` and `c_jj` come from [`WordStats::diagonal`].
    pub fn distance(&self, row: usize, column: usize, c_ii: f64, c_jj: f64) -> f64 {
        let at = row * self.columns + column;
        c_ii - self.forward[at] - self.transposed()[at] + c_jj
    }

    fn transposed(&self) -> &[f64] {
        if self.backward.is_empty() { &self.forward } else { &self.backward }
    }
}

/// Exact sums of pairs, with [`PAIR_BITS`], for some rows and some columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSums {
    /// The row's word on the second side, the column's on the first: the numerator of `C_ij`.
    pub forward: ExactSums,
    /// The row's word on the first side, the numerator of `C_ji`. Empty for all pairs of tokens: both are equal then.
    pub backward: ExactSums,
}

/// The sums for `rows` × `columns` (word ids), from one pass over the documents.
pub(super) fn pair_sums<D: Documents>(
    documents: &D,
    pairs: TokenPairs,
    rows: &[u32],
    columns: &[u32],
    ctx: &Context<'_>,
) -> Result<PairSums, Error> {
    let words = documents.vocabulary().len();
    let pass = CountPairs::new(pairs.seed, pairs.scheme, rows.to_vec(), columns.to_vec(), words);
    let counted = documents.pass(&pass, ctx)?;
    let progress = ctx.stage(CountPairs::STAGE, 1 + u64::from(counted.backward.is_some()));
    let sums = |side: CooccurrenceAccumulator| {
        let sums = side.sums(ctx);
        progress.advance(1);
        sums
    };
    Ok(PairSums {
        forward: sums(counted.forward),
        backward: counted.backward.map_or_else(ExactSums::default, sums),
    })
}

/// The share of the memory for a pass that documents may take while they wait.
const WAITING_SHARE: usize = 4;

/// The middle value; 0 without values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// For each word its position in `chosen`, or `u32::MAX`.
pub(crate) fn positions(chosen: &[u32], words: usize) -> Vec<u32> {
    let mut at = vec![u32::MAX; words];
    for (position, &word) in chosen.iter().enumerate() {
        at[word as usize] = position as u32;
    }
    at
}

/// The pass behind [`PairSums`].
#[derive(Debug)]
pub(crate) struct CountPairs {
    seed: Seed,
    pairs: PairScheme,
    rows: Vec<u32>,
    columns: Vec<u32>,
    row_of: Vec<u32>,
    column_of: Vec<u32>,
}

impl CountPairs {
    fn new(seed: Seed, pairs: PairScheme, rows: Vec<u32>, columns: Vec<u32>, words: usize) -> Self {
        let (row_of, column_of) = (positions(&rows, words), positions(&columns, words));
        Self { seed, pairs, rows, columns, row_of, column_of }
    }
}

impl Pass for CountPairs {
    const NAME: &'static str = "pairs";
    const STAGE: &'static str = "counting pairs";
    type Accumulator<'a> = PairCounter<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, ctx: &Context<'_>) -> PairCounter<'a> {
        // With one thread, documents need not wait: there is one copy of the sums anyway.
        let most = if ctx.threads() > 1 { ctx.bytes() / WAITING_SHARE } else { 0 };
        let side = || CooccurrenceAccumulator::new(self.rows.len(), self.columns.len(), most);
        PairCounter {
            splitter: Splitter::new(self.seed, self.pairs, words),
            row_of: &self.row_of,
            column_of: &self.column_of,
            halves: Halves::default(),
            forward: side(),
            backward: (self.pairs == PairScheme::Split).then(side),
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.pairs.write(self.seed, out);
        out.table(self.rows.iter().copied());
        out.table(self.columns.iter().copied());
    }

    fn read(from: &mut PassReader<'_>, vocabulary: &Vocabulary) -> Result<Self, Error> {
        let (seed, pairs) = PairScheme::read(from)?;
        let (rows, columns) = (from.words(vocabulary)?, from.words(vocabulary)?);
        from.limit(rows.len(), columns.len())?;
        Ok(Self::new(seed, pairs, rows, columns, vocabulary.len()))
    }
}

/// Weighted counts of token pairs: one token of the row's word on one side, one of the column's word
/// on the other side of the same document.
pub(crate) struct PairCounter<'a> {
    splitter: Splitter<'a>,
    row_of: &'a [u32],
    column_of: &'a [u32],
    halves: Halves,
    forward: CooccurrenceAccumulator,
    backward: Option<CooccurrenceAccumulator>,
}

impl Accumulator for PairCounter<'_> {
    fn add(&mut self, document: Document<'_>) {
        // Novel words are rare: most documents have none, and need not be split.
        let concerned = document.words.iter().any(|&w| self.row_of[w as usize] != u32::MAX);
        if !concerned || !self.splitter.split(document, &mut self.halves) {
            return;
        }
        let weight = self.halves.pair_weight();
        let Halves { first, second, same } = &self.halves;
        let (row_of, column_of) = (self.row_of, self.column_of);
        let add = |side: &mut CooccurrenceAccumulator, rows: &Half, columns: &Half| {
            let column = |&(word, count): &(u32, u32)| (column_of[word as usize], count);
            let entry = |&(word, count): &(u32, u32)| {
                // No token is paired with itself.
                let own = if *same { column_of[word as usize] } else { u32::MAX };
                (row_of[word as usize], count, own)
            };
            let rows = rows.pairs.iter().map(entry).filter(|&(row, ..)| row != u32::MAX);
            let columns = columns.pairs.iter().map(column).filter(|&(at, _)| at != u32::MAX);
            side.add(rows, columns, weight);
        };
        add(&mut self.forward, second, first);
        if let Some(backward) = &mut self.backward {
            add(backward, first, second);
        }
    }

    fn finish(&mut self) {
        self.forward.transpose();
        self.backward.iter_mut().for_each(CooccurrenceAccumulator::transpose);
    }

    fn merge(&mut self, other: Self) {
        self.forward.merge(other.forward);
        if let (Some(mine), Some(theirs)) = (&mut self.backward, other.backward) {
            mine.merge(theirs);
        }
    }

    fn settle(&mut self, ctx: &Context<'_>) {
        self.forward.settle(ctx);
        self.backward.iter_mut().for_each(|side| side.settle(ctx));
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        self.forward.exchange(fields)?;
        self.backward.as_mut().map_or(Ok(()), |side| side.exchange(fields))
    }
}
