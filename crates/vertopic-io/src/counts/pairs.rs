//! Lines of pairs `id:count`, one document a line, as svmlight and LDA-C have them.

use std::ops::Range;
use std::path::Path;

use crate::counts::chunks::line;
use crate::counts::collect::TOO_LONG;
use crate::counts::parse::{Ids, Notation, Place, count, shown};
use crate::counts::swar_int::two;
use crate::counts::table::Block;
use crate::error::IoError;

/// How pairs are written.
#[derive(Debug)]
pub(super) struct PairParser<'a> {
    pub(super) path: &'a Path,
    pub(super) words: Ids,
    pub(super) notation: Notation,
    /// Whether `qid:…` is passed over.
    pub(super) query_ids: bool,
}

impl PairParser<'_> {
    /// What parses a chunk, its lines one by one with `document`.
    pub(super) fn chunks(
        self,
        document: impl Fn(&[u8], usize, &Self, Place<'_>, &mut Block) -> Result<(), IoError> + Sync,
    ) -> impl Fn(&[u8], &mut Block) -> Result<(), IoError> + Sync {
        move |text, block| {
            self.each_line(text, block, |text, len, place, block| {
                document(text, len, &self, place, block)
            })
        }
    }

    /// Parses a chunk, its lines one by one with `document`, which gets the text from there on and the length
    /// of the line.
    fn each_line(
        &self,
        text: &[u8],
        block: &mut Block,
        document: impl Fn(&[u8], usize, Place<'_>, &mut Block) -> Result<(), IoError>,
    ) -> Result<(), IoError> {
        let mut at = 0;
        while at < text.len() {
            let (line, next) = line(text, at);
            block.lines += 1;
            let (place, start) =
                (Place { path: self.path, line: block.lines }, block.entries.len());
            document(&text[at..], line.len(), place, block)?;
            at = next;
            let tokens: u64 = block.entries[start..].iter().map(|&(_, c)| u64::from(c)).sum();
            if tokens > u64::from(u32::MAX) {
                return Err(place.error(format!("the document has {tokens} tokens, {TOO_LONG}")));
            }
        }
        Ok(())
    }

    /// Adds the pairs between two places of the text as a document of their own, and says how many there are.
    pub(super) fn parse(
        &self,
        text: &[u8],
        span: Range<usize>,
        place: Place<'_>,
        block: &mut Block,
    ) -> Result<u64, IoError> {
        let first = block.entries.len();
        block.runs.push((0, first));
        let mut at = span.start;
        while at < span.end {
            if text[at].is_ascii_whitespace() {
                at += 1;
            } else if let Some((pair, end)) = self.quick(text, at, span.end) {
                block.entries.push(pair);
                at = end;
            } else {
                let rest = &text[at..span.end];
                let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                block.entries.extend(self.careful(&rest[..len], place)?);
                at += len;
            }
        }
        Ok((block.entries.len() - first) as u64)
    }

    /// A pair as it is commonly written, in digits alone, and where it ends.
    #[inline]
    fn quick(&self, text: &[u8], at: usize, to: usize) -> Option<((u32, u32), usize)> {
        let (id, count, len) = two(text[at..].first_chunk()?, b':')?;
        let word = u64::from(id).wrapping_sub(self.words.first); // the largest of all if too small
        let end = at + len;
        let ends = end == to || (end < to && text[end].is_ascii_whitespace());
        (ends && word < self.words.n && count > 0).then_some(((word as u32, count), end))
    }

    /// Any token; what is wrong with it becomes an error.
    fn careful(&self, token: &[u8], place: Place<'_>) -> Result<Option<(u32, u32)>, IoError> {
        if self.query_ids && token.starts_with(b"qid:") {
            return Ok(None);
        }
        let Some(colon) = token.iter().position(|&b| b == b':') else {
            return Err(place.error(format!("{} is not a pair id:count", shown(token))));
        };
        let word = self.words.position(&token[..colon], place)? as u32;
        Ok(Some((word, count(&token[colon + 1..], self.notation, place)?)))
    }
}
