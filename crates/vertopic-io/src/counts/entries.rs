//! Lines of two ids and a count, as UCI and MatrixMarket have them.

use std::path::Path;

use crate::counts::chunks::line;
use crate::counts::parse::{Ids, MAX_WORDS, Notation, Place, count, fields, shown};
use crate::counts::repeated_prefix::First;
use crate::counts::swar_int::{one, two};
use crate::counts::table::Block;
use crate::error::IoError;

/// What stands behind the two ids.
#[derive(Debug, Clone, Copy)]
pub(super) enum Values {
    /// A count.
    Counts(Notation),
    /// Nothing: each entry counts 1.
    Ones,
}

/// How entries are written.
#[derive(Debug)]
pub(super) struct Entries<'a> {
    path: &'a Path,
    documents: Ids,
    words: Ids,
    /// Whether the word comes first.
    transpose: bool,
    values: Values,
    /// What the fields are, for messages.
    rule: &'static str,
}

impl<'a> Entries<'a> {
    /// Entries `document word count` of a file whose header says how many documents and words there are.
    pub(super) fn new(path: &'a Path, n_documents: u64, n_words: u64) -> Self {
        let ids = |what, n| Ids { what, first: 1, n, says: "the header" };
        Self {
            path,
            documents: ids("document", n_documents),
            words: ids("word", n_words.min(MAX_WORDS)),
            transpose: false,
            values: Values::Counts(Notation::Digits),
            rule: "3: document, word, count",
        }
    }

    /// The entries of a matrix.
    pub(super) fn of_matrix(self, values: Values, transpose: bool) -> Self {
        let rule = match values {
            Values::Counts(_) => "3: row, column, count",
            Values::Ones => "2: row, column",
        };
        Self { transpose, values, rule, ..self }
    }

    /// Parses a chunk.
    pub(super) fn parse(&self, text: &[u8], block: &mut Block) -> Result<(), IoError> {
        let mut at = 0;
        while at < text.len() {
            let next = match self.values {
                Values::Counts(_) => self.quick(text, at, block, |rest| two(rest, b' ')),
                Values::Ones => {
                    self.quick(text, at, block, |rest| one(rest).map(|(id, end)| (id, 1, end)))
                }
            };
            at = if next > at { next } else { self.careful(text, at, block)? };
        }
        Ok(())
    }

    /// Parses lines that start with the same id, if they are written as is common: digits, one blank, digits,
    /// one blank, digits. Gives back where the first other line starts.
    #[inline]
    fn quick(
        &self,
        text: &[u8],
        at: usize,
        block: &mut Block,
        read: impl Fn(&[u8; 16]) -> Option<(u32, u32, usize)>,
    ) -> usize {
        let Some(first) = First::new(&text[at..]) else { return at };
        let ids = if self.transpose {
            [self.words, self.documents]
        } else {
            [self.documents, self.words]
        };
        // The id 0 becomes the largest of all.
        let position = first.id().wrapping_sub(1);
        if u64::from(position) >= ids[0].n {
            return at;
        }
        let (mut next, start) = (at, block.entries.len());
        while let Some(rest) = first.rest(&text[next..]) {
            let Some((second, count, len)) = read(rest) else { break };
            let end = next + first.len() + len;
            let after = match text.get(end) {
                Some(b'\n') => end + 1,
                Some(b'\r') if text.get(end + 1) == Some(&b'\n') => end + 2,
                _ => break,
            };
            let second = second.wrapping_sub(1);
            if u64::from(second) >= ids[1].n || count == 0 {
                break;
            }
            block.entries.push((second, count));
            next = after;
            if matches!(self.values, Values::Counts(_)) {
                let digits = len - 2 - count.ilog10() as usize; // unless the count starts with zeros
                next = first.alike(digits, text, next, ids[1].n, &mut block.entries);
            }
        }
        if next == at {
            return at;
        }
        block.lines += (block.entries.len() - start) as u64;
        if !self.transpose {
            block.begin(u64::from(position), start);
            return next;
        }
        // The words all are the same, and what was read are documents.
        for k in start..block.entries.len() {
            let document = std::mem::replace(&mut block.entries[k].0, position);
            block.begin(u64::from(document), k);
        }
        next
    }

    /// Parses any line; what is wrong with it becomes an error. Gives back where the next one starts.
    fn careful(&self, text: &[u8], at: usize, block: &mut Block) -> Result<usize, IoError> {
        let (line, next) = line(text, at);
        block.lines += 1;
        let place = Place { path: self.path, line: block.lines };
        let mut f = fields(line);
        let (a, b, value) = match (f.next(), f.next(), f.next(), f.next(), self.values) {
            (Some(a), Some(b), Some(value), None, Values::Counts(_)) => (a, b, value),
            (Some(a), Some(b), None, None, Values::Ones) => (a, b, &b"1"[..]),
            (None, ..) => return Ok(next), // blank lines mean nothing
            _ => return Err(place.error(not_an_entry(line, self.rule))),
        };
        let (document, word) = if self.transpose { (b, a) } else { (a, b) };
        let notation = if let Values::Counts(n) = self.values { n } else { Notation::Digits };
        let document = self.documents.position(document, place)?;
        let word = self.words.position(word, place)? as u32;
        let pair = (word, count(value, notation, place)?);
        block.begin(document, block.entries.len());
        block.entries.push(pair);
        Ok(next)
    }
}

/// What to say of a line with too few or too many fields.
fn not_an_entry(line: &[u8], rule: &str) -> String {
    let n = fields(line).count();
    let s = if n == 1 { "" } else { "s" };
    format!("the entry {} has {n} field{s} instead of {rule}", shown(line.trim_ascii()))
}
