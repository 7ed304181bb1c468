//! Reads files of counts into a sink, whole or in batches of documents.
//!
//! A line of svmlight or LDA-C is a document, so a batch ends after a line. Entries of UCI and MatrixMarket files name
//! their document. Most files have them in the order of documents; then a batch ends where a document does. If a file
//! turns out to have another order, the sink is rolled back: one pass counts the entries of each stretch of documents, and
//! each further pass keeps those of the next stretches that have room.

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::counts::CountOptions;
use crate::counts::chunks;
use crate::counts::collect::{Header, repeated, too_many_empty};
use crate::counts::entries::Entries;
use crate::counts::table::{Block, Table};
use crate::error::IoError;
use crate::sink::{DocumentSink, Room};
use crate::source::{Lines, Repeatable, Source};

/// Reads the header of a file: how entries are written, and how many there are to be.
pub(super) type Begin =
    for<'p> fn(&mut Lines, &'p Path, &CountOptions) -> Result<(Entries<'p>, Header<'p>), IoError>;

/// Number of stretches of documents whose entries are counted.
const STRETCHES: u64 = if cfg!(test) { 8 } else { 4096 };

/// Reads lines that are documents. Returns the warnings.
pub(super) fn lines(
    source: Source,
    parse: impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync,
    options: &CountOptions,
    sink: &mut dyn DocumentSink,
) -> Result<Vec<String>, IoError> {
    let path = source.path.clone();
    let whole = sink.room() == Room::Unlimited;
    let lines = if whole { source } else { source.streamed() }.lines();
    let mut merged = 0;
    chunks::parse_batches(lines, parse, sink.room().entries(), |table, _| {
        let (corpus, again) = table.runs_are_documents(options, &path)?;
        merged += again;
        sink.push_corpus(corpus)?;
        Ok(ControlFlow::Continue(Table::default()))
    })?;
    Ok(repeated(&path, merged))
}

/// Reads entries that name their document. Returns the warnings.
pub(super) fn entries(
    source: Source,
    begin: Begin,
    options: &CountOptions,
    sink: &mut dyn DocumentSink,
) -> Result<Vec<String>, IoError> {
    let path = source.path.clone();
    let merged = if sink.room() == Room::Unlimited {
        whole(source, begin, options, sink)?
    } else {
        let source = source.repeatable()?;
        sink.checkpoint();
        if let Some(merged) = in_order(&source, begin, options, sink)? {
            merged
        } else {
            sink.roll_back()?;
            by_spans(&source, begin, options, sink)?
        }
    };
    Ok(repeated(&path, merged))
}

/// Reads all entries as one batch. Returns how many were added to others.
fn whole(
    source: Source,
    begin: Begin,
    options: &CountOptions,
    sink: &mut dyn DocumentSink,
) -> Result<u64, IoError> {
    let path = source.path.clone();
    let mut lines = source.lines();
    let (entries, header) = begin(&mut lines, &path, options)?;
    let mut table = chunks::parse(lines, |text, block| entries.parse(text, block))?;
    table.sort();
    header.check(table.words.len() as u64, table.filled())?;
    let (corpus, merged) = table.runs_name_documents(0..header.n_documents, options, &path)?;
    sink.push_corpus(corpus)?;
    Ok(merged)
}

/// Reads entries that come in the order of their documents. Returns how many were added to others, or `None` if they come
/// in another order or leave too many documents empty so far.
fn in_order(
    source: &Repeatable,
    begin: Begin,
    options: &CountOptions,
    sink: &mut dyn DocumentSink,
) -> Result<Option<u64>, IoError> {
    let path = source.path();
    let mut lines = source.open()?.lines();
    let (parser, header) = begin(&mut lines, path, options)?;
    let room = sink.room().entries();
    // The first document that was not pushed, and sums over those that were.
    let (mut next, mut entries, mut filled, mut merged) = (0, 0, 0, 0);
    let mut ordered = true;
    let parse = |text: &[u8], block: &mut Block| parser.parse(text, block);
    chunks::parse_batches(lines, parse, room, |mut table, last| {
        ordered = table.is_sorted() && table.runs.first().is_none_or(|run| run.0 >= next);
        if !ordered {
            return Ok(ControlFlow::Break(()));
        }
        // More entries of the last document may follow.
        let open = if last { None } else { table.split_last() };
        let (end, rest) = open.unwrap_or((header.n_documents, Table::default()));
        entries += table.words.len() as u64;
        filled += table.filled();
        if last {
            header.check(entries, filled)?;
        }
        ordered = !too_many_empty(end, filled, entries);
        if !ordered {
            return Ok(ControlFlow::Break(()));
        }
        let (corpus, again) = table.runs_name_documents(next..end, options, path)?;
        merged += again;
        next = end;
        sink.push_corpus(corpus)?;
        Ok(ControlFlow::Continue(rest))
    })?;
    Ok(ordered.then_some(merged))
}

/// Reads entries in any order, in several passes. Returns how many were added to others.
fn by_spans(
    source: &Repeatable,
    begin: Begin,
    options: &CountOptions,
    sink: &mut dyn DocumentSink,
) -> Result<u64, IoError> {
    let path = source.path();
    let mut merged = 0;
    for span in spans(source, begin, options, sink.room().entries() as u64)? {
        let mut lines = source.open()?.lines();
        let (entries, _) = begin(&mut lines, path, options)?;
        let table = chunks::parse(lines, |text, block| {
            entries.parse(text, block)?;
            block.keep(&span);
            Ok(())
        })?;
        let (corpus, again) = table.runs_name_documents(span, options, path)?;
        merged += again;
        sink.push_corpus(corpus)?;
    }
    Ok(merged)
}

/// Cuts the documents into spans of about `room` entries.
fn spans(
    source: &Repeatable,
    begin: Begin,
    options: &CountOptions,
    room: u64,
) -> Result<Vec<Range<u64>>, IoError> {
    let path = source.path();
    let mut lines = source.open()?.lines();
    let (entries, header) = begin(&mut lines, path, options)?;
    let stretch = header.n_documents.div_ceil(STRETCHES).max(1);
    let found: Vec<AtomicU64> = (0..STRETCHES).map(|_| AtomicU64::new(0)).collect();
    let runs = AtomicU64::new(0);
    chunks::parse(lines, |text, block| {
        entries.parse(text, block)?;
        runs.fetch_add(block.runs.len() as u64, Relaxed);
        for (n, &(document, start)) in block.runs.iter().enumerate() {
            let end = block.runs.get(n + 1).map_or(block.entries.len(), |run| run.1);
            found[(document / stretch) as usize].fetch_add((end - start) as u64, Relaxed);
        }
        block.keep(&(0..0));
        Ok(())
    })?;
    let found: Vec<u64> = found.into_iter().map(AtomicU64::into_inner).collect();
    header.check(found.iter().sum(), runs.into_inner())?;
    let mut spans: Vec<Range<u64>> = Vec::new();
    let mut left = 0;
    for (n, found) in found.into_iter().enumerate() {
        let start = n as u64 * stretch;
        let end = header.n_documents.min(start + stretch);
        if start >= end {
            break;
        }
        let takes = found + (end - start); // a document takes room even without an entry
        match spans.last_mut() {
            Some(span) if takes <= left => (span.end, left) = (end, left - takes),
            _ => {
                spans.push(start..end);
                left = room.saturating_sub(takes);
            }
        }
    }
    Ok(spans)
}
