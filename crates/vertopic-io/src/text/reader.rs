//! Splits text documents into words and counts them on all threads.
//!
//! Documents are collected in batches. A batch is cut into chunks. Each chunk is counted in a vocabulary of its own
//! and written to the sink in order. The sink sorts words in the end, so the cuts do not change the result.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;
use vertopic::context::{Context, Progress};
use vertopic::corpus::{DocumentInfo, Texts};

use crate::advice::{self, Advice};
use crate::error::IoError;
use crate::sink::DocumentSink;
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
        self.advised(problem, hint.map(Advice::from))
    }

    /// An error at this place, and what to do about it.
    pub(crate) fn advised(&self, problem: impl Into<String>, hint: Option<Advice>) -> IoError {
        IoError::Data { path: self.path.to_owned(), line: self.line, problem: problem.into(), hint }
    }
}

/// Splits text documents into words and writes the word counts into a sink.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic::corpus::DocumentInfo;
/// use vertopic_io::sink::CorpusSink;
/// use vertopic_io::text::{TextReader, Tokenizer, TokenizerOptions};
/// let (ctx, tokenizer) = (Context::silent()?, Tokenizer::new(&TokenizerOptions::default())?);
/// let mut sink = CorpusSink::new();
/// let mut reader = TextReader::new(&tokenizer, false, &mut sink, &ctx);
/// reader.push("The sea, the sea!".to_owned(), DocumentInfo::default())?;
/// reader.finish()?;
/// let corpus = sink.finish()?.corpus;
/// assert_eq!(corpus.vocabulary().words(), ["sea"]);
/// assert_eq!(corpus.document(0).counts, [2]);
/// # Ok::<(), vertopic_io::IoError>(())
/// ```
pub struct TextReader<'a> {
    tokenizer: &'a Tokenizer,
    sink: &'a mut dyn DocumentSink,
    ctx: &'a Context<'a>,
    progress: Option<Progress<'a>>,
    /// Bytes of the file that are yet to be read.
    bytes_left: u64,
    /// Whether the file is compressed.
    packed: bool,
    /// Bytes read since the last report of progress.
    unreported: u64,
    strict: bool,
    batch: Vec<(String, DocumentInfo)>,
    batch_bytes: usize,
    n_documents: u64,
    /// Documents with bytes that are not UTF-8.
    undecodable: u64,
    /// Whether the document under way is one of them.
    current_undecodable: bool,
    first_undecodable: Option<String>,
    warnings: Vec<String>,
}

impl std::fmt::Debug for TextReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextReader").field("n_documents", &self.n_documents).finish_non_exhaustive()
    }
}

impl<'a> TextReader<'a> {
    /// A reader that writes into `sink`. Bytes that are not UTF-8 are an error if `strict`, else they are replaced and
    /// counted.
    pub fn new(
        tokenizer: &'a Tokenizer,
        strict: bool,
        sink: &'a mut dyn DocumentSink,
        ctx: &'a Context<'a>,
    ) -> Self {
        Self {
            tokenizer,
            sink,
            ctx,
            progress: None,
            bytes_left: 0,
            packed: false,
            unreported: 0,
            strict,
            batch: Vec::new(),
            batch_bytes: 0,
            n_documents: 0,
            undecodable: 0,
            current_undecodable: false,
            first_undecodable: None,
            warnings: Vec::new(),
        }
    }

    /// Announces how many bytes all files have.
    pub fn expect_bytes(&mut self, bytes: u64) {
        self.progress = Some(self.ctx.stage("reading text", bytes));
    }

    /// Announces the next file: its bytes on disk, and whether they are compressed.
    pub fn begin_file(&mut self, bytes: u64, packed: bool) {
        (self.bytes_left, self.packed) = (bytes, packed);
    }

    /// Reports `bytes` more bytes of the file, after decompression.
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
        self.n_documents
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
            let hint = "convert it to UTF-8 (iconv), or turn off strict decoding";
            return Err(place.advised(
                format!("byte 0x{:02X} at byte offset {bad} is not UTF-8", bytes[bad]),
                Some(Advice::change(&[advice::STRICT], hint)),
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
        self.n_documents += 1;
        self.current_undecodable = false;
        self.batch_bytes += text.len();
        self.batch.push((text, info));
        if self.batch_bytes >= BATCH_BYTES || self.batch.len() >= BATCH_DOCUMENTS {
            self.count()?;
        }
        Ok(())
    }

    /// Counts the documents that are left. Returns the warnings of the input.
    pub fn finish(mut self) -> Result<Vec<String>, IoError> {
        self.count()?;
        if let Some(first) = &self.first_undecodable {
            self.warnings.push(format!(
                "{} of {} documents had bytes that are not UTF-8; they were replaced by U+FFFD \
                 (first in {first})",
                self.undecodable, self.n_documents
            ));
        }
        Ok(self.warnings)
    }

    /// Counts the words of the batch and empties it.
    fn count(&mut self) -> Result<(), IoError> {
        let batch = std::mem::take(&mut self.batch);
        let (tokenizer, in_order) = (self.tokenizer, self.sink.keeps_order());
        // A few chunks per thread, so that a chunk of long documents does not hold up the others.
        let chunk = batch.len().div_ceil(self.ctx.threads() * 4).max(1);
        let counted: Vec<Counted> = self.ctx.install(|| {
            let counted = |documents: &[_]| Counted::new(documents, tokenizer, in_order);
            batch.par_chunks(chunk).map(counted).collect()
        });
        let (mut entries, mut tokens) = (Vec::new(), Vec::new());
        let mut documents = batch.into_iter();
        for counted in counted {
            let ids: Vec<u32> = counted.words.iter().map(|word| self.sink.word(word)).collect();
            let mut start = 0;
            for (d, (end, (_, info))) in counted.ends.iter().zip(documents.by_ref()).enumerate() {
                entries.clear();
                let own = &counted.entries[start..*end];
                entries.extend(own.iter().map(|&(w, count)| (ids[w as usize], count)));
                self.sink.push(&mut entries, info)?;
                if in_order {
                    tokens.clear();
                    tokens.extend(counted.order.text(d).iter().map(|&w| ids[w as usize]));
                    self.sink.push_tokens(&tokens);
                }
                start = *end;
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
    entries: Vec<(u32, u32)>,
    /// Where in `entries` each document ends.
    ends: Vec<usize>,
    /// The words in order, if it is kept.
    order: Texts,
}

impl Counted {
    fn new(documents: &[(String, DocumentInfo)], tokenizer: &Tokenizer, in_order: bool) -> Self {
        let (words, entries, ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut out = Self { words, entries, ends, order: Texts::default() };
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
            let counts = tokens.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32));
            out.entries.extend(counts);
            out.ends.push(out.entries.len());
        }
        out
    }
}
