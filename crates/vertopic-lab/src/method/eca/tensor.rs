//! Taking a symmetric tensor apart into cubes of orthonormal vectors, `T = Σ_k λ_k ξ_k⊗ξ_k⊗ξ_k`.

use faer::{Mat, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::seed::Seed;

use crate::method::eca::EcaParams;

/// A symmetric K × K × K tensor, all entries.
#[derive(Debug, Clone)]
pub struct Tensor {
    /// K.
    pub k: usize,
    /// Entries, the last index fastest.
    pub values: Vec<f64>,
}

/// One cube of a decomposition.
#[derive(Debug, Clone)]
pub struct Component {
    /// λ, the tensor's value at the vector.
    pub value: f64,
    /// ξ, of length 1.
    pub vector: Vec<f64>,
    /// Whether the iteration stood still at the end.
    pub converged: bool,
}

impl Tensor {
    /// `T(I, I, v)`, K × K.
    fn along(&self, v: &[f64]) -> Vec<f64> {
        self.values.chunks(self.k).map(|line| dot(line, v)).collect()
    }

    /// `T(I, v, v)`.
    fn apply(&self, v: &[f64]) -> Vec<f64> {
        let slice = |slice: &[f64]| {
            slice.chunks(self.k).zip(v).map(|(line, b)| b * dot(line, v)).sum::<f64>()
        };
        self.values.chunks(self.k * self.k).map(slice).collect()
    }

    /// Takes `λ v⊗v⊗v` away.
    fn deflate(&mut self, value: f64, v: &[f64]) {
        let k = self.k;
        for (at, line) in self.values.chunks_mut(k).enumerate() {
            let both = value * v[at / k] * v[at % k];
            line.iter_mut().zip(v).for_each(|(t, c)| *t -= both * c);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A vector that moves less than this stands still.
const STILL: f64 = 1e-12;

/// The tensor power method: `v ← T(I, v, v)/‖·‖` from several random starts, the one with the largest
/// `T(v, v, v)` is a part; it is taken away, and so on. Convergence is quadratic.
pub fn power(mut tensor: Tensor, params: &EcaParams, ctx: &Context<'_>) -> Vec<Component> {
    let k = tensor.k;
    let progress = ctx.stage("decomposing triples", k as u64);
    let mut parts = Vec::with_capacity(k);
    for part in 0..k {
        let start = |start: usize| {
            let number = part * params.starts + start;
            schedule(&tensor, unit_vector(k, params.seed, 1 + number as u64), params.iterations)
        };
        let tried: Vec<Component> =
            ctx.install(|| (0..params.starts).into_par_iter().map(start).collect());
        let best = tried.into_iter().reduce(|a, b| if b.value > a.value { b } else { a });
        if let Some(best) = best {
            tensor.deflate(best.value, &best.vector);
            parts.push(best);
        }
        progress.advance(1);
    }
    parts
}

/// Power iteration from one start.
fn schedule(tensor: &Tensor, mut v: Vec<f64>, iterations: usize) -> Component {
    let mut converged = false;
    for _ in 0..iterations {
        let mut next = tensor.apply(&v);
        let length = dot(&next, &next).sqrt();
        if length == 0.0 || !length.is_finite() {
            break; // nothing is left in this direction
        }
        next.iter_mut().for_each(|x| *x /= length);
        let moved = next.iter().zip(&v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        v = next;
        if moved < STILL {
            converged = true;
            break;
        }
    }
    Component { value: dot(&tensor.apply(&v), &v), vector: v, converged }
}

/// The first published algorithm: the eigenvectors of `T(I, I, φ)` for a random φ. They are the parts as
/// long as no two eigenvalues `λ_k ⟨ξ_k, φ⟩` fall together.
pub fn random(tensor: &Tensor, seed: Seed) -> Result<Vec<Component>, Error> {
    let k = tensor.k;
    let along = tensor.along(&unit_vector(k, seed, 1));
    let eigen = Mat::from_fn(k, k, |i, j| along[i * k + j])
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| Error::NotConverged { what: "the eigenvalue decomposition of the triples" })?;
    let part = |j: usize| {
        let mut vector: Vec<f64> = (0..k).map(|i| eigen.U()[(i, j)]).collect();
        let mut value = dot(&tensor.apply(&vector), &vector);
        if value < 0.0 {
            value = -value;
            vector.iter_mut().for_each(|x| *x = -*x);
        }
        Component { value, vector, converged: true }
    };
    Ok((0..k).map(part).collect())
}

/// A random direction; every number has its own.
fn unit_vector(k: usize, seed: Seed, number: u64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed.0);
    random.set_stream(number);
    let draw: Vec<f64> = (0..k).map(|_| StandardNormal.sample(&mut random)).collect();
    let length = dot(&draw, &draw).sqrt();
    draw.iter().map(|x| x / length).collect()
}
