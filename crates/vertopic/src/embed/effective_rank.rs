//! Number of significant dimensions of the co-occurrence.
//!
//! `Q = β R βᵀ` off its diagonal, with β the topics and R the second moments of the mixtures, has rank K: as
//! many dimensions as topics. A sample of documents has more, and in-sample eigenvalues cannot separate them: noise has
//! positive ones, too. So eigenvectors are found on one half of the documents and tested on the other (cross-validated eigenvalues; Chen, Roch, Rohe & Yu 2021, who do it for graphs):
//!
//! `λ_j = v_jᵀ Q_B v_j` is the mean over the documents of half B of `x_dj = (a_d·v_j)² − Σ_i a_di² v_ji²`, with
//! `v_j` an eigenvector of `Q_A`. Documents are independent, so `z_j = λ_j / se` is about normal. A noise direction has an
//! expected λ of at most 0, because the diagonal is subtracted. Then the halves swap roles. The two scores are nearly
//! independent, and `(z_A + z_B) / √2` is the score of dimension j.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, Documents, KeyedSample, Pass, PassReader, PassWriter, Subset, SumFields,
    Vocabulary,
};
use crate::embed::{EmbedParams, Embedding};
use crate::error::Error;
use crate::exact;
use crate::moments::{CooccurrenceOperator, Shape, WordStats, WordWeights, add_all};
use crate::seed::Stage;

/// A dimension is significant if its score is above this. Among 100 noise dimensions, one passes in one corpus of seven at
/// most, since their expected λ is below 0.
pub const SIGNIFICANCE_Z: f64 = 3.0;

/// Dimensions tested, at first and at most. If half of them are significant, twice as many are tested.
const FEWEST: usize = 32;
const MOST: usize = 256;

/// The cross-validated dimensions of the co-occurrence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EffectiveRank {
    /// Number of significant dimensions.
    pub rank: usize,
    /// Score of each dimension tested, by falling eigenvalue of the half that found it.
    pub scores: Vec<f64>,
    /// Held-out eigenvalue of each dimension: the mean over both halves.
    pub eigenvalues: Vec<f64>,
}

impl EffectiveRank {
    /// Whether there may be more: the most dimensions were tested and one of the last quarter is significant.
    pub fn is_open(&self) -> bool {
        let tested = self.scores.len();
        tested >= MOST && self.scores[tested - tested / 4..].iter().any(|&z| z > SIGNIFICANCE_Z)
    }
}

/// Counts the significant dimensions of the co-occurrence.
pub fn effective_rank<D: Documents>(
    documents: &D,
    stats: &WordStats,
    params: &EmbedParams,
    ctx: &Context<'_>,
) -> Result<EffectiveRank, Error> {
    // Equal documents fall into the same half: otherwise a document would confirm itself.
    let half = KeyedSample::of_half(stats.seed, Stage::Fold, false, 1.0);
    let (one, other) = (Subset::new(documents, half, ctx)?, Subset::without(documents, half, ctx)?);
    let mut most = FEWEST;
    loop {
        let there = tested(&one, &other, stats, params, most, ctx)?;
        let back = tested(&other, &one, stats, params, most, ctx)?;
        let (scores, eigenvalues): (Vec<f64>, Vec<f64>) = there
            .iter()
            .zip(&back)
            .map(|(a, b)| ((a.0 + b.0) * std::f64::consts::FRAC_1_SQRT_2, f64::midpoint(a.1, b.1)))
            .unzip();
        let real = scores.iter().filter(|&&z| z > SIGNIFICANCE_Z).count();
        if 2 * real < most || most >= MOST.min(stats.n_words()) {
            return Ok(EffectiveRank { rank: real, scores, eigenvalues });
        }
        most *= 2;
    }
}

/// Score and eigenvalue on `tests` of the `most` leading dimensions of `finds`.
fn tested(
    finds: &impl Documents,
    tests: &impl Documents,
    stats: &WordStats,
    params: &EmbedParams,
    most: usize,
    ctx: &Context<'_>,
) -> Result<Vec<(f64, f64)>, Error> {
    // With the totals of all documents both halves weigh words alike. The scale of Q does not matter here.
    let found = Embedding::of(finds, stats, params, most, ctx)?;
    let columns = found.rank;
    let scale: Vec<f64> = found.eigenvalues.iter().map(|l| l.sqrt()).collect();
    let vectors: Vec<f64> = found
        .rows
        .chunks(columns)
        .flat_map(|row| row.iter().zip(&scale).map(|(y, s)| y / s))
        .collect();
    // ‖a‖₂² ≤ 2 and ‖v‖₂ = 1, so x is at most 2 in size.
    let bits = exact::sum_bits(stats.documents, 4.0);
    let up = libm::ldexp(1.0, bits);
    let cooccurrence = CooccurrenceOperator::off_diagonal(tests, stats, params.weighting);
    let pass = TestDirections::new(cooccurrence.word_weights(), vectors, columns, bits);
    let sums = tests.pass(&pass, ctx)?;
    if sums.documents < 2 {
        return Err(Error::TooFewDocuments { usable: sums.documents, documents: stats.documents });
    }
    let m = sums.documents as f64;
    let score = |(&first, &second): (&i64, &i64)| {
        let (mean, square) = (first as f64 / up / m, second as f64 / up / m);
        let se = ((square - mean * mean).max(0.0) / (m - 1.0)).sqrt();
        (mean / se.max(f64::MIN_POSITIVE), mean)
    };
    Ok(sums.first.iter().zip(&sums.second).map(score).collect())
}

/// The pass that tests directions on documents.
#[derive(Debug)]
pub(crate) struct TestDirections {
    weights: WordWeights,
    /// W × columns.
    vectors: Vec<f64>,
    squares: Vec<f64>,
    columns: usize,
    /// Binary digits behind the point of a sum.
    bits: i32,
}

impl TestDirections {
    fn new(weights: WordWeights, vectors: Vec<f64>, columns: usize, bits: i32) -> Self {
        let squares = vectors.iter().map(|v| v * v).collect();
        Self { weights, vectors, squares, columns, bits }
    }
}

impl Pass for TestDirections {
    const NAME: &'static str = "dimensions";
    const STAGE: &'static str = "testing dimensions";
    type Accumulator<'a> = Tested<'a>;

    fn accumulator<'a>(&'a self, _: &'a Vocabulary, _: &Context<'_>) -> Tested<'a> {
        let columns = self.columns;
        Tested {
            shape: self.weights.shape(),
            vectors: &self.vectors,
            squares: &self.squares,
            up: libm::ldexp(1.0, self.bits),
            whole: vec![0.0; columns],
            own: vec![0.0; columns],
            documents: 0,
            first: vec![0; columns],
            second: vec![0; columns],
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.weights.write(out);
        out.bits(self.bits);
        out.number(self.columns as u64);
        out.table(self.vectors.iter().copied());
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let (weights, bits) = (WordWeights::read(from, words)?, from.bits()?);
        let columns = from.size(u32::MAX as usize)?;
        from.limit(words.len().max(1), columns)?;
        let vectors = from.table(words.len() * columns)?;
        Ok(Self::new(weights, vectors, columns, bits))
    }
}

/// Sums of `x_dj` and of its square.
pub(crate) struct Tested<'a> {
    shape: Shape<'a>,
    vectors: &'a [f64],
    squares: &'a [f64],
    up: f64,
    whole: Vec<f64>,
    own: Vec<f64>,
    documents: usize,
    first: Vec<i64>,
    second: Vec<i64>,
}

impl Accumulator for Tested<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.shape.load(document) {
            return;
        }
        self.documents += 1;
        let columns = self.whole.len();
        self.whole.fill(0.0);
        self.own.fill(0.0);
        for (&w, &a) in document.words.iter().zip(&self.shape.weights) {
            let row = w as usize * columns..(w as usize + 1) * columns;
            let (values, squares) = (&self.vectors[row.clone()], &self.squares[row]);
            self.whole.iter_mut().zip(values).for_each(|(t, v)| *t += a * v);
            self.own.iter_mut().zip(squares).for_each(|(t, v)| *t += a * a * v);
        }
        let sums = self.first.iter_mut().zip(&mut self.second);
        for ((t, own), (first, second)) in self.whole.iter().zip(&self.own).zip(sums) {
            let x = t * t - own;
            exact::add(first, exact::nearest(x * self.up));
            exact::add(second, exact::nearest(x * x * self.up));
        }
    }

    fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        add_all(&mut self.first, &other.first);
        add_all(&mut self.second, &other.second);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.size(&mut self.documents)?;
        fields.integers(&mut self.first)?;
        fields.integers(&mut self.second)
    }
}
