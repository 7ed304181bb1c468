use std::num::NonZeroUsize;

use super::*;
use crate::synth::separable::{Planted, Separable};
use crate::testkit::select;
use vertopic::context::Parallelism;
use vertopic::evaluate::l1_error;
use vertopic::observe::Silent;

/// Topics over eight words. Words 0, 1 and 2 belong to one topic each, and word 3 to topic 0 as well.
const TOPICS: [[f64; 8]; 3] = [
    [0.2, 0.0, 0.0, 0.1, 0.3, 0.1, 0.2, 0.1],
    [0.0, 0.1, 0.0, 0.0, 0.2, 0.4, 0.1, 0.2],
    [0.0, 0.0, 0.3, 0.0, 0.1, 0.2, 0.2, 0.2],
];

/// Second moments of mixtures that sum to 1: the entries do too.
const MOMENTS: [[f64; 3]; 3] = [[0.3, 0.05, 0.02], [0.05, 0.2, 0.04], [0.02, 0.04, 0.28]];

/// `A R Aᵀ`.
fn population() -> Matrix {
    let entry = |at: usize| -> f64 {
        let (i, j) = (at / 8, at % 8);
        (0..9).map(|m| TOPICS[m / 3][i] * MOMENTS[m / 3][m % 3] * TOPICS[m % 3][j]).sum()
    };
    Matrix::new((0..64).map(entry).collect(), 8)
}

/// Rows of one topic's anchors are equal, so close is next to nothing.
const NEXT_TO: f64 = 0.01;

#[test]
fn only_anchors_are_away_from_the_hull() {
    let ctx = Context::silent().expect("threads");
    let all: Vec<u32> = (0..8).collect();
    let loners = robust_loners(&population(), &all, NEXT_TO, 1e-6, &ctx);
    let mut words: Vec<u32> = loners.words.iter().map(|l| l.word).collect();
    words.sort_unstable();
    assert_eq!(words, [0, 1, 2, 3]);
    assert!(loners.words.iter().all(|l| l.strength > 0.05), "{loners:?}");
    assert_eq!(loners.failed, 0);
    // Held against each other, the two anchors of a topic hide one another.
    let q = population();
    let distance = |w: u32| {
        let rows: Vec<Vec<f64>> =
            all.iter().filter(|&&v| v != w).map(|&v| q.conditional(v)).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        hull::distance(&q.conditional(w), &rows).expect("solved")
    };
    assert!(distance(0) < 1e-9 && distance(3) < 1e-9 && distance(1) > 0.05);
    assert!((4..8).all(|w| distance(w) < 1e-9));
}

#[test]
fn the_probabilities_of_a_model_give_its_topics_and_weights() {
    let ctx = Context::silent().expect("threads");
    let all: Vec<u32> = (0..8).collect();
    let q = population();
    let loners = robust_loners(&q, &all, NEXT_TO, 1e-6, &ctx);
    let anchors = far_apart(&q, &loners.words, NEXT_TO, 3);
    assert_eq!(anchors.len(), 3);
    let ids: Vec<u32> = anchors.iter().map(|a| a.word).collect();
    let recovered = recover::recover(&q, &ids).expect("topics");
    assert!(recovered.clipped.iter().all(|c| *c < 1e-9) && recovered.negative_weights == 0);
    for (k, &anchor) in ids.iter().enumerate() {
        let truth = [0, 1, 2, 0][anchor as usize];
        let weight: f64 = MOMENTS[truth].iter().sum();
        assert!((recovered.weights[k] - weight).abs() < 1e-6);
        for w in 0..8 {
            let found = f64::from(recovered.topics[k * 8 + w]);
            assert!((found - TOPICS[truth][w]).abs() < 1e-6, "{k} {w}");
        }
    }
}

#[test]
fn two_anchors_of_one_topic_cannot_be_inverted() {
    // The rows are proportional: what comes out is an error or rounding, never a number that is none.
    match recover::recover(&population(), &[0, 3, 1]) {
        Err(_) => {}
        Ok(r) => assert!(vertopic::estimate::Topics::new(8, r.topics).is_ok()),
    }
    let zero = Matrix::new(vec![0.0; 16], 4);
    assert!(recover::recover(&zero, &[0, 1]).is_err());
}

#[test]
fn the_median_distance_is_over_pairs_of_words() {
    // Rows (1, 0, 0), (½, ½, 0) and (0, 0, 1): their distances are 1, 2 and 2.
    let q = Matrix::new(vec![0.3, 0.0, 0.0, 0.1, 0.1, 0.0, 0.0, 0.0, 0.5], 3);
    assert!((median_distance(&q, &[0, 1, 2]) - 2.0).abs() < 1e-12);
    assert!((median_distance(&q, &[0, 1]) - 1.0).abs() < 1e-12);
    assert_eq!(median_distance(&q, &[1]), 0.0);
}

fn planted(documents: usize, seed: u64) -> Planted {
    let recipe = Separable { words: 40, topics: 5, documents, ..Separable::default() };
    recipe.generate(seed).expect("a corpus")
}

#[test]
fn more_documents_make_it_better() {
    let ctx = Context::silent().expect("threads");
    let error = |documents| {
        let one = |seed| {
            let truth = planted(documents, seed);
            let found = fit(&truth.corpus, &RecoverParams::new(5), &ctx).expect("topics");
            assert!(found.novel_words.iter().all(|n| n.len() == 1));
            assert_eq!(found.report["failed_programmes"], 0);
            l1_error(&truth.topics, &found.topics)
        };
        (0..3).map(one).sum::<f64>() / 3.0
    };
    let errors = [500, 10_000].map(error);
    assert!(errors[0] > 2.0 * errors[1] && errors[1] < 0.2, "{errors:?}");
}

#[test]
fn order_and_threads_do_not_matter() {
    let truth = planted(500, 4);
    let n = truth.corpus.n_documents();
    let shuffled = select(&truth.corpus, (0..n).map(|at| at * 7 % n));
    let answer = |corpus: &Corpus, threads: usize| {
        let threads = NonZeroUsize::new(threads).expect("positive");
        let ctx = Context::new(Parallelism::Threads(threads), &Silent).expect("threads");
        let found = fit(corpus, &RecoverParams::new(5), &ctx).expect("topics");
        (found.topics.values().to_vec(), found.weights, found.report.to_string())
    };
    let one = answer(&truth.corpus, 1);
    assert_eq!(one, answer(&shuffled, 2));
    assert_eq!(one, answer(&shuffled, 3));
}

#[test]
fn too_many_words_are_refused_with_a_reason() {
    let truth = planted(50, 1);
    let params = RecoverParams { most_words: 39, ..RecoverParams::new(5) };
    let ctx = Context::silent().expect("threads");
    let refused = fit(&truth.corpus, &params, &ctx).expect_err("too many").to_string();
    for part in ["at most", "40 where most_words is 39", "linear programme"] {
        assert!(refused.contains(part), "{refused}");
    }
}

#[test]
fn too_few_anchors_are_said() {
    let truth = planted(50, 1);
    let ctx = Context::silent().expect("threads");
    let params = RecoverParams { min_df: Frequency::Count(1_000), ..RecoverParams::new(5) };
    let refused = fit(&truth.corpus, &params, &ctx).expect_err("no word is so frequent");
    assert_eq!(refused, Error::TooFewCandidates { found: 0, topics: 5, n_candidates: 0 });
    let params = RecoverParams { separation: Some(1.99), ..RecoverParams::new(5) };
    let refused = fit(&truth.corpus, &params, &ctx).expect_err("all words are close");
    assert!(matches!(refused, Error::TooFewCandidates { found: 1, .. }), "{refused:?}");
}

#[test]
fn bad_parameters_are_refused() {
    let good = RecoverParams::new(5);
    for bad in [
        RecoverParams { n_topics: 1, ..good.clone() },
        RecoverParams { eps: -0.1, ..good.clone() },
        RecoverParams { eps: f64::NAN, ..good.clone() },
        RecoverParams { min_df: Frequency::Share(1.5), ..good.clone() },
        RecoverParams { separation: Some(2.0), ..good.clone() },
        RecoverParams { separation: Some(f64::INFINITY), ..good.clone() },
    ] {
        assert!(matches!(bad.check(), Err(Error::Parameter { .. })), "{bad:?}");
        let ctx = Context::silent().expect("threads");
        assert_eq!(fit(&planted(10, 1).corpus, &bad, &ctx).err(), bad.check().err());
    }
}
