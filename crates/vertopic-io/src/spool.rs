//! Documents on the disk, for fits that may not hold them in memory.
//!
//! A spool is a temporary file of documents in canonical form, in blocks of about a megabyte. A pass reads one block after
//! the other on every thread, each into the memory of the last. Its sums are those of the same documents in memory, so
//! the model is the same, byte for byte. The file has no name: when the program ends, in whatever way, it is gone.

mod builder;

pub(crate) use builder::Row;
pub use builder::SpoolBuilder;

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{
    Accumulator, Document, DocumentFilter, DocumentKey, Documents, Pass, Vocabulary, fold_shares,
};

use crate::atomic::write_error;
use crate::error::IoError;

/// A block is closed at this number of entries or documents.
const BLOCK_ENTRIES: usize = if cfg!(test) { 50 } else { 1 << 17 };
const BLOCK_DOCUMENTS: usize = if cfg!(test) { 20 } else { 1 << 15 };

/// Documents on the disk.
#[derive(Debug)]
pub struct Spool {
    vocabulary: Vocabulary,
    file: File,
    /// The folder it is in, for messages.
    folder: PathBuf,
    blocks: Vec<Block>,
    n_documents: usize,
}

/// Where a block is: keys (two numbers each), lengths, words and counts of its documents, of 32 bits each.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    start: u64,
    documents: usize,
    entries: usize,
}

impl Block {
    fn numbers(self) -> usize {
        3 * self.documents + 2 * self.entries
    }
}

impl Spool {
    /// Adds the documents of a block that `filter` keeps.
    fn add<A: Accumulator>(
        &self,
        block: Block,
        filter: &DocumentFilter,
        numbers: &mut Vec<u32>,
        sum: &mut A,
    ) -> Result<(), vertopic::Error> {
        numbers.resize(numbers.len().max(block.numbers()), 0);
        let read = &mut numbers[..block.numbers()];
        read_exact_at(&self.file, bytemuck::cast_slice_mut(read), block.start).map_err(|e| {
            let folder = self.folder.display();
            let reason = format!("{folder}: cannot read a temporary file in it: {e}");
            vertopic::Error::Documents { reason }
        })?;
        let (keys, rest) = read.split_at(2 * block.documents);
        let (lengths, rest) = rest.split_at(block.documents);
        let (mut words, mut counts) = rest.split_at(block.entries);
        for (key, &length) in keys.chunks_exact(2).zip(lengths) {
            let (w, later) = words.split_at(length as usize);
            let (c, after) = counts.split_at(length as usize);
            (words, counts) = (later, after);
            let key = DocumentKey(u64::from(key[0]) | u64::from(key[1]) << 32);
            let document = Document { key, words: w, counts: c };
            if filter.has(document) {
                sum.add(document);
            }
        }
        Ok(())
    }
}

impl Documents for Spool {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn n_documents(&self) -> usize {
        self.n_documents
    }

    fn filtered_pass<'a, P: Pass>(
        &'a self,
        filter: &DocumentFilter,
        pass: &'a P,
        ctx: &Context<'_>,
    ) -> Result<P::Accumulator<'a>, vertopic::Error> {
        let progress = ctx.stage(P::STAGE, self.n_documents as u64);
        let add = |block: usize, numbers: &mut Vec<u32>, sum: &mut P::Accumulator<'a>| {
            let block = self.blocks[block];
            self.add(block, filter, numbers, sum)?;
            progress.advance(block.documents as u64);
            Ok(())
        };
        fold_shares(pass, &self.vocabulary, self.blocks.len(), add, ctx)
    }
}

/// A spool that is being written.
#[derive(Debug)]
pub(crate) struct SpoolWriter {
    out: BufWriter<File>,
    folder: PathBuf,
    blocks: Vec<Block>,
    next: Block,
    /// Of the block under way.
    keys: Vec<u32>,
    lengths: Vec<u32>,
    words: Vec<u32>,
    counts: Vec<u32>,
    n_documents: usize,
}

impl SpoolWriter {
    /// An empty one, in this folder.
    pub(crate) fn new(folder: &Path) -> Result<Self, IoError> {
        let file = tempfile::tempfile_in(folder).map_err(|e| write_error(folder, e))?;
        Ok(Self {
            out: BufWriter::with_capacity(1 << 20, file),
            folder: folder.to_owned(),
            blocks: Vec::new(),
            next: Block::default(),
            keys: Vec::new(),
            lengths: Vec::new(),
            words: Vec::new(),
            counts: Vec::new(),
            n_documents: 0,
        })
    }

    /// Adds a document whose words ascend.
    pub(crate) fn push(
        &mut self,
        id: Option<&str>,
        words: &[u32],
        counts: &[u32],
        vocabulary: &Vocabulary,
    ) -> Result<(), IoError> {
        let DocumentKey(key) = DocumentKey::new(id, words, counts, vocabulary);
        self.keys.extend([key as u32, (key >> 32) as u32]);
        self.lengths.push(words.len() as u32);
        self.words.extend_from_slice(words);
        self.counts.extend_from_slice(counts);
        self.n_documents += 1;
        if self.words.len() >= BLOCK_ENTRIES || self.lengths.len() >= BLOCK_DOCUMENTS {
            self.close()?;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), IoError> {
        let (documents, entries) = (self.lengths.len(), self.words.len());
        let block = Block { start: self.next.start, documents, entries };
        for part in [&mut self.keys, &mut self.lengths, &mut self.words, &mut self.counts] {
            let written = self.out.write_all(bytemuck::cast_slice(part));
            written.map_err(|e| write_error(&self.folder, e))?;
            part.clear();
        }
        self.next.start += 4 * block.numbers() as u64;
        if documents > 0 {
            self.blocks.push(block);
        }
        Ok(())
    }

    /// All documents that were added.
    pub(crate) fn finish(mut self, vocabulary: Vocabulary) -> Result<Spool, IoError> {
        self.close()?;
        let Self { out, folder, blocks, n_documents, .. } = self;
        let file = out.into_inner().map_err(|e| write_error(&folder, e.into_error()))?;
        Ok(Spool { vocabulary, file, folder, blocks, n_documents })
    }
}

/// Fills `bytes` from a place in a file; other threads may read it at the same time.
#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

/// Fills `bytes` from a place in a file; other threads may read it at the same time.
#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => (bytes, start) = (&mut bytes[n..], start + n as u64),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
