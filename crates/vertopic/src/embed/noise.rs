//! How well the documents determine the point of each word.
//!
//! A point is a ratio of two sums over documents, `y_i = Σ_m t_im / Σ_m r_im`, with `r_im` what document m
//! adds to the word's mass and `t_im` what it adds to its row of Y. Documents are independent, so the
//! squared standard error of the ratio is `Σ_m ‖t_im − r_im y_i‖² / (Σ_m r_im)²`. It is told relative to
//! the squared distance of the point from the centre, signal and noise together: a rare word may be an
//! extreme point by chance, and then the two are of one size.

use crate::corpus::{Accumulator, Document, Documents};
use crate::embed::Embedding;
use crate::exact;
use crate::moments::{Joint, Shape, Totals, add_all};
use crate::run::Run;

/// A document adds at most this to the relative error of a word. One such document is proof enough of noise,
/// and bounded terms can be summed exactly.
const MOST: f64 = 16.0;

/// The relative squared error of every point; [`MOST`] for words without one.
pub(super) fn relative<D: Documents>(
    documents: &D,
    joint: &Joint<'_, D>,
    totals: &Totals,
    embedding: &Embedding,
    others: &[f64],
    run: &Run<'_>,
) -> Vec<f64> {
    let rank = embedding.rank;
    let centre = embedding.centre();
    // Q V Λ^-½ is Y up to scale, so a document adds a_i (a·B − a_i B_i) to the row, with B = V Λ^-½; the
    // embedding holds Y = V (Λ/total)^½ with Λ/total its eigenvalues.
    let mut basis = Vec::with_capacity(embedding.rows.len());
    for row in embedding.rows.chunks(rank) {
        basis.extend(row.iter().zip(&embedding.eigenvalues).map(|(y, l)| y / l));
    }
    let mut points = vec![0.0; embedding.rows.len()];
    let mut scale = vec![0.0; embedding.n_words()];
    for (i, point) in points.chunks_mut(rank).enumerate().filter(|&(i, _)| others[i] > 0.0) {
        point.copy_from_slice(&embedding.point(i));
        let distance: f64 = point.iter().zip(&centre).map(|(y, c)| (y - c) * (y - c)).sum();
        let mass = totals.paired as f64 * others[i];
        scale[i] = 1.0 / (mass * mass * distance).max(f64::MIN_POSITIVE);
    }
    let bits = exact::sum_bits(totals.paired, MOST);
    let up = libm::ldexp(1.0, bits);
    let sums = documents.pass("measuring noise", run, || Errors {
        shape: joint.shape(),
        rank,
        basis: &basis,
        points: &points,
        scale: &scale,
        up,
        whole: vec![0.0; rank],
        sums: vec![0; embedding.n_words()],
    });
    let noise = sums.sums.iter().map(|&sum| sum as f64 / up);
    noise.zip(others).map(|(noise, o)| if *o > 0.0 { noise } else { MOST }).collect()
}

/// The sums behind the errors.
struct Errors<'a> {
    shape: Shape<'a>,
    rank: usize,
    basis: &'a [f64],
    points: &'a [f64],
    scale: &'a [f64],
    up: f64,
    whole: Vec<f64>,
    sums: Vec<i64>,
}

impl Accumulator for Errors<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.shape.enter(document) {
            return;
        }
        let row = |w: u32| w as usize * self.rank..(w as usize + 1) * self.rank;
        self.whole.fill(0.0);
        let mut all = 0.0;
        for (&w, a) in document.words.iter().zip(&self.shape.weights) {
            all += a;
            self.whole.iter_mut().zip(&self.basis[row(w)]).for_each(|(t, b)| *t += a * b);
        }
        for ((w, c), &a) in document.pairs().zip(&self.shape.weights) {
            let own = self.shape.own(a, c);
            let mut error = 0.0;
            let (basis, point) = (&self.basis[row(w)], &self.points[row(w)]);
            for ((t, b), y) in self.whole.iter().zip(basis).zip(point) {
                let e = (t - own * b) - (all - own) * y;
                error += e * e;
            }
            let share = (a * a * error * self.scale[w as usize]).min(MOST);
            self.sums[w as usize] += exact::nearest(share * self.up);
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.sums, &other.sums);
    }
}
