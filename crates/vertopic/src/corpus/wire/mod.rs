//! Passes and their sums as bytes.
//!
//! Numbers are little-endian. A pass has a head (magic, version, name, the words of the documents, the filter), then its
//! parameters. A table is a type, a length, the numbers and their SHA-256, so that an engine may keep tables it has seen.
//! The identity of a pass is the SHA-256 of all of it, with the hash of each table in place of its numbers.
//!
//! Sums have a head (magic, version, name and identity of the pass) and fields. A field is an array of integers, each of 64
//! bits, or of 128 bits if one needs more, or a sorted array of 64-bit numbers. So sums of one pass can be merged without
//! knowing what it is. No length is trusted before there are as many bytes.

mod pass;
mod sums;

pub use pass::{PassReader, PassWriter};
pub use sums::SumFields;
pub(crate) use sums::Sums;

use crate::error::Error;

/// The version of both forms.
const VERSION: u32 = 1;
const PASS: [u8; 8] = *b"VTPASS\r\n";
const SUMS: [u8; 8] = *b"VTSUMS\r\n";

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

    fn head(&mut self, magic: [u8; 8]) -> Result<(), Error> {
        if self.bytes.get(..magic.len()) != Some(&magic[..]) {
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
