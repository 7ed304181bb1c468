//! Everything that can go wrong in the library: what happened, with which value, against which rule.
//! Errors name parameters ([`Parameter`]) and give advice ([`Advice`]) without the words of a front end.

mod advice;
mod parameter;

pub use advice::{Advice, sentence};
pub use parameter::{Parameter, Setting};

/// What went wrong. The message names the thing, the value and the rule; [`Error::advice`] says what to do.
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
    /// Too few documents with a pair of tokens.
    #[error("{usable} of {documents} documents have a pair of tokens, but at least 2 must")]
    TooFewDocuments {
        /// Documents with a pair of tokens.
        usable: usize,
        /// Documents.
        documents: usize,
    },
    /// A parameter has a value outside its range.
    #[error("{parameter} must be {rule}, got {value}")]
    Parameter {
        /// The parameter.
        parameter: Parameter,
        /// What it may be.
        rule: &'static str,
        /// What it is.
        value: String,
    },
    /// A word given by name that the vocabulary does not have.
    #[error("{parameter} must be in the vocabulary, and {word:?} is not")]
    UnknownWord {
        /// The parameter that names it.
        parameter: Parameter,
        /// The word.
        word: String,
        /// A word of the vocabulary that may be meant.
        near: Option<String>,
    },
    /// Too few words passed the candidate filter or were found novel.
    #[error(
        "{found} novel words for {topics} topics: at least one per topic is needed{}",
        candidates(*n_candidates, *topics)
    )]
    TooFewCandidates {
        /// Candidates found.
        found: usize,
        /// Topics asked for.
        topics: usize,
        /// Words that passed the candidate filter.
        n_candidates: usize,
    },
    /// Clustering gave another number of groups than topics asked for.
    #[error(
        "the novel words form {found} groups, but {}",
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
    #[error("no novel word occurs twice in a document, so there is nothing to regress on")]
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
    #[error(
        "the sketch was made with {}, but the fit needs {}",
        Setting::list(has),
        Setting::list(wants)
    )]
    OtherSketch {
        /// The settings of the sketch.
        has: Vec<Setting>,
        /// The settings that the fit needs.
        wants: Vec<Setting>,
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
    topics.map_or_else(|| "at least 2 are needed".into(), |k| format!("{k} topics were requested"))
}

fn candidates(n: usize, topics: usize) -> String {
    if n < topics { format!(", and only {n} words may be novel") } else { String::new() }
}

impl Error {
    /// Whether a pass itself failed, which no other setting would have avoided.
    pub fn is_failed_pass(&self) -> bool {
        matches!(self, Self::Documents { .. } | Self::BadPass(_) | Self::BadSums(_))
    }

    /// A parameter with a value against its rule.
    #[allow(clippy::needless_pass_by_value)] // callers give numbers and fresh strings
    pub fn parameter(parameter: Parameter, rule: &'static str, value: impl ToString) -> Self {
        Self::Parameter { parameter, rule, value: value.to_string() }
    }

    /// What may help; the most likely first.
    pub fn advice(&self) -> Vec<Advice> {
        use Advice as A;
        match self {
            Self::NoWords { .. } => vec![A::CheckInput],
            Self::NothingLeft { .. } => vec![A::PruneLess, A::CheckInput],
            Self::TooFewDocuments { .. } => {
                vec![A::MoreDocuments, A::LongerDocuments, A::PruneLess]
            }
            Self::UnknownWord { near: Some(near), .. } => vec![A::DidYouMean(near.clone())],
            Self::UnknownWord { .. } => vec![A::CheckSpelling],
            Self::TooFewCandidates { topics, n_candidates, .. } if n_candidates < topics => {
                vec![A::FewerTopics, A::PruneLess, A::MoreCandidates]
            }
            Self::TooFewCandidates { .. } => {
                vec![A::FewerTopics, A::MoreProjections, A::MoreNovelWords, A::SmallerDistance]
            }
            Self::WrongNumberOfClusters { distance: Some(_), .. } => {
                vec![A::LargerDistance, A::SmallerDistance, A::SpectralClustering]
            }
            Self::WrongNumberOfClusters { .. } => vec![A::FewerTopics, A::MedianAffinity],
            Self::NoPairs => vec![A::PooledRepresentative, A::MoreCandidates, A::LongerDocuments],
            Self::EmptyTopic { .. } => vec![A::FrequentCandidates, A::FewerTopics, A::OtherMethod],
            Self::NeedsDocuments { .. } => vec![A::FitAsSketches],
            Self::OtherSketch { wants, .. } => vec![A::SketchWith(wants.clone())],
            Self::SketchesDiffer { .. } => vec![A::SketchAlike],
            _ => Vec::new(),
        }
    }

    /// The advice in one sentence, in the library's words.
    pub fn hint(&self) -> Option<String> {
        sentence(&self.advice(), Advice::to_string)
    }
}
