use crate::parameter;
use proptest::prelude::*;
use vertopic::Error;
use vertopic::context::{Context, Parallelism};
use vertopic::corpus::{CorpusBuilder, DocumentInfo};
use vertopic::evaluate::l1_error;
use vertopic::observe::Silent;
use vertopic::seed::Seed;

use super::*;
use crate::synth::separable::Separable;
use crate::testkit::dense;

fn relevance(penalty: Option<Penalty>) -> Option<Relevance> {
    penalty.map(|penalty| Relevance { penalty, shape: Some(4.0) })
}

fn descent(matrix: &Matrix, beta: f64, penalty: Option<Penalty>, k: usize) -> Descent<'_> {
    let prior = relevance(penalty).map(|r| Prior::new(r, matrix, k).expect("prior"));
    Descent::new(matrix, beta, Factors::random(matrix, k, Seed(4), 0), prior)
}

const PENALTIES: [Option<Penalty>; 3] = [None, Some(Penalty::L1), Some(Penalty::L2)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_objective_never_increases(
        rows in prop::collection::vec(prop::collection::vec(0_u32..7, 6), 3..9),
        k in 1_usize..5,
    ) {
        let matrix = Matrix::of(&dense(&rows));
        prop_assume!(matrix.n_documents() > 0);
        for beta in [0.5, 1.0, 1.5, 2.0, 3.0] {
            for penalty in PENALTIES {
                let mut descent = descent(&matrix, beta, penalty, k);
                let mut last = descent.objective();
                for half_step in 0..40 {
                    match half_step % 2 {
                        0 => _ = descent.move_documents(false),
                        _ => descent.move_words(),
                    }
                    let now = descent.objective();
                    let slack = 1e-11 * (1.0 + now.abs());
                    prop_assert!(now <= last + slack, "{beta} {penalty:?} {half_step}: {last} {now}");
                    last = now;
                    if let Some(prior) = &mut descent.prior {
                        let Factors { k, words, documents } = &descent.factors;
                        prior.update(words, documents, *k);
                        let now = descent.objective();
                        prop_assert!(now <= last + slack, "{beta} {penalty:?} λ: {last} {now}");
                        last = now;
                    }
                }
            }
        }
    }
}

/// The formulas as they stand in Tan & Févotte, dense and slow: `a` moves, `b` stands still, `v` is
/// (rows of a) × (rows of b).
fn naive_update(
    v: &[Vec<f64>],
    a: &mut [f64],
    b: &[f64],
    k: usize,
    beta: f64,
    prior: Option<&Prior>,
) {
    let exponent = match (prior.map(|p| p.penalty), beta) {
        (Some(Penalty::L2), b) if b < 2.0 => 1.0 / (3.0 - b),
        (None | Some(Penalty::L1), b) if b < 1.0 => 1.0 / (2.0 - b),
        (_, b) if b > 2.0 => 1.0 / (b - 1.0),
        _ => 1.0,
    };
    let model = |a: &[f64], i: usize, j: usize| -> f64 {
        (0..k).map(|t| a[i * k + t] * b[j * k + t]).sum()
    };
    let old = a.to_vec();
    for (i, line) in v.iter().enumerate() {
        for t in 0..k {
            let (mut num, mut den) = (0.0, 0.0);
            for (j, x) in line.iter().enumerate() {
                let y = model(&old, i, j);
                num += x * y.powf(beta - 2.0) * b[j * k + t];
                den += y.powf(beta - 1.0) * b[j * k + t];
            }
            den += match prior {
                Some(p) if p.penalty == Penalty::L1 => 1.0 / p.lambda[t],
                Some(p) => old[i * k + t] / p.lambda[t],
                None => 0.0,
            };
            a[i * k + t] = old[i * k + t] * (num / den).powf(exponent);
        }
    }
}

fn naive_divergence(x: f64, y: f64, beta: f64) -> f64 {
    if beta == 1.0 {
        return if x > 0.0 { x * (x / y).ln() - x + y } else { y };
    }
    x.powf(beta) / (beta * (beta - 1.0)) + y.powf(beta) / beta
        - x * y.powf(beta - 1.0) / (beta - 1.0)
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1e-3))
}

#[test]
fn updates_and_objective_are_those_of_the_formulas() {
    let k = 11; // more than the eight running sums of an inner product
    // Every word occurs somewhere: the formulas below do not know what to do with 0/0.
    let count = |d: u32, w: u32| ((d * 7 + w * 5 + 3 * d * w + d * d) % 7_u32).saturating_sub(3);
    let rows: Vec<Vec<u32>> = (0..9).map(|d| (0..7).map(|w| count(d, w)).collect()).collect();
    let matrix = Matrix::of(&dense(&rows));
    let mut by_document = vec![vec![0.0; 7]; matrix.n_documents()];
    for (d, line) in by_document.iter_mut().enumerate() {
        matrix.by_document.row(d).for_each(|(w, v)| line[w] = v);
    }
    let by_word: Vec<Vec<f64>> =
        (0..7).map(|w| by_document.iter().map(|line| line[w]).collect()).collect();
    for beta in [0.5, 0.7, 1.0, 1.5, 2.0, 3.0] {
        for penalty in PENALTIES {
            let mut fast = descent(&matrix, beta, penalty, k);
            let mut slow = fast.factors.clone();
            for _ in 0..3 {
                fast.move_documents(false);
                fast.move_words();
                let prior = fast.prior.as_ref();
                naive_update(&by_document, &mut slow.documents, &slow.words, k, beta, prior);
                naive_update(&by_word, &mut slow.words, &slow.documents, k, beta, prior);
            }
            assert!(close(&fast.factors.documents, &slow.documents), "{beta} {penalty:?}");
            assert!(close(&fast.factors.words, &slow.words), "{beta} {penalty:?}");
            let mut expected = prior_cost(fast.prior.as_ref(), &slow);
            for (d, line) in by_document.iter().enumerate() {
                for (w, x) in line.iter().enumerate() {
                    let y = (0..k).map(|t| slow.documents[d * k + t] * slow.words[w * k + t]).sum();
                    expected += naive_divergence(*x, y, beta);
                }
            }
            assert!(close(&[fast.objective()], &[expected]), "{beta} {penalty:?}");
        }
    }
}

/// `Σ_k (f(w_k) + f(h_k) + b)/λ_k + c log λ_k` with a = 4.
fn prior_cost(prior: Option<&Prior>, factors: &Factors) -> f64 {
    let Some(prior) = prior else { return 0.0 };
    let k = factors.k;
    let size = (factors.words.len() + factors.documents.len()) as f64 / k as f64;
    (0..k)
        .map(|t| {
            let all = || factors.words.iter().chain(&factors.documents).skip(t).step_by(k);
            let (f, c): (f64, f64) = match prior.penalty {
                Penalty::L1 => (all().sum(), size + 5.0),
                Penalty::L2 => (all().map(|v| v * v / 2.0).sum(), size / 2.0 + 5.0),
            };
            (f + prior.scale) / prior.lambda[t] + c * prior.lambda[t].ln()
        })
        .sum()
}

#[test]
fn one_component_is_the_word_totals() {
    // With K = 1 and β = 1 the maximum likelihood is known, and one iteration reaches it.
    let rows = [vec![3, 0, 1], vec![0, 2, 2], vec![1, 1, 0]];
    let params = NmfParams { most_iterations: 1, ..NmfParams::new(1) };
    let found = fit(&dense(&rows), &params, &Context::silent().expect("run")).expect("fit");
    let expected = [0.4_f32, 0.3, 0.3];
    assert!(found.topics.topic(0).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6));
    assert_eq!((found.weights, &found.report["converged"]), (vec![1.0], &json!(false)));
}

#[test]
fn relevance_determination_finds_the_planted_number() {
    let recipe = Separable { words: 60, topics: 3, documents: 200, ..Separable::default() };
    let planted = recipe.generate(5).expect("made");
    let ctx = Context::silent().expect("run");
    for penalty in [Penalty::L1, Penalty::L2] {
        let relevance = Some(Relevance { penalty, shape: None });
        let params = NmfParams { relevance, tolerance: 1e-4, ..NmfParams::new(8) };
        let found = fit(&planted.corpus, &params, &ctx).expect("fit");
        assert_eq!(found.report["relevant"], 3, "{}", found.report);
        assert_eq!(found.report["converged"], true);
        assert_eq!((found.topics.n_topics(), found.weights.len()), (3, 3));
        assert_eq!(found.report["relevance"]["lambda"].as_array().map(Vec::len), Some(8));
        let error = l1_error(&planted.topics, &found.topics);
        assert!(error < 0.6, "{penalty:?} {error}");
    }
}

#[test]
fn separable_topics_are_recovered() {
    let recipe = Separable { words: 60, topics: 3, documents: 400, ..Separable::default() };
    let planted = recipe.generate(2).expect("made");
    let found =
        fit(&planted.corpus, &NmfParams::new(3), &Context::silent().expect("run")).expect("fit");
    let error = l1_error(&planted.topics, &found.topics);
    assert!(error < 0.4, "{error}");
    assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn more_starts_are_not_worse() {
    let recipe = Separable { words: 40, topics: 6, documents: 60, ..Separable::default() };
    let planted = recipe.generate(2).expect("made");
    let ctx = Context::silent().expect("run");
    let end = |seed, starts| {
        let params = NmfParams { starts, tolerance: 1e-4, seed: Seed(seed), ..NmfParams::new(6) };
        let report = fit(&planted.corpus, &params, &ctx).expect("fit").report;
        (report["objective_end"].as_f64().expect("number"), report["start"].as_u64())
    };
    let mut better = 0;
    for seed in 0..5 {
        let (one, four) = (end(seed, 1), end(seed, 4));
        assert_eq!(one.1, Some(0));
        assert!(four.0 < one.0 || four == one, "{one:?} {four:?}");
        better += usize::from(four.1 > Some(0));
    }
    assert!(better > 0, "a later start is the best one sometimes");
}

#[test]
fn threads_and_order_cannot_change_a_bit() {
    let planted = Separable { words: 40, topics: 3, documents: 60, ..Separable::default() }
        .generate(8)
        .expect("made");
    let n = planted.corpus.n_documents();
    let shuffled = {
        let names = planted.corpus.vocabulary().words().to_vec();
        let mut builder = CorpusBuilder::with_words(names);
        for d in (0..n).map(|i| (i * 37 + 11) % n) {
            let mut pairs: Vec<_> = planted.corpus.document(d).entries().collect();
            let id = planted.corpus.id(d).map(str::to_owned);
            builder
                .push(&mut pairs, DocumentInfo { id, ..DocumentInfo::default() })
                .expect("counts");
        }
        builder.push(&mut [], DocumentInfo::default()).expect("a document without words");
        builder.finish().expect("corpus")
    };
    for beta in [1.0, 2.0, 1.5] {
        for penalty in PENALTIES {
            let relevance = relevance(penalty);
            let params = NmfParams { beta, relevance, most_iterations: 20, ..NmfParams::new(4) };
            let with = |corpus: &Corpus, threads: usize| {
                let threads = Parallelism::Threads(threads.try_into().expect("not 0"));
                let ctx = Context::new(threads, &Silent).expect("run");
                fit(corpus, &params, &ctx).expect("fit")
            };
            let one = with(&planted.corpus, 1);
            for other in [with(&planted.corpus, 2), with(&shuffled, 3)] {
                assert_eq!(one.topics, other.topics);
                assert_eq!(one.weights, other.weights);
                assert_eq!(one.report, other.report);
            }
        }
    }
}

#[test]
fn what_cannot_be_factorised_is_refused() {
    let ctx = Context::silent().expect("run");
    let empty = dense(&[vec![0, 0], vec![0, 0]]);
    let error = fit(&empty, &NmfParams::new(1), &ctx).expect_err("no words");
    assert_eq!(error, Error::NoWords { documents: 2 });
    // log(F + N) is too small a shape for the l1 penalty.
    let small = dense(&[vec![1, 0], vec![0, 1]]);
    let params = NmfParams { relevance: Some(Relevance::default()), ..NmfParams::new(1) };
    let error = fit(&small, &params, &ctx).expect_err("shape");
    assert!(matches!(error, Error::Parameter { parameter: parameter::SHAPE, .. }), "{error}");
    assert!(fit(&small, &NmfParams::new(0), &ctx).is_err());
}

#[test]
fn a_word_that_nobody_uses_gets_nothing() {
    let found = fit(
        &dense(&[vec![3, 0, 1], vec![1, 0, 2], vec![0, 0, 4]]),
        &NmfParams::new(2),
        &Context::silent().expect("run"),
    );
    let topics = found.expect("fit").topics;
    assert!((0..2).all(|t| topics.topic(t)[1] == 0.0));
}
