//! Other ways to find topics: what the paper compares with, and its natural competitors.
//!
//! Every method takes a corpus in memory and gives [`Found`]; [`Found::into_model`] makes of it the same
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

use vertopic::corpus::Corpus;
use vertopic::detect::NovelWord;
use vertopic::estimate::Topics;
use vertopic::model::{
    Certificate, CorpusSummary, FitReport, NovelWordInfo, Provenance, TopicInfo, TopicModel,
    effective_words,
};

/// What a method found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The topics, in any order.
    pub topics: Topics,
    /// Mean share of each topic in the documents; they sum to 1.
    pub weights: Vec<f64>,
    /// The novel words of each topic, if the method has such a thing: as many lists as topics.
    pub novel_words: Vec<Vec<NovelWord>>,
    /// How it went: sweeps, objective, what did not converge.
    pub report: serde_json::Value,
}

impl Found {
    /// The model, heaviest topic first. `parameters` is what the method was told.
    pub fn into_model(
        self,
        corpus: &Corpus,
        parameters: serde_json::Value,
    ) -> Result<TopicModel, Error> {
        let vocabulary = corpus.vocabulary();
        let mut order: Vec<usize> = (0..self.weights.len()).collect();
        order.sort_by(|&a, &b| self.weights[b].total_cmp(&self.weights[a]).then(a.cmp(&b)));
        let total: f64 = self.weights.iter().sum();
        let name = |n: &NovelWord| NovelWordInfo {
            word: vocabulary.word(n.word).to_owned(),
            strength: n.strength,
        };
        let info = |&k: &usize| TopicInfo {
            novel_words: self.novel_words[k].iter().map(name).collect(),
            certificate: Certificate {
                novel_words: self.novel_words[k].len(),
                strength: None,
                separation: None,
                residual: None,
                effective_words: effective_words(self.topics.topic(k)),
            },
        };
        let rows = order.iter().flat_map(|&k| self.topics.topic(k).iter().copied()).collect();
        let provenance = Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            parameters,
            corpus: CorpusSummary {
                documents: corpus.n_documents(),
                empty: corpus.n_empty(),
                words: corpus.n_words(),
                tokens: corpus.n_tokens(),
            },
            report: FitReport {
                allowed: None,
                novel_words: self.novel_words.iter().map(Vec::len).sum(),
                unpaired: None,
                estimate: None,
                method: self.report,
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
