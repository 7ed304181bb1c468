//! Which documents take part, as a value.

use crate::corpus::wire::{PassReader, PassWriter};
use crate::corpus::{Document, KeyedSample};
use crate::error::Error;
use crate::seed::{Seed, Stage};

/// A rule that keeps documents. It looks at one document alone, so a part of a collection is the same for any order of the
/// documents and on any machine.
///
/// ```
/// use vertopic::corpus::{DocumentFilter, KeyedSample};
/// use vertopic::seed::{Seed, Stage};
/// let validation: DocumentFilter = KeyedSample::new(Seed(0), Stage::Validation, 0.05).into();
/// let train = validation.clone().complement();
/// assert_eq!(train.complement(), validation);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentFilter {
    /// Keeps every document.
    All,
    /// Keeps a random sample: held-out documents, validation documents, one half of the documents.
    Sample(KeyedSample),
    /// Keeps one of `parts` random parts of about equal size: a mini-batch, a fold.
    Part {
        /// The seed.
        seed: Seed,
        /// What the parts are for.
        stage: Stage,
        /// Number of parts.
        parts: u64,
        /// Number of the part, from 0.
        part: u64,
    },
    /// Keeps the documents that the other filter drops.
    Not(Box<DocumentFilter>),
    /// Keeps the documents that all of the filters keep.
    Every(Vec<DocumentFilter>),
}

impl From<KeyedSample> for DocumentFilter {
    fn from(sample: KeyedSample) -> Self {
        Self::Sample(sample)
    }
}

/// A filter may be nested this deep; bytes that nest deeper are malformed.
const DEEPEST: usize = 16;

impl DocumentFilter {
    /// Whether a document is kept.
    #[inline]
    pub fn has(&self, document: Document<'_>) -> bool {
        match self {
            Self::All => true,
            other => other.draws(document),
        }
    }

    fn draws(&self, document: Document<'_>) -> bool {
        match self {
            Self::All | Self::Part { parts: 1, .. } => true,
            Self::Sample(sample) => sample.has(document),
            Self::Part { seed, stage, parts, part } => {
                seed.stream(*stage, document.key.0).next_u64() % parts == *part
            }
            Self::Not(other) => !other.draws(document),
            Self::Every(filters) => filters.iter().all(|filter| filter.draws(document)),
        }
    }

    /// Keeps the documents that this filter drops.
    #[must_use]
    pub fn complement(self) -> Self {
        match self {
            Self::Not(other) => *other,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Keeps the documents that both filters keep.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::All, other) => other.clone(),
            (one, Self::All) => one.clone(),
            (Self::Every(filters), other) => {
                Self::Every(filters.iter().chain([other]).cloned().collect())
            }
            (one, other) => Self::Every(vec![one.clone(), other.clone()]),
        }
    }

    pub(crate) fn write(&self, out: &mut PassWriter) {
        match self {
            Self::All => out.byte(0),
            Self::Sample(sample) => {
                out.byte(1);
                sample.write(out);
            }
            Self::Part { seed, stage, parts, part } => {
                out.byte(2);
                out.number(seed.0);
                out.byte(*stage as u8);
                out.number(*parts);
                out.number(*part);
            }
            Self::Not(other) => {
                out.byte(3);
                other.write(out);
            }
            Self::Every(filters) => {
                out.byte(4);
                out.number(filters.len() as u64);
                filters.iter().for_each(|filter| filter.write(out));
            }
        }
    }

    pub(crate) fn read(from: &mut PassReader<'_>) -> Result<Self, Error> {
        Self::read_nested(from, DEEPEST)
    }

    fn read_nested(from: &mut PassReader<'_>, deepest: usize) -> Result<Self, Error> {
        let Some(deeper) = deepest.checked_sub(1) else {
            return Err(from.wrong("its filters are nested too deep"));
        };
        Ok(match from.byte()? {
            0 => Self::All,
            1 => Self::Sample(KeyedSample::read(from)?),
            2 => {
                let (seed, stage) = (Seed(from.number()?), from.stage()?);
                let (parts, part) = (from.number()?, from.number()?);
                if part >= parts {
                    return Err(from.wrong("it names a part that is not one of its parts"));
                }
                Self::Part { seed, stage, parts, part }
            }
            3 => Self::Not(Box::new(Self::read_nested(from, deeper)?)),
            4 => {
                // Grows with what is there, whatever the number says.
                let n = from.number()?;
                let mut filters = Vec::new();
                for _ in 0..n {
                    filters.push(Self::read_nested(from, deeper)?);
                }
                Self::Every(filters)
            }
            _ => return Err(from.wrong("it has a filter of an unknown kind")),
        })
    }
}
