//! How far a topic can be trusted, in numbers that the geometry gives.

use serde::{Deserialize, Serialize};

/// What speaks for a topic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Number of novel words in the topic's group: witnesses that agree.
    pub novel_words: usize,
    /// The group's strength: for RP and binning the share of all directions its words won, an estimate
    /// of the solid angle of the vertex; for DDP the margin of its strongest word.
    pub strength: f64,
    /// Squared distance from the topic's point to the nearest other topic's.
    pub separation: f64,
    /// Share, in [0, 1], of its words' patterns that the topics leave unexplained.
    pub residual: f64,
    /// Effective number of words: e to the entropy of the topic.
    pub effective_words: f64,
}
