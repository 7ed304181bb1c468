//! The formats of word counts.

use std::io::{self, Write};

use vertopic::corpus::Corpus;

use crate::counts::{CountOptions, CountsRead, ldac, matrix_market, streaming, svmlight, uci};
use crate::error::IoError;
use crate::sink::{CorpusSink, DocumentSink};
use crate::source::Source;

/// A format of word counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CountFormat {
    /// UCI bag of words.
    Uci,
    /// MatrixMarket.
    MatrixMarket,
    /// svmlight, also known as libsvm.
    Svmlight,
    /// LDA-C.
    LdaC,
}

impl CountFormat {
    /// Reads a file into a corpus.
    ///
    /// ```
    /// use vertopic_io::counts::{CountFormat, CountOptions};
    /// use vertopic_io::source::Source;
    /// let source = Source::from_reader("x", &b"2\n3\n2\n1 1 3\n2 3 1\n"[..]);
    /// let read = CountFormat::Uci.read(source, &CountOptions::default())?;
    /// assert_eq!(read.corpus.vocabulary().words(), ["1", "3"]);
    /// # Ok::<(), vertopic_io::IoError>(())
    /// ```
    pub fn read(self, source: Source, options: &CountOptions) -> Result<CountsRead, IoError> {
        let mut sink = CorpusSink::new();
        let warnings = self.read_into(source, options, &mut sink)?;
        Ok(CountsRead { corpus: sink.finish()?.corpus, warnings })
    }

    /// Reads a file into a sink, in batches of the sink's [room](DocumentSink::room). Returns the warnings.
    pub fn read_into(
        self,
        source: Source,
        options: &CountOptions,
        sink: &mut dyn DocumentSink,
    ) -> Result<Vec<String>, IoError> {
        let path = source.path.clone();
        match self {
            Self::Uci => streaming::entries(source, uci::begin, options, sink),
            Self::MatrixMarket => streaming::entries(source, matrix_market::begin, options, sink),
            Self::Svmlight => {
                streaming::lines(source, svmlight::parser(&path, options), options, sink)
            }
            Self::LdaC => streaming::lines(source, ldac::parser(&path, options), options, sink),
        }
    }

    /// Writes a corpus. The words of the ids go into a file of their own ([`vocab::write`](super::vocab::write)).
    pub fn write(self, corpus: &Corpus, out: impl Write) -> io::Result<()> {
        match self {
            Self::Uci => uci::write(corpus, out),
            Self::MatrixMarket => matrix_market::write(corpus, out),
            Self::Svmlight => svmlight::write(corpus, out),
            Self::LdaC => ldac::write(corpus, out),
        }
    }
}
