//! Files of counts that are not to be in memory whole: a corpus of some documents, then one of the next.
//!
//! A line of svmlight or LDA-C is a document, so these are cut where enough has come. Entries of UCI and MatrixMarket
//! files come in any order: one pass counts how many each stretch of documents has, and every further one keeps those of
//! the next stretches that have room.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use vertopic::corpus::Corpus;

use crate::counts::CountOptions;
use crate::counts::chunks;
use crate::counts::collect::{Header, repeated};
use crate::counts::entries::Entries;
use crate::counts::table::Block;
use crate::error::IoError;
use crate::source::{self, Lines, Source};

/// Gets the documents, a corpus at a time.
pub(crate) type Each<'e> = dyn FnMut(Corpus) -> Result<(), IoError> + Send + 'e;

/// Reads the header of a file: how entries are written, and how many there are to be.
pub(super) type Begin =
    for<'p> fn(&mut Lines, &'p Path, &CountOptions) -> Result<(Entries<'p>, Header<'p>), IoError>;

/// Stretches whose entries are counted.
const STRETCHES: u64 = if cfg!(test) { 8 } else { 4096 };

/// Reads lines that are documents, about `pairs` pairs at a time. Gives back what the user should know.
pub(super) fn lines(
    source: Source,
    parse: impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync,
    options: &CountOptions,
    pairs: usize,
    each: &mut Each<'_>,
) -> Result<Vec<String>, IoError> {
    let path = source.path.clone();
    let mut merged = 0;
    chunks::parse_in_pieces(source.streamed().lines(), parse, pairs, |table| {
        let (corpus, again) = table.runs_are_documents(options, &path)?;
        merged += again;
        each(corpus)
    })?;
    Ok(repeated(&path, merged))
}

/// Reads entries that name their document, `pairs` at a time unless documents are longer. Gives back what the user
/// should know.
pub(super) fn entries(
    path: &Path,
    begin: Begin,
    options: &CountOptions,
    pairs: usize,
    each: &mut Each<'_>,
) -> Result<Vec<String>, IoError> {
    if path == Path::new("-") {
        return Err(IoError::Usage {
            problem: "entries from standard input cannot be read in pieces".to_owned(),
            hint: Some("write them to a file first, or leave out --memory".to_owned()),
        });
    }
    let mut merged = 0;
    for span in spans(path, begin, options, pairs as u64)? {
        let mut lines = source::open(path)?.streamed().lines();
        let (entries, _) = begin(&mut lines, path, options)?;
        let table = chunks::parse(lines, |text, block| {
            entries.parse(text, block)?;
            block.keep(&span);
            Ok(())
        })?;
        let (corpus, again) = table.runs_name_documents(span, options, path)?;
        merged += again;
        each(corpus)?;
    }
    Ok(repeated(path, merged))
}

/// Cuts the documents into spans of about so many pairs.
fn spans(
    path: &Path,
    begin: Begin,
    options: &CountOptions,
    pairs: u64,
) -> Result<Vec<Range<u64>>, IoError> {
    let mut lines = source::open(path)?.streamed().lines();
    let (entries, header) = begin(&mut lines, path, options)?;
    let stretch = header.n_documents.div_ceil(STRETCHES).max(1);
    let found: Vec<AtomicU64> = (0..STRETCHES).map(|_| AtomicU64::new(0)).collect();
    let runs = AtomicU64::new(0);
    chunks::parse(lines, |text, block| {
        entries.parse(text, block)?;
        runs.fetch_add(block.runs.len() as u64, Relaxed);
        for (n, &(document, start)) in block.runs.iter().enumerate() {
            let end = block.runs.get(n + 1).map_or(block.pairs.len(), |ctx| ctx.1);
            found[(document / stretch) as usize].fetch_add((end - start) as u64, Relaxed);
        }
        block.keep(&(0..0));
        Ok(())
    })?;
    let found: Vec<u64> = found.into_iter().map(AtomicU64::into_inner).collect();
    header.check(found.iter().sum(), runs.into_inner())?;
    let mut spans: Vec<Range<u64>> = Vec::new();
    let mut room = 0;
    for (n, found) in found.into_iter().enumerate() {
        let start = n as u64 * stretch;
        let end = header.n_documents.min(start + stretch);
        if start >= end {
            break;
        }
        let takes = found + (end - start); // a document takes room even without a pair
        match spans.last_mut() {
            Some(span) if takes <= room => (span.end, room) = (end, room - takes),
            _ => {
                spans.push(start..end);
                room = pairs.saturating_sub(takes);
            }
        }
    }
    Ok(spans)
}
