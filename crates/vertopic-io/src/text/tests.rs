//! What all readers share. The helpers are used by the tests of each.

use std::path::Path;

use vertopic::context::{Context, Parallelism};
use vertopic::corpus::{Corpus, DocumentInfo};
use vertopic::observe::Silent;

use super::*;
use crate::error::IoError;
use crate::sink::CorpusSink;
use crate::source::Source;

/// What a reader has read.
#[derive(Debug)]
pub(super) struct ReadText {
    pub(super) corpus: Corpus,
    pub(super) warnings: Vec<String>,
}

/// Runs a reader with default options.
pub(super) fn read_text(
    read: impl FnOnce(&mut TextReader<'_>) -> Result<(), IoError>,
) -> Result<ReadText, IoError> {
    read_text_with(false, 2, read)
}

pub(super) fn read_text_with(
    strict: bool,
    threads: usize,
    read: impl FnOnce(&mut TextReader<'_>) -> Result<(), IoError>,
) -> Result<ReadText, IoError> {
    let threads = Parallelism::Threads(threads.try_into().expect("positive"));
    let ctx = Context::new(threads, &Silent).expect("threads");
    let tokenizer = Tokenizer::new(&TokenizerOptions::default()).expect("defaults");
    let mut sink = CorpusSink::new();
    let mut reader = TextReader::new(&tokenizer, strict, &mut sink, &ctx);
    read(&mut reader)?;
    let warnings = reader.finish()?;
    Ok(ReadText { corpus: sink.finish()?.corpus, warnings })
}

/// Bytes as if read from a file `docs`.
pub(super) fn source(bytes: impl AsRef<[u8]>) -> Source {
    Source::from_reader("docs", std::io::Cursor::new(bytes.as_ref().to_vec()))
}

/// The words of a document with their counts: `fog sea:2`.
pub(super) fn shown(corpus: &Corpus, d: usize) -> String {
    let shown = |(w, c): (u32, u32)| match c {
        1 => corpus.vocabulary().word(w).to_owned(),
        c => format!("{}:{c}", corpus.vocabulary().word(w)),
    };
    corpus.document(d).entries().map(shown).collect::<Vec<_>>().join(" ")
}

/// All documents with `id/label/time`.
pub(super) fn all(corpus: &Corpus) -> Vec<String> {
    let row = |d| {
        let info = [corpus.id(d), corpus.label(d), corpus.time(d)];
        let info = info.map(Option::unwrap_or_default).join("/");
        format!("{info} {}", shown(corpus, d))
    };
    (0..corpus.n_documents()).map(row).collect()
}

pub(super) fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).expect("a folder can be made");
    }
    std::fs::write(path, bytes).expect("a file can be written");
}

#[test]
fn an_empty_line_is_an_empty_document() {
    let read = read_text(|g| lines::read(source("\u{feff}Sea, sea\r\n\nfog"), g)).expect("good");
    assert_eq!(all(&read.corpus), ["// sea:2", "// ", "// fog"]);
    assert!(read.warnings.is_empty());
}

#[test]
fn bytes_that_are_not_utf8_are_replaced_and_counted() {
    let bytes = b"sea\nna\xefve caf\xe9\nfog\n\xff\n";
    let read = read_text(|g| lines::read(source(bytes), g)).expect("lenient");
    assert_eq!(
        read.warnings,
        [
            "2 of 4 documents had bytes that are not UTF-8; they were replaced by U+FFFD (first in docs, line 2)"
        ]
    );
    assert_eq!(read.corpus.n_documents(), 4);
    assert_eq!(shown(&read.corpus, 1), "caf na");
}

#[test]
fn strict_reading_names_the_first_bad_byte() {
    let err = read_text_with(true, 1, |g| lines::read(source(b"sea\ncaf\xe9\n"), g));
    let err = err.expect_err("strict");
    assert_eq!(err.to_string(), "docs, line 2: byte 0xE9 at byte offset 3 is not UTF-8");
    assert!(err.hint().expect("has a hint").contains("strict decoding"));
}

#[test]
fn the_corpus_does_not_depend_on_threads_or_batches() {
    let text: Vec<String> = (0..70_000).map(|i| format!("w{} w{}", i % 97, i % 31)).collect();
    let corpora = [1, 2, 7].map(|threads| {
        let read = read_text_with(false, threads, |g| {
            text.iter().try_for_each(|t| g.push(t.clone(), DocumentInfo::default()))
        });
        read.expect("good").corpus
    });
    assert_eq!(corpora[0].n_documents(), 70_000);
    assert_eq!(shown(&corpora[0], 69_999), "w1 w62");
    assert_eq!(corpora[0], corpora[1]);
    assert_eq!(corpora[0], corpora[2]);
}
