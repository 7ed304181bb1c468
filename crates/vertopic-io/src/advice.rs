//! What to do about an error, without the words of any front end.

use std::fmt;

use vertopic::Parameter;

/// How to read the input.
pub const FORMAT: Parameter = Parameter::Other("the format");
/// The file with the words of counts.
pub const VOCAB: Parameter = Parameter::Other("the vocabulary file");
/// Whether the rows of a matrix are words.
pub const TRANSPOSE: Parameter = Parameter::Other("the transposition");
/// Whether ids count from 0.
pub const ZERO_BASED: Parameter = Parameter::Other("counting ids from 0");
/// Which files of a folder are documents.
pub const INCLUDE: Parameter = Parameter::Other("the pattern of files");
/// The column with the text.
pub const TEXT_COLUMN: Parameter = Parameter::Other("the text column");
/// The column with the id.
pub const ID_COLUMN: Parameter = Parameter::Other("the id column");
/// The column with the label.
pub const LABEL_COLUMN: Parameter = Parameter::Other("the label column");
/// The column with the time.
pub const TIME_COLUMN: Parameter = Parameter::Other("the time column");
/// Whether the first row is a document.
pub const NO_HEADER: Parameter = Parameter::Other("reading without a header");
/// Whether text must be UTF-8.
pub const STRICT: Parameter = Parameter::Other("strict decoding");
/// Memory for the documents.
pub const MEMORY: Parameter = Parameter::Other("the memory");
/// The words of a sketch.
pub const WORDS: Parameter = Parameter::Other("the words of the sketch");

/// All parameters of the readers and writers.
pub const PARAMETERS: &[Parameter] = &[
    FORMAT,
    VOCAB,
    TRANSPOSE,
    ZERO_BASED,
    INCLUDE,
    TEXT_COLUMN,
    ID_COLUMN,
    LABEL_COLUMN,
    TIME_COLUMN,
    NO_HEADER,
    STRICT,
    MEMORY,
    WORDS,
];

/// What to do about an error. The text has no flags: a front end knows what its users type for the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    text: String,
    parameters: &'static [Parameter],
}

impl Advice {
    /// Advice to change some parameters.
    pub(crate) fn change(parameters: &'static [Parameter], text: impl Into<String>) -> Self {
        Self { text: text.into(), parameters }
    }

    /// The parameters to change.
    pub fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&str> for Advice {
    fn from(text: &str) -> Self {
        Self::change(&[], text)
    }
}

impl From<String> for Advice {
    fn from(text: String) -> Self {
        Self::change(&[], text)
    }
}
