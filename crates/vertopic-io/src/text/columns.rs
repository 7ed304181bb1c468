//! Which columns of a table hold text, id, label and time.

use std::path::Path;

use crate::advice::{self, Advice};
use crate::error::IoError;

/// The columns to read, by name or by number from 1; what is left out is found by usual names.
///
/// | for | default |
/// |---|---|
/// | text | `text`, else `content`, `body` or `document`, else the only column there is |
/// | id | `id`, if there is one |
/// | label | `label`, if there is one |
/// | time | `time`, `date` or `year`, if there is one |
///
/// A name goes before a number: a column named `2` is found by `2`, wherever it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// Text; several are joined by a newline.
    pub text: Vec<String>,
    /// The document's id.
    pub id: Option<String>,
    /// Its label.
    pub label: Option<String>,
    /// Its time.
    pub time: Option<String>,
    /// The first row of a CSV or TSV file is a document, too.
    pub no_header: bool,
}

pub(super) const TEXT: [&str; 4] = ["text", "content", "body", "document"];
pub(super) const ID: [&str; 1] = ["id"];
pub(super) const LABEL: [&str; 1] = ["label"];
pub(super) const TIME: [&str; 3] = ["time", "date", "year"];

/// Columns as positions from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Positions {
    pub(super) text: Vec<usize>,
    pub(super) id: Option<usize>,
    pub(super) label: Option<usize>,
    pub(super) time: Option<usize>,
}

/// The columns that a table has.
pub(super) struct Table<'a> {
    pub(super) path: &'a Path,
    /// `None` where the file does not name them.
    pub(super) names: Option<&'a [String]>,
    pub(super) width: usize,
    /// The names are the first row, which could be a document.
    pub(super) may_lack_header: bool,
}

impl Columns {
    /// Finds the columns in a table.
    pub(super) fn find(&self, table: &Table<'_>) -> Result<Positions, IoError> {
        let one = |given: &Option<String>, usual: &[&str]| match given {
            Some(column) => table.position(column).map(Some),
            None => Ok(usual.iter().find_map(|name| table.usual(name))),
        };
        let text = if self.text.is_empty() {
            let usual = TEXT.iter().find_map(|name| table.usual(name));
            let only = (table.width == 1).then_some(0);
            vec![usual.or(only).ok_or_else(|| table.no_text())?]
        } else {
            self.text.iter().map(|column| table.position(column)).collect::<Result<_, _>>()?
        };
        Ok(Positions {
            text,
            id: one(&self.id, &ID)?,
            label: one(&self.label, &LABEL)?,
            time: one(&self.time, &TIME)?,
        })
    }
}

impl Table<'_> {
    fn usual(&self, name: &str) -> Option<usize> {
        self.names?.iter().position(|n| n.trim().eq_ignore_ascii_case(name))
    }

    fn position(&self, column: &str) -> Result<usize, IoError> {
        let mut named = (0..self.width).filter(|&i| self.names.is_some_and(|n| n[i] == column));
        if let Some(first) = named.next() {
            return match named.next() {
                None => Ok(first),
                Some(second) => Err(self.usage(
                    &format!("two columns, {} and {}, are named {column:?}", first + 1, second + 1),
                    "give the number of the column instead of its name",
                )),
            };
        }
        match column.parse::<usize>() {
            Ok(number) if (1..=self.width).contains(&number) => Ok(number - 1),
            _ => Err(self.usage(
                &format!("there is no column {column:?}; {}", self.listed()),
                if self.names.is_some() {
                    "give one of these names, or the number of the column, from 1"
                } else {
                    "without a header, give the number of the column, from 1"
                },
            )),
        }
    }

    fn no_text(&self) -> IoError {
        self.usage(
            &format!("cannot tell which column is the text; {}", self.listed()),
            if self.may_lack_header {
                let text =
                    "say which it is, and if the first row is a document, that there is no header";
                Advice::change(&[advice::TEXT_COLUMN, advice::NO_HEADER], text)
            } else {
                Advice::change(&[advice::TEXT_COLUMN], "say which it is")
            },
        )
    }

    fn listed(&self) -> String {
        match self.names {
            Some(names) => format!("the columns are {}", list(names)),
            None => format!("the columns are 1 to {}", self.width),
        }
    }

    fn usage(&self, problem: &str, hint: impl Into<Advice>) -> IoError {
        let problem = format!("{}: {problem}", self.path.display());
        IoError::Usage { problem, hint: Some(hint.into()) }
    }
}

/// Names for a message; the first twenty of many, each cut short.
pub(super) fn list(names: &[String]) -> String {
    let mut listed: Vec<String> = names.iter().take(20).map(|n| format!("{:?}", cut(n))).collect();
    if names.len() > 20 {
        listed.push(format!("and {} more", names.len() - 20));
    }
    listed.join(", ")
}

/// A value for a message, cut short.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Parts of a document's text as one.
pub(super) fn join(mut parts: Vec<String>) -> String {
    if parts.len() == 1 { parts.pop().unwrap_or_default() } else { parts.join("\n") }
}

/// The value of a cell, if it has one.
pub(super) fn filled(value: String) -> Option<String> {
    (!value.is_empty()).then_some(value)
}
