//! A sketch as numbers and JSON, for files.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::corpus::{Vocabulary, hex};
use crate::error::Error;
use crate::exact::ExactSums;
use crate::moments::{PairScheme, WordSums};
use crate::note::Note;
use crate::sketch::triangle::Triangle;
use crate::sketch::{Sketch, SketchParams};

/// The version of the sketch's form that this library writes, and the newest it reads.
pub const FORMAT: u32 = 2;

/// The numbers of a sketch of W words, with n pairs of words and P projections. Sums are the lowest 64 bits.
#[derive(Debug, Clone)]
pub struct SketchParts<'a> {
    /// 5 × W: tokens, document frequencies, and the row sums of whole documents, X and X′.
    pub words: Cow<'a, [u64]>,
    /// W + 1: where the pairs of each word begin.
    pub offsets: Cow<'a, [u64]>,
    /// n: the second word of each pair, not before the first.
    pub columns: Cow<'a, [u32]>,
    /// n: sums of pairs, the first word on the second side.
    pub forward: Cow<'a, [u64]>,
    /// n with a split, else none: sums of pairs, the first word on the first side.
    pub backward: Cow<'a, [u64]>,
    /// W × P: projections.
    pub projections: Cow<'a, [i64]>,
    /// What is above the lowest 64 bits of row sums (3 × W), pairs (n, or 2 × n) and projections (W × P). Empty if every sum
    /// fits into 64 bits.
    pub high: Cow<'a, [i64]>,
}

/// High words of a sum are no larger: sums of 2⁵⁸ documents.
const MOST_HIGH: u64 = 1 << 40;

/// Everything but the long rows of numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    format: u32,
    parameters: SketchParams,
    documents: usize,
    filled: usize,
    paired: usize,
    preprocessing: Note,
    vocabulary: Vec<String>,
    fingerprint: String,
}

impl Sketch {
    /// The numbers.
    pub fn parts(&self) -> SketchParts<'_> {
        let WordSums { tokens, df, whole, first, second, .. } = &self.sums;
        let (forward, backward) = (&self.pairs.forward, &self.pairs.backward);
        let low = |sums: &ExactSums| sums.iter().map(|sum| sum as u64).collect::<Vec<u64>>();
        let unsigned = [Some(whole), Some(first), Some(second), Some(forward), backward.as_ref()];
        let unsigned = || unsigned.iter().flatten().flat_map(|sums| sums.iter());
        let fits = unsigned().all(|sum| u64::try_from(sum).is_ok())
            && self.projections.iter().all(|sum| i64::try_from(sum).is_ok());
        let high = unsigned().chain(self.projections.iter()).map(|sum| (sum >> 64) as i64);
        SketchParts {
            words: [&tokens[..], df, &low(whole), &low(first), &low(second)].concat().into(),
            offsets: (&self.pairs.offsets).into(),
            columns: (&self.pairs.columns).into(),
            forward: low(forward).into(),
            backward: backward.as_ref().map(low).unwrap_or_default().into(),
            projections: self.projections.iter().map(|sum| sum as i64).collect(),
            high: if fits { Cow::default() } else { high.collect() },
        }
    }

    /// `sha256:` and a hash of all that is in the sketch.
    pub fn fingerprint(&self) -> Result<String, Error> {
        let parts = self.parts();
        let SketchParts { words, offsets, columns, forward, backward, projections, high } = parts;
        let mut hash = Sha256::new();
        for numbers in [words, offsets, forward, backward] {
            feed(&mut hash, &numbers, u64::to_le_bytes);
        }
        feed(&mut hash, &columns, u32::to_le_bytes);
        feed(&mut hash, &projections, i64::to_le_bytes);
        feed(&mut hash, &high, i64::to_le_bytes);
        hash.update(self.metadata_with(String::new())?.as_bytes());
        Ok(hex(&hash.finalize()))
    }

    /// Everything but the numbers, as JSON. With them it makes a sketch again ([`from_parts`](Self::from_parts)).
    pub fn metadata(&self) -> Result<String, Error> {
        self.metadata_with(self.fingerprint()?)
    }

    fn metadata_with(&self, fingerprint: String) -> Result<String, Error> {
        let metadata = Metadata {
            format: FORMAT,
            parameters: self.params,
            documents: self.sums.documents,
            filled: self.sums.filled,
            paired: self.sums.paired,
            preprocessing: self.preprocessing.clone(),
            vocabulary: self.vocabulary.words().to_vec(),
            fingerprint,
        };
        serde_json::to_string(&metadata).map_err(|e| Error::BadSketch(e.to_string()))
    }

    /// A sketch from its metadata and its numbers. Refuses a newer format, parts that do not fit, and anything
    /// that was altered after the fingerprint was taken.
    pub fn from_parts(metadata: &str, parts: SketchParts<'_>) -> Result<Self, Error> {
        let metadata = Metadata::from_json(metadata)?;
        let words = metadata.vocabulary.len();
        let vocabulary = Vocabulary::new(metadata.vocabulary.clone())?;
        if vocabulary.words() != metadata.vocabulary {
            return Err(Error::BadSketch("the vocabulary is not in byte order".into()));
        }
        if parts.words.len() != 5 * words {
            return Err(Error::BadSketch("its sums of words are not as many as the words".into()));
        }
        let counts = |at: usize| parts.words[at * words..(at + 1) * words].to_vec();
        let split = metadata.parameters.pairs == PairScheme::Split;
        let SketchParts { forward, backward, projections, high, .. } = &parts;
        let sums = 3 * words + forward.len() + backward.len() + projections.len();
        if !high.is_empty() && high.len() != sums {
            return Err(Error::BadSketch("its high words are not as many as its sums".into()));
        }
        if high.iter().any(|high| high.unsigned_abs() > MOST_HIGH) {
            return Err(Error::BadSketch(
                "a sum is larger than any number of documents makes it".into(),
            ));
        }
        let mut high = high.iter();
        let mut unsigned = |low: &[u64]| -> ExactSums {
            let high =
                high.by_ref().map(|&high| i128::from(high) << 64).chain(std::iter::repeat(0));
            low.iter().zip(high).map(|(&low, high)| high + i128::from(low)).collect()
        };
        let (whole, first, second) =
            (unsigned(&counts(2)), unsigned(&counts(3)), unsigned(&counts(4)));
        let (forward, backward) = (unsigned(forward), split.then(|| unsigned(backward)));
        let projections = if high.len() == 0 {
            projections.iter().map(|&low| i128::from(low)).collect()
        } else {
            let low = projections.iter().map(|&low| i128::from(low.cast_unsigned()));
            low.zip(high).map(|(low, &high)| low + (i128::from(high) << 64)).collect()
        };
        let pairs = Triangle {
            offsets: parts.offsets.into_owned(),
            columns: parts.columns.into_owned(),
            forward,
            backward,
        };
        pairs.check(words).map_err(Error::BadSketch)?;
        let sketch = Self {
            params: metadata.parameters,
            sums: WordSums {
                documents: metadata.documents,
                filled: metadata.filled,
                paired: metadata.paired,
                tokens: counts(0),
                df: counts(1),
                whole,
                first,
                second,
                diagonal: pairs.diagonal(),
            },
            pairs,
            projections,
            preprocessing: metadata.preprocessing,
            vocabulary,
        };
        sketch.check().map_err(Error::BadSketch)?;
        let found = sketch.fingerprint()?;
        if found != metadata.fingerprint {
            return Err(Error::BadSketch(format!(
                "its contents have the fingerprint {found}, but it says {}: it was altered",
                metadata.fingerprint
            )));
        }
        Ok(sketch)
    }

    /// What is wrong with it, if it cannot be the sketch of any documents.
    pub(super) fn check(&self) -> Result<(), String> {
        let WordSums { documents, filled, paired, tokens, df, .. } = &self.sums;
        if paired > filled || filled > documents {
            return Err(format!("{paired} of {filled} of {documents} documents have pairs"));
        }
        let counted = |w: &usize| (1..=*filled as u64).contains(&df[*w]) && tokens[*w] >= df[*w];
        if let Some(w) = (0..tokens.len()).find(|w| !counted(w)) {
            let word = self.vocabulary.word(w as u32);
            let (tokens, df) = (tokens[w], df[w]);
            return Err(format!("{word:?} has {tokens} tokens in {df} of {filled} documents"));
        }
        if tokens.iter().try_fold(0_u64, |sum, &n| sum.checked_add(n)).is_none() {
            return Err("its tokens are more than can be counted".into());
        }
        let sums = [&self.sums.whole, &self.sums.first, &self.sums.second];
        if sums.iter().any(|sums| sums.iter().any(|sum| sum < 0)) {
            return Err("a word occurs less than never".into());
        }
        let numbers = self.params.projections.checked_mul(tokens.len());
        if numbers != Some(self.projections.len()) || self.params != self.params.settled() {
            return Err("its numbers are not those that its settings name".into());
        }
        self.params.check().map_err(|e| e.to_string())
    }
}

/// Hashes numbers, some at a time: one by one is slow.
fn feed<T: Copy, const N: usize>(hash: &mut Sha256, numbers: &[T], bytes: impl Fn(T) -> [u8; N]) {
    for some in numbers.chunks(1 << 12) {
        hash.update(some.iter().flat_map(|&n| bytes(n)).collect::<Vec<u8>>());
    }
}

impl Metadata {
    fn from_json(json: &str) -> Result<Self, Error> {
        /// Read first: a newer form may not fit at all.
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let bad =
            |e: serde_json::Error| Error::BadSketch(format!("its metadata cannot be read: {e}"));
        let Version { format } = serde_json::from_str(json).map_err(bad)?;
        if format != FORMAT {
            let age = if format > FORMAT { "a newer" } else { "an older" };
            return Err(Error::BadSketch(format!(
                "it was written by {age} vertopic: format {format}, and this one reads {FORMAT}"
            )));
        }
        serde_json::from_str(json).map_err(bad)
    }
}
