//! Everything that can be wrong with a file: which file, where in it, which value, against which rule.

use std::path::PathBuf;

use vertopic::Parameter;

use crate::advice::{self, Advice};

/// What was wrong with an input or output. The message names file, line, value and rule;
/// [`IoError::hint`] says how to mend it, where that can be said.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IoError {
    /// The file could not be opened, read or written.
    #[error("{}: {what}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was being done: "cannot open", "cannot read", …
        what: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// Something in the file breaks a rule of its format.
    #[error("{}{}: {problem}", path.display(), place(*line))]
    Data {
        /// The file (`<stdin>` for standard input).
        path: PathBuf,
        /// Line in the file, from 1, where lines make sense.
        line: Option<u64>,
        /// The value and the rule it breaks.
        problem: String,
        /// How to mend it.
        hint: Option<Advice>,
    },
    /// The options do not fit the input.
    #[error("{problem}")]
    Usage {
        /// What does not fit.
        problem: String,
        /// What to do.
        hint: Option<Advice>,
    },
    /// An option that fits none of the inputs.
    #[error("{parameter} is for {fits}, but the input is {input}")]
    UnusedOption {
        /// The option.
        parameter: Parameter,
        /// What it is for.
        fits: &'static str,
        /// What the input is.
        input: String,
    },
    /// The library refused the corpus or the model.
    #[error(transparent)]
    Core(#[from] vertopic::Error),
}

fn place(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

impl IoError {
    /// The same, if its line counts from a place with so many lines before.
    #[must_use]
    pub(crate) fn after_lines(mut self, before: u64) -> Self {
        if let Self::Data { line: Some(line), .. } = &mut self {
            *line += before;
        }
        self
    }

    /// What to do about an error of this crate, where that can be said. [`Core`](Self::Core) has advice of its own.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::Data { hint, .. } | Self::Usage { hint, .. } => hint.clone(),
            Self::UnusedOption { .. } => {
                Some(Advice::change(&[advice::FORMAT], "leave it out, or say what the input is"))
            }
            Self::File { .. } | Self::Core(_) => None,
        }
    }

    /// The advice in the library's words.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Core(e) => e.hint(),
            own => own.advice().map(|advice| advice.to_string()),
        }
    }
}
