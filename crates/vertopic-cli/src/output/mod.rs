//! What the user sees. The only place of the program that prints.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod evaluation;
mod messages;
mod progress;
mod style;
mod sweep;
mod table;
mod timings;

pub(crate) use evaluation::{
    Evaluation, Judged, Labels, Measured, Reference, evaluation_json, evaluation_table,
};
pub(crate) use messages::{Messages, aligned, grouped, seconds};
pub(crate) use progress::Bars;
pub(crate) use style::Style;
pub(crate) use sweep::{sweep_json, sweep_table};
pub(crate) use table::{Words, printable, topics_json, topics_lines, topics_table, topics_tsv};
pub(crate) use timings::{Timings, peak_memory};

use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;

use crate::failure::Failure;

/// Writes data to standard output.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    stdout(|out| out.write_all(text.as_bytes()))
}

/// Lets `write` write data to standard output.
pub(crate) fn stdout(
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(Failure::stdout)
}

/// Writes a JSON value to standard output, over several lines.
pub(crate) fn json(value: &serde_json::Value) -> Result<(), Failure> {
    data(&format!("{value:#}\n"))
}

/// Says why the program stops.
pub(crate) fn failure(failure: &Failure) -> ExitCode {
    let (problem, hint, code) = match failure {
        Failure::PipeClosed => return ExitCode::SUCCESS,
        Failure::Usage { problem, hint } => (problem, hint, 2),
        Failure::Run { problem, hint } => (problem, hint, 1),
    };
    let style = Style::stderr();
    eprintln!("{} {}", style.error("error:"), printable(problem));
    if let Some(hint) = hint {
        eprintln!("{} {}", style.hint("hint:"), printable(hint));
    }
    ExitCode::from(code)
}

/// Help, the version, or what is wrong with the command line.
pub(crate) fn clap_message(message: &clap::Error) -> ExitCode {
    // A reader that has gone (`--help | head`) is no failure.
    let _ = message.print();
    ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2))
}
