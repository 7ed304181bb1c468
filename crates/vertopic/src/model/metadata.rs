//! The part of a model that is not a matrix, and its form as JSON.

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, PruneReport};
use crate::error::Error;
use crate::estimate::EstimateReport;
use crate::model::{Diagnostics, TopicModel};
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
    /// The words that tell it from the others, best first, if they were chosen when it was found
    /// ([`TopicModel::display_words`](crate::TopicModel::shown_words)).
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of the library that fitted it.
    pub version: String,
    /// The parameters of the fit, the seed among them.
    pub parameters: serde_json::Value,
    /// The documents.
    pub corpus: CorpusSummary,
    /// How the fit went.
    pub report: FitReport,
    /// How documents were turned into words: a note of the shell that did it, for itself.
    pub preprocessing: serde_json::Value,
}

/// The documents that a model was fitted on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
}

/// The report of a fit. `None` where the method has no such number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitReport {
    /// Words that were allowed to be novel.
    pub n_candidates: Option<usize>,
    /// Novel words, including pinned ones.
    pub novel_words: usize,
    /// Novel words left out because they are near a pinned word.
    #[serde(default)]
    pub left_out: usize,
    /// Documents without a pair of tokens.
    pub unpaired: Option<usize>,
    /// The regressions.
    pub estimate: Option<EstimateReport>,
    /// The refinement, if there was one.
    #[serde(default)]
    pub refine: Option<RefineReport>,
    /// The report of a method outside the library.
    pub method: serde_json::Value,
    /// The report of pruning before the fit, if there was pruning.
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
