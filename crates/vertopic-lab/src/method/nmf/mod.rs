//! Non-negative matrix factorisation with the β-divergence and automatic relevance determination
//! (Tan & Févotte, TPAMI 2013): the NMF that the paper compares with.
//!
//! | here | theirs | meaning |
//! |---|---|---|
//! | `Matrix` | V, F × N | counts, words by documents |
//! | `words` | W, F × K | topics, up to the scale of a column |
//! | `documents` | H, K × N | mixtures, up to the same scale and the document's length |
//! | `lambda` | λ | relevance of a component |
//!
//! V are the counts, not frequencies: with β = 1 the objective is then the likelihood of the topic model
//! (Poisson for each entry, multinomial given the documents' lengths), and a long document counts for
//! its tokens. Relevance determination needs counts too: it weighs the likelihood against the prior, and
//! frequencies would make every document worth one token.
//!
//! Updates are multiplicative (majorise and minimise): the objective never increases, and a factor that
//! is 0 stays 0.

mod descent;
mod factors;
mod kernel;
mod matrix;
mod params;
mod relevance;

pub(crate) use descent::Descent;
pub(crate) use factors::Factors;
pub(crate) use kernel::{Divergence, TINY, column_sums};
pub(crate) use matrix::Matrix;
pub use params::{NmfParams, Penalty, Relevance};

use relevance::Prior;
use serde_json::json;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::corpus::Corpus;

use crate::method::MethodOutput;

/// A component is relevant if λ is above its lower bound by more than this share of it. Theirs is the
/// tolerance; a number of its own does not make more components relevant when the tolerance is strict.
const RELEVANT: f64 = 1e-3;

/// Factorises the corpus. Components that relevance determination switches off are not among the topics.
///
/// ```
/// use vertopic::context::Context;
/// use vertopic_lab::method::nmf::{NmfParams, fit};
/// use vertopic_lab::synth::separable::Separable;
///
/// let planted = Separable { words: 50, topics: 2, documents: 100, ..Separable::default() }.generate(1)?;
/// let found = fit(&planted.corpus, &NmfParams::new(2), &Context::silent()?)?;
/// assert_eq!(found.topics.n_topics(), 2);
/// assert_eq!(found.report["converged"], true);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn fit(corpus: &Corpus, params: &NmfParams, ctx: &Context<'_>) -> Result<MethodOutput, Error> {
    params.check()?;
    let matrix = Matrix::of(corpus);
    if matrix.n_documents() == 0 {
        return Err(Error::NoWords { documents: corpus.n_documents() });
    }
    let prior = params.relevance.map(|r| Prior::new(r, &matrix, params.n_topics)).transpose()?;
    let most = params.most_iterations.saturating_mul(params.starts) as u64;
    let progress = ctx.stage("factorising", most);
    let from = |start| {
        let factors = Factors::random(&matrix, params.n_topics, params.seed, start);
        let mut descent = Descent::new(&matrix, params.beta, factors, prior.clone());
        ctx.install(|| descent.descend(params, &progress));
        descent
    };
    let mut best = from(0);
    let mut best_start = 0;
    for start in 1..params.starts {
        let next = from(start);
        if next.end < best.end {
            (best, best_start) = (next, start);
        }
    }
    let Descent { factors, prior, iterations, converged, begin, end, .. } = best;
    let relevant = |t: usize| prior.as_ref().is_none_or(|p| p.excess(t) > RELEVANT);
    let (topics, weights) = factors.topics(relevant)?;
    let relevance =
        prior.as_ref().map(|p| json!({ "lambda": p.lambda, "a": p.shape, "b": p.scale }));
    let report = json!({
        "method": "nmf",
        "start": best_start,
        "iterations": iterations,
        "converged": converged,
        "objective_start": begin,
        "objective_end": end,
        "relevant": topics.n_topics(),
        "relevance": relevance,
    });
    let novel_words = vec![Vec::new(); topics.n_topics()];
    Ok(MethodOutput { topics, weights, novel_words, report })
}

#[cfg(test)]
mod tests;
