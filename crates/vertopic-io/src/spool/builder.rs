//! Documents on the disk before their vocabulary is known.
//!
//! Which words stay, and their order, is known when all documents have been seen. Until then documents wait in a
//! temporary file without a name, under the ids that words got in order of arrival.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{Corpus, DocumentInfo, Prune, PruneReport, Vocabulary};

use crate::atomic::write_error;
use crate::error::IoError;
use crate::sink::{DocumentSink, Room};
use crate::spool::{Spool, SpoolWriter};

const BUFFER: usize = 1 << 20;
/// Numbers in front of a document: entries, then bytes of id, label and time, each plus one if it is there.
const HEAD: usize = 4;

/// Keeps documents on the disk. Memory grows with the vocabulary, not with the documents.
#[derive(Debug)]
pub struct SpoolBuilder {
    out: BufWriter<File>,
    /// The folder of the file, for messages.
    folder: PathBuf,
    room: Room,
    words: Vec<String>,
    ids: HashMap<String, u32>, // looked up, never walked
    scratch: Vec<u32>,
    sums: Sums,
    checkpoint: Sums,
}

/// Sums over the documents so far.
#[derive(Debug, Clone, Default)]
struct Sums {
    /// Number of documents that have each word.
    df: Vec<u64>,
    documents: usize,
    /// Documents with a word.
    filled: usize,
    tokens: u64,
    /// Length of the file.
    bytes: u64,
}

impl SpoolBuilder {
    /// An empty one. Its file is in `folder`. Readers may use `room` for the documents under way.
    pub fn new(folder: &Path, room: Room) -> Result<Self, IoError> {
        let file = tempfile::tempfile_in(folder).map_err(|e| write_error(folder, e))?;
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER, file),
            folder: folder.to_owned(),
            room,
            words: Vec::new(),
            ids: HashMap::new(),
            scratch: Vec::new(),
            sums: Sums::default(),
            checkpoint: Sums::default(),
        })
    }

    /// Writes the document that `scratch` has: its head, its words, their counts.
    fn write(&mut self, info: [Option<&str>; 3]) -> Result<(), IoError> {
        let entries = (self.scratch.len() - HEAD) / 2;
        self.scratch[0] = entries as u32;
        for (len, text) in self.scratch[1..HEAD].iter_mut().zip(info) {
            *len = text.map_or(0, |text| text.len() as u32 + 1);
        }
        let (words, counts) = self.scratch[HEAD..].split_at(entries);
        let sums = &mut self.sums;
        words.iter().for_each(|&word| sums.df[word as usize] += 1);
        sums.tokens += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
        sums.documents += 1;
        sums.filled += usize::from(entries > 0);
        let mut written = self.out.write_all(bytemuck::cast_slice(&self.scratch));
        sums.bytes += 4 * self.scratch.len() as u64;
        for text in info.into_iter().flatten() {
            written = written.and_then(|()| self.out.write_all(text.as_bytes()));
            sums.bytes += text.len() as u64;
        }
        written.map_err(|e| write_error(&self.folder, e))
    }

    /// Prunes as [`Corpus::prune`] does and writes what is left to a spool. `limits` gets the number of documents.
    pub fn into_spool(
        self,
        limits: impl FnOnce(usize) -> Prune,
        ctx: &Context<'_>,
    ) -> Result<(Spool, PruneReport), IoError> {
        let Sums { documents, filled: usable, .. } = self.sums;
        if documents < 2 {
            return Err(vertopic::Error::TooFewDocuments { usable, documents }.into());
        }
        let mut writer = SpoolWriter::new(&self.folder)?;
        let mut kept = self.keep(Some(limits(documents)))?;
        let vocabulary = kept.vocabulary.clone();
        kept.each("keeping words", ctx, |row| {
            writer.push(row.info[0], row.words, row.counts, &vocabulary)
        })?;
        let report = kept.report;
        drop(kept);
        Ok((writer.finish(vocabulary)?, report))
    }

    /// Decides which words stay: all of them without `limits`.
    pub(crate) fn keep(self, limits: Option<Prune>) -> Result<KeptDocuments, IoError> {
        let Self { out, folder, words, sums, .. } = self;
        let Sums { df, documents, tokens, .. } = sums;
        let mut order: Vec<u32> = (0..words.len() as u32).collect();
        order.sort_unstable_by_key(|&id| &words[id as usize]);
        let kept = match limits {
            None => (0..words.len() as u32).collect(),
            Some(limits) => {
                let sorted: Vec<u64> = order.iter().map(|&id| df[id as usize]).collect();
                limits.kept(&sorted, documents)?
            }
        };
        let mut new_id = vec![u32::MAX; words.len()];
        for (new, &rank) in kept.iter().enumerate() {
            new_id[order[rank as usize] as usize] = new as u32;
        }
        let word = |&rank: &u32| words[order[rank as usize] as usize].clone();
        let vocabulary = Vocabulary::new(kept.iter().map(word).collect())?;
        let report = PruneReport {
            documents,
            empty_documents: 0,
            words_before: df.iter().filter(|&&df| df > 0).count(),
            words_after: kept.len(),
            tokens_before: tokens,
            tokens_after: 0,
        };
        let file = out.into_inner().map_err(|e| write_error(&folder, e.into_error()))?;
        Ok(KeptDocuments { file, folder, new_id, vocabulary, report })
    }
}

impl DocumentSink for SpoolBuilder {
    fn room(&self) -> Room {
        self.room
    }

    fn n_documents(&self) -> usize {
        self.sums.documents
    }

    fn word(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.words.len() as u32;
        self.words.push(word.to_owned());
        self.ids.insert(word.to_owned(), id);
        self.sums.df.push(0);
        id
    }

    fn push(&mut self, entries: &mut [(u32, u32)], info: DocumentInfo) -> Result<(), IoError> {
        entries.sort_unstable_by_key(|&(word, _)| word);
        let same = |a: &(u32, u32), b: &(u32, u32)| a.0 == b.0;
        self.scratch.clear();
        self.scratch.resize(HEAD, 0);
        self.scratch.extend(entries.chunk_by(same).map(|same| same[0].0));
        for same in entries.chunk_by(same) {
            let count = same.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
            self.scratch.push(u32::try_from(count).map_err(|_| {
                let document = self.sums.documents;
                vertopic::Error::DocumentTooLong { document, tokens: count }
            })?);
        }
        let DocumentInfo { id, label, time } = &info;
        self.write([id.as_deref(), label.as_deref(), time.as_deref()])
    }

    fn push_corpus(&mut self, corpus: Corpus) -> Result<(), IoError> {
        let words = corpus.vocabulary().words();
        let ids: Vec<u32> = words.iter().map(|word| self.word(word)).collect();
        for (d, document) in corpus.documents().enumerate() {
            self.scratch.clear();
            self.scratch.resize(HEAD, 0);
            self.scratch.extend(document.words.iter().map(|&word| ids[word as usize]));
            self.scratch.extend_from_slice(document.counts);
            self.write([corpus.id(d), corpus.label(d), corpus.time(d)])?;
        }
        Ok(())
    }

    fn checkpoint(&mut self) {
        self.checkpoint.clone_from(&self.sums);
    }

    fn roll_back(&mut self) -> Result<(), IoError> {
        self.sums = std::mem::take(&mut self.checkpoint);
        for word in self.words.drain(self.sums.df.len()..) {
            self.ids.remove(&word);
        }
        let bytes = self.sums.bytes;
        let mut cut = || {
            self.out.seek(SeekFrom::Start(bytes))?; // writes what is buffered first
            self.out.get_ref().set_len(bytes)
        };
        cut().map_err(|e| write_error(&self.folder, e))
    }
}

/// Documents on the disk whose vocabulary is decided.
#[derive(Debug)]
pub(crate) struct KeptDocuments {
    file: File,
    folder: PathBuf,
    /// The id of each word in `vocabulary`; `u32::MAX` for words that go.
    new_id: Vec<u32>,
    pub(crate) vocabulary: Vocabulary,
    /// What pruning did. Tokens and empty documents are counted by [`each`](Self::each).
    pub(crate) report: PruneReport,
}

/// A document in canonical form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) counts: &'a [u32],
    /// Its id, label and time.
    pub(crate) info: [Option<&'a str>; 3],
}

impl KeptDocuments {
    /// Reads every document in order, with the words that stay.
    pub(crate) fn each(
        &mut self,
        stage: &'static str,
        ctx: &Context<'_>,
        mut take: impl FnMut(Row<'_>) -> Result<(), IoError>,
    ) -> Result<(), IoError> {
        let Self { file, folder, new_id, report, .. } = self;
        let failed = |source| {
            let what = "cannot read a temporary file in it";
            IoError::File { path: folder.clone(), what, source }
        };
        file.rewind().map_err(failed)?;
        (report.tokens_after, report.empty_documents) = (0, 0);
        let mut reader = BufReader::with_capacity(BUFFER, &*file);
        let progress = ctx.stage(stage, report.documents as u64);
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        let (mut words, mut counts, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..report.documents {
            let lengths = read(&mut reader, &mut numbers, &mut texts).map_err(failed)?;
            let (old_words, old_counts) = numbers.split_at(numbers.len() / 2);
            words.clear();
            counts.clear();
            for (&word, &count) in old_words.iter().zip(old_counts) {
                let word = new_id[word as usize];
                if word != u32::MAX {
                    words.push(word);
                    counts.push(count);
                }
            }
            if !words.is_sorted() {
                entries.clear();
                entries.extend(words.iter().copied().zip(counts.iter().copied()));
                entries.sort_unstable();
                words.clear();
                counts.clear();
                words.extend(entries.iter().map(|&(word, _)| word));
                counts.extend(entries.iter().map(|&(_, count)| count));
            }
            report.tokens_after += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
            report.empty_documents += usize::from(words.is_empty());
            let mut rest = &texts[..];
            let info = lengths.map(|len| {
                let (text, others) = rest.split_at(len.saturating_sub(1) as usize);
                rest = others;
                (len > 0).then_some(text).and_then(|text| std::str::from_utf8(text).ok())
            });
            take(Row { words: &words, counts: &counts, info })?;
            progress.advance(1);
        }
        Ok(())
    }
}

/// Reads the next document: words and counts into `numbers`, its texts into `texts`. Returns the lengths of the texts.
fn read(
    reader: &mut impl io::Read,
    numbers: &mut Vec<u32>,
    texts: &mut Vec<u8>,
) -> io::Result<[u32; 3]> {
    let mut head = [0_u32; HEAD];
    reader.read_exact(bytemuck::cast_slice_mut(&mut head))?;
    let [entries, lengths @ ..] = head;
    numbers.resize(2 * entries as usize, 0);
    reader.read_exact(bytemuck::cast_slice_mut(numbers))?;
    texts.resize(lengths.iter().map(|len| len.saturating_sub(1) as usize).sum(), 0);
    reader.read_exact(texts)?;
    Ok(lengths)
}
