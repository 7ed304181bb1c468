//! LDA-C: one document a line, the number of its pairs, then `id:count …`, ids from 0.

use std::io::{self, Write};
use std::path::Path;

use vertopic::corpus::Corpus;

use crate::counts::CountOptions;
use crate::counts::pairs::PairParser;
use crate::counts::parse::{Ids, Notation, Place, fields, shown, whole};
use crate::counts::table::Block;
use crate::error::IoError;

/// What parses a chunk.
pub(super) fn parser<'p>(
    path: &'p Path,
    options: &CountOptions,
) -> impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync + use<'p> {
    let words = Ids::of_words(0, options.vocab.as_ref());
    PairParser { path, words, notation: Notation::Digits, query_ids: false }.chunks(document)
}

/// The document in the first `len` bytes.
fn document(
    text: &[u8],
    len: usize,
    parser: &PairParser<'_>,
    place: Place<'_>,
    block: &mut Block,
) -> Result<(), IoError> {
    let line = &text[..len];
    let Some(first) = fields(line).next() else {
        let hint = "a document without words is written as 0";
        return Err(place.error_with("the line is empty", Some(hint)));
    };
    let says = whole(first).ok_or_else(|| {
        place.error(format!("the number of pairs, {}, is not a whole number", shown(first)))
    })?;
    let start = len - line.trim_ascii_start().len() + first.len();
    let has = parser.parse(text, start..len, place, block)?;
    if says != has {
        return Err(place.error(format!("the line says {says} pairs id:count, but it has {has}")));
    }
    Ok(())
}

/// Writes an LDA-C file.
pub fn write(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    let mut buffer = Vec::new();
    for document in corpus.documents() {
        buffer.clear();
        write!(buffer, "{}", document.words.len())?;
        for (word, count) in document.entries() {
            write!(buffer, " {word}:{count}")?;
        }
        buffer.push(b'\n');
        out.write_all(&buffer)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests;
