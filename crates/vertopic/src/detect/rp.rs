//! Random projections (Algorithm 2).
//!
//! For each of P directions u over the documents, the words with the largest and the smallest
//! `X~_i u` are novel. (The listing in the paper prints the argmax twice; its text says maximum and
//! minimum.) The share of the 2P contests that a word wins estimates its normalised solid angle.
//!
//! Cost: P multiply-adds per (document, word) pair, in as many passes as the memory at hand asks for.

use crate::detect::{NovelWord, Search};
use crate::error::Error;
use crate::moments::{Projected, SufficientStats, TILE, Tile, TokenSample};
use crate::simd;

/// Projects and returns the winners, most wins first.
pub fn detect<S: SufficientStats>(search: &Search<'_, '_, S>) -> Result<Vec<NovelWord>, Error> {
    let Search { candidates, params, n_topics, .. } = *search;
    let projections = params.projections.unwrap_or(50 * n_topics);
    let wins = wins(search, projections)?;
    let ties = search.ties();
    let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| wins[i] > 0).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(wins[i]), ties[i]));
    let contests = 2.0 * projections as f64;
    let novel = |i: usize| NovelWord { word: candidates[i], strength: wins[i] as f64 / contests };
    Ok(order.into_iter().map(novel).collect())
}

/// How often each allowed word was the maximum or the minimum of a direction.
pub(crate) fn wins<S: SufficientStats>(
    search: &Search<'_, '_, S>,
    projections: usize,
) -> Result<Vec<u64>, Error> {
    let Search { source, stats, candidates, ctx, .. } = *search;
    let sample = search.params.sample;
    let row_sums = match sample {
        TokenSample::Whole => &stats.whole,
        TokenSample::Half => &stats.first,
    };
    let scale: Vec<f64> = candidates.iter().map(|&w| 1.0 / row_sums[w as usize]).collect();
    let ties = search.ties();
    let asked = Projected {
        seed: stats.seed,
        pairs: stats.pairs,
        sample,
        rows: candidates,
        directions: projections,
    };
    let found = source.projections(&asked, ctx, |range, tiles| {
        let rows = tiles.narrow();
        let found = extremes(
            &ties,
            #[inline(always)]
            |i| scaled(&rows[i], scale[i]),
        );
        found.into_iter().take(range.len())
    })?;
    let mut wins = vec![0_u64; candidates.len()];
    for (low, high) in found.into_iter().flatten() {
        wins[low] += 1;
        wins[high] += 1;
    }
    Ok(wins)
}

/// By a loop: a closure for each number would not be compiled for wide instructions.
#[inline(always)]
fn scaled(sums: &Tile, scale: f64) -> [f64; TILE] {
    let mut out = [0.0; TILE];
    for p in 0..out.len() {
        out[p] = sums[p] as f64 * scale;
    }
    out
}

/// For each of N directions the words with the smallest and the largest projection; equal ones are decided by `ties`.
/// `projected` is to be `#[inline(always)]`.
pub(super) fn extremes<const N: usize>(
    ties: &[u64],
    projected: impl Fn(usize) -> [f64; N],
) -> [(usize, usize); N] {
    let mut found = [(0, 0); N];
    let (mut lowest, mut highest) = ([f64::INFINITY; N], [f64::NEG_INFINITY; N]);
    simd::vectorized(
        #[inline(always)]
        || {
            for (i, &tie) in ties.iter().enumerate() {
                let values = projected(i);
                // Few words are beyond all before them: most are passed by after a look at all directions at once.
                let mut beyond = false;
                for p in 0..N {
                    beyond |= values[p] <= lowest[p];
                    beyond |= values[p] >= highest[p];
                }
                if !beyond {
                    continue;
                }
                for (p, v) in values.into_iter().enumerate() {
                    let (low, high) = &mut found[p];
                    if v < lowest[p] || (v == lowest[p] && tie < ties[*low]) {
                        (*low, lowest[p]) = (i, v);
                    }
                    if v > highest[p] || (v == highest[p] && tie < ties[*high]) {
                        (*high, highest[p]) = (i, v);
                    }
                }
            }
        },
    );
    found
}
