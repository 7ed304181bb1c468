//! Novel words into topics (Algorithm 4).
//!
//! Novel words of one topic share a point: `D_ij → 0` when i and j belong to the same topic, and stays
//! above some d otherwise. Groups are the components of the graph `D_ij ≤ d/2`, or, without a
//! threshold, the K groups of a spectral clustering with weights `exp(−D_ij)`.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`Distances`] | D | squared distances between the novel words |
//! | [`Groups`] | 𝒥 | the K groups, and what stands for each |

mod components;
mod kmeans;
mod leading;
mod panels;
mod params;
mod pinned;
mod representative;
mod spectral;

pub use components::components;
pub(crate) use kmeans::k_means;
pub use params::{Affinity, ClusterParams, Grouping, Representative};
pub use pinned::away_from_pins;
pub use representative::{Group, Groups};
pub use spectral::spectral;

pub use crate::space::Distances;

use crate::context::Context;
use crate::detect::{NovelWords, TopicRequest};
use crate::error::{Error, Parameter};
use crate::space::WordSpace;

/// Groups the novel words into topics. Pinned topics come first.
///
/// With [`Grouping::Spectral`] there are as many topics as `request` wants, or an error. With [`Grouping::Threshold`]
/// their number comes out; it is an error if the request has another.
pub fn groups<S: WordSpace>(
    space: &S,
    novel: &NovelWords,
    params: &ClusterParams,
    request: &TopicRequest,
    ctx: &Context<'_>,
) -> Result<Groups, Error> {
    params.check()?;
    let mut groups = pinned::groups(space, request.guidance())?;
    let threshold = params.distance.filter(|_| params.grouping == Grouping::Threshold);
    if request.n_topics().is_none_or(|k| k != groups.len()) {
        let distances = space.distances(&novel.ids(), ctx)?;
        let assignment = match (threshold, request.n_topics()) {
            (Some(d), _) => components(&distances, d / 2.0),
            (None, Some(_)) => {
                let (seed, missing) = (space.stats().seed, request.missing()?);
                spectral(&distances, params.affinity, missing, seed, ctx)?
            }
            (None, None) => {
                let rule = "given for spectral clustering";
                return Err(Error::parameter(Parameter::Topics, rule, "none"));
            }
        };
        let others = Groups::new(novel, &assignment, params.representative, space.masses());
        groups.extend(others.groups);
    }
    let found = groups.len();
    if request.n_topics().is_some_and(|k| k != found) || found < 2 {
        let (topics, distance) = (request.n_topics(), threshold.map(|d| d / 2.0));
        return Err(Error::WrongNumberOfClusters { found, topics, distance });
    }
    Ok(Groups { groups })
}

#[cfg(test)]
mod tests;
