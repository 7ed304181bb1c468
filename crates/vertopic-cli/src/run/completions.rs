//! `vertopic completions`: a completion script for a shell.

use clap::CommandFactory as _;

use crate::failure::Failure;
use crate::flags::{Cli, CompletionsFlags};
use crate::output;

pub(crate) fn completions(flags: &CompletionsFlags) -> Result<(), Failure> {
    // Made in memory first: the generator panics when a pipe is closed.
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut Cli::command(), "vertopic", &mut script);
    output::stdout(|out| out.write_all(&script))
}
