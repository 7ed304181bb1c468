//! The front door: any input by the ending of its name, several at once.
//!
//! Several inputs make one corpus, with the documents in the order of the inputs: the same as one
//! file with all the documents.

mod counts;
mod format;
mod options;
mod stream;
mod texts;

pub use crate::store::CorpusKind as Kind;
pub use format::Format;
pub use options::InputOptions;
pub use stream::{Spooled, spool};

use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{Corpus, Texts, Vocabulary};

use crate::error::IoError;
use crate::source::STDIN;
use crate::store::read_corpus;
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

/// One or more inputs, read.
struct Part {
    corpus: Corpus,
    /// The words in order, where it is known and was asked for.
    texts: Option<Texts>,
    about: About,
}

/// What is known of inputs besides their documents.
struct About {
    kind: Kind,
    tokenizer: Option<TokenizerOptions>,
    /// Counts whose words are only known by number.
    numbered: bool,
    /// The first of the inputs, for messages.
    path: PathBuf,
}

/// What is said while reading.
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
    Ok(read_parts(paths, options, None, ctx)?.0)
}

/// Reads all inputs into one corpus, and the order of their tokens as ids of `words`. Counts have none, nor has
/// an on-disk corpus.
pub fn read_in_order(
    paths: &[PathBuf],
    options: &InputOptions,
    words: &Vocabulary,
    ctx: &Context<'_>,
) -> Result<(Input, Option<Texts>), IoError> {
    read_parts(paths, options, Some(words), ctx)
}

fn read_parts(
    paths: &[PathBuf],
    options: &InputOptions,
    ordered: Option<&Vocabulary>,
    ctx: &Context<'_>,
) -> Result<(Input, Option<Texts>), IoError> {
    let inputs = plan(paths, options)?;
    let tokenizer = Tokenizer::new(&options.tokenizer)?;
    let vocab = options.vocab.as_deref().map(counts::vocabulary).transpose()?;
    let (mut parts, mut talk) = (Vec::new(), ReadReport::default());
    // Neighbours that are text are split into words together.
    for group in inputs.chunk_by(|(_, a), (_, b)| a.is_text() && b.is_text()) {
        let (path, format) = group[0];
        parts.push(if format.is_text() {
            texts::read(group, &tokenizer, ordered, options, ctx, &mut talk)?
        } else if format == Format::Arrow {
            stored(path, ctx, &mut talk)?
        } else {
            counts::read(path, format, vocab.as_deref(), options, ctx, &mut talk)?
        });
    }
    let (kind, tokenizer) = agree(parts.iter().map(|part| &part.about))?;
    // Texts are all in one part, unless there is an on-disk corpus among the inputs.
    let texts = if let [part] = &mut parts[..] { part.texts.take() } else { None };
    let shards = parts.into_iter().map(|p| p.corpus).collect();
    let corpus = ctx.install(|| Corpus::concat(shards))?;
    if corpus.n_documents() == 0 {
        return Err(no_documents(&inputs));
    }
    let ReadReport { warnings, notes, files } = talk;
    Ok((Input { corpus, kind, tokenizer, warnings, notes, files }, texts))
}

/// Says what each input is, before any is read.
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
fn stored(path: &Path, ctx: &Context<'_>, talk: &mut ReadReport) -> Result<Part, IoError> {
    let progress = ctx.stage("reading corpus", 1);
    let (corpus, meta) = ctx.install(|| read_corpus(path))?;
    progress.advance(1);
    let tokenizer = meta.tokenizer_options(path)?;
    talk.files += 1;
    let about = About { kind: meta.kind, tokenizer, numbered: false, path: path.to_owned() };
    Ok(Part { corpus, texts: None, about })
}

/// Parts can only be one corpus if they speak of the same words.
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
                hint: Some("import them again with the same options".to_owned()),
            });
        }
        if part.numbered != first.numbered {
            let (named, bare) = if part.numbered { (a, b) } else { (b, a) };
            return Err(IoError::Usage {
                problem: format!("{named} has words, but {bare} only has their numbers"),
                hint: Some("name the words of all inputs with --vocab".to_owned()),
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
        hint: Some("give one kind of input at a time".to_owned()),
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
