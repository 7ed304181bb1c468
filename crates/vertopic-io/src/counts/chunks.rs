//! The lines of a file, parsed on all threads of the current pool.
//!
//! A plain file is read by the threads that parse it, any other in batches, the next while the last is parsed. What is
//! read is cut at line ends into chunks; each is parsed alone, and what they say is put together in order. So the cuts
//! leave no trace, and of all bad lines the first is reported.

use std::ops::ControlFlow;
use std::sync::Mutex;

use memchr::memchr;
use rayon::prelude::*;

use crate::counts::batches::{Batch, Batches};
use crate::counts::table::{Block, Table};
use crate::error::IoError;
use crate::source::{Lines, Plain, Rest, read_error};

/// Bytes that a thread parses at a time, or a little more. So few in tests that small files are cut.
const CHUNK: usize = if cfg!(test) { 64 } else { 1 << 17 };
/// Bytes whose chunks are parsed side by side. A longer line is read whole.
pub(super) const BATCH: usize = if cfg!(test) { 3 } else { 64 } * CHUNK;
/// Pairs of which memory is asked for at most before they are there.
const MAX_ROOM: u64 = 1 << 30;

/// The line that starts at `at`, and where the next one starts.
#[inline]
pub(super) fn line(text: &[u8], at: usize) -> (&[u8], usize) {
    let end = memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n);
    (&text[at..end], end + 1)
}

/// Parses the lines that are left. `parse` takes a chunk of whole lines and adds what they say to an empty
/// block; the lines of its errors count from the start of the chunk.
pub(super) fn parse(
    lines: Lines,
    parse: impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync,
) -> Result<Table, IoError> {
    let mut all = Table::default();
    parse_batches(lines, parse, usize::MAX, |table, _| {
        all = table;
        Ok(ControlFlow::Continue(Table::default()))
    })?;
    Ok(all)
}

/// Parses the lines that are left in batches. `each` gets a table of at least `entries` entries, and in the end the
/// rest; it is told whether the table is the last. It returns what the next table begins with, or breaks off.
pub(super) fn parse_batches(
    lines: Lines,
    parse: impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync,
    entries: usize,
    mut each: impl FnMut(Table, bool) -> Result<ControlFlow<(), Table>, IoError>,
) -> Result<(), IoError> {
    let (path, before) = (lines.path().to_owned(), lines.number());
    let mut reading = Reading { table: Table::default(), blocks: Vec::new(), before };
    match lines.into_rest()? {
        Rest::Plain(file, start) => reading.add_plain(&file, start, &parse)?,
        Rest::Stream(reader) => {
            let mut batches = Batches::new(reader);
            let (mut batch, mut next) = (Batch::default(), Batch::default());
            batches.fill(&mut batch);
            while !batch.text().is_empty() {
                let chunks = cut(batch.text(), CHUNK).collect();
                reading.add(chunks, 1, &parse, || batches.fill(&mut next))?;
                std::mem::swap(&mut batch, &mut next);
                if reading.table.used >= entries {
                    match each(std::mem::take(&mut reading.table).fitted(), false)? {
                        ControlFlow::Continue(table) => reading.table = table,
                        ControlFlow::Break(()) => return Ok(()),
                    }
                }
            }
            if let Some(e) = batches.failure {
                return Err(read_error(&path, e));
            }
        }
    }
    each(reading.table.fitted(), true).map(|_| ())
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
struct Reading {
    table: Table,
    /// Their memory is used again by each batch.
    blocks: Vec<Block>,
    /// Lines before the batch.
    before: u64,
}

impl Reading {
    /// Parses a plain file from a line's start on.
    fn add_plain(
        &mut self,
        file: &Plain,
        start: u64,
        parse: impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync,
    ) -> Result<(), IoError> {
        // Few bytes that are used again and again stay near the processor.
        let buffers = Mutex::new(Vec::new());
        let parse = |span, block: &mut Block| {
            let mut buffer = buffers.lock().ok().and_then(|mut all| all.pop()).unwrap_or_default();
            let parsed = file.lines(span, &mut buffer).and_then(|text| parse(text, block));
            if let Ok(mut all) = buffers.lock() {
                all.push(buffer);
            }
            parsed
        };
        let end = |start: u64, len: usize| file.size().min(start.saturating_add(len as u64));
        let (mut from, whole) = (start, file.size() - start);
        while from < file.size() {
            let to = end(from, BATCH);
            let starts = (from..to).step_by(CHUNK);
            let batches = whole.div_ceil(to - from);
            self.add(starts.map(|at| at..end(at, CHUNK).min(to)).collect(), batches, parse, || ())?;
            from = to;
        }
        Ok(())
    }

    /// Parses the chunks of a batch, of perhaps so many batches, while `meanwhile` is done.
    fn add<C: Send>(
        &mut self,
        chunks: Vec<C>,
        batches: u64,
        parse: impl Fn(C, &mut Block) -> Result<(), IoError> + Sync,
        meanwhile: impl FnOnce() + Send,
    ) -> Result<(), IoError> {
        self.blocks.resize_with(self.blocks.len().max(chunks.len()), Block::default);
        let blocks = &mut self.blocks[..chunks.len()];
        let all = || -> Vec<Result<(), IoError>> {
            let pieces = blocks.par_iter_mut().zip(chunks).with_max_len(1);
            let one = |(block, chunk): (&mut Block, C)| {
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
        // The other batches probably have as many.
        let pairs: usize = blocks.iter().map(|block| block.entries.len()).sum();
        let expected = batches.saturating_mul(pairs as u64).min(MAX_ROOM);
        self.table.append(blocks, pairs, expected as usize);
        Ok(())
    }
}
