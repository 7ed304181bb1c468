//! Mixtures as text.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use crate::mixtures::Rows;

/// Documents whose lines are put together at a time, by one thread.
const BATCH: usize = 256;

/// CSV or TSV with a header.
pub(super) fn delimited(out: &mut dyn Write, delimiter: u8, rows: &Rows<'_>) -> io::Result<()> {
    let (labels, times) = (rows.has_labels(), rows.has_times());
    let table = || csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    let mut header = vec!["id".to_owned()];
    header.extend(labels.then(|| "label".to_owned()));
    header.extend(times.then(|| "time".to_owned()));
    header.push("tokens".to_owned());
    header.extend((0..rows.mixtures.n_topics()).map(|k| format!("topic_{k}")));
    let mut first = table();
    first.write_record(&header).map_err(io_error)?;
    out.write_all(&finished(first)?)?;
    in_order(out, rows.len(), |span| {
        let (mut table, mut number) = (table(), String::new());
        for d in span {
            table.write_field(rows.id(d)).map_err(io_error)?;
            let cells = [(labels, rows.corpus.label(d)), (times, rows.corpus.time(d))];
            for (_, cell) in cells.into_iter().filter(|(there, _)| *there) {
                table.write_field(cell.unwrap_or_default()).map_err(io_error)?;
            }
            table.write_field(rows.mixtures.tokens[d].to_string()).map_err(io_error)?;
            for p in rows.mixtures.mixture(d) {
                number.clear();
                // The shortest digits that give the same number again; 1e-7 rather than 0.0000001.
                write!(number, "{p:?}").map_err(io::Error::other)?;
                table.write_field(&number).map_err(io_error)?;
            }
            table.write_record(None::<&[u8]>).map_err(io_error)?; // ends the line
        }
        finished(table)
    })
}

/// Writes the lines of all documents in their order; they are made on all threads of the pool at hand, a batch by each.
fn in_order(
    out: &mut dyn Write,
    documents: usize,
    lines: impl Fn(Range<usize>) -> io::Result<Vec<u8>> + Sync,
) -> io::Result<()> {
    let batches: Vec<usize> = (0..documents).step_by(BATCH).collect();
    for some in batches.chunks(4 * rayon::current_num_threads()) {
        let made: Vec<_> = some.par_iter().map(|&d| lines(d..(d + BATCH).min(documents))).collect();
        for bytes in made {
            out.write_all(&bytes?)?;
        }
    }
    out.flush()
}

fn finished(table: csv::Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
    table.into_inner().map_err(|e| io::Error::other(e.to_string()))
}

/// What the output said, and not that it said something: a closed pipe must be known as such.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<&'a str>,
    tokens: u64,
    mixture: &'a [f32],
}

/// A JSON object per line.
pub(super) fn jsonl(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    in_order(out, rows.len(), |span| {
        let mut lines = Vec::new();
        for d in span {
            let line = Line {
                id: &rows.id(d),
                label: rows.corpus.label(d),
                time: rows.corpus.time(d),
                tokens: rows.mixtures.tokens[d],
                mixture: rows.mixtures.mixture(d),
            };
            serde_json::to_writer(&mut lines, &line)?;
            lines.push(b'\n');
        }
        Ok(lines)
    })
}
