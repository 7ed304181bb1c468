//! Passes and their sums as bytes.
//!
//! Numbers are little-endian. A pass has a head (magic, version, name, the words of the documents, the filter), then its
//! parameters. A table is a type, a length, the numbers and their SHA-256, so that an engine may keep tables it has seen.
//! The identity of a pass is the SHA-256 of all of it, with the hash of each table in place of its numbers.
//!
//! Sums have a head (magic, version, name and identity of the pass) and fields. A field is an array of integers, each of 64
//! bits, or of 128 bits if one needs more, or a sorted array of 64-bit numbers. So sums of one pass can be merged without
//! knowing what it is. No length is trusted before there are as many bytes.

use sha2::{Digest, Sha256};

use crate::corpus::{DocumentFilter, Pass, Vocabulary};
use crate::error::Error;
use crate::exact::ExactSums;
use crate::seed::{Stage, mix};
use crate::simd::{Rows, lanes_for};

/// The version of both forms.
const VERSION: u32 = 1;
const PASS: &[u8; 8] = b"VTPASS\r\n";
const SUMS: &[u8; 8] = b"VTSUMS\r\n";

/// Sums that one pass may have: 16 gigabytes of them.
const MOST_SUMS: usize = if cfg!(test) { 1 << 20 } else { 1 << 31 }; // tests forge passes

type Hash = [u8; 32];

/// A number that a table can have.
pub trait Number: Copy {
    /// Which type of number, in bytes.
    const TYPE: u8;
    /// Bytes of a number.
    const SIZE: usize;
    /// Appends the bytes.
    fn put(self, out: &mut Vec<u8>);
    /// Reads [`SIZE`](Self::SIZE) bytes.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($type:ty, $code:literal) => {
        impl Number for $type {
            const TYPE: u8 = $code;
            const SIZE: usize = size_of::<$type>();

            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(Self::default(), Self::from_le_bytes)
            }
        }
    };
}

number!(u32, 0);
number!(u64, 1);
number!(f32, 2);
number!(f64, 3);

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

/// One field of the sums.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Field {
    /// Added up.
    Added(ExactSums),
    /// Brought together, in ascending order.
    Gathered(Vec<u64>),
}

/// The fields of some sums: what an accumulator writes, or reads in the same order.
#[derive(Debug)]
pub struct SumFields {
    fields: std::collections::VecDeque<Field>,
    reads: bool,
}

impl SumFields {
    /// One number.
    pub fn count(&mut self, number: &mut u64) -> Result<(), Error> {
        self.counts(std::slice::from_mut(number))
    }

    /// One number of documents.
    pub fn size(&mut self, number: &mut usize) -> Result<(), Error> {
        let mut count = *number as u64;
        self.count(&mut count)?;
        *number = usize::try_from(count).map_err(|_| too_large())?;
        Ok(())
    }

    /// Some numbers.
    pub fn counts(&mut self, numbers: &mut [u64]) -> Result<(), Error> {
        let mut sums: ExactSums = numbers.iter().map(|&n| i128::from(n)).collect();
        self.sums(&mut sums)?;
        for (to, sum) in numbers.iter_mut().zip(sums.iter()) {
            *to = u64::try_from(sum).map_err(|_| too_large())?;
        }
        Ok(())
    }

    /// Some sums that may be negative.
    pub fn integers(&mut self, numbers: &mut [i64]) -> Result<(), Error> {
        let mut sums: ExactSums = numbers.iter().map(|&n| i128::from(n)).collect();
        self.sums(&mut sums)?;
        for (to, sum) in numbers.iter_mut().zip(sums.iter()) {
            *to = i64::try_from(sum).map_err(|_| too_large())?;
        }
        Ok(())
    }

    /// One sum of up to 125 bits.
    pub fn wide(&mut self, number: &mut i128) -> Result<(), Error> {
        let mut sums: ExactSums = [*number].into_iter().collect();
        self.sums(&mut sums)?;
        *number = sums.get(0);
        Ok(())
    }

    /// Sums that may need more than 64 bits.
    pub fn sums<const N: usize>(&mut self, sums: &mut ExactSums<N>) -> Result<(), Error> {
        self.placed(sums, sums.len(), |at| at)
    }

    /// The same for rows of `padded` numbers of which the first `width` count.
    pub(crate) fn rows<const N: usize>(
        &mut self,
        sums: &mut ExactSums<N>,
        padded: usize,
        width: usize,
    ) -> Result<(), Error> {
        let rows = sums.len().checked_div(padded).unwrap_or(0);
        self.placed(sums, rows * width, |at| at / width * padded + at % width)
    }

    /// The same for `len` numbers, of which `place` says where they are.
    pub(crate) fn placed<const N: usize>(
        &mut self,
        sums: &mut ExactSums<N>,
        len: usize,
        place: impl Fn(usize) -> usize,
    ) -> Result<(), Error> {
        if !self.reads {
            let field = (0..len).map(|at| sums.get(place(at))).collect();
            self.fields.push_back(Field::Added(field));
            return Ok(());
        }
        match self.fields.pop_front() {
            Some(Field::Added(field)) if field.len() == len => {
                field.iter().enumerate().for_each(|(at, sum)| sums.set(place(at), sum));
                Ok(())
            }
            _ => Err(Error::BadSums("its fields are not those of the pass".into())),
        }
    }

    /// Numbers that are brought together. They are in ascending order when they were read.
    pub fn gathered(&mut self, numbers: &mut Vec<u64>) -> Result<(), Error> {
        if !self.reads {
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            self.fields.push_back(Field::Gathered(sorted));
            return Ok(());
        }
        match self.fields.pop_front() {
            Some(Field::Gathered(field)) => {
                *numbers = field;
                Ok(())
            }
            _ => Err(Error::BadSums("its fields are not those of the pass".into())),
        }
    }
}

fn too_large() -> Error {
    Error::BadSums("a count is negative or too large".into())
}

/// Refuses vectors of different lengths, which cannot be merged.
fn same_length(one: usize, other: usize) -> Result<(), Error> {
    if one == other {
        Ok(())
    } else {
        Err(Error::BadSums("its fields are of other lengths".into()))
    }
}

/// The sums of a pass over some documents.
#[derive(Debug)]
pub(crate) struct Sums {
    name: String,
    identity: Hash,
    fields: SumFields,
}

impl Sums {
    /// No fields yet.
    pub(crate) fn new(name: &str, identity: Hash) -> Self {
        let fields = SumFields { fields: std::collections::VecDeque::new(), reads: false };
        Self { name: name.to_owned(), identity, fields }
    }

    /// The fields, to be written or read.
    pub(crate) fn fields(&mut self) -> &mut SumFields {
        &mut self.fields
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = SUMS.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.push(self.name.len() as u8);
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(&self.identity);
        (self.fields.fields.len() as u64).put(&mut out);
        for field in &self.fields.fields {
            match field {
                Field::Added(sums) => {
                    let narrow = sums.iter().all(|sum| i64::try_from(sum).is_ok());
                    out.push(u8::from(!narrow));
                    (sums.len() as u64).put(&mut out);
                    for sum in sums.iter() {
                        if narrow {
                            out.extend_from_slice(&(sum as i64).to_le_bytes());
                        } else {
                            out.extend_from_slice(&sum.to_le_bytes());
                        }
                    }
                }
                Field::Gathered(numbers) => {
                    out.push(2);
                    (numbers.len() as u64).put(&mut out);
                    numbers.iter().for_each(|number| number.put(&mut out));
                }
            }
        }
        out
    }

    /// Reads sums.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut rest = Bytes { bytes, error: Error::BadSums };
        rest.head(SUMS)?;
        let name = rest.name()?.to_owned();
        let mut identity = Hash::default();
        identity.copy_from_slice(rest.take(size_of::<Hash>())?);
        let n = rest.number()?;
        let mut fields = std::collections::VecDeque::new();
        for _ in 0..n {
            let kind = rest.take(1)?[0];
            let len = rest.number()?;
            fields.push_back(match kind {
                0 => {
                    let sums = rest.array(len, 8)?.as_chunks().0;
                    Field::Added(sums.iter().map(|&sum| i64::from_le_bytes(sum).into()).collect())
                }
                1 => {
                    let sums = rest.array(len, 16)?.as_chunks().0;
                    let sums: Vec<i128> =
                        sums.iter().map(|&sum| i128::from_le_bytes(sum)).collect();
                    if sums.iter().any(|sum| sum.unsigned_abs() >> 123 > 0) {
                        return Err(
                            rest.wrong("a sum is larger than any number of documents makes it")
                        );
                    }
                    Field::Added(sums.into_iter().collect())
                }
                2 => {
                    let numbers = rest.array(len, 8)?.as_chunks().0;
                    let numbers: Vec<u64> =
                        numbers.iter().map(|&n| u64::from_le_bytes(n)).collect();
                    if !numbers.is_sorted() {
                        return Err(rest.wrong("numbers are not in order"));
                    }
                    Field::Gathered(numbers)
                }
                _ => return Err(rest.wrong("it has a field of an unknown kind")),
            });
        }
        rest.end()?;
        Ok(Self { name, identity, fields: SumFields { fields, reads: true } })
    }

    /// Refuses the sums of another pass.
    pub(crate) fn check(&self, name: &str, identity: Hash) -> Result<(), Error> {
        if self.name != name || self.identity != identity {
            let (one, other) = (&self.name, name);
            return Err(Error::BadSums(format!(
                "they are of another pass: {one:?} and {other:?}, or the same with other parameters"
            )));
        }
        Ok(())
    }

    /// Adds the sums of the same pass over other documents.
    pub(crate) fn merge(&mut self, other: Self) -> Result<(), Error> {
        self.check(&other.name, other.identity)?;
        same_length(self.fields.fields.len(), other.fields.fields.len())?;
        for (mine, theirs) in self.fields.fields.iter_mut().zip(other.fields.fields) {
            match (mine, theirs) {
                (Field::Added(mine), Field::Added(theirs)) => {
                    same_length(mine.len(), theirs.len())?;
                    mine.merge(&theirs);
                }
                (Field::Gathered(mine), Field::Gathered(theirs)) => {
                    mine.extend(theirs);
                    mine.sort(); // two sorted runs: merged in one sweep
                }
                _ => return Err(Error::BadSums("its fields are of other kinds".into())),
            }
        }
        Ok(())
    }

    /// Refuses fields that nobody read.
    pub(crate) fn end(self) -> Result<(), Error> {
        if self.fields.fields.is_empty() {
            return Ok(());
        }
        Err(Error::BadSums("it has more fields than the pass".into()))
    }
}

/// Bytes that are still to be read.
#[derive(Debug)]
struct Bytes<'a> {
    bytes: &'a [u8],
    error: fn(String) -> Error,
}

impl<'a> Bytes<'a> {
    fn wrong(&self, what: &str) -> Error {
        (self.error)(what.to_owned())
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.bytes.split_at_checked(n) else {
            return Err(self.wrong("it is cut off"));
        };
        self.bytes = rest;
        Ok(taken)
    }

    /// The bytes of `n` numbers.
    fn array(&mut self, n: u64, size: usize) -> Result<&'a [u8], Error> {
        let bytes = usize::try_from(n).ok().and_then(|n| n.checked_mul(size));
        self.take(bytes.unwrap_or(usize::MAX))
    }

    fn number(&mut self) -> Result<u64, Error> {
        Ok(u64::get(self.take(size_of::<u64>())?))
    }

    fn head(&mut self, magic: &[u8; 8]) -> Result<(), Error> {
        if self.bytes.get(..magic.len()) != Some(magic) {
            return Err(self.wrong("it does not begin as one"));
        }
        self.take(magic.len())?;
        let version = u32::get(self.take(size_of::<u32>())?);
        if version != VERSION {
            return Err(
                self.wrong(&format!("it has version {version}, and only {VERSION} is known"))
            );
        }
        Ok(())
    }

    fn name(&mut self) -> Result<&'a str, Error> {
        let len = self.take(1)?[0];
        let name = self.take(usize::from(len))?;
        std::str::from_utf8(name).map_err(|_| self.wrong("its name is not text"))
    }

    fn end(&self) -> Result<(), Error> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.wrong("it has bytes after its end")) }
    }
}
