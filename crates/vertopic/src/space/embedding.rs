//! The space of the embedding: words as points of K dimensions.
//!
//! The paper's space has M dimensions, and so has the noise of a word there: it does not shrink with more documents, and
//! the rarest words win contests. Here the noise has K dimensions and shrinks with the word's tokens. Directions are
//! Gaussian; the share of contests that a word wins estimates the solid angle of its vertex (Ding, Ishwar & Saligrama
//! 2014).

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::DocumentKey;
use crate::embed::Embedding;
use crate::error::Error;
use crate::moments::{Directions, PER_DRAW, SufficientStats, TokenSample, WordStats};
use crate::simd;
use crate::space::extremes::extremes;
use crate::space::far::{Far, Seen, least_margin};
use crate::space::{
    Contest, Distances, Extremes, Masses, Products, WeightedWord, WordSpace, dot, squared_distance,
    standard_errors,
};

/// Directions of a block: as many sums as fit in the registers.
const BLOCK: usize = 32;
const _: () = assert!(BLOCK.is_multiple_of(PER_DRAW));

/// Words as points of an embedding.
#[derive(Debug)]
pub struct EmbeddingSpace<'a, S> {
    source: &'a S,
    stats: &'a WordStats,
    embedding: &'a Embedding,
}

impl<'a, S: SufficientStats> EmbeddingSpace<'a, S> {
    /// The space of the words of `source`, whose totals are `stats` and whose points are those of `embedding`.
    pub fn new(source: &'a S, stats: &'a WordStats, embedding: &'a Embedding) -> Self {
        Self { source, stats, embedding }
    }

    /// The points of `words`, one after the other.
    fn points(&self, words: &[u32]) -> Vec<f64> {
        words.iter().flat_map(|&w| self.embedding.point(w as usize)).collect()
    }
}

impl<S: SufficientStats> WordSpace for EmbeddingSpace<'_, S> {
    type Source = S;

    fn source(&self) -> &S {
        self.source
    }

    fn stats(&self) -> &WordStats {
        self.stats
    }

    fn noise(&self, word: u32) -> Option<f64> {
        Some(self.embedding.noise[word as usize])
    }

    fn masses(&self) -> Masses<'_> {
        Masses { first: &self.embedding.mass, second: &self.embedding.mass }
    }

    fn square(&self, word: u32) -> f64 {
        match self.embedding.mass[word as usize] {
            0.0 => 0.0,
            mass => {
                let row = self.embedding.row(word as usize);
                row.iter().map(|y| y * y).sum::<f64>() / (mass * mass)
            }
        }
    }

    fn frequencies(&self, _sample: TokenSample) -> Vec<f64> {
        let Embedding { mass, weights, .. } = self.embedding;
        let mut frequencies: Vec<f64> = mass.iter().zip(weights).map(|(m, w)| m / w).collect();
        // A word that occurs with no other has no mass, but it has a frequency, on its own scale.
        let plain = self.stats.frequencies(TokenSample::Whole);
        let all: f64 = (0..mass.len()).filter(|&i| mass[i] > 0.0).map(|i| plain[i]).sum();
        let scale = frequencies.iter().sum::<f64>() / all;
        for i in (0..mass.len()).filter(|&i| mass[i] <= 0.0) {
            frequencies[i] = plain[i] * scale;
        }
        frequencies
    }

    fn extremes(&self, contest: &Contest<'_>, ctx: &Context<'_>) -> Result<Vec<Extremes>, Error> {
        let &Contest { words, ties, directions: n, .. } = contest;
        let (points, rank) = (self.points(words), self.embedding.rank());
        let directions = Directions::new(self.stats.seed);
        let progress = ctx.stage("projecting words", n as u64);
        let block = |block: usize| {
            let start = block * BLOCK;
            let width = BLOCK.min(n - start);
            let mut drawn = [0_i32; BLOCK];
            let mut entries = vec![[0.0_f64; BLOCK]; rank];
            for (d, entries) in entries.iter_mut().enumerate() {
                directions.fill(DocumentKey(d as u64), start, &mut drawn);
                entries.iter_mut().zip(drawn).for_each(|(e, u)| *e = f64::from(u));
            }
            let mut projected = vec![[0.0_f64; BLOCK]; words.len()];
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
                ties,
                #[inline(always)]
                |i| projected[i],
            );
            found.into_iter().take(width)
        };
        let blocks = (0..n.div_ceil(BLOCK)).into_par_iter();
        let found: Vec<_> = ctx.install(|| blocks.map(block).collect());
        Ok(found.into_iter().flatten().collect())
    }

    fn margins(&self, words: &[u32], far: Far, ctx: &Context<'_>) -> Result<Vec<f64>, Error> {
        if far == Far::Significant {
            return Ok(standard_errors::margins(self.embedding, words, ctx));
        }
        let (points, rank) = (self.points(words), self.embedding.rank());
        let progress = ctx.stage("comparing words", words.len() as u64);
        let margin = |i: usize| {
            let y = &points[i * rank..(i + 1) * rank];
            let others = points.chunks(rank).enumerate().filter(|&(j, _)| j != i);
            let others = others.map(|(_, other)| Seen {
                distance: squared_distance(y, other),
                margin: dot(y, y) - dot(y, other),
            });
            progress.advance(1);
            least_margin(others.collect(), far).unwrap_or(f64::INFINITY)
        };
        Ok(ctx.install(|| (0..words.len()).into_par_iter().map(margin).collect()))
    }

    fn distances(&self, words: &[u32], ctx: &Context<'_>) -> Result<Distances, Error> {
        Ok(Distances::of_points(&self.points(words), self.embedding.rank(), ctx))
    }

    fn distances_from(
        &self,
        pooled: &[u32],
        words: &[u32],
        _ctx: &Context<'_>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let mass: f64 = pooled.iter().map(|&w| self.embedding.mass[w as usize]).sum();
        if mass <= 0.0 {
            return Ok(None);
        }
        let mut centre = vec![0.0; self.embedding.rank()];
        for &w in pooled {
            let row = self.embedding.row(w as usize);
            centre.iter_mut().zip(row).for_each(|(p, y)| *p += y / mass);
        }
        let distance = |&w: &u32| squared_distance(&centre, &self.embedding.point(w as usize));
        Ok(Some(words.iter().map(distance).collect()))
    }

    fn products(&self, groups: &[Vec<WeightedWord>], ctx: &Context<'_>) -> Result<Products, Error> {
        Ok(Products::of_points(self.embedding, groups, ctx))
    }
}
