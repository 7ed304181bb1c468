//! Statistics of words over the documents: row sums, blocks of the co-occurrence matrix, projections.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`Half`] | X, X′ | the two sides of a document's pairs: random halves, or twice the whole |
//! | [`Totals::first`], [`Totals::second`] | X 1, X′ 1 | row sums; dividing by them gives X~, X~′ |
//! | [`Totals::paired`] | M | documents with a pair of tokens |
//! | [`Cooccurrence`] | C | M X~′ X~ᵀ |
//! | [`Directions`] | u | random directions over the documents |
//! | [`Statistics`] | – | where sums come from: documents, or a sketch of them |
//! | [`Joint`] | – | numerator of C, or its weighted kin, as an operator |
//! | [`Cooccurrence::distance`] | D | squared distance between the patterns of two words |

mod block;
mod cooccurrence;
mod directions;
mod joint;
mod meetings;
mod projections;
mod scatter;
mod side;
mod split;
mod statistics;
mod tiles;
mod totals;

pub use cooccurrence::{Cooccurrence, PairSums};
pub(crate) use cooccurrence::{median, positions};
pub use directions::Directions;
pub(crate) use directions::PER_DRAW;
pub use joint::{Joint, Weighting};
pub(crate) use joint::{Shape, Weighed};
pub use projections::Projected;
pub(crate) use scatter::{Gift, Scatter, without};
pub use split::{Half, Halves, Pairs, Splitter};
pub use statistics::Statistics;
pub(crate) use tiles::TILE;
pub use tiles::Tile;
pub(crate) use totals::add_all;
pub use totals::{Sample, Totals, WordSums};

#[cfg(test)]
mod tests;
