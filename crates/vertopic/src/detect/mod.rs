//! Novel words: the extreme points of a [`WordSpace`].
//!
//! | here | paper | meaning |
//! |---|---|---|
//! | [`rp`] | Algorithm 2 | random directions; maximum and minimum win |
//! | [`ddp`] | Algorithm 1 | every word's own direction: far words must be clearly less correlated |
//! | [`binning`] | Algorithm 3 | one random direction per bin of documents |
//! | [`DetectParams::projections`] | P | number of random directions |
//! | [`DetectParams::far_words`] | r, J_i | words that a word is compared with |
//! | [`DetectParams::novel_words`] | s | words declared novel |
//!
//! A detector gives a list of words with a strength, strongest first. The strength is the share of directions won, an
//! estimate of the solid angle of the word's vertex, or for DDP the margin by which the word passes its test.

pub mod binning;
pub mod ddp;
mod guidance;
mod params;
pub mod rp;

pub(crate) use guidance::too_many_pins;
pub use guidance::{Guidance, ResolvedGuidance, TopicRequest};
pub use params::{CandidateFilter, DetectParams, Method};

use crate::context::Context;
use crate::error::Error;
use crate::moments::WordStats;
use crate::seed::Stage;
use crate::space::WordSpace;

/// Candidates per topic that the filter by noise leaves, at least.
const LEAST_PER_TOPIC: usize = 5;

/// A word found novel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NovelWord {
    /// The word's id.
    pub word: u32,
    /// Share of directions won (RP, binning) or margin (DDP); 0 for a word that was given, not found.
    pub strength: f64,
}

/// Novel words, strongest first.
#[derive(Debug, Clone, PartialEq)]
pub struct NovelWords {
    /// The words.
    pub words: Vec<NovelWord>,
    /// Number of words that passed the filter.
    pub n_candidates: usize,
}

impl NovelWords {
    /// Ids of the words, strongest first.
    pub fn ids(&self) -> Vec<u32> {
        self.words.iter().map(|n| n.word).collect()
    }
}

/// What a detector works on.
#[derive(Debug)]
pub struct Search<'a, 'r, S> {
    /// The space in which novel words are extreme points.
    pub space: &'a S,
    /// The words that may be novel, ascending.
    pub candidates: &'a [u32],
    /// The settings.
    pub params: &'a DetectParams,
    /// K, for the rules of thumb.
    pub n_topics: usize,
    /// Threads and progress.
    pub ctx: &'a Context<'r>,
}

impl<S: WordSpace> Search<'_, '_, S> {
    /// A random number for each candidate. It decides between words that are equally extreme, and depends on the word
    /// alone, so neither spelling nor position favours a word.
    pub fn ties(&self) -> Vec<u64> {
        let (words, seed) = (self.space.vocabulary(), self.space.stats().seed);
        let tie = |&w: &u32| seed.stream(Stage::Tie, words.key(w)).next_u64();
        self.candidates.iter().map(tie).collect()
    }

    /// How many of the best words are novel, at most; the paper's s.
    fn most_kept(&self) -> usize {
        self.params.novel_words.unwrap_or(10 * self.n_topics)
    }

    /// A control: candidates drawn at random, without a strength.
    fn drawn(&self, n: usize) -> Vec<NovelWord> {
        let ties = self.ties();
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by_key(|&i| ties[i]);
        order.truncate(n);
        let novel = |i: usize| NovelWord { word: self.candidates[i], strength: 0.0 };
        order.into_iter().map(novel).collect()
    }
}

/// Finds the novel words of a space by the method of `params`.
///
/// The number of topics of `request` sets the rules of thumb. It is an error to find fewer words than topics without a
/// pin.
pub fn novel_words<S: WordSpace>(
    space: &S,
    params: &DetectParams,
    request: &TopicRequest,
    ctx: &Context<'_>,
) -> Result<NovelWords, Error> {
    params.check()?;
    let n_topics = request.at_least();
    let candidates = candidates(space, &params.filter, request);
    let n_candidates = candidates.len();
    let missing = request.missing()?;
    if missing == 0 && request.has_pins() {
        return Ok(NovelWords { words: Vec::new(), n_candidates });
    }
    let too_few = |found| Error::TooFewCandidates { found, topics: missing, n_candidates };
    if n_candidates < missing.max(1) {
        return Err(too_few(n_candidates));
    }
    let search = Search { space, candidates: &candidates, params, n_topics, ctx };
    let words = match (params.random, params.method) {
        (Some(n), _) => search.drawn(n),
        (None, Method::Ddp) => ddp::detect(&search)?,
        (None, Method::EmbeddedDdp) => ddp::detect_significant(&search)?,
        (None, Method::Rp) => rp::detect(&search)?,
        (None, Method::Embedded) => {
            let mut words = rp::detect(&search)?;
            words.truncate(search.most_kept());
            words
        }
        (None, Method::Binning) => binning::detect(&search)?,
    };
    if words.len() < missing {
        return Err(too_few(words.len()));
    }
    Ok(NovelWords { words, n_candidates })
}

/// The words that may be novel, ascending: those with a point that pass the filter.
fn candidates<S: WordSpace>(
    space: &S,
    filter: &CandidateFilter,
    request: &TopicRequest,
) -> Vec<u32> {
    let mut words = frequent(space.stats(), filter, request.guidance());
    let masses = space.masses();
    words.retain(|&w| masses.on_both_sides(w));
    if let Some(most) = filter.noise {
        // A small collection is noisy all over: keep at least the best of it.
        let mut noise: Vec<f64> = words.iter().filter_map(|&w| space.noise(w)).collect();
        noise.sort_unstable_by(f64::total_cmp);
        let last = (LEAST_PER_TOPIC * request.at_least()).min(noise.len());
        let most = if last > 0 { most.max(noise[last - 1]) } else { most };
        words.retain(|&w| space.noise(w).is_none_or(|noise| noise <= most));
    }
    words
}

/// Words that are frequent enough and occur on both sides of the pairs of tokens.
fn frequent(stats: &WordStats, filter: &CandidateFilter, guidance: &ResolvedGuidance) -> Vec<u32> {
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
        // Words as frequent as the last one that fits stay: spelling decides nothing.
        let mut df: Vec<u64> = words.iter().map(|&w| stats.df[w as usize]).collect();
        df.sort_unstable_by(|a, b| b.cmp(a));
        words.retain(|&w| stats.df[w as usize] >= df[most - 1]);
    }
    words
}

#[cfg(test)]
mod tests;
