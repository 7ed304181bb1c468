//! Documents that judge a polish instead of teaching it.

use crate::corpus::Document;
use crate::seed::{Seed, Stage};

/// Which documents judge: a keyed coin decides for each, whatever the others.
///
/// They must not have taught the geometry either. A word that occurs in few documents is predicted well in
/// just these, and any step away from there looks like a loss.
#[derive(Debug, Clone, Copy)]
pub struct Judges {
    seed: Seed,
    /// Of 2³² documents, so many.
    share: u64,
}

/// One in so many documents judges,
const ONE_IN: f64 = 20.0;
/// but at least so many do, if they are no more than a fifth,
const FEWEST: f64 = 50.0;
/// and at most so many: enough for differences of a tenth of a percent.
const MOST: f64 = 2000.0;
/// With fewer documents than this there are none: nobody can be spared.
const ENOUGH: usize = 100;

impl Judges {
    /// The judges among so many documents.
    pub fn new(seed: Seed, documents: usize) -> Self {
        if documents < ENOUGH {
            return Self { seed, share: 0 };
        }
        let m = documents as f64;
        let share = ((m / ONE_IN).clamp(FEWEST, MOST) / m).min(0.2);
        Self { seed, share: (share * (1_u64 << 32) as f64) as u64 }
    }

    /// Whether a document is one of them.
    pub fn has(self, document: Document<'_>) -> bool {
        self.seed.stream(Stage::Judge, document.key.0).next_u64() >> 32 < self.share
    }
}
