//! Documents on the disk, for fits that may not hold them in memory.
//!
//! A spool is a temporary file of documents in canonical form, in blocks of about a megabyte. A pass reads one block after
//! the other into the memory of the last, on every thread. Its numbers are those of the same documents in memory, so
//! the model is, too, byte for byte. The file has no name: when the program ends, in whatever way, it is gone.
//!
//! If the disk fails, so does the pass.

mod builder;

pub(crate) use builder::SpoolBuilder;

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::corpus::{
    Accumulator, Document, DocumentFilter, DocumentKey, Documents, Pass, Vocabulary, merged,
};

use crate::atomic::write_error;
use crate::error::IoError;

/// A block is closed at so many pairs or documents.
const BLOCK_PAIRS: usize = if cfg!(test) { 50 } else { 1 << 17 };
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
    pairs: usize,
}

impl Block {
    fn numbers(self) -> usize {
        3 * self.documents + 2 * self.pairs
    }
}

impl Spool {
    /// Runs a pass over some blocks.
    fn share<A: Accumulator>(
        &self,
        blocks: &[Block],
        filter: &DocumentFilter,
        mut sum: A,
        advance: impl Fn(u64),
    ) -> Result<A, Error> {
        let mut numbers = Vec::new();
        for &block in blocks {
            numbers.resize(numbers.len().max(block.numbers()), 0_u32);
            let read = &mut numbers[..block.numbers()];
            read_exact_at(&self.file, bytemuck::cast_slice_mut(read), block.start).map_err(
                |e| {
                    let folder = self.folder.display();
                    let reason = format!("{folder}: cannot read a temporary file in it: {e}");
                    Error::Documents { reason }
                },
            )?;
            let (keys, rest) = read.split_at(2 * block.documents);
            let (lengths, rest) = rest.split_at(block.documents);
            let (mut words, mut counts) = rest.split_at(block.pairs);
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
            advance(block.documents as u64);
        }
        sum.finish();
        Ok(sum)
    }
}

impl Documents for Spool {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn n_documents(&self) -> usize {
        self.n_documents
    }

    /// One accumulator per thread, each over blocks that lie together and have about the same number of pairs.
    fn filtered_pass<'a, P: Pass>(
        &'a self,
        filter: &DocumentFilter,
        pass: &'a P,
        ctx: &Context<'_>,
    ) -> Result<P::Accumulator<'a>, Error> {
        let progress = ctx.stage(P::STAGE, self.n_documents as u64);
        let (threads, all) = (ctx.threads(), self.blocks.iter().map(|b| b.pairs).sum::<usize>());
        let mut shares: Vec<&[Block]> = Vec::new();
        let (mut rest, mut before) = (&self.blocks[..], 0);
        for thread in 1..=threads {
            let mut n = 0;
            while n < rest.len() && (thread == threads || before < all * thread / threads) {
                before += rest[n].pairs;
                n += 1;
            }
            let (share, later) = rest.split_at(n);
            shares.push(share);
            rest = later;
        }
        let empty = || pass.accumulator(&self.vocabulary, ctx);
        let work = |share: &[Block]| self.share(share, filter, empty(), |n| progress.advance(n));
        let sums = || shares.par_iter().map(|share| work(share)).collect::<Result<Vec<_>, _>>();
        let sum = ctx.install(|| sums().map(merged))?;
        Ok(sum.unwrap_or_else(empty))
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

    /// Adds a document of `(word, count)` pairs in ascending order of words.
    pub(crate) fn push(
        &mut self,
        id: Option<&str>,
        pairs: impl Iterator<Item = (u32, u32)>,
        vocabulary: &Vocabulary,
    ) -> Result<usize, IoError> {
        let start = self.words.len();
        for (word, count) in pairs {
            self.words.push(word);
            self.counts.push(count);
        }
        let (words, counts) = (&self.words[start..], &self.counts[start..]);
        let DocumentKey(key) = DocumentKey::new(id, words, counts, vocabulary);
        self.keys.extend([key as u32, (key >> 32) as u32]);
        let length = words.len();
        self.lengths.push(length as u32);
        self.n_documents += 1;
        if self.words.len() >= BLOCK_PAIRS || self.lengths.len() >= BLOCK_DOCUMENTS {
            self.close()?;
        }
        Ok(length)
    }

    fn close(&mut self) -> Result<(), IoError> {
        let (documents, pairs) = (self.lengths.len(), self.words.len());
        let block = Block { start: self.next.start, documents, pairs };
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
