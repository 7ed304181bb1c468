//! Sums as bytes.

use std::collections::VecDeque;

use super::{Bytes, Hash, Number, SUMS, VERSION};
use crate::error::Error;
use crate::exact::ExactSums;

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
    fields: VecDeque<Field>,
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
        let fields = SumFields { fields: VecDeque::new(), reads: false };
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
        let mut fields = VecDeque::new();
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
                    mine.sort_unstable();
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
