//! Writes a pass of one's own: how many documents have each number of tokens. It runs on all threads, and as bytes, as a
//! cluster would run it.
//!
//! `cargo run -p vertopic --example write_an_accumulator`

#![allow(clippy::print_stdout)] // an example talks

use vertopic::corpus::{
    Accumulator, Document, Pass, PassReader, PassWriter, SumFields, Vocabulary,
};
use vertopic::{Context, Corpus, CorpusBuilder, DocumentInfo, Documents, Error};

/// The pass: documents of `longest` tokens and more are counted together.
struct Lengths {
    longest: usize,
}

/// Its sums: documents by number of tokens.
struct LengthCounts(Vec<u64>);

impl Pass for Lengths {
    const NAME: &'static str = "example.lengths";
    const STAGE: &'static str = "counting lengths";
    type Accumulator<'a> = LengthCounts;

    fn accumulator(&self, _: &Vocabulary, _: &Context<'_>) -> LengthCounts {
        LengthCounts(vec![0; self.longest + 1])
    }

    // Parameters travel with the pass.
    fn write(&self, out: &mut PassWriter) {
        out.number(self.longest as u64);
    }

    fn read(from: &mut PassReader<'_>, _: &Vocabulary) -> Result<Self, Error> {
        Ok(Self { longest: from.size(1 << 20)? })
    }
}

// Sums are integers, so neither threads nor the order of documents can change them.
impl Accumulator for LengthCounts {
    fn add(&mut self, document: Document<'_>) {
        let longest = self.0.len() - 1;
        self.0[longest.min(document.tokens() as usize)] += 1;
    }

    fn merge(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.counts(&mut self.0)
    }
}

fn main() -> Result<(), Error> {
    let (corpus, ctx) = (corpus()?, Context::silent()?);
    let counts = corpus.pass(&Lengths { longest: 6 }, &ctx)?.0;
    for (tokens, documents) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        println!("{documents:4} documents of {tokens} tokens");
    }
    assert_eq!(counts.iter().sum::<u64>(), corpus.n_documents() as u64);
    Ok(())
}

fn corpus() -> Result<Corpus, Error> {
    let mut builder = CorpusBuilder::new();
    let word = builder.word("sea");
    for d in 0..100_u32 {
        builder.push(&mut [(word, 1 + d % 9)], DocumentInfo::default())?;
    }
    builder.finish()
}
