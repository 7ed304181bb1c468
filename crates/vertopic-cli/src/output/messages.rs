//! Talk, on standard error: facts, warnings, hints.

use std::fmt::Write as _;
use std::time::Duration;

use unicode_width::UnicodeWidthStr as _;
use vertopic::TopicModel;

use crate::advice;
use crate::output::Style;
use crate::output::table::printable;

/// Tells the user, unless they want quiet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Messages {
    quiet: bool,
    style: Style,
}

impl Messages {
    /// Messages on standard error.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, style: Style::stderr() }
    }

    /// One line.
    pub(crate) fn line(self, text: &str) {
        if !self.quiet {
            eprintln!("{}", printable(text));
        }
    }

    /// Facts, one a line, with their values in a column.
    pub(crate) fn facts(self, facts: &[(&str, String)]) {
        if !self.quiet {
            eprint!("{}", aligned(facts));
        }
    }

    /// Something the user should know.
    pub(crate) fn warning(self, text: &str) {
        if !self.quiet {
            eprintln!("{} {}", self.style.warning("warning:"), printable(text));
        }
    }

    /// What the user should know of a model.
    pub(crate) fn warnings_of(self, model: &TopicModel) {
        if self.quiet {
            return; // to find them takes a while
        }
        for warning in model.warnings() {
            self.warning(&warning.to_string());
            if let Some(hint) = advice::hint(&warning.advice()) {
                self.hint(&hint);
            }
        }
    }

    /// What to do about it.
    pub(crate) fn hint(self, text: &str) {
        if !self.quiet {
            eprintln!("{} {}", self.style.hint("hint:"), printable(text));
        }
    }
}

/// Facts as lines, with their values in a column.
pub(crate) fn aligned(facts: &[(&str, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    facts.iter().fold(String::new(), |mut out, (name, value)| {
        let _ = writeln!(out, "{name:<width$}  {}", printable(value)); // a String takes everything
        out
    })
}

/// A number with thousands separators: `1,234,567`.
pub(crate) fn grouped(n: impl TryInto<u64>) -> String {
    let digits = n.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A duration for people: `0.12 s`, `3.4 s`, `2 min 5 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let s = time.as_secs_f64();
    match s {
        s if s < 1.0 => format!("{s:.2} s"),
        s if s < 60.0 => format!("{s:.1} s"),
        s => format!("{} min {} s", s as u64 / 60, s as u64 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        for (n, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n as u64), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn facts_stand_in_columns() {
        let facts = [("tokens", "12".to_owned()), ("vocabulary", "7 → 5".to_owned())];
        assert_eq!(aligned(&facts), "tokens      12\nvocabulary  7 → 5\n");
    }

    #[test]
    fn times_are_short() {
        assert_eq!(seconds(Duration::from_millis(123)), "0.12 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 5 s");
    }
}
