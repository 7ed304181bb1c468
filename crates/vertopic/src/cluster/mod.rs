//! Novel words into topics (Algorithm 4).
//!
//! Novel words of one topic share a point: `D_ij → 0` when i and j belong to the same topic, and stays
//! above some d otherwise. Groups are the components of the graph `D_ij ≤ d/2`, or, without a
//! threshold, the K groups of a spectral clustering with weights `exp(−D_ij)`.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`Distances`] | D | squared distances between the candidates |
//! | [`Groups`] | 𝒥 | the K groups, and what stands for each |

mod components;
mod distances;
mod kmeans;
mod leading;
mod panels;
mod params;
mod pinned;
mod representative;
mod spectral;

pub use components::components;
pub use distances::Distances;
pub(crate) use kmeans::k_means;
pub use params::{Affinity, ClusterParams, Grouping, Representative};
pub use pinned::away_from_pins;
pub use representative::{Group, Groups};
pub use spectral::spectral;

use crate::context::Context;
use crate::detect::{NovelWords, ResolvedGuidance};
use crate::embed::Embedding;
use crate::error::{Error, Parameter};
use crate::moments::{SufficientStats, WordStats};
use crate::seed::Seed;

/// Groups the novel words into topics.
///
/// With [`Grouping::Spectral`] there are `n_topics` groups or an error. With [`Grouping::Threshold`] their
/// number comes out; it is an error if `n_topics` is given and differs.
pub fn groups<S: SufficientStats>(
    source: &S,
    stats: &WordStats,
    novel: &NovelWords,
    params: &ClusterParams,
    n_topics: Option<usize>,
    ctx: &Context<'_>,
) -> Result<Groups, Error> {
    params.check()?;
    let words = novel.ids();
    let distances = Distances::of(source, stats, &words, ctx)?;
    let half = params.distance.map(|d| d / 2.0);
    let assignment = match (params.grouping, half, n_topics) {
        (Grouping::Threshold, Some(half), _) => components(&distances, half),
        (_, _, Some(k)) => spectral(&distances, params.affinity, k, stats.seed, ctx)?,
        (_, _, None) => {
            let rule = "given for spectral clustering";
            return Err(Error::parameter(Parameter::Topics, rule, "none"));
        }
    };
    let found = assignment.iter().max().map_or(0, |&last| last + 1);
    if n_topics.is_some_and(|k| k != found) || found < 2 {
        let distance = half.filter(|_| params.grouping == Grouping::Threshold);
        return Err(Error::WrongNumberOfClusters { found, topics: n_topics, distance });
    }
    Ok(Groups::new(novel, &assignment, found, params.representative, stats.row_sums()))
}

/// Groups the novel words of an embedding into topics, by the distances of their points: `n_topics` with the
/// pins, which come first. The weights of a group's words are for the rows of [`Embedding::row`].
pub fn groups_in_embedding(
    embedding: &Embedding,
    novel: &NovelWords,
    guidance: &ResolvedGuidance,
    params: &ClusterParams,
    n_topics: usize,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<Groups, Error> {
    params.check()?;
    let mut groups = pinned::groups(embedding, guidance)?;
    let missing = guidance.missing(n_topics)?;
    let mut found = 0;
    if missing > 0 {
        let points: Vec<f64> =
            novel.words.iter().flat_map(|n| embedding.point(n.word as usize)).collect();
        let distances = Distances::between(&points, embedding.rank(), ctx);
        let assignment = spectral(&distances, params.affinity, missing, seed, ctx)?;
        found = assignment.iter().max().map_or(0, |&last| last + 1);
        let mass = embedding.mass.as_slice();
        let others = Groups::new(novel, &assignment, found, params.representative, [mass, mass]);
        groups.extend(others.groups);
    }
    if found != missing || groups.len() < 2 {
        let (found, topics) = (groups.len(), Some(n_topics));
        return Err(Error::WrongNumberOfClusters { found, topics, distance: None });
    }
    Ok(Groups { groups })
}

#[cfg(test)]
mod tests;
