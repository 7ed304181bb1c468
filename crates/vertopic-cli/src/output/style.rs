//! Colours, where the terminal has them and the user wants them (<https://no-color.org>).

use std::io;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style as Ansi};

/// How text is set off. Plain where it goes to a file, or where `NO_COLOR` is set.
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
        Self::of(&io::stdout())
    }

    /// For standard error.
    pub(crate) fn stderr() -> Self {
        Self::of(&io::stderr())
    }

    fn of(stream: &impl RawStream) -> Self {
        Self { colours: AutoStream::choice(stream) != ColorChoice::Never }
    }

    /// An error.
    pub(crate) fn error(self, text: &str) -> String {
        self.set(text, AnsiColor::Red.on_default().bold())
    }

    /// A warning.
    pub(crate) fn warning(self, text: &str) -> String {
        self.set(text, AnsiColor::Yellow.on_default().bold())
    }

    /// What to do about it.
    pub(crate) fn hint(self, text: &str) -> String {
        self.set(text, AnsiColor::Cyan.on_default().bold())
    }

    /// A heading.
    pub(crate) fn bold(self, text: &str) -> String {
        self.set(text, Ansi::new().bold())
    }

    /// Of less importance.
    pub(crate) fn dim(self, text: &str) -> String {
        self.set(text, Ansi::new().dimmed())
    }

    fn set(self, text: &str, style: Ansi) -> String {
        if self.colours { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}
