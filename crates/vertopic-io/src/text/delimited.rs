//! CSV and TSV, one document a row.
//!
//! Every row must have as many fields as the first. Fields may be quoted with `"`, and a quoted
//! field may hold line breaks; if it does, its quote must be closed where the field ends, since a
//! stray one would make one document of many. Blank lines between rows are no rows.

mod quotes;

use std::path::Path;

use csv::{ByteRecord, ErrorKind, ReaderBuilder};
use vertopic::corpus::DocumentInfo;

use self::quotes::Watch;
use crate::error::IoError;
use crate::source::{self, Source};
use crate::text::columns::{Columns, Positions, TEXT, Table, cut, filled, join};
use crate::text::reader::{Place, TextReader};
use crate::text::without_mark;

/// Reads every row as a document. `delimiter` is `b','` or `b'\t'`.
pub fn read(
    source: Source,
    delimiter: u8,
    columns: &Columns,
    documents: &mut TextReader<'_>,
) -> Result<(), IoError> {
    let path = source.path.clone();
    let watch = Watch::new(delimiter);
    let watched = watch.over(source.into_reader());
    let mut reader =
        ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(watched);
    let (mut record, mut positions) = (ByteRecord::new(), None);
    loop {
        let start = reader.position().byte();
        let more = reader.read_byte_record(&mut record);
        let end = reader.position().byte();
        let place = Place::line(&path, watch.take_row(start, end));
        if let Some(fault) = watch.fault(end) {
            return Err(Place::line(&path, fault.line).error(fault.problem, CLOSE));
        }
        if !more.map_err(|e| row_error(e, &place))? {
            return Ok(());
        }
        let first = positions.is_none();
        let positions = match &mut positions {
            Some(positions) => positions,
            none => none.insert(find_columns(&record, columns, &path, documents)?),
        };
        documents.advance(end - start);
        if columns.no_header || !first {
            let (text, info) = document(&record, positions, &place, documents)?;
            documents.push(text, info)?;
        }
    }
}

const CLOSE: Option<&str> = Some("close it; a quote inside a quoted field is written twice (\"\")");

fn find_columns(
    first: &ByteRecord,
    columns: &Columns,
    path: &Path,
    documents: &mut TextReader<'_>,
) -> Result<Positions, IoError> {
    let name = |field: &[u8]| String::from_utf8_lossy(without_mark(field)).into_owned();
    let names: Vec<String> = first.iter().map(name).collect();
    let names = (!columns.no_header).then_some(&names[..]);
    let table = Table { path, names, width: first.len(), may_lack_header: !columns.no_header };
    // A lone column of any name is the text, so a document can be taken for its name.
    if let Some([only]) = names
        && columns.text.is_empty()
        && !TEXT.iter().any(|usual| only.trim().eq_ignore_ascii_case(usual))
    {
        documents.warn(format!(
            "{}: the first row, {:?}, was taken for the header; \
             if it is a document, the file has no header",
            path.display(),
            cut(only)
        ));
    }
    columns.find(&table)
}

fn document(
    record: &ByteRecord,
    positions: &Positions,
    place: &Place<'_>,
    documents: &mut TextReader<'_>,
) -> Result<(String, DocumentInfo), IoError> {
    let mut cell = |at: usize| documents.decode(&record[at], place);
    let mut optional = |at: Option<usize>| match at {
        Some(at) => cell(at).map(filled),
        None => Ok(None),
    };
    let info = DocumentInfo {
        id: optional(positions.id)?,
        label: optional(positions.label)?,
        time: optional(positions.time)?,
    };
    let parts = positions.text.iter().map(|&at| cell(at)).collect::<Result<_, _>>()?;
    Ok((join(parts), info))
}

fn row_error(error: csv::Error, place: &Place<'_>) -> IoError {
    match error.into_kind() {
        ErrorKind::Io(e) => source::read_error(place.path, e),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let s = if len == 1 { "" } else { "s" };
            let rule = format!("this row has {len} field{s}, but the first row has {expected_len}");
            place.error(rule, None)
        }
        other => place.error(format!("cannot be read: {other:?}"), None),
    }
}

#[cfg(test)]
mod tests;
