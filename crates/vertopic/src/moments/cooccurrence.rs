//! Blocks of the normalised co-occurrence matrix `C = M X~′ X~ᵀ` (paper, Algorithm 1, line 3).
//!
//! `C_ij` converges to `β~_i R β~_jᵀ`: the inner product of the patterns of words i and j over the
//! documents, with the sampling noise averaged out because the two tokens of a pair are independent.
//! With a split and finitely many documents `C` is not symmetric; both triangles are kept, since the
//! distance `D_ij = C_ii − C_ij − C_ji + C_jj` needs them (the paper prints `2 C_ij`, its limit).
//!
//! Only a block of rows by a set of columns is ever held. Cost of a pass: the pairs of distinct words
//! of each document, `O(M N²)` at most.

use crate::corpus::{Accumulator, Document, Documents};
use crate::exact::{self, PAIR_BITS};
use crate::lanes::zeros;
use crate::moments::Statistics;
use crate::moments::meetings::Meetings;
use crate::moments::split::{Half, Halves, Pairs, Splitter};
use crate::moments::totals::{Totals, add_all};
use crate::run::Run;
use crate::seed::Seed;

/// `C_ij` and `C_ji` for some rows i and some columns j.
#[derive(Debug, Clone)]
pub struct Cooccurrence {
    columns: usize,
    forward: Vec<f64>,
    backward: Vec<f64>,
}

impl Cooccurrence {
    /// The block of `rows` × `columns` (word ids), from one pass over the documents, where there are some.
    pub fn of<S: Statistics>(
        source: &S,
        totals: &Totals,
        rows: &[u32],
        columns: &[u32],
        run: &Run<'_>,
    ) -> Self {
        let sums = source.pair_sums(totals.seed, totals.pairs, rows, columns, run);
        let m = totals.paired as f64;
        let scale = |sums: &[u64], row_sums: &[f64], column_sums: &[f64]| -> Vec<f64> {
            let mut out = Vec::with_capacity(sums.len());
            for (line, &i) in sums.chunks(columns.len().max(1)).zip(rows) {
                let row = row_sums[i as usize];
                out.extend(line.iter().zip(columns).map(|(&s, &j)| {
                    let both = row * column_sums[j as usize];
                    if both > 0.0 { m * exact::value(s, PAIR_BITS) / both } else { 0.0 }
                }));
            }
            out
        };
        Self {
            columns: columns.len(),
            forward: scale(&sums.forward, &totals.second, &totals.first),
            backward: scale(&sums.backward, &totals.first, &totals.second),
        }
    }

    /// `C_ij = M ⟨X~′_i, X~_j⟩` of a row, by position of the columns.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.forward[row * self.columns..(row + 1) * self.columns]
    }

    /// `C_ji = M ⟨X~′_j, X~_i⟩` of a row, by position of the columns.
    pub fn row_transposed(&self, row: usize) -> &[f64] {
        &self.transposed()[row * self.columns..(row + 1) * self.columns]
    }

    /// `D_ij = M (X~_i − X~_j)(X~′_i − X~′_j)ᵀ`, where `c_ii` and `c_jj` come from [`Totals::diagonal`].
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
    pub forward: Vec<u64>,
    /// The other way round, the numerator of `C_ji`. Empty for all pairs of tokens, which are the same seen from
    /// either side.
    pub backward: Vec<u64>,
}

/// The sums for `rows` × `columns` (word ids), from one pass over the documents.
pub(super) fn pair_sums<D: Documents>(
    documents: &D,
    seed: Seed,
    pairs: Pairs,
    rows: &[u32],
    columns: &[u32],
    run: &Run<'_>,
) -> PairSums {
    let words = documents.vocabulary().len();
    let (row_of, column_of) = (positions(rows, words), positions(columns, words));
    let splitter = Splitter::new(seed, pairs, documents.vocabulary());
    let entries = rows.len() * columns.len();
    let counts = documents.pass("counting pairs", run, || Counts {
        splitter,
        row_of: &row_of,
        column_of: &column_of,
        columns: columns.len(),
        halves: Halves::default(),
        meetings: [Meetings::default(), Meetings::default()],
        forward: zeros(entries),
        backward: zeros(if pairs == Pairs::All { 0 } else { entries }),
    });
    PairSums { forward: counts.forward, backward: counts.backward }
}

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

/// The words of a half that have a position, with their counts.
fn chosen<'a>(half: &'a Half, position: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
    let at = |&(word, count): &(u32, u32)| (position[word as usize], count);
    half.pairs.iter().map(at).filter(|&(at, _)| at != u32::MAX)
}

/// Weighted counts of token pairs: one token of the row's word on one side, one of the column's word
/// on the other side of the same document.
struct Counts<'a> {
    splitter: Splitter<'a>,
    row_of: &'a [u32],
    column_of: &'a [u32],
    columns: usize,
    halves: Halves,
    /// Documents that are not in the sums yet, for either side.
    meetings: [Meetings; 2],
    forward: Vec<u64>,
    backward: Vec<u64>,
}

impl Accumulator for Counts<'_> {
    fn add(&mut self, document: Document<'_>) {
        // Novel words are rare: most documents have none, and need not be split.
        let concerned = document.words.iter().any(|&w| self.row_of[w as usize] != u32::MAX);
        if !concerned || !self.splitter.split(document, &mut self.halves) {
            return;
        }
        let weight = self.halves.pair_weight();
        let Halves { first, second, same } = &self.halves;
        let (row_of, column_of) = (self.row_of, self.column_of);
        let [forward, backward] = &mut self.meetings;
        for (rows, columns, meetings, sums) in [
            (second, first, forward, &mut self.forward),
            (first, second, backward, &mut self.backward),
        ] {
            if sums.is_empty() {
                continue;
            }
            meetings.push(chosen(rows, row_of), chosen(columns, column_of), weight);
            if *same {
                // No token is paired with itself.
                for &(word, count) in &rows.pairs {
                    let (row, own) = (row_of[word as usize], column_of[word as usize]);
                    if row != u32::MAX && own != u32::MAX {
                        let at = row as usize * self.columns + own as usize;
                        let (all, count) = (&mut sums[at], u64::from(count));
                        *all = all.wrapping_sub(exact::pairs(count * count, weight));
                        *all = all.wrapping_add(exact::pairs(count * (count - 1), weight));
                    }
                }
            }
            if meetings.is_full() {
                meetings.settle(sums, self.columns);
            }
        }
    }

    fn finish(&mut self) {
        let [forward, backward] = &mut self.meetings;
        forward.settle(&mut self.forward, self.columns);
        backward.settle(&mut self.backward, self.columns);
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.forward, &other.forward);
        add_all(&mut self.backward, &other.backward);
    }
}
