//! The validation set: documents that early stopping looks at, and that do not train.

use crate::corpus::{DocumentFilter, KeyedSample};
use crate::seed::{Seed, Stage};

/// Which documents validate.
///
/// The geometric start must not have seen them either: it predicts a rare word well in the few documents that have it,
/// and any step away from there would look like a loss.
#[derive(Debug, Clone, Copy)]
pub struct ValidationSet(KeyedSample);

/// Validation fraction: 1 in 20.
const ONE_IN: f64 = 20.0;
/// Smallest validation set, up to a fifth of the documents.
const FEWEST: f64 = 50.0;
/// Largest validation set: it resolves differences of 0.1 %.
const MOST: f64 = 2000.0;
/// Smaller collections have no validation set.
const ENOUGH: usize = 100;

impl ValidationSet {
    /// The validation set of a collection with this number of `documents`.
    pub fn new(seed: Seed, documents: usize) -> Self {
        let m = documents.max(1) as f64;
        let share = ((m / ONE_IN).clamp(FEWEST, MOST) / m).min(0.2);
        Self(KeyedSample::new(
            seed,
            Stage::Validation,
            if documents < ENOUGH { 0.0 } else { share },
        ))
    }

    /// The seed of the draw.
    pub(super) fn seed(self) -> Seed {
        self.0.seed()
    }
}

impl From<ValidationSet> for DocumentFilter {
    fn from(validation: ValidationSet) -> Self {
        validation.0.into()
    }
}
