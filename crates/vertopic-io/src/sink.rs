//! Where documents go as they are read.
//!
//! Every reader writes into a [`DocumentSink`]. Two sinks exist: [`CorpusSink`] builds a corpus in memory,
//! [`SpoolBuilder`](crate::spool::SpoolBuilder) keeps the documents on the disk and turns them into a spool or an
//! on-disk corpus.

use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo, Texts, UNKNOWN, Vocabulary};

use crate::error::IoError;

/// Bytes of memory that a reader needs for each entry of a batch, generously.
const BYTES_PER_ENTRY: u64 = 64;

/// How much memory a reader may use for a batch of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// Any amount: an input is one batch.
    Unlimited,
    /// About this number of bytes. A larger batch is accepted where the input has no smaller ones.
    About(u64),
    /// This number of bytes. An input that cannot be read in it is refused.
    AtMost(u64),
}

impl Room {
    /// The number of entries in a batch.
    pub(crate) fn entries(self) -> usize {
        match self {
            Self::Unlimited => usize::MAX,
            Self::About(bytes) | Self::AtMost(bytes) => (bytes / BYTES_PER_ENTRY) as usize,
        }
    }
}

/// Takes documents in the order of the input.
///
/// ```
/// use vertopic::corpus::DocumentInfo;
/// use vertopic_io::sink::{CorpusSink, DocumentSink as _};
/// let mut sink = CorpusSink::new();
/// let (sun, sea) = (sink.word("sun"), sink.word("sea"));
/// sink.push(&mut [(sun, 1), (sea, 2)], DocumentInfo::default())?;
/// let corpus = sink.finish()?.corpus;
/// assert_eq!(corpus.document(0).counts, [2, 1]); // sea, sun
/// # Ok::<(), vertopic_io::IoError>(())
/// ```
pub trait DocumentSink: Send {
    /// Memory for a batch of documents.
    fn room(&self) -> Room {
        Room::Unlimited
    }

    /// Number of documents so far.
    fn n_documents(&self) -> usize;

    /// The id of a word, new or known, for [`push`](Self::push).
    fn word(&mut self, word: &str) -> u32;

    /// Adds a document of `(word id, count)` entries in any order. Counts of a word named twice are added. The entries
    /// may be reordered.
    fn push(&mut self, entries: &mut [(u32, u32)], info: DocumentInfo) -> Result<(), IoError>;

    /// Adds all documents of a corpus.
    fn push_corpus(&mut self, corpus: Corpus) -> Result<(), IoError>;

    /// Whether [`push_tokens`](Self::push_tokens) has a use for the order of words.
    fn keeps_order(&self) -> bool {
        false
    }

    /// The word ids of the document pushed last, in the order of the text.
    fn push_tokens(&mut self, _tokens: &[u32]) {}

    /// Remembers the documents so far for [`roll_back`](Self::roll_back).
    fn checkpoint(&mut self);

    /// Drops the documents and words that were added since the checkpoint. Called only between a checkpoint and the
    /// next, at most once, and only if the room is limited.
    fn roll_back(&mut self) -> Result<(), IoError>;
}

/// Builds a corpus in memory.
#[derive(Debug, Default)]
pub struct CorpusSink<'v> {
    /// Documents that were pushed one by one since the last corpus.
    builder: CorpusBuilder,
    corpora: Vec<Corpus>,
    /// Number of documents in `corpora`.
    n_documents: usize,
    order: Option<Order<'v>>,
    checkpoint: usize,
}

/// The order of words, as ids of a vocabulary.
#[derive(Debug)]
struct Order<'v> {
    vocabulary: &'v Vocabulary,
    /// The vocabulary's id of each word of the builder.
    ids: Vec<u32>,
    texts: Texts,
}

/// The documents of a [`CorpusSink`].
#[derive(Debug)]
pub struct Collected {
    /// The documents, in the order in which they came.
    pub corpus: Corpus,
    /// Their words in order, if the sink keeps them and every document has an order.
    pub texts: Option<Texts>,
}

impl<'v> CorpusSink<'v> {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty sink that also keeps the order of words, as ids of `vocabulary`. Any other word is [`UNKNOWN`].
    pub fn in_order(vocabulary: &'v Vocabulary) -> Self {
        let order = Order { vocabulary, ids: Vec::new(), texts: Texts::default() };
        Self { order: Some(order), ..Self::default() }
    }

    /// The corpus of all documents.
    pub fn finish(mut self) -> Result<Collected, IoError> {
        self.close_builder()?;
        let corpus = Corpus::concat(self.corpora)?;
        let texts = self.order.map(|order| order.texts);
        let texts = texts.filter(|texts| texts.n_documents() == corpus.n_documents());
        Ok(Collected { corpus, texts })
    }

    /// Turns the documents of the builder into a corpus.
    fn close_builder(&mut self) -> Result<(), IoError> {
        if self.builder.n_words() > 0 || self.builder.n_documents() > 0 || self.corpora.is_empty() {
            let corpus = std::mem::take(&mut self.builder).finish()?;
            self.n_documents += corpus.n_documents();
            self.corpora.push(corpus);
            if let Some(order) = &mut self.order {
                order.ids.clear(); // the next builder counts from 0 again
            }
        }
        Ok(())
    }
}

impl DocumentSink for CorpusSink<'_> {
    fn n_documents(&self) -> usize {
        self.n_documents + self.builder.n_documents()
    }

    fn word(&mut self, word: &str) -> u32 {
        let id = self.builder.word(word);
        if let Some(Order { vocabulary, ids, .. }) = &mut self.order
            && id as usize == ids.len()
        {
            ids.push(vocabulary.id(word).unwrap_or(UNKNOWN));
        }
        id
    }

    fn push(&mut self, entries: &mut [(u32, u32)], info: DocumentInfo) -> Result<(), IoError> {
        Ok(self.builder.push(entries, info)?)
    }

    fn push_corpus(&mut self, corpus: Corpus) -> Result<(), IoError> {
        if self.builder.n_documents() > 0 || self.builder.n_words() > 0 {
            self.close_builder()?;
        }
        self.n_documents += corpus.n_documents();
        self.corpora.push(corpus);
        Ok(())
    }

    fn keeps_order(&self) -> bool {
        self.order.is_some()
    }

    fn push_tokens(&mut self, tokens: &[u32]) {
        if let Some(Order { ids, texts, .. }) = &mut self.order {
            texts.push(tokens.iter().map(|&id| ids[id as usize]));
        }
    }

    fn checkpoint(&mut self) {
        self.checkpoint = self.corpora.len();
    }

    fn roll_back(&mut self) -> Result<(), IoError> {
        let dropped = self.corpora.drain(self.checkpoint..);
        self.n_documents -= dropped.map(|corpus| corpus.n_documents()).sum::<usize>();
        Ok(())
    }
}
