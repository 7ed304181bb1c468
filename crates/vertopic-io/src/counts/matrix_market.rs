//! MatrixMarket: a sparse matrix of counts, documents × words (or words × documents).
//!
//! Read are `coordinate` matrices of `integer`, `real` (the values must be whole) or `pattern` (every
//! entry counts 1) with `general` symmetry.

use std::io::{self, Write};
use std::path::Path;

use vertopic::corpus::Corpus;

use crate::advice::{self, Advice};
use crate::counts::CountOptions;
use crate::counts::collect::Header;
use crate::counts::entries::{Entries, Values};
use crate::counts::parse::{Notation, Place, fields, file_error, shown, whole};
use crate::counts::uci::write_entries;
use crate::counts::vocab::check_size;
use crate::error::IoError;
use crate::source::Lines;

const BANNER: &str = "%%MatrixMarket matrix coordinate (integer|real|pattern) general";

/// Reads what comes before the entries.
pub(super) fn begin<'p>(
    lines: &mut Lines,
    path: &'p Path,
    options: &CountOptions,
) -> Result<(Entries<'p>, Header<'p>), IoError> {
    let values = read_banner(lines)?;
    let (line, [rows, columns, n_entries]) = read_size(lines)?;
    let (n_documents, n_words) = if options.transpose { (columns, rows) } else { (rows, columns) };
    if let Some(vocab) = &options.vocab {
        let other_way = if options.transpose {
            "the matrix seems to be documents × words: do not transpose it"
        } else {
            "the matrix seems to be words × documents: transpose it"
        };
        let hint = (vocab.len() as u64 == n_documents)
            .then(|| Advice::change(&[advice::TRANSPOSE], other_way));
        check_size(options, n_words, Place { path, line }, hint)?;
    }
    let entries = Entries::new(path, n_documents, n_words).of_matrix(values, options.transpose);
    Ok((entries, Header { place: Place { path, line }, n_documents, n_entries }))
}

fn read_banner(lines: &mut Lines) -> Result<Values, IoError> {
    let path = lines.path().to_owned();
    let first = lines.next()?.map(|(_, bytes)| bytes.to_ascii_lowercase()).unwrap_or_default();
    let place = Place { path: &path, line: 1 };
    let mut kind = fields(&first);
    if kind.next() != Some(b"%%matrixmarket") {
        return Err(place.error(format!("not a MatrixMarket file, which starts with {BANNER}")));
    }
    let kind: Vec<&[u8]> = kind.collect();
    let bad = |word: &[u8]| {
        let hint = match word {
            b"array" => Some("write the matrix as a sparse one"),
            b"symmetric" | b"skew-symmetric" | b"hermitian" => {
                Some("write the matrix with symmetry general (scipy: symmetry=\"general\")")
            }
            _ => None,
        };
        let problem = format!("{} is not supported; supported is {BANNER}", shown(word));
        Err(place.error_with(problem, hint))
    };
    let [object, format, values, symmetry] = kind[..] else {
        return Err(place
            .error(format!("the first line has {} words instead of 5: {BANNER}", kind.len() + 1)));
    };
    for (word, supported) in [(object, "matrix"), (format, "coordinate"), (symmetry, "general")] {
        if word != supported.as_bytes() {
            return bad(word);
        }
    }
    match values {
        b"integer" | b"unsigned-integer" => Ok(Values::Counts(Notation::Digits)),
        b"real" => Ok(Values::Counts(Notation::Real)),
        b"pattern" => Ok(Values::Ones),
        other => bad(other),
    }
}

/// The line after the comments: rows, columns, entries; and its number.
fn read_size(lines: &mut Lines) -> Result<(u64, [u64; 3]), IoError> {
    let path = lines.path().to_owned();
    while let Some((line, bytes)) = lines.next()? {
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() || bytes.starts_with(b"%") {
            continue;
        }
        let numbers: Option<Vec<u64>> = fields(bytes).map(whole).collect();
        return match numbers.as_deref() {
            Some(&[rows, columns, entries]) => Ok((line, [rows, columns, entries])),
            _ => Err(Place { path: &path, line }.error(format!(
                "the size {} is not three whole numbers: rows, columns, entries",
                shown(bytes)
            ))),
        };
    }
    Err(file_error(&path, "ends before its size line: rows, columns, entries"))
}

/// Writes a matrix of integers, documents × words.
pub fn write(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix coordinate integer general")?;
    writeln!(out, "{} {} {}", corpus.n_documents(), corpus.n_words(), corpus.nnz())?;
    write_entries(corpus, &mut out)
}

#[cfg(test)]
mod tests;
