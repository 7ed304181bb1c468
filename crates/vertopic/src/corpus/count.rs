//! The simplest passes: they count documents and tokens.

use crate::context::Context;
use crate::corpus::{Accumulator, Document, Pass, PassReader, PassWriter, SumFields, Vocabulary};
use crate::error::Error;

/// Counts documents, those without words included.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic::corpus::{CorpusBuilder, CountDocuments, CountTokens, DocumentInfo, Documents};
/// let mut b = CorpusBuilder::new();
/// let word = b.word("sea");
/// b.push(&mut [(word, 3)], DocumentInfo::default())?;
/// b.push(&mut [], DocumentInfo::default())?;
/// let (corpus, ctx) = (b.finish()?, Context::silent()?);
/// assert_eq!(corpus.pass(&CountDocuments, &ctx)?.0, 2);
/// assert_eq!(corpus.pass(&CountTokens, &ctx)?.0, 3);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CountDocuments;

/// A number of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NumberOfDocuments(pub u64);

impl Pass for CountDocuments {
    const NAME: &'static str = "documents";
    const STAGE: &'static str = "choosing documents";
    type Accumulator<'a> = NumberOfDocuments;

    fn accumulator(&self, _: &Vocabulary, _: &Context<'_>) -> NumberOfDocuments {
        NumberOfDocuments::default()
    }

    fn write(&self, _: &mut PassWriter) {}

    fn read(_: &mut PassReader<'_>, _: &Vocabulary) -> Result<Self, Error> {
        Ok(Self)
    }
}

impl Accumulator for NumberOfDocuments {
    fn add(&mut self, _: Document<'_>) {
        self.0 += 1;
    }

    fn merge(&mut self, other: Self) {
        self.0 += other.0;
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.count(&mut self.0)
    }
}

/// Counts tokens.
#[derive(Debug, Clone, Copy)]
pub struct CountTokens;

/// A number of tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NumberOfTokens(pub u64);

impl Pass for CountTokens {
    const NAME: &'static str = "tokens";
    const STAGE: &'static str = "choosing documents";
    type Accumulator<'a> = NumberOfTokens;

    fn accumulator(&self, _: &Vocabulary, _: &Context<'_>) -> NumberOfTokens {
        NumberOfTokens::default()
    }

    fn write(&self, _: &mut PassWriter) {}

    fn read(_: &mut PassReader<'_>, _: &Vocabulary) -> Result<Self, Error> {
        Ok(Self)
    }
}

impl Accumulator for NumberOfTokens {
    fn add(&mut self, document: Document<'_>) {
        self.0 += document.tokens();
    }

    fn merge(&mut self, other: Self) {
        self.0 += other.0;
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.count(&mut self.0)
    }
}
