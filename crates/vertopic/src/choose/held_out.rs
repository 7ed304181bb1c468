//! Documents that have no part in the topics, to judge them by.

use crate::corpus::{DocumentFilter, KeyedSample};
use crate::seed::{Seed, Stage};

/// Which documents are held out.
#[derive(Debug, Clone, Copy)]
pub struct HeldOut(KeyedSample);

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
        Self(KeyedSample::new(seed, Stage::HeldOut, (m / ONE_IN).min(MOST) / m))
    }
}

impl From<HeldOut> for DocumentFilter {
    fn from(held_out: HeldOut) -> Self {
        held_out.0.into()
    }
}
