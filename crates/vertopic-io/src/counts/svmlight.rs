//! svmlight (libsvm): one document a line, `[label] id:count … [# comment]`.
//!
//! Ids count from 1, or from 0 if the options say so. `qid:…` is passed over. Lines that are empty or
//! hold only a comment are no documents; a line with a label alone is an empty document.

use std::io::{self, Write};

use vertopic::corpus::{Corpus, DocumentInfo};

use crate::counts::collect::{Collector, TOO_LONG};
use crate::counts::parse::{Ids, Notation, Place, count, fields, shown};
use crate::counts::{CountOptions, CountsRead};
use crate::error::IoError;
use crate::source::Source;

/// Reads an svmlight file. The label becomes the document's label.
pub fn read(source: Source, options: &CountOptions) -> Result<CountsRead, IoError> {
    let path = source.path.clone();
    let mut lines = source.lines();
    let words = Ids::of_words(u64::from(!options.zero_based), options.vocab.as_ref());
    let mut collector = Collector::new(options);
    let mut pairs = Vec::new();
    while let Some((line, bytes)) = lines.next()? {
        let place = Place { path: &path, line };
        let content = bytes.iter().position(|&b| b == b'#').map_or(bytes, |at| &bytes[..at]);
        let mut tokens = fields(content).peekable();
        let Some(first) = tokens.peek().copied() else { continue };
        let label = if first.contains(&b':') {
            None
        } else {
            tokens.next();
            let label = std::str::from_utf8(first)
                .map_err(|_| place.error(format!("the label {} is not UTF-8", shown(first))))?;
            Some(label.to_owned())
        };
        pairs.clear();
        for token in tokens {
            if token.starts_with(b"qid:") {
                continue;
            }
            pairs.push(pair(token, &words, Notation::Real, place)?);
        }
        let info = DocumentInfo { label, ..DocumentInfo::default() };
        collector.push(&mut pairs, info).map_err(|e| refused(place, e))?;
    }
    collector.finish(&path)
}

/// The pair `id:count` as position from 0 and count.
#[inline]
pub(super) fn pair(
    token: &[u8],
    words: &Ids,
    notation: Notation,
    place: Place<'_>,
) -> Result<(u32, u32), IoError> {
    let Some(colon) = token.iter().position(|&b| b == b':') else {
        return Err(place.error(format!("{} is not a pair id:count", shown(token))));
    };
    let word = words.position(&token[..colon], place)? as u32;
    Ok((word, count(&token[colon + 1..], notation, place)?))
}

/// A document that the library refused, by its line.
pub(super) fn refused(place: Place<'_>, error: vertopic::Error) -> IoError {
    match error {
        vertopic::Error::DocumentTooLong { tokens, .. } => {
            place.error(format!("the document has {tokens} tokens, {TOO_LONG}"))
        }
        other => other.into(),
    }
}

/// Writes an svmlight file, ids from 1. Other programs insist on a label, so a document without one
/// gets 0. A label that cannot stand in the file is an error.
pub fn write(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    let mut buffer = Vec::new();
    for (d, document) in corpus.documents().enumerate() {
        let label = corpus.label(d).unwrap_or("0");
        let lost = |c: char| c.is_ascii_whitespace() || c == ':' || c == '#' || c == '\u{feff}';
        if label.is_empty() || label.contains(lost) {
            let problem = format!(
                "the label {label:?} of document {} cannot stand in an svmlight file: it is empty, or \
                 has a blank, a colon or a #",
                d + 1
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        buffer.clear();
        buffer.extend_from_slice(label.as_bytes());
        for (word, count) in document.pairs() {
            write!(buffer, " {}:{count}", u64::from(word) + 1)?;
        }
        buffer.push(b'\n');
        out.write_all(&buffer)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests;
