//! Settings of the clustering.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Parameter};

/// How groups are formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Grouping {
    /// Spectral clustering into K groups (Section 6.1 of the paper).
    Spectral,
    /// Connected components of the graph `D_ij ≤ d/2` (Algorithm 4); K comes out.
    Threshold,
}

/// Weight of an edge of the graph that is cut by spectral clustering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Affinity {
    /// `exp(−D)`, as printed in the paper. Underflows where distances are tens or hundreds.
    Exp,
    /// `exp(−D / median D)`.
    ExpMedian,
}

/// What stands for a group in the regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Representative {
    /// Its strongest word.
    Word,
    /// The average of its words' rows.
    Average,
    /// Its words merged into one, that is, the average weighted by frequency.
    Pooled,
}

/// Settings of the clustering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClusterParams {
    /// How groups are formed.
    pub grouping: Grouping,
    /// Weights for spectral clustering.
    pub affinity: Affinity,
    /// What stands for a group.
    pub representative: Representative,
    /// The paper's d, for [`Grouping::Threshold`].
    pub distance: Option<f64>,
}

impl ClusterParams {
    /// The paper's settings: spectral clustering with `exp(−D)`, averages.
    pub fn paper() -> Self {
        Self {
            grouping: Grouping::Spectral,
            affinity: Affinity::Exp,
            representative: Representative::Average,
            distance: None,
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        let rule = "a number, not negative, when topics are the components of a threshold graph";
        match (self.grouping, self.distance) {
            (Grouping::Threshold, d) if !d.is_some_and(f64::is_finite) => {
                let value = d.map_or_else(|| "none".into(), |d| d.to_string());
                Err(Error::parameter(Parameter::Distance, rule, value))
            }
            _ => Ok(()),
        }
    }
}
