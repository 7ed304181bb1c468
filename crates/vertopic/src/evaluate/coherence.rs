//! Coherence: do the words of a topic occur together?
//!
//! Five measures that people report, each a [`Measure`]. Four are those of gensim's `CoherenceModel`
//! (read in version 4.4.0), which follow "Exploring the Space of Topic Coherence Measures" (Röder, Both &
//! Hinneburg 2015). With ε = 10⁻¹², `p` the share of windows or documents, `w_1 … w_n` the words of a topic, best
//! first, and PMI(i, j) = log((p_ij + ε) / (p_i p_j)), NPMI(i, j) = PMI(i, j) / −log(p_ij + ε):
//!
//! | measure | counted in | of a topic |
//! |---|---|---|
//! | `c_npmi` | windows of 10 | mean of NPMI(i, j), i ≠ j |
//! | `c_v` | windows of 110 | mean over i of the cosine of `v_i` and `Σ_i v_i`, with `v_i = (NPMI(i, 1), …, NPMI(i, n))` |
//! | `c_uci` | windows of 10 | mean of PMI(i, j), i ≠ j |
//! | `u_mass` | documents | mean of log((p_ij + ε) / p_j), j before i |
//! | `npmi` | documents | mean of NPMI(i, j) with ε = 0; a pair that never occurs together counts −1 |
//!
//! A word that does not occur in the texts has no PMI. gensim drops such a word from its topic if its dictionary was made of
//! the texts (with another dictionary it returns inf or nan), and so do we. A topic with fewer than two remaining words has
//! no coherence. `npmi` drops nothing: a pair with such a word never occurs together.
//!
//! `u_mass` has dialects: that of Mimno et al. 2011, for one, is a sum over pairs with 1 added to counts.

use serde::{Deserialize, Serialize};

use crate::evaluate::WordCooccurrence;

/// Keeps the logarithm of a pair that never occurs together finite, as in gensim.
pub const EPSILON: f64 = 1e-12;

/// A measure of coherence. More is better for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Measure {
    /// Normalised pointwise mutual information in windows, as gensim has it.
    CNpmi,
    /// Cosines of vectors of such information, as gensim has it.
    CV,
    /// Pointwise mutual information in windows, as gensim has it.
    CUci,
    /// Conditional probability in documents, as gensim has it.
    UMass,
    /// Normalised pointwise mutual information in documents.
    Npmi,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 5] = [Self::CNpmi, Self::CV, Self::CUci, Self::UMass, Self::Npmi];

    /// Its name in the literature.
    pub fn name(self) -> &'static str {
        match self {
            Self::CNpmi => "c_npmi",
            Self::CV => "c_v",
            Self::CUci => "c_uci",
            Self::UMass => "u_mass",
            Self::Npmi => "npmi",
        }
    }

    /// Tokens of the windows in which it counts, by convention; `None` if it counts documents.
    pub fn window(self) -> Option<usize> {
        match self {
            Self::CNpmi | Self::CUci => Some(10),
            Self::CV => Some(110),
            Self::UMass | Self::Npmi => None,
        }
    }

    /// The coherence of each topic whose words were counted; `None` where there is none.
    ///
    /// ```
    /// use vertopic::corpus::Texts;
    /// use vertopic::evaluate::{Measure, WordCooccurrence};
    /// use vertopic::context::Context;
    /// let mut texts = Texts::default();
    /// texts.push([0, 1]);
    /// texts.push([2]);
    /// let counts = WordCooccurrence::in_windows(&texts, &[vec![0, 1], vec![0, 2]], 10, &Context::silent()?);
    /// let found = Measure::CNpmi.topics(&counts);
    /// assert!(found[0].is_some_and(|c| (c - 1.0).abs() < 1e-9)); // always together
    /// assert!(found[1].is_some_and(|c| c < -0.9)); // never
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn topics(self, counts: &WordCooccurrence) -> Vec<Option<f64>> {
        (0..counts.n_topics()).map(|t| self.topic(&Shares { counts, topic: t })).collect()
    }

    fn topic(self, shares: &Shares<'_>) -> Option<f64> {
        let n = shares.counts.n_words(shares.topic);
        let all = || (0..n).collect::<Vec<_>>();
        let seen = || (0..n).filter(|&i| shares.alone(i) > 0.0).collect::<Vec<_>>();
        match self {
            Self::CNpmi => mean_of_pairs(&seen(), |i, j| shares.npmi(i, j)),
            Self::CUci => mean_of_pairs(&seen(), |i, j| shares.pmi(i, j)),
            Self::UMass => mean_of_pairs(&seen(), |i, j| shares.given(i, j)),
            Self::Npmi => mean_of_pairs(&all(), |i, j| shares.plain_npmi(i, j)),
            Self::CV => shares.indirect(&seen()),
        }
    }
}

/// The mean of the values that are present; `None` without any.
pub fn mean(values: &[Option<f64>]) -> Option<f64> {
    let n = values.iter().flatten().count();
    (n > 0).then(|| values.iter().flatten().sum::<f64>() / n as f64)
}

/// The mean of `of(later, earlier)` over all pairs of `words`.
fn mean_of_pairs(words: &[usize], of: impl Fn(usize, usize) -> f64) -> Option<f64> {
    let n = words.len();
    let pairs = (1..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let sum: f64 = pairs.map(|(i, j)| of(words[i], words[j])).sum();
    (n > 1).then(|| sum / (n * (n - 1) / 2) as f64)
}

/// The words of one topic by their shares of windows or documents.
struct Shares<'a> {
    counts: &'a WordCooccurrence,
    topic: usize,
}

impl Shares<'_> {
    fn alone(&self, i: usize) -> f64 {
        self.counts.alone(self.topic, i) as f64 / self.counts.units() as f64
    }

    fn pair(&self, i: usize, j: usize) -> f64 {
        self.counts.pair(self.topic, i, j) as f64 / self.counts.units() as f64
    }

    fn pmi(&self, i: usize, j: usize) -> f64 {
        libm::log((self.pair(i, j) + EPSILON) / (self.alone(i) * self.alone(j)))
    }

    fn npmi(&self, i: usize, j: usize) -> f64 {
        self.pmi(i, j) / -libm::log(self.pair(i, j) + EPSILON)
    }

    /// Without ε: from −1, never together, to 1, never apart (Bouma 2009).
    fn plain_npmi(&self, i: usize, j: usize) -> f64 {
        match self.counts.pair(self.topic, i, j) {
            0 => -1.0,
            n if n == self.counts.units() => 1.0,
            _ => {
                let p = self.pair(i, j);
                libm::log(p / (self.alone(i) * self.alone(j))) / -libm::log(p)
            }
        }
    }

    /// Log of the probability of word `i` given word `j`.
    fn given(&self, i: usize, j: usize) -> f64 {
        libm::log((self.pair(i, j) + EPSILON) / self.alone(j))
    }

    /// The mean cosine of each word's vector with the sum of all.
    fn indirect(&self, words: &[usize]) -> Option<f64> {
        let n = words.len();
        let vectors: Vec<f64> =
            (0..n * n).map(|at| self.npmi(words[at / n], words[at % n])).collect();
        let sum: Vec<f64> = (0..n).map(|j| vectors.iter().skip(j).step_by(n).sum()).collect();
        let cosines = vectors.chunks(n.max(1)).map(|v| cosine(v, &sum)).sum::<f64>();
        let mean = cosines / n as f64;
        (n > 1 && mean.is_finite()).then_some(mean)
    }
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::corpus::{CorpusBuilder, DocumentInfo, Texts, UNKNOWN};

    const TEXTS: [&str; 7] = [
        "sea ship wave storm ship harbour sea anchor sail wind wave sea ship sail rope deck captain",
        "bread oven flour salt water oven bread yeast dough",
        "sea salt water wind",
        "",
        "harbour bread ship flour sea oven captain cook salt dough bread yeast water sail oven knife",
        "wave wind storm wind wave storm sea",
        "oven flour bread oven oven yeast salt wave dough water flour bread cook knife table ship sea sail",
    ];
    const TOPICS: [&str; 4] = [
        "sea ship wave sail",
        "bread oven flour yeast",
        "sea oven captain table",
        "storm yeast wind",
    ];

    /// Words of topics by number; the last is in no text.
    const WORDS: [&str; 13] = [
        "sea", "ship", "wave", "sail", "bread", "oven", "flour", "yeast", "captain", "table",
        "storm", "wind", "whale",
    ];

    fn ids(text: &str) -> Vec<u32> {
        let id = |w: &str| WORDS.iter().position(|v| *v == w).map_or(UNKNOWN, |i| i as u32);
        text.split_whitespace().map(id).collect()
    }

    /// Counts of the topics in windows, or in documents.
    fn counts(topics: &[Vec<u32>], window: Option<usize>) -> WordCooccurrence {
        let ctx = Context::silent().expect("threads");
        let mut texts = Texts::default();
        let mut corpus = CorpusBuilder::with_words(WORDS.map(String::from).to_vec());
        for text in TEXTS {
            texts.push(ids(text));
            let known = ids(text).into_iter().filter(|&w| w != UNKNOWN);
            let mut pairs: Vec<(u32, u32)> = known.map(|w| (w, 1)).collect();
            corpus.push(&mut pairs, DocumentInfo::default()).expect("good");
        }
        let corpus = corpus.finish().expect("good");
        // The corpus has its words in byte order.
        let renamed = |&w: &u32| corpus.vocabulary().id(WORDS[w as usize]).expect("there");
        let there: Vec<Vec<u32>> = topics.iter().map(|t| t.iter().map(renamed).collect()).collect();
        match window {
            Some(size) => WordCooccurrence::in_windows(&texts, topics, size, &ctx),
            None => WordCooccurrence::in_documents(&corpus, &there, &ctx).expect("counts"),
        }
    }

    fn near(found: &[Option<f64>], golden: &[f64]) {
        assert_eq!(found.len(), golden.len());
        for (a, b) in found.iter().zip(golden) {
            assert!(a.is_some_and(|a| (a - b).abs() < 1e-9), "{found:?} {golden:?}");
        }
    }

    /// `CoherenceModel(topics=TOPICS, texts=TEXTS split at spaces, dictionary=Dictionary(texts),
    /// coherence=…, topn=4, processes=1).get_coherence_per_topic()` of gensim 4.4.0, and for the last row
    /// also `window_size=6`.
    const GENSIM: [(Measure, Option<usize>, [f64; 4]); 5] = [
        (
            Measure::CNpmi,
            Some(10),
            [
                0.010_592_149_412_582_352,
                0.455_719_543_730_500_1,
                -0.164_860_555_675_426_6,
                -0.413_801_247_917_031_9,
            ],
        ),
        (
            Measure::CUci,
            Some(10),
            [
                -0.051_432_785_537_991_54,
                0.777_026_186_232_705_9,
                -7.943_384_435_419_119,
                -16.595_147_026_324_554,
            ],
        ),
        (
            Measure::CV,
            Some(110),
            [0.904_411_827_614_192_3, 1.0, 0.472_102_080_005_111_7, 0.325_881_909_142_502_3],
        ),
        (
            Measure::UMass,
            None,
            [
                -0.390_567_847_916_327_9,
                2.333_244_708_549_507e-12,
                -5.336_250_350_153_968,
                -17.720_660_467_657_01,
            ],
        ),
        (
            Measure::CV,
            Some(6),
            [
                0.601_905_168_812_137_6,
                0.736_665_006_748_790_7,
                0.404_763_384_784_798_34,
                0.272_527_800_904_731_1,
            ],
        ),
    ];

    #[test]
    fn the_measures_are_those_of_gensim() {
        let topics: Vec<Vec<u32>> = TOPICS.iter().map(|t| ids(t)).collect();
        for (measure, window, golden) in GENSIM {
            near(&measure.topics(&counts(&topics, window)), &golden);
        }
        for measure in Measure::ALL {
            let named = GENSIM.iter().find(|(m, ..)| *m == measure);
            assert!(named.is_none_or(|&(_, window, _)| window == measure.window()));
        }
    }

    #[test]
    fn a_word_in_no_text_is_left_out_of_its_topic() {
        let whole: Vec<Vec<u32>> = TOPICS.iter().map(|t| ids(t)).collect();
        let with_whale: Vec<Vec<u32>> = TOPICS
            .iter()
            .map(|t| {
                let mut t = ids(t);
                t.insert(1, 12);
                t
            })
            .collect();
        for (measure, window, golden) in GENSIM {
            near(&measure.topics(&counts(&with_whale, window)), &golden);
        }
        // It weighs on the plain measure: of ten pairs of five words, four have the whale.
        let (a, b) = (counts(&whole, None), counts(&with_whale, None));
        let (a, b) = (Measure::Npmi.topics(&a), Measure::Npmi.topics(&b));
        let (a, b) = (a[0].expect("there"), b[0].expect("there"));
        assert!((b - (6.0 * a - 4.0) / 10.0).abs() < 1e-12, "{a} {b}");
    }

    #[test]
    fn plain_npmi_by_hand() {
        // Of seven documents five have sea, three ship, and three both; four have wave or sail and so on.
        let found = Measure::Npmi.topics(&counts(&[vec![0, 1], vec![10, 7], vec![4, 5]], None));
        let (p, both) = (5.0_f64 / 7.0 * 3.0 / 7.0, 3.0_f64 / 7.0);
        assert!((found[0].expect("there") - (both / p).ln() / -both.ln()).abs() < 1e-12);
        assert_eq!(found[1], Some(-1.0)); // storm and yeast never meet
        assert!((found[2].expect("there") - 1.0).abs() < 1e-12); // bread and oven are never apart
    }

    #[test]
    fn without_two_words_there_is_no_coherence() {
        for measure in Measure::ALL {
            let found = measure.topics(&counts(&[vec![], vec![0]], measure.window()));
            assert_eq!(found, [None, None], "{}", measure.name());
        }
        let found = Measure::CV.topics(&counts(&[vec![0, 12]], Some(110)));
        assert_eq!(found, [None]);
        // Two words in every document are never apart.
        let mut corpus = CorpusBuilder::with_words(vec!["a".into(), "b".into()]);
        corpus.push(&mut [(0, 1), (1, 1)], DocumentInfo::default()).expect("good");
        let ctx = Context::silent().expect("threads");
        let corpus = corpus.finish().expect("good");
        let all = WordCooccurrence::in_documents(&corpus, &[vec![0, 1]], &ctx).expect("counts");
        assert_eq!(Measure::Npmi.topics(&all), [Some(1.0)]);
        // No text at all.
        let none = WordCooccurrence::in_windows(&Texts::default(), &[vec![0, 1]], 10, &ctx);
        assert_eq!(Measure::CNpmi.topics(&none), [None]);
        assert_eq!(mean(&[None, Some(1.0), Some(2.0)]), Some(1.5));
        assert_eq!(mean(&[None]), None);
    }
}
