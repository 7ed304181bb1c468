//! Excess correlation analysis: topics of latent Dirichlet allocation from the moments of two and three
//! words (Anandkumar, Foster, Hsu, Kakade & Liu 2012).
//!
//! With `x₁, x₂, x₃` three different tokens of a document, `μ = E x₁` and `α₀` the sum of the Dirichlet
//! parameters, what two and three words have in common beyond the prior is a sum over the topics:
//!
//! ```text
//! PairScheme   = E[x₁⊗x₂] − α₀/(α₀+1) μ⊗μ                          = Σ_k s_k β_k⊗β_k,  s_k = α_k/(α₀(α₀+1))
//! Triples = E[x₁⊗x₂⊗x₃] − α₀/(α₀+2) (E[x₁⊗x₂⊗μ] + 2 more)
//!           + 2α₀²/((α₀+1)(α₀+2)) μ⊗μ⊗μ                       = Σ_k 2s_k/(α₀+2) β_k⊗β_k⊗β_k
//! ```
//!
//! A matrix V with `Vᵀ PairScheme V = I` makes the vectors `ξ_k = √s_k Vᵀβ_k` orthonormal, and Triples a sum
//! of their cubes with factors `λ_k = 2/((α₀+2)√s_k)`, which has no other decomposition. [`whiten`] finds V,
//! [`triples`] the cube of the third moments after V, and [`tensor`] its parts.
//!
//! There is no separability to ask for, but α₀ must be known, and third moments need many documents.

pub mod tensor;
pub mod triples;
pub mod whiten;

use crate::parameter::{self, at_least_one, not_negative, require};
use serde::{Deserialize, Serialize};
use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::estimate::Topics;
use vertopic::moments::{CooccurrenceOperator, PairScheme, TokenPairs, WordStats};
use vertopic::seed::Seed;
use vertopic::{Error, Parameter};

use crate::method::MethodOutput;
use tensor::{Component, Tensor};
use whiten::Whitening;

/// How the whitened tensor is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Decomposition {
    /// The tensor power method: one part after the other, each the best of several random starts
    /// (Anandkumar, Ge, Hsu, Kakade & Telgarsky 2014).
    Power,
    /// The first published algorithm: eigenvectors of the tensor along one random direction.
    Random,
}

/// Settings of the method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EcaParams {
    /// Number of topics, K.
    pub n_topics: usize,
    /// Sum of the parameters of the Dirichlet prior of the mixtures; 0 for one topic per document.
    pub alpha0: f64,
    /// How the whitened tensor is taken apart.
    pub decomposition: Decomposition,
    /// Power method: random starts for each part.
    pub starts: usize,
    /// Power method: iterations of a start, at most.
    pub iterations: usize,
    /// Passes over the documents that the leading eigenvectors are sharpened by.
    pub passes: usize,
    /// The seed.
    pub seed: Seed,
}

/// More topics than this make a cube too large to hold.
const MOST_TOPICS: usize = 300;

impl EcaParams {
    /// The usual settings.
    pub fn new(n_topics: usize) -> Self {
        Self {
            n_topics,
            alpha0: 1.0,
            decomposition: Decomposition::Power,
            starts: 20,
            iterations: 100,
            passes: 10,
            seed: Seed::default(),
        }
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        let fits = (2..=MOST_TOPICS).contains(&self.n_topics);
        require(fits, Parameter::Topics, "from 2 to 300, for a cube of K³", self.n_topics)?;
        not_negative(parameter::ALPHA0, self.alpha0)?;
        at_least_one(parameter::STARTS, self.starts)?;
        at_least_one(parameter::ITERATIONS, self.iterations)?;
        at_least_one(parameter::PASSES, self.passes)
    }
}

/// Finds the topics.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic_lab::method::eca::{EcaParams, fit};
/// use vertopic_lab::synth::separable::Separable;
/// let recipe = Separable { words: 30, topics: 2, documents: 300, ..Separable::default() };
/// let params = EcaParams { alpha0: 0.2, ..EcaParams::new(2) }; // 2 topics with α = 0.1 each
/// let found = fit(&recipe.generate(1)?.corpus, &params, &Context::silent()?)?;
/// assert_eq!(found.topics.n_topics(), 2);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn fit(corpus: &Corpus, params: &EcaParams, ctx: &Context<'_>) -> Result<MethodOutput, Error> {
    params.check()?;
    let k = params.n_topics;
    let stats = WordStats::of(corpus, TokenPairs::new(params.seed, PairScheme::All), ctx)?;
    let joint = CooccurrenceOperator::new(corpus, &stats);
    let times = |v: &[f64], columns: usize| joint.times(v, columns, ctx);
    let whitening = whiten::whiten(&times, &joint.row_sums(ctx)?, params)?;
    let third = triples::triples(corpus, &whitening.into, k, ctx)?;
    let tensor = excess(third.tensor, &whitening.mean, params.alpha0);
    let components = match params.decomposition {
        Decomposition::Power => tensor::power(tensor, params, ctx),
        Decomposition::Random => tensor::random(&tensor, params.seed)?,
    };
    let Unwhitened { topics, weights, clipped } = unwhiten(&whitening, &components)?;
    let converged = components.iter().filter(|c| c.converged).count();
    let report = serde_json::json!({
        "eigenvalues": whitening.eigenvalues,
        "eigenvector_error": whitening.error,
        "tensor_values": components.iter().map(|c| c.value).collect::<Vec<_>>(),
        "not_converged": k - converged,
        "clipped": clipped,
        "too_short_for_triples": corpus.n_documents() - third.documents,
    });
    Ok(MethodOutput { topics, weights, novel_words: vec![Vec::new(); k], report })
}

/// Triples after whitening, from the third moments after whitening; `mean` is `m = Vᵀμ`.
///
/// Since V whitens Pairs, `Vᵀ E[x₁⊗x₂] V = I + α₀/(α₀+1) m⊗m`, so no further moment is needed: with the
/// identity in place of the pairs, the factor of `m⊗m⊗m` becomes `(2 − 3) α₀²/((α₀+1)(α₀+2))`.
pub(crate) fn excess(mut third: Tensor, mean: &[f64], alpha0: f64) -> Tensor {
    let k = third.k;
    let single = alpha0 / (alpha0 + 2.0);
    let cube = alpha0 * alpha0 / ((alpha0 + 1.0) * (alpha0 + 2.0));
    for (at, t) in third.values.iter_mut().enumerate() {
        let (a, b, c) = (at / (k * k), at / k % k, at % k);
        let mut paired = 0.0;
        for (i, j, l) in [(a, b, c), (a, c, b), (b, c, a)] {
            if i == j {
                paired += mean[l];
            }
        }
        *t -= single * paired + cube * mean[a] * mean[b] * mean[c];
    }
    third
}

/// What [`unwhiten`] gives.
pub(crate) struct Unwhitened {
    pub(crate) topics: Topics,
    pub(crate) weights: Vec<f64>,
    /// Of each topic, the share of its absolute mass that was negative.
    pub(crate) clipped: Vec<f64>,
}

/// Topics from the parts of the tensor: `β_k ∝ (Vᵀ)⁺ ξ_k`, with its negative entries set to 0.
///
/// The mean share of a topic is `α_k/α₀ = (α₀+1) s_k`, and `⟨ξ_k, Vᵀμ⟩ = (α₀+1) √s_k` since `μ = Σ_k
/// (α₀+1) s_k β_k`: so shares go as the squares of these products. They also go as `1/λ_k²`, but that
/// has no meaning when noise makes a λ small or negative.
pub(crate) fn unwhiten(
    whitening: &Whitening,
    components: &[Component],
) -> Result<Unwhitened, Error> {
    let k = components.len();
    let words = whitening.back.len() / k;
    let mut values = Vec::with_capacity(k * words);
    let (mut clipped, mut weights) = (Vec::with_capacity(k), Vec::with_capacity(k));
    for component in components {
        let dot = |row: &[f64]| row.iter().zip(&component.vector).map(|(b, x)| b * x).sum::<f64>();
        let raw: Vec<f64> = whitening.back.chunks(k).map(dot).collect();
        let sign = if raw.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        let kept: f64 = raw.iter().map(|v| (sign * v).max(0.0)).sum();
        let all: f64 = raw.iter().map(|v| v.abs()).sum();
        if !(kept > 0.0 && all.is_finite()) {
            return Err(Error::NotConverged { what: "the decomposition of the triples" });
        }
        values.extend(raw.iter().map(|v| ((sign * v).max(0.0) / kept) as f32));
        clipped.push(1.0 - kept / all);
        let share = dot(&whitening.mean);
        weights.push(share * share);
    }
    let total: f64 = weights.iter().sum();
    if total > 0.0 {
        weights.iter_mut().for_each(|a| *a /= total);
    } else {
        weights.fill(1.0 / k as f64);
    }
    Ok(Unwhitened { topics: Topics::new(words, values)?, weights, clipped })
}

#[cfg(test)]
mod tests;
