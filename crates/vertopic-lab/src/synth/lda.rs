//! LDA corpora of any size, with the word frequencies of a language.
//!
//! Words have Zipf frequencies: the r-th is drawn in proportion to r^-s. Every topic perturbs them in its
//! own way, a share of the words belongs to one topic alone, mixtures come from a [`Prior`]. Document
//! d hangs on (seed, d) and on nothing else, so documents are drawn in blocks on all threads and
//! never all kept: the memory is that of the topics.
//!
//! | module | question |
//! |---|---|
//! | `topics` | how frequent is a word in a topic? |
//! | `documents` | which words are in document d? |
//! | `blocks` | how do documents come in order from many threads? |

mod blocks;
mod documents;
mod topics;

pub use blocks::{Block, Tally};
pub use documents::{LdaDocuments, Scratch};

use crate::parameter::{self, require};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use vertopic::Error;
use vertopic::context::Context;
use vertopic::corpus::{CorpusBuilder, DocumentInfo};
use vertopic::estimate::Topics;

use super::prior::Prior;
use super::separable::check_exponent;
use super::truth::Planted;
use super::{check_sizes, novel_per_topic, word_name};

/// Streams of random numbers besides those of the documents, which are numbered from 0.
const TOPIC_STREAM: u64 = 1 << 63;
const NOVEL_STREAM: u64 = u64::MAX;
/// This share of the words, the most frequent ones, is never novel: every text has them.
const COMMON: f64 = 0.1;

/// The sizes of a generated corpus, by the paper's letters, and its laws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lda {
    /// W: words. Word 0 is the most frequent of the base law.
    pub words: usize,
    /// K: topics.
    pub topics: usize,
    /// M: documents.
    pub documents: usize,
    /// N: mean number of tokens of a document.
    pub tokens: usize,
    /// How lengths spread around N.
    pub lengths: Lengths,
    /// How the mixtures are drawn.
    pub prior: Prior,
    /// s: exponent of the Zipf law of the words.
    pub zipf: f64,
    /// How a topic departs from it.
    pub perturbation: Perturbation,
    /// ρ: share of the words that are novel, equally many for each topic; 0 for none.
    pub novel_share: f64,
}

/// How the lengths of documents spread. Every document has a token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lengths {
    /// All alike.
    Fixed,
    /// Poisson.
    Poisson,
    /// Log-normal with this standard deviation of the logarithm; the mean is N.
    LogNormal(f64),
}

/// How a topic departs from the base law of the words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Perturbation {
    /// Every frequency times a log-normal number of mean 1 with this standard deviation of the logarithm.
    LogNormal(f64),
    /// A draw from the Dirichlet distribution whose parameters are the frequencies times this number.
    Dirichlet(f64),
}

impl Default for Lda {
    fn default() -> Self {
        Self {
            words: 5_000,
            topics: 20,
            documents: 10_000,
            tokens: 100,
            lengths: Lengths::Poisson,
            prior: Prior::Dirichlet(0.1),
            zipf: 1.0,
            perturbation: Perturbation::LogNormal(2.0),
            novel_share: 0.1,
        }
    }
}

impl Lda {
    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        check_sizes(self.words, self.topics, self.documents, self.tokens)?;
        let share = self.novel_share;
        let fits = (0.0..=1.0 - COMMON).contains(&share);
        require(fits, parameter::NOVEL_SHARE, "from 0 to 0.9", share)?;
        let novel = novel_per_topic(share, self.words, self.topics) * self.topics;
        let fits = share == 0.0 || (novel >= self.topics && novel <= self.words - self.common());
        let limits = "from that of topics to nine tenths of the words";
        require(fits, parameter::NOVEL_WORDS, limits, novel)?;
        check_exponent(self.zipf)?;
        match self.perturbation {
            Perturbation::LogNormal(spread) => {
                require((0.0..=10.0).contains(&spread), parameter::SPREAD, "from 0 to 10", spread)?;
            }
            Perturbation::Dirichlet(total) => {
                // The sum of a topic before it is normalised is a gamma draw with this parameter.
                let fits = (1.0..=1e9).contains(&total);
                require(fits, parameter::CONCENTRATION, "from 1 to 10^9", total)?;
            }
        }
        if let Lengths::LogNormal(spread) = self.lengths {
            let fits = (0.0..=3.0).contains(&spread);
            require(fits, parameter::LENGTH_SPREAD, "from 0 to 3", spread)?;
        }
        self.prior.check(self.topics)
    }

    /// How many of the most frequent words are never novel.
    fn common(&self) -> usize {
        (COMMON * self.words as f64).ceil() as usize
    }

    /// The topics, and the novel words of each by id.
    pub fn topics(&self, seed: u64, ctx: &Context<'_>) -> Result<(Topics, Vec<Vec<u32>>), Error> {
        self.check()?;
        let novel_words = self.novel_words(seed);
        Ok((self.topic_matrix(seed, &novel_words, ctx)?, novel_words))
    }

    /// The documents, none of them drawn yet.
    ///
    /// ```
    /// use vertopic::context::Context;
    /// use vertopic_lab::synth::lda::{Lda, Scratch};
    /// let lda = Lda { words: 100, topics: 3, documents: 1_000_000, ..Lda::default() };
    /// let documents = lda.documents(1, &Context::silent()?)?;
    /// let mut scratch = Scratch::default();
    /// let pairs = documents.document(999_999, &mut scratch);
    /// assert!(pairs.is_sorted() && pairs.len() > 10);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn documents(&self, seed: u64, ctx: &Context<'_>) -> Result<LdaDocuments, Error> {
        let (topics, novel_words) = self.topics(seed, ctx)?;
        LdaDocuments::new(self.clone(), seed, topics, novel_words, ctx)
    }

    /// All documents in memory, with their truth.
    pub fn generate(&self, seed: u64, ctx: &Context<'_>) -> Result<Planted, Error> {
        let documents = self.documents(seed, ctx)?;
        let mut builder = CorpusBuilder::with_words(self.names());
        let mut tally = Tally::new(self.topics);
        documents.for_each_block(
            "drawing documents",
            ctx,
            |block| block,
            |block| {
                tally.add(&block);
                for (d, pairs) in block.documents() {
                    let id = Some(format!("d{d:07}"));
                    let info = DocumentInfo { id, ..DocumentInfo::default() };
                    builder.push(&mut pairs.to_vec(), info)?;
                }
                Ok::<(), Error>(())
            },
        )?;
        let weights = tally.weights();
        let (topics, novel_words) = documents.into_truth();
        Ok(Planted { corpus: builder.finish()?, topics, novel_words, weights })
    }

    /// The words, in order of their ids.
    pub fn names(&self) -> Vec<String> {
        (0..self.words).map(|w| word_name(w, self.words)).collect()
    }
}

/// The random numbers of one unit of work.
fn random(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(stream);
    random
}

#[cfg(test)]
mod tests;
