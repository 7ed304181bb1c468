//! Documents that judge a polish instead of teaching it.

use crate::corpus::{Document, KeyedSample};
use crate::seed::{Seed, Stage};

/// Which documents judge.
///
/// They must not have taught the geometry either. A word that occurs in few documents is predicted well in
/// just these, and any step away from there looks like a loss.
#[derive(Debug, Clone, Copy)]
pub struct ValidationSet(KeyedSample);

/// One in so many documents judges,
const ONE_IN: f64 = 20.0;
/// but at least so many do, if they are no more than a fifth,
const FEWEST: f64 = 50.0;
/// and at most so many: enough for differences of a tenth of a percent.
const MOST: f64 = 2000.0;
/// With fewer documents than this there are none: nobody can be spared.
const ENOUGH: usize = 100;

impl ValidationSet {
    /// The judges among so many documents.
    pub fn new(seed: Seed, documents: usize) -> Self {
        let m = documents.max(1) as f64;
        let share = ((m / ONE_IN).clamp(FEWEST, MOST) / m).min(0.2);
        Self(KeyedSample::new(
            seed,
            Stage::Validation,
            if documents < ENOUGH { 0.0 } else { share },
        ))
    }

    /// The seed that they were drawn with.
    pub(super) fn seed(self) -> Seed {
        self.0.seed()
    }

    /// Whether a document is one of them.
    pub fn has(self, document: Document<'_>) -> bool {
        self.0.has(document)
    }
}
