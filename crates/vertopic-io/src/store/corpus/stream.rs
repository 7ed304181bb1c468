//! From the on-disk corpus to a spool, batch by batch.

use std::fs::File;
use std::path::Path;

use vertopic::corpus::{Prune, PruneReport, Vocabulary};
use vertopic::run::Run;

use crate::error::IoError;
use crate::spool::{Spool, SpoolWriter};
use crate::store::checksum::Checksum;
use crate::store::corpus::read::{Refused, check_format, each_row, meta, vocabulary};
use crate::store::corpus::{CorpusKind, CorpusMeta, key, schema};
use crate::store::ipc::{Bytes, IpcFile};

/// Share of the memory that a batch may take.
const SHARE: u64 = 4;

/// Prunes a corpus that is a plain file and writes what is left to a spool in `folder`; a fit of it is that of
/// [`read_corpus`](super::read_corpus) and [`Corpus::prune`](vertopic::corpus::Corpus::prune). Of the documents no
/// more than a batch is in memory, which is to be a quarter of `memory` bytes at most.
///
/// `limits` says how to prune so many documents of this kind.
pub fn spool_corpus(
    path: &Path,
    folder: &Path,
    memory: u64,
    limits: impl FnOnce(CorpusKind, usize) -> Prune,
    run: &Run<'_>,
) -> Result<(Spool, CorpusMeta, PruneReport), IoError> {
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
    let n_words = words.len() as u64;
    let progress = run.stage("reading corpus", 2 * file.n_batches() as u64);

    let (mut sum, mut documents, mut usable) = (Checksum::new(&meta, &words), 0, 0);
    let (mut df, mut tokens_before) = (vec![0_u64; words.len()], 0);
    for i in 0..file.n_batches() {
        let batch = file.batch(i).map_err(at)?;
        each_row(&batch, n_words, documents, |row| {
            sum.document(row.info, row.words, row.counts);
            row.words.iter().for_each(|&w| df[w as usize] += 1);
            usable += usize::from(!row.words.is_empty());
            tokens_before += row.counts.iter().map(|&c| u64::from(c)).sum::<u64>();
            Ok(())
        })
        .map_err(at)?;
        documents += batch.num_rows();
        progress.advance(1);
    }
    if metadata.get(key::CHECKSUM).is_some_and(|expected| *expected != sum.finish()) {
        return Err(at("the file is damaged: its content does not match its checksum".to_owned()));
    }
    if documents < 2 {
        return Err(vertopic::Error::TooFewDocuments { usable, documents }.into());
    }
    let kept = limits(meta.kind, documents).kept(&df, documents)?;
    let mut new_id = vec![u32::MAX; df.len()];
    kept.iter().enumerate().for_each(|(new, &old)| new_id[old as usize] = new as u32);
    let kept_words = kept.iter().map(|&w| words[w as usize].clone()).collect();
    let small = Vocabulary::new(kept_words)?;

    let mut writer = SpoolWriter::new(folder)?;
    let (mut before, mut empty_documents, mut tokens_after) = (0, 0, 0);
    for i in 0..file.n_batches() {
        let batch = file.batch(i).map_err(at)?;
        let mut failure = None;
        each_row(&batch, n_words, before, |row| {
            let ids = row.words.iter().map(|&w| new_id[w as usize]);
            let pairs = ids.zip(row.counts.iter().copied()).filter(|&(w, _)| w != u32::MAX);
            let left = pairs.inspect(|&(_, count)| tokens_after += u64::from(count));
            match writer.push(row.info[0], left, &small) {
                Ok(length) => empty_documents += usize::from(length == 0),
                Err(e) => failure = failure.take().or(Some(e)),
            }
            Ok(())
        })
        .map_err(at)?;
        if let Some(e) = failure {
            return Err(e);
        }
        before += batch.num_rows();
        progress.advance(1);
    }
    let report = PruneReport {
        documents,
        empty_documents,
        words_before: df.iter().filter(|&&df| df > 0).count(),
        words_after: kept.len(),
        tokens_before,
        tokens_after,
    };
    Ok((writer.finish(small)?, meta, report))
}
