//! From the on-disk corpus to a spool, batch by batch.

use std::fs::File;
use std::path::Path;

use vertopic::context::Context;

use crate::error::IoError;
use crate::source;
use crate::spool::SpoolBuilder;
use crate::store::checksum::Checksum;
use crate::store::corpus::read::{Refused, check_format, each_row, meta, vocabulary};
use crate::store::corpus::{CorpusMeta, key, schema};
use crate::store::ipc::{Bytes, IpcFile};

/// Share of the memory that a batch may take.
const SHARE: u64 = 4;

/// Sends the documents of a corpus that is a plain file on their way to a spool. No more than a batch of them is in
/// memory, which is to be a quarter of `memory` bytes at most.
pub(crate) fn send_corpus(
    path: &Path,
    memory: u64,
    builder: &mut SpoolBuilder,
    ctx: &Context<'_>,
) -> Result<CorpusMeta, IoError> {
    if source::strip_compression(path) != path {
        let problem = "is compressed, and such an on-disk corpus is only read whole".to_owned();
        let hint = Some("unpack it, or leave out --memory");
        return Err(Refused { problem, hint }.at(path));
    }
    let failed = |what| move |source| IoError::File { path: path.to_owned(), what, source };
    let file = File::open(path).map_err(failed("cannot open"))?;
    let len = file.metadata().map_err(failed("cannot read"))?.len();
    let at = |problem: String| Refused::from(problem).at(path);
    let (file, metadata) = IpcFile::open(Bytes::File(file, len), schema(), check_format)
        .map_err(|refused: Refused| refused.at(path))?;
    if file.largest() > memory / SHARE {
        let problem = format!(
            "a batch of its documents takes {} bytes, more than a quarter of the memory allowed",
            file.largest()
        );
        let hint = Some("allow more memory (--memory), or import the corpus again");
        return Err(Refused { problem, hint }.at(path));
    }
    let meta = meta(&metadata).map_err(at)?;
    let words = vocabulary(&metadata).map_err(at)?;
    let numbers: Vec<u32> = words.iter().map(|word| builder.word(word)).collect();
    let progress = ctx.stage("reading corpus", file.n_batches() as u64);
    let (mut sum, mut before) = (Checksum::new(&meta, &words), 0);
    for i in 0..file.n_batches() {
        let batch = file.batch(i).map_err(at)?;
        let mut sent = Ok(());
        each_row(&batch, words.len() as u64, before, |row| {
            sum.document(row.info, row.words, row.counts);
            let ids = row.words.iter().map(|&word| numbers[word as usize]);
            if sent.is_ok() {
                sent = builder.push(row.info[0], ids.zip(row.counts.iter().copied()));
            }
            Ok(())
        })
        .map_err(at)?;
        sent?;
        before += batch.num_rows();
        progress.advance(1);
    }
    if metadata.get(key::CHECKSUM).is_some_and(|expected| *expected != sum.finish()) {
        return Err(at("the file is damaged: its content does not match its checksum".to_owned()));
    }
    Ok(meta)
}
