//! Numbers that say how far to trust a topic.

use serde::{Deserialize, Serialize};

/// Diagnostics of a topic. `None` where the method has no such number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Diagnostics {
    /// Number of novel words in the topic's group.
    pub novel_words: usize,
    /// The group's strength: for RP and binning the share of all directions its words won, an estimate
    /// of the solid angle of the vertex; for DDP the margin of its strongest word.
    pub strength: Option<f64>,
    /// Squared distance from the topic's point to the nearest other topic's.
    pub separation: Option<f64>,
    /// Share of the co-occurrence of its words, in [0, 1], that the topics do not explain.
    pub residual: Option<f64>,
    /// Similarity of the topic to its best match in each half of the documents, in [0, 1]
    /// ([`half_sample_stability`](crate::evaluate::half_sample_stability)).
    #[serde(default)]
    pub stability: Option<f64>,
    /// Effective number of words: e to the entropy of the topic.
    pub effective_words: f64,
}

/// e to the entropy of a distribution: the number of equally probable words with that entropy.
///
/// ```
/// assert!((vertopic::model::effective_words(&[0.25; 4]) - 4.0).abs() < 1e-9);
/// ```
pub fn effective_words(topic: &[f32]) -> f64 {
    let entropy: f64 =
        topic.iter().filter(|&&p| p > 0.0).map(|&p| -f64::from(p) * libm::log(f64::from(p))).sum();
    libm::exp(entropy)
}
