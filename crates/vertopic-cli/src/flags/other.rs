//! Flags of the methods that the paper compares with.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

/// How the other methods work.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Other methods in detail")]
pub(crate) struct OtherFlags {
    /// gibbs: sweeps over all tokens [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) sweeps: Option<NonZeroUsize>,

    /// gibbs: prior of a topic in a document [default: 50/K]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) alpha: Option<f64>,

    /// gibbs: prior of a word in a topic [default: 0.01]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub(crate) beta: Option<f64>,

    /// gibbs: learn both priors, every N sweeps
    #[arg(long, value_name = "N")]
    pub(crate) optimise: Option<NonZeroUsize>,

    /// gibbs: states of the chain that are averaged [default: 10]
    #[arg(long, value_name = "N")]
    pub(crate) samples: Option<NonZeroUsize>,

    /// nmf: which divergence, β: 1 is Kullback-Leibler, 2 squared error [default: 1]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub(crate) divergence: Option<f64>,

    /// nmf: let irrelevant topics vanish (automatic relevance determination) [default: none]
    #[arg(long, value_enum)]
    pub(crate) relevance: Option<RelevanceFlag>,

    /// nmf: random starts, the best of which is kept [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) starts: Option<NonZeroUsize>,

    /// nmf: iterations, at most [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<NonZeroUsize>,

    /// recover-l2, recover-kl, spa: dimensions that words are projected to [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) dimensions: Option<NonZeroUsize>,

    /// eca: concentration of the mixtures, the sum of the Dirichlet parameters [default: 1]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) alpha0: Option<f64>,
}

/// What keeps a topic small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RelevanceFlag {
    /// Exactly K topics
    None,
    /// The sum of its entries
    L1,
    /// The sum of their squares
    L2,
}
