//! Topics whose novel words the user gives, and words that may not be novel.
//!
//! The user names words, since ids depend on the vocabulary. [`Guidance::resolve`] looks them up.

use serde::{Deserialize, Serialize};

use crate::corpus::Vocabulary;
use crate::error::{Error, Parameter};

/// What the user knows of the topics before the fit.
///
/// ```
/// use vertopic::{FitParams, detect::Guidance};
/// let pin = vec!["chip".to_owned(), "circuit".to_owned()];
/// let guidance = Guidance { pins: vec![pin], forbidden: vec!["figure".to_owned()] };
/// assert!(FitParams::new(20).with_guidance(guidance).check().is_ok());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guidance {
    /// Pins: each has the novel words of one topic.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Vec<String>>,
    /// Words that may not be novel. They stay in the vocabulary.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<String>,
}

impl Guidance {
    /// Whether there are neither pins nor forbidden words.
    pub fn is_empty(&self) -> bool {
        self.pins.is_empty() && self.forbidden.is_empty()
    }

    /// Refuses pins without words, words in two pins, and words that are both pinned and forbidden.
    pub fn check(&self) -> Result<(), Error> {
        if self.pins.iter().any(Vec::is_empty) {
            return Err(Error::parameter(Parameter::Pins, "given", "none"));
        }
        let mut pinned: Vec<&String> = self.pins.iter().flatten().collect();
        pinned.sort_unstable();
        if let Some([word, ..]) = pinned.windows(2).find(|pair| pair[0] == pair[1]) {
            let twice = format!("{word:?} twice");
            return Err(Error::parameter(Parameter::Pins, "named once", twice));
        }
        match self.forbidden.iter().find(|word| pinned.binary_search(word).is_ok()) {
            Some(word) => {
                let rule = "other than the pinned words";
                Err(Error::parameter(Parameter::Forbidden, rule, format!("{word:?}")))
            }
            None => Ok(()),
        }
    }

    /// Looks the words up in `vocabulary`. An unknown word is an error.
    pub fn resolve(&self, vocabulary: &Vocabulary) -> Result<ResolvedGuidance, Error> {
        let id = |parameter: Parameter, word: &String| {
            vocabulary.id(word).ok_or_else(|| Error::UnknownWord {
                parameter,
                word: word.clone(),
                near: nearest(vocabulary, word).map(str::to_owned),
            })
        };
        let pin = |words: &Vec<String>| words.iter().map(|w| id(Parameter::Pins, w)).collect();
        let pins: Vec<Vec<u32>> = self.pins.iter().map(pin).collect::<Result<_, _>>()?;
        let forbidden = self.forbidden.iter().map(|w| id(Parameter::Forbidden, w));
        let mut barred: Vec<u32> = forbidden.collect::<Result<_, _>>()?;
        barred.extend(pins.iter().flatten());
        barred.sort_unstable();
        Ok(ResolvedGuidance { pins, barred })
    }
}

/// Guidance by word id, for one vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResolvedGuidance {
    /// The words of each pin.
    pub pins: Vec<Vec<u32>>,
    /// Words that detection leaves out, pinned or forbidden; ascending.
    barred: Vec<u32>,
}

impl ResolvedGuidance {
    /// Whether detection may find `word` novel.
    pub fn allows(&self, word: u32) -> bool {
        self.barred.binary_search(&word).is_err()
    }
}

/// Which topics are wanted: how many, and what the user knows of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TopicRequest {
    n_topics: Option<usize>,
    guidance: ResolvedGuidance,
}

impl TopicRequest {
    /// `n_topics` topics; with `None` their number comes out of the clustering.
    pub fn new(n_topics: Option<usize>) -> Self {
        Self { n_topics, guidance: ResolvedGuidance::default() }
    }

    /// The same request with guidance.
    #[must_use]
    pub fn with_guidance(self, guidance: ResolvedGuidance) -> Self {
        Self { guidance, ..self }
    }

    /// Number of topics, pinned ones included, if it is given.
    pub fn n_topics(&self) -> Option<usize> {
        self.n_topics
    }

    /// Number of topics that there must be at least: two, unless a number is given.
    pub fn at_least(&self) -> usize {
        self.n_topics.unwrap_or(2)
    }

    /// What the user knows of the topics.
    pub fn guidance(&self) -> &ResolvedGuidance {
        &self.guidance
    }

    /// Whether some topics are pinned.
    pub fn has_pins(&self) -> bool {
        !self.guidance.pins.is_empty()
    }

    /// Number of topics that are not pinned, at least. An error if there are more pins than topics.
    pub fn missing(&self) -> Result<usize, Error> {
        let (pins, n_topics) = (self.guidance.pins.len(), self.at_least());
        n_topics.checked_sub(pins).ok_or_else(|| too_many_pins(pins, n_topics))
    }
}

/// More pins than topics.
pub(crate) fn too_many_pins(pins: usize, n_topics: usize) -> Error {
    let value = format!("{pins} for {n_topics} topics");
    Error::parameter(Parameter::Pins, "for no more topics than are fitted", value)
}

/// The word that was probably meant: one typing error away, or two for a long word. If there is none, the word with the
/// longest common prefix, provided that the prefix is half of `word` and three letters long. Ties go to byte order.
fn nearest<'v>(vocabulary: &'v Vocabulary, word: &str) -> Option<&'v str> {
    let word = word.to_lowercase();
    let wanted: Vec<char> = word.chars().collect();
    let errors = if wanted.len() < 5 { 1 } else { 2 };
    let fewest = |best: Option<(usize, &'v str)>, known: &'v String| {
        let distance = edits(&word, known, errors);
        match distance.filter(|&d| best.is_none_or(|(least, _)| d < least)) {
            Some(d) => Some((d, known.as_str())),
            None => best,
        }
    };
    if let Some((_, known)) = vocabulary.words().iter().fold(None, fewest) {
        return Some(known);
    }
    let shared =
        |known: &str| wanted.iter().zip(known.chars()).take_while(|(a, b)| **a == *b).count();
    let longest = |best: (usize, Option<&'v str>), known: &'v String| {
        let n = shared(known);
        if n > best.0 { (n, Some(known.as_str())) } else { best }
    };
    let least = wanted.len().div_ceil(2).max(3);
    vocabulary.words().iter().fold((least - 1, None), longest).1
}

/// Letters to insert, delete or replace, if at most `most` (Levenshtein 1966).
fn edits(wanted: &str, known: &str, most: usize) -> Option<usize> {
    // Lengths that differ by more are told apart sooner.
    let near = known.chars().count().abs_diff(wanted.chars().count()) <= most;
    near.then(|| strsim::levenshtein(wanted, known)).filter(|&edits| edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guidance(pins: &[&[&str]], forbidden: &[&str]) -> Guidance {
        let names = |words: &[&str]| words.iter().map(|&w| w.to_owned()).collect();
        Guidance { pins: pins.iter().map(|pin| names(pin)).collect(), forbidden: names(forbidden) }
    }

    fn vocabulary() -> Vocabulary {
        let words = ["chip", "circuit", "circuits", "neuron", "neuronal", "policies", "vlsi"];
        Vocabulary::new(words.map(str::to_owned).to_vec()).expect("distinct")
    }

    #[test]
    fn pinned_and_forbidden_words_are_looked_up_and_barred() {
        let found =
            guidance(&[&["vlsi", "chip"], &["neuron"]], &["circuits"]).resolve(&vocabulary());
        let found = found.expect("all known");
        assert_eq!(found.pins, [vec![6, 0], vec![3]], "in the order given");
        let candidates: Vec<u32> = (0..7).filter(|&w| found.allows(w)).collect();
        assert_eq!(candidates, [1, 4, 5]);
        let missing = |k| TopicRequest::new(Some(k)).with_guidance(found.clone()).missing();
        assert_eq!(missing(2), Ok(0));
        assert_eq!(missing(1), Err(too_many_pins(2, 1)));
    }

    #[test]
    fn a_word_in_two_roles_is_refused() {
        assert_eq!(guidance(&[&["a", "b"], &["c"]], &["d", "d"]).check(), Ok(()));
        for (wrong, part) in [
            (guidance(&[&["a"], &["b", "a"]], &[]), "must be named once, got \"a\" twice"),
            (guidance(&[&["a"]], &["b", "a"]), "other than the pinned words, got \"a\""),
            (guidance(&[&[]], &[]), "must be given, got none"),
        ] {
            let err = wrong.check().expect_err("refused").to_string();
            assert!(err.contains(part), "{err}");
        }
    }

    #[test]
    fn an_unknown_word_is_reported_with_a_near_one() {
        for (word, near) in [
            ("chips", Some("chip")),
            ("Chip", Some("chip")),
            ("circut", Some("circuit")),
            ("neuronally", Some("neuronal")),
            ("policy", Some("policies")),
            ("vlsx", Some("vlsi")),
            ("vxsx", None),
            ("", None),
        ] {
            assert_eq!(nearest(&vocabulary(), word), near, "{word}");
        }
        let err = guidance(&[&["chip"]], &["policy"]).resolve(&vocabulary()).expect_err("unknown");
        assert_eq!(
            err.to_string(),
            "the forbidden words must be in the vocabulary, and \"policy\" is not"
        );
        assert!(err.hint().is_some_and(|hint| hint.contains("\"policies\"")), "{err:?}");
    }
}
