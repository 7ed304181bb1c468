//! LDA-C: one document a line, the number of its pairs, then `id:count …`, ids from 0.

use std::io::{self, Write};
use std::path::Path;

use vertopic::corpus::Corpus;

use crate::counts::chunks;
use crate::counts::collect::repeated;
use crate::counts::pairs::Pairs;
use crate::counts::parse::{Ids, Notation, Place, fields, shown, whole};
use crate::counts::table::Block;
use crate::counts::{CountOptions, CountsRead, Each, streaming};
use crate::error::IoError;
use crate::source::{self, Source};

/// Reads an LDA-C file. The line `0` is an empty document.
pub fn read(source: Source, options: &CountOptions) -> Result<CountsRead, IoError> {
    let path = source.path.clone();
    let table = chunks::parse(source.lines(), parser(&path, options))?;
    let (corpus, merged) = table.runs_are_documents(options, &path)?;
    Ok(CountsRead { corpus, warnings: repeated(&path, merged) })
}

/// Reads a file as corpora of about `pairs` pairs, and says what is odd about it.
pub(crate) fn read_in_pieces(
    path: &Path,
    options: &CountOptions,
    pairs: usize,
    each: &mut Each<'_>,
) -> Result<Vec<String>, IoError> {
    let source = source::open(path)?;
    let path = source.path.clone();
    streaming::lines(source, parser(&path, options), options, pairs, each)
}

/// What parses a chunk.
fn parser<'p>(
    path: &'p Path,
    options: &CountOptions,
) -> impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync + use<'p> {
    let words = Ids::of_words(0, options.vocab.as_ref());
    let pairs = Pairs { path, words, notation: Notation::Digits, query_ids: false };
    move |text, block| {
        pairs.each_line(text, block, |text, len, place, block| {
            document(text, len, &pairs, place, block)
        })
    }
}

/// The document in the first `len` bytes.
fn document(
    text: &[u8],
    len: usize,
    pairs: &Pairs<'_>,
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
    let has = pairs.parse(text, start..len, place, block)?;
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
