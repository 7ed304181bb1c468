//! Statistics of words over the documents: row sums, blocks of the co-occurrence matrix, projections.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`Half`] | X, X′ | the two sides of a document's pairs: random halves, or twice the whole |
//! | [`WordStats::first`], [`WordStats::second`] | X 1, X′ 1 | row sums; dividing by them gives X~, X~′ |
//! | [`WordStats::paired`] | M | documents with a pair of tokens |
//! | [`Cooccurrence`] | C | M X~′ X~ᵀ |
//! | [`Directions`] | u | random directions over the documents |
//! | [`SufficientStats`] | – | where sums come from: documents, or a sketch of them |
//! | [`CooccurrenceOperator`] | – | numerator of C, or its weighted kin, as an operator |
//! | [`Cooccurrence::distance`] | D | squared distance between the patterns of two words |

mod cooccurrence;
mod cooccurrence_accumulator;
mod directions;
mod kernels;
mod operator;
mod projections;
mod split;
mod sufficient_stats;
mod word_stats;

pub use cooccurrence::{Cooccurrence, PairSums};
pub(crate) use cooccurrence::{CountPairs, median, positions};
pub use directions::Directions;
pub(crate) use directions::PER_DRAW;
pub(crate) use kernels::scatter_add::{Contribution, ScatterAdd, without};
pub(crate) use kernels::tiles::TILE;
pub use kernels::tiles::{Tile, Tiles};
pub use operator::{CooccurrenceOperator, Weighting};
pub(crate) use operator::{MultiplyRows, Shape, SumMargins, Weighed, WordWeights};
pub(crate) use projections::ProjectWords;
pub use projections::Projected;
pub use split::{Half, Halves, PairScheme, Splitter, TokenPairs};
pub use sufficient_stats::SufficientStats;
pub(crate) use word_stats::{CountWords, add_all};
pub use word_stats::{TokenSample, WordStats, WordSums};

#[cfg(test)]
mod tests;
