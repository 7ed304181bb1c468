//! LDA-C: one document a line, the number of its pairs, then `id:count …`, ids from 0.

use std::io::{self, Write};

use vertopic::corpus::{Corpus, DocumentInfo};

use crate::counts::collect::Collector;
use crate::counts::parse::{Ids, Notation, Place, fields, shown, whole};
use crate::counts::svmlight::{pair, refused};
use crate::counts::{CountOptions, CountsRead};
use crate::error::IoError;
use crate::source::Source;

/// Reads an LDA-C file. The line `0` is an empty document.
pub fn read(source: Source, options: &CountOptions) -> Result<CountsRead, IoError> {
    let path = source.path.clone();
    let mut lines = source.lines();
    let words = Ids::of_words(0, options.vocab.as_ref());
    let mut collector = Collector::new(options);
    let mut pairs = Vec::new();
    while let Some((line, bytes)) = lines.next()? {
        let place = Place { path: &path, line };
        let mut tokens = fields(bytes);
        let Some(first) = tokens.next() else {
            let hint = "a document without words is written as 0";
            return Err(place.error_with("the line is empty", Some(hint)));
        };
        let n_pairs = whole(first).ok_or_else(|| {
            place.error(format!("the number of pairs, {}, is not a whole number", shown(first)))
        })?;
        pairs.clear();
        for token in tokens {
            pairs.push(pair(token, &words, Notation::Digits, place)?);
        }
        if pairs.len() as u64 != n_pairs {
            let problem =
                format!("the line says {n_pairs} pairs id:count, but it has {}", pairs.len());
            return Err(place.error(problem));
        }
        collector.push(&mut pairs, DocumentInfo::default()).map_err(|e| refused(place, e))?;
    }
    collector.finish(&path)
}

/// Writes an LDA-C file.
pub fn write(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    let mut buffer = Vec::new();
    for document in corpus.documents() {
        buffer.clear();
        write!(buffer, "{}", document.words.len())?;
        for (word, count) in document.pairs() {
            write!(buffer, " {word}:{count}")?;
        }
        buffer.push(b'\n');
        out.write_all(&buffer)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests;
