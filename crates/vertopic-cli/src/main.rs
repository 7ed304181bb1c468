//! The program `vertopic`: topics of a document collection by geometry.
//!
//! Glue only. What is typed ([`flags`]) becomes what is meant ([`plan`]), a verb carries it out
//! ([`run`]) and tells about it ([`output`]). Data go to standard output, talk to standard error.
//! The exit code is 0 when done, 1 when the run failed, 2 when the command makes no sense.

mod advice;
mod failure;
#[cfg_attr(not(feature = "lab"), allow(dead_code, unused_imports))]
// flags of the lab are taken and refused
mod flags;
#[cfg_attr(not(feature = "lab"), path = "no_lab.rs")]
mod lab;
mod output;
mod plan;
mod run;

use std::process::ExitCode;

use clap::Parser as _;

use flags::{Cli, Verb};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(help_or_error) => return output::clap_message(&help_or_error),
    };
    // Who bounds memory wants it given back.
    if !matches!(&cli.verb, Verb::Fit(flags) if flags.memory.is_some()) {
        vertopic_io::tune_allocator();
    }
    let done = match cli.verb {
        Verb::Fit(flags) => run::fit(*flags),
        Verb::Topics(flags) => run::topics(&flags),
        Verb::Edit(flags) => run::edit(&flags),
        Verb::Infer(flags) => run::infer(*flags),
        Verb::Eval(flags) => run::eval(*flags),
        Verb::Sweep(flags) => run::sweep(*flags),
        Verb::Info(flags) => run::info(*flags),
        Verb::Import(flags) => run::import(*flags),
        Verb::Sketch(flags) => run::sketch(*flags),
        Verb::Merge(flags) => run::merge(&flags),
        Verb::Subtract(flags) => run::subtract(&flags),
        Verb::Synth(flags) => lab::synth(flags),
        Verb::Reproduce(flags) => lab::reproduce(flags),
        Verb::Demo(flags) => run::demo(&flags),
        Verb::Completions(flags) => run::completions(&flags),
    };
    done.map_or_else(|failure| output::failure(&failure), |()| ExitCode::SUCCESS)
}
