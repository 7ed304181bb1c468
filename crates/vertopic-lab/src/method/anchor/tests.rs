//! The methods against planted topics and an explicit slow version, and what must not change them.

use std::num::NonZeroUsize;

use vertopic::context::Parallelism;
use vertopic::estimate::Topics;
use vertopic::evaluate::l1_error;
use vertopic::observe::Silent;

use super::solid_angle::SolidAngleParams;
use super::span::tests::{FAST, SPA, slow_search};
use super::*;
use crate::synth::separable::{Planted, Separable};
use crate::testkit::{corpus, select};

fn silent() -> Context<'static> {
    Context::silent().expect("threads")
}

fn planted(documents: usize, words: usize, topics: usize, seed: u64) -> Planted {
    let recipe = Separable { words, topics, documents, ..Separable::default() };
    recipe.generate(seed).expect("a corpus")
}

/// Q, token pair by token pair in floats.
fn dense_q(corpus: &Corpus) -> Vec<Vec<f64>> {
    let w = corpus.n_words();
    let (mut q, mut m) = (vec![vec![0.0; w]; w], 0.0);
    for document in corpus.documents().filter(|d| d.tokens() > 1) {
        let n = document.tokens() as f64;
        m += 1.0;
        for (i, a) in document.entries() {
            for (j, b) in document.entries() {
                let b = f64::from(b) - f64::from(u8::from(i == j));
                q[i as usize][j as usize] += f64::from(a) * b / (n * (n - 1.0));
            }
        }
    }
    q.iter_mut().flatten().for_each(|v| *v /= m);
    q
}

fn sums(q: &[Vec<f64>]) -> Vec<f64> {
    q.iter().map(|row| row.iter().sum()).collect()
}

/// Rows of Q divided by their sums and by the columns' weights.
fn normalised(q: &[Vec<f64>], weights: &[f64]) -> Vec<Vec<f64>> {
    let row = |row: &Vec<f64>, p: f64| row.iter().zip(weights).map(|(v, s)| v / p * s).collect();
    q.iter().zip(sums(q)).map(|(line, p)| row(line, p)).collect()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn rows_and_products_are_those_of_the_dense_matrix() {
    let (corpus, ctx) = (planted(60, 40, 3, 2).corpus, silent());
    let stats = rows::word_stats(&corpus, Seed(0), &ctx).expect("documents");
    let q = dense_q(&corpus);
    let p = sums(&q);
    assert!(p.iter().all(|&p| p > 0.0), "every word occurs");
    let inverse: Vec<f64> = p.iter().map(|p| 1.0 / p).collect();
    let both = [(Weighting::Joint, vec![1.0; 40]), (Weighting::Normalised, inverse)];
    for (weighting, weights) in both {
        let rows = Rows::new(&corpus, &stats, weighting);
        let dense = normalised(&q, &weights);
        let anchors = [7, 0, 31];
        let some = rows.of(&anchors, &ctx).expect("rows");
        let close = |a: f64, b: f64| (a - b).abs() < 1e-5 * (1e-3 + b.abs());
        for (row, &i) in some.chunks(40).zip(&anchors) {
            assert!(row.iter().zip(&dense[i as usize]).all(|(a, b)| close(*a, *b)));
        }
        let products = rows.products(&some, &ctx).expect("products");
        for (k, anchor) in anchors.iter().map(|&a| &dense[a as usize]).enumerate() {
            // A product with Q has seven digits of its column's length; a word's weight multiplies what is off.
            let length = anchor.iter().zip(&weights).map(|(a, w)| (a * w).powi(2)).sum::<f64>();
            for i in 0..40 {
                let (found, expected) = (products.linear[i * 3 + k], product(&dense[i], anchor));
                let off = (found - expected).abs() / weights[i] / length.sqrt();
                let near = off < 1e-7 || close(found, expected);
                assert!(near, "{weighting:?} {i} {k}: {found} {expected}");
            }
            let mut grams = products.gram[k * 3..].iter().zip(anchors.map(|a| &dense[a as usize]));
            assert!(grams.all(|(found, other)| close(*found, product(anchor, other))));
        }
    }
    let rows = Rows::new(&corpus, &stats, Weighting::Normalised);
    let e = normalised(&q, &p.iter().map(|p| 1.0 / p).collect::<Vec<_>>());
    let distance = rows.distances(&[4, 9], &ctx).expect("rows")[1];
    let expected = e[4][4] - 2.0 * e[4][9] + e[9][9];
    assert!((distance - expected).abs() < 1e-4 * expected.abs(), "{distance} {expected}");
}

#[test]
fn anchors_are_those_of_the_algorithm_on_the_dense_matrix() {
    let ctx = silent();
    for seed in 0..4 {
        let corpus = planted(150, 60, 4, seed).corpus;
        let q = dense_q(&corpus);
        let qbar = normalised(&q, &[1.0; 60]);
        for (params, rule) in [(AnchorParams::recover_l2(4), FAST), (AnchorParams::spa(4), SPA)] {
            let params = AnchorParams { min_df: Some(Frequency::Count(0)), ..params };
            let found = fit(&corpus, &params, &ctx).expect("topics");
            assert_eq!(found.report["dimensions"], 60);
            let anchors: Vec<usize> =
                found.novel_words.iter().map(|n| n[0].word as usize).collect();
            assert_eq!(anchors, slow_search(&qbar, 4, rule), "seed {seed}, {rule:?}");
        }
    }
}

/// `argmin ‖row − b rows‖²` on the simplex: projected gradient with the exact projection (Michelot 1986).
fn slow_regression(row: &[f64], anchors: &[&Vec<f64>]) -> Vec<f64> {
    let k = anchors.len();
    let lipschitz: f64 = anchors.iter().map(|a| product(a, a)).sum();
    let mut b = vec![1.0 / k as f64; k];
    for _ in 0..20_000 {
        let mixed: Vec<f64> = (0..row.len())
            .map(|j| (0..k).map(|t| b[t] * anchors[t][j]).sum::<f64>() - row[j])
            .collect();
        let moved: Vec<f64> =
            (0..k).map(|t| b[t] - product(&mixed, anchors[t]) / lipschitz).collect();
        let mut sorted = moved.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let (mut sum, mut shift) = (0.0, 0.0);
        for (n, v) in sorted.iter().enumerate() {
            sum += v;
            if *v > (sum - 1.0) / (n + 1) as f64 {
                shift = (sum - 1.0) / (n + 1) as f64;
            }
        }
        b = moved.iter().map(|v| (v - shift).max(0.0)).collect();
    }
    b
}

#[test]
fn topics_are_those_of_projected_gradient_on_the_dense_matrix() {
    let (corpus, ctx) = (planted(200, 30, 3, 5).corpus, silent());
    let params = AnchorParams { tolerance: 1e-12, ..AnchorParams::recover_l2(3) };
    let found = fit(&corpus, &params, &ctx).expect("topics");
    let q = dense_q(&corpus);
    let (qbar, p) = (normalised(&q, &[1.0; 30]), sums(&q));
    let anchors: Vec<&Vec<f64>> =
        found.novel_words.iter().map(|n| &qbar[n[0].word as usize]).collect();
    let b: Vec<Vec<f64>> = qbar.iter().map(|row| slow_regression(row, &anchors)).collect();
    for k in 0..3 {
        let weight: f64 = (0..30).map(|i| p[i] * b[i][k]).sum();
        assert!((found.weights[k] - weight).abs() < 1e-5, "{} {weight}", found.weights[k]);
        for i in 0..30 {
            let expected = p[i] * b[i][k] / weight;
            let ours = f64::from(found.topics.topic(k)[i]);
            assert!((ours - expected).abs() < 1e-5, "{k} {i}: {ours} {expected}");
        }
    }
}

/// Documents without noise: counts in exact proportion to mixtures of three topics, and very long.
fn noiseless() -> (Corpus, Topics) {
    // Words 0–2 are the anchors, 3–5 belong to two topics each, 6 and 7 to all.
    let beta: [[u32; 8]; 3] = [
        [20, 0, 0, 30, 0, 20, 10, 20],
        [0, 30, 0, 10, 30, 0, 10, 20],
        [0, 0, 25, 0, 15, 20, 10, 30],
    ];
    let mut documents = Vec::new();
    for a in 0..=4 {
        for b in 0..=4 - a {
            let share = [a, b, 4 - a - b];
            let count = |w: usize| (0..3).map(|k| 25_000 * share[k] * beta[k][w]).sum::<u32>();
            documents.push(
                (0..8).map(|w| (w as u32, count(w))).filter(|pair| pair.1 > 0).collect::<Vec<_>>(),
            );
        }
    }
    let values = beta.iter().flatten().map(|&v| v as f32 / 100.0).collect();
    (corpus(8, &documents), Topics::new(8, values).expect("rows"))
}

#[test]
fn without_noise_the_topics_come_back() {
    let ((corpus, truth), ctx) = (noiseless(), silent());
    let check = |found: &MethodOutput, name: &str| {
        let mut anchors: Vec<u32> = found.novel_words.iter().map(|n| n[0].word).collect();
        anchors.sort_unstable();
        assert_eq!(anchors, [0, 1, 2], "{name}");
        let error = l1_error(&truth, &found.topics);
        assert!(error < 2e-2, "{name}: {error}");
        assert!(found.weights.iter().all(|a| (a - 1.0 / 3.0).abs() < 5e-3), "{:?}", found.weights);
    };
    for params in [AnchorParams::recover_l2(3), AnchorParams::recover_kl(3), AnchorParams::spa(3)] {
        let params = AnchorParams { tolerance: 1e-9, ..params };
        check(&fit(&corpus, &params, &ctx).expect("topics"), params.method());
        let projected = AnchorParams { dimensions: 6, ..params };
        let found = fit(&corpus, &projected, &ctx).expect("topics");
        assert_eq!(found.report["dimensions"], 6);
    }
    let params = SolidAngleParams { tolerance: 1e-9, ..SolidAngleParams::new(3) };
    check(&solid_angle::fit(&corpus, &params, &ctx).expect("topics"), "solid-angle");
}

#[test]
fn projected_points_are_rows_times_signs() {
    // 40 dimensions of 60 words, in blocks of 16: distances are roughly kept.
    let (corpus, ctx) = (planted(200, 60, 3, 4).corpus, silent());
    let stats = rows::word_stats(&corpus, Seed(9), &ctx).expect("documents");
    let rows = Rows::new(&corpus, &stats, Weighting::Joint);
    let words: Vec<u32> = (0..60).collect();
    let whole = Points::of(&rows, &words, 60, Seed(9), &ctx).expect("rows");
    let mean_ratio = |seed: u64| {
        let few = Points::of(&rows, &words, 40, Seed(seed), &ctx).expect("rows");
        assert_eq!((few.len(), few.dimensions()), (60, 40));
        (0..60).map(|i| few.norms[i] / whole.norms[i]).sum::<f64>() / 60.0
    };
    let mean = (0..40).map(mean_ratio).sum::<f64>() / 40.0;
    assert!((mean - 1.0).abs() < 0.15, "{mean}");
    // Linear: the sum of the projections of rows with weights p is the projection of their sum.
    let few = Points::of(&rows, &words, 40, Seed(1), &ctx).expect("rows");
    let again = Points::of(&rows, &words[10..20], 40, Seed(1), &ctx).expect("rows");
    assert!((0..10).all(|i| few.point(10 + i) == again.point(i)));
}

/// Every method on a corpus.
fn all_methods(corpus: &Corpus, k: usize, ctx: &Context<'_>) -> Vec<MethodOutput> {
    let mut found: Vec<MethodOutput> =
        [AnchorParams::recover_l2(k), AnchorParams::recover_kl(k), AnchorParams::spa(k)]
            .iter()
            .map(|params| fit(corpus, params, ctx).expect("topics"))
            .collect();
    found.push(solid_angle::fit(corpus, &SolidAngleParams::new(k), ctx).expect("topics"));
    found
}

#[test]
fn anchors_of_a_large_corpus_are_novel() {
    let (truth, ctx) = (planted(10_000, 500, 5, 1), silent());
    for found in all_methods(&truth.corpus, 5, &ctx) {
        let name = &found.report["method"];
        let mut topics: Vec<usize> = Vec::new();
        for anchor in &found.novel_words {
            let home = truth.novel_words.iter().position(|n| n.contains(&anchor[0].word));
            topics.push(home.unwrap_or_else(|| panic!("{name}: {} is not novel", anchor[0].word)));
        }
        topics.sort_unstable();
        assert_eq!(topics, [0, 1, 2, 3, 4], "{name}");
        assert_eq!(found.report["regression"]["not_converged"], 0, "{name}");
    }
}

#[test]
fn more_documents_give_better_topics() {
    let ctx = silent();
    let error = |documents| {
        let one = |seed| {
            let truth = planted(documents, 500, 5, seed);
            let found = fit(&truth.corpus, &AnchorParams::recover_l2(5), &ctx).expect("topics");
            l1_error(&truth.topics, &found.topics)
        };
        (0..3).map(one).sum::<f64>() / 3.0
    };
    let errors = [200, 1_000, 5_000].map(error);
    assert!(errors[0] > 1.2 * errors[1] && errors[1] > 1.2 * errors[2], "{errors:?}");
}

#[test]
fn order_and_threads_do_not_matter() {
    let truth = planted(120, 80, 3, 8);
    let shuffled = select(&truth.corpus, (0..120).map(|d| (d * 77 + 5) % 120));
    assert_ne!(shuffled.document(0).key, truth.corpus.document(0).key);
    let all = |corpus: &Corpus, threads: usize| {
        let threads = Parallelism::Threads(NonZeroUsize::new(threads).expect("positive"));
        let ctx = Context::new(threads, &Silent).expect("threads");
        let mut found = all_methods(corpus, 3, &ctx);
        let few = AnchorParams { dimensions: 30, ..AnchorParams::recover_l2(3) };
        found.push(fit(corpus, &few, &ctx).expect("topics"));
        found
    };
    let one = all(&truth.corpus, 1);
    for (corpus, threads) in [(&truth.corpus, 2), (&shuffled, 3), (&shuffled, 1)] {
        for (a, b) in one.iter().zip(all(corpus, threads)) {
            assert_eq!(a.topics, b.topics, "{}", a.report);
            assert_eq!((&a.weights, &a.novel_words), (&b.weights, &b.novel_words));
            assert_eq!(a.report, b.report);
        }
    }
}

#[test]
fn one_topic_is_the_word_distribution() {
    let (corpus, ctx) = (planted(50, 30, 3, 1).corpus, silent());
    let p = sums(&dense_q(&corpus));
    for found in all_methods(&corpus, 1, &ctx) {
        let close = |(a, b): (&f32, &f64)| (f64::from(*a) - b).abs() < 1e-6;
        assert!(found.topics.topic(0).iter().zip(&p).all(close), "{}", found.report);
        assert_eq!(found.weights, [1.0]);
    }
}

#[test]
fn words_without_a_pair_have_no_part() {
    // Word 3 stands alone in its document, word 4 nowhere.
    let documents =
        vec![vec![(0, 3), (2, 1)], vec![(1, 2), (2, 2)], vec![(0, 2), (1, 1)], vec![(3, 1)]];
    let corpus = corpus(5, &documents);
    let ctx = silent();
    for params in [AnchorParams::recover_l2(2), AnchorParams::recover_kl(2), AnchorParams::spa(2)] {
        let params = AnchorParams { min_df: Some(Frequency::Count(0)), ..params };
        let found = fit(&corpus, &params, &ctx).expect("topics");
        assert_eq!(found.report["candidates"], 3);
        assert!((0..2).all(|k| found.topics.topic(k)[3..] == [0.0, 0.0]));
    }
}

#[test]
fn candidates_are_frequent_enough() {
    let ctx = silent();
    let count = |documents: usize, min_df| {
        // Word 0 is in every document, word 1 in every 10th, word 2 in every 30th.
        let document = |d: usize| {
            let often = [
                (0, 2),
                (1, u32::from(d.is_multiple_of(10))),
                (2, u32::from(d.is_multiple_of(30))),
            ];
            often.into_iter().filter(|pair| pair.1 > 0).collect::<Vec<_>>()
        };
        let corpus = corpus(3, &(0..documents).map(document).collect::<Vec<_>>());
        let stats = rows::word_stats(&corpus, Seed(0), &ctx).expect("documents");
        Rows::new(&corpus, &stats, Weighting::Joint).candidates(min_df).len()
    };
    assert_eq!(count(300, Some(Frequency::Count(10))), 3);
    assert_eq!(count(300, Some(Frequency::Count(11))), 2);
    assert_eq!(count(300, Some(Frequency::Share(0.1))), 2);
    assert_eq!(count(300, Some(Frequency::Share(0.101))), 1);
    assert_eq!(count(300, None), 2, "5 % of 300 are 15");
    assert_eq!(count(3_000, None), 3, "100 of 3,000 are enough");
}

#[test]
fn bad_settings_are_refused() {
    let (corpus, ctx) = (planted(20, 30, 3, 1).corpus, silent());
    let good = AnchorParams::recover_l2(3);
    for (params, name) in [
        (AnchorParams { n_topics: 0, ..good.clone() }, "topics"),
        (AnchorParams { dimensions: 0, ..good.clone() }, "dimensions"),
        (AnchorParams { tolerance: 0.0, ..good.clone() }, "tolerance"),
        (AnchorParams { tolerance: f64::NAN, ..good.clone() }, "tolerance"),
        (
            AnchorParams { min_df: Some(Frequency::Share(1.5)), ..good.clone() },
            "document frequency",
        ),
        (
            AnchorParams { min_df: Some(Frequency::Share(f64::NAN)), ..good.clone() },
            "document frequency",
        ),
    ] {
        let error = fit(&corpus, &params, &ctx).expect_err(name);
        assert!(error.to_string().contains(name), "{error}");
    }
    let good = SolidAngleParams::new(3);
    for (params, name) in [
        (SolidAngleParams { n_topics: 0, ..good.clone() }, "topics"),
        (SolidAngleParams { projections: Some(0), ..good.clone() }, "projections"),
        (SolidAngleParams { distance: Some(-1.0), ..good.clone() }, "distance"),
        (SolidAngleParams { distance: Some(f64::NAN), ..good.clone() }, "distance"),
        (SolidAngleParams { tolerance: -1.0, ..good.clone() }, "tolerance"),
    ] {
        let error = solid_angle::fit(&corpus, &params, &ctx).expect_err(name);
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn more_topics_than_candidates_are_refused() {
    let (corpus, ctx) = (planted(20, 30, 3, 1).corpus, silent());
    let too_few = |result: Result<MethodOutput, Error>, topics: usize, n_candidates: usize| {
        let expected = Error::TooFewCandidates { found: n_candidates, topics, n_candidates };
        assert_eq!(result.expect_err("too many topics"), expected);
    };
    too_few(fit(&corpus, &AnchorParams::recover_l2(31), &ctx), 31, 30);
    too_few(solid_angle::fit(&corpus, &SolidAngleParams::new(31), &ctx), 31, 30);
    let everywhere = corpus.document_frequencies().iter().filter(|&&df| df == 20).count();
    let params = AnchorParams { min_df: Some(Frequency::Share(1.0)), ..AnchorParams::spa(30) };
    too_few(fit(&corpus, &params, &ctx), 30, everywhere);
    // One direction has one winner.
    let one = SolidAngleParams { projections: Some(1), ..SolidAngleParams::new(3) };
    let expected = Error::TooFewCandidates { found: 1, topics: 3, n_candidates: 30 };
    assert_eq!(solid_angle::fit(&corpus, &one, &ctx).expect_err("one winner"), expected);
}
