//! Solid angles: anchors are the words that are extreme in the most random directions.
//!
//! Ding, Rohban, Ishwar & Saligrama (AISTATS 2014) and Ding, Ishwar & Saligrama (JSTSP 2016), the paper's
//! own successors: random projections of the normalised co-occurrence `E_ij = Q_ij / (p_i p_j)` instead of
//! the documents. The share of directions u in which `E_i u` is the largest is the *normalised solid
//! angle* of word i: positive for vertices of the hull, 0 for all others. The words of one topic share its
//! vertex, so a word also wins a direction when only words near it are above it, near meaning
//! `D_ij = E_ii − 2 E_ij + E_jj < ζ/2`. Anchors are chosen by descending solid angle, each at least ζ/2
//! from those before; every word is then a mixture of the anchors' rows of E.
//!
//! Two simplifications keep memory bounded: shared wins go only to words that win some direction alone,
//! and only if they are among its first 32.

use std::cmp::Reverse;

use crate::parameter::{at_least_one, not_negative};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use vertopic::context::Context;
use vertopic::corpus::{Corpus, DocumentKey, Frequency};
use vertopic::detect::NovelWord;
use vertopic::moments::Directions;
use vertopic::seed::Seed;
use vertopic::{Error, Parameter};

use super::recover;
use super::rows::{self, Rows, Weighting};
use crate::method::MethodOutput;

/// Settings of the method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolidAngleParams {
    /// K: topics.
    pub n_topics: usize,
    /// P: random directions. `None`: 150·K.
    pub projections: Option<usize>,
    /// ζ: words nearer than half of it share a vertex. `None`: ζ/2 is the median of the distances between
    /// winners. If fewer than K words are so far apart it is halved until there are K.
    pub distance: Option<f64>,
    /// Documents that an anchor occurs in, at least. `None`: as for the other methods.
    pub min_df: Option<Frequency>,
    /// Gap at which a regression counts as solved, after scaling the anchors' rows to a mean squared norm
    /// of 1.
    pub tolerance: f64,
    /// Seed of the directions and of ties.
    pub seed: Seed,
}

/// Directions per topic.
const PROJECTIONS_PER_TOPIC: usize = 150;
/// How many of the first words of a direction can share its win.
const LIST: usize = 32;
/// Winners whose distances are compared, at most: those with the most wins.
const MOST_WINNERS: usize = 3000;
/// Numbers that a block of projections may hold.
const BLOCK_ENTRIES: usize = if cfg!(test) { 1 << 10 } else { 1 << 22 }; // tests run many blocks

impl SolidAngleParams {
    /// The authors' settings for `n_topics` topics.
    pub fn new(n_topics: usize) -> Self {
        Self {
            n_topics,
            projections: None,
            distance: None,
            min_df: None,
            tolerance: 1e-6,
            seed: Seed::default(),
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        super::check_common(self.n_topics, self.min_df, self.tolerance)?;
        at_least_one(Parameter::Projections, self.projections.unwrap_or(1))?;
        not_negative(Parameter::Distance, self.distance.unwrap_or(0.0))
    }
}

/// Finds anchors by solid angle, and topics from them. The strength of an anchor is its solid angle.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic_lab::method::anchor::solid_angle::{SolidAngleParams, fit};
/// use vertopic_lab::synth::separable::Separable;
///
/// let planted = Separable { words: 60, topics: 3, ..Separable::default() }.generate(1)?;
/// let found = fit(&planted.corpus, &SolidAngleParams::new(3), &Context::silent()?)?;
/// assert_eq!(found.topics.n_topics(), 3);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn fit(
    corpus: &Corpus,
    params: &SolidAngleParams,
    ctx: &Context<'_>,
) -> Result<MethodOutput, Error> {
    params.check()?;
    let k = params.n_topics;
    let stats = rows::word_stats(corpus, params.seed, ctx)?;
    let rows = Rows::new(corpus, &stats, Weighting::Normalised);
    let candidates = rows.candidates(params.min_df);
    let too_few =
        |found| Error::TooFewCandidates { found, topics: k, n_candidates: candidates.len() };
    if candidates.len() < k {
        return Err(too_few(candidates.len()));
    }
    let ties = rows.ties(&candidates);
    let projections = params.projections.unwrap_or(PROJECTIONS_PER_TOPIC * k);
    let lists = first_words(&rows, &candidates, &ties, projections, params.seed, ctx)?;
    let winners = winners(&lists, &ties);
    if winners.len() < k {
        return Err(too_few(winners.len()));
    }
    let words: Vec<u32> = winners.iter().map(|&at| candidates[at as usize]).collect();
    let near = Nearness { n: words.len(), distances: rows.distances(&words, ctx)? };
    let half = params.distance.map_or_else(|| near.median(), |zeta| zeta / 2.0);
    let angles = solid_angles(&lists, &winners, candidates.len(), &near, half);
    let mut order: Vec<usize> = (0..winners.len()).collect();
    let tie = |i: usize| ties[winners[i] as usize];
    order.sort_by(|&a, &b| angles[b].total_cmp(&angles[a]).then(tie(a).cmp(&tie(b))));
    let (chosen, used) = near.apart(&order, k, half);

    let anchors: Vec<u32> = chosen.iter().map(|&i| words[i]).collect();
    let products = rows.products(&rows.of(&anchors, ctx)?, ctx)?;
    let frequencies = &rows.frequencies;
    let mixtures = recover::least_squares(products, &anchors, frequencies, params.tolerance, ctx)?;
    let report = serde_json::json!({
        "method": "solid-angle",
        "candidates": candidates.len(),
        "projections": projections,
        "winners": winners.len(),
        "distance": 2.0 * half,
        "distance_used": used.map(|half| 2.0 * half),
        "regression": mixtures.report(),
    });
    let novel: Vec<NovelWord> =
        chosen.iter().map(|&i| NovelWord { word: words[i], strength: angles[i] }).collect();
    mixtures.into_found(corpus, frequencies, &novel, report)
}

/// For every direction the candidates with the largest `E_i u`, by position, largest first.
fn first_words(
    rows: &Rows<'_>,
    candidates: &[u32],
    ties: &[u64],
    projections: usize,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<Vec<Vec<u32>>, Error> {
    let w = rows.len();
    let directions = Directions::new(seed);
    let block = (BLOCK_ENTRIES / w).clamp(4, 512) / 4 * 4; // directions come in fours
    let mut lists = Vec::with_capacity(projections);
    for start in (0..projections).step_by(block) {
        let width = block.min(projections - start);
        let mut vectors = vec![0.0; w * width];
        ctx.install(|| {
            let lines = vectors.par_chunks_mut(width).enumerate();
            lines.for_each_init(
                || vec![0; width],
                |entries, (i, line)| {
                    // A direction is over words here, and the key of one is as good as a document's.
                    directions.fill(DocumentKey(rows.key(i as u32)), start, entries);
                    line.iter_mut().zip(entries).for_each(|(v, e)| *v = f64::from(*e));
                },
            );
        });
        let projected = rows.times(&mut vectors, width, ctx)?;
        let first = |p: usize| {
            let value = |at: u32| projected[candidates[at as usize] as usize * width + p];
            let mut list: Vec<u32> = (0..candidates.len() as u32).collect();
            let by = |a: &u32, b: &u32| {
                value(*b).total_cmp(&value(*a)).then(ties[*a as usize].cmp(&ties[*b as usize]))
            };
            if list.len() > LIST {
                list.select_nth_unstable_by(LIST - 1, by);
                list.truncate(LIST);
            }
            list.sort_unstable_by(by);
            list
        };
        lists.extend(ctx.install(|| (0..width).into_par_iter().map(first).collect::<Vec<_>>()));
    }
    Ok(lists)
}

/// Candidates that win a direction alone, most wins first.
fn winners(lists: &[Vec<u32>], ties: &[u64]) -> Vec<u32> {
    let mut wins = vec![0_u32; ties.len()];
    lists.iter().filter_map(|list| list.first()).for_each(|&at| wins[at as usize] += 1);
    let mut order: Vec<u32> = (0..ties.len() as u32).filter(|&at| wins[at as usize] > 0).collect();
    order.sort_by_key(|&at| (Reverse(wins[at as usize]), ties[at as usize]));
    order.truncate(MOST_WINNERS);
    order
}

/// Share of the directions that each winner wins, alone or with words near to it above.
fn solid_angles(
    lists: &[Vec<u32>],
    winners: &[u32],
    candidates: usize,
    near: &Nearness,
    half: f64,
) -> Vec<f64> {
    let mut place = vec![None; candidates];
    winners.iter().enumerate().for_each(|(i, &at)| place[at as usize] = Some(i));
    let mut wins = vec![0_u64; winners.len()];
    let mut above = Vec::with_capacity(LIST);
    for list in lists {
        above.clear();
        for i in list.iter().filter_map(|&at| place[at as usize]) {
            wins[i] += u64::from(above.iter().all(|&j| near.distance(i, j) < half));
            above.push(i);
        }
    }
    wins.iter().map(|&n| n as f64 / lists.len() as f64).collect()
}

/// Distances between the winners.
struct Nearness {
    n: usize,
    distances: Vec<f64>,
}

impl Nearness {
    fn distance(&self, i: usize, j: usize) -> f64 {
        self.distances[i * self.n + j]
    }

    /// The middle one of the distances between different winners; 0 if there is only one winner.
    fn median(&self) -> f64 {
        let mut all: Vec<f64> = (0..self.n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| self.distance(i, j))
            .collect();
        if all.is_empty() {
            return 0.0;
        }
        let middle = all.len() / 2;
        *all.select_nth_unstable_by(middle, f64::total_cmp).1
    }

    /// The first `k` of `order` that are at least `half` apart, and the threshold used. If there are too
    /// few it is halved; if that does not help there is none.
    fn apart(&self, order: &[usize], k: usize, half: f64) -> (Vec<usize>, Option<f64>) {
        let mut half = Some(half);
        loop {
            let mut chosen: Vec<usize> = Vec::with_capacity(k);
            for &i in order {
                let clear = |j: &usize| half.is_none_or(|h| self.distance(i, *j) >= h);
                if chosen.len() < k && chosen.iter().all(clear) {
                    chosen.push(i);
                }
            }
            if chosen.len() == k || half.is_none() {
                return (chosen, half);
            }
            half = half.map(|h| h / 2.0).filter(|&h| h > 1e-9);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Winners on a line; squared distances.
    fn line(places: &[f64]) -> Nearness {
        let n = places.len();
        let distances = (0..n * n).map(|at| (places[at / n] - places[at % n]).powi(2)).collect();
        Nearness { n, distances }
    }

    #[test]
    fn wins_are_shared_with_near_words_only() {
        // Candidates 4, 2 and 7 win; 2 is near 4, and 7 is far from both. Candidate 1 never wins.
        let near = line(&[0.0, 0.1, 5.0]);
        let lists = [vec![4, 2, 7], vec![2, 1, 4], vec![7, 4, 2], vec![4, 7, 2]];
        let winners = winners(&lists, &[0; 8]);
        assert_eq!(winners[0], 4, "two wins");
        let angles = solid_angles(&lists, &[4, 2, 7], 8, &near, 1.0);
        // 4: its own two and the one below 2. 2: its own and the one below 4, not those below 7.
        assert_eq!(angles, [0.75, 0.5, 0.25]);
        assert_eq!(solid_angles(&lists, &[4, 2, 7], 8, &near, 0.0), [0.5, 0.25, 0.25]);
    }

    #[test]
    fn anchors_are_apart_and_the_threshold_gives_way() {
        let near = line(&[0.0, 0.1, 5.0, 5.2]);
        assert_eq!(near.apart(&[0, 1, 2, 3], 2, 1.0), (vec![0, 2], Some(1.0)));
        // A third one needs D ≥ 1/32: .2² is enough, .1² is not.
        assert_eq!(near.apart(&[0, 1, 2, 3], 3, 1.0), (vec![0, 2, 3], Some(1.0 / 32.0)));
        let twins = line(&[1.0, 1.0]);
        assert_eq!(twins.apart(&[1, 0], 2, 1.0), (vec![1, 0], None));
    }

    #[test]
    fn the_median_is_over_pairs() {
        // Pairs of 0, 1, 3 and 7 are 1, 4, 9, 16, 36 and 49.
        assert_eq!(line(&[0.0, 1.0, 3.0, 7.0]).median(), 16.0);
        assert_eq!(line(&[1.0]).median(), 0.0);
    }
}
