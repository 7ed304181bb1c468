//! Fields and numbers out of bytes, and the errors for those that break a rule.

use std::path::Path;

use crate::advice::{self, Advice};
use crate::error::IoError;

/// The largest number of words a vocabulary can hold.
pub(super) const MAX_WORDS: u64 = u32::MAX as u64 - 1;

/// Longest piece of the file that a message repeats.
const SHOWN: usize = 40;

/// A line of a file, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) path: &'a Path,
    pub(super) line: u64,
}

impl Place<'_> {
    /// The error for what is wrong here.
    pub(super) fn error(self, problem: impl Into<String>) -> IoError {
        self.error_with(problem, None)
    }

    /// The error for what is wrong here, and how to mend it.
    pub(super) fn error_with(self, problem: impl Into<String>, hint: Option<&str>) -> IoError {
        self.advised(problem, hint.map(Advice::from))
    }

    /// The error for what is wrong here, and how to mend it.
    pub(super) fn advised(self, problem: impl Into<String>, hint: Option<Advice>) -> IoError {
        IoError::Data {
            path: self.path.to_owned(),
            line: Some(self.line),
            problem: problem.into(),
            hint,
        }
    }

    /// The error for a count that breaks the rule for counts.
    pub(super) fn bad_count(self, field: &[u8]) -> IoError {
        let value = number(field);
        let hint = match value {
            Some(0.0) => Some(
                "leave out the words that a document does not have (scipy: matrix.eliminate_zeros())",
            ),
            Some(v) if v.is_finite() && v.fract() != 0.0 => {
                Some("counts of words are needed, not weights such as tf-idf")
            }
            Some(v) if v >= 1.0 && v <= f64::from(u32::MAX) => {
                Some("write counts as digits alone, without sign, point or exponent")
            }
            _ => None,
        };
        let problem =
            format!("the count {} is not a whole number from 1 to {}", shown(field), u32::MAX);
        self.error_with(problem, hint)
    }
}

/// The error for a file as a whole.
pub(super) fn file_error(path: &Path, problem: impl Into<String>) -> IoError {
    IoError::Data { path: path.to_owned(), line: None, problem: problem.into(), hint: None }
}

/// The fields of a line, between blanks.
pub(super) fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty())
}

/// A piece of the file as messages show it.
pub(super) fn shown(field: &[u8]) -> String {
    if field.is_empty() {
        return "\"\"".to_owned();
    }
    let text = String::from_utf8_lossy(field);
    let mut out: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push('…');
    }
    out
}

/// A whole number written in digits alone, below 10^19.
#[inline]
pub(super) fn whole(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 19 {
        return None; // 19 digits cannot overflow
    }
    let mut value = 0_u64;
    for &b in digits {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    Some(value)
}

fn number(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// How counts may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// Digits alone.
    Digits,
    /// Any real number that is whole, such as `2.0` or `1e3`.
    Real,
}

/// A count: a whole number from 1 to `u32::MAX`.
#[inline]
pub(super) fn count(field: &[u8], notation: Notation, place: Place<'_>) -> Result<u32, IoError> {
    let value = match whole(field) {
        Some(value) => u32::try_from(value).ok(),
        None if notation == Notation::Real => number(field)
            .filter(|v| v.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(v))
            .map(|v| v as u32),
        None => None,
    };
    match value {
        Some(value) if value > 0 => Ok(value),
        _ => Err(place.bad_count(field)),
    }
}

/// What an id may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ids {
    /// "word" or "document".
    pub(super) what: &'static str,
    /// The first id, 0 or 1.
    pub(super) first: u64,
    /// How many ids there are.
    pub(super) n: u64,
    /// Who says so.
    pub(super) says: &'static str,
}

impl Ids {
    /// Ids of words in a format without header.
    pub(super) fn of_words(first: u64, vocab: Option<&Vec<String>>) -> Self {
        let (n, says) = match vocab {
            Some(words) => (words.len() as u64, "the vocabulary"),
            None => (MAX_WORDS, "the program"),
        };
        Self { what: "word", first, n, says }
    }

    /// The id as a position from 0.
    #[inline]
    pub(super) fn position(&self, field: &[u8], place: Place<'_>) -> Result<u64, IoError> {
        match whole(field) {
            Some(id) if id >= self.first && id - self.first < self.n => Ok(id - self.first),
            _ => Err(place.advised(self.problem(field), self.hint(field))),
        }
    }

    fn problem(&self, field: &[u8]) -> String {
        let Self { what, first, n, says } = self;
        let value = shown(field);
        if *n == 0 {
            return format!("the {what} id {value} cannot be: {says} allows no {what}");
        }
        let last = first + n - 1;
        format!(
            "the {what} id {value} is not a whole number from {first} to {last}, as {says} has it"
        )
    }

    fn hint(&self, field: &[u8]) -> Option<Advice> {
        (whole(field) == Some(0) && self.first == 1).then(|| match self.says {
            "the header" => "ids count from 1 in this format".into(),
            _ => Advice::change(
                &[advice::ZERO_BASED],
                "ids count from 1, unless they are read from 0",
            ),
        })
    }
}
