//! Corpora for tests.

use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};

/// Documents without ids over the words `w000`, `w001`, …; entries are (word, count), and those of 0 are left out.
pub(crate) fn corpus<D: AsRef<[(u32, u32)]>>(
    n_words: usize,
    documents: impl IntoIterator<Item = D>,
) -> Corpus {
    let words = (0..n_words).map(|w| format!("w{w:03}")).collect();
    let mut b = CorpusBuilder::with_words(words);
    for document in documents {
        let entries = document.as_ref().iter().copied().filter(|entry| entry.1 > 0);
        b.push(&mut entries.collect::<Vec<_>>(), DocumentInfo::default()).expect("good entries");
    }
    b.finish().expect("a good corpus")
}
