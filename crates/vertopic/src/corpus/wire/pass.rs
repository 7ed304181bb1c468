//! Passes as bytes.

use sha2::{Digest, Sha256};

use super::{Bytes, Hash, Number, PASS, VERSION};
use crate::corpus::{DocumentFilter, Pass, Vocabulary};
use crate::error::Error;
use crate::seed::{Stage, mix};
use crate::simd::{Rows, lanes_for};

/// Sums that one pass may have: 16 gigabytes of them. Tests forge passes, and want less.
const MOST_SUMS: usize = if cfg!(test) { 1 << 20 } else { 1 << 31 };

/// Writes a pass.
#[derive(Debug)]
pub struct PassWriter {
    bytes: Vec<u8>,
    identity: Sha256,
    /// Bytes that the identity has.
    hashed: usize,
}

impl PassWriter {
    /// A pass as bytes, and its identity.
    pub(crate) fn pass<P: Pass>(
        pass: &P,
        filter: &DocumentFilter,
        vocabulary: &Vocabulary,
    ) -> (Vec<u8>, Hash) {
        let mut out = Self { bytes: PASS.to_vec(), identity: Sha256::new(), hashed: 0 };
        out.bytes.extend_from_slice(&VERSION.to_le_bytes());
        out.byte(P::NAME.len() as u8);
        out.bytes.extend_from_slice(P::NAME.as_bytes());
        out.number(words_key(vocabulary));
        filter.write(&mut out);
        pass.write(&mut out);
        out.identity.update(&out.bytes[out.hashed..]);
        (out.bytes, out.identity.finalize().into())
    }

    /// Writes one byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Writes a whole number.
    pub fn number(&mut self, number: u64) {
        number.put(&mut self.bytes);
    }

    /// Writes a number with all its bits.
    pub fn float(&mut self, number: f64) {
        number.put(&mut self.bytes);
    }

    /// Writes a number of binary digits.
    pub fn bits(&mut self, bits: i32) {
        self.bytes.extend_from_slice(&bits.to_le_bytes());
    }

    /// Writes the first `width` numbers of each row.
    pub(crate) fn rows(&mut self, rows: &Rows, width: usize) {
        let padded = lanes_for(width).max(1);
        self.number(width as u64);
        let numbers = rows.chunks(padded).flat_map(|row| &row.as_flattened()[..width]);
        self.table(numbers.copied().collect::<Vec<f32>>().into_iter());
    }

    /// Writes numbers.
    pub fn table<T: Number>(&mut self, numbers: impl ExactSizeIterator<Item = T>) {
        self.byte(T::TYPE);
        self.number(numbers.len() as u64);
        let start = self.bytes.len();
        self.bytes.reserve(numbers.len() * T::SIZE + size_of::<Hash>());
        numbers.for_each(|number| number.put(&mut self.bytes));
        let hash = Sha256::digest(&self.bytes[start..]);
        self.identity.update(&self.bytes[self.hashed..start]);
        self.hashed = self.bytes.len();
        self.bytes.extend_from_slice(&hash);
    }
}

/// Stands for the words of documents: engines refuse a pass over other words.
fn words_key(vocabulary: &Vocabulary) -> u64 {
    let words = 0..vocabulary.len() as u32;
    words.fold(mix(vocabulary.len() as u64), |key, word| mix(key ^ vocabulary.key(word)))
}

/// Reads a pass.
#[derive(Debug)]
pub struct PassReader<'a> {
    rest: Bytes<'a>,
    identity: Sha256,
    /// What the identity does not have yet.
    unhashed: &'a [u8],
    name: &'a str,
}

impl<'a> PassReader<'a> {
    /// Reads the head of a pass over documents with the words of `vocabulary`. Gives the filter.
    pub(crate) fn new(
        bytes: &'a [u8],
        vocabulary: &Vocabulary,
    ) -> Result<(Self, DocumentFilter), Error> {
        let mut rest = Bytes { bytes, error: Error::BadPass };
        rest.head(PASS)?;
        let name = rest.name()?;
        let mut from = Self { rest, identity: Sha256::new(), unhashed: bytes, name };
        if from.number()? != words_key(vocabulary) {
            return Err(from.wrong("it is over other words than the documents"));
        }
        let filter = DocumentFilter::read(&mut from)?;
        Ok((from, filter))
    }

    /// The name of the pass.
    pub(crate) fn name(&self) -> &'a str {
        self.name
    }

    /// The error for bytes that are not a pass.
    pub fn wrong(&self, what: &str) -> Error {
        self.rest.wrong(what)
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.rest.take(1)?[0])
    }

    /// Reads a byte that is 0 or 1.
    pub fn flag(&mut self) -> Result<bool, Error> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.wrong("a choice of two is neither")),
        }
    }

    /// Reads a whole number.
    pub fn number(&mut self) -> Result<u64, Error> {
        self.rest.number()
    }

    /// Reads a whole number that is at most `most`.
    pub fn size(&mut self, most: usize) -> Result<usize, Error> {
        let number = self.number()?;
        let size = usize::try_from(number).ok().filter(|&size| size <= most);
        size.ok_or_else(|| {
            self.wrong(&format!("a number is {number}, but at most {most} is meant"))
        })
    }

    /// Reads a number with all its bits.
    pub fn float(&mut self) -> Result<f64, Error> {
        Ok(f64::get(self.rest.take(size_of::<f64>())?))
    }

    /// Reads a number of binary digits.
    pub fn bits(&mut self) -> Result<i32, Error> {
        let bytes = self.rest.take(size_of::<i32>())?;
        Ok(bytes.try_into().map_or(0, i32::from_le_bytes))
    }

    /// Reads `n` rows and how many numbers each has, and fills the registers up.
    pub(crate) fn rows(&mut self, n: usize) -> Result<(Rows, usize), Error> {
        let width = self.size(MOST_SUMS)?;
        self.limit(n, width)?;
        let numbers: Vec<f32> = self.table(n * width)?;
        let padded = lanes_for(width);
        let mut rows = Rows::zeros(n * padded);
        let to = rows.chunks_mut(padded.max(1)).zip(numbers.chunks(width.max(1)));
        to.for_each(|(to, row)| to.as_flattened_mut()[..width].copy_from_slice(row));
        Ok((rows, width))
    }

    /// Reads the stage of a random draw.
    pub fn stage(&mut self) -> Result<Stage, Error> {
        let stage = Stage::from_number(self.byte()?);
        stage.ok_or_else(|| self.wrong("it draws for an unknown stage"))
    }

    /// Reads numbers, of which there are to be `len`, or any number of them.
    pub fn table<T: Number>(&mut self, len: impl Into<Option<usize>>) -> Result<Vec<T>, Error> {
        if self.byte()? != T::TYPE {
            return Err(self.wrong("a table has numbers of another type"));
        }
        let n = self.number()?;
        let before = self.unhashed.len() - self.rest.bytes.len();
        let bytes = self.rest.array(n, T::SIZE)?;
        let hash = self.rest.take(size_of::<Hash>())?;
        if Sha256::digest(bytes)[..] != *hash {
            return Err(self.wrong("a table was altered"));
        }
        self.identity.update(&self.unhashed[..before]);
        self.unhashed = &self.unhashed[before + bytes.len()..];
        if len.into().is_some_and(|len| len as u64 != n) {
            return Err(self.wrong("a table has another length than the others"));
        }
        Ok(bytes.chunks_exact(T::SIZE).map(T::get).collect())
    }

    /// Reads the ids of some words of the vocabulary, each of which stands once.
    pub fn words(&mut self, vocabulary: &Vocabulary) -> Result<Vec<u32>, Error> {
        let words: Vec<u32> = self.table(None)?;
        let mut seen = vec![false; vocabulary.len()];
        let mut new = |&word: &u32| {
            seen.get_mut(word as usize).is_some_and(|seen| !std::mem::replace(seen, true))
        };
        if !words.iter().all(&mut new) {
            return Err(
                self.wrong("it names a word twice, or one that the vocabulary does not have")
            );
        }
        Ok(words)
    }

    /// Refuses a matrix of sums that no machine has memory for.
    pub fn limit(&self, rows: usize, columns: usize) -> Result<(), Error> {
        match rows.checked_mul(columns) {
            Some(sums) if sums <= MOST_SUMS => Ok(()),
            _ => Err(self.wrong(&format!("{rows} × {columns} sums are more than {MOST_SUMS}"))),
        }
    }

    /// Ends the pass: no byte may be left. Gives its identity.
    pub(crate) fn end(self) -> Result<Hash, Error> {
        self.rest.end()?;
        let mut identity = self.identity;
        identity.update(self.unhashed);
        Ok(identity.finalize().into())
    }
}
