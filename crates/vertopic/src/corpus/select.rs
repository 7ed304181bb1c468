//! Some of the documents, for instance those that a model is not to see.

use crate::corpus::{Corpus, DocumentInfo, InfoColumns};

impl Corpus {
    /// The documents with these numbers, in this order, over the same vocabulary. Panics if there are not so
    /// many documents.
    ///
    /// ```
    /// use vertopic::corpus::{CorpusBuilder, DocumentInfo};
    /// let mut b = CorpusBuilder::with_words(vec!["a".into(), "b".into()]);
    /// for count in 1..=3 {
    ///     b.push(&mut [(0, count), (1, 1)], DocumentInfo::default())?;
    /// }
    /// let corpus = b.finish()?;
    /// let some = corpus.select(&[2, 0]);
    /// assert_eq!(some.n_tokens(), 6);
    /// assert_eq!(some.document(0).counts, corpus.document(2).counts);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    #[must_use]
    pub fn select(&self, documents: &[usize]) -> Corpus {
        let mut out = Corpus {
            vocabulary: self.vocabulary.clone(),
            offsets: vec![0],
            words: Vec::new(),
            counts: Vec::new(),
            keys: Vec::with_capacity(documents.len()),
            tokens: 0,
            info: InfoColumns::default(),
        };
        for (row, &d) in documents.iter().enumerate() {
            let document = self.document(d);
            out.words.extend_from_slice(document.words);
            out.counts.extend_from_slice(document.counts);
            out.offsets.push(out.words.len());
            out.keys.push(document.key);
            out.tokens += document.tokens();
            let text = |value: Option<&str>| value.map(str::to_owned);
            let (id, label, time) = (text(self.id(d)), text(self.label(d)), text(self.time(d)));
            out.info.push(row, DocumentInfo { id, label, time });
        }
        out
    }
}
