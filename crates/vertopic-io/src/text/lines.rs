//! One document a line. An empty line is an empty document.

use vertopic::corpus::DocumentInfo;

use crate::error::IoError;
use crate::source::Source;
use crate::text::corpus_reader::{CorpusReader, Place};

/// Reads every line as a document without an id.
pub fn read(source: Source, gather: &mut CorpusReader<'_>) -> Result<(), IoError> {
    let path = source.path.clone();
    let mut lines = source.lines();
    while let Some((number, line)) = lines.next()? {
        let text = gather.decode(line, &Place::line(&path, number))?;
        gather.advance(line.len() as u64 + 1);
        gather.push(text, DocumentInfo::default())?;
    }
    Ok(())
}
