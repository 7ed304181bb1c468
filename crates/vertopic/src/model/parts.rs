//! A model from what a method found, whatever the method.

use rayon::prelude::*;

use crate::corpus::Vocabulary;
use crate::detect::NovelWord;
use crate::error::Error;
use crate::estimate::Topics;
use crate::model::{
    CorpusSummary, Diagnostics, FitReport, NovelWordInfo, Provenance, TopicInfo, TopicModel,
    effective_words,
};
use crate::note::Note;

/// What a method knows of a topic, besides its probabilities and its weight.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopicParts {
    /// Its novel words, if the method has such a thing.
    pub novel_words: Vec<NovelWord>,
    /// How clearly its novel words are extreme.
    pub strength: Option<f64>,
    /// Distance from the nearest other topic.
    pub separation: Option<f64>,
    /// Share of the co-occurrence of its words that is unexplained.
    pub residual: Option<f64>,
    /// Half-sample stability.
    pub stability: Option<f64>,
    /// The words that people see, if they are chosen already.
    pub display_words: Vec<u32>,
}

/// What a method found, in any order of the topics.
#[derive(Debug, Clone)]
pub struct ModelParts<'a> {
    /// The words, in order of their columns.
    pub vocabulary: &'a Vocabulary,
    /// What is kept of the documents.
    pub corpus: CorpusSummary,
    /// The parameters of the method.
    pub parameters: Note,
    /// The topics.
    pub topics: &'a Topics,
    /// Share of each topic in the corpus; they sum to 1.
    pub weights: &'a [f64],
    /// What is known of each topic.
    pub parts: Vec<TopicParts>,
    /// How the fit went.
    pub report: FitReport,
}

impl ModelParts<'_> {
    /// The model, heaviest topic first; of equal topics the first.
    pub fn build(self) -> Result<TopicModel, Error> {
        let Self { vocabulary, corpus, parameters, topics, weights, parts, report } = self;
        let k = topics.n_topics();
        if weights.len() != k || parts.len() != k {
            let (weights, parts) = (weights.len(), parts.len());
            let message = format!("{k} topics with {weights} weights and {parts} descriptions");
            return Err(Error::BadModel(message));
        }
        let mut order: Vec<usize> = (0..k).collect();
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        let info = |&k: &usize| info(vocabulary, topics.topic(k), &parts[k]);
        let rows = order.iter().map(|&k| topics.topic(k)).collect::<Vec<_>>().concat();
        TopicModel::new(
            vocabulary.clone(),
            Topics::new(vocabulary.len(), rows)?,
            order.iter().map(|&k| weights[k] as f32).collect(),
            order.par_iter().map(info).collect(),
            Provenance { parameters, report, ..Provenance::of(corpus) },
        )
    }
}

fn info(vocabulary: &Vocabulary, topic: &[f32], parts: &TopicParts) -> TopicInfo {
    let name = |word: u32| vocabulary.word(word).to_owned();
    let novel = |n: &NovelWord| NovelWordInfo { word: name(n.word), strength: n.strength };
    TopicInfo {
        novel_words: parts.novel_words.iter().map(novel).collect(),
        diagnostics: Diagnostics {
            novel_words: parts.novel_words.len(),
            strength: parts.strength,
            separation: parts.separation,
            residual: parts.residual,
            stability: parts.stability,
            effective_words: effective_words(topic),
        },
        display_words: parts.display_words.iter().copied().map(name).collect(),
    }
}
