//! Random projections with binning (Algorithm 3).
//!
//! The documents are dealt into √M bins. Each bin is row-normalised on its own and projected on one
//! random direction; the word with the largest projection wins the bin. Walking down the list of
//! wins, a word is accepted when it is far (`D ≥ d/2`) from all words accepted before, until there is
//! one per topic.
//!
//! The paper leaves three things open. Equal numbers of wins: the word with more tokens comes first
//! (words that never won stand at the end of the list, so the walk can reach K even with fewer than K
//! bins). The value of d: without one, the median squared distance between the winners. And the loop
//! that would never end when too few words qualify: it ends with what was found.

use crate::corpus::{Accumulator, Document, Documents};
use crate::detect::{Directions, NovelWord, Search};
use crate::exact;
use crate::moments::{Cooccurrence, Halves, Splitter, add_all, median, positions};
use crate::seed::{Seed, Stage};

/// Entries that one block of bins may hold per thread: 64 MB.
const BLOCK_ENTRIES: usize = if cfg!(test) { 64 } else { 1 << 22 }; // tests run many blocks
/// Words of the walk that are compared from one pass.
const WALK: usize = if cfg!(test) { 3 } else { 1024 };

/// Deals, projects, and accepts up to K words, most wins first.
pub fn detect<D: Documents>(search: &Search<'_, '_, D>) -> Vec<NovelWord> {
    let Search { stats, candidates, params, n_topics, .. } = *search;
    let bins = params.bins.unwrap_or((stats.paired as f64).sqrt().round() as usize);
    let bins = bins.clamp(1, stats.paired); // a bin has a document
    let wins = wins(search, bins);
    let ties = search.ties();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let tokens = |i: usize| stats.tokens[candidates[i] as usize];
    order.sort_by_key(|&i| (std::cmp::Reverse((wins[i], tokens(i))), ties[i]));
    let words: Vec<u32> = order.iter().map(|&i| candidates[i]).collect();

    let winners = wins.iter().filter(|&&n| n > 0).count();
    let mut walk = Walk { search, least: params.distance.map(|d| d / 2.0) };
    let accepted = walk.accept(&words, winners, n_topics);
    let strength = |at: usize| wins[order[at]] as f64 / bins as f64;
    accepted.into_iter().map(|at| NovelWord { word: words[at], strength: strength(at) }).collect()
}

/// The walk down the list of words.
struct Walk<'a, 'r, D> {
    search: &'a Search<'a, 'r, D>,
    /// d/2, once known.
    least: Option<f64>,
}

impl<D: Documents> Walk<'_, '_, D> {
    /// Positions of the accepted words in `words`.
    fn accept(&mut self, words: &[u32], winners: usize, n_topics: usize) -> Vec<usize> {
        let Search { source: documents, stats, ctx, .. } = *self.search;
        let mut accepted: Vec<usize> = Vec::new();
        let mut start = 0;
        while start < words.len() && accepted.len() < n_topics {
            let end = (start + WALK.max(winners)).min(words.len());
            let rows = &words[start..end];
            let mut columns: Vec<u32> = accepted.iter().map(|&at| words[at]).collect();
            let offset = columns.len();
            columns.extend_from_slice(rows);
            let c = Cooccurrence::of(documents, stats, rows, &columns, ctx);
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
        accepted
    }
}

/// How many bins each allowed word won.
pub(super) fn wins<D: Documents>(search: &Search<'_, '_, D>, bins: usize) -> Vec<u64> {
    let Search { source: documents, stats, candidates, ctx, .. } = *search;
    let seed = stats.seed;
    let splitter = stats.splitter(documents.vocabulary());
    let mut lots = documents
        .pass("dealing documents", ctx, || Lots {
            splitter,
            seed,
            halves: Halves::default(),
            lots: Vec::new(),
        })
        .lots;
    lots.sort_unstable();
    let row_of = positions(candidates, stats.n_words());
    let ties = search.ties();
    let directions = Directions::new(seed);
    let block = (BLOCK_ENTRIES / candidates.len().max(1)).max(1);
    let mut wins = vec![0_u64; candidates.len()];
    for start in (0..bins).step_by(block) {
        let width = block.min(bins - start);
        let sums = documents.pass("projecting bins", ctx, || Bins {
            splitter,
            seed,
            directions: &directions,
            row_of: &row_of,
            lots: &lots,
            bins,
            start,
            width,
            rows: candidates.len(),
            halves: Halves::default(),
            projections: vec![0; width * candidates.len()],
            row_sums: vec![0; width * candidates.len()],
        });
        let n = candidates.len();
        for (u, x) in sums.projections.chunks(n).zip(sums.row_sums.chunks(n)) {
            let value = |i: usize| u[i] as f64 / x[i] as f64;
            let winner = (0..n)
                .filter(|&i| x[i] > 0)
                .max_by(|&a, &b| value(a).total_cmp(&value(b)).then(ties[b].cmp(&ties[a])));
            if let Some(i) = winner {
                wins[i] += 1;
            }
        }
    }
    wins
}

fn lot(seed: Seed, document: Document<'_>) -> u64 {
    seed.stream(Stage::Bin, document.key.0).next_u64()
}

/// Every usable document draws a lot; its rank among all lots says which bin it falls into.
struct Lots<'a> {
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
}

/// Projections and row sums of every word in a block of bins.
struct Bins<'a> {
    splitter: Splitter<'a>,
    seed: Seed,
    directions: &'a Directions,
    row_of: &'a [u32],
    lots: &'a [u64],
    bins: usize,
    start: usize,
    width: usize,
    rows: usize,
    halves: Halves,
    projections: Vec<i64>,
    row_sums: Vec<u64>,
}

impl Accumulator for Bins<'_> {
    fn add(&mut self, document: Document<'_>) {
        let lot = lot(self.seed, document);
        let rank = self.lots.partition_point(|&l| l < lot);
        let bin = rank * self.bins / self.lots.len().max(1);
        let inside = (self.start..self.start + self.width).contains(&bin);
        if !inside || !self.splitter.split(document, &mut self.halves) {
            return;
        }
        let mut entry = [0_i32];
        self.directions.fill(document.key, 0, &mut entry);
        let half = &self.halves.first;
        for &(word, count) in &half.pairs {
            let row = self.row_of[word as usize];
            if row != u32::MAX {
                let at = (bin - self.start) * self.rows + row as usize;
                let x = exact::frequency(count, half.tokens);
                self.projections[at] += x as i64 * i64::from(entry[0]);
                self.row_sums[at] += x;
            }
        }
    }
    fn merge(&mut self, other: Self) {
        add_all(&mut self.projections, &other.projections);
        add_all(&mut self.row_sums, &other.row_sums);
    }
}
