//! Data-dependent projections (Algorithm 1), with the thresholds d and γ or without them.
//!
//! Word i is projected on itself: it is novel when every word j that is far from it (`J_i`) is clearly
//! less correlated with it than it is with itself, `C_ii − C_ij ≥ γ/2`.
//!
//! * With thresholds, `J_i = { j : D_ij ≥ d/2 }`, as in the listing.
//! * Without (Section 6.1 of the paper), `J_i` holds the r words farthest from i, words are ranked by
//!   `min_{j ∈ J_i} C_ii − C_ij`, and the best s are novel. Where that leaves no choice, because no more
//!   than s words pass the candidate filter, words whose margin is not positive are left out: they would
//!   fail the test for every γ > 0.
//!
//! Words barred by the candidate floor take no part: as far words they would only bring noise, and a
//! word that is not novel is already given away by the reliable novel words.
//!
//! Cost: `O(M N²)` to count pairs and `O(W²)` to compare; memory `O(block × W)`, never W × W.

use rayon::prelude::*;

use crate::detect::{NovelWord, Search};
use crate::error::Error;
use crate::moments::{Cooccurrence, SufficientStats, WordStats};

/// Entries that one block of rows may hold per thread and direction of C: 128 MB.
const BLOCK_ENTRIES: usize = if cfg!(test) { 64 } else { 1 << 24 }; // tests run many blocks

/// Scores all allowed words and returns the novel ones, largest margin first.
pub fn detect<S: SufficientStats>(search: &Search<'_, '_, S>) -> Result<Vec<NovelWord>, Error> {
    let Search { source, stats, candidates, params, n_topics, ctx } = *search;
    let rule = match (params.distance, params.gamma) {
        (Some(d), Some(_)) => Far::Threshold(d / 2.0),
        _ => Far::Farthest(params.far_words.unwrap_or(candidates.len() / 2).max(1)),
    };
    let block = (BLOCK_ENTRIES / candidates.len().max(1)).max(1);
    let mut margins = Vec::with_capacity(candidates.len());
    for rows in candidates.chunks(block) {
        let c = Cooccurrence::of(source, stats, rows, candidates, ctx)?;
        let progress = ctx.stage("comparing words", rows.len() as u64);
        let scored: Vec<f64> = ctx.install(|| {
            let score = |r: usize| {
                let margin = margin(&c, r, rows[r], candidates, stats, rule);
                progress.advance(1);
                margin
            };
            (0..rows.len()).into_par_iter().map(score).collect()
        });
        margins.extend(scored);
    }
    let ties = search.ties();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|&a, &b| margins[b].total_cmp(&margins[a]).then(ties[a].cmp(&ties[b])));
    if let (Some(_), Some(gamma)) = (params.distance, params.gamma) {
        order.retain(|&i| margins[i] >= gamma / 2.0);
    } else {
        let s = params.novel_words.unwrap_or(10 * n_topics);
        let positive = order.partition_point(|&i| margins[i] > 0.0);
        let no_choice = s >= order.len() && positive >= n_topics;
        order.truncate(if no_choice { positive } else { s });
    }
    // A word without far words passes vacuously; its margin is then that over no correlation at all.
    let strength = |i: usize| margins[i].min(stats.diagonal[candidates[i] as usize]);
    let novel = |i: usize| NovelWord { word: candidates[i], strength: strength(i) };
    Ok(order.into_iter().map(novel).collect())
}

/// Which words are far from a word.
#[derive(Clone, Copy)]
enum Far {
    /// Those at a squared distance of at least this.
    Threshold(f64),
    /// This many of the farthest.
    Farthest(usize),
}

/// `min_{j ∈ J_i} C_ii − C_ij`; infinite when no word is far from i.
fn margin(
    c: &Cooccurrence,
    row: usize,
    i: u32,
    others: &[u32],
    stats: &WordStats,
    far: Far,
) -> f64 {
    let c_ii = stats.diagonal[i as usize];
    let mut words: Vec<(f64, f64)> = others
        .iter()
        .zip(c.row(row))
        .enumerate()
        .filter(|&(_, (&j, _))| j != i)
        .map(|(column, (&j, &c_ij))| {
            (c.distance(row, column, c_ii, stats.diagonal[j as usize]), c_ii - c_ij)
        })
        .collect();
    match far {
        Far::Threshold(least) => words.retain(|&(d, _)| d >= least),
        Far::Farthest(n) if n < words.len() => {
            // Equal distances are decided against the word: the smaller margin counts.
            words.select_nth_unstable_by(n - 1, |a, b| {
                b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1))
            });
            words.truncate(n);
        }
        Far::Farthest(_) => {}
    }
    words.iter().map(|&(_, margin)| margin).fold(f64::INFINITY, f64::min)
}
