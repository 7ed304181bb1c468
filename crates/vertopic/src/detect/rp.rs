//! Random projections (Algorithm 2).
//!
//! For each of P directions u, the words with the largest and the smallest projection `X~_i u` are novel. (The listing in
//! the paper prints the argmax twice; its text says maximum and minimum.) The share of the 2P contests that a word wins
//! estimates its normalised solid angle.
//!
//! Cost: P multiply-adds per (document, word) pair in the space of documents, per word and dimension in the embedding.

use crate::detect::{NovelWord, Search};
use crate::error::Error;
use crate::space::{Contest, Extremes, WordSpace};

/// Projects the candidates and returns the winners, most wins first.
pub fn detect<S: WordSpace>(search: &Search<'_, '_, S>) -> Result<Vec<NovelWord>, Error> {
    let directions = search.params.projections.unwrap_or(50 * search.n_topics);
    let ties = search.ties();
    let wins = wins(search, &ties, directions)?;
    let mut order: Vec<usize> = (0..wins.len()).filter(|&i| wins[i] > 0).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(wins[i]), ties[i]));
    let contests = 2.0 * directions as f64;
    let strength = |i: usize| wins[i] as f64 / contests;
    let novel = |i: usize| NovelWord { word: search.candidates[i], strength: strength(i) };
    Ok(order.into_iter().map(novel).collect())
}

/// How often each candidate is the maximum or the minimum of a direction.
pub(super) fn wins<S: WordSpace>(
    search: &Search<'_, '_, S>,
    ties: &[u64],
    directions: usize,
) -> Result<Vec<u64>, Error> {
    let words = search.candidates;
    let contest = Contest { words, ties, directions, sample: search.params.sample };
    let mut wins = vec![0_u64; words.len()];
    for Extremes { lowest, highest } in search.space.extremes(&contest, search.ctx)? {
        wins[lowest] += 1;
        wins[highest] += 1;
    }
    Ok(wins)
}
