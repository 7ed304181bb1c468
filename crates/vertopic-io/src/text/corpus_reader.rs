//! Documents of text in, a corpus out; the words are counted on all threads.
//!
//! Documents are collected in batches. A batch is cut into chunks, each counted in a vocabulary of
//! its own and merged into the corpus in order. The corpus puts words in canonical order in the
//! end, so the cuts leave no trace.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;
use vertopic::context::{Context, Progress};
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo, Texts, UNKNOWN, Vocabulary};

use crate::error::IoError;
use crate::spool::SpoolBuilder;
use crate::text::tokenizer::{Scratch, Tokenizer};

/// Bytes of text that are collected before they are counted.
const BATCH_BYTES: usize = 1 << 24;
/// Documents that are collected before they are counted, however short.
const BATCH_DOCUMENTS: usize = 1 << 16;
/// Bytes between two reports of progress.
const REPORT_BYTES: u64 = 1 << 18;

/// Where in the input a document stands, for messages.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The file.
    pub path: &'a Path,
    /// The line, from 1, where lines make sense.
    pub line: Option<u64>,
}

impl<'a> Place<'a> {
    /// A line of a file.
    pub fn line(path: &'a Path, line: u64) -> Self {
        Self { path, line: Some(line) }
    }

    /// An error at this place.
    pub fn error(&self, problem: impl Into<String>, hint: Option<&str>) -> IoError {
        IoError::Data {
            path: self.path.to_owned(),
            line: self.line,
            problem: problem.into(),
            hint: hint.map(str::to_owned),
        }
    }
}

/// Collects text documents and counts their words.
///
/// ```
/// use vertopic::corpus::DocumentInfo;
/// use vertopic::context::Context;
/// use vertopic_io::text::{CorpusReader, Tokenizer, TokenizerOptions};
/// let (run, tokenizer) = (Context::silent()?, Tokenizer::new(&TokenizerOptions::default())?);
/// let mut gather = CorpusReader::new(&tokenizer, false, &ctx);
/// gather.push("The sea, the sea!".to_owned(), DocumentInfo::default())?;
/// let corpus = gather.finish()?.corpus;
/// assert_eq!(corpus.vocabulary().words(), ["sea"]);
/// assert_eq!(corpus.document(0).counts, [2]);
/// # Ok::<(), vertopic_io::IoError>(())
/// ```
#[derive(Debug)]
pub struct CorpusReader<'a> {
    tokenizer: &'a Tokenizer,
    ctx: &'a Context<'a>,
    progress: Option<Progress<'a>>,
    /// Bytes of the file that are yet to be read, whether it is compressed, and bytes yet to
    /// report.
    bytes_left: u64,
    packed: bool,
    unreported: u64,
    strict: bool,
    batch: Vec<(String, DocumentInfo)>,
    batch_bytes: usize,
    builder: CorpusBuilder,
    /// Where documents go instead.
    spool: Option<&'a mut SpoolBuilder>,
    /// The words whose order is kept, and the order.
    ordered: Option<(&'a Vocabulary, Texts)>,
    documents: u64,
    /// Documents with bytes that are not UTF-8, whether the one under way is such, and the first.
    undecodable: u64,
    current_undecodable: bool,
    first_undecodable: Option<String>,
    warnings: Vec<String>,
}

/// What was gathered.
#[derive(Debug)]
pub struct Gathered {
    /// The documents, in the order they came.
    pub corpus: Corpus,
    /// Their words in order, if it was asked for.
    pub texts: Option<Texts>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl<'a> CorpusReader<'a> {
    /// Nothing yet. `strict` makes bytes that are not UTF-8 an error, else they are replaced and
    /// counted.
    pub fn new(tokenizer: &'a Tokenizer, strict: bool, ctx: &'a Context<'a>) -> Self {
        Self {
            tokenizer,
            ctx,
            progress: None,
            bytes_left: 0,
            packed: false,
            unreported: 0,
            strict,
            batch: Vec::new(),
            batch_bytes: 0,
            builder: CorpusBuilder::new(),
            spool: None,
            ordered: None,
            documents: 0,
            undecodable: 0,
            current_undecodable: false,
            first_undecodable: None,
            warnings: Vec::new(),
        }
    }

    /// Also keeps the order of words, as ids of `words`; every other word is [`UNKNOWN`] in its place.
    pub fn keep_order(&mut self, words: &'a Vocabulary) {
        self.ordered = Some((words, Texts::default()));
    }

    /// Documents go there, and what is gathered has none.
    pub(crate) fn send_to(&mut self, spool: &'a mut SpoolBuilder) {
        self.spool = Some(spool);
    }

    /// Announces how many bytes all files have.
    pub fn expect_bytes(&mut self, bytes: u64) {
        self.progress = Some(self.ctx.stage("reading text", bytes));
    }

    /// Announces the next file: its bytes on disk, and whether they are compressed.
    pub fn begin_file(&mut self, bytes: u64, packed: bool) {
        (self.bytes_left, self.packed) = (bytes, packed);
    }

    /// So many more bytes of the file were read, after decompression.
    pub fn advance(&mut self, bytes: u64) {
        // Compressed bytes are not seen here; text is commonly a third of its size. The end of the
        // file sets it right.
        let bytes = if self.packed { bytes.div_ceil(3) } else { bytes };
        self.report(bytes.min(self.bytes_left));
    }

    /// The file was read to its end.
    pub fn end_file(&mut self) {
        self.report(self.bytes_left);
    }

    fn report(&mut self, bytes: u64) {
        self.bytes_left -= bytes;
        self.unreported += bytes;
        if let Some(progress) = &self.progress
            && (self.unreported >= REPORT_BYTES || self.bytes_left == 0)
        {
            progress.advance(std::mem::take(&mut self.unreported));
        }
    }

    /// Number of documents so far.
    pub fn n_documents(&self) -> u64 {
        self.documents
    }

    /// Adds something the user should know.
    pub fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Text of the next document, or a part of it. Bytes that are not UTF-8 become U+FFFD, which is
    /// no part of a word.
    pub fn decode(&mut self, bytes: &[u8], place: &Place<'_>) -> Result<String, IoError> {
        let bad = match std::str::from_utf8(bytes) {
            Ok(text) => return Ok(text.to_owned()),
            Err(e) => e.valid_up_to(),
        };
        if self.strict {
            return Err(place.error(
                format!("byte 0x{:02X} at byte offset {bad} is not UTF-8", bytes[bad]),
                Some("convert it to UTF-8 (iconv), or leave out --strict"),
            ));
        }
        self.undecodable += u64::from(!std::mem::replace(&mut self.current_undecodable, true));
        self.first_undecodable.get_or_insert_with(|| match place.line {
            Some(line) => format!("{}, line {line}", place.path.display()),
            None => place.path.display().to_string(),
        });
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Adds a document.
    pub fn push(&mut self, text: String, info: DocumentInfo) -> Result<(), IoError> {
        self.documents += 1;
        self.current_undecodable = false;
        self.batch_bytes += text.len();
        self.batch.push((text, info));
        if self.batch_bytes >= BATCH_BYTES || self.batch.len() >= BATCH_DOCUMENTS {
            self.count()?;
        }
        Ok(())
    }

    /// The corpus of all documents.
    pub fn finish(mut self) -> Result<Gathered, IoError> {
        self.count()?;
        if let Some(first) = &self.first_undecodable {
            self.warnings.push(format!(
                "{} of {} documents had bytes that are not UTF-8; they were replaced by U+FFFD \
                 (first in {first})",
                self.undecodable, self.documents
            ));
        }
        let (ctx, builder) = (self.ctx, self.builder);
        Ok(Gathered {
            corpus: ctx.install(|| builder.finish())?,
            texts: self.ordered.map(|(_, texts)| texts),
            warnings: self.warnings,
        })
    }

    /// Counts the words of the batch and empties it.
    fn count(&mut self) -> Result<(), IoError> {
        let batch = std::mem::take(&mut self.batch);
        let (tokenizer, in_order) = (self.tokenizer, self.ordered.is_some());
        // A few chunks per thread, so that long documents in one of them do not hold up the others.
        let chunk = batch.len().div_ceil(self.ctx.threads() * 4).max(1);
        let counted: Vec<Counted> = self.ctx.install(|| {
            let counted = |documents: &[_]| Counted::new(documents, tokenizer, in_order);
            batch.par_chunks(chunk).map(counted).collect()
        });
        let mut pairs = Vec::new();
        let mut documents = batch.into_iter();
        for counted in counted {
            let id = |word: &String| match &mut self.spool {
                Some(spool) => spool.word(word),
                None => self.builder.word(word),
            };
            let ids: Vec<u32> = counted.words.iter().map(id).collect();
            if let Some((words, texts)) = &mut self.ordered {
                let known: Vec<u32> =
                    counted.words.iter().map(|w| words.id(w).unwrap_or(UNKNOWN)).collect();
                for d in 0..counted.order.n_documents() {
                    texts.push(counted.order.text(d).iter().map(|&w| known[w as usize]));
                }
            }
            let mut start = 0;
            for (end, (_, info)) in counted.ends.into_iter().zip(documents.by_ref()) {
                pairs.clear();
                let own = &counted.pairs[start..end];
                pairs.extend(own.iter().map(|&(w, count)| (ids[w as usize], count)));
                match &mut self.spool {
                    Some(spool) => spool.push(info.id.as_deref(), pairs.iter().copied())?,
                    None => self.builder.push(&mut pairs, info)?,
                }
                start = end;
            }
        }
        self.batch_bytes = 0;
        Ok(())
    }
}

/// Word counts of a chunk of documents, in a vocabulary of its own.
struct Counted {
    words: Vec<String>,
    /// `(word, count)` of all documents, one after the other.
    pairs: Vec<(u32, u32)>,
    /// Where in `pairs` each document ends.
    ends: Vec<usize>,
    /// The words in order, if it is kept.
    order: Texts,
}

impl Counted {
    fn new(documents: &[(String, DocumentInfo)], tokenizer: &Tokenizer, in_order: bool) -> Self {
        let (words, pairs, ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut out = Self { words, pairs, ends, order: Texts::default() };
        let mut ids: HashMap<String, u32> = HashMap::new(); // looked up, never walked
        let (mut scratch, mut tokens) = (Scratch::default(), Vec::new());
        for (text, _) in documents {
            tokens.clear();
            tokenizer.each(text, &mut scratch, |word| {
                let id = ids.get(word).copied().unwrap_or_else(|| {
                    let id = out.words.len() as u32;
                    out.words.push(word.to_owned());
                    ids.insert(word.to_owned(), id);
                    id
                });
                tokens.push(id);
            });
            if in_order {
                out.order.push(tokens.iter().copied());
            }
            tokens.sort_unstable();
            let counts = tokens.chunk_by(|a, b| a == b).map(|ctx| (ctx[0], ctx.len() as u32));
            out.pairs.extend(counts);
            out.ends.push(out.pairs.len());
        }
        out
    }
}
