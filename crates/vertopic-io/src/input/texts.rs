//! Inputs of text.

use std::path::Path;

use vertopic::context::Context;
use vertopic::corpus::Vocabulary;

use crate::error::IoError;
use crate::input::{About, Format, InputOptions, Kind, Part, ReadReport};
use crate::source;
use crate::spool::SpoolBuilder;
use crate::text::folder::{self, Found, Include};
use crate::text::{CorpusReader, Tokenizer, delimited, jsonl, lines, parquet};

/// Reads inputs of text, one after the other; the order of the words in `ordered` is kept.
pub(super) fn read(
    inputs: &[(&Path, Format)],
    tokenizer: &Tokenizer,
    ordered: Option<&Vocabulary>,
    options: &InputOptions,
    ctx: &Context<'_>,
    talk: &mut ReadReport,
) -> Result<Part, IoError> {
    let mut gather = CorpusReader::new(tokenizer, options.strict, ctx);
    if let Some(words) = ordered {
        gather.keep_order(words);
    }
    gather_all(inputs, &mut gather, options, talk)?;
    let gathered = gather.finish()?;
    talk.warnings.extend(gathered.warnings);
    Ok(Part { corpus: gathered.corpus, texts: gathered.texts, about: about(inputs, tokenizer) })
}

/// Reads inputs of text and leaves their documents on the disk.
pub(super) fn read_to(
    builder: &mut SpoolBuilder,
    inputs: &[(&Path, Format)],
    tokenizer: &Tokenizer,
    options: &InputOptions,
    ctx: &Context<'_>,
    talk: &mut ReadReport,
) -> Result<About, IoError> {
    let mut gather = CorpusReader::new(tokenizer, options.strict, ctx);
    gather.send_to(builder);
    gather_all(inputs, &mut gather, options, talk)?;
    talk.warnings.extend(gather.finish()?.warnings);
    Ok(about(inputs, tokenizer))
}

fn about(inputs: &[(&Path, Format)], tokenizer: &Tokenizer) -> About {
    About {
        kind: Kind::Text,
        tokenizer: Some(tokenizer.options().clone()),
        numbered: false,
        path: inputs[0].0.to_owned(),
    }
}

fn gather_all(
    inputs: &[(&Path, Format)],
    gather: &mut CorpusReader<'_>,
    options: &InputOptions,
    talk: &mut ReadReport,
) -> Result<(), IoError> {
    let include = Include::new(&options.include)?;
    let mut files = Vec::with_capacity(inputs.len());
    for &(path, format) in inputs {
        files.push(if format == Format::Folder { folder::find(path, &include)? } else { vec![] });
    }
    let sizes: Vec<u64> = inputs.iter().zip(&files).map(|((path, _), f)| size(path, f)).collect();
    gather.expect_bytes(sizes.iter().sum());
    for ((&(path, format), found), bytes) in inputs.iter().zip(files).zip(sizes) {
        let before = gather.n_documents();
        talk.files += found.len().max(1);
        let packed = format != Format::Folder && source::strip_compression(path) != path;
        gather.begin_file(bytes, packed);
        match format {
            Format::Folder => folder::read(found, gather)?,
            Format::Csv => {
                delimited::read(source::open(path)?, b',', &options.columns, gather)?;
            }
            Format::Tsv => {
                delimited::read(source::open(path)?, b'\t', &options.columns, gather)?;
            }
            Format::Jsonl => jsonl::read(source::open(path)?, &options.columns, gather)?,
            Format::Parquet => parquet::read(path, &options.columns, gather)?,
            _ => lines::read(source::open(path)?, gather)?,
        }
        gather.end_file();
        if gather.n_documents() == before && inputs.len() > 1 {
            gather.warn(format!("{}: has no documents", path.display()));
        }
    }
    Ok(())
}

/// Bytes on disk, where that is known.
fn size(path: &Path, files: &[Found]) -> u64 {
    if files.is_empty() {
        return path.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 });
    }
    files.iter().map(|f| f.bytes).sum()
}
