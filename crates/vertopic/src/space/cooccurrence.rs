//! The space of the paper: words as their patterns over the documents, through the co-occurrence matrix C.
//!
//! `C_ij` estimates the inner product of the patterns of words i and j. Cost: a pass over the documents counts the pairs
//! of each, `O(M N²)`; memory is a block of rows of C, never W × W.

use rayon::prelude::*;

use crate::context::Context;
use crate::error::{Error, Parameter};
use crate::moments::{
    Cooccurrence, Projected, SufficientStats, TILE, Tile, TokenSample, WordStats, positions,
};
use crate::space::extremes::extremes;
use crate::space::far::{Far, Seen, least_margin};
use crate::space::{Contest, Distances, Extremes, Masses, Products, WeightedWord, WordSpace};

/// Entries that a block of rows of C may have, in each direction: 128 MB.
const BLOCK_ENTRIES: usize = if cfg!(test) { 64 } else { 1 << 24 }; // tests run many blocks

/// Words as rows of X~, seen through their co-occurrence.
#[derive(Debug)]
pub struct CooccurrenceSpace<'a, S> {
    source: &'a S,
    stats: &'a WordStats,
}

impl<'a, S: SufficientStats> CooccurrenceSpace<'a, S> {
    /// The space of the words of `source`, documents or a sketch of them, whose totals are `stats`.
    pub fn new(source: &'a S, stats: &'a WordStats) -> Self {
        Self { source, stats }
    }
}

impl<S: SufficientStats> WordSpace for CooccurrenceSpace<'_, S> {
    type Source = S;

    fn source(&self) -> &S {
        self.source
    }

    fn stats(&self) -> &WordStats {
        self.stats
    }

    fn masses(&self) -> Masses<'_> {
        Masses { first: &self.stats.first, second: &self.stats.second }
    }

    fn square(&self, word: u32) -> f64 {
        self.stats.diagonal[word as usize]
    }

    fn frequencies(&self, sample: TokenSample) -> Vec<f64> {
        self.stats.frequencies(sample)
    }

    fn extremes(&self, contest: &Contest<'_>, ctx: &Context<'_>) -> Result<Vec<Extremes>, Error> {
        let row_sums = match contest.sample {
            TokenSample::Whole => &self.stats.whole,
            TokenSample::Half => &self.stats.first,
        };
        let scale: Vec<f64> = contest.words.iter().map(|&w| 1.0 / row_sums[w as usize]).collect();
        let asked = Projected {
            seed: self.stats.seed,
            pairs: self.stats.pairs,
            sample: contest.sample,
            rows: contest.words,
            directions: contest.directions,
        };
        let found = self.source.projections(&asked, ctx, |range, tiles| {
            let rows = tiles.narrow();
            let found = extremes(
                contest.ties,
                #[inline(always)]
                |i| scaled(&rows[i], scale[i]),
            );
            found.into_iter().take(range.len())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    fn margins(&self, words: &[u32], far: Far, ctx: &Context<'_>) -> Result<Vec<f64>, Error> {
        let block = (BLOCK_ENTRIES / words.len().max(1)).max(1);
        let mut margins = Vec::with_capacity(words.len());
        for rows in words.chunks(block) {
            let c = Cooccurrence::of(self.source, self.stats, rows, words, ctx)?;
            let progress = ctx.stage("comparing words", rows.len() as u64);
            let block = Compared { c: &c, rows, columns: words, diagonal: &self.stats.diagonal };
            let found: Result<Vec<f64>, Error> = ctx.install(|| {
                let margin = |r: usize| {
                    let margin = block.margin(r, far);
                    progress.advance(1);
                    margin
                };
                (0..rows.len()).into_par_iter().map(margin).collect()
            });
            margins.extend(found?);
        }
        Ok(margins)
    }

    fn distances(&self, words: &[u32], ctx: &Context<'_>) -> Result<Distances, Error> {
        Distances::of_patterns(self.source, self.stats, words, ctx)
    }

    fn distances_from(
        &self,
        pooled: &[u32],
        words: &[u32],
        ctx: &Context<'_>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let Masses { first, second } = self.masses();
        let total = |masses: &[f64]| pooled.iter().map(|&w| masses[w as usize]).sum::<f64>();
        let (all_first, all_second) = (total(first), total(second));
        if all_first <= 0.0 || all_second <= 0.0 {
            return Ok(None);
        }
        let others = words.iter().filter(|word| !pooled.contains(word));
        let columns: Vec<u32> = pooled.iter().chain(others).copied().collect();
        let at = positions(&columns, self.stats.n_words());
        let c = Cooccurrence::of(self.source, self.stats, pooled, &columns, ctx)?;
        // Y = Σ_i a_i X~_i and Y′ = Σ_i b_i X~′_i for the pooled words i; D_j = M (Y − X~_j)(Y′ − X~′_j)ᵀ.
        let a = |i: u32| first[i as usize] / all_first;
        let b = |i: u32| second[i as usize] / all_second;
        let diagonal = |i: u32| self.stats.diagonal[i as usize];
        let rows = || pooled.iter().copied().enumerate();
        // M Y′ X~_jᵀ and M Y X~′_jᵀ.
        let forward = |j: u32| -> f64 {
            let c_ij = |r: usize| c.row(r)[at[j as usize] as usize];
            rows().map(|(r, i)| b(i) * if i == j { diagonal(i) } else { c_ij(r) }).sum()
        };
        let backward = |j: u32| -> f64 {
            let c_ji = |r: usize| c.row_transposed(r)[at[j as usize] as usize];
            rows().map(|(r, i)| a(i) * if i == j { diagonal(i) } else { c_ji(r) }).sum()
        };
        let square: f64 = rows().map(|(_, i)| a(i) * forward(i)).sum();
        let distance = |&j: &u32| (square - forward(j) - backward(j) + diagonal(j)).max(0.0);
        Ok(Some(words.iter().map(distance).collect()))
    }

    fn products(&self, groups: &[Vec<WeightedWord>], ctx: &Context<'_>) -> Result<Products, Error> {
        Products::of_patterns(self.source, self.stats, groups, ctx)
    }
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

/// Words of `rows` and the words of `columns` that they are compared with.
struct Compared<'a> {
    c: &'a Cooccurrence,
    rows: &'a [u32],
    columns: &'a [u32],
    diagonal: &'a [f64],
}

impl Compared<'_> {
    /// `min_{j ∈ J_i} C_ii − C_ij` for the word i of a row, where `far` says which words J_i has.
    fn margin(&self, row: usize, far: Far) -> Result<f64, Error> {
        let i = self.rows[row];
        let c_ii = self.diagonal[i as usize];
        let columns = self.columns.iter().zip(self.c.row(row)).enumerate();
        let others = columns.filter(|&(_, (&j, _))| j != i).map(|(column, (&j, &c_ij))| {
            let c_jj = self.diagonal[j as usize];
            let distance = self.c.distance(row, column, c_ii, c_jj);
            Seen { distance, margin: c_ii - c_ij }
        });
        least_margin(others.collect(), far).ok_or_else(|| {
            let rule = "a method of the embedding, which measures standard errors";
            Error::parameter(Parameter::Method, rule, format!("{far:?}"))
        })
    }
}
