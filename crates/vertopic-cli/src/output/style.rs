//! Colours, where the terminal has them and the user wants them (<https://no-color.org>).

use std::io::{self, IsTerminal as _};

/// How text is set off. Plain where it goes to a file or `NO_COLOR` is set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colours: bool,
}

impl Style {
    /// No colours.
    #[cfg(test)]
    pub(crate) const PLAIN: Self = Self { colours: false };

    /// For standard output.
    pub(crate) fn stdout() -> Self {
        Self { colours: wanted() && io::stdout().is_terminal() }
    }

    /// For standard error.
    pub(crate) fn stderr() -> Self {
        Self { colours: wanted() && io::stderr().is_terminal() }
    }

    /// An error.
    pub(crate) fn error(self, text: &str) -> String {
        self.set(text, "1;31")
    }

    /// A warning.
    pub(crate) fn warning(self, text: &str) -> String {
        self.set(text, "1;33")
    }

    /// What to do about it.
    pub(crate) fn hint(self, text: &str) -> String {
        self.set(text, "1;36")
    }

    /// A heading.
    pub(crate) fn bold(self, text: &str) -> String {
        self.set(text, "1")
    }

    /// Of less importance.
    pub(crate) fn dim(self, text: &str) -> String {
        self.set(text, "2")
    }

    fn set(self, text: &str, code: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

fn wanted() -> bool {
    let off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !off && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
