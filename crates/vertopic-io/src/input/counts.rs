//! Inputs of word counts, and the words behind their ids.

use std::path::{Path, PathBuf};

use vertopic::run::Run;

use crate::counts::{CountOptions, ldac, matrix_market, svmlight, uci, vocab};
use crate::error::IoError;
use crate::input::{Format, InputOptions, Kind, Part, Talk};
use crate::source;

/// Reads the words of `--vocab`.
pub(super) fn vocabulary(path: &Path) -> Result<Vec<String>, IoError> {
    vocab::read(source::open(path)?)
}

/// Reads one input. Without a vocabulary, that of a UCI corpus is looked for beside it.
pub(super) fn read(
    path: &Path,
    format: Format,
    given: Option<&[String]>,
    options: &InputOptions,
    run: &Run<'_>,
    talk: &mut Talk,
) -> Result<Part, IoError> {
    let progress = run.stage("reading counts", 1);
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
    let numbered = words.is_none();
    let counts = CountOptions {
        vocab: words,
        vocab_path: beside.or_else(|| options.vocab.clone()),
        transpose: options.transpose,
        zero_based: options.zero_based,
    };
    let source = source::open(path)?;
    let read = run.install(|| match format {
        Format::Uci => uci::read(source, &counts),
        Format::MatrixMarket => matrix_market::read(source, &counts),
        Format::Svmlight => svmlight::read(source, &counts),
        _ => ldac::read(source, &counts),
    })?;
    progress.advance(1);
    talk.files += 1;
    talk.warnings.extend(read.warnings);
    Ok(Part {
        corpus: read.corpus,
        texts: None,
        kind: Kind::Counts,
        tokenizer: None,
        numbered,
        path: path.to_owned(),
    })
}

/// `vocab.nips.txt` for `docword.nips.txt.gz`, itself perhaps compressed, if it is there.
fn vocab_beside(path: &Path) -> Option<PathBuf> {
    let plain = source::strip_compression(path);
    let rest = plain.file_name()?.to_str()?.strip_prefix("docword.")?;
    let names = [format!("vocab.{rest}"), format!("vocab.{rest}.gz"), format!("vocab.{rest}.zst")];
    names.into_iter().map(|name| path.with_file_name(name)).find(|path| path.is_file())
}
