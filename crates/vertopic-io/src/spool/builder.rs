//! Documents on their way to a spool: as they come, in words as they come.
//!
//! Which words stay is known when all documents have been seen. So they wait in a temporary file without a name, under
//! numbers that words got in order of arrival, and are read once more.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{Corpus, Prune, PruneReport, Vocabulary};

use crate::atomic::write_error;
use crate::error::IoError;
use crate::spool::{Spool, SpoolWriter};

const BUFFER: usize = 1 << 20;

/// Documents that wait.
#[derive(Debug)]
pub(crate) struct SpoolBuilder {
    out: BufWriter<File>,
    folder: PathBuf,
    words: Vec<String>,
    numbers: HashMap<String, u32>, // looked up, never walked
    /// Documents with each word.
    df: Vec<u64>,
    /// The document under way: its head, and pairs one after the other.
    scratch: Vec<u32>,
    documents: usize,
    usable: usize,
    tokens: u64,
}

impl SpoolBuilder {
    /// None yet; the file is in this folder.
    pub(crate) fn new(folder: &Path) -> Result<Self, IoError> {
        let file = tempfile::tempfile_in(folder).map_err(|e| write_error(folder, e))?;
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER, file),
            folder: folder.to_owned(),
            words: Vec::new(),
            numbers: HashMap::new(),
            df: Vec::new(),
            scratch: Vec::new(),
            documents: 0,
            usable: 0,
            tokens: 0,
        })
    }

    /// Documents so far.
    pub(crate) fn n_documents(&self) -> usize {
        self.documents
    }

    /// The number of a word.
    pub(crate) fn word(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        self.df.push(0);
        number
    }

    /// Adds a document: pairs of the number of a word and its count, each word once.
    pub(crate) fn push(
        &mut self,
        id: Option<&str>,
        pairs: impl Iterator<Item = (u32, u32)>,
    ) -> Result<(), IoError> {
        self.scratch.clear();
        // Pairs, and bytes of the id and one more if there is one.
        self.scratch.extend([0, id.map_or(0, |id| id.len() as u32 + 1)]);
        for (word, count) in pairs {
            self.df[word as usize] += 1;
            self.tokens += u64::from(count);
            self.scratch.extend([word, count]);
        }
        self.scratch[0] = (self.scratch.len() / 2 - 1) as u32;
        self.documents += 1;
        self.usable += usize::from(self.scratch[0] > 0);
        let mut written = self.out.write_all(bytemuck::cast_slice(&self.scratch));
        if let Some(id) = id {
            written = written.and_then(|()| self.out.write_all(id.as_bytes()));
        }
        written.map_err(|e| write_error(&self.folder, e))
    }

    /// Adds all documents of a corpus.
    pub(crate) fn add(&mut self, corpus: &Corpus) -> Result<(), IoError> {
        let words = corpus.vocabulary().words();
        let numbers: Vec<u32> = words.iter().map(|word| self.word(word)).collect();
        for (d, document) in corpus.documents().enumerate() {
            let pairs = document.entries().map(|(word, count)| (numbers[word as usize], count));
            self.push(corpus.id(d), pairs)?;
        }
        Ok(())
    }

    /// Prunes as [`Corpus::prune`] does, and writes what is left to a spool. `limits` says how to prune so many
    /// documents.
    pub(crate) fn into_spool(
        self,
        limits: impl FnOnce(usize) -> Prune,
        ctx: &Context<'_>,
    ) -> Result<(Spool, PruneReport), IoError> {
        let Self { out, folder, words, df, documents, usable, tokens, .. } = self;
        if documents < 2 {
            return Err(vertopic::Error::TooFewDocuments { usable, documents }.into());
        }
        let mut order: Vec<u32> = (0..words.len() as u32).collect();
        order.sort_unstable_by_key(|&number| &words[number as usize]);
        let sorted: Vec<u64> = order.iter().map(|&number| df[number as usize]).collect();
        let kept = limits(documents).kept(&sorted, documents)?;
        let mut new_id = vec![u32::MAX; words.len()];
        for (new, &rank) in kept.iter().enumerate() {
            new_id[order[rank as usize] as usize] = new as u32;
        }
        let word = |&rank: &u32| words[order[rank as usize] as usize].clone();
        let vocabulary = Vocabulary::new(kept.iter().map(word).collect())?;
        let mut report = PruneReport {
            documents,
            empty_documents: 0,
            words_before: df.iter().filter(|&&df| df > 0).count(),
            words_after: kept.len(),
            tokens_before: tokens,
            tokens_after: 0,
        };

        let mut file = out.into_inner().map_err(|e| write_error(&folder, e.into_error()))?;
        let failed = |source| {
            let what = "cannot read a temporary file in it";
            IoError::File { path: folder.clone(), what, source }
        };
        file.rewind().map_err(failed)?;
        let mut reader = BufReader::with_capacity(BUFFER, file);
        let mut writer = SpoolWriter::new(&folder)?;
        let progress = ctx.stage("keeping words", documents as u64);
        let (mut head, mut numbers, mut left) = ([0_u32; 2], Vec::new(), Vec::new());
        let mut id = Vec::new();
        for _ in 0..documents {
            reader.read_exact(bytemuck::cast_slice_mut(&mut head)).map_err(failed)?;
            numbers.resize(2 * head[0] as usize, 0_u32);
            reader.read_exact(bytemuck::cast_slice_mut(&mut numbers)).map_err(failed)?;
            id.resize((head[1] as usize).saturating_sub(1), 0);
            reader.read_exact(&mut id).map_err(failed)?;
            let pairs = numbers.chunks_exact(2).map(|pair| (new_id[pair[0] as usize], pair[1]));
            left.clear();
            left.extend(pairs.filter(|&(word, _)| word != u32::MAX));
            left.sort_unstable();
            report.tokens_after += left.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
            report.empty_documents += usize::from(left.is_empty());
            let id = (head[1] > 0).then_some(&id[..]).and_then(|id| std::str::from_utf8(id).ok());
            writer.push(id, left.iter().copied(), &vocabulary)?;
            progress.advance(1);
        }
        Ok((writer.finish(vocabulary)?, report))
    }
}
