//! What the factorisation can be told.

use crate::parameter::{self, at_least_one, positive};
use serde::{Deserialize, Serialize};
use vertopic::seed::Seed;
use vertopic::{Error, Parameter};

/// Settings of the factorisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NmfParams {
    /// K: components to begin with. Relevance determination may switch some off.
    pub n_topics: usize,
    /// β of the divergence: 1 is Kullback-Leibler (noise of counts), 2 is squared error. Positive,
    /// since a divergence with β ≤ 0 is infinite where a count is 0.
    pub beta: f64,
    /// Automatic relevance determination; none: plain NMF with exactly `n_topics` components.
    pub relevance: Option<Relevance>,
    /// Plain: stop when an iteration lowers the objective by less than this share of it. With relevance
    /// determination: when no component's relevance λ changes by more than this share of it.
    pub tolerance: f64,
    /// Iterations of one start, at most.
    pub most_iterations: usize,
    /// Random starts; the one with the lowest objective is kept.
    pub starts: usize,
    /// What the starts are drawn from.
    pub seed: Seed,
}

/// Settings of automatic relevance determination (Tan & Févotte 2013).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Relevance {
    /// What keeps a component small.
    pub penalty: Penalty,
    /// Their a, shape of the prior of λ: the smaller, the more components are switched off. None: their
    /// log(F + N), with F words and N documents.
    pub shape: Option<f64>,
}

/// What keeps a component small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Penalty {
    /// Its sum: entries are exponential.
    L1,
    /// Half its sum of squares: entries are half-normal.
    L2,
}

impl Default for Relevance {
    fn default() -> Self {
        Self { penalty: Penalty::L1, shape: None }
    }
}

impl NmfParams {
    /// Plain Kullback-Leibler factorisation into `n_topics` components, run until it stands still.
    pub fn new(n_topics: usize) -> Self {
        Self {
            n_topics,
            beta: 1.0,
            relevance: None,
            tolerance: 1e-7,
            most_iterations: 10_000,
            starts: 1,
            seed: Seed::default(),
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        at_least_one(Parameter::Topics, self.n_topics)?;
        positive(parameter::DIVERGENCE, self.beta)?;
        positive(Parameter::Tolerance, self.tolerance)?;
        at_least_one(parameter::ITERATIONS, self.most_iterations)?;
        at_least_one(parameter::STARTS, self.starts)?;
        self.relevance.and_then(|r| Some((r, r.shape?))).map_or(Ok(()), |(r, a)| r.check_shape(a))
    }
}

impl Relevance {
    /// The scale b of λ's prior ([`super::relevance`]) must come out positive.
    pub(super) fn check_shape(self, a: f64) -> Result<(), Error> {
        let (rule, least) = match self.penalty {
            Penalty::L1 => ("a number above 2 (with the l1 penalty)", 2.0),
            Penalty::L2 => ("a number above 1 (with the l2 penalty)", 1.0),
        };
        if a.is_finite() && a > least {
            return Ok(());
        }
        Err(Error::parameter(parameter::SHAPE, rule, a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_parameters_are_refused_by_name() {
        let good = NmfParams::new(3);
        let with = |penalty, a| Some(Relevance { penalty, shape: Some(a) });
        assert!(good.check().is_ok());
        assert!(NmfParams { relevance: with(Penalty::L2, 1.5), ..good.clone() }.check().is_ok());
        let bad = [
            (Parameter::Topics, NmfParams::new(0)),
            (parameter::DIVERGENCE, NmfParams { beta: 0.0, ..good.clone() }),
            (parameter::DIVERGENCE, NmfParams { beta: f64::NAN, ..good.clone() }),
            (Parameter::Tolerance, NmfParams { tolerance: 0.0, ..good.clone() }),
            (Parameter::Tolerance, NmfParams { tolerance: f64::INFINITY, ..good.clone() }),
            (parameter::ITERATIONS, NmfParams { most_iterations: 0, ..good.clone() }),
            (parameter::STARTS, NmfParams { starts: 0, ..good.clone() }),
            (parameter::SHAPE, NmfParams { relevance: with(Penalty::L1, 2.0), ..good.clone() }),
            (
                parameter::SHAPE,
                NmfParams { relevance: with(Penalty::L2, f64::NAN), ..good.clone() },
            ),
        ];
        for (expected, params) in bad {
            match params.check() {
                Err(Error::Parameter { parameter, .. }) => assert_eq!(parameter, expected),
                other => panic!("{expected}: {other:?}"),
            }
        }
    }
}
