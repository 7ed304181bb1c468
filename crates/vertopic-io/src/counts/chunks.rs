//! The lines of a file, parsed on all threads of the current pool.
//!
//! A plain file is mapped, any other is read in batches, the next while the last is parsed. A batch is cut at
//! line ends into chunks; each is parsed alone, and what they say is put together in order. So the cuts leave
//! no trace, and of all bad lines the first is reported.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memrchr};
use rayon::prelude::*;

use crate::error::IoError;
use crate::source::{Lines, Rest, read_error};

/// Bytes that a thread parses at a time, or a little more. So few in tests that small files are cut.
const CHUNK: usize = if cfg!(test) { 64 } else { 1 << 17 };
/// Bytes whose chunks are parsed side by side. A longer line is read whole.
const BATCH: usize = if cfg!(test) { 3 } else { 64 } * CHUNK;
/// Bytes that are asked of a stream at a time: a decompressor that finds damage may forget the last of them.
const PIECE: usize = 1 << 18;
/// Pairs of which memory is asked for at most before they are there.
const MAX_ROOM: u64 = 1 << 30;

/// What a chunk says: pairs `(word, count)`, and which document has which of them.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Words are positions from 0.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Document and first pair of each run of pairs.
    pub(super) runs: Vec<(u64, usize)>,
    /// Labels of the runs, where there are any.
    pub(super) labels: Vec<Option<Box<str>>>,
    /// How many lines it has, or how many there were up to the one under way.
    pub(super) lines: u64,
}

impl Block {
    /// The pairs from number `first` on are of this document. Those of a document that come one after the
    /// other are one run.
    #[inline]
    pub(super) fn begin(&mut self, document: u64, first: usize) {
        if self.runs.last().is_none_or(|&(last, _)| last != document) {
            self.runs.push((document, first));
        }
    }

    /// Forgets all documents but these.
    pub(super) fn keep(&mut self, documents: &Range<u64>) {
        let ends = self.runs[1.min(self.runs.len())..].iter().map(|run| run.1);
        let ends: Vec<usize> = ends.chain([self.pairs.len()]).collect();
        let mut used = 0;
        let mut ends = ends.into_iter();
        self.runs.retain_mut(|(document, start)| {
            let Some(end) = ends.next() else { return false };
            let kept = documents.contains(document);
            if kept {
                self.pairs.copy_within(*start..end, used);
                (*start, used) = (used, used + (end - *start));
            }
            kept
        });
        self.pairs.truncate(used);
    }

    fn clear(&mut self) {
        self.pairs.clear();
        self.runs.clear();
        self.labels.clear();
        self.lines = 0;
    }
}

/// The line that starts at `at`, and where the next one starts.
#[inline]
pub(super) fn line(text: &[u8], at: usize) -> (&[u8], usize) {
    let end = memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n);
    (&text[at..end], end + 1)
}

/// All that was parsed.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) words: Vec<u32>,
    pub(super) counts: Vec<u32>,
    /// Document and first pair of each run of pairs.
    pub(super) runs: Vec<(u64, usize)>,
    pub(super) labels: Vec<Option<Box<str>>>,
    /// Pairs so far; what comes after them in `words` and `counts` is room.
    used: usize,
}

/// Parses the lines that are left. `parse` takes a chunk of whole lines and adds what they say to an empty
/// block; the lines of its errors count from the start of the chunk.
pub(super) fn parse(
    lines: Lines,
    parse: impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync,
) -> Result<Table, IoError> {
    let mut all = Table::default();
    parse_in_pieces(lines, parse, usize::MAX, |table| {
        all = table;
        Ok(())
    })?;
    Ok(all)
}

/// The same, but `each` gets what was parsed whenever it is so many pairs or a few more, and the rest in the end.
pub(super) fn parse_in_pieces(
    lines: Lines,
    parse: impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync,
    pairs: usize,
    mut each: impl FnMut(Table) -> Result<(), IoError>,
) -> Result<(), IoError> {
    let (path, before) = (lines.path().to_owned(), lines.number());
    let mut reading = Reading { parse, table: Table::default(), blocks: Vec::new(), before };
    match lines.into_rest()? {
        Rest::Mapped(text) => {
            for batch in cut(&text, BATCH) {
                reading.add(batch, text.len(), || ())?;
            }
        }
        Rest::Stream(reader) => {
            let mut batches = Batches::new(reader);
            let (mut batch, mut next) = (Batch::default(), Batch::default());
            batches.fill(&mut batch);
            while batch.len > 0 {
                reading.add(&batch.bytes[..batch.len], 0, || batches.fill(&mut next))?;
                std::mem::swap(&mut batch, &mut next);
                if reading.table.used >= pairs {
                    each(std::mem::take(&mut reading.table).fitted())?;
                }
            }
            if let Some(e) = batches.failure {
                return Err(read_error(&path, e));
            }
        }
    }
    each(reading.table.fitted())
}

/// Cuts whole lines into pieces of whole lines, each of `size` bytes or a little more.
fn cut(text: &[u8], size: usize) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let from = rest.len().min(size).checked_sub(1)?;
        let end = memchr(b'\n', &rest[from..]).map_or(rest.len(), |n| from + n + 1);
        let (piece, others) = rest.split_at(end);
        rest = others;
        Some(piece)
    })
}

/// A file on the way.
struct Reading<P> {
    parse: P,
    table: Table,
    /// Their memory is used again by each batch.
    blocks: Vec<Block>,
    /// Lines before the batch.
    before: u64,
}

impl<P: Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync> Reading<P> {
    /// Parses a batch of whole lines, of perhaps `size` bytes in all, while `meanwhile` is done.
    fn add(
        &mut self,
        batch: &[u8],
        size: usize,
        meanwhile: impl FnOnce() + Send,
    ) -> Result<(), IoError> {
        let chunks: Vec<&[u8]> = cut(batch, CHUNK).collect();
        self.blocks.resize_with(self.blocks.len().max(chunks.len()), Block::default);
        let (parse, blocks) = (&self.parse, &mut self.blocks[..chunks.len()]);
        let all = || -> Vec<Result<(), IoError>> {
            let pieces = blocks.par_iter_mut().zip(chunks).with_max_len(1);
            let one = |(block, chunk): (&mut Block, &[u8])| {
                block.clear();
                parse(chunk, block)
            };
            pieces.map(one).collect()
        };
        let ((), parsed) = rayon::join(meanwhile, all);
        for (result, block) in parsed.into_iter().zip(&*blocks) {
            result.map_err(|e| e.after_lines(self.before))?;
            self.before += block.lines;
        }
        // The rest of the file is probably as dense as this.
        let pairs: usize = blocks.iter().map(|block| block.pairs.len()).sum();
        let expected = (size as u64).saturating_mul(pairs as u64) / batch.len().max(1) as u64;
        self.table.append(blocks, pairs, expected.min(MAX_ROOM) as usize);
        Ok(())
    }
}

impl Table {
    /// Without room for more.
    fn fitted(mut self) -> Self {
        self.words.truncate(self.used);
        self.counts.truncate(self.used);
        self
    }

    /// Adds what the chunks of a batch say: `pairs` pairs, of perhaps `expected` in all.
    fn append(&mut self, blocks: &mut [Block], pairs: usize, expected: usize) {
        let (start, end) = (self.used, self.used + pairs);
        if start == 0 {
            // Memory that is zero from the start costs nothing until it is written to, and then every thread
            // pays for what it writes.
            let room = end.max(expected + expected / 32);
            (self.words, self.counts) = (vec![0; room], vec![0; room]);
        } else if end > self.words.len() {
            self.words.resize(end, 0);
            self.counts.resize(end, 0);
        }
        let (mut words, mut counts) = (&mut self.words[start..end], &mut self.counts[start..end]);
        let (mut pieces, mut at) = (Vec::with_capacity(blocks.len()), start);
        for block in blocks {
            self.runs.extend(block.runs.iter().map(|&(document, first)| (document, at + first)));
            self.labels.append(&mut block.labels);
            at += block.pairs.len();
            let (w, rest) = words.split_at_mut(block.pairs.len());
            words = rest;
            let (c, rest) = counts.split_at_mut(block.pairs.len());
            counts = rest;
            pieces.push((&block.pairs, w, c));
        }
        self.used = end;
        pieces.into_par_iter().with_max_len(1).for_each(|(pairs, words, counts)| {
            for ((pair, word), count) in pairs.iter().zip(words).zip(counts) {
                (*word, *count) = *pair;
            }
        });
    }
}

/// Bytes of whole lines; what comes after the first `len` is scratch.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    len: usize,
}

/// Cuts a stream at line ends.
struct Batches<R> {
    reader: R,
    /// The start of a line whose end was not read yet.
    tail: Vec<u8>,
    failure: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Batches<R> {
    fn new(reader: R) -> Self {
        Self { reader, tail: Vec::new(), failure: None, ended: false }
    }

    /// The next lines; none at the end, or after a failure to read. The last line may lack its end.
    fn fill(&mut self, batch: &mut Batch) {
        let (bytes, mut len) = (&mut batch.bytes, self.tail.len());
        batch.len = 0;
        if bytes.len() < 2 * len + BATCH {
            bytes.resize(2 * len + BATCH, 0);
        }
        bytes[..len].copy_from_slice(&self.tail);
        self.tail.clear();
        while !self.ended {
            let to = bytes.len().min(len + PIECE);
            match self.reader.read(&mut bytes[len..to]) {
                Ok(0) => self.ended = true,
                Ok(n) => len += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => (self.ended, self.failure) = (true, Some(e)),
            }
            if len < bytes.len() {
                continue;
            }
            if let Some(last) = memrchr(b'\n', bytes) {
                self.tail.extend_from_slice(&bytes[last + 1..]);
                batch.len = last + 1;
                return;
            }
            bytes.resize(2 * len, 0);
        }
        // Before a failure a line without its end may be a piece of one.
        let whole = memrchr(b'\n', &bytes[..len]).map_or(0, |last| last + 1);
        batch.len = if self.failure.is_some() { whole } else { len };
    }
}
