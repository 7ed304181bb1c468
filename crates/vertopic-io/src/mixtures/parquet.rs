//! Mixtures as Parquet.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::mixtures::Rows;

/// Documents turned into columns at a time.
const BATCH: usize = 1 << 14;

/// Writes a Parquet file. It is put together in memory, compressed: the writer wants an output that
/// can be handed to another thread.
pub(super) fn write(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    let columns = Columns { labels: rows.has_labels(), times: rows.has_times() };
    let schema = Arc::new(columns.schema(rows.mixtures.n_topics()));
    let zstd = ZstdLevel::try_new(3).map_err(io::Error::other)?;
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(zstd)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties))
        .map_err(io::Error::other)?;
    for start in (0..rows.len()).step_by(BATCH) {
        let span = start..(start + BATCH).min(rows.len());
        let arrays = columns.arrays(rows, &span);
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(io::Error::other)?;
        writer.write(&batch).map_err(io::Error::other)?;
    }
    out.write_all(&writer.into_inner().map_err(io::Error::other)?)?;
    out.flush()
}

/// Which of the columns that need not be there are there.
struct Columns {
    labels: bool,
    times: bool,
}

impl Columns {
    fn schema(&self, n_topics: usize) -> Schema {
        let mut fields = vec![Field::new("id", DataType::Utf8, false)];
        fields.extend(self.labels.then(|| Field::new("label", DataType::Utf8, true)));
        fields.extend(self.times.then(|| Field::new("time", DataType::Utf8, true)));
        fields.push(Field::new("tokens", DataType::Int64, false));
        let topic = |k| Field::new(format!("topic_{k}"), DataType::Float32, false);
        fields.extend((0..n_topics).map(topic));
        Schema::new(fields)
    }

    fn arrays(&self, rows: &Rows<'_>, span: &Range<usize>) -> Vec<ArrayRef> {
        let strings = |of: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
            Arc::new(span.clone().map(of).collect::<StringArray>())
        };
        let mut arrays = vec![strings(&|d| Some(rows.id(d)))];
        let text = |value: Option<&str>| value.map(str::to_owned);
        arrays.extend(self.labels.then(|| strings(&|d| text(rows.corpus.label(d)))));
        arrays.extend(self.times.then(|| strings(&|d| text(rows.corpus.time(d)))));
        let tokens = rows.mixtures.tokens[span.clone()].iter().map(|&n| n as i64);
        arrays.push(Arc::new(tokens.collect::<Int64Array>()));
        arrays.extend((0..rows.mixtures.n_topics()).map(|k| -> ArrayRef {
            let column = span.clone().map(|d| rows.mixtures.mixture(d)[k]);
            Arc::new(Float32Array::from_iter_values(column))
        }));
        arrays
    }
}
