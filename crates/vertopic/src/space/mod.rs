//! Words as points. Detection, clustering and estimation are geometry, and this is what they ask of a space.
//!
//! | space | a word is | where the noise of a point lives |
//! |---|---|---|
//! | [`CooccurrenceSpace`] | its row of X~, its pattern over the documents; inner products are the paper's C | M dimensions |
//! | [`EmbeddingSpace`] | a point of the [`Embedding`](crate::embed::Embedding) | K dimensions |
//!
//! The first is the paper's. It needs sums over the documents alone, so a [`Sketch`](crate::sketch::Sketch) serves as well.
//! The second is the default. A space of one's own, say of word vectors, implements [`WordSpace`]; all stages then work in it.

mod cooccurrence;
mod distances;
mod embedding;
mod extremes;
mod far;
mod products;
mod standard_errors;

pub use cooccurrence::CooccurrenceSpace;
pub use distances::Distances;
pub use embedding::EmbeddingSpace;
pub use far::Far;
pub use products::{Products, WeightedWord};

use crate::context::Context;
use crate::corpus::Vocabulary;
use crate::error::Error;
use crate::moments::{SufficientStats, TokenSample, WordStats};

/// A space in which every word is a point. Novel words are its extreme points.
pub trait WordSpace: Sync {
    /// The documents, or sums over them.
    type Source: SufficientStats;

    /// Where the space comes from.
    fn source(&self) -> &Self::Source;

    /// Totals of each word. Their seed is that of every random draw in the space.
    fn stats(&self) -> &WordStats;

    /// The words.
    fn vocabulary(&self) -> &Vocabulary {
        self.source().words()
    }

    /// Squared standard error of the point of `word`, as a share of its squared distance from the centre; `None`
    /// where the space does not measure it.
    fn noise(&self, _word: u32) -> Option<f64> {
        None
    }

    /// How much each word weighs when words are pooled. A word without mass has no point.
    fn masses(&self) -> Masses<'_>;

    /// Squared length of the point of `word`; 0 if it has none.
    fn square(&self, word: u32) -> f64;

    /// How frequent each word is. `sample` says in which tokens, where the space leaves a choice.
    fn frequencies(&self, sample: TokenSample) -> Vec<f64>;

    /// For each random direction, which of the words has the smallest projection and which the largest.
    fn extremes(&self, contest: &Contest<'_>, ctx: &Context<'_>) -> Result<Vec<Extremes>, Error>;

    /// For each of `words` the margin of its data-dependent projection: how much less the word is correlated with the
    /// nearest of the words that are `far` from it than with itself. Infinite when none is far.
    fn margins(&self, words: &[u32], far: Far, ctx: &Context<'_>) -> Result<Vec<f64>, Error>;

    /// Squared distances between all pairs of `words`.
    fn distances(&self, words: &[u32], ctx: &Context<'_>) -> Result<Distances, Error>;

    /// Squared distances of `words` from the point of `pooled` words; `None` if these have no point.
    fn distances_from(
        &self,
        pooled: &[u32],
        words: &[u32],
        ctx: &Context<'_>,
    ) -> Result<Option<Vec<f64>>, Error>;

    /// Inner products of all words with the representatives of `groups`, each a weighted sum of words.
    fn products(&self, groups: &[Vec<WeightedWord>], ctx: &Context<'_>) -> Result<Products, Error>;
}

/// How much each word weighs on the two sides of the token pairs. A space without sides has the same mass on both.
#[derive(Debug, Clone, Copy)]
pub struct Masses<'a> {
    /// Row sums of X.
    pub first: &'a [f64],
    /// Row sums of X′.
    pub second: &'a [f64],
}

impl Masses<'_> {
    /// Whether `word` has a point on both sides.
    pub fn on_both_sides(&self, word: u32) -> bool {
        self.first[word as usize] > 0.0 && self.second[word as usize] > 0.0
    }

    /// Whether `word` has a point on at least one side.
    pub fn on_a_side(&self, word: u32) -> bool {
        self.first[word as usize] > 0.0 || self.second[word as usize] > 0.0
    }
}

/// Words that are projected on random directions; the extreme ones win.
#[derive(Debug, Clone, Copy)]
pub struct Contest<'a> {
    /// The words.
    pub words: &'a [u32],
    /// A random number for each of the words: of two that are equally extreme, the one with the smaller number wins.
    pub ties: &'a [u64],
    /// Number of directions, the paper's P.
    pub directions: usize,
    /// Which tokens are projected, where the space leaves a choice.
    pub sample: TokenSample,
}

/// The extreme words of a direction, by their position in [`Contest::words`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extremes {
    /// The word with the smallest projection.
    pub lowest: usize,
    /// The word with the largest projection.
    pub highest: usize,
}

/// Squared distance between two points.
fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// Inner product of two points.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests;
