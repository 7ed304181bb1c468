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
    /// There is no word at all.
    #[error("the {documents} documents have no words")]
    NoWords {
        /// Documents.
        documents: usize,
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
        /// Documents with a pair of tokens to learn from.
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
    /// A word given by name that the vocabulary does not have.
    #[error("{what} must be in the vocabulary, and {word:?} is not")]
    UnknownWord {
        /// What it was given for.
        what: &'static str,
        /// The word.
        word: String,
        /// A word of the vocabulary that may be meant.
        near: Option<String>,
    },
    /// Too few words passed the candidate floor or were found novel.
    #[error("{found} novel words for {topics} topics: at least one per topic is needed")]
    TooFewCandidates {
        /// Candidates found.
        found: usize,
        /// Topics asked for.
        topics: usize,
        /// Words that passed the candidate floor.
        n_candidates: usize,
    },
    /// Clustering gave another number of groups than topics asked for.
    #[error(
        "the number of groups that the novel words fall into is {found}, but {} needed",
        wanted(*topics)
    )]
    WrongNumberOfClusters {
        /// Groups found.
        found: usize,
        /// Topics asked for, if a number was.
        topics: Option<usize>,
        /// The squared-distance threshold used, if it was a threshold graph.
        distance: Option<f64>,
    },
    /// The representatives of the topics have no co-occurrence to regress on.
    #[error("no novel word occurs twice in a document, so nothing can be learnt from them")]
    NoPairs,
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
    /// A place where documents live could not be read.
    #[error("cannot read the documents: {reason}")]
    Documents {
        /// Why.
        reason: String,
    },
    /// Bytes that are not a pass over documents with these words.
    #[error("not a sound pass: {0}")]
    BadPass(String),
    /// Bytes that are not the sums of a pass.
    #[error("not sound sums of a pass: {0}")]
    BadSums(String),
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
    /// A sketch whose parts do not fit together.
    #[error("not a sound sketch: {0}")]
    BadSketch(String),
    /// Asked of a sketch what it cannot know.
    #[error("{what} needs the documents, and a sketch has only sums over them")]
    NeedsDocuments {
        /// What was asked for.
        what: &'static str,
    },
    /// A sketch was made with other settings than those wanted.
    #[error("the sketch has {has}, but {wants} is wanted")]
    OtherSketch {
        /// What it has.
        has: String,
        /// What is wanted.
        wants: String,
    },
    /// Two sketches that cannot be added or subtracted.
    #[error("the sketches do not go together: {what} is {one} in one and {other} in the other")]
    SketchesDiffer {
        /// In what they differ.
        what: &'static str,
        /// What it is in the first.
        one: String,
        /// What it is in the second.
        other: String,
    },
    /// A sketch is subtracted from one that does not have its documents.
    #[error("the documents to take away are not part of the others: {what}")]
    NotPart {
        /// What shows it.
        what: String,
    },
}

fn wanted(topics: Option<usize>) -> String {
    topics.map_or_else(|| "at least 2 are".to_owned(), |k| format!("the {k} topics asked for are"))
}

impl Error {
    /// Whether a pass itself failed, which no other setting would have avoided.
    pub fn is_failed_pass(&self) -> bool {
        matches!(self, Self::Documents { .. } | Self::BadPass(_) | Self::BadSums(_))
    }

    /// What to change, where that can be said.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoWords { .. } => {
                "look at the input: is it text in UTF-8, and not all stop words (--stopwords) or short words (--min-length)?".into()
            }
            Self::NothingLeft { .. } => {
                "lower --min-df or raise --max-df; for text, look at --stopwords and --min-length".into()
            }
            Self::TooFewDocuments { .. } => {
                "a document needs at least two tokens of the vocabulary, with --pairs split one in each half; give more documents, or prune less (--min-df, --max-df)".into()
            }
            Self::UnknownWord { near: Some(near), .. } => format!("is {near:?} meant?"),
            Self::UnknownWord { .. } => {
                "words are in small letters, and rare or frequent ones may be pruned (--min-df, --max-df, --stopwords)".into()
            }
            Self::TooFewCandidates { topics, n_candidates, .. } if n_candidates < topics => format!(
                "only {n_candidates} words may be novel: ask for fewer topics (-k), keep more words (--min-df, --max-df, --max-vocab), or let more of them be novel (--candidates, --candidate-min-df, --candidate-min-tokens)"
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
            Self::NoPairs => {
                "use --representative pooled, let more frequent words be novel (--candidates, --candidate-min-df), or give longer documents".into()
            }
            Self::EmptyTopic { .. } => {
                "its novel words are too rare to stand for a topic: raise --candidate-min-df or --candidate-min-tokens, ask for fewer topics (-k), or use another --method".into()
            }
            Self::NeedsDocuments { .. } => {
                "from sketches run --method ddp and --method rp, with or without --paper, with --refine 0, --stability no and a number for -k".into()
            }
            Self::OtherSketch { wants, .. } => format!("make the sketches with {wants}"),
            Self::SketchesDiffer { .. } => "make both with the same options".into(),
            _ => return None,
        })
    }
}
