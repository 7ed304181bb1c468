//! Inputs of word counts, and the words behind their ids.

use std::path::{Path, PathBuf};

use vertopic::context::Context;

use crate::counts::{CountOptions, Each, ldac, matrix_market, svmlight, uci, vocab};
use crate::error::IoError;
use crate::input::{About, Format, InputOptions, Kind, Part, ReadReport};
use crate::source;

/// Reads the words of `--vocab`.
pub(super) fn vocabulary(path: &Path) -> Result<Vec<String>, IoError> {
    vocab::read(source::open(path)?)
}

/// Reads one input.
pub(super) fn read(
    path: &Path,
    format: Format,
    given: Option<&[String]>,
    options: &InputOptions,
    ctx: &Context<'_>,
    talk: &mut ReadReport,
) -> Result<Part, IoError> {
    let progress = ctx.stage("reading counts", 1);
    let (counts, about) = prepare(path, format, given, options, talk)?;
    let source = source::open(path)?;
    let read = ctx.install(|| match format {
        Format::Uci => uci::read(source, &counts),
        Format::MatrixMarket => matrix_market::read(source, &counts),
        Format::Svmlight => svmlight::read(source, &counts),
        _ => ldac::read(source, &counts),
    })?;
    progress.advance(1);
    talk.warnings.extend(read.warnings);
    Ok(Part { corpus: read.corpus, texts: None, about })
}

/// Reads one input as corpora of about `pairs` pairs.
pub(super) fn read_in_pieces(
    (path, format): (&Path, Format),
    given: Option<&[String]>,
    options: &InputOptions,
    pairs: usize,
    each: &mut Each<'_>,
    ctx: &Context<'_>,
    talk: &mut ReadReport,
) -> Result<About, IoError> {
    let progress = ctx.stage("reading counts", 1);
    let (counts, about) = prepare(path, format, given, options, talk)?;
    let read = match format {
        Format::Uci => uci::read_in_pieces,
        Format::MatrixMarket => matrix_market::read_in_pieces,
        Format::Svmlight => svmlight::read_in_pieces,
        _ => ldac::read_in_pieces,
    };
    talk.warnings.extend(ctx.install(|| read(path, &counts, pairs, each))?);
    progress.advance(1);
    Ok(about)
}

/// Finds the words of an input: without a vocabulary, that of a UCI corpus is looked for beside it.
fn prepare(
    path: &Path,
    format: Format,
    given: Option<&[String]>,
    options: &InputOptions,
    talk: &mut ReadReport,
) -> Result<(CountOptions, About), IoError> {
    let beside = if given.is_none() && format == Format::Uci { vocab_beside(path) } else { None };
    let words = match (given, &beside) {
        (Some(words), _) => Some(words.to_vec()),
        (None, Some(beside)) => Some(vocabulary(beside)?),
        (None, None) => None,
    };
    let name = path.display();
    match &beside {
        Some(beside) => {
            talk.notes.push(format!("{name}: its words are those of {}", beside.display()));
        }
        None if words.is_none() => {
            talk.notes
                .push(format!("{name}: its words are named by their number; --vocab names them"));
        }
        None => {}
    }
    talk.files += 1;
    let about = About {
        kind: Kind::Counts,
        tokenizer: None,
        numbered: words.is_none(),
        path: path.to_owned(),
    };
    let counts = CountOptions {
        vocab: words,
        vocab_path: beside.or_else(|| options.vocab.clone()),
        transpose: options.transpose,
        zero_based: options.zero_based,
    };
    Ok((counts, about))
}

/// `vocab.nips.txt` for `docword.nips.txt.gz`, itself perhaps compressed, if it is there.
fn vocab_beside(path: &Path) -> Option<PathBuf> {
    let plain = source::strip_compression(path);
    let rest = plain.file_name()?.to_str()?.strip_prefix("docword.")?;
    let names = [format!("vocab.{rest}"), format!("vocab.{rest}.gz"), format!("vocab.{rest}.zst")];
    names.into_iter().map(|name| path.with_file_name(name)).find(|path| path.is_file())
}
