//! Whether to trust a topic, in plain words.
//!
//! Thresholds come from sound models: DDP, RP, Gibbs sampling and NMF with 5 to 80 topics on collections of
//! news, weblog posts, papers and abstracts. Each lies beyond the values seen there, so a weak topic is an
//! outlier, not merely the weakest of a model.

use std::fmt;

use crate::error::Advice;
use crate::model::TopicModel;

/// Minimum number of novel words of a sound topic: several words confirm each other.
const MIN_NOVEL_WORDS: usize = 2;
/// A separation below this share of the median is low. It is a squared distance, so the topic is half
/// as far from its neighbour as topics are in the middle; the smallest share seen was .49.
const CLOSE: f64 = 0.25;
/// A residual above this is high. Words of real text have much noise of their own: the medians of models
/// were .5 to .75, and the highest of a topic .80.
const UNEXPLAINED: f64 = 0.85;
/// A topic with a stability below this is unstable: its best match in a half of the documents is hardly more
/// similar than two different topics of a model of 30 or 40 (medians of .28 to .34). With 5 to 20 topics of
/// news, weblog posts and papers, a list of first names was below and hardly any other topic; with 30 and 40
/// topics one in ten was.
const MIN_STABILITY: f64 = 0.4;
/// A topic with more than this share of the corpus' effective words is a background topic. The broadest of
/// five topics of the news had .74. With 20 topics or more all had less than .4, except for .52 where
/// published RP put nearly half of the corpus in one topic.
const BACKGROUND: f64 = 0.7;
/// With fewer topics than this every topic is broad.
const BACKGROUND_TOPICS: usize = 3;
/// A topic with less than this share of the median topic's effective words may come from a single document.
/// The smallest share seen was .17, of a footer that some posts repeat.
const FEW_WORDS: f64 = 0.1;
/// A topic below this share of an even weight, 1/K, is tiny. Sound topics had .3 and more. Three
/// topics of published RP were below .2, and their words had nothing in common.
const TINY: f64 = 0.2;

/// A reason not to trust a topic.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Weakness {
    /// One novel word or none, where other topics have more.
    FewNovelWords {
        /// How many.
        novel_words: usize,
    },
    /// Its point is near that of another topic.
    Close {
        /// Its separation.
        separation: f64,
        /// The median of the topics.
        median: f64,
    },
    /// The topics explain little of the co-occurrence of its words.
    Unexplained {
        /// Its residual.
        residual: f64,
    },
    /// A half of the documents does not have the topic.
    Unstable {
        /// Its stability.
        stability: f64,
    },
    /// It has nearly as many effective words as the whole corpus.
    Background {
        /// Its effective words.
        effective_words: f64,
        /// Those of the corpus.
        corpus: f64,
    },
    /// It has very few effective words.
    FewWords {
        /// Its effective words.
        effective_words: f64,
        /// The median of the topics.
        median: f64,
    },
    /// Its weight is tiny.
    Tiny {
        /// Its weight.
        weight: f64,
        /// An even weight, 1/K.
        even: f64,
    },
}

impl fmt::Display for Weakness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewNovelWords { novel_words: 0 } => write!(f, "no novel word"),
            Self::FewNovelWords { novel_words: 1 } => write!(f, "one novel word"),
            Self::FewNovelWords { novel_words } => write!(f, "{novel_words} novel words"),
            Self::Close { separation, median } => {
                write!(f, "close to another topic (separation {separation:.2}, median {median:.2})")
            }
            Self::Unexplained { residual } => {
                write!(
                    f,
                    "{:.0} % of the co-occurrence of its words is unexplained",
                    100.0 * residual
                )
            }
            Self::Unstable { stability } => {
                write!(f, "not found in half of the documents (stability {stability:.2})")
            }
            Self::Background { effective_words, corpus } => write!(
                f,
                "a background topic: {effective_words:.0} effective words, the whole corpus has {corpus:.0}"
            ),
            Self::FewWords { effective_words, median } => write!(
                f,
                "only {effective_words:.0} effective words, perhaps of one document (median {median:.0})"
            ),
            Self::Tiny { weight, even } => write!(
                f,
                "only {:.2} % of the corpus (an even share is {:.2} %)",
                100.0 * weight,
                100.0 * even
            ),
        }
    }
}

impl Weakness {
    /// What may help; the most likely first.
    pub fn advice(&self) -> Vec<Advice> {
        use Advice as A;
        match self {
            Self::FewNovelWords { .. } => {
                vec![A::MoreCandidates, A::MoreNovelWords, A::FewerTopics]
            }
            Self::Close { .. } => vec![A::MergeWithNearest, A::FewerTopics],
            Self::Unexplained { .. } => vec![A::MoreTopics, A::MoreDocuments],
            Self::Unstable { .. } => vec![A::FewerTopics, A::MoreDocuments, A::PinWords],
            Self::Background { .. } => vec![A::MoreTopics, A::DropFrequentWords, A::AddStopWords],
            Self::FewWords { .. } => vec![A::DropRareWords, A::CheckRepeats],
            Self::Tiny { .. } => vec![A::FewerTopics, A::DropRareWords],
        }
    }
}

/// Whether to trust a topic.
#[derive(Debug, Clone, PartialEq)]
pub enum Assessment {
    /// No weakness.
    Sound,
    /// Its weaknesses.
    Weak(Vec<Weakness>),
}

impl Assessment {
    /// The weaknesses of the topic.
    pub fn weaknesses(&self) -> &[Weakness] {
        match self {
            Self::Sound => &[],
            Self::Weak(weaknesses) => weaknesses,
        }
    }
}

/// `sound`, or `weak: one novel word; …`.
impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weaknesses: Vec<String> = self.weaknesses().iter().map(Weakness::to_string).collect();
        match self {
            Self::Sound => write!(f, "sound"),
            Self::Weak(_) => write!(f, "weak: {}", weaknesses.join("; ")),
        }
    }
}

impl TopicModel {
    /// Whether to trust each topic. What a method has no word for does not count against it.
    pub fn assessments(&self) -> Vec<Assessment> {
        let k = self.info.len();
        let diagnostics = || self.info.iter().map(|info| &info.diagnostics);
        // A method that gives each topic its one novel word does not look for witnesses.
        let witnesses = diagnostics().any(|c| c.novel_words >= MIN_NOVEL_WORDS);
        let separation = median(diagnostics().filter_map(|c| c.separation).collect());
        let words = median(diagnostics().map(|c| c.effective_words).collect()).unwrap_or(0.0);
        let corpus = super::effective_words(&self.word_shares());
        let even = 1.0 / k as f64;
        let assessment = |topic: usize| {
            let c = &self.info[topic].diagnostics;
            let weight = f64::from(self.weights[topic]);
            let close = c.separation.zip(separation).filter(|(s, median)| *s < CLOSE * median);
            let weaknesses: Vec<Weakness> = [
                (witnesses && c.novel_words < MIN_NOVEL_WORDS)
                    .then_some(Weakness::FewNovelWords { novel_words: c.novel_words }),
                close.map(|(separation, median)| Weakness::Close { separation, median }),
                c.residual
                    .filter(|&r| r > UNEXPLAINED)
                    .map(|residual| Weakness::Unexplained { residual }),
                c.stability
                    .filter(|&a| a < MIN_STABILITY)
                    .map(|stability| Weakness::Unstable { stability }),
                (k >= BACKGROUND_TOPICS && c.effective_words > BACKGROUND * corpus)
                    .then_some(Weakness::Background { effective_words: c.effective_words, corpus }),
                (c.effective_words < FEW_WORDS * words).then_some(Weakness::FewWords {
                    effective_words: c.effective_words,
                    median: words,
                }),
                (weight < TINY * even).then_some(Weakness::Tiny { weight, even }),
            ]
            .into_iter()
            .flatten()
            .collect();
            if weaknesses.is_empty() { Assessment::Sound } else { Assessment::Weak(weaknesses) }
        };
        (0..k).map(assessment).collect()
    }

    /// p(w) = Σ_k a_k p(w|k): the share of each word in the corpus, as the model has it.
    pub(super) fn word_shares(&self) -> Vec<f32> {
        let mut shares = vec![0.0; self.topics.n_words()];
        for (k, &weight) in self.weights.iter().enumerate() {
            for (share, &p) in shares.iter_mut().zip(self.topics.topic(k)) {
                *share += f64::from(weight) * f64::from(p);
            }
        }
        shares.into_iter().map(|p| p as f32).collect()
    }
}

/// The middle value, the upper one of two.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{novel, planted};

    /// Five sound topics of six words each, with every field of the diagnostics.
    fn sound() -> TopicModel {
        let row = |k: usize| -> Vec<f32> {
            (0..30).map(|w| if w / 6 == k { 1.0 / 6.0 } else { 0.0 }).collect()
        };
        let rows: Vec<Vec<f32>> = (0..5).map(row).collect();
        let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
        let mut model = planted(&[0.2; 5], &rows);
        for k in 0..5 {
            model = novel(model, k, &[("w00", 1.0), ("w01", 1.0)]);
            model.info[k].diagnostics.separation = Some(1.0 + k as f64 / 10.0);
            model.info[k].diagnostics.residual = Some(0.6);
            model.info[k].diagnostics.stability = Some(0.8);
        }
        model
    }

    /// The doubts of topic 1 after a change; the other topics must stay sound.
    fn weaknesses(change: impl FnOnce(&mut TopicModel)) -> Vec<Weakness> {
        let mut model = sound();
        change(&mut model);
        let assessments = model.assessments();
        for k in [0, 2, 3, 4] {
            assert_eq!(assessments[k], Assessment::Sound, "topic {k}");
        }
        assessments[1].weaknesses().to_vec()
    }

    #[test]
    fn a_model_without_fault_is_sound() {
        assert_eq!(sound().assessments(), vec![Assessment::Sound; 5]);
        assert_eq!(sound().assessments()[0].to_string(), "sound");
    }

    #[test]
    fn each_fault_is_named_and_only_in_its_topic() {
        let one = weaknesses(|m| m.info[1].diagnostics.novel_words = 1);
        assert_eq!(one, [Weakness::FewNovelWords { novel_words: 1 }]);
        assert_eq!(one[0].to_string(), "one novel word");
        let none = weaknesses(|m| m.info[1].diagnostics.novel_words = 0);
        assert_eq!(none[0].to_string(), "no novel word");
        let close = weaknesses(|m| m.info[1].diagnostics.separation = Some(0.2));
        assert_eq!(close, [Weakness::Close { separation: 0.2, median: 1.2 }]);
        let residual = weaknesses(|m| m.info[1].diagnostics.residual = Some(0.9));
        assert_eq!(residual, [Weakness::Unexplained { residual: 0.9 }]);
        assert_eq!(
            residual[0].to_string(),
            "90 % of the co-occurrence of its words is unexplained"
        );
        let once = weaknesses(|m| m.info[1].diagnostics.stability = Some(0.3));
        assert_eq!(once, [Weakness::Unstable { stability: 0.3 }]);
        let text = "not found in half of the documents (stability 0.30)";
        assert_eq!(once[0].to_string(), text);
        let few = weaknesses(|m| m.info[1].diagnostics.effective_words = 0.5);
        assert!(matches!(few[..], [Weakness::FewWords { .. }]), "{few:?}");
        let background = weaknesses(|m| m.info[1].diagnostics.effective_words = 25.0);
        assert!(
            matches!(background[..], [Weakness::Background { corpus, .. }] if (corpus - 30.0).abs() < 1e-3),
            "{background:?}"
        );
        let tiny = weaknesses(|m| m.weights = vec![0.24, 0.03, 0.24, 0.24, 0.25]);
        assert!(matches!(tiny[..], [Weakness::Tiny { .. }]), "{tiny:?}");
        assert_eq!(tiny[0].to_string(), "only 3.00 % of the corpus (an even share is 20.00 %)");
        for weakness in [one, close, residual, once, few, background, tiny].concat() {
            assert!(!weakness.advice().is_empty());
        }
    }

    #[test]
    fn on_the_safe_side_of_a_threshold_nothing_is_said() {
        assert!(weaknesses(|m| m.info[1].diagnostics.separation = Some(0.31)).is_empty());
        assert!(weaknesses(|m| m.info[1].diagnostics.residual = Some(0.84)).is_empty());
        assert!(weaknesses(|m| m.info[1].diagnostics.stability = Some(0.41)).is_empty());
        assert!(weaknesses(|m| m.info[1].diagnostics.effective_words = 20.0).is_empty());
        assert!(weaknesses(|m| m.info[1].diagnostics.effective_words = 0.7).is_empty());
        assert!(weaknesses(|m| m.weights = vec![0.235, 0.05, 0.235, 0.24, 0.24]).is_empty());
    }

    #[test]
    fn what_a_method_does_not_know_is_no_fault() {
        let mut model = sound();
        for info in &mut model.info {
            info.diagnostics.novel_words = 1; // one each: the method looks for no more
            info.diagnostics.separation = None;
            info.diagnostics.residual = None;
            info.diagnostics.stability = None;
        }
        assert_eq!(model.assessments(), vec![Assessment::Sound; 5]);
    }

    #[test]
    fn several_doubts_are_one_line() {
        let mut model = sound();
        model.info[1].diagnostics.novel_words = 0;
        model.info[1].diagnostics.separation = Some(0.0);
        let line = model.assessments()[1].to_string();
        assert_eq!(
            line,
            "weak: no novel word; close to another topic (separation 0.00, median 1.20)"
        );
    }
}
