//! Other ways to find topics: what the paper compares with, and its natural competitors.
//!
//! Every method takes a corpus in memory and gives [`MethodOutput`]; [`MethodOutput::to_model`] makes of it the same
//! kind of model as the library's own fit. Like that fit, a method gives the same bits for any number of
//! threads and any order of the documents: sums over documents are exact or taken in
//! [`canonical_order`], and random numbers hang on the seed.

pub mod anchor;
mod any;
pub mod eca;
pub mod em;
pub mod gibbs;
pub mod nmf;
pub mod recover_lp;

pub use any::Method;

use vertopic::Error;
use vertopic::corpus::{Corpus, Vocabulary};
use vertopic::detect::NovelWord;
use vertopic::estimate::Topics;
use vertopic::model::{CorpusSummary, FitReport, ModelParts, TopicModel, TopicParts};
use vertopic::note::Note;

/// What a method found.
#[derive(Debug, Clone)]
pub struct MethodOutput {
    /// The topics, in any order.
    pub topics: Topics,
    /// Mean share of each topic in the documents; they sum to 1.
    pub weights: Vec<f64>,
    /// The novel words of each topic, if the method has such a thing: as many lists as topics.
    pub novel_words: Vec<Vec<NovelWord>>,
    /// How it went: sweeps, objective, what did not converge.
    pub report: serde_json::Value,
}

impl MethodOutput {
    /// The model, heaviest topic first. `parameters` is what the method was told.
    pub fn to_model(
        &self,
        corpus: &Corpus,
        parameters: &serde_json::Value,
    ) -> Result<TopicModel, Error> {
        self.model(corpus.vocabulary(), CorpusSummary::of(corpus), parameters)
    }

    /// The same for documents that are elsewhere.
    pub(crate) fn model(
        &self,
        vocabulary: &Vocabulary,
        corpus: CorpusSummary,
        parameters: &serde_json::Value,
    ) -> Result<TopicModel, Error> {
        let total: f64 = self.weights.iter().sum();
        let weights: Vec<f64> = self.weights.iter().map(|weight| weight / total).collect();
        let parts = |novel_words: &Vec<NovelWord>| TopicParts {
            novel_words: novel_words.clone(),
            ..TopicParts::default()
        };
        let model = ModelParts {
            vocabulary,
            corpus,
            parameters: Note::of(parameters)?,
            topics: &self.topics,
            weights: &weights,
            parts: self.novel_words.iter().map(parts).collect(),
            report: FitReport {
                novel_words: self.novel_words.iter().map(Vec::len).sum(),
                method: Note::of(&self.report)?,
                ..FitReport::default()
            },
        };
        model.build()
    }
}

/// Numbers of the documents with words, in an order that hangs on what they are and not on where they stand.
pub fn canonical_order(corpus: &Corpus) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..corpus.n_documents()).filter(|&d| !corpus.document(d).words.is_empty()).collect();
    order.sort_by_key(|&d| (corpus.document(d).key, d)); // equal keys: equal documents
    order
}
