//! Reads the on-disk corpus and checks everything in it.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt32Type;
use arrow_array::{Array as _, ListArray, RecordBatch, StringArray};
use vertopic::context::{Context, Progress};
use vertopic::corpus::{Corpus, DocumentInfo};

use crate::advice::{self, Advice};
use crate::error::IoError;
use crate::sink::{CorpusSink, DocumentSink, Room};
use crate::spool::Row;
use crate::store::checksum::Checksum;
use crate::store::corpus::{CorpusKind, CorpusMeta, FORMAT, key, schema};
use crate::store::ipc::{Bytes, IpcFile, Metadata};
use crate::{mmap, source};

/// One part in this of a limited room is for a batch.
const BATCH_SHARE: u64 = 4;

/// Reads a corpus into memory. Everything in it is checked.
pub fn read_corpus(path: &Path) -> Result<(Corpus, CorpusMeta), IoError> {
    let mut sink = CorpusSink::new();
    let (bytes, name) = open(path, Room::Unlimited)?;
    let meta = read_bytes(bytes, &name, &mut sink, |_| None)?;
    Ok((sink.finish()?.corpus, meta))
}

/// Reads a corpus into a sink, batch by batch. Everything in it is checked, the checksum last.
///
/// A batch may take a quarter of the sink's room.
pub fn read_corpus_into(
    path: &Path,
    sink: &mut dyn DocumentSink,
    ctx: &Context<'_>,
) -> Result<CorpusMeta, IoError> {
    let (bytes, name) = open(path, sink.room())?;
    read_bytes(bytes, &name, sink, |batches| Some(ctx.stage("reading corpus", batches)))
}

/// The bytes of a file, and its name for messages. A file that goes into memory whole is mapped. What is compressed or
/// comes through a pipe is copied first.
fn open(path: &Path, room: Room) -> Result<(Bytes, PathBuf), IoError> {
    let failed = |what| move |source| IoError::File { path: path.to_owned(), what, source };
    let (file, name) = if path == Path::new("-") || source::strip_compression(path) != path {
        let source = source::open(path)?;
        let name = source.path.clone();
        (source.copy()?, name)
    } else {
        (File::open(path).map_err(failed("cannot open"))?, path.to_owned())
    };
    let bytes = if room == Room::Unlimited {
        Bytes::Buffer(mmap::map(&file).map_err(failed("cannot read"))?)
    } else {
        let len = file.metadata().map_err(failed("cannot read"))?.len();
        Bytes::File(file, len)
    };
    Ok((bytes, name))
}

/// Reads a corpus from bytes; `path` is for messages. `stage` begins the progress over a number of batches.
pub(super) fn read_bytes<'c>(
    bytes: Bytes,
    path: &Path,
    sink: &mut dyn DocumentSink,
    stage: impl FnOnce(u64) -> Option<Progress<'c>>,
) -> Result<CorpusMeta, IoError> {
    let at = |problem: String| Refused::from(problem).at(path);
    let (file, metadata) = IpcFile::open(bytes, schema(), check_format)
        .map_err(|refused: Refused| refused.at(path))?;
    check_batches(&file, sink.room()).map_err(|refused| refused.at(path))?;
    let meta = meta(&metadata).map_err(at)?;
    let words = vocabulary(&metadata).map_err(at)?;
    let ids: Vec<u32> = words.iter().map(|word| sink.word(word)).collect();
    let progress = stage(file.n_batches() as u64);
    let (mut sum, mut before, mut entries) = (Checksum::new(&meta, &words), 0, Vec::new());
    for i in 0..file.n_batches() {
        let batch = file.batch(i).map_err(at)?;
        let rows = Rows::new(&batch).map_err(at)?;
        for row in 0..batch.num_rows() {
            let row = rows.checked(row, words.len() as u64, before).map_err(at)?;
            sum.document(row.info, row.words, row.counts);
            entries.clear();
            let ids = row.words.iter().map(|&word| ids[word as usize]);
            entries.extend(ids.zip(row.counts.iter().copied()));
            let [id, label, time] = row.info.map(|text| text.map(str::to_owned));
            let pushed = sink.push(&mut entries, DocumentInfo { id, label, time });
            pushed.map_err(|e| match e {
                IoError::Core(e) => at(e.to_string()),
                other => other,
            })?;
        }
        before += batch.num_rows();
        if let Some(progress) = &progress {
            progress.advance(1);
        }
    }
    if metadata.get(key::CHECKSUM).is_some_and(|expected| *expected != sum.finish()) {
        return Err(at("the file is damaged: its content does not match its checksum".to_owned()));
    }
    Ok(meta)
}

/// Checks that a batch fits into the room.
fn check_batches(file: &IpcFile, room: Room) -> Result<(), Refused> {
    match room {
        Room::AtMost(bytes) if file.largest() > bytes / BATCH_SHARE => Err(Refused {
            problem: format!(
                "a batch of its documents takes {} bytes, more than a quarter of the memory allowed",
                file.largest()
            ),
            hint: Some(Advice::change(
                &[advice::MEMORY],
                "allow more memory, or import the corpus again",
            )),
        }),
        _ => Ok(()),
    }
}

/// Why a file is no sound corpus.
struct Refused {
    problem: String,
    hint: Option<Advice>,
}

impl Refused {
    /// The error for this file.
    fn at(self, path: &Path) -> IoError {
        let Self { problem, hint } = self;
        IoError::Data { path: path.to_owned(), line: None, problem, hint }
    }
}

impl From<String> for Refused {
    fn from(problem: String) -> Self {
        Self { problem, hint: None }
    }
}

/// A file of another program, or of a newer version of this one, is refused before anything else.
fn check_format(metadata: &Metadata) -> Result<(), Refused> {
    let Some(format) = metadata.get(key::FORMAT) else {
        return Err(Refused {
            problem: format!(
                "is an Arrow file, but no corpus: its metadata have no {}",
                key::FORMAT
            ),
            hint: Some("vertopic import makes a corpus of text or of word counts".into()),
        });
    };
    match format.parse::<u64>() {
        Ok(FORMAT) => Ok(()),
        Ok(newer) if newer > FORMAT => Err(Refused {
            problem: format!(
                "written by a newer vertopic: format {newer}, this one reads up to {FORMAT}"
            ),
            hint: Some("update vertopic, or import the corpus again with this one".into()),
        }),
        _ => Err(format!("{} is {format:?}, which is no known format", key::FORMAT).into()),
    }
}

/// What is known of the corpus besides its documents.
fn meta(metadata: &Metadata) -> Result<CorpusMeta, String> {
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
fn vocabulary(metadata: &Metadata) -> Result<Vec<String>, String> {
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

/// The columns of a batch.
struct Rows<'a> {
    words: Lists<'a>,
    counts: Lists<'a>,
    /// Ids, labels and times.
    texts: [&'a StringArray; 3],
}

impl<'a> Rows<'a> {
    fn new(batch: &'a RecordBatch) -> Result<Self, String> {
        let (words, counts) = (Lists::new(batch, 1)?, Lists::new(batch, 2)?);
        Ok(Self { words, counts, texts: [texts(batch, 0)?, texts(batch, 3)?, texts(batch, 4)?] })
    }

    /// A document, if it is sound. `before` is the number of documents in the batches before.
    fn checked(&self, row: usize, n_words: u64, before: usize) -> Result<Row<'a>, String> {
        let place = || format!("document {}", before + row + 1);
        let (words, counts) = (self.words.row(row), self.counts.row(row));
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
        let info = self.texts.map(|column| column.is_valid(row).then(|| column.value(row)));
        Ok(Row { words, counts, info })
    }
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
