//! svmlight (libsvm): one document a line, `[label] id:count … [# comment]`.
//!
//! Ids count from 1, or from 0 if the options say so. `qid:…` is passed over. Lines that are empty or
//! hold only a comment are no documents; a line with a label alone is an empty document.

use std::io::{self, Write};
use std::path::Path;

use memchr::memchr;
use vertopic::corpus::Corpus;

use crate::counts::CountOptions;
use crate::counts::pairs::PairParser;
use crate::counts::parse::{Ids, Notation, Place, fields, shown};
use crate::counts::table::Block;
use crate::error::IoError;

/// What parses a chunk.
pub(super) fn parser<'p>(
    path: &'p Path,
    options: &CountOptions,
) -> impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync + use<'p> {
    let words = Ids::of_words(u64::from(!options.zero_based), options.vocab.as_ref());
    PairParser { path, words, notation: Notation::Real, query_ids: true }.chunks(document)
}

/// The document in the first `len` bytes.
fn document(
    text: &[u8],
    len: usize,
    parser: &PairParser<'_>,
    place: Place<'_>,
    block: &mut Block,
) -> Result<(), IoError> {
    let end = memchr(b'#', &text[..len]).unwrap_or(len);
    let content = &text[..end];
    let Some(first) = fields(content).next() else { return Ok(()) };
    let (label, start) = if first.contains(&b':') {
        (None, 0)
    } else {
        let label = std::str::from_utf8(first)
            .map_err(|_| place.error(format!("the label {} is not UTF-8", shown(first))))?;
        (Some(label.into()), end - content.trim_ascii_start().len() + first.len())
    };
    block.labels.push(label);
    parser.parse(text, start..end, place, block)?;
    Ok(())
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
        for (word, count) in document.entries() {
            write!(buffer, " {}:{count}", u64::from(word) + 1)?;
        }
        buffer.push(b'\n');
        out.write_all(&buffer)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests;
