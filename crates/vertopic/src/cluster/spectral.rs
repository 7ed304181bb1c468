//! Spectral clustering (Ng, Jordan & Weiss 2002) of the novel words, as Section 6.1 of the paper uses it.
//!
//! `A_ij` are affinities between different words; `A_ii = 0`, since an edge from a word to itself would outweigh small
//! affinities. With degrees `s_i = Σ_j A_ij` and `L = S^-½ A S^-½`, k-means groups the rows of the K leading eigenvectors of
//! L, scaled to length 1. Cost: `O(n² K)` for n words.

use rayon::prelude::*;

use crate::cluster::leading::leading;
use crate::cluster::{Affinity, Distances, k_means};
use crate::context::Context;
use crate::error::Error;
use crate::linalg::{TallMatrix, eigen};
use crate::seed::Seed;

/// Number of words up to which L is decomposed as a whole; it takes a fraction of a second.
const WHOLE: usize = 800;

/// Groups the words into `n_topics` groups, numbered in the order of their first word.
pub fn spectral(
    distances: &Distances,
    affinity: Affinity,
    n_topics: usize,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<Vec<usize>, Error> {
    let n = distances.len();
    if n_topics == 0 || n < n_topics {
        return Err(Error::TooFewCandidates { found: n, topics: n_topics, n_candidates: n });
    }
    if n == n_topics {
        return Ok((0..n).collect());
    }
    let progress = ctx.stage("grouping novel words", 2);
    let rows = embedding(distances, affinity, n_topics, seed, ctx)?;
    progress.advance(1);
    let grouped = k_means(&rows, n_topics, n_topics, seed, ctx);
    progress.advance(1);
    Ok(in_order_of_appearance(&grouped.group))
}

/// The rows of the leading eigenvectors, each scaled to length 1.
fn embedding(
    distances: &Distances,
    affinity: Affinity,
    n_topics: usize,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<Vec<f64>, Error> {
    let n = distances.len();
    let scale = match affinity {
        Affinity::Exp => 1.0,
        // If all distances are zero, every word is the same point and any scale will do.
        Affinity::ExpMedian => Some(distances.median()).filter(|&m| m > 0.0).unwrap_or(1.0),
    };
    // A common factor cancels in L. The nearest pair gets weight 1, so that not all weights underflow.
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let nearest = pairs.map(|(i, j)| distances.at(i, j)).fold(f64::INFINITY, f64::min);
    let weight = |i: usize, j: usize| {
        if i == j { 0.0 } else { libm::exp((nearest - distances.at(i, j)) / scale) }
    };
    let row = |i: usize| (0..n).map(|j| weight(i, j)).collect::<Vec<f64>>();
    let mut weights = ctx.install(|| (0..n).into_par_iter().map(row).collect::<Vec<_>>()).concat();
    let degree: Vec<f64> = weights.chunks(n).map(|row| row.iter().sum::<f64>().sqrt()).collect();
    for (row, a) in weights.chunks_mut(n).zip(&degree) {
        for (weight, b) in row.iter_mut().zip(&degree) {
            *weight = if a * b > 0.0 { *weight / (a * b) } else { 0.0 };
        }
    }
    let l = TallMatrix { columns: n, values: weights };
    let vectors = if n > WHOLE {
        leading(&l, n_topics, seed, ctx)?
    } else {
        let vectors = eigen(&l.to_matrix(), ctx)?.vectors.first_columns(n_topics);
        TallMatrix { columns: n_topics, values: vectors.values }
    };
    let mut rows = vectors.values;
    for row in rows.chunks_mut(n_topics) {
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        row.iter_mut().for_each(|v| *v = if length > 0.0 { *v / length } else { 0.0 });
    }
    Ok(rows)
}

/// Numbers groups by their first member; empty groups get no number.
fn in_order_of_appearance(group: &[usize]) -> Vec<usize> {
    let mut seen: Vec<usize> = Vec::new();
    group
        .iter()
        .map(|g| {
            seen.iter().position(|s| s == g).unwrap_or_else(|| {
                seen.push(*g);
                seen.len() - 1
            })
        })
        .collect()
}
