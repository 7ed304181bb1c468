//! Why the program stops.

use std::io;
use std::path::Path;

use vertopic_io::IoError;

use crate::advice;

/// Name of standard output in messages.
pub(crate) const STDOUT: &str = "<stdout>";

/// Why a verb could not finish.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command makes no sense: exit code 2.
    Usage {
        /// What is wrong with it.
        problem: String,
        /// What to type instead.
        hint: Option<String>,
    },
    /// The run failed: exit code 1.
    Run {
        /// What happened.
        problem: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Who read our output has seen enough (`| head`): not a failure at all.
    PipeClosed,
}

impl Failure {
    /// A command that makes no sense, and what to type instead.
    pub(crate) fn usage(problem: impl Into<String>, hint: &str) -> Self {
        Self::Usage { problem: problem.into(), hint: Some(hint.to_owned()) }
    }

    /// Standard output could not be written.
    pub(crate) fn stdout(source: io::Error) -> Self {
        let path = Path::new(STDOUT).to_owned();
        IoError::File { path, what: "cannot write", source }.into()
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        let (problem, hint) = advice::of_io(&error);
        match error {
            IoError::File { path, source, .. }
                if source.kind() == io::ErrorKind::BrokenPipe && path == Path::new(STDOUT) =>
            {
                Self::PipeClosed
            }
            IoError::Usage { .. } | IoError::UnusedOption { .. } => Self::Usage { problem, hint },
            _ => Self::Run { problem, hint },
        }
    }
}

impl From<vertopic::Error> for Failure {
    fn from(error: vertopic::Error) -> Self {
        Self::Run { problem: advice::problem(&error), hint: advice::hint(&error.advice()) }
    }
}
