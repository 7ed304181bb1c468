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
mod guidance;
mod params;
pub mod rp;

pub use crate::moments::Directions;
pub use embedded::in_embedding;
pub(crate) use guidance::too_many_pins;
pub use guidance::{Guidance, ResolvedGuidance};
pub use params::{CandidateFilter, DetectParams, Method};

use crate::context::Context;
use crate::corpus::Vocabulary;
use crate::error::{Error, Parameter};
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
    pub n_candidates: usize,
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
    pub candidates: &'a [u32],
    /// The settings.
    pub params: &'a DetectParams,
    /// K, for the paper's rules of thumb.
    pub n_topics: usize,
    /// Threads and progress.
    pub ctx: &'a Context<'r>,
}

impl<S: SufficientStats> Search<'_, '_, S> {
    /// Decides between words that are equally extreme, by position in `candidates`: by a coin that hangs on
    /// the word, so that neither spelling nor position favours anyone.
    pub fn ties(&self) -> Vec<u64> {
        coins(self.source.words(), self.stats.seed, self.candidates)
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
    guidance: &ResolvedGuidance,
    n_topics: usize,
    ctx: &Context<'_>,
) -> Result<NovelWords, Error> {
    params.check()?;
    let candidates = passing(stats, &params.filter, guidance);
    let too_few =
        |found| Error::TooFewCandidates { found, topics: n_topics, n_candidates: candidates.len() };
    if candidates.len() < n_topics.max(1) {
        return Err(too_few(candidates.len()));
    }
    let search = Search { source, stats, candidates: &candidates, params, n_topics, ctx };
    let found = match params.method {
        Method::Ddp => ddp::detect(&search)?,
        Method::Rp => rp::detect(&search)?,
        Method::Binning => {
            let what = "binning";
            let source = source.documents().ok_or(Error::NeedsDocuments { what })?;
            binning::detect(&Search {
                source,
                stats,
                candidates: &candidates,
                params,
                n_topics,
                ctx,
            })?
        }
        Method::Embedded | Method::EmbeddedDdp => {
            let rule = "ddp, rp or binning, where words are not embedded";
            return Err(Error::parameter(Parameter::Method, rule, "embedded"));
        }
    };
    if found.len() < n_topics {
        return Err(too_few(found.len()));
    }
    Ok(NovelWords { words: found, n_candidates: candidates.len() })
}

/// Words that pass the floor and occur on both sides of the pairs; without that they have no point to speak of.
fn passing(stats: &WordStats, filter: &CandidateFilter, guidance: &ResolvedGuidance) -> Vec<u32> {
    let min_df = filter.min_df.at_least(stats.documents);
    let mut words: Vec<u32> = (0..stats.n_words() as u32)
        .filter(|&w| guidance.allows(w))
        .filter(|&w| {
            let w = w as usize;
            stats.first[w] > 0.0
                && stats.second[w] > 0.0
                && stats.df[w] >= min_df
                && stats.tokens[w] >= filter.min_tokens
        })
        .collect();
    if let Some(most) = filter.most.filter(|&most| words.len() > most) {
        // Words as frequent as the last one that fits stay: no word is barred by its spelling.
        let mut df: Vec<u64> = words.iter().map(|&w| stats.df[w as usize]).collect();
        df.sort_unstable_by(|a, b| b.cmp(a));
        words.retain(|&w| stats.df[w as usize] >= df[most - 1]);
    }
    words
}

#[cfg(test)]
mod tests;
