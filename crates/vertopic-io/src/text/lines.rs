//! One document a line. An empty line is an empty document.

use vertopic::corpus::DocumentInfo;

use crate::error::IoError;
use crate::source::Source;
use crate::text::reader::{Place, TextReader};

/// Reads every line as a document without an id.
pub fn read(source: Source, documents: &mut TextReader<'_>) -> Result<(), IoError> {
    let path = source.path.clone();
    let mut lines = source.lines();
    while let Some((number, line)) = lines.next()? {
        let text = documents.decode(line, &Place::line(&path, number))?;
        documents.advance(line.len() as u64 + 1);
        documents.push(text, DocumentInfo::default())?;
    }
    Ok(())
}
