//! The part of a model that is not a matrix, and its form as JSON.

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, PruneReport};
use crate::error::Error;
use crate::estimate::EstimateReport;
use crate::model::{Diagnostics, TopicModel};
use crate::moments::WordStats;
use crate::note::Note;
use crate::refine::RefineReport;

/// The version of the model's form that this library writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// What is known of a topic besides its distribution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopicInfo {
    /// Its novel words, strongest first.
    pub novel_words: Vec<NovelWordInfo>,
    /// How far to trust it.
    pub diagnostics: Diagnostics,
    /// The words that tell it from the others, best first, if the fit chose them
    /// ([`TopicModel::display_words`](crate::TopicModel::display_words)).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub display_words: Vec<String>,
}

/// A novel word by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NovelWordInfo {
    /// The word.
    pub word: String,
    /// Share of directions won, or margin (DDP); 0 if the word was not found but pinned.
    pub strength: f64,
}

/// Where a model comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of the library that fitted it.
    pub version: String,
    /// The parameters of the fit, the seed among them: [`FitParams`](crate::FitParams), or those of another method.
    pub parameters: Note,
    /// How the number of topics was chosen, if the library chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<TopicCountChoice>,
    /// Changes by hand after the fit, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
    /// The documents.
    pub corpus: CorpusSummary,
    /// How the fit went.
    pub report: FitReport,
    /// How documents were turned into words: a note of the shell that did it, for itself.
    pub preprocessing: Note,
}

impl Provenance {
    /// Of a model that this version of the library fits to the documents of `corpus`.
    pub fn of(corpus: CorpusSummary) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), corpus, ..Self::default() }
    }
}

/// A number of topics, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TopicCountChoice {
    /// K.
    pub n_topics: usize,
    /// Why, in words.
    pub reason: String,
    /// Effective rank of the co-occurrence of words: more topics than this cannot be told apart.
    pub dimensions: usize,
    /// The numbers of topics that were tried, the smallest first.
    pub tried: Vec<Trial>,
}

/// A number of topics that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// K.
    pub n_topics: usize,
    /// Perplexity of the held-out documents. Less is better.
    pub perplexity: f64,
    /// Standard error of the perplexity, over documents.
    pub perplexity_error: f64,
}

/// A change to a fitted model by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Edit {
    /// Topics were merged.
    Merge {
        /// The topics of each new topic, by number.
        groups: Vec<Vec<usize>>,
        /// Fingerprint of the model before.
        of: String,
    },
}

/// The documents that a model was fitted on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CorpusSummary {
    /// Documents, those without words included.
    pub documents: usize,
    /// Documents without a word of the vocabulary.
    pub empty: usize,
    /// Words of the vocabulary.
    pub words: usize,
    /// Tokens of the vocabulary.
    pub tokens: u64,
}

impl CorpusSummary {
    /// Of a corpus in memory.
    pub fn of(corpus: &Corpus) -> Self {
        Self {
            documents: corpus.n_documents(),
            empty: corpus.n_empty(),
            words: corpus.n_words(),
            tokens: corpus.n_tokens(),
        }
    }

    /// Of the documents with these totals.
    pub fn of_stats(stats: &WordStats) -> Self {
        Self {
            documents: stats.documents,
            empty: stats.documents - stats.filled,
            words: stats.n_words(),
            tokens: stats.tokens.iter().sum(),
        }
    }
}

/// How a fit went. What a method does not report is `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FitReport {
    /// Number of candidates.
    pub n_candidates: Option<usize>,
    /// Number of novel words, pinned ones included.
    pub novel_words: usize,
    /// Number of novel words that were left out because they are near a pin.
    #[serde(default)]
    pub left_out: usize,
    /// Number of documents without a pair of tokens.
    pub unpaired: Option<usize>,
    /// The regressions.
    pub estimate: Option<EstimateReport>,
    /// The refinement, if there was one.
    #[serde(default)]
    pub refine: Option<RefineReport>,
    /// Report of a method other than the library's own.
    pub method: Note,
    /// What pruning did before the fit, if the shell pruned.
    pub prune: Option<PruneReport>,
}

/// Everything but the matrices.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Metadata {
    pub(super) format: u32,
    pub(super) vocabulary: Vec<String>,
    pub(super) topics: Vec<TopicInfo>,
    pub(super) provenance: Provenance,
    pub(super) fingerprint: String,
}

/// Read first: a newer form may not fit [`Metadata`] at all.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

impl Metadata {
    pub(super) fn of(model: &TopicModel, fingerprint: &str) -> Self {
        Self {
            format: FORMAT,
            vocabulary: model.vocabulary.words().to_vec(),
            topics: model.info.clone(),
            provenance: model.provenance.clone(),
            fingerprint: fingerprint.to_owned(),
        }
    }

    pub(super) fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|e| Error::BadModel(e.to_string()))
    }

    pub(super) fn from_json(json: &str) -> Result<Self, Error> {
        let bad =
            |e: serde_json::Error| Error::BadModel(format!("its metadata cannot be read: {e}"));
        let Version { format } = serde_json::from_str(json).map_err(bad)?;
        if format > FORMAT {
            return Err(Error::BadModel(format!(
                "it was written by a newer vertopic: format {format}, and this one reads up to {FORMAT}"
            )));
        }
        serde_json::from_str(json).map_err(bad)
    }
}
