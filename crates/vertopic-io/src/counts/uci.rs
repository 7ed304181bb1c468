//! UCI bag of words: three header lines (documents, words, entries), then `document word count`.
//!
//! Ids count from 1 and entries may come in any order. Documents without entries are empty documents.

mod parts;

pub use parts::{Packing, header, push_entries};

use std::io::{self, Write};
use std::path::Path;

use vertopic::corpus::Corpus;

use crate::counts::CountOptions;
use crate::counts::collect::Header;
use crate::counts::entries::Entries;
use crate::counts::parse::{Place, file_error, shown, whole};
use crate::counts::vocab::check_size;
use crate::error::IoError;
use crate::source::Lines;

const HEADER: [&str; 3] = ["documents", "words", "entries"];

/// Reads the header.
pub(super) fn begin<'p>(
    lines: &mut Lines,
    path: &'p Path,
    options: &CountOptions,
) -> Result<(Entries<'p>, Header<'p>), IoError> {
    let [n_documents, n_words, n_entries] = read_header(lines)?;
    check_size(options, n_words, Place { path, line: 2 }, None)?;
    let header = Header { place: Place { path, line: 3 }, n_documents, n_entries };
    Ok((Entries::new(path, n_documents, n_words), header))
}

fn read_header(lines: &mut Lines) -> Result<[u64; 3], IoError> {
    let path = lines.path().to_owned();
    let mut header = [0; 3];
    for (value, what) in header.iter_mut().zip(HEADER) {
        let Some((line, bytes)) = lines.next()? else {
            let problem = format!(
                "ends before its header does; it starts with three lines: the numbers of {}, {} and {}",
                HEADER[0], HEADER[1], HEADER[2]
            );
            return Err(file_error(&path, problem));
        };
        *value = whole(bytes.trim_ascii()).ok_or_else(|| {
            let problem = format!(
                "the number of {what}, {}, is not a whole number below 2^64",
                shown(bytes.trim_ascii())
            );
            Place { path: &path, line }.error(problem)
        })?;
    }
    Ok(header)
}

/// Writes a `docword` file; its words go into a file of their own ([`vocab::write`](super::vocab::write)).
pub fn write(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    out.write_all(&header(corpus.n_documents() as u64, corpus.n_words(), corpus.nnz() as u64))?;
    write_entries(corpus, &mut out)
}

/// Writes `document word count` for every pair, ids from 1.
pub(super) fn write_entries(corpus: &Corpus, out: &mut impl Write) -> io::Result<()> {
    let mut buffer = Vec::new();
    for (d, document) in corpus.documents().enumerate() {
        buffer.clear();
        push_entries(&mut buffer, d as u64, document.entries());
        out.write_all(&buffer)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests;
