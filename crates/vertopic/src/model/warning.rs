//! Warnings about a model as a whole.

use std::fmt;

use crate::error::Advice;
use crate::evaluate::dot;
use crate::model::TopicModel;
use crate::model::assessment::median;

/// Two topics are near-duplicates above this Bhattacharyya coefficient, Σ_w √(p(w|j) p(w|k)), which is 1
/// minus the squared Hellinger distance. Different topics of real text reached .60 at most, in models of
/// 5 to 80 topics by five methods; a footer of weblog posts that Gibbs sampling had split in two gave .67,
/// and topics that two chains both found .6 to .85.
const DUPLICATE: f64 = 0.65;

/// A stop word is among this number of most probable words …
const FREQUENT: usize = 50;
/// … or among 1/this of a small vocabulary …
const FREQUENT_SHARE: usize = 10;
/// … in at least 1/this of the topics, and in as many topics is neither twice nor half as probable as in
/// the corpus. On abstracts without a stop list this found `which by from are an as can it`, with one
/// `results work show based approach`; nothing on papers and posts whose makers had removed such words.
const MOST_TOPICS: usize = 2;
/// With fewer topics than this, in all of them.
const LEAST_TOPICS: usize = 3;

/// Above this median residual the topics do not explain the corpus. Models of real text had .5 to .75.
const UNEXPLAINED: f64 = 0.8;
/// Minimum number of novel words per topic. The library's own methods usually find five to twelve.
const NOVEL_WORDS: usize = 2;

/// How many pairs or words a sentence names.
const NAMED: usize = 8;

/// A warning about a model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Pairs of topics that are nearly the same.
    NearDuplicates {
        /// Two topics and their similarity in [0, 1]; the most similar first.
        pairs: Vec<(usize, usize, f64)>,
    },
    /// Frequent words that distinguish no topic.
    StopWords {
        /// The most frequent first.
        words: Vec<String>,
    },
    /// The topics do not explain most of the corpus.
    Unexplained {
        /// The median of the topics' residuals.
        residual: f64,
    },
    /// Few words belong to one topic alone.
    FewNovelWords {
        /// Novel words found.
        novel_words: usize,
        /// Topics.
        topics: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NearDuplicates { pairs } => {
                let pair = |&(a, b, s): &(usize, usize, f64)| format!("{a} and {b} ({s:.2})");
                let named = pairs.iter().take(NAMED).map(pair).collect::<Vec<_>>().join(", ");
                write!(f, "topics that are nearly the same: {named}{}", more(pairs.len()))
            }
            Self::StopWords { words } => {
                let named = words.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
                let more = more(words.len());
                write!(f, "frequent words that distinguish no topic: {named}{more}")
            }
            Self::Unexplained { residual } => write!(
                f,
                "the topics do not explain {:.0} % of the co-occurrence of words: the corpus may not be separable",
                100.0 * residual
            ),
            Self::FewNovelWords { novel_words, topics } => write!(
                f,
                "only {novel_words} novel words for {topics} topics: few words belong to one topic alone"
            ),
        }
    }
}

fn more(n: usize) -> String {
    if n > NAMED { format!(" and {} more", n - NAMED) } else { String::new() }
}

impl Warning {
    /// What may help; the most likely first.
    pub fn advice(&self) -> Vec<Advice> {
        use Advice as A;
        match self {
            Self::NearDuplicates { pairs } => {
                let (a, b) = pairs.first().map_or((0, 1), |&(a, b, _)| (a, b));
                vec![A::MergeTopics(a, b), A::FewerTopics]
            }
            Self::StopWords { .. } => vec![A::AddStopWords, A::DropFrequentWords],
            Self::Unexplained { .. } => {
                vec![A::MoreTopics, A::MoreDocuments, A::DropRareWords, A::OtherMethod]
            }
            Self::FewNovelWords { .. } => {
                vec![A::FewerTopics, A::MoreCandidates, A::MoreNovelWords, A::OtherMethod]
            }
        }
    }
}

impl TopicModel {
    /// Warnings about the model as a whole. [`assessments`](Self::assessments) has the weak topics.
    pub fn warnings(&self) -> Vec<Warning> {
        let pairs = self.near_duplicates();
        let words = self.stop_words();
        let residuals = self.info.iter().filter_map(|info| info.diagnostics.residual).collect();
        let residual = median(residuals).filter(|&r| r > UNEXPLAINED);
        // Only the library's own methods count candidates; others give a topic one novel word or none.
        let report = &self.provenance.report;
        let (novel_words, topics) = (report.novel_words, self.info.len());
        let few = report.n_candidates.is_some() && novel_words < NOVEL_WORDS * topics;
        [
            (!pairs.is_empty()).then_some(Warning::NearDuplicates { pairs }),
            (!words.is_empty()).then_some(Warning::StopWords { words }),
            residual.map(|residual| Warning::Unexplained { residual }),
            few.then_some(Warning::FewNovelWords { novel_words, topics }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Pairs of topics that are nearly the same, the most similar first.
    fn near_duplicates(&self) -> Vec<(usize, usize, f64)> {
        let n_words = self.topics.n_words();
        let roots: Vec<f32> = self.unmixed().iter().map(|p| p.sqrt()).collect();
        let row = |k: usize| &roots[k * n_words..(k + 1) * n_words];
        let mut pairs = Vec::new();
        for a in 0..self.topics.n_topics() {
            for b in a + 1..self.topics.n_topics() {
                let similarity = dot(row(a), row(b)).min(1.0);
                if similarity > DUPLICATE {
                    pairs.push((a, b, similarity));
                }
            }
        }
        pairs.sort_by(|x, y| y.2.total_cmp(&x.2)); // stable: the order of the topics among equals
        pairs
    }

    /// The topics without the share of the mean topic that refinement added, which makes all similar.
    fn unmixed(&self) -> Vec<f32> {
        let background_weight =
            self.provenance.report.refine.as_ref().map_or(0.0, |p| p.background_weight as f32);
        let (n_words, total) = (self.topics.n_words(), self.weights().iter().sum::<f32>());
        let mut mean = vec![0.0_f32; n_words];
        for (k, weight) in self.weights().iter().enumerate() {
            let topic = self.topics.topic(k).iter();
            mean.iter_mut().zip(topic).for_each(|(m, p)| *m += weight / total * p);
        }
        let topics = self.topics.values().chunks(n_words.max(1));
        let unmix = |(p, m): (&f32, &f32)| {
            ((p - background_weight * m) / (1.0 - background_weight)).max(0.0)
        };
        topics.flat_map(|topic| topic.iter().zip(&mean).map(unmix)).collect()
    }

    /// Frequent words whose posterior over the topics is about the topics' weights.
    fn stop_words(&self) -> Vec<String> {
        let (k, n_words) = (self.topics.n_topics(), self.topics.n_words());
        let shares = self.word_shares();
        let needed = k.div_ceil(MOST_TOPICS).max(LEAST_TOPICS.min(k));
        let mut frequent = vec![0_usize; n_words];
        for topic in 0..k {
            let top = self.topics.top_words(topic, FREQUENT.min(n_words / FREQUENT_SHARE));
            top.into_iter().for_each(|(w, _)| frequent[w as usize] += 1);
        }
        let even = |w: usize| {
            let lifts = (0..k).map(|topic| self.topics.topic(topic)[w] / shares[w]);
            lifts.filter(|lift| (0.5..=2.0).contains(lift)).count() >= needed
        };
        let mut words: Vec<usize> =
            (0..n_words).filter(|&w| k > 1 && frequent[w] >= needed && even(w)).collect();
        words.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]).then(a.cmp(&b)));
        words.into_iter().map(|w| self.vocabulary.word(w as u32).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::planted;
    use crate::refine::RefineReport;

    /// Four topics over 80 words: `shared` of each is spread over the first four words, the rest over 19
    /// words of its own.
    fn model(shared: f32) -> TopicModel {
        let row = |k: usize| -> Vec<f32> {
            let own = |w: usize| w >= 4 && (w - 4) / 19 == k;
            let p = |w: usize| match w {
                0..4 => shared / 4.0,
                w if own(w) => (1.0 - shared) / 19.0,
                _ => 0.0,
            };
            (0..80).map(p).collect()
        };
        let rows: Vec<Vec<f32>> = (0..4).map(row).collect();
        planted(&[0.25; 4], &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn topics_apart_raise_no_warning() {
        assert_eq!(model(0.0).warnings(), []);
    }

    #[test]
    fn words_of_every_topic_are_named() {
        let found = model(0.4).warnings();
        let words: Vec<String> = ["w00", "w01", "w02", "w03"].map(str::to_owned).to_vec();
        assert_eq!(found, [Warning::StopWords { words }]);
        let text = found[0].to_string();
        assert_eq!(text, "frequent words that distinguish no topic: w00, w01, w02, w03");
        assert!(found[0].advice().contains(&Advice::AddStopWords));
        // The same words, but each topic prefers one of them: then they tell something.
        let mut rows: Vec<Vec<f32>> = Vec::new();
        for k in 0..4 {
            let mut row = model(0.4).topics().topic(k).to_vec();
            (0..4).for_each(|w| row[w] = if w == k { 0.31 } else { 0.03 });
            rows.push(row);
        }
        let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(planted(&[0.25; 4], &rows).warnings(), []);
    }

    #[test]
    fn near_duplicates_are_pairs_with_their_similarity() {
        // Half of each topic is shared with the other: Σ √(p q) = .5; with .7 of it shared: .7.
        let pair = |shared: f32| {
            let own = (1.0 - shared) / 10.0;
            let row = |first: bool| -> Vec<f32> {
                (0..30)
                    .map(|w| match w {
                        0..10 => shared / 10.0,
                        10..20 if first => own,
                        20..30 if !first => own,
                        _ => 0.0,
                    })
                    .collect()
            };
            planted(&[0.6, 0.4], &[&row(true), &row(false)]).near_duplicates()
        };
        assert!(pair(0.5).is_empty());
        let found = pair(0.7);
        assert!(matches!(found[..], [(0, 1, s)] if (s - 0.7).abs() < 1e-6), "{found:?}");
        let same =
            planted(&[0.5, 0.3, 0.2], &[&[0.5, 0.5, 0.0], &[0.0, 0.0, 1.0], &[0.5, 0.5, 0.0]]);
        let warnings = same.warnings();
        assert_eq!(warnings[0].to_string(), "topics that are nearly the same: 0 and 2 (1.00)");
        assert!(warnings[0].advice().contains(&Advice::MergeTopics(0, 2)));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let merged = same.merge_topics(&[vec![0, 2]]).expect("sound");
        assert_eq!(merged.warnings(), [], "the hint helps");
    }

    #[test]
    fn the_background_of_refined_topics_makes_no_duplicates() {
        // Two topics apart, each mixed with 60 % of the mean of both.
        let rows = [&[0.7, 0.3][..], &[0.3, 0.7]];
        let mut model = planted(&[0.5, 0.5], &rows);
        assert_eq!(model.near_duplicates().len(), 1);
        let report = RefineReport { background_weight: 0.6, ..RefineReport::default() };
        model.provenance.report.refine = Some(report);
        assert_eq!(model.near_duplicates(), []);
    }

    #[test]
    fn a_corpus_that_is_not_separable_is_warned_of() {
        let mut model = model(0.0);
        for (k, residual) in [0.5, 0.82, 0.84, 0.9].into_iter().enumerate() {
            model.info[k].diagnostics.residual = Some(residual);
        }
        assert_eq!(model.warnings(), [Warning::Unexplained { residual: 0.84 }]);
        model.info[2].diagnostics.residual = Some(0.7);
        model.info[1].diagnostics.residual = Some(0.6);
        assert_eq!(model.warnings(), []);
        model.provenance.report.novel_words = 7;
        assert_eq!(model.warnings(), [], "another method");
        model.provenance.report.n_candidates = Some(80);
        let few = Warning::FewNovelWords { novel_words: 7, topics: 4 };
        assert_eq!(model.warnings(), [few]);
        model.provenance.report.novel_words = 8;
        assert_eq!(model.warnings(), []);
    }

    #[test]
    fn long_lists_are_cut() {
        let words: Vec<String> = (0..10).map(|i| format!("w{i}")).collect();
        assert!(Warning::StopWords { words }.to_string().ends_with("w6, w7 and 2 more"));
    }
}
