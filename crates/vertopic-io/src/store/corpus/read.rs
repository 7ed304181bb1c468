//! Reads the on-disk corpus and believes nothing in it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt32Type;
use arrow_array::{Array as _, ListArray, RecordBatch, StringArray};
use arrow_buffer::Buffer;
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo};

use crate::error::IoError;
use crate::store::checksum::checksum;
use crate::store::corpus::{CorpusKind, CorpusMeta, FORMAT, key, schema};
use crate::store::ipc::{Bytes, IpcFile, Metadata};
use crate::{mmap, source};

/// Reads a corpus, through a memory map if it is a plain file. Everything in it is checked.
pub fn read_corpus(path: &Path) -> Result<(Corpus, CorpusMeta), IoError> {
    if path == Path::new("-") || source::strip_compression(path) != path {
        return read_unmapped(path);
    }
    let failed = |what| move |source| IoError::File { path: path.to_owned(), what, source };
    let file = File::open(path).map_err(failed("cannot open"))?;
    let buffer = mmap::map(&file).map_err(failed("cannot read"))?;
    read_buffer(path, buffer)
}

/// Standard input and compressed files cannot be mapped.
fn read_unmapped(path: &Path) -> Result<(Corpus, CorpusMeta), IoError> {
    let source = source::open(path)?;
    let (name, mut bytes) = (source.path.clone(), Vec::new());
    let read = source.into_reader().read_to_end(&mut bytes);
    read.map_err(|e| source::read_error(&name, e))?;
    read_buffer(&name, Buffer::from_vec(bytes))
}

/// Reads a corpus from bytes; `path` is for messages.
pub(super) fn read_buffer(path: &Path, buffer: Buffer) -> Result<(Corpus, CorpusMeta), IoError> {
    read_checked(buffer).map_err(|refused| refused.at(path))
}

/// Why a file is no sound corpus.
pub(super) struct Refused {
    pub(super) problem: String,
    pub(super) hint: Option<&'static str>,
}

impl Refused {
    /// The error for this file.
    pub(super) fn at(self, path: &Path) -> IoError {
        let Self { problem, hint } = self;
        let hint = hint.map(str::to_owned);
        IoError::Data { path: path.to_owned(), line: None, problem, hint }
    }
}

impl From<String> for Refused {
    fn from(problem: String) -> Self {
        Self { problem, hint: None }
    }
}

fn read_checked(buffer: Buffer) -> Result<(Corpus, CorpusMeta), Refused> {
    let (file, metadata) = IpcFile::open(Bytes::Buffer(buffer), schema(), check_format)?;
    let (meta, words) = (meta(&metadata)?, vocabulary(&metadata)?);
    let n_words = words.len() as u64;
    let mut builder = CorpusBuilder::with_words(words);
    for i in 0..file.n_batches() {
        let mut pairs = Vec::new();
        let before = builder.n_documents();
        each_row(&file.batch(i)?, n_words, before, |row| {
            pairs.clear();
            pairs.extend(row.words.iter().copied().zip(row.counts.iter().copied()));
            let [id, label, time] = row.info.map(|text| text.map(str::to_owned));
            builder.push(&mut pairs, DocumentInfo { id, label, time }).map_err(|e| e.to_string())
        })?;
    }
    let corpus = builder.finish().map_err(|e| e.to_string())?;
    match metadata.get(key::CHECKSUM) {
        Some(sum) if *sum != checksum(&corpus, &meta) => {
            Err("the file is damaged: its content does not match its checksum".to_owned().into())
        }
        _ => Ok((corpus, meta)),
    }
}

/// A file of another program, or of a newer version of this one, is refused before anything else.
pub(super) fn check_format(metadata: &Metadata) -> Result<(), Refused> {
    let Some(format) = metadata.get(key::FORMAT) else {
        return Err(Refused {
            problem: format!(
                "is an Arrow file, but no corpus: its metadata have no {}",
                key::FORMAT
            ),
            hint: Some("vertopic import makes a corpus of text or of word counts"),
        });
    };
    match format.parse::<u64>() {
        Ok(FORMAT) => Ok(()),
        Ok(newer) if newer > FORMAT => Err(Refused {
            problem: format!(
                "written by a newer vertopic: format {newer}, this one reads up to {FORMAT}"
            ),
            hint: Some("update vertopic, or import the corpus again with this one"),
        }),
        _ => Err(format!("{} is {format:?}, which is no known format", key::FORMAT).into()),
    }
}

/// What is known of the corpus besides its documents.
pub(super) fn meta(metadata: &Metadata) -> Result<CorpusMeta, String> {
    Ok(CorpusMeta { kind: kind(metadata)?, tokenizer: metadata.get(key::TOKENIZER).cloned() })
}

fn kind(metadata: &Metadata) -> Result<CorpusKind, String> {
    match metadata.get(key::KIND).map_or("", String::as_str) {
        "text" => Ok(CorpusKind::Text),
        "counts" => Ok(CorpusKind::Counts),
        other => Err(format!("{} is {other:?}, but must be \"text\" or \"counts\"", key::KIND)),
    }
}

/// The words, which must be in byte order: an id is a rank.
pub(super) fn vocabulary(metadata: &Metadata) -> Result<Vec<String>, String> {
    let json = metadata.get(key::VOCABULARY).ok_or("has no vocabulary".to_owned())?;
    let words: Vec<String> = serde_json::from_str(json)
        .map_err(|e| format!("{} is not a JSON array of words: {e}", key::VOCABULARY))?;
    match words.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => Err(format!(
            "the words {:?} and {:?} of its vocabulary are not in byte order, each once",
            pair[0], pair[1]
        )),
        None => Ok(words),
    }
}

/// A document of a batch.
pub(super) struct Row<'a> {
    pub(super) words: &'a [u32],
    pub(super) counts: &'a [u32],
    /// Its id, label and time.
    pub(super) info: [Option<&'a str>; 3],
}

/// Checks the documents of a batch, which come after so many others, and hands them on.
pub(super) fn each_row(
    batch: &RecordBatch,
    n_words: u64,
    before: usize,
    mut each: impl FnMut(Row<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let (words, counts) = (Lists::new(batch, 1)?, Lists::new(batch, 2)?);
    let columns = [texts(batch, 0)?, texts(batch, 3)?, texts(batch, 4)?];
    for row in 0..batch.num_rows() {
        let place = || format!("document {}", before + row + 1);
        let (words, counts) = (words.row(row), counts.row(row));
        if words.len() != counts.len() {
            return Err(format!(
                "{}: it has {} words, but {} counts",
                place(),
                words.len(),
                counts.len()
            ));
        }
        if let Some(pair) = words.windows(2).find(|pair| pair[0] >= pair[1]) {
            let (a, b) = (pair[0], pair[1]);
            return Err(format!("{}: the word ids {a} and {b} do not ascend", place()));
        }
        if let Some(&beyond) = words.last().filter(|&&w| u64::from(w) >= n_words) {
            return Err(format!(
                "{}: the word id {beyond} is not below the size of the vocabulary, {n_words}",
                place()
            ));
        }
        if let Some(at) = counts.iter().position(|&c| c == 0) {
            return Err(format!("{}: the count of word id {} is 0", place(), words[at]));
        }
        let info = columns.map(|column| column.is_valid(row).then(|| column.value(row)));
        each(Row { words, counts, info })?;
    }
    Ok(())
}

fn texts(batch: &RecordBatch, column: usize) -> Result<&StringArray, String> {
    batch.column(column).as_string_opt().ok_or_else(|| format!("column {column} is not text"))
}

/// A column of lists of numbers without nulls.
struct Lists<'a> {
    offsets: &'a [i32],
    values: &'a [u32],
}

impl<'a> Lists<'a> {
    fn new(batch: &'a RecordBatch, column: usize) -> Result<Self, String> {
        let wrong =
            || format!("column {column} is not made of lists of whole numbers without nulls");
        let list: &ListArray = batch.column(column).as_list_opt().ok_or_else(wrong)?;
        let values = list.values().as_primitive_opt::<UInt32Type>().ok_or_else(wrong)?;
        if list.null_count() + values.null_count() > 0 {
            return Err(wrong());
        }
        Ok(Self { offsets: list.value_offsets(), values: values.values() })
    }

    fn row(&self, row: usize) -> &'a [u32] {
        &self.values[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }
}
