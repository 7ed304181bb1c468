//! Corpora for tests.

use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo};

/// Documents over the words `w000`, `w001`, …, given as (word, count).
pub(crate) fn corpus<D: AsRef<[(u32, u32)]>>(n_words: usize, documents: &[D]) -> Corpus {
    let names = (0..n_words).map(|w| format!("w{w:03}")).collect();
    let mut builder = CorpusBuilder::with_words(names);
    for document in documents {
        builder.push(&mut document.as_ref().to_vec(), DocumentInfo::default()).expect("counts");
    }
    builder.finish().expect("a corpus")
}

/// Documents given as the count of every word.
pub(crate) fn dense<R: AsRef<[u32]>>(rows: &[R]) -> Corpus {
    let entries = |row: &R| -> Vec<(u32, u32)> {
        (0..).zip(row.as_ref().iter().copied()).filter(|entry| entry.1 > 0).collect()
    };
    let documents: Vec<_> = rows.iter().map(entries).collect();
    corpus(rows[0].as_ref().len(), &documents)
}

/// These documents of `corpus`, with their ids.
pub(crate) fn select(corpus: &Corpus, rows: impl IntoIterator<Item = usize>) -> Corpus {
    let mut builder = CorpusBuilder::with_words(corpus.vocabulary().words().to_vec());
    for row in rows {
        let mut entries: Vec<(u32, u32)> = corpus.document(row).entries().collect();
        let id = corpus.id(row).map(str::to_owned);
        let info = DocumentInfo { id, ..DocumentInfo::default() };
        builder.push(&mut entries, info).expect("counts");
    }
    builder.finish().expect("a corpus")
}
