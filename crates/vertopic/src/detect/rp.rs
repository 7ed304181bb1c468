//! Random projections (Algorithm 2).
//!
//! For each of P directions u over the documents, the words with the largest and the smallest
//! `X~_i u` are novel. (The listing in the paper prints the argmax twice; its text says maximum and
//! minimum.) The share of the 2P contests that a word wins estimates its normalised solid angle.
//!
//! Cost: P multiply-adds per (document, word) pair, in blocks of directions so that memory stays
//! bounded.

use rayon::prelude::*;

use crate::detect::{NovelWord, Search};
use crate::error::Error;
use crate::moments::{PER_DRAW, Sample, Statistics};

/// Entries that one block of projections may hold per thread: 64 MB.
const BLOCK_ENTRIES: usize = if cfg!(test) { 64 } else { 1 << 23 }; // tests run many blocks
/// Directions of a block, at most: a row of it should stay in the first-level cache.
const BLOCK_DIRECTIONS: usize = 512;

/// Projects and returns the winners, most wins first.
pub fn detect<S: Statistics>(search: &Search<'_, '_, S>) -> Result<Vec<NovelWord>, Error> {
    let Search { allowed, params, n_topics, .. } = *search;
    let projections = params.projections.unwrap_or(50 * n_topics);
    let wins = wins(search, projections)?;
    let ties = search.ties();
    let mut order: Vec<usize> = (0..allowed.len()).filter(|&i| wins[i] > 0).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(wins[i]), ties[i]));
    let contests = 2.0 * projections as f64;
    let novel = |i: usize| NovelWord { word: allowed[i], strength: wins[i] as f64 / contests };
    Ok(order.into_iter().map(novel).collect())
}

/// How often each allowed word was the maximum or the minimum of a direction.
pub(crate) fn wins<S: Statistics>(
    search: &Search<'_, '_, S>,
    projections: usize,
) -> Result<Vec<u64>, Error> {
    let Search { source, totals, allowed, run, .. } = *search;
    let sample = search.params.sample;
    let row_sums = match sample {
        Sample::Whole => &totals.whole,
        Sample::Half => &totals.first,
    };
    let scale: Vec<f64> = allowed.iter().map(|&w| 1.0 / row_sums[w as usize]).collect();
    let ties = search.ties();
    let block =
        (BLOCK_ENTRIES / allowed.len().max(1)).clamp(16, BLOCK_DIRECTIONS) / PER_DRAW * PER_DRAW;

    let mut wins = vec![0_u64; allowed.len()];
    for start in (0..projections).step_by(block) {
        let width = block.min(projections - start);
        let (seed, pairs, range) = (totals.seed, totals.pairs, start..start + width);
        let sums = source.projections(seed, pairs, sample, allowed, range, run)?;
        let extremes: Vec<(usize, usize)> = run.install(|| {
            (0..width)
                .into_par_iter()
                .map(|p| extremes(allowed.len(), &ties, |i| sums[i * width + p] as f64 * scale[i]))
                .collect()
        });
        for (low, high) in extremes {
            wins[low] += 1;
            wins[high] += 1;
        }
    }
    Ok(wins)
}

/// Positions of the smallest and the largest value; equal values are decided by `ties`.
pub(super) fn extremes(n: usize, ties: &[u64], value: impl Fn(usize) -> f64) -> (usize, usize) {
    let (mut low, mut high) = (0, 0);
    let (mut lowest, mut highest) = (value(0), value(0));
    for i in 1..n {
        let v = value(i);
        if v < lowest || (v == lowest && ties[i] < ties[low]) {
            (low, lowest) = (i, v);
        }
        if v > highest || (v == highest && ties[i] < ties[high]) {
            (high, highest) = (i, v);
        }
    }
    (low, high)
}
