//! The result of a fit: topics, their diagnostics, and their provenance.
//!
//! A model is data. It is the same, bit for bit, for any number of threads, any split of the corpus into
//! shards and any order of the documents. Its fingerprint is a hash of everything in it.

mod assessment;
mod diagnostics;
mod display_words;
mod edit;
mod metadata;
mod parts;
mod warning;

pub use assessment::{Assessment, Weakness};
pub use diagnostics::{Diagnostics, effective_words};
pub(crate) use display_words::discriminative_words;
pub use metadata::{
    CorpusSummary, Edit, FORMAT, FitReport, NovelWordInfo, Provenance, TopicCountChoice, TopicInfo,
    Trial,
};
pub use parts::{ModelParts, TopicParts};
pub use warning::Warning;

use sha2::{Digest, Sha256};

use crate::corpus::{PruneReport, Vocabulary, hex};
use crate::error::Error;
use crate::estimate::Topics;
use crate::note::Note;
use metadata::Metadata;

/// Numbers that are hashed at a time.
const HASHED: usize = 4096;

/// A fitted topic model.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicModel {
    vocabulary: Vocabulary,
    topics: Topics,
    weights: Vec<f32>,
    info: Vec<TopicInfo>,
    provenance: Provenance,
    fingerprint: String,
}

impl TopicModel {
    /// A model from parts that fit together. [`ModelParts`] makes one from what a method found.
    pub fn new(
        vocabulary: Vocabulary,
        topics: Topics,
        weights: Vec<f32>,
        info: Vec<TopicInfo>,
        provenance: Provenance,
    ) -> Result<Self, Error> {
        let k = topics.n_topics();
        if topics.n_words() != vocabulary.len() || weights.len() != k || info.len() != k {
            let message = format!(
                "{k} topics over {} words do not fit {} weights, {} descriptions and a vocabulary of {} words",
                topics.n_words(),
                weights.len(),
                info.len(),
                vocabulary.len()
            );
            return Err(Error::BadModel(message));
        }
        let sum: f64 = weights.iter().map(|&a| f64::from(a)).sum();
        if weights.iter().any(|a| !a.is_finite() || *a < 0.0) || (sum - 1.0).abs() > 1e-3 {
            return Err(Error::BadModel(format!("the topics' weights sum to {sum}, not to 1")));
        }
        let mut model =
            Self { vocabulary, topics, weights, info, provenance, fingerprint: String::new() };
        model.fingerprint = model.hash()?;
        Ok(model)
    }

    /// The words, in order of their columns.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The topics: K × W probabilities, heaviest topic first.
    pub fn topics(&self) -> &Topics {
        &self.topics
    }

    /// Share of each topic in the corpus; they sum to 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Novel words and diagnostics of each topic.
    pub fn info(&self) -> &[TopicInfo] {
        &self.info
    }

    /// Parameters, corpus and report of the fit.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// `sha256:` and a hash of everything in the model.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The same model with a note on the steps before the fit: how text became words, so that new
    /// documents can be treated alike, and what pruning removed.
    pub fn with_preprocessing(
        self,
        preprocessing: Note,
        prune: Option<PruneReport>,
    ) -> Result<Self, Error> {
        let report = FitReport { prune, ..self.provenance.report };
        let provenance = Provenance { report, preprocessing, ..self.provenance };
        Self::new(self.vocabulary, self.topics, self.weights, self.info, provenance)
    }

    /// The same model with the reason for its number of topics.
    pub fn with_chosen(self, chosen: TopicCountChoice) -> Result<Self, Error> {
        let provenance = Provenance { chosen: Some(chosen), ..self.provenance };
        Self::new(self.vocabulary, self.topics, self.weights, self.info, provenance)
    }

    /// Everything but the two matrices, as JSON. With them it makes a model again ([`from_parts`](Self::from_parts)).
    pub fn metadata(&self) -> Result<String, Error> {
        self.metadata_with(&self.fingerprint)
    }

    fn metadata_with(&self, fingerprint: &str) -> Result<String, Error> {
        Metadata::of(self, fingerprint).to_json()
    }

    /// A model from its metadata and its matrices. Refuses a newer format, parts that do not fit, and
    /// anything that was altered after the fingerprint was taken.
    pub fn from_parts(metadata: &str, topics: Vec<f32>, weights: Vec<f32>) -> Result<Self, Error> {
        let metadata = Metadata::from_json(metadata)?;
        let n_words = metadata.vocabulary.len();
        let vocabulary = Vocabulary::new(metadata.vocabulary.clone())?;
        if vocabulary.words() != metadata.vocabulary {
            return Err(Error::BadModel("the vocabulary is not in byte order".into()));
        }
        let topics = Topics::new(n_words, topics)?;
        let model = Self::new(vocabulary, topics, weights, metadata.topics, metadata.provenance)?;
        if model.fingerprint != metadata.fingerprint {
            return Err(Error::BadModel(format!(
                "its contents have the fingerprint {}, but it says {}: it was altered",
                model.fingerprint, metadata.fingerprint
            )));
        }
        Ok(model)
    }

    fn hash(&self) -> Result<String, Error> {
        let mut hash = Sha256::new();
        let mut bytes = Vec::with_capacity(HASHED * size_of::<f32>());
        for values in self.topics.values().chunks(HASHED).chain([self.weights.as_slice()]) {
            bytes.clear();
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            hash.update(&bytes);
        }
        hash.update(self.metadata_with("")?.as_bytes());
        Ok(hex(&hash.finalize()))
    }
}

#[cfg(test)]
pub(crate) mod tests;
