//! Random projections in the embedding of words, and what they share with other ways to search it.
//!
//! The paper's RP projects words as points of M dimensions, where the noise of a word has M dimensions too: it
//! does not shrink with more documents, and the rarest words win. In the embedding it has K, and it
//! shrinks with the word's tokens. Directions are Gaussian; the words with the largest and the smallest
//! projection win, and the share of contests won estimates the solid angle of the word's vertex (Ding,
//! Ishwar & Saligrama 2014).

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{DocumentKey, Vocabulary};
use crate::detect::rp::extremes;
use crate::detect::{
    DetectParams, Directions, Method, NovelWord, NovelWords, ResolvedGuidance, coins, embedded_ddp,
};
use crate::embed::Embedding;
use crate::error::Error;
use crate::moments::{PER_DRAW, WordStats};
use crate::simd;

/// So many words per topic may be novel, however noisy their points.
const LEAST_PER_TOPIC: usize = 5;
/// Directions of a block: as many sums as fit in the registers.
const BLOCK: usize = 32;
const _: () = assert!(BLOCK.is_multiple_of(PER_DRAW));

/// Finds the novel words of an embedding.
///
/// `n_topics` (K) sets the rules of thumb: 50·K directions, and the 10·K strongest words are kept. There is to be
/// at least one for each topic that is not pinned.
pub fn in_embedding(
    embedding: &Embedding,
    vocabulary: &Vocabulary,
    stats: &WordStats,
    params: &DetectParams,
    guidance: &ResolvedGuidance,
    n_topics: usize,
    ctx: &Context<'_>,
) -> Result<NovelWords, Error> {
    params.check()?;
    let mut candidates = super::passing(stats, &params.filter, guidance);
    candidates.retain(|&w| embedding.mass[w as usize] > 0.0);
    if let Some(most) = params.filter.noise {
        // A small collection is noisy all over; the best of it must do.
        let noise = |w: u32| embedding.noise[w as usize];
        let mut sorted: Vec<f64> = candidates.iter().map(|&w| noise(w)).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = (LEAST_PER_TOPIC * n_topics).min(sorted.len());
        let most = if last > 0 { most.max(sorted[last - 1]) } else { most };
        candidates.retain(|&w| noise(w) <= most);
    }
    let missing = guidance.missing(n_topics)?;
    let too_few =
        |found| Error::TooFewCandidates { found, topics: missing, n_candidates: candidates.len() };
    if missing == 0 {
        return Ok(NovelWords { words: Vec::new(), n_candidates: candidates.len() }); // all topics are pinned
    }
    if candidates.len() < missing {
        return Err(too_few(candidates.len()));
    }
    let coins = coins(vocabulary, stats.seed, &candidates);
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let projections = params.projections.unwrap_or(50 * n_topics);
    let strength = if let Some(drawn) = params.random {
        order.sort_by_key(|&i| coins[i]);
        order.truncate(drawn);
        vec![0.0; candidates.len()]
    } else {
        let strength: Vec<f64> = if params.method == Method::EmbeddedDdp {
            embedded_ddp::margins(embedding, &candidates, ctx)
        } else {
            let wins = wins(embedding, stats, &candidates, &coins, projections, ctx);
            wins.iter().map(|&n| n as f64 / (2.0 * projections as f64)).collect()
        };
        order.retain(|&i| strength[i] > 0.0);
        order.sort_by(|&i, &j| strength[j].total_cmp(&strength[i]).then(coins[i].cmp(&coins[j])));
        order.truncate(params.novel_words.unwrap_or(10 * n_topics));
        strength
    };
    if order.len() < missing {
        return Err(too_few(order.len()));
    }
    let novel = |i: usize| NovelWord { word: candidates[i], strength: strength[i] };
    Ok(NovelWords { words: order.into_iter().map(novel).collect(), n_candidates: candidates.len() })
}

/// How often each allowed word was the maximum or the minimum of a direction.
fn wins(
    embedding: &Embedding,
    stats: &WordStats,
    candidates: &[u32],
    coins: &[u64],
    projections: usize,
    ctx: &Context<'_>,
) -> Vec<u64> {
    let points: Vec<f64> = candidates.iter().flat_map(|&w| embedding.point(w as usize)).collect();
    let rank = embedding.rank();
    let directions = Directions::new(stats.seed);
    let progress = ctx.stage("projecting words", projections as u64);
    let block = |block: usize| {
        let start = block * BLOCK;
        let width = BLOCK.min(projections - start);
        let mut drawn = [0_i32; BLOCK];
        let mut entries = vec![[0.0_f64; BLOCK]; rank];
        for (d, entries) in entries.iter_mut().enumerate() {
            directions.fill(DocumentKey(d as u64), start, &mut drawn);
            entries.iter_mut().zip(drawn).for_each(|(e, u)| *e = f64::from(u));
        }
        let mut projected = vec![[0.0_f64; BLOCK]; candidates.len()];
        simd::vectorized(
            #[inline(always)]
            || {
                for (out, point) in projected.iter_mut().zip(points.chunks_exact(rank)) {
                    let mut sums = [0.0; BLOCK]; // in registers
                    for (y, entries) in point.iter().zip(&entries) {
                        sums.iter_mut().zip(entries).for_each(|(sum, u)| *sum += y * u);
                    }
                    *out = sums;
                }
            },
        );
        progress.advance(width as u64);
        let found = extremes(
            coins,
            #[inline(always)]
            |i| projected[i],
        );
        found.into_iter().take(width)
    };
    let found: Vec<_> =
        ctx.install(|| (0..projections.div_ceil(BLOCK)).into_par_iter().map(block).collect());
    let mut wins = vec![0; candidates.len()];
    for (low, high) in found.into_iter().flatten() {
        wins[low] += 1;
        wins[high] += 1;
    }
    wins
}
