//! Statistics of words over the documents: row sums and blocks of the co-occurrence matrix.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`Half`] | X, X′ | the two sides of a document's pairs: random halves, or twice the whole |
//! | [`Totals::first`], [`Totals::second`] | X 1, X′ 1 | row sums; dividing by them gives X~, X~′ |
//! | [`Totals::paired`] | M | documents with a pair of tokens |
//! | [`Cooccurrence`] | C | M X~′ X~ᵀ |
//! | [`Joint`] | – | numerator of C, or its weighted kin, as an operator |
//! | [`Cooccurrence::distance`] | D | squared distance between the patterns of two words |

mod cooccurrence;
mod joint;
mod split;
mod totals;

pub use cooccurrence::Cooccurrence;
pub(crate) use cooccurrence::{median, positions};
pub(crate) use joint::Shape;
pub use joint::{Joint, Weighting};
pub use split::{Half, Halves, Pairs, Splitter};
pub(crate) use totals::add_all;
pub use totals::{Sample, Totals};

#[cfg(test)]
mod tests;
