//! The verbs, one a file.

mod completions;
mod demo;
mod edit;
mod eval;
mod fit;
mod import;
mod infer;
mod info;
mod merge;
mod sketch;
mod subtract;
mod sweep;
mod topics;

pub(crate) use completions::completions;
pub(crate) use demo::demo;
pub(crate) use edit::edit;
pub(crate) use eval::eval;
pub(crate) use fit::fit;
pub(crate) use import::import;
pub(crate) use infer::infer;
pub(crate) use info::info;
pub(crate) use merge::merge;
pub(crate) use sketch::sketch;
pub(crate) use subtract::subtract;
pub(crate) use sweep::sweep;
pub(crate) use topics::topics;

use vertopic::context::{Context, Parallelism};
use vertopic_io::input::Input;

use crate::failure::Failure;
use crate::flags::RunFlags;
use crate::output::{Messages, Timings};

/// Threads, progress and talk of a verb.
pub(crate) struct Shell {
    pub(crate) messages: Messages,
    parallelism: Parallelism,
    timings: Timings,
}

impl Shell {
    pub(crate) fn new(flags: &RunFlags) -> Self {
        Self {
            messages: Messages::new(flags.quiet),
            parallelism: flags.threads.map_or(Parallelism::Available, Parallelism::Threads),
            timings: Timings::new(!flags.quiet, flags.timings),
        }
    }

    pub(crate) fn run(&self) -> Result<Context<'_>, Failure> {
        Ok(Context::new(self.parallelism, &self.timings)?)
    }

    /// Passes on what the reader has to say.
    fn tell(&self, input: &Input) {
        self.say(&input.notes, &input.warnings);
    }

    fn say(&self, notes: &[String], warnings: &[String]) {
        notes.iter().for_each(|note| self.messages.line(&format!("note: {note}")));
        warnings.iter().for_each(|warning| self.messages.warning(warning));
    }
}
