//! Flags of `vertopic reproduce`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::flags::RunFlags;

const REPRODUCE: &str = "\
Examples:
  vertopic reproduce all --quick --out paper/          six minutes on two cores
  vertopic reproduce synthetic --out paper/            Figure 2, 50 replicates: some hours
  vertopic reproduce nips --data uci/ --out paper/     needs docword.nips.txt and vocab.nips.txt

Each experiment leaves a folder with raw numbers (CSV), figures (SVG and PNG) and a page (Markdown).
It may be stopped at any time; the same command resumes it.";

/// `vertopic reproduce`
#[derive(Debug, Args)]
#[command(after_help = REPRODUCE)]
pub(crate) struct ReproduceFlags {
    /// Which experiment of the paper
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: WhatFlag,

    /// The folder for the results
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// The folder with real corpora in UCI form (docword.*.txt, vocab.*.txt; .gz is fine)
    ///
    /// Needed by nips and nytimes. With all and without this flag, a generated corpus stands in for them.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// Replicates of each cell [default: as in the paper; 2 to 5 with --quick]
    #[arg(long, value_name = "N")]
    pub(crate) replicates: Option<NonZeroUsize>,

    /// Fewer sizes and replicates
    #[arg(long)]
    pub(crate) quick: bool,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// Which experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhatFlag {
    /// Figure 2: error on generated corpora
    Synthetic,
    /// Figures 3 to 5: limbs of the Swimmer images
    Swimmer,
    /// Table 1: topics of NIPS papers, side by side
    Nips,
    /// Table 2: topics of a collection of New York Times size
    Nytimes,
    /// Table 3: how time grows with documents, tokens, words and topics
    Complexity,
    /// Section 5: the assumptions P1 and P2, and the rates of Theorems 1 to 3
    Assumptions,
    /// All of them
    All,
}
