//! Everything that can go wrong in the library: what happened, with which value, against which rule.

/// What went wrong. The message names the thing, the value and the rule; [`Error::hint`] says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A word stands twice in a vocabulary.
    #[error("the word {word:?} stands twice in the vocabulary")]
    DuplicateWord {
        /// The word.
        word: String,
    },
    /// More words than ids.
    #[error("{words} words are more than a vocabulary can hold (4,294,967,294)")]
    TooManyWords {
        /// How many.
        words: usize,
    },
    /// A document names a word id that the vocabulary does not have.
    #[error("document {document}: word id {id} is not below the size of the vocabulary, {words}")]
    UnknownWordId {
        /// Row of the document, from 0.
        document: usize,
        /// The id, from 0.
        id: u32,
        /// Size of the vocabulary.
        words: usize,
    },
    /// A count of 0.
    #[error(
        "document {document}: the count of {word:?} is 0, but a word that does not occur is left out"
    )]
    ZeroCount {
        /// Row of the document, from 0.
        document: usize,
        /// The word.
        word: String,
    },
    /// A document with more tokens than a count can hold.
    #[error(
        "document {document} has {tokens} tokens, more than the 4,294,967,295 a document can hold"
    )]
    DocumentTooLong {
        /// Row of the document, from 0.
        document: usize,
        /// Its tokens.
        tokens: u64,
    },
    /// Pruning removed every word.
    #[error(
        "no word is left: none of the {words} words occurs in at least {low} and at most {high} of the {documents} documents"
    )]
    NothingLeft {
        /// Words before pruning.
        words: usize,
        /// Documents.
        documents: usize,
        /// Lower limit of the document frequency.
        low: u64,
        /// Upper limit of the document frequency.
        high: u64,
    },
    /// Too few documents to learn from.
    #[error("{usable} of {documents} documents can be learnt from, but at least 2 are needed")]
    TooFewDocuments {
        /// Documents with tokens in both halves.
        usable: usize,
        /// Documents.
        documents: usize,
    },
    /// A parameter has a value outside its range.
    #[error("{name} must be {rule}, got {value}")]
    Parameter {
        /// Which parameter.
        name: &'static str,
        /// What it may be.
        rule: &'static str,
        /// What it is.
        value: String,
    },
    /// Too few words passed the candidate floor or were found novel.
    #[error("{found} novel-word candidates for {topics} topics: at least one per topic is needed")]
    TooFewCandidates {
        /// Candidates found.
        found: usize,
        /// Topics asked for.
        topics: usize,
        /// Words that passed the candidate floor.
        allowed: usize,
    },
    /// Clustering gave another number of groups than topics asked for.
    #[error("the novel words fall into {found} groups, not into the {topics} topics asked for")]
    WrongNumberOfClusters {
        /// Groups found.
        found: usize,
        /// Topics asked for.
        topics: usize,
        /// The squared-distance threshold used, if it was a threshold graph.
        distance: Option<f64>,
    },
    /// A topic to which the regression gives no word, not even its own novel ones.
    #[error("no word belongs to the topic of {}", .novel_words.join(", "))]
    EmptyTopic {
        /// The topic's novel words.
        novel_words: Vec<String>,
    },
    /// Numerical breakdown that no input should cause.
    #[error("{what} did not converge")]
    NotConverged {
        /// Which computation.
        what: &'static str,
    },
    /// More of one word than exact sums can hold.
    #[error(
        "the word {word:?} fills the equivalent of {documents} documents, more than exact sums can hold"
    )]
    TooLargeForExactSums {
        /// The word.
        word: String,
        /// Documents' worth of it.
        documents: u64,
    },
    /// The thread pool could not be made.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// Why.
        reason: String,
    },
    /// A model whose parts do not fit together.
    #[error("not a sound model: {0}")]
    BadModel(String),
}

impl Error {
    /// What to change, where that can be said.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NothingLeft { .. } => {
                "lower --min-df or raise --max-df; for text, look at --stopwords and --min-length".into()
            }
            Self::TooFewDocuments { .. } => {
                "a document needs at least two tokens of the vocabulary, one for each half; give more documents, or prune less (--min-df, --max-df)".into()
            }
            Self::TooFewCandidates { topics, allowed, .. } if allowed < topics => format!(
                "only {allowed} words pass the candidate floor: lower --candidate-min-df or --candidate-min-tokens or raise --candidates, or ask for fewer topics (-k)"
            ),
            Self::TooFewCandidates { .. } => {
                "ask for fewer topics (-k), or for more candidates: --projections with rp, --novel-words with ddp, a smaller --distance with binning".into()
            }
            Self::WrongNumberOfClusters { distance: Some(_), .. } => {
                "a larger --distance joins groups, a smaller one separates them; or use --clustering spectral, which always gives -k groups".into()
            }
            Self::WrongNumberOfClusters { .. } => {
                "ask for fewer topics (-k), or use --affinity exp-median: exp(-D) underflows when distances are large".into()
            }
            Self::EmptyTopic { .. } => {
                "its novel words are too rare to stand for a topic: raise --candidate-min-df or --candidate-min-tokens, ask for fewer topics (-k), or use another --method".into()
            }
            _ => return None,
        })
    }
}
