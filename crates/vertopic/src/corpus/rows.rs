//! Documents laid end to end, and how they get their canonical form, on all threads of the current pool.
//!
//! Each document is dealt with alone, so the cuts between threads leave no trace.

use rayon::prelude::*;

use crate::corpus::document::DocumentKey;
use crate::corpus::vocabulary::{Vocabulary, word_key};
use crate::corpus::{Corpus, InfoColumns};
use crate::error::Error;
use crate::seed::mix;

/// Pairs that a thread takes at a time, about.
const STEP: usize = if cfg!(test) { 8 } else { 1 << 16 };

/// Documents laid end to end, their words in any order, as readers of large files find them.
#[derive(Debug)]
pub struct Rows {
    pub(super) offsets: Vec<usize>,
    pub(super) words: Vec<u32>,
    pub(super) counts: Vec<u32>,
    pub(super) info: InfoColumns,
}

impl Default for Rows {
    /// No document.
    fn default() -> Self {
        Self {
            offsets: vec![0],
            words: Vec::new(),
            counts: Vec::new(),
            info: InfoColumns::default(),
        }
    }
}

impl Rows {
    /// Document `d` has the pairs from `offsets[d]` to `offsets[d + 1]`. Panics if the offsets do not ascend
    /// from 0 to the number of pairs.
    pub fn new(offsets: Vec<usize>, words: Vec<u32>, counts: Vec<u32>) -> Self {
        let ends = (offsets.first(), offsets.last());
        assert!(ends == (Some(&0), Some(&words.len())) && words.len() == counts.len());
        assert!(offsets.is_sorted());
        Self { offsets, words, counts, info: InfoColumns::default() }
    }

    /// Gives each document its label. Panics if there are not as many labels as documents.
    #[must_use]
    pub fn with_labels(mut self, labels: Vec<Option<Box<str>>>) -> Self {
        assert_eq!(labels.len(), self.offsets.len() - 1);
        let some = labels.iter().any(Option::is_some);
        self.info.labels = if some { labels } else { Vec::new() };
        self
    }

    /// The words of all documents, for one who gives them other ids.
    pub fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// Gives words their new ids, puts those of each document in order and adds the counts of a word that
    /// a document names more than once. Gives back how many pairs that saved, and if none the keys and the number
    /// of tokens.
    fn canonical(
        &mut self,
        vocabulary: &Vocabulary,
        new_id: &[u32],
    ) -> Result<(u64, Vec<DocumentKey>, u64), Error> {
        let mut keys = vec![DocumentKey(0); self.offsets.len() - 1];
        let (mut pieces, mut rest) =
            (Vec::new(), (&mut self.words[..], &mut self.counts[..], &mut keys[..]));
        for (first, offsets) in cuts(&self.offsets) {
            let pairs = offsets[offsets.len() - 1] - offsets[0];
            let (words, counts) = (rest.0.split_at_mut(pairs), rest.1.split_at_mut(pairs));
            let keys = rest.2.split_at_mut(offsets.len() - 1);
            pieces.push((first, offsets, words.0, counts.0, keys.0));
            rest = (words.1, counts.1, keys.1);
        }
        let (info, in_order) = (&self.info, new_id.is_sorted());
        let pieces = pieces.into_par_iter().map(|(first, offsets, words, counts, keys)| {
            let (mut merged, mut scratch) = (Vec::new(), Vec::new());
            for (d, span) in offsets.windows(2).enumerate() {
                let span = span[0] - offsets[0]..span[1] - offsets[0];
                let (w, c) = (&mut words[span.clone()], &mut counts[span]);
                let ascending = (in_order && common(w, c, new_id.len()))
                    || rename(first + d, w, c, vocabulary, new_id)?;
                if !ascending {
                    let left = sort(w, c, &mut scratch);
                    if left < w.len() {
                        merged.push((first + d, left));
                    }
                }
            }
            if merged.is_empty() {
                find_keys((words, counts), offsets, |d| info.id(first + d), vocabulary, keys);
            }
            Ok((merged, sum(counts)))
        });
        // In order, so that the first document that is refused is the one reported.
        let (mut shorter, mut tokens) = (Vec::new(), 0);
        for piece in pieces.collect::<Vec<Result<(Vec<_>, u64), Error>>>() {
            let (merged, sum) = piece?;
            shorter.extend(merged);
            tokens += sum;
        }
        Ok((self.close_gaps(&shorter), keys, tokens))
    }

    /// Moves documents together where some have fewer pairs than before: `(document, pairs left)`.
    fn close_gaps(&mut self, shorter: &[(usize, usize)]) -> u64 {
        if shorter.is_empty() {
            return 0;
        }
        let (mut shorter, mut to) = (shorter.iter().peekable(), 0);
        for d in 0..self.offsets.len() - 1 {
            let (start, end) = (self.offsets[d], self.offsets[d + 1]);
            let left = shorter.next_if(|(document, _)| *document == d);
            let end = left.map_or(end, |(_, left)| start + left);
            self.words.copy_within(start..end, to);
            self.counts.copy_within(start..end, to);
            self.offsets[d] = to;
            to += end - start;
        }
        let before = self.words.len();
        if let Some(last) = self.offsets.last_mut() {
            *last = to;
        }
        self.words.truncate(to);
        self.counts.truncate(to);
        (before - to) as u64
    }
}

/// Pieces of whole documents with about [`STEP`] pairs or documents each: first document, and offsets.
fn cuts(offsets: &[usize]) -> impl Iterator<Item = (usize, &[usize])> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let n = offsets.len() - 1 - first;
        if n == 0 {
            return None;
        }
        let within = offsets[first + 1..].partition_point(|&end| end <= offsets[first] + STEP);
        let piece = (first, &offsets[first..=first + within.clamp(1, STEP).min(n)]);
        first += piece.1.len() - 1;
        Some(piece)
    })
}

/// Whether a document is in canonical form and its counts are so small that all is well with them. If not, it is to be
/// looked at with more care.
#[allow(clippy::needless_bitwise_bool)] // a loop that may stop at any step is not made wide
fn common(words: &[u32], counts: &[u32], n: usize) -> bool {
    let ascending =
        words.iter().zip(words.iter().skip(1)).fold(true, |so_far, (a, b)| so_far & (a < b));
    // A count of 0 becomes the largest.
    let small =
        counts.iter().fold(true, |so_far, &count| so_far & (count.wrapping_sub(1) < 1 << 16));
    ascending
        && small
        && counts.len() < 1 << 15
        && words.last().is_none_or(|&last| (last as usize) < n)
}

/// Checks a document and gives its words their new ids. Says whether these ascend.
fn rename(
    document: usize,
    words: &mut [u32],
    counts: &[u32],
    vocabulary: &Vocabulary,
    new_id: &[u32],
) -> Result<bool, Error> {
    let (mut tokens, mut ascending, mut least) = (0_u64, true, 0);
    for (word, &count) in words.iter_mut().zip(counts) {
        let Some(&id) = new_id.get(*word as usize) else {
            return Err(Error::UnknownWordId { document, id: *word, words: new_id.len() });
        };
        if count == 0 {
            return Err(Error::ZeroCount { document, word: vocabulary.word(id).to_owned() });
        }
        tokens += u64::from(count);
        ascending &= id >= least;
        least = id + 1; // ids are below u32::MAX
        *word = id;
    }
    if tokens > u64::from(u32::MAX) {
        return Err(Error::DocumentTooLong { document, tokens });
    }
    Ok(ascending)
}

/// Sorts the pairs of a document and joins those of the same word. Gives back how many are left.
fn sort(words: &mut [u32], counts: &mut [u32], scratch: &mut Vec<u64>) -> usize {
    scratch.clear();
    // One number a pair, the word in front, is sorted faster than two.
    scratch.extend(words.iter().zip(&*counts).map(|(&w, &c)| u64::from(w) << 32 | u64::from(c)));
    scratch.sort_unstable();
    let mut left = 0;
    for same in scratch.chunk_by(|a, b| a >> 32 == b >> 32) {
        words[left] = (same[0] >> 32) as u32;
        counts[left] = same.iter().map(|&pair| pair as u32).sum(); // at most the tokens, which were checked
        left += 1;
    }
    left
}

impl Corpus {
    /// The corpus of documents whose word ids are positions in `words`, and how many pairs named a word
    /// that their document had named before; their counts were added.
    ///
    /// ```
    /// use vertopic::corpus::{Corpus, Rows};
    /// let rows = Rows::new(vec![0, 2, 2, 4], vec![0, 1, 1, 1], vec![5, 3, 1, 1]);
    /// let (corpus, merged) = Corpus::from_rows(vec!["sun".into(), "sea".into()], rows)?;
    /// assert_eq!(corpus.document(0).counts, [3, 5]); // sea, sun
    /// assert_eq!((corpus.n_documents(), corpus.document(2).counts, merged), (3, &[2][..], 1));
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn from_rows(words: Vec<String>, mut rows: Rows) -> Result<(Corpus, u64), Error> {
        let (vocabulary, new_id) = Vocabulary::ranked(words)?;
        let (merged, keys, tokens) = rows.canonical(&vocabulary, &new_id)?;
        let Rows { offsets, words, counts, info } = rows;
        if merged > 0 {
            return Ok((Self::assemble(vocabulary, offsets, words, counts, info), merged));
        }
        Ok((Self { vocabulary, offsets, words, counts, keys, tokens, info }, 0))
    }

    /// Computes the keys of documents that are in canonical form.
    pub(super) fn assemble(
        vocabulary: Vocabulary,
        offsets: Vec<usize>,
        words: Vec<u32>,
        counts: Vec<u32>,
        info: InfoColumns,
    ) -> Self {
        let mut keys = vec![DocumentKey(0); offsets.len() - 1];
        let (mut pieces, mut rest) = (Vec::new(), &mut keys[..]);
        for (first, offsets) in cuts(&offsets) {
            let (piece, others) = rest.split_at_mut(offsets.len() - 1);
            rest = others;
            pieces.push((first, offsets, piece));
        }
        let tokens = pieces.into_par_iter().map(|(first, offsets, keys)| {
            let span = offsets[0]..offsets[offsets.len() - 1];
            let pairs = (&words[span.clone()], &counts[span]);
            find_keys(pairs, offsets, |d| info.id(first + d), &vocabulary, keys);
            sum(pairs.1)
        });
        let tokens = tokens.sum();
        Self { vocabulary, offsets, words, counts, keys, tokens, info }
    }
}

fn sum(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| u64::from(count)).sum()
}

/// The keys of documents as [`DocumentKey::new`] has them. The words and counts are those from the first of the
/// offsets on.
///
/// A key is a chain of multiplications, each of which waits for the one before; so several documents
/// are worked on side by side.
fn find_keys<'a>(
    (words, counts): (&[u32], &[u32]),
    offsets: &[usize],
    id: impl Fn(usize) -> Option<&'a str>,
    vocabulary: &Vocabulary,
    keys: &mut [DocumentKey],
) {
    let step = |h: u64, w: u32, c: u32| mix(h ^ vocabulary.key(w).wrapping_add(u64::from(c)));
    let (mut lanes, mut next) = ([Lane::default(); LANES], 0);
    loop {
        for lane in &mut lanes {
            while lane.words.is_empty() {
                if let Some(d) = lane.document {
                    keys[d] = DocumentKey(lane.h);
                }
                *lane = Lane::default();
                if next == keys.len() {
                    break;
                }
                let span = offsets[next] - offsets[0]..offsets[next + 1] - offsets[0];
                lane.h = id(next).map_or(0, |id| mix(word_key(id)));
                (lane.words, lane.counts) = (&words[span.clone()], &counts[span]);
                lane.document = Some(next);
                next += 1;
            }
        }
        let steps = lanes.iter().map(|lane| lane.words.len()).min().unwrap_or(0);
        if steps == 0 {
            break; // the documents have run out
        }
        let mut h = lanes.map(|lane| lane.h);
        let words = lanes.map(|lane| &lane.words[..steps]);
        let counts = lanes.map(|lane| &lane.counts[..steps]);
        for k in 0..steps {
            for l in 0..LANES {
                h[l] = step(h[l], words[l][k], counts[l][k]);
            }
        }
        for (lane, h) in lanes.iter_mut().zip(h) {
            lane.h = h;
            (lane.words, lane.counts) = (&lane.words[steps..], &lane.counts[steps..]);
        }
    }
    for lane in lanes {
        if let Some(d) = lane.document {
            let pairs = lane.words.iter().zip(lane.counts);
            keys[d] = DocumentKey(pairs.fold(lane.h, |h, (&w, &c)| step(h, w, c)));
        }
    }
}

/// Documents whose keys are worked on side by side.
const LANES: usize = 8;

/// A document whose key is being worked on: what is left of it, and the hash of what is not.
#[derive(Clone, Copy, Default)]
struct Lane<'a> {
    document: Option<usize>,
    words: &'a [u32],
    counts: &'a [u32],
    h: u64,
}
