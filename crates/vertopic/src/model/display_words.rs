//! The display words of a topic, and its label.
//!
//! The most probable words of a topic are often those of every topic. Display words are discriminative: they
//! are ranked by √p(w|k) · p(k|w), where the posterior `p(k|w) = a_k p(w|k) / Σ_j a_j p(w|j)` is the share
//! of the word's tokens that belong to the topic. On three collections of text this rank gave more coherent
//! lists than p(w|k) and p(w|k) · p(k|w), and hardly any word was in two lists.
//!
//! Refinement raises the likelihood of documents, but often lowers the coherence of word lists. So a refined topic
//! shows the display words of its geometric topic, unless the refined topics are more coherent (`pipeline/words.rs`).
//! Coherence (NPMI in documents) of ten words of the geometric and the refined topics, one split each: BBC News .392
//! and .323, KOS .462 and .412, ACL abstracts .291 and .251, NIPS .229 and .234, DBLP titles .043 and .083. The
//! probabilities of the model do not change.

use std::collections::BTreeMap;

use crate::estimate::Topics;
use crate::model::{CorpusSummary, TopicModel};

/// Minimum number of tokens of a display word in its topic. The posterior of a rarer word is near 1 by chance.
const LEAST_TOKENS: f64 = 35.0;
/// Minimum number of other tokens in their documents: a token of a title has few companions and says less of its topic.
///
/// With these two the coherence of ten words of refined topics, two splits of BBC News, is .333 and .340, of KOS .381
/// and .385, of NIPS .236 and .235, of ACL abstracts .252 and .247 and of DBLP titles .071 and .080 (these without
/// [`LEAST_POOL`]). With the 30 most probable words instead it is .327 and .325, .335 and .340, .233 and .232, .250 and
/// .243, .033 and .048; without any limit DBLP titles have −.061 twice.
const LEAST_COMPANIONS: f64 = 400.0;
/// Number of most probable words that may be display words in any case. The limits do not depend on the length of
/// the list, so that a shorter list begins a longer one.
const LEAST_POOL: usize = 20;

/// Words of a label, unless more are needed to tell it from another.
const LABEL: usize = 3;
/// Words that a label is made of, at most: those that are shown by default.
const LABEL_POOL: usize = 10;

impl TopicModel {
    /// p(k|w): the share of the word's tokens that belong to the topic. 0 for a word that no topic has.
    pub fn posterior(&self, topic: usize, word: u32) -> f64 {
        if topic >= self.weights.len() || word as usize >= self.topics.n_words() {
            return 0.0;
        }
        posterior(&self.topics, &self.weights, topic, word)
    }

    /// The `n` words that tell the topic from the others, best first; ties go to the lower id. Fewer if
    /// the topic has fewer words, none for a topic that is not there.
    ///
    /// ```
    /// use vertopic::{CorpusBuilder, DocumentInfo, FitParams, Method};
    /// let mut b = CorpusBuilder::new();
    /// for d in 0..200 {
    ///     let (own, other) = if d % 2 == 0 { ("sea", "hill") } else { ("hill", "sea") };
    ///     let mut pairs: Vec<(u32, u32)> =
    ///         (0..4).map(|i| (b.word(&format!("{own}{i}")), 3 + (d + i) % 4)).collect();
    ///     pairs.push((b.word(&format!("{other}{}", d % 4)), 1));
    ///     b.push(&mut pairs, DocumentInfo::default())?;
    /// }
    /// let model = FitParams::paper(2, Method::Rp).fit(&b.finish()?)?;
    /// let shown = model.display_words(0, 4);
    /// let kinds: Vec<&str> = shown.iter().map(|&w| &model.vocabulary().word(w)[..3]).collect();
    /// assert!(kinds.iter().all(|kind| *kind == kinds[0]), "words of one kind: {kinds:?}");
    /// assert!(shown.iter().all(|&w| model.posterior(0, w) > 0.5));
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn display_words(&self, topic: usize, n: usize) -> Vec<u32> {
        if topic >= self.weights.len() {
            return Vec::new();
        }
        let chosen =
            self.info[topic].display_words.iter().filter_map(|word| self.vocabulary.id(word));
        let mut words: Vec<u32> = chosen.take(n).collect();
        if words.len() < n {
            let others = discriminative_words(
                &self.topics,
                &self.weights,
                &self.provenance.corpus,
                topic,
                n,
            );
            let known = words.len();
            words.extend(
                others.into_iter().filter(|w| !words[..known].contains(w)).collect::<Vec<_>>(),
            );
            words.truncate(n);
        }
        words
    }

    /// What the topic is called: one of [`labels`](Self::labels), which gives all in one go. Empty for a
    /// topic that is not there.
    pub fn label(&self, topic: usize) -> String {
        self.labels().into_iter().nth(topic).unwrap_or_default()
    }

    /// A short name for each topic: the first three words shown, without near-repeats (`network`,
    /// `networks`), joined by ` · `. No two are the same: topics that share these words get more of them,
    /// and those that share all get their number.
    pub fn labels(&self) -> Vec<String> {
        let words: Vec<Vec<u32>> = (0..self.weights.len()).map(|k| self.label_words(k)).collect();
        let mut lengths: Vec<usize> = words.iter().map(|w| w.len().min(LABEL)).collect();
        loop {
            let clashes = clashes(&words, &lengths);
            let short = |&&k: &&usize| lengths[k] < words[k].len();
            let longer: Vec<usize> = clashes.iter().filter(short).copied().collect();
            if !longer.is_empty() {
                longer.into_iter().for_each(|k| lengths[k] += 1);
                continue;
            }
            let label = |k: usize| {
                let names = words[k][..lengths[k]].iter().map(|&w| self.vocabulary.word(w));
                let label = names.collect::<Vec<_>>().join(" · ");
                if clashes.contains(&k) { format!("{label} #{k}") } else { label }
            };
            return (0..words.len()).map(label).collect();
        }
    }

    /// The words for a label in order: first those that are no near-repeats, then those that are.
    fn label_words(&self, topic: usize) -> Vec<u32> {
        let (mut kept, mut repeats): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for w in self.display_words(topic, LABEL_POOL) {
            let name = self.vocabulary.word(w);
            let repeat = kept.iter().any(|&k| near_repeat(self.vocabulary.word(k), name));
            if repeat { repeats.push(w) } else { kept.push(w) }
        }
        kept.append(&mut repeats);
        kept
    }
}

/// p(k|w) under these topics and their shares.
fn posterior(topics: &Topics, weights: &[f32], topic: usize, word: u32) -> f64 {
    let joint = |k: usize| f64::from(weights[k]) * f64::from(topics.topic(k)[word as usize]);
    let all: f64 = (0..weights.len()).map(joint).sum();
    if all > 0.0 { joint(topic) / all } else { 0.0 }
}

/// The `n` words that tell a topic from the others, best first; ties go to the lower id.
pub(crate) fn discriminative_words(
    topics: &Topics,
    weights: &[f32],
    corpus: &CorpusSummary,
    topic: usize,
    n: usize,
) -> Vec<u32> {
    let least = least_probability(corpus, f64::from(weights[topic]));
    let known = topics.topic(topic).iter().filter(|&&p| f64::from(p) >= least).count();
    let pool = known.max(LEAST_POOL);
    let top = topics.top_words(topic, n.max(pool));
    let (pool, rest) = top.split_at(top.len().min(pool));
    let score = |w, p: f32| f64::from(p).sqrt() * posterior(topics, weights, topic, w);
    let mut pool: Vec<(u32, f32, f64)> = pool.iter().map(|&(w, p)| (w, p, score(w, p))).collect();
    pool.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    let all = pool.into_iter().map(|(w, p, _)| (w, p)).chain(rest.iter().copied());
    all.filter(|&(_, p)| p > 0.0).map(|(w, _)| w).take(n).collect()
}

/// The probability from which on a topic has enough tokens of a word.
fn least_probability(corpus: &CorpusSummary, weight: f64) -> f64 {
    let tokens = corpus.tokens as f64;
    let length = tokens / corpus.documents.saturating_sub(corpus.empty).max(1) as f64;
    let companions = (length - 1.0).max(0.1);
    LEAST_TOKENS.max(LEAST_COMPANIONS / companions) / (tokens * weight)
}

/// Topics whose labels have the same words as another's, in whatever order.
fn clashes(words: &[Vec<u32>], lengths: &[usize]) -> Vec<usize> {
    let mut same: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for (k, (words, &length)) in words.iter().zip(lengths).enumerate() {
        let mut set = words[..length].to_vec();
        set.sort_unstable();
        same.entry(set).or_default().push(k);
    }
    same.into_values().filter(|topics| topics.len() > 1).flatten().collect()
}

/// Whether two words look like forms of one: the longer is the shorter with an ending of at most three
/// letters and half its length, or both begin alike for five letters and three quarters of the shorter.
/// No dictionary: a word skipped wrongly only gives its place to the next.
fn near_repeat(a: &str, b: &str) -> bool {
    let number = |word: &str| word.contains(|c: char| c.is_numeric());
    if number(a) || number(b) {
        return a == b;
    }
    let (a_length, b_length) = (a.chars().count(), b.chars().count());
    let (short, long) = (a_length.min(b_length), a_length.max(b_length));
    let alike = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let ending = alike == short && short >= 3 && long - short <= 3.min(short / 2);
    ending || (alike >= 5 && 4 * alike >= 3 * short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{named, planted};

    #[test]
    fn posteriors_are_shares_of_a_words_tokens() {
        let model = planted(&[0.75, 0.25], &[&[0.5, 0.5, 0.0, 0.0], &[0.5, 0.0, 0.5, 0.0]]);
        assert!((model.posterior(0, 0) - 0.75).abs() < 1e-9);
        assert!((model.posterior(1, 0) - 0.25).abs() < 1e-9);
        assert!((model.posterior(0, 1) - 1.0).abs() < 1e-9);
        for (topic, word) in [(0, 2), (0, 3), (2, 0), (0, 4)] {
            assert!(model.posterior(topic, word).abs() < 1e-12, "{topic} {word}");
        }
    }

    #[test]
    fn a_word_of_all_topics_comes_after_a_topics_own() {
        // √.6 · .5 = .387 for the shared word; √.3 · 1 = .548 and √.1 · 1 = .316 for a topic's own.
        let model = planted(&[0.5, 0.5], &[&[0.6, 0.3, 0.1, 0.0, 0.0], &[0.6, 0.0, 0.0, 0.3, 0.1]]);
        assert_eq!(model.display_words(0, 3), [1, 0, 2]);
        assert_eq!(model.display_words(1, 2), [3, 0]);
        assert_eq!(
            model.display_words(1, 9),
            [3, 0, 4],
            "a word that it does not have is not shown"
        );
        assert_eq!(model.display_words(2, 3), [0_u32; 0], "no such topic");
    }

    #[test]
    fn words_that_were_chosen_come_first_and_no_word_twice() {
        let mut model = planted(&[0.5, 0.5], &[&[0.4, 0.3, 0.2, 0.1], &[0.1, 0.2, 0.3, 0.4]]);
        assert_eq!(model.display_words(0, 3), [0, 1, 2]);
        let name = |w: u32| model.vocabulary().word(w).to_owned();
        let chosen = vec![name(2), "a word it does not have".to_owned(), name(0)];
        model.info[0].display_words = chosen;
        assert_eq!(model.display_words(0, 1), [2]);
        assert_eq!(model.display_words(0, 4), [2, 0, 1, 3]);
        assert_eq!(model.display_words(1, 1), [3], "the other topic's are its own");
    }

    #[test]
    fn ties_go_to_the_lower_id() {
        let model = planted(&[0.5, 0.5], &[&[0.25; 4], &[0.25; 4]]);
        assert_eq!(model.display_words(1, 3), [0, 1, 2]);
    }

    #[test]
    fn a_rare_word_that_is_the_topics_alone_does_not_qualify() {
        // Topic 0 shares 120 words with topic 1; word 120 is its own, but its rarest by far.
        let mut first = vec![0.99_f32 / 120.0; 121];
        first[120] = 0.01;
        let mut second = vec![1.0_f32 / 120.0; 121];
        second[120] = 0.0;
        let frequent = planted(&[0.01, 0.99], &[&first, &second]);
        assert_eq!(
            frequent.display_words(0, 1),
            [120],
            "in the pool, a word of its own comes first"
        );
        first = vec![0.9999_f32 / 120.0; 121];
        first[120] = 0.0001;
        let rare = planted(&[0.01, 0.99], &[&first, &second]);
        let by_score = f64::from(first[120]).sqrt() * rare.posterior(0, 120);
        let shown = rare.display_words(0, 1);
        let score = f64::from(first[0]).sqrt() * rare.posterior(0, shown[0]);
        assert!(by_score > score, "the test needs a rare word with the highest score");
        assert_eq!(shown, [0]);
        // A longer list begins with the shorter ones, also beyond the pool.
        let all = rare.display_words(0, 121);
        assert_eq!((all.len(), all[120]), (121, 120));
        for n in [1, 50, 100, 101, 120] {
            assert_eq!(rare.display_words(0, n), all[..n]);
        }
    }

    #[test]
    fn a_word_qualifies_by_its_tokens_and_their_companions() {
        let mut first = vec![0.9999_f32 / 120.0; 121];
        first[120] = 0.0001;
        let mut second = vec![1.0_f32 / 120.0; 121];
        second[120] = 0.0;
        let mut model = planted(&[0.01, 0.99], &[&first, &second]);
        // The topic has a hundredth of the tokens, and a ten-thousandth of these are of word 120.
        for (tokens, documents, shown) in [
            (36_000_000, 360_000, 120),     // 36 tokens with 99 companions each
            (34_000_000, 340_000, 0),       // 34 tokens
            (100_000_000, 15_000_000, 120), // 100 tokens with 5.7 companions each
            (60_000_000, 9_000_000, 0),     // 60 such tokens
            (0, 0, 0),
        ] {
            model.provenance.corpus.tokens = tokens;
            model.provenance.corpus.documents = documents;
            assert_eq!(model.display_words(0, 1), [shown], "{tokens} {documents}");
        }
    }

    #[test]
    fn near_repeats_are_forms_of_one_word() {
        for (a, b) in [
            ("network", "networks"),
            ("iraqi", "iraq"),
            ("economy", "economic"),
            ("policies", "policy"),
            ("été", "étés"),
        ] {
            assert!(near_repeat(a, b) && near_repeat(b, a), "{a} {b}");
        }
        for (a, b) in [("neuron", "network"), ("sea", "search"), ("shipa", "shipb"), ("w1", "w12")]
        {
            assert!(!near_repeat(a, b) && !near_repeat(b, a), "{a} {b}");
        }
    }

    #[test]
    fn labels_are_short_and_without_repeats() {
        let words = ["network", "networks", "neuron", "spike", "tax", "vote"];
        let model = named(
            &words,
            &[0.5, 0.5],
            &[&[0.4, 0.3, 0.2, 0.1, 0.0, 0.0], &[0.0, 0.0, 0.0, 0.0, 0.6, 0.4]],
        );
        assert_eq!(model.labels(), ["network · neuron · spike", "tax · vote"]);
        assert_eq!(model.label(1), "tax · vote");
        assert_eq!(model.label(2), "");
        let few = named(&words[..3], &[1.0], &[&[0.5, 0.3, 0.2]]);
        assert_eq!(few.label(0), "network · neuron · networks", "better a repeat than nothing");
    }

    #[test]
    fn labels_differ() {
        let words = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu"];
        let rows: [&[f32]; 4] = [
            &[0.4, 0.3, 0.28, 0.02, 0.0, 0.0, 0.0],
            &[0.4, 0.28, 0.3, 0.0, 0.02, 0.0, 0.0],
            &[0.0, 0.0, 0.0, 0.0, 0.0, 0.6, 0.4],
            &[0.0, 0.0, 0.0, 0.0, 0.0, 0.6, 0.4],
        ];
        assert_eq!(
            named(&words, &[0.25; 4], &rows).labels(),
            ["ant · bee · cat · dog", "ant · cat · bee · elk", "fox · gnu #2", "fox · gnu #3"]
        );
    }
}
