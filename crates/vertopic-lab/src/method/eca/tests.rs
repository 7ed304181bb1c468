use std::num::NonZeroUsize;

use super::*;
use crate::synth::separable::{Planted, Separable};
use crate::testkit::{corpus, select};
use vertopic::context::Parallelism;
use vertopic::evaluate::{best_matching, l1_error};
use vertopic::observe::Silent;

const WORDS: usize = 12;
const ALPHA: [f64; 3] = [0.2, 0.5, 0.8];

/// Topics of a small model: three positive rows of 12 words that sum to 1.
fn beta() -> Vec<Vec<f64>> {
    (0..3)
        .map(|k| {
            let row: Vec<f64> =
                (0..WORDS).map(|w| 1.1 + libm::sin(((k + 2) * (w + 1)) as f64 * 1.7)).collect();
            let sum: f64 = row.iter().sum();
            row.iter().map(|v| v / sum).collect()
        })
        .collect()
}

/// `E θ_a θ_b …` of a Dirichlet distribution: rising factorials over rising factorials.
fn moment(topics: &[usize]) -> f64 {
    let alpha0: f64 = ALPHA.iter().sum();
    let mut seen = [0.0; 3];
    let mut product = 1.0;
    for (n, &k) in topics.iter().enumerate() {
        product *= (ALPHA[k] + seen[k]) / (alpha0 + n as f64);
        seen[k] += 1.0;
    }
    product
}

/// The method on the moments of the model itself: topics as f64, and weights.
fn population(decomposition: Decomposition) -> (Vec<Vec<f64>>, Vec<f64>) {
    let beta = beta();
    let params = EcaParams { alpha0: ALPHA.iter().sum(), decomposition, ..EcaParams::new(3) };
    let mean: Vec<f64> =
        (0..WORDS).map(|w| (0..3).map(|k| moment(&[k]) * beta[k][w]).sum()).collect();
    let q = |i: usize, j: usize| -> f64 {
        (0..9).map(|at| moment(&[at / 3, at % 3]) * beta[at / 3][i] * beta[at % 3][j]).sum()
    };
    let times = |v: &[f64], r: usize| -> Result<Vec<f64>, Error> {
        Ok((0..WORDS * r)
            .map(|at| (0..WORDS).map(|l| q(at / r, l) * v[l * r + at % r]).sum())
            .collect())
    };
    let whitening = whiten::whiten(&times, &mean, &params).expect("three eigenvalues");
    assert!(whitening.error < 1e-9, "{}", whitening.error);
    let seen = |k: usize, a: usize| -> f64 {
        (0..WORDS).map(|w| beta[k][w] * whitening.into[w * 3 + a]).sum()
    };
    let entry = |at: usize| -> f64 {
        (0..27)
            .map(|m| {
                let (x, y, z) = (m / 9, m / 3 % 3, m % 3);
                moment(&[x, y, z]) * seen(x, at / 9) * seen(y, at / 3 % 3) * seen(z, at % 3)
            })
            .sum()
    };
    let third = Tensor { k: 3, values: (0..27).map(entry).collect() };
    let tensor = excess(third, &whitening.mean, params.alpha0);
    let ctx = Context::silent().expect("threads");
    let components = match decomposition {
        Decomposition::Power => tensor::power(tensor, &params, &ctx),
        Decomposition::Random => tensor::random(&tensor, params.seed).expect("eigenvectors"),
    };
    let found = unwhiten(&whitening, &components).expect("topics");
    assert!(found.clipped.iter().all(|c| *c < 1e-9), "{:?}", found.clipped);
    // λ_k = 2/((α₀+2)√s_k) gives the same shares as the mean does.
    for (component, weight) in components.iter().zip(&found.weights) {
        let s = libm::pow(2.0 / ((params.alpha0 + 2.0) * component.value), 2.0);
        assert!(((params.alpha0 + 1.0) * s - weight).abs() < 1e-9);
    }
    let topics = (0..3).map(|k| found.topics.topic(k).iter().map(|&v| f64::from(v)).collect());
    (topics.collect(), found.weights)
}

#[test]
fn the_moments_of_a_model_give_its_topics_and_weights() {
    let (truth, alpha0) = (beta(), ALPHA.iter().sum::<f64>());
    for decomposition in [Decomposition::Power, Decomposition::Random] {
        let (topics, weights) = population(decomposition);
        let distance =
            |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum() };
        let cost: Vec<f64> = (0..9).map(|at| distance(&truth[at / 3], &topics[at % 3])).collect();
        for (k, &j) in best_matching(&cost, 3).iter().enumerate() {
            assert!(cost[k * 3 + j] < 1e-6, "{decomposition:?}: {}", cost[k * 3 + j]);
            assert!((weights[j] - ALPHA[k] / alpha0).abs() < 1e-6);
        }
    }
}

fn planted(documents: usize, seed: u64) -> Planted {
    let recipe = Separable { words: 60, topics: 3, tokens: 60, documents, ..Separable::default() };
    recipe.generate(seed).expect("a corpus")
}

fn settings(decomposition: Decomposition) -> EcaParams {
    EcaParams { alpha0: 0.3, decomposition, ..EcaParams::new(3) }
}

#[test]
fn more_documents_make_it_better() {
    let ctx = Context::silent().expect("threads");
    for decomposition in [Decomposition::Power, Decomposition::Random] {
        let error = |documents| {
            let one = |seed| {
                let truth = planted(documents, seed);
                let found = fit(&truth.corpus, &settings(decomposition), &ctx).expect("topics");
                let total: f64 = found.weights.iter().sum();
                assert!((total - 1.0).abs() < 1e-9 && found.novel_words.len() == 3);
                l1_error(&truth.topics, &found.topics)
            };
            (0..3).map(one).sum::<f64>() / 3.0
        };
        let errors = [200, 1_000, 8_000].map(error);
        assert!(errors[0] > 1.4 * errors[1] && errors[1] > 1.4 * errors[2], "{errors:?}");
        assert!(errors[2] < 0.3, "{decomposition:?}: {errors:?}");
    }
}

#[test]
fn order_and_threads_do_not_matter() {
    let truth = planted(300, 5);
    let n = truth.corpus.n_documents();
    let shuffled = |step: usize| select(&truth.corpus, (0..n).map(|at| at * step % n));
    let answer = |corpus: &Corpus, threads: usize, decomposition| {
        let threads = NonZeroUsize::new(threads).expect("positive");
        let ctx = Context::new(Parallelism::Threads(threads), &Silent).expect("threads");
        let found = fit(corpus, &settings(decomposition), &ctx).expect("topics");
        (found.topics.values().to_vec(), found.weights, found.report.to_string())
    };
    for decomposition in [Decomposition::Power, Decomposition::Random] {
        let one = answer(&truth.corpus, 1, decomposition);
        assert_eq!(one, answer(&shuffled(7), 2, decomposition));
        assert_eq!(one, answer(&shuffled(11), 3, decomposition));
    }
}

#[test]
fn the_model_can_be_made() {
    let truth = planted(300, 2);
    let params = settings(Decomposition::Power);
    let ctx = Context::silent().expect("threads");
    let found = fit(&truth.corpus, &params, &ctx).expect("topics");
    let told = serde_json::to_value(&params).expect("json");
    let model = found.to_model(&truth.corpus, &told).expect("a model");
    assert!(model.weights().windows(2).all(|w| w[0] >= w[1]));
}

#[test]
fn too_many_topics_for_the_pairs_are_refused() {
    // Two kinds of documents: the excess pairs have two eigenvalues, the rest is rounding.
    let corpus = corpus(3, &[0, 1, 0, 1].map(|word| [(word, 5)]));
    let ctx = Context::silent().expect("threads");
    let fitted = |k| fit(&corpus, &EcaParams { alpha0: 0.1, ..EcaParams::new(k) }, &ctx);
    assert!(fitted(2).is_ok());
    for k in [3, 4] {
        let refused = fitted(k).expect_err("too many").to_string();
        assert!(refused.contains("where 2 are positive"), "{refused}");
    }
}

#[test]
fn bad_parameters_are_refused() {
    let good = EcaParams::new(5);
    assert!(good.check().is_ok());
    assert!(EcaParams { alpha0: 0.0, ..good.clone() }.check().is_ok());
    for bad in [
        EcaParams { n_topics: 1, ..good.clone() },
        EcaParams { n_topics: 301, ..good.clone() },
        EcaParams { alpha0: -0.1, ..good.clone() },
        EcaParams { alpha0: f64::NAN, ..good.clone() },
        EcaParams { alpha0: f64::INFINITY, ..good.clone() },
        EcaParams { starts: 0, ..good.clone() },
        EcaParams { iterations: 0, ..good.clone() },
        EcaParams { passes: 0, ..good.clone() },
    ] {
        assert!(matches!(bad.check(), Err(Error::Parameter { .. })), "{bad:?}");
        assert!(fit(&planted(10, 1).corpus, &bad, &Context::silent().expect("threads")).is_err());
    }
}
