//! How text is split into words.
//!
//! Text is cut at the word boundaries of Unicode (UAX #29), at colons too, which that standard
//! leaves inside words for the sake of Swedish. What is left of a piece:
//!
//! | step | example |
//! |---|---|
//! | lower case; one kind of apostrophe; no soft hyphens | `Don’t` → `don't` |
//! | no underscores around it | `_stress_` → `stress` |
//! | not a number, unless asked for | `1984` goes, `mp3` stays |
//! | not a stop word | `don't` goes |
//! | no possessive; no elided article | `dog's` → `dog`; with `fr`: `l'homme` → `homme` |
//! | long enough | `x` goes |
//! | its stem, if asked for | `running` → `ctx` |
//!
//! Chinese and Japanese are cut into single characters (runs of Katakana stay together), which
//! count as long enough. Thai, Lao, Khmer and Burmese need spaces between words to be of use.

use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::error::IoError;
use crate::text::stopwords::Stopwords;

/// How to split text. Kept with a model, so that new documents are split as the old ones were.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)] // an option we do not know would be one we do not follow
pub struct TokenizerOptions {
    /// Whether `Sea` and `sea` are one word. On by default.
    pub lowercase: bool,
    /// Words to leave out, compared in lower case and before stemming. English by default.
    pub stopwords: Stopwords,
    /// Language of the stemmer ([`stem_languages`]). No stemming by default.
    pub stem: Option<String>,
    /// Fewest characters of a word. 2 by default.
    pub min_length: usize,
    /// Whether tokens without a letter are words. Off by default.
    pub numbers: bool,
}

impl Default for TokenizerOptions {
    fn default() -> Self {
        Self {
            lowercase: true,
            stopwords: Stopwords::default(),
            stem: None,
            min_length: 2,
            numbers: false,
        }
    }
}

const STEMMERS: [(&str, Algorithm); 18] = [
    ("ar", Algorithm::Arabic),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("en", Algorithm::English),
    ("es", Algorithm::Spanish),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian),
    ("it", Algorithm::Italian),
    ("nl", Algorithm::Dutch),
    ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
];

/// The codes of the languages with a stemmer, in order.
pub fn stem_languages() -> Vec<&'static str> {
    STEMMERS.iter().map(|&(code, _)| code).collect()
}

/// Languages that write articles and pronouns on to the next word with an apostrophe.
const ELIDING: [&str; 3] = ["ca", "fr", "it"];

/// Splits text into words. Made once, used by all threads.
pub struct Tokenizer {
    options: TokenizerOptions,
    stopwords: HashSet<Box<str>>, // looked up, never walked
    stemmer: Option<Stemmer>,
    elides: bool,
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Memory that [`Tokenizer::each`] works in; one per thread.
#[derive(Debug, Default)]
pub struct Scratch {
    word: String,
    lower: String,
}

impl Tokenizer {
    /// Checks the options. A language that is not known is an error that lists those that are.
    pub fn new(options: &TokenizerOptions) -> Result<Self, IoError> {
        let stemmer = match &options.stem {
            None => None,
            Some(code) => Some(Stemmer::create(algorithm(code)?)),
        };
        if stemmer.is_some() && !options.lowercase {
            return Err(IoError::Usage {
                problem: "stemming works on lower-case words, but lower-casing is off".to_owned(),
                hint: Some("leave out one of the two".into()),
            });
        }
        let elides =
            matches!(&options.stopwords, Stopwords::Language(l) if ELIDING.contains(&l.as_str()));
        Ok(Self { stopwords: options.stopwords.set()?, stemmer, elides, options: options.clone() })
    }

    /// The options it was made with.
    pub fn options(&self) -> &TokenizerOptions {
        &self.options
    }

    /// Hands each word of `text` to `found`, in order. Allocates nothing, unless it stems.
    pub fn each(&self, text: &str, scratch: &mut Scratch, mut found: impl FnMut(&str)) {
        let Scratch { word, lower } = scratch;
        for piece in text.unicode_words().flat_map(|w| w.split(':')) {
            fold(piece, self.options.lowercase, word);
            let Some(word) = self.strip(word, lower) else { continue };
            match &self.stemmer {
                None => found(word),
                Some(stemmer) => {
                    let stem = stemmer.stem(word);
                    found(if stem.is_empty() { word } else { &stem });
                }
            }
        }
    }

    /// The words of `text`.
    pub fn words(&self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.each(text, &mut Scratch::default(), |w| words.push(w.to_owned()));
        words
    }

    /// What is left of a folded token, if it is to stay.
    fn strip<'w>(&self, word: &'w str, lower: &mut String) -> Option<&'w str> {
        let mut word = word.trim_matches(['_', '\'']);
        let keep = if self.options.numbers { char::is_alphanumeric } else { char::is_alphabetic };
        if !word.chars().any(keep) || self.is_stopword(word, lower) {
            return None;
        }
        if let Some(at) = word.find('\'') {
            let whole = word;
            // Only where the article is one of the list: `aujourd'hui` is one word.
            if self.elides && self.is_stopword(&word[..at], lower) {
                word = &word[at + 1..];
            }
            word = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).unwrap_or(word);
            let changed = word.len() < whole.len();
            if changed && (!word.chars().any(keep) || self.is_stopword(word, lower)) {
                return None;
            }
        }
        let least = self.options.min_length;
        let long_enough = word.chars().take(least).count() >= least
            || word.chars().next().is_some_and(stands_alone);
        long_enough.then_some(word)
    }

    fn is_stopword(&self, word: &str, lower: &mut String) -> bool {
        if self.options.lowercase || self.stopwords.is_empty() {
            return self.stopwords.contains(word);
        }
        fold(word, true, lower);
        self.stopwords.contains(lower.as_str())
    }
}

fn algorithm(code: &str) -> Result<Algorithm, IoError> {
    let known = STEMMERS.iter().find(|(known, _)| *known == code);
    known.map(|&(_, algorithm)| algorithm).ok_or_else(|| IoError::Usage {
        problem: format!(
            "there is no stemmer for the language {code:?}; known are {}",
            stem_languages().join(", ")
        ),
        hint: None,
    })
}

/// Writes `token` to `out` with plain apostrophes and without soft hyphens, in lower case if asked.
pub(super) fn fold(token: &str, lowercase: bool, out: &mut String) {
    out.clear();
    if token.is_ascii() {
        out.push_str(token);
        if lowercase {
            out.make_ascii_lowercase();
        }
        return;
    }
    for (at, c) in token.char_indices() {
        match c {
            '\u{2018}' | '\u{2019}' | '\u{ff07}' => out.push('\''),
            '\u{ad}' | '\u{2060}' | '\u{feff}' => {}
            // The one letter whose lower case depends on where in the word it stands.
            'Σ' if lowercase => {
                let rest = &token[at + c.len_utf8()..];
                let last = !rest.chars().any(char::is_alphabetic);
                let after_letter = out.chars().any(char::is_alphabetic);
                out.push(if last && after_letter { 'ς' } else { 'σ' });
            }
            c if lowercase => out.extend(c.to_lowercase()),
            c => out.push(c),
        }
    }
}

/// Whether a single character can be a word: Han and Kana.
fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3fffd}')
}

#[cfg(test)]
mod tests;
