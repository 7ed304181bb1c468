//! A corpus with what it was drawn from, and the truth as a model file can hold it.

use serde_json::Value;
use vertopic::Error;
use vertopic::corpus::{Corpus, Vocabulary};
use vertopic::detect::NovelWord;
use vertopic::estimate::Topics;
use vertopic::model::{CorpusSummary, TopicModel};

use crate::method::MethodOutput;

/// A corpus and its truth.
#[derive(Debug, Clone)]
pub struct Planted {
    /// The documents.
    pub corpus: Corpus,
    /// The topics that they were drawn from, over the words of the corpus.
    pub topics: Topics,
    /// The novel words of each topic, by id.
    pub novel_words: Vec<Vec<u32>>,
    /// Mean share of each topic in the mixtures of the documents; they sum to 1.
    pub weights: Vec<f64>,
}

impl Planted {
    /// The truth without the documents.
    pub fn truth(&self) -> Truth<'_> {
        Truth {
            vocabulary: self.corpus.vocabulary(),
            topics: &self.topics,
            novel_words: &self.novel_words,
            weights: &self.weights,
            corpus: CorpusSummary::of(&self.corpus),
        }
    }
}

/// What documents were drawn from, wherever they are.
#[derive(Debug, Clone)]
pub struct Truth<'a> {
    /// The words.
    pub vocabulary: &'a Vocabulary,
    /// The topics over these words.
    pub topics: &'a Topics,
    /// The novel words of each topic, by id.
    pub novel_words: &'a [Vec<u32>],
    /// Mean share of each topic in the mixtures of the documents.
    pub weights: &'a [f64],
    /// The documents in numbers.
    pub corpus: CorpusSummary,
}

impl Truth<'_> {
    /// The truth as a model, heaviest topic first, novel words by their frequency in the topic.
    /// `parameters` says how the corpus was made.
    ///
    /// ```
    /// use vertopic_lab::synth::separable::Separable;
    /// let planted = Separable { documents: 20, ..Separable::default() }.generate(1)?;
    /// let model = planted.truth().model(&serde_json::Value::Null)?;
    /// assert_eq!(model.info()[0].novel_words.len(), 20);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn model(&self, parameters: &Value) -> Result<TopicModel, Error> {
        let sorted = |(topic, words): (&[f32], &Vec<u32>)| {
            let mut words = words.clone();
            words.sort_by(|&a, &b| topic[b as usize].total_cmp(&topic[a as usize]).then(a.cmp(&b)));
            // Strength 1: it is known to be novel.
            words.into_iter().map(|word| NovelWord { word, strength: 1.0 }).collect()
        };
        let topics = self.topics.values().chunks(self.topics.n_words().max(1));
        let known = MethodOutput {
            topics: self.topics.clone(),
            weights: self.weights.to_vec(),
            novel_words: topics.zip(self.novel_words).map(sorted).collect(),
            report: Value::from("the truth"),
        };
        known.model(self.vocabulary, self.corpus.clone(), parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::dense;

    fn planted() -> Planted {
        Planted {
            corpus: dense(&[[2, 1, 0], [0, 0, 0]]),
            topics: Topics::new(3, vec![0.25, 0.0, 0.75, 0.0, 0.5, 0.5]).expect("rows"),
            novel_words: vec![vec![0], vec![1]],
            weights: vec![0.25, 0.75],
        }
    }

    #[test]
    fn the_heaviest_topic_comes_first_with_all_that_is_its_own() {
        let model = planted().truth().model(&Value::from("how")).expect("a model");
        assert_eq!(model.weights(), [0.75, 0.25]);
        assert_eq!(model.topics().values(), [0.0, 0.5, 0.5, 0.25, 0.0, 0.75]);
        let names: Vec<&str> =
            model.info().iter().map(|i| i.novel_words[0].word.as_str()).collect();
        assert_eq!(names, ["w001", "w000"]);
        let provenance = model.provenance();
        assert_eq!(provenance.parameters.as_str(), Some("how"));
        let corpus = CorpusSummary { documents: 2, empty: 1, words: 3, tokens: 3 };
        assert_eq!((&provenance.corpus, provenance.report.novel_words), (&corpus, 2));
    }

    #[test]
    fn novel_words_are_named_by_frequency() {
        let mut planted = planted();
        planted.novel_words = vec![vec![0, 2], vec![]];
        let model = planted.truth().model(&Value::Null).expect("a model");
        let words: Vec<&str> =
            model.info()[1].novel_words.iter().map(|n| n.word.as_str()).collect();
        assert_eq!(words, ["w002", "w000"]);
        assert_eq!(model.info()[0].diagnostics.novel_words, 0);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let mut planted = planted();
        planted.novel_words.pop();
        let error = planted.truth().model(&Value::Null).expect_err("a list is missing");
        assert!(
            error.to_string().contains("2 topics with 2 weights and 1 descriptions"),
            "{error}"
        );
    }
}
