//! Mixtures as text.

use std::io::{self, Write};

use serde::Serialize;

use crate::mixtures::Rows;

/// CSV or TSV with a header.
pub(super) fn delimited(out: &mut dyn Write, delimiter: u8, rows: &Rows<'_>) -> io::Result<()> {
    let mut table = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
    let (labels, times) = (rows.has_labels(), rows.has_times());
    let mut record = vec!["id".to_owned()];
    record.extend(labels.then(|| "label".to_owned()));
    record.extend(times.then(|| "time".to_owned()));
    record.push("tokens".to_owned());
    record.extend((0..rows.mixtures.n_topics()).map(|k| format!("topic_{k}")));
    table.write_record(&record).map_err(io_error)?;
    for d in 0..rows.len() {
        record.clear();
        record.push(rows.id(d));
        let cell = |value: Option<&str>| value.unwrap_or_default().to_owned();
        record.extend(labels.then(|| cell(rows.corpus.label(d))));
        record.extend(times.then(|| cell(rows.corpus.time(d))));
        record.push(rows.mixtures.tokens[d].to_string());
        // The shortest digits that give the same number again; 1e-7 rather than 0.0000001.
        record.extend(rows.mixtures.mixture(d).iter().map(|p| format!("{p:?}")));
        table.write_record(&record).map_err(io_error)?;
    }
    table.flush()
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
    for d in 0..rows.len() {
        let line = Line {
            id: &rows.id(d),
            label: rows.corpus.label(d),
            time: rows.corpus.time(d),
            tokens: rows.mixtures.tokens[d],
            mixture: rows.mixtures.mixture(d),
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
