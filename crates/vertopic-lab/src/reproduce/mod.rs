//! The paper's experiments, each by one call: raw numbers as CSV, figures as SVG and PNG, a page to read.
//!
//! | experiment | paper | question |
//! |---|---|---|
//! | [`Experiment::Synthetic`] | Figure 2 | how far from the truth on generated corpora? |
//! | [`Experiment::Swimmer`] | Figures 3 to 5 | which limbs are found in images? |
//! | [`Experiment::Nips`], [`Experiment::NewYorkTimes`] | Tables 1 and 2 | which topics in real text? |
//! | [`Experiment::Complexity`] | Table 3 | how does time grow? |
//! | [`Experiment::Assumptions`] | Section 5 | do the assumptions hold, and how fast is each step right? |
//!
//! An experiment may be stopped and run again; what is done stays done ([`Journal`]).

mod assumptions;
mod complexity;
mod journal;
mod pilots;
mod report;
mod stats;
mod swimmer;
mod synthetic;
mod text;

pub use journal::Journal;
pub use report::{Folder, markdown};
pub use stats::{Summary, log_slope};

use std::path::PathBuf;

use vertopic::context::Context;
use vertopic_io::IoError;

/// An experiment of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experiment {
    /// Figure 2: error on generated corpora.
    Synthetic,
    /// Figures 3 to 5: limbs of the Swimmer.
    Swimmer,
    /// Table 1: topics of NIPS papers.
    Nips,
    /// Table 2: topics of a collection of New York Times size.
    NewYorkTimes,
    /// Table 3: growth of time.
    Complexity,
    /// Section 5: assumptions and rates.
    Assumptions,
}

impl Experiment {
    /// All of them, the quickest first.
    pub const ALL: [Self; 6] = [
        Self::Assumptions,
        Self::Swimmer,
        Self::Complexity,
        Self::NewYorkTimes,
        Self::Nips,
        Self::Synthetic,
    ];

    /// Its name, and that of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Synthetic => "synthetic",
            Self::Swimmer => "swimmer",
            Self::Nips => "nips",
            Self::NewYorkTimes => "nytimes",
            Self::Complexity => "complexity",
            Self::Assumptions => "assumptions",
        }
    }
}

impl Experiment {
    /// What it is about.
    pub fn title(self) -> &'static str {
        match self {
            Self::Synthetic => "Figure 2: error on generated corpora",
            Self::Swimmer => "Figures 3 to 5: limbs of the Swimmer images",
            Self::Nips => "Table 1: topics of NIPS papers",
            Self::NewYorkTimes => "Table 2: topics of a collection of New York Times size",
            Self::Complexity => "Table 3: growth of time",
            Self::Assumptions => "Section 5: assumptions and rates",
        }
    }
}

/// How to run an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Where the files go; each experiment has a folder in it.
    pub out: PathBuf,
    /// Where real corpora are. Without it a generated corpus stands in for them, and the page says so.
    pub data: Option<PathBuf>,
    /// Replicates; `None`: the paper's number, or a few when quick.
    pub replicates: Option<usize>,
    /// Fewer points and replicates.
    pub quick: bool,
}

/// Runs an experiment and writes its files.
pub fn reproduce(what: Experiment, options: &Options, ctx: &Context<'_>) -> Result<(), IoError> {
    match what {
        Experiment::Synthetic => synthetic::run(options, ctx),
        Experiment::Swimmer => swimmer::run(options, ctx),
        Experiment::Nips => text::run(text::Collection::Nips, options, ctx),
        Experiment::NewYorkTimes => text::run(text::Collection::NewYorkTimes, options, ctx),
        Experiment::Complexity => complexity::run(options, ctx),
        Experiment::Assumptions => assumptions::run(options, ctx),
    }
}
