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

    /// gibbs: Dirichlet prior of topics in documents [default: 50/K]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) alpha: Option<f64>,

    /// gibbs: Dirichlet prior of words in topics [default: 0.01]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub(crate) beta: Option<f64>,

    /// gibbs: optimise both priors every N sweeps [default: never]
    #[arg(long, value_name = "N")]
    pub(crate) optimise: Option<NonZeroUsize>,

    /// gibbs: number of samples of the chain to average [default: 10]
    #[arg(long, value_name = "N")]
    pub(crate) samples: Option<NonZeroUsize>,

    /// nmf: β of the β-divergence: 1 is Kullback-Leibler, 2 squared error [default: 1]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub(crate) divergence: Option<f64>,

    /// nmf: penalty of automatic relevance determination, which removes irrelevant topics [default: none]
    #[arg(long, value_enum)]
    pub(crate) relevance: Option<RelevanceFlag>,

    /// nmf: number of random starts; the best is kept [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) starts: Option<NonZeroUsize>,

    /// nmf: maximum number of iterations [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<NonZeroUsize>,

    /// recover-l2, recover-kl, spa: number of dimensions that words are projected to [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) dimensions: Option<NonZeroUsize>,

    /// eca: concentration of the mixtures, the sum of the Dirichlet parameters [default: 1]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) alpha0: Option<f64>,
}

/// Penalty of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RelevanceFlag {
    /// None: exactly K topics
    None,
    /// Sum of the topic's entries
    L1,
    /// Sum of their squares
    L2,
}
