//! Novel words: the extreme points of the rows of X~.
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`ddp`] | Algorithm 1 | every word's own direction: far words must be clearly less correlated |
//! | [`rp`] | Algorithm 2 | random directions of all documents; maximum and minimum win |
//! | [`binning`] | Algorithm 3 | one random direction per bin of documents |
//! | [`in_embedding`] | – | random directions of the embedding of words, or every word's own with standard errors |
//! | [`DetectParams::projections`] | P | number of random directions |
//! | [`DetectParams::far_words`] | r, J_i | words that a word is compared with |
//! | [`DetectParams::novel_words`] | s | words declared novel |
//!
//! All give a list of words with a strength, strongest first: the share of directions won (an
//! estimate of the word's solid angle) or, for DDP, the margin by which the word passes its test (in the embedding in
//! standard errors).

pub mod binning;
pub mod ddp;
mod embedded;
mod embedded_ddp;
mod params;
pub mod rp;
mod steer;

pub use crate::moments::Directions;
pub use embedded::in_embedding;
pub use params::{DetectParams, Floor, Method};
pub(crate) use steer::too_many_pins;
pub use steer::{Steer, Steering};

use crate::context::Context;
use crate::corpus::Vocabulary;
use crate::error::Error;
use crate::moments::{SufficientStats, WordStats};
use crate::seed::{Seed, Stage};

/// A word found novel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NovelWord {
    /// Its id.
    pub word: u32,
    /// How clearly: share of directions won (RP, binning) or margin (DDP); 0 if it was not found but given.
    pub strength: f64,
}

/// Novel words, strongest first.
#[derive(Debug, Clone, PartialEq)]
pub struct NovelWords {
    /// The words.
    pub words: Vec<NovelWord>,
    /// How many words passed the floor and could have been novel.
    pub allowed: usize,
}

impl NovelWords {
    /// Ids of the words, strongest first.
    pub fn ids(&self) -> Vec<u32> {
        self.words.iter().map(|n| n.word).collect()
    }
}

/// What every detector works on.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a, 'r, S> {
    /// The documents, or sums over them.
    pub source: &'a S,
    /// Their totals; the seed is theirs too.
    pub stats: &'a WordStats,
    /// The words that may be novel, ascending.
    pub allowed: &'a [u32],
    /// The settings.
    pub params: &'a DetectParams,
    /// K, for the paper's rules of thumb.
    pub n_topics: usize,
    /// Threads and progress.
    pub ctx: &'a Context<'r>,
}

impl<S: SufficientStats> Search<'_, '_, S> {
    /// Decides between words that are equally extreme, by position in `allowed`: by a coin that hangs on
    /// the word, so that neither spelling nor position favours anyone.
    pub fn ties(&self) -> Vec<u64> {
        coins(self.source.words(), self.stats.seed, self.allowed)
    }
}

/// A coin for each word.
fn coins(vocabulary: &Vocabulary, seed: Seed, words: &[u32]) -> Vec<u64> {
    words.iter().map(|&w| seed.stream(Stage::Tie, vocabulary.key(w)).next_u64()).collect()
}

/// Finds the novel words by the method that the parameters name.
///
/// `n_topics` (K) sets the paper's rules of thumb; it is an error to find fewer words than that.
pub fn novel_words<S: SufficientStats>(
    source: &S,
    stats: &WordStats,
    params: &DetectParams,
    steering: &Steering,
    n_topics: usize,
    ctx: &Context<'_>,
) -> Result<NovelWords, Error> {
    params.check()?;
    let allowed = candidates(stats, &params.floor, steering);
    let too_few =
        |found| Error::TooFewCandidates { found, topics: n_topics, allowed: allowed.len() };
    if allowed.len() < n_topics.max(1) {
        return Err(too_few(allowed.len()));
    }
    let search = Search { source, stats, allowed: &allowed, params, n_topics, ctx };
    let found = match params.method {
        Method::Ddp => ddp::detect(&search),
        Method::Rp => rp::detect(&search)?,
        Method::Binning => {
            let what = "binning (--method binning)";
            let source = source.documents().ok_or(Error::NeedsDocuments { what })?;
            binning::detect(&Search { source, stats, allowed: &allowed, params, n_topics, ctx })
        }
        Method::Embedded | Method::EmbeddedDdp => {
            let (name, rule) = ("method", "ddp, rp or binning, where words are not embedded");
            return Err(Error::Parameter { name, rule, value: "embedded".into() });
        }
    };
    if found.len() < n_topics {
        return Err(too_few(found.len()));
    }
    Ok(NovelWords { words: found, allowed: allowed.len() })
}

/// Words that pass the floor and occur on both sides of the pairs; without that they have no point to speak of.
fn candidates(stats: &WordStats, floor: &Floor, steering: &Steering) -> Vec<u32> {
    let min_df = floor.min_df.at_least(stats.documents);
    let mut words: Vec<u32> = (0..stats.n_words() as u32)
        .filter(|&w| steering.allows(w))
        .filter(|&w| {
            let w = w as usize;
            stats.first[w] > 0.0
                && stats.second[w] > 0.0
                && stats.df[w] >= min_df
                && stats.tokens[w] >= floor.min_tokens
        })
        .collect();
    if let Some(most) = floor.most.filter(|&most| words.len() > most) {
        // Words as frequent as the last one that fits stay: no word is barred by its spelling.
        let mut df: Vec<u64> = words.iter().map(|&w| stats.df[w as usize]).collect();
        df.sort_unstable_by(|a, b| b.cmp(a));
        words.retain(|&w| stats.df[w as usize] >= df[most - 1]);
    }
    words
}

#[cfg(test)]
mod tests;
