//! The whitening of Pairs: its K leading eigenpairs, without forming the W × W matrix.
//!
//! Randomised subspace iteration (Halko, Martinsson & Tropp 2011): a random block of twice as many columns
//! as topics, and some more, is multiplied by Pairs and made orthonormal a few times; then Pairs is
//! solved inside the block. Pairs has negative eigenvalues too in a sample, and iteration keeps the large
//! ones of either sign; hence the wide block, of which the K most positive are taken.

use faer::{Mat, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use vertopic::{Error, Parameter};

use crate::method::eca::EcaParams;

/// Columns of the block beyond twice the topics.
const SPARE: usize = 10;

/// Eigenvalues below this share of the largest are rounding.
const LEAST: f64 = 1e-10;

/// A matrix V with `Vᵀ PairScheme V = I`, and the way back. The numbers of a word stand together.
#[derive(Debug)]
pub struct Whitening {
    /// `V = U Λ^-½`, W × K.
    pub into: Vec<f64>,
    /// `(Vᵀ)⁺ = U Λ^½`, W × K.
    pub back: Vec<f64>,
    /// `Vᵀ μ`.
    pub mean: Vec<f64>,
    /// The K largest eigenvalues of Pairs, descending.
    pub eigenvalues: Vec<f64>,
    /// The largest `‖PairScheme u − λu‖ / λ` over the eigenpairs.
    pub error: f64,
}

/// Whitens `PairScheme = Q − α₀/(α₀+1) μ⊗μ`, where `times` multiplies Q with a W × r matrix and `mean` is μ.
pub fn whiten(
    times: &impl Fn(&[f64], usize) -> Result<Vec<f64>, Error>,
    mean: &[f64],
    params: &EcaParams,
) -> Result<Whitening, Error> {
    let (words, k) = (mean.len(), params.n_topics);
    let columns = (2 * k + SPARE).min(words);
    let shrink = params.alpha0 / (params.alpha0 + 1.0);
    let pairs = |block: &Mat<f64>| -> Result<Mat<f64>, Error> {
        let rows: Vec<f64> =
            (0..words).flat_map(|w| (0..columns).map(move |j| block[(w, j)])).collect();
        let product = times(&rows, columns)?;
        let along: Vec<f64> = (0..columns)
            .map(|j| shrink * (0..words).map(|w| mean[w] * block[(w, j)]).sum::<f64>())
            .collect();
        let excess = |w, j| product[w * columns + j] - mean[w] * along[j];
        Ok(Mat::from_fn(words, columns, excess))
    };
    let mut random = ChaCha8Rng::seed_from_u64(params.seed.0);
    let gaussian: Vec<f64> =
        (0..words * columns).map(|_| StandardNormal.sample(&mut random)).collect();
    let mut block =
        Mat::from_fn(words, columns, |w, j| gaussian[w * columns + j]).qr().compute_thin_Q();
    for _ in 0..params.passes {
        block = pairs(&block)?.qr().compute_thin_Q();
    }
    let product = pairs(&block)?;
    let small = block.transpose() * &product;
    let small = Mat::from_fn(columns, columns, |i, j| f64::midpoint(small[(i, j)], small[(j, i)]));
    let eigen = small
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| Error::NotConverged { what: "the eigenvalue decomposition of the pairs" })?;
    let values = eigen.S().column_vector(); // ascending
    let least = LEAST * values[columns - 1];
    let positive = (0..columns).filter(|&j| values[j] > least && values[j] > 0.0).count();
    if positive < k {
        let rule = "at most the number of positive eigenvalues of the excess pairs (alpha0 may be too large)";
        let value = format!("{k} where {positive} are positive");
        return Err(Error::parameter(Parameter::Topics, rule, value));
    }
    let last = columns - 1;
    let eigenvalues: Vec<f64> = (0..k).map(|j| values[last - j]).collect();
    let chosen = Mat::from_fn(columns, k, |i, j| eigen.U()[(i, last - j)]);
    let (vectors, images) = (&block * &chosen, &product * &chosen);
    let by_word = |power: f64| -> Vec<f64> {
        let scale: Vec<f64> = eigenvalues.iter().map(|&l| libm::pow(l, power)).collect();
        (0..words)
            .flat_map(|w| (0..k).map(move |j| (w, j)))
            .map(|(w, j)| vectors[(w, j)] * scale[j])
            .collect()
    };
    let (into, back) = (by_word(-0.5), by_word(0.5));
    let mean = (0..k).map(|j| (0..words).map(|w| mean[w] * into[w * k + j]).sum()).collect();
    let distance = |j: usize| {
        let difference = |w: usize| images[(w, j)] - eigenvalues[j] * vectors[(w, j)];
        (0..words).map(|w| difference(w) * difference(w)).sum::<f64>().sqrt() / eigenvalues[j]
    };
    let error = (0..k).map(distance).fold(0.0, f64::max);
    Ok(Whitening { into, back, mean, eigenvalues, error })
}
