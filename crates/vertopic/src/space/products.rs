//! Inner products of every word with the representatives, `M X~ Y′ᵀ` and `M Y X~′ᵀ`.
//!
//! In the space of co-occurrence they are weighted sums of entries of C, which are exact; so they do not depend on where C
//! comes from.

use rayon::prelude::*;

use crate::context::Context;
use crate::embed::Embedding;
use crate::error::Error;
use crate::exact::{self, ExactSums, PAIR_BITS};
use crate::linalg::columns::TOGETHER;
use crate::moments::{PairScheme, SufficientStats, WordStats};
use crate::simd;

/// A word of a group and what it weighs in the group's representative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedWord {
    /// The word's id.
    pub word: u32,
    /// Weight of its row of X in the representative's row of Y.
    pub first: f64,
    /// Weight of its row of X′ in the representative's row of Y′.
    pub second: f64,
}

/// Inner products of the words with the representatives of the groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Products {
    /// G, K × K in row order: `M Y Y′ᵀ`, not yet symmetric.
    pub gram: Vec<f64>,
    /// c, W × K in row order: `(M X~_i Y′ᵀ + M X~′_i Yᵀ) / 2`. A word that misses from one side has the
    /// other's alone.
    pub linear: Vec<f64>,
}

impl Products {
    /// Of the points of an embedding; no pass over the documents.
    pub(super) fn of_points(
        embedding: &Embedding,
        groups: &[Vec<WeightedWord>],
        ctx: &Context<'_>,
    ) -> Self {
        let rank = embedding.rank();
        let mut representatives = vec![0.0; groups.len() * rank];
        for (point, group) in representatives.chunks_mut(rank).zip(groups) {
            for member in group {
                let row = embedding.row(member.word as usize);
                point.iter_mut().zip(row).for_each(|(a, y)| *a += member.first * y);
            }
        }
        // The numbers of a dimension stand together: inner products are summed side by side.
        let k = groups.len();
        let transposed: Vec<f64> =
            (0..rank * k).map(|at| representatives[at % k * rank + at / k]).collect();
        let products = |row: &[f64], scale: f64, out: &mut [f64]| {
            simd::vectorized(
                #[inline(always)]
                || {
                    for (y, a) in row.iter().zip(transposed.chunks(k)) {
                        out.iter_mut().zip(a).for_each(|(sum, a)| *sum += a * y);
                    }
                    out.iter_mut().for_each(|sum| *sum *= scale);
                },
            );
        };
        let mut gram = vec![0.0; k * k];
        for (out, a) in gram.chunks_mut(k.max(1)).zip(representatives.chunks(rank)) {
            products(a, 1.0, out);
        }
        let mut linear = vec![0.0; embedding.n_words() * k];
        let rows = linear.par_chunks_mut(k.max(1)).enumerate();
        ctx.install(|| {
            rows.for_each(|(i, row)| {
                let mass = embedding.mass[i];
                let scale = if mass > 0.0 { 1.0 / mass } else { 0.0 };
                products(embedding.row(i), scale, row);
            });
        });
        Self { gram, linear }
    }

    /// Of rows of X~, from blocks of C: a row of Y is a weighted sum of rows of X, and so are its products.
    pub(super) fn of_patterns<S: SufficientStats>(
        source: &S,
        stats: &WordStats,
        groups: &[Vec<WeightedWord>],
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let (k, w) = (groups.len(), stats.n_words());
        let symmetric = stats.pairs == PairScheme::All;
        let members: Vec<Member> = members(groups);
        let all: Vec<u32> = (0..w as u32).collect();
        // The words of a group stand together here: K × W.
        let mut forward = ctx.zeros(k * w);
        let mut backward = ctx.zeros(if symmetric { 0 } else { k * w });
        let sides = if symmetric { 1 } else { 2 };
        for block in members.chunks(ctx.columns(sides * w * size_of::<u64>(), 1)) {
            let rows: Vec<u32> = block.iter().map(|m| m.word).collect();
            let sums = source.pair_sums(stats.token_pairs(), &rows, &all, ctx)?;
            let add = |to: &mut [f64], sums: &ExactSums, weight: fn(&Member) -> f64| {
                let lines = to.par_chunks_mut(w.max(1)).enumerate();
                ctx.install(|| {
                    lines.for_each(|(group, line)| {
                        let members = (0..).step_by(w.max(1)).zip(block);
                        for (start, member) in members.filter(|(_, m)| m.group == group) {
                            for (at, to) in (start..).zip(&mut *line) {
                                *to += weight(member) * exact::scaled(sums.value(at), PAIR_BITS);
                            }
                        }
                    });
                });
            };
            add(&mut forward, &sums.forward, |member| member.second);
            if !symmetric {
                add(&mut backward, &sums.backward, |member| member.first);
            }
        }
        let m = stats.paired as f64;
        let mut linear = ctx.zeros(w * k);
        let product = |i: usize, t: usize| {
            let (first, second) = (stats.first[i], stats.second[i]);
            let forward = m * forward[t * w + i] / first;
            let backward = if symmetric { forward } else { m * backward[t * w + i] / second };
            match (first > 0.0, second > 0.0) {
                (true, true) => f64::midpoint(forward, backward),
                (true, false) => forward,
                (false, true) => backward,
                (false, false) => 0.0,
            }
        };
        ctx.install(|| {
            linear.par_chunks_mut((TOGETHER * k).max(1)).enumerate().for_each(|(part, linear)| {
                for t in 0..k {
                    for (i, line) in (part * TOGETHER..).zip(linear.chunks_mut(k)) {
                        line[t] = product(i, t);
                    }
                }
            });
        });
        let mut gram = vec![0.0; k * k];
        for member in &members {
            let line = &mut gram[member.group * k..(member.group + 1) * k];
            for (t, g) in line.iter_mut().enumerate() {
                *g += member.first * m * forward[t * w + member.word as usize];
            }
        }
        Ok(Self { gram, linear })
    }
}

/// A word that stands for a group.
struct Member {
    word: u32,
    group: usize,
    first: f64,
    second: f64,
}

/// The words that weigh anything, group after group.
fn members(groups: &[Vec<WeightedWord>]) -> Vec<Member> {
    let in_group = |(group, words): (usize, &Vec<WeightedWord>)| {
        let weighs = |w: &&WeightedWord| w.first > 0.0 || w.second > 0.0;
        let member = move |&WeightedWord { word, first, second }: &WeightedWord| Member {
            word,
            group,
            first,
            second,
        };
        words.iter().filter(weighs).map(member).collect::<Vec<_>>()
    };
    groups.iter().enumerate().flat_map(in_group).collect()
}
