//! From what was parsed to a corpus: gives numbers their words and puts the pairs of a document together.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use vertopic::corpus::{Corpus, Rows};

use crate::counts::CountOptions;
use crate::counts::parse::{Place, file_error};
use crate::counts::table::Table;
use crate::error::IoError;

/// The rule for the length of a document.
pub(super) const TOO_LONG: &str = "more than the 4294967295 a document can hold";

/// What a file says of itself before its entries.
#[derive(Debug)]
pub(super) struct Header<'a> {
    /// Where it says how many entries there are.
    pub(super) place: Place<'a>,
    pub(super) n_documents: u64,
    pub(super) n_entries: u64,
}

impl Header<'_> {
    /// It is to be true of the entries that were found, of at most `filled` documents.
    pub(super) fn check(&self, entries: u64, filled: u64) -> Result<(), IoError> {
        let Self { place, n_documents, n_entries } = *self;
        if n_entries != entries {
            let problem =
                format!("the header says {n_entries} entries, but the file has {entries}");
            return Err(place.error(problem));
        }
        if too_many_empty(n_documents, filled, entries) {
            let problem = format!(
                "the header says {n_documents} documents, but only {filled} of them have entries: \
                 too many empty ones to be right"
            );
            return Err(file_error(place.path, problem));
        }
        Ok(())
    }
}

/// Whether so many of `documents` are empty that the header must be wrong. Documents cost memory even without entries,
/// so a header may not claim them at will.
pub(super) fn too_many_empty(documents: u64, filled: u64, entries: u64) -> bool {
    documents.saturating_sub(filled) > 1_000_000 + 10 * entries
}

impl Table {
    /// The corpus, if every run of pairs is a document, and how many pairs named a word that their document had
    /// named before.
    pub(super) fn runs_are_documents(
        self,
        options: &CountOptions,
        path: &Path,
    ) -> Result<(Corpus, u64), IoError> {
        let Self { words, counts, runs, labels, .. } = self;
        // The first run starts at 0; without any there is no pair either.
        let offsets = std::iter::once(0).chain(runs.iter().skip(1).map(|run| run.1));
        let offsets = offsets.chain((!runs.is_empty()).then_some(words.len())).collect();
        let mut rows = Rows::new(offsets, words, counts);
        if !labels.is_empty() {
            rows = rows.with_labels(labels);
        }
        finish(rows, 0, options, path)
    }

    /// The number of documents with entries. The runs must be in the order of their documents.
    pub(super) fn filled(&self) -> u64 {
        self.runs.chunk_by(|a, b| a.0 == b.0).count() as u64
    }

    /// Cuts off the entries of the last document. The runs must be in the order of their documents.
    pub(super) fn split_last(&mut self) -> Option<(u64, Table)> {
        let &(last, _) = self.runs.last()?;
        let first = self.runs.partition_point(|&(document, _)| document < last);
        let start = self.runs[first].1;
        self.runs.truncate(first);
        let (words, counts) = (self.words.split_off(start), self.counts.split_off(start));
        let used = words.len();
        self.used = start;
        Some((last, Table { words, counts, runs: vec![(last, 0)], labels: Vec::new(), used }))
    }

    /// The corpus of these documents, those without pairs included, if a run names its document; and how many pairs
    /// named a word that their document had named before.
    pub(super) fn runs_name_documents(
        mut self,
        documents: Range<u64>,
        options: &CountOptions,
        path: &Path,
    ) -> Result<(Corpus, u64), IoError> {
        self.sort();
        let n_documents = (documents.end - documents.start) as usize;
        let mut offsets = Vec::with_capacity(n_documents + 1);
        for &(document, start) in &self.runs {
            // Documents up to this one start here, unless an earlier run of it did.
            let document = (document - documents.start) as usize;
            offsets.resize((document + 1).max(offsets.len()), start);
        }
        offsets.resize(n_documents + 1, self.words.len());
        let rows = Rows::new(offsets, self.words, self.counts);
        finish(rows, documents.start, options, path)
    }

    /// Whether the runs are in the order of their documents.
    pub(super) fn is_sorted(&self) -> bool {
        self.runs.is_sorted_by_key(|&(document, _)| document)
    }

    /// Puts the runs in the order of their documents.
    pub(super) fn sort(&mut self) {
        if self.is_sorted() {
            return;
        }
        let ends = self.runs.iter().skip(1).map(|run| run.1).chain([self.words.len()]);
        let mut runs: Vec<(u64, usize, usize)> = self
            .runs
            .iter()
            .zip(ends)
            .map(|(&(document, start), end)| (document, start, end))
            .collect();
        runs.sort_unstable();
        let (mut words, mut counts) = (Vec::new(), Vec::new());
        words.reserve_exact(self.words.len());
        counts.reserve_exact(self.counts.len());
        self.runs.clear();
        for (document, start, end) in runs {
            self.runs.push((document, words.len()));
            words.extend_from_slice(&self.words[start..end]);
            counts.extend_from_slice(&self.counts[start..end]);
        }
        (self.words, self.counts) = (words, counts);
    }
}

/// Words are positions in the vocabulary of the options; without one they are named by their number. So many documents
/// come before these.
fn finish(
    mut rows: Rows,
    before: u64,
    options: &CountOptions,
    path: &Path,
) -> Result<(Corpus, u64), IoError> {
    let words = options.vocab.clone().unwrap_or_else(|| number(rows.words_mut()));
    Corpus::from_rows(words, rows).map_err(|e| {
        let problem = match e {
            // Documents count from 1, as in the file.
            vertopic::Error::DocumentTooLong { document, tokens } => {
                let document = before + document as u64 + 1;
                format!("document {document} has {tokens} tokens, {TOO_LONG}")
            }
            other => other.to_string(),
        };
        file_error(path, problem)
    })
}

/// What to say of so many pairs that were added to others.
pub(super) fn repeated(path: &Path, merged: u64) -> Vec<String> {
    let name = if merged == 1 { "entry names" } else { "entries name" };
    let said = || {
        format!(
            "{}: {merged} {name} a word that its document had named before; the counts were added",
            path.display(),
        )
    };
    (merged > 0).then(said).into_iter().collect()
}

/// Positions below this are looked up in a table, of 16 MiB at most. A single large number must not cost a
/// large table.
const LOW: u32 = 1 << 22;

/// Turns positions into ranks among those that occur, and gives the numbers that name them, from 1.
fn number(words: &mut [u32]) -> Vec<String> {
    let share = words.len().div_ceil(rayon::current_num_threads()).max(1);
    let found = words.par_chunks(share).map(occurring).collect::<Vec<_>>();
    let mut positions = found.concat();
    positions.sort_unstable();
    positions.dedup();
    let low = positions.partition_point(|&position| position < LOW);
    let mut ranks = vec![0; low.checked_sub(1).map_or(0, |last| positions[last] as usize + 1)];
    for (rank, &position) in positions[..low].iter().enumerate() {
        ranks[position as usize] = rank as u32;
    }
    words.par_iter_mut().for_each(|word| {
        let beyond = || low + positions[low..].partition_point(|position| position < word);
        *word = ranks.get(*word as usize).copied().unwrap_or_else(|| beyond() as u32);
    });
    positions.iter().map(|&position| (u64::from(position) + 1).to_string()).collect()
}

/// The positions that occur, each once.
fn occurring(words: &[u32]) -> Vec<u32> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for &word in words {
        if word >= LOW {
            high.push(word);
            continue;
        }
        if word as usize >= low.len() {
            low.resize((word as usize + 1).next_power_of_two(), false);
        }
        low[word as usize] = true;
    }
    high.sort_unstable();
    high.dedup();
    let low = low.iter().enumerate().filter(|&(_, &occurs)| occurs).map(|(word, _)| word as u32);
    low.chain(high).collect()
}
