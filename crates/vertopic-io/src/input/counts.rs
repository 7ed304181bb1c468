//! Inputs of word counts, and the words behind their ids.

use std::path::{Path, PathBuf};

use vertopic::context::Context;

use crate::counts::{CountFormat, CountOptions, vocab};
use crate::error::IoError;
use crate::input::{About, InputOptions, Kind, ReadReport};
use crate::sink::DocumentSink;
use crate::source;

/// Reads a vocabulary file.
pub(super) fn vocabulary(path: &Path) -> Result<Vec<String>, IoError> {
    vocab::read(source::open(path)?)
}

/// Reads an input into a sink. `given` are the words of the user's vocabulary file.
pub(super) fn read(
    (path, format): (&Path, CountFormat),
    given: Option<&[String]>,
    options: &InputOptions,
    sink: &mut dyn DocumentSink,
    ctx: &Context<'_>,
    report: &mut ReadReport,
) -> Result<About, IoError> {
    let progress = ctx.stage("reading counts", 1);
    let (counts, about) = prepare(path, format, given, options, report)?;
    let source = source::open(path)?;
    report.warnings.extend(ctx.install(|| format.read_into(source, &counts, sink))?);
    progress.advance(1);
    Ok(about)
}

/// Finds the words of an input: without a vocabulary, that of a UCI corpus is looked for beside it.
fn prepare(
    path: &Path,
    format: CountFormat,
    given: Option<&[String]>,
    options: &InputOptions,
    report: &mut ReadReport,
) -> Result<(CountOptions, About), IoError> {
    let looks_beside = given.is_none() && format == CountFormat::Uci;
    let beside = if looks_beside { vocab_beside(path) } else { None };
    let words = match (given, &beside) {
        (Some(words), _) => Some(words.to_vec()),
        (None, Some(beside)) => Some(vocabulary(beside)?),
        (None, None) => None,
    };
    let name = path.display();
    match &beside {
        Some(beside) => {
            report.notes.push(format!("{name}: its words are those of {}", beside.display()));
        }
        None if words.is_none() => {
            report.notes.push(format!(
                "{name}: its words are named by their number; a vocabulary file names them"
            ));
        }
        None => {}
    }
    report.files += 1;
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
