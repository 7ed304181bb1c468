//! The command line as typed. What it means is worked out in [`crate::plan`].

mod input;
mod model;
mod other;
mod reproduce;
mod sketch;
mod sweep;
mod synth;
mod verbs;

pub(crate) use input::{InputFlags, PruneFlags, RunFlags, TextFlags};
pub(crate) use model::{
    AffinityFlag, Candidates, ClusteringFlag, HowMany, MethodFlag, ModelFlags, PairsFlag,
    RepresentativeFlag, SampleFlag, WeighFlag,
};
pub(crate) use other::{OtherFlags, RelevanceFlag};
pub(crate) use reproduce::{ReproduceFlags, WhatFlag};
pub(crate) use sketch::{MergeFlags, RefusedFlags, SketchFlags, SubtractFlags};
pub(crate) use sweep::SweepFlags;
pub(crate) use synth::{
    LdaFlags, LengthsFlag, PriorFlag, PriorFlags, SeparableFlags, SwimmerFlags, SynthFlags,
    SynthFormat, SynthKind, SynthOutFlags,
};
pub(crate) use verbs::{
    CompletionsFlags, DemoFlags, EditFlags, EvalFlags, FitFlags, ImportFlags, InferFlags,
    InfoFlags, RankFlag, TopicsFlags,
};

use clap::{Parser, Subcommand};

/// Topics of a document collection, by geometry
///
/// Topics are the vertices of a convex hull. A word that belongs to one topic alone (a novel word)
/// is a vertex. Projected on a direction, the extreme words are novel. There is no sampling chain to
/// wait for: the same documents always give the same model, bit for bit.
#[derive(Debug, Parser)]
#[command(name = "vertopic", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  vertopic demo                                  see it work on built-in data
  vertopic fit my-docs/                          topics of a folder of text files
  vertopic sweep my-docs/                        choose the number of topics
  vertopic topics model.safetensors              show them
  vertopic infer model.safetensors new-docs/     topic mixtures of other documents
  vertopic eval model.safetensors new-docs/      measure the quality of the topics

Exit codes: 0 done, 1 the run failed, 2 the command makes no sense.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Find the topics of a corpus and write a model file
    #[command(visible_alias = "train")]
    Fit(Box<FitFlags>),
    /// Show the topics of a model
    Topics(TopicsFlags),
    /// Change a model by hand: merge topics
    Edit(EditFlags),
    /// Infer the topic mixture of documents, old or new
    Infer(Box<InferFlags>),
    /// Evaluate the topics of a model: coherence, diversity, perplexity, labels
    Eval(Box<EvalFlags>),
    /// Compare numbers of topics, and recommend one
    Sweep(Box<SweepFlags>),
    /// Describe a corpus, a model or a sketch
    Info(Box<InfoFlags>),
    /// Convert any input to an on-disk corpus, which is faster to read
    Import(Box<ImportFlags>),
    /// Keep the exact sums over documents that a fit needs, without the documents
    Sketch(Box<SketchFlags>),
    /// Add sketches up: the sketch of all their documents
    Merge(MergeFlags),
    /// Subtract one sketch from another: the sketch of the remaining documents
    Subtract(SubtractFlags),
    /// Generate a corpus whose topics are known
    Synth(SynthFlags),
    /// Run an experiment of the paper: numbers, figures and a page
    Reproduce(ReproduceFlags),
    /// Run the main job on built-in data
    Demo(DemoFlags),
    /// Print a completion script for a shell
    Completions(CompletionsFlags),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }
}
