//! Documents that have no part in the topics, to judge them by.

use crate::corpus::Document;
use crate::seed::{Seed, Stage};

/// Which documents are held out: a keyed coin decides for each, whatever the others.
#[derive(Debug, Clone, Copy)]
pub struct HeldOut {
    seed: Seed,
    /// Of 2³² documents, so many.
    share: u64,
}

/// One in so many documents,
const ONE_IN: f64 = 10.0;
/// but no more than this: enough for a standard error of half a percent.
const MOST: f64 = 5000.0;

impl HeldOut {
    /// Fewer than this say nothing.
    pub const FEWEST: usize = 10;

    /// Those among so many documents.
    pub fn new(seed: Seed, documents: usize) -> Self {
        let m = documents.max(1) as f64;
        let share = (m / ONE_IN).min(MOST) / m;
        Self { seed, share: (share * (1_u64 << 32) as f64) as u64 }
    }

    /// Whether a document is one of them.
    pub fn has(self, document: Document<'_>) -> bool {
        self.seed.stream(Stage::HeldOut, document.key.0).next_u64() >> 32 < self.share
    }
}
