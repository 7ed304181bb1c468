//! How far a topic can be trusted, in numbers that the geometry gives.

use serde::{Deserialize, Serialize};

/// What speaks for a topic. What a method has no word for is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Diagnostics {
    /// Number of novel words in the topic's group: witnesses that agree.
    pub novel_words: usize,
    /// The group's strength: for RP and binning the share of all directions its words won, an estimate
    /// of the solid angle of the vertex; for DDP the margin of its strongest word.
    pub strength: Option<f64>,
    /// Squared distance from the topic's point to the nearest other topic's.
    pub separation: Option<f64>,
    /// Share, in [0, 1], of its words' patterns that the topics leave unexplained.
    pub residual: Option<f64>,
    /// How much of the topic is found again in each half of the documents, in [0, 1]
    /// ([`half_sample_stability`](crate::evaluate::found_again)).
    #[serde(default)]
    pub stability: Option<f64>,
    /// Effective number of words: e to the entropy of the topic.
    pub effective_words: f64,
}

/// e to the entropy of a distribution: as many equally probable words would have it.
///
/// ```
/// assert!((vertopic::model::effective_words(&[0.25; 4]) - 4.0).abs() < 1e-9);
/// ```
pub fn effective_words(topic: &[f32]) -> f64 {
    let entropy: f64 =
        topic.iter().filter(|&&p| p > 0.0).map(|&p| -f64::from(p) * libm::log(f64::from(p))).sum();
    libm::exp(entropy)
}
