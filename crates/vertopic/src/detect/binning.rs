//! Random projections with binning (Algorithm 3).
//!
//! The documents are dealt into √M bins. Each bin is row-normalised on its own and projected on one
//! random direction; the word with the largest projection wins the bin. Down the list of wins, a word is accepted when it
//! is far (`D ≥ d/2`) from all words accepted before, until there is one per topic.
//!
//! The paper leaves three things open. Among words with equal wins the one with more tokens comes first; words without a
//! win stand at the end of the list, so K words are in reach even with fewer than K bins. Without a given d it is the
//! median squared distance between the winners. Where the paper's loop would never end, because too few words
//! qualify, this one ends with the words accepted so far.
//!
//! Bins are of documents, so this detector needs them: neither a sketch nor an embedding alone will do.

use std::ops::Range;

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, Documents, Pass, PassReader, PassWriter, SumFields, Vocabulary,
};
use crate::detect::{NovelWord, Search};
use crate::error::Error;
use crate::exact::{self, ExactSums};
use crate::moments::{
    Cooccurrence, Directions, Halves, PairScheme, Splitter, SufficientStats, median, positions,
};
use crate::seed::{Seed, Stage};
use crate::space::WordSpace;

/// Entries that one block of bins may hold per thread: 64 MB.
const BLOCK_ENTRIES: usize = if cfg!(test) { 64 } else { 1 << 22 }; // tests run many blocks
/// Words of the walk that are compared from one pass.
const WALK: usize = if cfg!(test) { 3 } else { 1024 };

/// Deals the documents, projects each bin, and accepts up to K words, most wins first.
pub fn detect<S: WordSpace>(search: &Search<'_, '_, S>) -> Result<Vec<NovelWord>, Error> {
    let Search { space, candidates, params, n_topics, .. } = *search;
    let what = "binning";
    let documents = space.source().documents().ok_or(Error::NeedsDocuments { what })?;
    let stats = space.stats();
    let bins = params.bins.unwrap_or((stats.paired as f64).sqrt().round() as usize);
    let bins = bins.clamp(1, stats.paired); // a bin has a document
    let wins = wins(search, documents, bins)?;
    let ties = search.ties();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let tokens = |i: usize| stats.tokens[candidates[i] as usize];
    order.sort_by_key(|&i| (std::cmp::Reverse((wins[i], tokens(i))), ties[i]));
    let words: Vec<u32> = order.iter().map(|&i| candidates[i]).collect();

    let winners = wins.iter().filter(|&&n| n > 0).count();
    let mut walk = Walk { search, documents, least: params.distance.map(|d| d / 2.0) };
    let accepted = walk.accept(&words, winners, n_topics)?;
    let strength = |at: usize| wins[order[at]] as f64 / bins as f64;
    let novel = |at: usize| NovelWord { word: words[at], strength: strength(at) };
    Ok(accepted.into_iter().map(novel).collect())
}

/// The walk down the list of words.
struct Walk<'a, 'r, S, D> {
    search: &'a Search<'a, 'r, S>,
    documents: &'a D,
    /// d/2, once known.
    least: Option<f64>,
}

impl<S: WordSpace, D: Documents> Walk<'_, '_, S, D> {
    /// Positions of the accepted words in `words`.
    fn accept(
        &mut self,
        words: &[u32],
        winners: usize,
        n_topics: usize,
    ) -> Result<Vec<usize>, Error> {
        let (stats, documents, ctx) = (self.search.space.stats(), self.documents, self.search.ctx);
        let mut accepted: Vec<usize> = Vec::new();
        let mut start = 0;
        while start < words.len() && accepted.len() < n_topics {
            let end = (start + WALK.max(winners)).min(words.len());
            let rows = &words[start..end];
            let mut columns: Vec<u32> = accepted.iter().map(|&at| words[at]).collect();
            let offset = columns.len();
            columns.extend_from_slice(rows);
            let c = Cooccurrence::of(documents, stats, rows, &columns, ctx)?;
            let diagonal = |w: u32| stats.diagonal[w as usize];
            let distance = |r: usize, column: usize| {
                c.distance(r, column, diagonal(rows[r]), diagonal(columns[column]))
            };
            let least = *self.least.get_or_insert_with(|| {
                let pairs = (0..winners).flat_map(|a| (0..a).map(move |b| (a, b)));
                median(pairs.map(|(a, b)| distance(a, offset + b)).collect()) / 2.0
            });
            let mut near: Vec<usize> = (0..offset).collect();
            for r in 0..rows.len() {
                if accepted.len() < n_topics
                    && near.iter().all(|&column| distance(r, column) >= least)
                {
                    accepted.push(start + r);
                    near.push(offset + r);
                }
            }
            start = end;
        }
        Ok(accepted)
    }
}

/// How many bins each candidate wins.
pub(super) fn wins<S: WordSpace, D: Documents>(
    search: &Search<'_, '_, S>,
    documents: &D,
    bins: usize,
) -> Result<Vec<u64>, Error> {
    let Search { space, candidates, ctx, .. } = *search;
    let stats = space.stats();
    let (seed, pairs, n) = (stats.seed, stats.pairs, candidates.len());
    let mut lots = documents.pass(&DrawLots { seed, pairs }, ctx)?.lots;
    lots.sort_unstable();
    let thresholds = thresholds(&lots, bins);
    let ties = search.ties();
    let block = (BLOCK_ENTRIES / n.max(1)).max(1);
    let mut wins = vec![0_u64; n];
    for start in (0..bins).step_by(block) {
        let range = start..bins.min(start + block);
        let (rows, thresholds) = (candidates.to_vec(), thresholds.clone());
        let pass = ProjectBins::new(seed, pairs, rows, range.clone(), thresholds, stats.n_words());
        let sums = documents.pass(&pass, ctx)?;
        for bin in 0..range.len() {
            let at = |i: usize| bin * n + i;
            let value = |i: usize| sums.projections.value(at(i)) / sums.row_sums.value(at(i));
            let winner = (0..n)
                .filter(|&i| sums.row_sums.get(at(i)) > 0)
                .max_by(|&a, &b| value(a).total_cmp(&value(b)).then(ties[b].cmp(&ties[a])));
            if let Some(i) = winner {
                wins[i] += 1;
            }
        }
    }
    Ok(wins)
}

/// The random number by which a document falls into a bin.
fn lot(seed: Seed, document: Document<'_>) -> u64 {
    seed.stream(Stage::Bin, document.key.0).next_u64()
}

/// For each bin but the first the smallest lot that falls into it or into a later one. The rank of a lot among all lots, which
/// are sorted, decides about its bin; equal lots have one rank.
fn thresholds(lots: &[u64], bins: usize) -> Vec<u64> {
    let first = |bin: usize| (bin * lots.len()).div_ceil(bins);
    let first_of_run = |rank: usize| match rank.checked_sub(1) {
        Some(before) if lots.get(rank) == Some(&lots[before]) => {
            rank + lots[rank..].partition_point(|&lot| lot == lots[before])
        }
        _ => rank,
    };
    (1..bins).map_while(|bin| lots.get(first_of_run(first(bin))).copied()).collect()
}

/// Draws a lot for every document that has a pair of tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DrawLots {
    seed: Seed,
    pairs: PairScheme,
}

impl Pass for DrawLots {
    const NAME: &'static str = "lots";
    const STAGE: &'static str = "dealing documents";
    type Accumulator<'a> = Lots<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> Lots<'a> {
        let Self { seed, pairs } = *self;
        let splitter = Splitter::new(seed, pairs, words);
        Lots { splitter, seed, halves: Halves::default(), lots: Vec::new() }
    }

    fn write(&self, out: &mut PassWriter) {
        self.pairs.write(self.seed, out);
    }

    fn read(from: &mut PassReader<'_>, _: &Vocabulary) -> Result<Self, Error> {
        let (seed, pairs) = PairScheme::read(from)?;
        Ok(Self { seed, pairs })
    }
}

/// The lots of documents, in any order.
pub(crate) struct Lots<'a> {
    splitter: Splitter<'a>,
    seed: Seed,
    halves: Halves,
    lots: Vec<u64>,
}

impl Accumulator for Lots<'_> {
    fn add(&mut self, document: Document<'_>) {
        if self.splitter.split(document, &mut self.halves) {
            self.lots.push(lot(self.seed, document));
        }
    }

    fn merge(&mut self, other: Self) {
        self.lots.extend(other.lots); // sorted before use, so the order does not matter
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.gathered(&mut self.lots)
    }
}

/// Projects words on one direction in each bin of a range.
#[derive(Debug)]
pub(crate) struct ProjectBins {
    seed: Seed,
    pairs: PairScheme,
    directions: Directions,
    rows: Vec<u32>,
    row_of: Vec<u32>,
    range: Range<usize>,
    thresholds: Vec<u64>,
}

impl ProjectBins {
    fn new(
        seed: Seed,
        pairs: PairScheme,
        rows: Vec<u32>,
        range: Range<usize>,
        thresholds: Vec<u64>,
        words: usize,
    ) -> Self {
        let (directions, row_of) = (Directions::new(seed), positions(&rows, words));
        Self { seed, pairs, directions, rows, row_of, range, thresholds }
    }
}

impl Pass for ProjectBins {
    const NAME: &'static str = "bins";
    const STAGE: &'static str = "projecting bins";
    type Accumulator<'a> = Bins<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> Bins<'a> {
        let sums = self.range.len() * self.rows.len();
        Bins {
            pass: self,
            splitter: Splitter::new(self.seed, self.pairs, words),
            halves: Halves::default(),
            projections: ExactSums::zeros(sums),
            row_sums: ExactSums::zeros(sums),
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.pairs.write(self.seed, out);
        out.table(self.rows.iter().copied());
        out.number(self.range.start as u64);
        out.number(self.range.end as u64);
        out.table(self.thresholds.iter().copied());
    }

    fn read(from: &mut PassReader<'_>, vocabulary: &Vocabulary) -> Result<Self, Error> {
        let (seed, pairs) = PairScheme::read(from)?;
        let rows = from.words(vocabulary)?;
        let (start, end) = (from.size(u32::MAX as usize)?, from.size(u32::MAX as usize)?);
        if start > end {
            return Err(from.wrong("its bins are no range"));
        }
        from.limit(rows.len(), end - start)?;
        let thresholds = from.table(None)?;
        Ok(Self::new(seed, pairs, rows, start..end, thresholds, vocabulary.len()))
    }
}

/// Projections and row sums of every word in some bins, bin after bin.
pub(crate) struct Bins<'a> {
    pass: &'a ProjectBins,
    splitter: Splitter<'a>,
    halves: Halves,
    projections: ExactSums,
    row_sums: ExactSums,
}

/// No document adds more than this to a projection: a direction's entry is below four standard deviations.
const LARGEST: u64 = exact::LARGEST_FREQUENCY << 14;

impl Accumulator for Bins<'_> {
    fn add(&mut self, document: Document<'_>) {
        let ProjectBins { seed, directions, rows, row_of, range, thresholds, .. } = self.pass;
        let lot = lot(*seed, document);
        let bin = thresholds.partition_point(|&threshold| threshold <= lot);
        if !range.contains(&bin) || !self.splitter.split(document, &mut self.halves) {
            return;
        }
        let mut entry = [0_i32];
        directions.fill(document.key, 0, &mut entry);
        self.projections.reserve(LARGEST);
        self.row_sums.reserve(exact::LARGEST_FREQUENCY);
        let (projections, row_sums) = (self.projections.low_mut(), self.row_sums.low_mut());
        let half = &self.halves.first;
        for &(word, count) in &half.pairs {
            let row = row_of[word as usize];
            if row != u32::MAX {
                let at = (bin - range.start) * rows.len() + row as usize;
                let x = exact::frequency(count, half.tokens) as i64;
                projections[at][0] += x * i64::from(entry[0]);
                row_sums[at][0] += x;
            }
        }
    }

    fn merge(&mut self, other: Self) {
        self.projections.merge(&other.projections);
        self.row_sums.merge(&other.row_sums);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.sums(&mut self.projections)?;
        fields.sums(&mut self.row_sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_cut_lots_by_their_rank() {
        let mut random = Seed(1).stream(Stage::Bin, 0);
        for (n, bins, values) in [(0, 1, 9), (1, 1, 9), (40, 6, 1000), (41, 7, 12), (9, 9, 2)] {
            let mut lots: Vec<u64> = (0..n).map(|_| random.next_u64() % values).collect();
            lots.sort_unstable();
            let thresholds = thresholds(&lots, bins);
            for &lot in &lots {
                let rank = lots.partition_point(|&other| other < lot);
                let bin = thresholds.partition_point(|&threshold| threshold <= lot);
                assert_eq!(bin, rank * bins / lots.len(), "{lots:?} {bins}");
            }
        }
    }
}
