//! Distances of points from the span of some of them, and the searches for anchors built on it.
//!
//! Gram-Schmidt on the members of the span is a Cholesky factorisation of their inner products, with a
//! row of factors for every other point: the orthogonal coordinates of that point. So a member costs one
//! inner product per point, and taking the last member away costs nothing. Squared distances are good to
//! 10⁻¹⁵ of the squared norms, far below the noise of any corpus.

use rayon::prelude::*;
use vertopic::context::Context;

use super::points::Points;

/// The span of some points, linear or affine, and the squared distance of all points from it.
pub(super) struct Span<'a> {
    points: &'a Points,
    affine: bool,
    most: usize,
    /// Position of the first member of an affine span, and its inner products.
    origin: Option<(usize, Vec<f64>)>,
    /// Orthogonal coordinates, `most` places for each point.
    coordinates: Vec<f64>,
    filled: usize,
    /// Squared distances from the span of the first 0, 1, 2 … members.
    distances: Vec<Vec<f64>>,
}

/// A member nearer than this share of the largest squared norm lies in the span already.
const NOTHING: f64 = 1e-13;

impl<'a> Span<'a> {
    /// The span of nothing, for at most `most` members.
    pub(super) fn new(points: &'a Points, affine: bool, most: usize) -> Self {
        Self {
            points,
            affine,
            most,
            origin: None,
            coordinates: vec![0.0; points.len() * most],
            filled: 0,
            distances: vec![points.norms.clone()],
        }
    }

    /// Squared distances of all points. The distance from nothing is that from the origin.
    pub(super) fn distances(&self) -> &[f64] {
        self.distances.last().map_or(&[], Vec::as_slice)
    }

    /// Takes in a point, given its inner products with all points.
    pub(super) fn push(&mut self, member: usize, products: &[f64], ctx: &Context<'_>) {
        let norms = &self.points.norms;
        if self.affine && self.origin.is_none() {
            let from = |(x, p): (&f64, &f64)| (x - 2.0 * p + norms[member]).max(0.0);
            self.distances.push(norms.iter().zip(products).map(from).collect());
            self.origin = Some((member, products.to_vec()));
            return;
        }
        let before = self.distances();
        let largest = norms.iter().fold(0.0_f64, |a, b| a.max(*b));
        let height = before[member];
        let scale = if height > NOTHING * largest { 1.0 / height.sqrt() } else { 0.0 };
        let (filled, most) = (self.filled, self.most);
        let own = self.coordinates[member * most..member * most + filled].to_vec();
        // (x − o)·(s − o) = x·s − x·o − (s·o − o·o)
        let origin = self.origin.as_ref();
        let shift = origin.map_or(0.0, |(o, with)| with[member] - norms[*o]);
        let mut after = before.to_vec();
        ctx.install(|| {
            let lines = self.coordinates.par_chunks_mut(most);
            lines.zip(&mut after).enumerate().with_min_len(256).for_each(
                |(x, (line, distance))| {
                    let product = products[x] - origin.map_or(0.0, |(_, with)| with[x]) - shift;
                    let known: f64 = line[..filled].iter().zip(&own).map(|(a, b)| a * b).sum();
                    let coordinate = (product - known) * scale;
                    line[filled] = coordinate;
                    *distance = (*distance - coordinate * coordinate).max(0.0);
                },
            );
        });
        self.filled += 1;
        self.distances.push(after);
    }

    /// Takes the last member out again.
    pub(super) fn pop(&mut self) {
        if self.distances.len() == 1 {
            return;
        }
        self.distances.pop();
        if self.affine && self.distances.len() == 1 {
            self.origin = None;
        } else {
            self.filled -= 1;
        }
    }
}

/// Which span a search grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    /// Whether the first anchor becomes the origin.
    pub(super) affine: bool,
    /// Whether each anchor is then replaced by the point farthest from the span of the others.
    pub(super) clean_up: bool,
}

/// Anchors by position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Anchors {
    /// The points chosen, in the order of the choice.
    pub(super) positions: Vec<usize>,
    /// Distance of each from the span of the others.
    pub(super) distances: Vec<f64>,
    /// How many the second pass replaced.
    pub(super) replaced: usize,
}

/// Greedy search: the point farthest from the origin, then again and again the one farthest from the span
/// of those chosen. There are at least `k` points; of equally far ones that with the lowest tie wins.
pub(super) fn search(
    points: &Points,
    k: usize,
    rule: Rule,
    ties: &[u64],
    ctx: &Context<'_>,
) -> Anchors {
    let progress = ctx.stage("choosing anchors", k as u64);
    let mut chosen = Chosen { points, ties, positions: Vec::new(), products: Vec::new() };
    let mut span = Span::new(points, rule.affine, k);
    for _ in 0..k {
        let next = chosen.farthest(span.distances(), None);
        chosen.positions.push(next);
        chosen.products.push(points.products(next, ctx));
        span.push(next, &chosen.products[chosen.products.len() - 1], ctx);
        progress.advance(1);
    }
    drop(progress);
    let mut replaced = 0;
    if rule.clean_up {
        let progress = ctx.stage("choosing anchors again", k as u64);
        let mut empty = Span::new(points, rule.affine, k);
        leave_one_out(&mut empty, &mut chosen, 0..k, ctx, &mut |chosen, i, distances| {
            let best = chosen.farthest(distances, Some(i));
            if best != chosen.positions[i] {
                replaced += 1;
                chosen.positions[i] = best;
                chosen.products[i] = points.products(best, ctx);
            }
            progress.advance(1);
        });
    }
    let distances = separations(points, &chosen.positions, rule.affine, ctx);
    Anchors { positions: chosen.positions, distances, replaced }
}

/// Distance of each chosen point from the span of the others.
fn separations(points: &Points, chosen: &[usize], affine: bool, ctx: &Context<'_>) -> Vec<f64> {
    let k = chosen.len();
    let few = points.only(chosen);
    let products = (0..k).map(|i| few.products(i, ctx)).collect();
    let mut all = Chosen { points: &few, ties: &[], positions: (0..k).collect(), products };
    let mut found = vec![0.0; k];
    let mut span = Span::new(&few, affine, k);
    leave_one_out(&mut span, &mut all, 0..k, ctx, &mut |_, i, distances: &[f64]| {
        found[i] = distances[i].sqrt();
    });
    found
}

/// The anchors so far and their inner products with all points.
struct Chosen<'a> {
    points: &'a Points,
    ties: &'a [u64],
    positions: Vec<usize>,
    products: Vec<Vec<f64>>,
}

impl Chosen<'_> {
    /// The farthest point that is not chosen, or chosen as number `free`.
    fn farthest(&self, distances: &[f64], free: Option<usize>) -> usize {
        let mut open = vec![true; self.points.len()];
        self.positions.iter().for_each(|&p| open[p] = false);
        free.into_iter().for_each(|i| open[self.positions[i]] = true);
        (0..distances.len())
            .filter(|&x| open[x])
            .max_by(|&a, &b| {
                distances[a].total_cmp(&distances[b]).then(self.ties[b].cmp(&self.ties[a]))
            })
            .unwrap_or(0)
    }
}

/// Visits the anchors `range` in order, each with the distances from the span of all the others.
///
/// `span` holds the anchors outside the range. Halves are taken in and out by turns, so every anchor is
/// pushed log K times and not K times; a visit may replace the anchor it is at.
fn leave_one_out<'a>(
    span: &mut Span<'_>,
    chosen: &mut Chosen<'a>,
    range: std::ops::Range<usize>,
    ctx: &Context<'_>,
    visit: &mut impl FnMut(&mut Chosen<'a>, usize, &[f64]),
) {
    if range.len() < 2 {
        range.for_each(|i| visit(chosen, i, span.distances()));
        return;
    }
    let middle = range.start + range.len() / 2;
    let (left, right) = (range.start..middle, middle..range.end);
    for (out, rest) in [(right.clone(), left.clone()), (left, right)] {
        out.clone().for_each(|i| span.push(chosen.positions[i], &chosen.products[i], ctx));
        leave_one_out(span, chosen, rest, ctx, visit);
        out.for_each(|_| span.pop());
    }
}

#[cfg(test)]
pub(super) mod tests;
