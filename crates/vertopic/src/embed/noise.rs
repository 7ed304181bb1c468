//! Standard error of the point of each word.
//!
//! A point is a ratio of two sums over documents, `y_i = Σ_m t_im / Σ_m r_im`, with `r_im` what document m
//! adds to the word's mass and `t_im` what it adds to its row of Y. Documents are independent, so the
//! squared standard error of the ratio is `Σ_m ‖t_im − r_im y_i‖² / (Σ_m r_im)²`. It is divided by the
//! squared distance of the point from the centre, which is signal plus noise: a rare word may be an extreme point by chance,
//! and then the ratio is about 1.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, Documents, Pass, PassReader, PassWriter, SumFields, Vocabulary,
};
use crate::embed::Embedding;
use crate::error::Error;
use crate::exact;
use crate::moments::{CooccurrenceOperator, Shape, Weighed, WordStats, WordWeights, add_all};
use crate::simd::{self, Kernel, Lane, Rows, Simd, lanes_for, sum_over};

/// A document adds at most this to the relative error of a word. One such document proves noise, and bounded terms can be
/// summed exactly.
const MOST: f64 = 16.0;

/// The relative squared error of every point; [`MOST`] for words without one.
pub(super) fn relative<D: Documents>(
    documents: &D,
    cooccurrence: &CooccurrenceOperator<'_, D>,
    stats: &WordStats,
    embedding: &Embedding,
    others: &[f64],
    ctx: &Context<'_>,
) -> Result<Vec<f64>, Error> {
    let rank = embedding.rank;
    let centre = embedding.centre(ctx);
    // Q V Λ^-½ is Y up to scale, so a document adds a_i (a·B − a_i B_i) to the row, with B = V Λ^-½; the
    // embedding holds Y = V (Λ/total)^½ with Λ/total its eigenvalues.
    let width = lanes_for(rank);
    let mut basis = Rows::shared(embedding.n_words() * width, ctx);
    let mut points = Rows::shared(basis.len(), ctx);
    let mut scale = vec![0.0; embedding.n_words()];
    let rows = basis.par_chunks_mut(width).zip(points.par_chunks_mut(width)).zip(&mut scale);
    ctx.install(|| {
        rows.enumerate().for_each(|(i, ((basis, points), scale))| {
            let row = embedding.row(i);
            let values = row.iter().zip(&embedding.eigenvalues).map(|(y, l)| (y / l) as f32);
            basis.as_flattened_mut().iter_mut().zip(values).for_each(|(to, b)| *to = b);
            if others[i] > 0.0 {
                let point = || row.iter().map(|y| y / embedding.mass[i]);
                let to = points.as_flattened_mut().iter_mut();
                to.zip(point()).for_each(|(to, y)| *to = y as f32);
                let distance: f64 = point().zip(&centre).map(|(y, c)| (y - c) * (y - c)).sum();
                let mass = stats.paired as f64 * others[i];
                *scale = 1.0 / (mass * mass * distance).max(f64::MIN_POSITIVE);
            }
        });
    });
    let bits = exact::sum_bits(stats.paired, MOST);
    let up = libm::ldexp(1.0, bits);
    let pass =
        MeasureNoise { weights: cooccurrence.word_weights(), basis, points, rank, scale, bits };
    let sums = documents.pass(&pass, ctx)?;
    let noise = sums.sums.iter().map(|&sum| sum as f64 / up);
    Ok(noise.zip(others).map(|(noise, o)| if *o > 0.0 { noise } else { MOST }).collect())
}

/// The pass that measures how far single documents move the points of their words.
#[derive(Debug)]
pub(crate) struct MeasureNoise {
    weights: WordWeights,
    /// Two rows of `rank` numbers for each word, filled up to whole registers.
    basis: Rows,
    points: Rows,
    rank: usize,
    scale: Vec<f64>,
    /// Binary digits behind the point of a sum.
    bits: i32,
}

impl Pass for MeasureNoise {
    const NAME: &'static str = "noise";
    const STAGE: &'static str = "measuring noise";
    type Accumulator<'a> = Errors<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> Errors<'a> {
        Errors {
            shape: self.weights.shape(),
            basis: &self.basis,
            points: &self.points,
            scale: &self.scale,
            up: libm::ldexp(1.0, self.bits),
            whole: Rows::zeros(lanes_for(self.rank)),
            sums: vec![0; words.len()],
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.weights.write(out);
        out.bits(self.bits);
        out.rows(&self.basis, self.rank);
        out.rows(&self.points, self.rank);
        out.table(self.scale.iter().copied());
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let (weights, bits) = (WordWeights::read(from, words)?, from.bits()?);
        let (basis, rank) = from.rows(words.len())?;
        let (points, same) = from.rows(words.len())?;
        if rank != same {
            return Err(from.wrong("its points have other dimensions than its basis"));
        }
        Ok(Self { weights, basis, points, rank, scale: from.table(words.len())?, bits })
    }
}

/// The sums behind the errors.
pub(crate) struct Errors<'a> {
    shape: Shape<'a>,
    basis: &'a [Lane],
    points: &'a [Lane],
    scale: &'a [f64],
    up: f64,
    whole: Rows,
    sums: Vec<i64>,
}

impl Accumulator for Errors<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.shape.load(document) {
            return;
        }
        let Self { shape, basis, points, whole, .. } = self;
        let weights = &shape.weights;
        simd::run(Weighed { words: document.words, weights, vectors: basis, whole });
        let all: f64 = weights.iter().sum();
        for ((w, c), &a) in document.entries().zip(weights) {
            let own = shape.own(a, c);
            let row = w as usize * whole.len()..(w as usize + 1) * whole.len();
            let error = simd::run(Deviation {
                whole,
                basis: &basis[row.clone()],
                own: own as f32,
                point: &points[row],
                mass: (all - own) as f32,
            });
            let share = (a * a * f64::from(error) * self.scale[w as usize]).min(MOST);
            exact::add(&mut self.sums[w as usize], exact::nearest(share * self.up));
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.sums, &other.sums);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.integers(&mut self.sums)
    }
}

/// `‖(t − own b) − mass y‖²`: the squared deviation of a document from the point of a word.
struct Deviation<'a> {
    whole: &'a [Lane],
    basis: &'a [Lane],
    own: f32,
    point: &'a [Lane],
    mass: f32,
}

impl Kernel for Deviation<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> f32 {
        let (own, mass) = (simd.splat(-self.own), simd.splat(-self.mass));
        let whole = L::view(self.whole);
        let (basis, point) =
            (&L::view(self.basis)[..whole.len()], &L::view(self.point)[..whole.len()]);
        simd.sum(sum_over(
            simd,
            whole.len(),
            #[inline(always)]
            |j, sum| {
                let t = simd.add(whole[j], simd.mul(own, basis[j]));
                let e = simd.add(t, simd.mul(mass, point[j]));
                simd.add(sum, simd.mul(e, e))
            },
        ))
    }
}
