//! From entries to a corpus: gives numbers their words and puts the entries of a document together.

use std::collections::HashMap;
use std::path::Path;

use vertopic::corpus::{CorpusBuilder, DocumentInfo};

use crate::counts::parse::{Ids, MAX_WORDS, Notation, Place, count, file_error};
use crate::counts::{CountOptions, CountsRead};
use crate::error::IoError;

/// Takes documents whose words are positions from 0, in the order of the input.
#[derive(Debug)]
pub(super) struct Collector {
    builder: CorpusBuilder,
    numbered: Option<Numbered>,
}

impl Collector {
    /// A collector with the words of the options, or one that names words by their number.
    pub(super) fn new(options: &CountOptions) -> Self {
        match &options.vocab {
            Some(words) => {
                Self { builder: CorpusBuilder::with_words(words.clone()), numbered: None }
            }
            None => Self { builder: CorpusBuilder::new(), numbered: Some(Numbered::default()) },
        }
    }

    /// Adds a document. The pairs are changed; the caller has no more use for them.
    pub(super) fn push(
        &mut self,
        pairs: &mut [(u32, u32)],
        info: DocumentInfo,
    ) -> Result<(), vertopic::Error> {
        if let Some(numbered) = &mut self.numbered {
            for (word, _) in pairs.iter_mut() {
                *word = numbered.id(*word, &mut self.builder);
            }
        }
        self.builder.push(pairs, info)
    }

    /// The corpus.
    pub(super) fn finish(self, path: &Path) -> Result<CountsRead, IoError> {
        let mut warnings = Vec::new();
        let merged = self.builder.merged_pairs();
        if merged > 0 {
            warnings.push(format!(
                "{}: {merged} {} a word that its document had named before; the counts were added",
                path.display(),
                if merged == 1 { "entry names" } else { "entries name" },
            ));
        }
        let corpus = self.builder.finish().map_err(|e| file_error(path, e.to_string()))?;
        Ok(CountsRead { corpus, warnings })
    }
}

/// Entries of a file whose header says how many documents, words and entries there are.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    header: Place<'a>,
    documents: Ids,
    words: Ids,
    n_entries: u64,
    entries: Entries,
}

impl<'a> Declared<'a> {
    /// The header stands at `header`; its ids count from 1.
    pub(super) fn new(n_documents: u64, n_words: u64, n_entries: u64, header: Place<'a>) -> Self {
        let ids = |what, n| Ids { what, first: 1, n, says: "the header" };
        Self {
            header,
            documents: ids("document", n_documents),
            words: ids("word", n_words.min(MAX_WORDS)),
            n_entries,
            entries: Entries::default(),
        }
    }

    /// Adds an entry as written.
    pub(super) fn add(
        &mut self,
        [document, word, value]: [&[u8]; 3],
        notation: Notation,
        place: Place<'_>,
    ) -> Result<(), IoError> {
        let document = self.documents.position(document, place)?;
        let word = self.words.position(word, place)? as u32;
        self.entries.add(document, word, count(value, notation, place)?);
        Ok(())
    }

    /// The corpus, if there are as many entries as the header says.
    pub(super) fn collect(self, options: &CountOptions) -> Result<CountsRead, IoError> {
        let (says, has) = (self.n_entries, self.entries.len());
        if says != has {
            let problem = format!("the header says {says} entries, but the file has {has}");
            return Err(self.header.error(problem));
        }
        self.entries.collect(self.documents.n, options, self.header.path)
    }
}

/// Names words by their number, from 1, in the order in which they turn up.
#[derive(Debug, Default)]
struct Numbered {
    /// Ids of the words with small numbers, plus 1; 0 is unknown.
    low: Vec<u32>,
    /// Ids of the others. A single large number must not cost a large table.
    high: HashMap<u32, u32>, // looked up, never walked
}

impl Numbered {
    /// Numbers below this are looked up in a table, of 16 MiB at most.
    const LOW: u32 = 1 << 22;

    fn id(&mut self, position: u32, builder: &mut CorpusBuilder) -> u32 {
        let name =
            |builder: &mut CorpusBuilder| builder.word(&(u64::from(position) + 1).to_string());
        if position >= Self::LOW {
            return *self.high.entry(position).or_insert_with(|| name(builder));
        }
        let at = position as usize;
        if at >= self.low.len() {
            self.low.resize((at + 1).next_power_of_two(), 0);
        }
        if self.low[at] == 0 {
            self.low[at] = name(builder) + 1;
        }
        self.low[at] - 1
    }
}

/// Entries `(document, word, count)` in any order. Entries of a document that come one after the other
/// are one run, so a file in order of documents takes little more than its pairs.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pairs: Vec<(u32, u32)>,
    /// Document and first pair of each run.
    runs: Vec<(u64, usize)>,
}

impl Entries {
    /// Adds an entry; document and word are positions from 0.
    #[inline]
    pub(super) fn add(&mut self, document: u64, word: u32, count: u32) {
        if self.runs.last().is_none_or(|&(last, _)| last != document) {
            self.runs.push((document, self.pairs.len()));
        }
        self.pairs.push((word, count));
    }

    /// Number of entries.
    pub(super) fn len(&self) -> u64 {
        self.pairs.len() as u64
    }

    /// Puts the documents together, those without entries included.
    pub(super) fn collect(
        mut self,
        n_documents: u64,
        options: &CountOptions,
        path: &Path,
    ) -> Result<CountsRead, IoError> {
        let ends = self.runs.iter().skip(1).map(|&(_, start)| start).chain([self.pairs.len()]);
        let mut runs: Vec<(u64, usize, usize)> = self
            .runs
            .iter()
            .zip(ends)
            .map(|(&(document, start), end)| (document, start, end))
            .collect();
        self.runs = Vec::new();
        runs.sort_unstable();
        let filled = runs.chunk_by(|a, b| a.0 == b.0).count() as u64;
        self.check_empty(n_documents, filled, path)?;

        let mut collector = Collector::new(options);
        let (mut scratch, mut next) = (Vec::new(), 0);
        for document in 0..n_documents {
            let first = next;
            while runs.get(next).is_some_and(|run| run.0 == document) {
                next += 1;
            }
            let pairs = if let [(_, start, end)] = runs[first..next] {
                &mut self.pairs[start..end]
            } else {
                scratch.clear();
                runs[first..next].iter().for_each(|r| scratch.extend(&self.pairs[r.1..r.2]));
                &mut scratch[..]
            };
            collector
                .push(pairs, DocumentInfo::default())
                .map_err(|e| refused(path, document, e))?;
        }
        collector.finish(path)
    }

    /// Documents cost memory even without entries, so a header may not claim them at will.
    fn check_empty(&self, n_documents: u64, filled: u64, path: &Path) -> Result<(), IoError> {
        if n_documents - filled > 1_000_000 + 10 * self.len() {
            let problem = format!(
                "the header says {n_documents} documents, but only {filled} of them have entries: \
                 too many empty ones to be right"
            );
            return Err(file_error(path, problem));
        }
        Ok(())
    }
}

/// A document that the library refused; its number counts from 1, as in the file.
fn refused(path: &Path, document: u64, error: vertopic::Error) -> IoError {
    match error {
        vertopic::Error::DocumentTooLong { tokens, .. } => {
            file_error(path, format!("document {} has {tokens} tokens, {TOO_LONG}", document + 1))
        }
        other => other.into(),
    }
}

/// The rule for the length of a document.
pub(super) const TOO_LONG: &str = "more than the 4294967295 a document can hold";
