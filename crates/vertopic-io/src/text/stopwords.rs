//! Which words say nothing about a topic.
//!
//! The lists are those of NLTK where it has the language, else those of stopwords-iso, both from
//! the `stop-words` crate. NLTK's hold function words only. The ISO lists are the union of all
//! lists their authors could find: the English one drops `computer`, `research`, `system`, `world`,
//! `fire`, `web` and `microsoft`, the German one `mensch`, `gott` and `ordnung`; a topic can hang
//! on such words. The English list of NLTK in turn is short, so [`ENGLISH_TOO`] adds what it leaves
//! out of the closed classes (modal verbs, pronouns, conjunctions, connecting adverbs), and no
//! noun.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::IoError;
use crate::source;
use crate::text::tokenizer::fold;

/// Words of the closed classes that NLTK's English list does not have.
const ENGLISH_TOO: &str = "across ain't almost along already also although always among amongst \
    another anybody anyone anything anyway anywhere around away became become becomes becoming \
    besides beyond can't cannot could could've despite done e.g either else elsewhere enough etc \
    even ever every everybody everyone everything everywhere except furthermore hence hereby \
    however i.e ie eg indeed instead least less let lot lots many may maybe meanwhile might \
    might've moreover much must must've neither never nevertheless nobody none nonetheless nothing \
    nowhere often one ones onto others otherwise ought oughtn't per perhaps quite rather really \
    regarding several shall since somebody somehow someone something sometimes somewhat somewhere \
    soon still there'd there'll there're there've though throughout thus together toward towards \
    two unless unlike upon us usually various versus via vs well what'd what'll what're whatever \
    whenever whereas whereby wherein wherever whether whichever who'd who'll who're who've whoever \
    whose within without would would've yet";

/// The words that are left out.
///
/// As the program takes it: a language (`en`), `none`, or a file with one word per line.
///
/// ```
/// use vertopic_io::text::Stopwords;
/// assert_eq!("none".parse::<Stopwords>()?, Stopwords::None);
/// assert_eq!("de".parse::<Stopwords>()?, Stopwords::Language("de".into()));
/// # Ok::<(), vertopic_io::IoError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stopwords {
    /// No word is left out.
    None,
    /// The list of a language, by its ISO 639-1 code.
    Language(String),
    /// These words; what was read from a file, so that a model file needs no other file.
    Words(Vec<String>),
}

impl Default for Stopwords {
    /// English.
    fn default() -> Self {
        Self::Language("en".to_owned())
    }
}

impl Stopwords {
    /// The codes of the languages with a list, in order.
    pub fn languages() -> &'static [&'static str] {
        stop_words::available_languages()
    }

    /// Reads a list: one word per line, empty lines ignored.
    pub fn from_file(path: &Path) -> Result<Self, IoError> {
        let mut lines = source::open(path)?.lines();
        let mut words = Vec::new();
        while let Some((_, line)) = lines.next()? {
            let word = String::from_utf8_lossy(line);
            if !word.trim().is_empty() {
                words.push(word.trim().to_owned());
            }
        }
        words.sort_unstable();
        words.dedup();
        Ok(Self::Words(words))
    }

    /// The words, folded as tokens are.
    pub(super) fn set(&self) -> Result<HashSet<Box<str>>, IoError> {
        let mut folded = String::new();
        let mut set = HashSet::new();
        let mut add = |word: &str| {
            fold(word.trim(), true, &mut folded);
            set.insert(folded.as_str().into());
        };
        match self {
            Self::None => {}
            Self::Words(words) => words.iter().for_each(|w| add(w)),
            Self::Language(code) => {
                let list = stop_words::lookup(code).ok_or_else(|| unknown(code))?;
                list.iter().copied().for_each(&mut add);
                if code == "en" {
                    ENGLISH_TOO.split_whitespace().for_each(&mut add);
                }
            }
        }
        Ok(set)
    }
}

impl FromStr for Stopwords {
    type Err = IoError;

    /// `none`, a language code, or a file that is read here. A file whose name is a code can be
    /// given as `./en`.
    fn from_str(value: &str) -> Result<Self, IoError> {
        if value == "none" {
            return Ok(Self::None);
        }
        if stop_words::lookup(value).is_some() {
            return Ok(Self::Language(value.to_owned()));
        }
        let path = Path::new(value);
        // `-` is left to the documents.
        if path.is_file() { Self::from_file(path) } else { Err(unknown(value)) }
    }
}

fn unknown(value: &str) -> IoError {
    IoError::Usage {
        problem: format!(
            "stop words {value:?}: neither a file nor a language with a list; known are {}",
            Stopwords::languages().join(", ")
        ),
        hint: Some("give one of these codes, a file with one word per line, or none".into()),
    }
}
