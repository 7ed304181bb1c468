//! Reads any input by the ending of its name, several at once.
//!
//! Several inputs make one corpus, with the documents in the order of the inputs: the same as one
//! file with all the documents. [`read_into`] writes them into a [sink](DocumentSink), [`read`] into memory.

mod counts;
mod format;
mod options;
mod texts;

pub use crate::store::CorpusKind as Kind;
pub use format::Format;
pub use options::InputOptions;

use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{Corpus, Texts, Vocabulary};

use crate::advice::{self, Advice};
use crate::error::IoError;
use crate::sink::{CorpusSink, DocumentSink};
use crate::source::STDIN;
use crate::store::read_corpus_into;
use crate::text::{Tokenizer, TokenizerOptions};

/// A corpus, and what is known of where it came from.
#[derive(Debug)]
pub struct Input {
    /// All documents, in the order of the inputs.
    pub corpus: Corpus,
    /// Whether they were text or counts.
    pub kind: Kind,
    /// How text was split into words; `None` for counts.
    pub tokenizer: Option<TokenizerOptions>,
    /// What is likely to be wrong with the input.
    pub warnings: Vec<String>,
    /// What was decided for the user.
    pub notes: Vec<String>,
    /// How many files were read.
    pub files: usize,
}

/// What is known of documents that were read into a sink.
#[derive(Debug)]
pub struct InputInfo {
    /// Whether they were text or counts.
    pub kind: Kind,
    /// How text was split into words; `None` for counts.
    pub tokenizer: Option<TokenizerOptions>,
    /// What is likely to be wrong with the input.
    pub warnings: Vec<String>,
    /// What was decided for the user.
    pub notes: Vec<String>,
    /// How many files were read.
    pub files: usize,
}

/// What is known of one or more inputs besides their documents.
struct About {
    kind: Kind,
    tokenizer: Option<TokenizerOptions>,
    /// Whether words are only known by their number.
    numbered: bool,
    /// The first of the inputs, for messages.
    path: PathBuf,
}

/// What there is to say of the inputs so far.
#[derive(Default)]
struct ReadReport {
    warnings: Vec<String>,
    notes: Vec<String>,
    files: usize,
}

/// Reads all inputs into one corpus. The path `-` is standard input; its format is `lines` unless
/// the options say another. Text and counts do not mix.
pub fn read(
    paths: &[PathBuf],
    options: &InputOptions,
    ctx: &Context<'_>,
) -> Result<Input, IoError> {
    Ok(read_corpus_of(paths, options, CorpusSink::new(), ctx)?.0)
}

/// Reads all inputs into one corpus, and the order of their tokens as ids of `words`. Counts have no order, nor has
/// an on-disk corpus.
pub fn read_in_order(
    paths: &[PathBuf],
    options: &InputOptions,
    words: &Vocabulary,
    ctx: &Context<'_>,
) -> Result<(Input, Option<Texts>), IoError> {
    read_corpus_of(paths, options, CorpusSink::in_order(words), ctx)
}

fn read_corpus_of(
    paths: &[PathBuf],
    options: &InputOptions,
    mut sink: CorpusSink<'_>,
    ctx: &Context<'_>,
) -> Result<(Input, Option<Texts>), IoError> {
    let info = read_into(paths, options, &mut sink, ctx)?;
    let collected = ctx.install(|| sink.finish())?;
    let InputInfo { kind, tokenizer, warnings, notes, files } = info;
    let input = Input { corpus: collected.corpus, kind, tokenizer, warnings, notes, files };
    Ok((input, collected.texts))
}

/// Reads all inputs into a sink. No document at all is an error.
pub fn read_into(
    paths: &[PathBuf],
    options: &InputOptions,
    sink: &mut dyn DocumentSink,
    ctx: &Context<'_>,
) -> Result<InputInfo, IoError> {
    let inputs = plan(paths, options)?;
    let tokenizer = Tokenizer::new(&options.tokenizer)?;
    let vocab = options.vocab.as_deref().map(counts::vocabulary).transpose()?;
    let before = sink.n_documents();
    let (mut parts, mut report) = (Vec::new(), ReadReport::default());
    // Neighbours that are text share a reader, so that small files fill its batches.
    for group in inputs.chunk_by(|(_, a), (_, b)| a.is_text() && b.is_text()) {
        let report = &mut report;
        parts.push(match group[0] {
            (path, Format::Arrow) => stored(path, sink, ctx, report)?,
            (path, Format::Counts(format)) => {
                counts::read((path, format), vocab.as_deref(), options, sink, ctx, report)?
            }
            _ => texts::read(group, &tokenizer, options, sink, ctx, report)?,
        });
    }
    let (kind, tokenizer) = agree(parts.iter())?;
    if sink.n_documents() == before {
        return Err(no_documents(&inputs));
    }
    let ReadReport { warnings, notes, files } = report;
    Ok(InputInfo { kind, tokenizer, warnings, notes, files })
}

/// Finds the format of each input, before any is read.
fn plan<'p>(
    paths: &'p [PathBuf],
    options: &InputOptions,
) -> Result<Vec<(&'p Path, Format)>, IoError> {
    let usage = |problem: String| Err(IoError::Usage { problem, hint: None });
    if paths.is_empty() {
        return Err(nothing());
    }
    if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        return usage("standard input (-) can be read only once".to_owned());
    }
    let mut inputs = Vec::with_capacity(paths.len());
    for path in paths {
        let format = match options.format {
            Some(format) => format,
            None if is_stdin(path) => Format::Lines,
            None => Format::of(path)?,
        };
        match format {
            Format::Folder | Format::Arrow if is_stdin(path) => {
                return usage(format!("standard input cannot be read as {format}"));
            }
            Format::Folder if path.exists() && !path.is_dir() => {
                return usage(format!("{}: is a file, not a folder", path.display()));
            }
            Format::Folder => {}
            _ if path.is_dir() => {
                return usage(format!("{}: is a folder, not a {format} file", path.display()));
            }
            _ => {}
        }
        inputs.push((path.as_path(), format));
    }
    let formats: Vec<Format> = inputs.iter().map(|&(_, format)| format).collect();
    options.check(&formats)?;
    let text = inputs.iter().find(|(_, f)| f.is_text());
    let count = inputs.iter().find(|(_, f)| f.is_counts());
    if let (Some((text, _)), Some((counts, _))) = (text, count) {
        return Err(mixed(text, counts));
    }
    Ok(inputs)
}

fn nothing() -> IoError {
    IoError::Usage { problem: "there is no input".to_owned(), hint: None }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads an on-disk corpus.
fn stored(
    path: &Path,
    sink: &mut dyn DocumentSink,
    ctx: &Context<'_>,
    report: &mut ReadReport,
) -> Result<About, IoError> {
    let meta = read_corpus_into(path, sink, ctx)?;
    let tokenizer = meta.tokenizer_options(path)?;
    report.files += 1;
    Ok(About { kind: meta.kind, tokenizer, numbered: false, path: path.to_owned() })
}

/// Checks that the parts have the same kind of words: only then can they be one corpus.
fn agree<'a>(
    mut parts: impl Iterator<Item = &'a About>,
) -> Result<(Kind, Option<TokenizerOptions>), IoError> {
    let Some(first) = parts.next() else { return Err(nothing()) };
    for part in parts {
        let (a, b) = (first.path.display(), part.path.display());
        if part.kind != first.kind {
            return Err(match first.kind {
                Kind::Text => mixed(&first.path, &part.path),
                Kind::Counts => mixed(&part.path, &first.path),
            });
        }
        if part.tokenizer != first.tokenizer {
            return Err(IoError::Usage {
                problem: format!("{a} and {b} were split into words in different ways"),
                hint: Some("import them again with the same options".into()),
            });
        }
        if part.numbered != first.numbered {
            let (named, bare) = if part.numbered { (a, b) } else { (b, a) };
            return Err(IoError::Usage {
                problem: format!("{named} has words, but {bare} only has their numbers"),
                hint: Some(Advice::change(&[advice::VOCAB], "name the words of all inputs")),
            });
        }
    }
    Ok((first.kind, first.tokenizer.clone()))
}

fn mixed(text: &Path, counts: &Path) -> IoError {
    IoError::Usage {
        problem: format!(
            "text ({}) and word counts ({}) cannot be read into one corpus",
            text.display(),
            counts.display()
        ),
        hint: Some("give one kind of input at a time".into()),
    }
}

fn no_documents(inputs: &[(&Path, Format)]) -> IoError {
    let path = if is_stdin(inputs[0].0) { Path::new(STDIN) } else { inputs[0].0 };
    let others = if inputs.len() > 1 { ", nor have the other inputs" } else { "" };
    IoError::Data {
        path: path.to_owned(),
        line: None,
        problem: format!("has no documents{others}"),
        hint: None,
    }
}

#[cfg(test)]
mod tests;
