//! Other ways to find topics: what the paper compares with, and its natural competitors.
//!
//! Every method takes a corpus in memory and gives [`MethodOutput`]; [`MethodOutput::to_model`] makes of it the same
//! kind of model as the library's own fit. Like that fit, a method gives the same bits for any number of
//! threads and any order of the documents: sums over documents are exact or taken in
//! [`canonical_order`], and random numbers hang on the seed.

use vertopic::Error;
pub mod anchor;
mod any;
pub mod eca;
pub mod em;
pub mod gibbs;
pub mod nmf;
pub mod recover_lp;

pub use any::Method;

use vertopic::corpus::{Corpus, Vocabulary};
use vertopic::detect::NovelWord;
use vertopic::estimate::Topics;
use vertopic::model::{
    CorpusSummary, Diagnostics, FitReport, NovelWordInfo, Provenance, TopicInfo, TopicModel,
    effective_words,
};

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
        parameters: serde_json::Value,
    ) -> Result<TopicModel, Error> {
        self.model(corpus.vocabulary(), CorpusSummary::of(corpus), parameters)
    }

    /// The same for documents that are elsewhere.
    pub(crate) fn model(
        &self,
        vocabulary: &Vocabulary,
        corpus: CorpusSummary,
        parameters: serde_json::Value,
    ) -> Result<TopicModel, Error> {
        let (k, n, lists) = (self.topics.n_topics(), self.weights.len(), self.novel_words.len());
        if k != n || lists != n {
            let message = format!("{k} topics with {n} weights and {lists} lists of novel words");
            return Err(Error::BadModel(message));
        }
        let mut order: Vec<usize> = (0..self.weights.len()).collect();
        order.sort_by(|&a, &b| self.weights[b].total_cmp(&self.weights[a]).then(a.cmp(&b)));
        let total: f64 = self.weights.iter().sum();
        let name = |n: &NovelWord| NovelWordInfo {
            word: vocabulary.word(n.word).to_owned(),
            strength: n.strength,
        };
        let info = |&k: &usize| TopicInfo {
            novel_words: self.novel_words[k].iter().map(name).collect(),
            diagnostics: Diagnostics {
                novel_words: self.novel_words[k].len(),
                strength: None,
                separation: None,
                residual: None,
                stability: None,
                effective_words: effective_words(self.topics.topic(k)),
            },
            display_words: Vec::new(),
        };
        let rows = order.iter().flat_map(|&k| self.topics.topic(k).iter().copied()).collect();
        let provenance = Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            parameters,
            corpus,
            report: FitReport {
                n_candidates: None,
                novel_words: self.novel_words.iter().map(Vec::len).sum(),
                left_out: 0,
                unpaired: None,
                estimate: None,
                refine: None,
                method: self.report.clone(),
                prune: None,
            },
            preprocessing: serde_json::Value::Null,
        };
        TopicModel::new(
            vocabulary.clone(),
            Topics::new(vocabulary.len(), rows)?,
            order.iter().map(|&k| (self.weights[k] / total) as f32).collect(),
            order.iter().map(info).collect(),
            provenance,
        )
    }
}

/// Numbers of the documents with words, in an order that hangs on what they are and not on where they stand.
pub fn canonical_order(corpus: &Corpus) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..corpus.n_documents()).filter(|&d| !corpus.document(d).words.is_empty()).collect();
    order.sort_by_key(|&d| (corpus.document(d).key, d)); // equal keys: equal documents
    order
}
