//! What was parsed, of a chunk and of all of them: pairs, and which document has which of them.

use std::ops::Range;

use rayon::prelude::*;

use crate::mmap::in_large_pages;

/// What a chunk says: pairs `(word, count)`, and which document has which of them.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Words are positions from 0.
    pub(super) entries: Vec<(u32, u32)>,
    /// Document and first pair of each run of pairs.
    pub(super) runs: Vec<(u64, usize)>,
    /// Labels of the runs, where there are any.
    pub(super) labels: Vec<Option<Box<str>>>,
    /// How many lines it has, or how many there were up to the one under way.
    pub(super) lines: u64,
}

impl Block {
    /// The pairs from number `first` on are of this document. Those of a document that come one after the
    /// other are one run.
    #[inline]
    pub(super) fn begin(&mut self, document: u64, first: usize) {
        if self.runs.last().is_none_or(|&(last, _)| last != document) {
            self.runs.push((document, first));
        }
    }

    /// Forgets all documents but these.
    pub(super) fn keep(&mut self, documents: &Range<u64>) {
        let ends = self.runs[1.min(self.runs.len())..].iter().map(|run| run.1);
        let ends: Vec<usize> = ends.chain([self.entries.len()]).collect();
        let mut used = 0;
        let mut ends = ends.into_iter();
        self.runs.retain_mut(|(document, start)| {
            let Some(end) = ends.next() else { return false };
            let kept = documents.contains(document);
            if kept {
                self.entries.copy_within(*start..end, used);
                (*start, used) = (used, used + (end - *start));
            }
            kept
        });
        self.entries.truncate(used);
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.runs.clear();
        self.labels.clear();
        self.lines = 0;
    }
}

/// All that was parsed.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) words: Vec<u32>,
    pub(super) counts: Vec<u32>,
    /// Document and first pair of each run of pairs.
    pub(super) runs: Vec<(u64, usize)>,
    pub(super) labels: Vec<Option<Box<str>>>,
    /// Pairs so far; what comes after them in `words` and `counts` is room.
    pub(super) used: usize,
}

impl Table {
    /// Without room for more.
    pub(super) fn fitted(mut self) -> Self {
        self.words.truncate(self.used);
        self.counts.truncate(self.used);
        self
    }

    /// Adds what the chunks of a batch say: `pairs` pairs, of perhaps `expected` in all.
    pub(super) fn append(&mut self, blocks: &mut [Block], pairs: usize, expected: usize) {
        let (start, end) = (self.used, self.used + pairs);
        if start == 0 {
            // Memory that is zero from the start costs nothing until it is written to, and then every thread
            // pays for what it writes.
            let room = end.max(expected + expected / 32);
            (self.words, self.counts) = (vec![0; room], vec![0; room]);
            in_large_pages(&mut self.words);
            in_large_pages(&mut self.counts);
        } else if end > self.words.len() {
            self.words.resize(end, 0);
            self.counts.resize(end, 0);
        }
        let (mut words, mut counts) = (&mut self.words[start..end], &mut self.counts[start..end]);
        let (mut pieces, mut at) = (Vec::with_capacity(blocks.len()), start);
        for block in blocks {
            self.runs.extend(block.runs.iter().map(|&(document, first)| (document, at + first)));
            self.labels.append(&mut block.labels);
            at += block.entries.len();
            let (w, rest) = words.split_at_mut(block.entries.len());
            words = rest;
            let (c, rest) = counts.split_at_mut(block.entries.len());
            counts = rest;
            pieces.push((&block.entries, w, c));
        }
        self.used = end;
        pieces.into_par_iter().with_max_len(1).for_each(|(pairs, words, counts)| {
            for ((pair, word), count) in pairs.iter().zip(words).zip(counts) {
                (*word, *count) = *pair;
            }
        });
    }
}
