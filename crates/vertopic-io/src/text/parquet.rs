//! Parquet, one document a row.
//!
//! Text is a string column. Id, label and time may also be numbers, booleans, dates or timestamps,
//! which are written as in ISO 8601. A text that is null is an empty document.

use std::fmt::Display;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    ArrowPrimitiveType, ArrowTemporalType, Date32Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use vertopic::corpus::DocumentInfo;

use crate::error::IoError;
use crate::guard::guarded;
use crate::source;
use crate::text::columns::{Columns, Positions, Table, filled, join};
use crate::text::reader::{Place, TextReader};

/// Rows decoded at a time; few, because a row can be a book.
const BATCH: usize = 256;

/// Reads every row as a document. The path may be `-` or a compressed file; these are copied to a
/// temporary file first, because a Parquet file is read from its end.
pub fn read(path: &Path, columns: &Columns, documents: &mut TextReader<'_>) -> Result<(), IoError> {
    let file = open(path)?;
    let path = if path == Path::new("-") { Path::new(source::STDIN) } else { path };
    let place = Place { path, line: None };
    let bytes = file.metadata().map_or(0, |m| m.len());
    // Without the Arrow schema that some writers add, strings are strings: neither large, nor
    // views, nor in dictionaries.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder =
        decode(&place, || ParquetRecordBatchReaderBuilder::try_new_with_options(file, options))?;
    let positions = find_columns(builder.schema(), columns, path)?;
    let rows = builder.metadata().file_metadata().num_rows().max(0) as u64;
    let chosen = positions.all();
    let mask = ProjectionMask::roots(builder.parquet_schema(), chosen.iter().copied());
    let builder = builder.with_projection(mask).with_batch_size(BATCH);
    let mut reader = decode(&place, || builder.build())?;
    let mut found = 0;
    while let Some(batch) = decode(&place, || reader.next().transpose())? {
        push_rows(&batch, &positions.among(&chosen), &place, documents)?;
        documents.advance(bytes / rows.max(1) * batch.num_rows() as u64);
        found += batch.num_rows() as u64;
    }
    if found != rows {
        let problem = format!("damaged: it says that it has {rows} rows, but it has {found}");
        return Err(place.error(problem, None));
    }
    Ok(())
}

/// Runs a piece of the Parquet decoder.
fn decode<T, E: Display>(
    place: &Place<'_>,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, IoError> {
    let done = guarded(work).and_then(|done| done.map_err(|e| e.to_string()));
    done.map_err(|e| place.error(format!("cannot be read as Parquet: {e}"), None))
}

/// The file, or a copy of what must be decompressed or comes through a pipe.
fn open(path: &Path) -> Result<File, IoError> {
    if path != Path::new("-") && source::strip_compression(path) == path {
        let failed = |source| IoError::File { path: path.to_owned(), what: "cannot open", source };
        return File::open(path).map_err(failed);
    }
    source::open(path)?.copy()
}

fn find_columns(schema: &Schema, columns: &Columns, path: &Path) -> Result<Positions, IoError> {
    let names: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
    let (width, may_lack_header) = (names.len(), false);
    let found = columns.find(&Table { path, names: Some(&names), width, may_lack_header })?;
    let place = Place { path, line: None };
    let check = |at: usize, holds: fn(&DataType) -> bool, rule: &str| {
        let (name, kind) = (&names[at], schema.field(at).data_type());
        if holds(kind) {
            return Ok(());
        }
        Err(place.error(format!("the column {name:?} holds {kind}, but {rule}"), None))
    };
    for &at in &found.text {
        check(at, is_text, "text must be a column of strings")?;
    }
    for at in [found.id, found.label, found.time].into_iter().flatten() {
        check(at, is_scalar, "id, label and time must be strings, numbers, dates or timestamps")?;
    }
    Ok(found)
}

impl Positions {
    /// All columns, in the order of the table, each once.
    fn all(&self) -> Vec<usize> {
        let others = [self.id, self.label, self.time].into_iter().flatten();
        let mut all: Vec<usize> = self.text.iter().copied().chain(others).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Where the columns stand in a table that has only the `chosen` ones.
    fn among(&self, chosen: &[usize]) -> Self {
        let new = |at: usize| chosen.partition_point(|&c| c < at);
        Self {
            text: self.text.iter().map(|&at| new(at)).collect(),
            id: self.id.map(new),
            label: self.label.map(new),
            time: self.time.map(new),
        }
    }
}

fn push_rows(
    batch: &RecordBatch,
    positions: &Positions,
    place: &Place<'_>,
    documents: &mut TextReader<'_>,
) -> Result<(), IoError> {
    for row in 0..batch.num_rows() {
        let scalar =
            |at: Option<usize>| at.and_then(|at| rendered(batch.column(at), row)).and_then(filled);
        let info = DocumentInfo {
            id: scalar(positions.id),
            label: scalar(positions.label),
            time: scalar(positions.time),
        };
        let part = |&at: &usize| documents.decode(bytes(batch.column(at), row), place);
        let parts = positions.text.iter().map(part).collect::<Result<_, _>>()?;
        documents.push(join(parts), info)?;
    }
    Ok(())
}

/// Binary columns are what writers make that do not mark strings as such.
fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::Binary)
}

fn bytes(array: &dyn Array, row: usize) -> &[u8] {
    if array.is_null(row) {
        return b"";
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).as_bytes(),
        _ => array.as_binary::<i32>().value(row),
    }
}

fn is_scalar(kind: &DataType) -> bool {
    kind.is_integer()
        || is_text(kind)
        || matches!(kind, DataType::Boolean | DataType::Float32 | DataType::Float64)
        || matches!(kind, DataType::Date32 | DataType::Timestamp(..))
}

/// The value of a cell as text, if it has one.
fn rendered(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int8 => number::<Int8Type>(array, row),
        DataType::Int16 => number::<Int16Type>(array, row),
        DataType::Int32 => number::<Int32Type>(array, row),
        DataType::Int64 => number::<Int64Type>(array, row),
        DataType::UInt8 => number::<UInt8Type>(array, row),
        DataType::UInt16 => number::<UInt16Type>(array, row),
        DataType::UInt32 => number::<UInt32Type>(array, row),
        DataType::UInt64 => number::<UInt64Type>(array, row),
        DataType::Float32 => number::<Float32Type>(array, row),
        DataType::Float64 => number::<Float64Type>(array, row),
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>();
            days.value_as_date(row).map_or_else(|| days.value(row).to_string(), |d| d.to_string())
        }
        DataType::Timestamp(unit, zone) => {
            let mut time = match unit {
                TimeUnit::Second => moment::<TimestampSecondType>(array, row),
                TimeUnit::Millisecond => moment::<TimestampMillisecondType>(array, row),
                TimeUnit::Microsecond => moment::<TimestampMicrosecondType>(array, row),
                TimeUnit::Nanosecond => moment::<TimestampNanosecondType>(array, row),
            };
            // Parquet keeps either local time or UTC.
            time.push_str(if zone.is_some() { "Z" } else { "" });
            time
        }
        _ => String::from_utf8_lossy(bytes(array, row)).into_owned(),
    })
}

fn number<T: ArrowPrimitiveType<Native: Display>>(array: &dyn Array, row: usize) -> String {
    array.as_primitive::<T>().value(row).to_string()
}

/// A moment as in ISO 8601; its bare number where the calendar does not reach.
fn moment<T: ArrowTemporalType>(array: &dyn Array, row: usize) -> String
where
    i64: From<T::Native>,
{
    let times = array.as_primitive::<T>();
    times
        .value_as_datetime(row)
        .map_or_else(|| i64::from(times.value(row)).to_string(), |t| format!("{t:?}"))
}

#[cfg(test)]
mod tests;
