//! Inputs of text.

use std::path::Path;

use vertopic::context::Context;

use crate::error::IoError;
use crate::input::{About, Format, InputOptions, Kind, ReadReport};
use crate::sink::DocumentSink;
use crate::source;
use crate::text::folder::{self, Found, Include};
use crate::text::{TextReader, Tokenizer, delimited, jsonl, lines, parquet};

/// Reads inputs of text into a sink, one after the other.
pub(super) fn read(
    inputs: &[(&Path, Format)],
    tokenizer: &Tokenizer,
    options: &InputOptions,
    sink: &mut dyn DocumentSink,
    ctx: &Context<'_>,
    report: &mut ReadReport,
) -> Result<About, IoError> {
    let include = Include::new(&options.include)?;
    let mut files = Vec::with_capacity(inputs.len());
    for &(path, format) in inputs {
        files.push(if format == Format::Folder { folder::find(path, &include)? } else { vec![] });
    }
    let sizes: Vec<u64> = inputs.iter().zip(&files).map(|((path, _), f)| size(path, f)).collect();
    let mut reader = TextReader::new(tokenizer, options.strict, sink, ctx);
    reader.expect_bytes(sizes.iter().sum());
    for ((&(path, format), found), bytes) in inputs.iter().zip(files).zip(sizes) {
        let before = reader.n_documents();
        report.files += found.len().max(1);
        let packed = format != Format::Folder && source::strip_compression(path) != path;
        reader.begin_file(bytes, packed);
        let columns = &options.columns;
        match format {
            Format::Folder => folder::read(found, &mut reader)?,
            Format::Csv => delimited::read(source::open(path)?, b',', columns, &mut reader)?,
            Format::Tsv => delimited::read(source::open(path)?, b'\t', columns, &mut reader)?,
            Format::Jsonl => jsonl::read(source::open(path)?, columns, &mut reader)?,
            Format::Parquet => parquet::read(path, columns, &mut reader)?,
            _ => lines::read(source::open(path)?, &mut reader)?,
        }
        reader.end_file();
        if reader.n_documents() == before && inputs.len() > 1 {
            reader.warn(format!("{}: has no documents", path.display()));
        }
    }
    report.warnings.extend(reader.finish()?);
    Ok(About {
        kind: Kind::Text,
        tokenizer: Some(tokenizer.options().clone()),
        numbered: false,
        path: inputs[0].0.to_owned(),
    })
}

/// Bytes on disk, where that is known.
fn size(path: &Path, files: &[Found]) -> u64 {
    if files.is_empty() {
        return path.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 });
    }
    files.iter().map(|f| f.bytes).sum()
}
