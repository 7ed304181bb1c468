//! Documents that are held out of the fit, to score topics on.

use crate::corpus::{DocumentFilter, KeyedSample};
use crate::seed::{Seed, Stage};

/// Which documents are held out.
#[derive(Debug, Clone, Copy)]
pub struct HeldOut(KeyedSample);

/// One document in this many is held out,
const ONE_IN: f64 = 10.0;
/// and no more than this: enough for a standard error of half a percent.
const MOST: f64 = 5000.0;

impl HeldOut {
    /// Held-out documents for a score, at least.
    pub const FEWEST: usize = 10;

    /// The sample of a collection of `documents`.
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
