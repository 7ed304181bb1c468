//! Writes the on-disk corpus.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, ListArray, RecordBatch, StringArray, UInt32Array};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use vertopic::corpus::Corpus;

use crate::atomic::{write_atomically, write_error};
use crate::error::IoError;
use crate::store::checksum::checksum;
use crate::store::corpus::{CorpusMeta, FORMAT, key, schema};
use crate::store::ipc::Metadata;

/// A record batch is closed at so many pairs or documents: large enough to be read at full speed, small
/// enough that one of them is little memory.
const BATCH_PAIRS: usize = 1 << 18;
const BATCH_DOCUMENTS: usize = 1 << 16;

/// Writes a corpus. The file is there whole or not at all.
pub fn write_corpus(path: &Path, corpus: &Corpus, meta: &CorpusMeta) -> Result<(), IoError> {
    write_atomically(path, |out| {
        write_batches(out, corpus, meta).map_err(|e| match e {
            ArrowError::IoError(_, source) => write_error(path, source),
            other => write_error(path, std::io::Error::other(other)),
        })
    })
}

pub(super) fn write_batches(
    out: &mut dyn Write,
    corpus: &Corpus,
    meta: &CorpusMeta,
) -> Result<(), ArrowError> {
    let schema = Arc::new(schema().with_metadata(metadata(corpus, meta)?));
    let mut writer = FileWriter::try_new(out, &schema)?;
    let (mut first, mut pairs) = (0, 0);
    for (d, document) in corpus.documents().enumerate() {
        pairs += document.words.len();
        if pairs >= BATCH_PAIRS || d + 1 - first >= BATCH_DOCUMENTS {
            writer.write(&batch(corpus, first..d + 1, schema.clone())?)?;
            (first, pairs) = (d + 1, 0);
        }
    }
    if first < corpus.n_documents() {
        writer.write(&batch(corpus, first..corpus.n_documents(), schema.clone())?)?;
    }
    writer.finish()
}

fn metadata(corpus: &Corpus, meta: &CorpusMeta) -> Result<Metadata, ArrowError> {
    let words = serde_json::to_string(corpus.vocabulary().words())
        .map_err(|e| ArrowError::ExternalError(Box::new(e)))?;
    let mut metadata = Metadata::from([
        (key::FORMAT.to_owned(), FORMAT.to_string()),
        (key::VOCABULARY.to_owned(), words),
        (key::KIND.to_owned(), meta.kind.name().to_owned()),
        (key::CHECKSUM.to_owned(), checksum(corpus, meta)),
    ]);
    if let Some(tokenizer) = &meta.tokenizer {
        metadata.insert(key::TOKENIZER.to_owned(), tokenizer.clone());
    }
    Ok(metadata)
}

fn batch(
    corpus: &Corpus,
    documents: Range<usize>,
    schema: Arc<Schema>,
) -> Result<RecordBatch, ArrowError> {
    let (mut offsets, mut words, mut counts) = (vec![0_i32], Vec::new(), Vec::new());
    for d in documents.clone() {
        let document = corpus.document(d);
        words.extend_from_slice(document.words);
        counts.extend_from_slice(document.counts);
        let end =
            i32::try_from(words.len()).map_err(|_| ArrowError::OffsetOverflowError(words.len()))?;
        offsets.push(end);
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let item = Arc::new(Field::new_list_field(DataType::UInt32, false));
    let list = |values: Vec<u32>| -> Result<ArrayRef, ArrowError> {
        let values = Arc::new(UInt32Array::from(values));
        Ok(Arc::new(ListArray::try_new(item.clone(), offsets.clone(), values, None)?))
    };
    let texts = |get: fn(&Corpus, usize) -> Option<&str>| -> ArrayRef {
        Arc::new(documents.clone().map(|d| get(corpus, d)).collect::<StringArray>())
    };
    let (words, counts) = (list(words)?, list(counts)?);
    let columns = vec![texts(Corpus::id), words, counts, texts(Corpus::label), texts(Corpus::time)];
    RecordBatch::try_new(schema, columns)
}
