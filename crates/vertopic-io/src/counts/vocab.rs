//! The file of words: one a line, in order of their ids.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use vertopic::corpus::Corpus;

use crate::advice::Advice;
use crate::counts::CountOptions;
use crate::counts::parse::{Place, file_error, shown};
use crate::error::IoError;
use crate::source::Source;

/// Reads the words. A line without a word and a word that stands twice are errors: either would give
/// every word after it a wrong id.
pub fn read(source: Source) -> Result<Vec<String>, IoError> {
    let path = source.path.clone();
    let mut lines = source.lines();
    let mut words = Vec::new();
    let result = loop {
        let (line, bytes) = match lines.next() {
            Ok(Some(next)) => next,
            Ok(None) => break Ok(()),
            Err(e) => break Err(e),
        };
        match word(bytes, Place { path: &path, line }) {
            Ok(word) => words.push(word.to_owned()),
            Err(e) => break Err(e),
        }
    };
    // A word that stands twice does so before what is bad.
    check_twice(&words, &path)?;
    result?;
    if words.is_empty() {
        return Err(file_error(&path, "has no words"));
    }
    Ok(words)
}

/// The word on a line.
fn word<'a>(bytes: &'a [u8], place: Place<'_>) -> Result<&'a str, IoError> {
    if bytes.trim_ascii().is_empty() {
        return Err(place.error_with(
            "missing word: the line is empty",
            Some("a vocabulary has one word a line and nothing else"),
        ));
    }
    std::str::from_utf8(bytes)
        .map_err(|_| place.error(format!("the word {} is not UTF-8", shown(bytes))))
}

/// Checks that each line has another word.
fn check_twice(words: &[String], path: &Path) -> Result<(), IoError> {
    if words.is_sorted_by(|a, b| a < b) {
        return Ok(());
    }
    let mut seen: HashMap<&str, u64> = HashMap::with_capacity(words.len()); // looked up, never walked
    for (line, word) in (1..).zip(words) {
        if let Some(first) = seen.insert(word, line) {
            let problem =
                format!("the word {} stands twice, first in line {first}", shown(word.as_bytes()));
            return Err(Place { path, line }.error(problem));
        }
    }
    Ok(())
}

/// Checks that the vocabulary has as many words as the data, by their header, need.
pub(super) fn check_size(
    options: &CountOptions,
    needed: u64,
    header: Place<'_>,
    hint: Option<Advice>,
) -> Result<(), IoError> {
    let Some(vocab) = &options.vocab else { return Ok(()) };
    let has = vocab.len() as u64;
    if has == needed {
        return Ok(());
    }
    let (off, how) =
        if has < needed { (needed - has, "missing") } else { (has - needed, "too many") };
    let file = options.vocab_path.as_ref().map_or_else(
        || "the vocabulary file".to_owned(),
        |path| format!("the vocabulary file {}", path.display()),
    );
    let problem =
        format!("the header says {needed} words, but {file} has {has} lines: {off} {how}");
    Err(header.advised(problem, hint))
}

/// Writes the words in order of their ids. A word that a line cannot hold is an error.
pub fn write(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    for word in corpus.vocabulary().words() {
        let lost = word.trim_ascii().is_empty()
            || word.contains('\n')
            || word.ends_with('\r')
            || word.starts_with('\u{feff}');
        if lost {
            let problem = format!("the word {word:?} cannot stand on a line of its own");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        out.write_all(word.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests;
