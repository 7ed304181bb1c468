//! Writes the on-disk corpus.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, ListArray, RecordBatch, UInt32Array};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use vertopic::context::Context;
use vertopic::corpus::{Corpus, Prune, PruneReport};

use crate::atomic::{write_atomically, write_error};
use crate::error::IoError;
use crate::spool::{Row, SpoolBuilder};
use crate::store::checksum::{Checksum, checksum};
use crate::store::corpus::{CorpusMeta, FORMAT, key, schema};
use crate::store::ipc::Metadata;

/// A record batch is closed at this number of entries or documents. It is large enough to be read at full speed and
/// takes little memory.
const BATCH_ENTRIES: usize = 1 << 18;
const BATCH_DOCUMENTS: usize = 1 << 16;

/// Writes a corpus. The file is there whole or not at all.
pub fn write_corpus(path: &Path, corpus: &Corpus, meta: &CorpusMeta) -> Result<(), IoError> {
    write_atomically(path, |out| write_batches(out, corpus, meta).map_err(|e| arrow_error(path, e)))
}

/// Writes the documents of a spool builder, without the words that `limits` drop. The file is there whole or not at all,
/// and the same as that of [`write_corpus`].
pub fn write_spooled(
    path: &Path,
    documents: SpoolBuilder,
    limits: Option<Prune>,
    meta: &CorpusMeta,
    ctx: &Context<'_>,
) -> Result<PruneReport, IoError> {
    let mut documents = documents.keep(limits)?;
    let words = documents.vocabulary.words().to_vec();
    // The checksum stands in front of the documents.
    let mut sum = Checksum::new(meta, &words);
    documents.each("computing checksum", ctx, |row| {
        sum.document(row.info, row.words, row.counts);
        Ok(())
    })?;
    write_atomically(path, |out| {
        let failed = |e| arrow_error(path, e);
        let mut batches = BatchWriter::new(out, &words, meta, sum.finish()).map_err(failed)?;
        documents.each("writing corpus", ctx, |row| batches.push(row).map_err(failed))?;
        batches.finish().map_err(failed)
    })?;
    Ok(documents.report)
}

fn arrow_error(path: &Path, error: ArrowError) -> IoError {
    match error {
        ArrowError::IoError(_, source) => write_error(path, source),
        other => write_error(path, std::io::Error::other(other)),
    }
}

pub(super) fn write_batches(
    out: &mut dyn Write,
    corpus: &Corpus,
    meta: &CorpusMeta,
) -> Result<(), ArrowError> {
    let words = corpus.vocabulary().words();
    let mut batches = BatchWriter::new(out, words, meta, checksum(corpus, meta))?;
    for (d, document) in corpus.documents().enumerate() {
        let info = [corpus.id(d), corpus.label(d), corpus.time(d)];
        batches.push(Row { words: document.words, counts: document.counts, info })?;
    }
    batches.finish()
}

/// Writes documents in record batches.
struct BatchWriter<'o> {
    writer: FileWriter<&'o mut dyn Write>,
    schema: Arc<Schema>,
    /// Ends of the documents in `words` and `counts`, after a 0.
    offsets: Vec<i32>,
    words: Vec<u32>,
    counts: Vec<u32>,
    /// Ids, labels and times.
    texts: [StringBuilder; 3],
}

impl<'o> BatchWriter<'o> {
    fn new(
        out: &'o mut dyn Write,
        words: &[String],
        meta: &CorpusMeta,
        checksum: String,
    ) -> Result<Self, ArrowError> {
        let schema = Arc::new(schema().with_metadata(metadata(words, meta, checksum)?));
        Ok(Self {
            writer: FileWriter::try_new(out, &schema)?,
            schema,
            offsets: vec![0],
            words: Vec::new(),
            counts: Vec::new(),
            texts: Default::default(),
        })
    }

    fn push(&mut self, row: Row<'_>) -> Result<(), ArrowError> {
        self.words.extend_from_slice(row.words);
        self.counts.extend_from_slice(row.counts);
        let len = self.words.len();
        self.offsets.push(i32::try_from(len).map_err(|_| ArrowError::OffsetOverflowError(len))?);
        for (column, text) in self.texts.iter_mut().zip(row.info) {
            column.append_option(text);
        }
        if len >= BATCH_ENTRIES || self.offsets.len() > BATCH_DOCUMENTS {
            self.close()?;
        }
        Ok(())
    }

    /// Writes the documents under way as a batch.
    fn close(&mut self) -> Result<(), ArrowError> {
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let item = Arc::new(Field::new_list_field(DataType::UInt32, false));
        let list = |values: &mut Vec<u32>| -> Result<ArrayRef, ArrowError> {
            let values = Arc::new(UInt32Array::from(std::mem::take(values)));
            Ok(Arc::new(ListArray::try_new(item.clone(), offsets.clone(), values, None)?))
        };
        let (words, counts) = (list(&mut self.words)?, list(&mut self.counts)?);
        let [ids, labels, times] = self.texts.each_mut().map(|column| Arc::new(column.finish()));
        let columns = vec![ids as ArrayRef, words, counts, labels, times];
        self.writer.write(&RecordBatch::try_new(self.schema.clone(), columns)?)
    }

    fn finish(mut self) -> Result<(), ArrowError> {
        if self.offsets.len() > 1 {
            self.close()?;
        }
        self.writer.finish()
    }
}

fn metadata(words: &[String], meta: &CorpusMeta, checksum: String) -> Result<Metadata, ArrowError> {
    let words = serde_json::to_string(words).map_err(|e| ArrowError::ExternalError(Box::new(e)))?;
    let mut metadata = Metadata::from([
        (key::FORMAT.to_owned(), FORMAT.to_string()),
        (key::VOCABULARY.to_owned(), words),
        (key::KIND.to_owned(), meta.kind.name().to_owned()),
        (key::CHECKSUM.to_owned(), checksum),
    ]);
    if let Some(tokenizer) = &meta.tokenizer {
        metadata.insert(key::TOKENIZER.to_owned(), tokenizer.clone());
    }
    Ok(metadata)
}
