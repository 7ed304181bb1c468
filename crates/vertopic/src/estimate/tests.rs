//! The estimation against a slow version of Algorithm 5: dense rows, the objective as printed.

use super::*;
use crate::cluster::Representative;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::detect::{NovelWord, NovelWords};
use crate::error::Advice;
use crate::moments::{Halves, PairScheme, Splitter, TokenPairs, WordStats};
use crate::seed::{Seed, Stage};
use crate::space::{CooccurrenceSpace, Masses};

/// Two topics over six words; words 0 and 1 are novel for the first, 2 and 3 for the second.
fn corpus() -> Corpus {
    let mut b = CorpusBuilder::with_words((0..6).map(|i| format!("w{i}")).collect());
    let mut random = Seed(2).stream(Stage::Tie, 1);
    for _ in 0..80 {
        let share = random.unit();
        let mut pairs = Vec::new();
        for _ in 0..40 {
            let first = random.unit() < share;
            let word = match (random.next_u64() % 4, first) {
                (0, true) => 0,
                (1, true) => 1,
                (0, false) => 2,
                (1, false) => 3,
                (2, true) => 4,
                _ => 5,
            };
            pairs.push((word, 1));
        }
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

fn dense(corpus: &Corpus, seed: Seed) -> [Vec<Vec<f64>>; 2] {
    let splitter = Splitter::new(seed, PairScheme::Split, corpus.vocabulary());
    let mut halves = Halves::default();
    let mut rows = [vec![Vec::new(); 6], vec![Vec::new(); 6]];
    for document in corpus.documents() {
        assert!(splitter.split(document, &mut halves));
        for (rows, half) in rows.iter_mut().zip([&halves.first, &halves.second]) {
            let mut column = [0.0; 6];
            for &(w, c) in &half.pairs {
                column[w as usize] = f64::from(c) / half.tokens as f64;
            }
            rows.iter_mut().zip(column).for_each(|(row, v)| row.push(v));
        }
    }
    rows
}

fn groups(stats: &WordStats, representative: Representative) -> Groups {
    let words = [0, 1, 2, 3].map(|word| NovelWord { word, strength: 1.0 }).to_vec();
    Groups::new(
        &NovelWords { words, n_candidates: 6 },
        &[0, 0, 1, 1],
        representative,
        Masses { first: &stats.first, second: &stats.second },
    )
}

#[test]
fn products_and_minimum_are_those_of_the_printed_objective() {
    let (corpus, seed, ctx) = (corpus(), Seed(6), Context::silent().expect("threads"));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(seed, PairScheme::Split), &ctx).expect("enough");
    let [x, x2] = dense(&corpus, seed);
    let m = stats.paired as f64;
    let tilde = |row: &[f64]| -> Vec<f64> {
        let sum: f64 = row.iter().sum();
        row.iter().map(|v| v / sum).collect()
    };
    let plus = |a: &[f64], b: &[f64], f: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| a + f * b).collect()
    };
    for representative in [Representative::Word, Representative::Average, Representative::Pooled] {
        let y = |x: &[Vec<f64>]| -> Vec<Vec<f64>> {
            [(0, 1), (2, 3)]
                .map(|(i, j)| match representative {
                    Representative::Word => tilde(&x[i]),
                    Representative::Average => tilde(&plus(&tilde(&x[i]), &tilde(&x[j]), 1.0)),
                    Representative::Pooled => tilde(&plus(&x[i], &x[j], 1.0)),
                })
                .to_vec()
        };
        let (y, y2) = (y(&x), y(&x2));
        let groups = groups(&stats, representative);
        let params = EstimateParams { tolerance: 1e-12, ..EstimateParams::paper() };
        let estimate = topics(&CooccurrenceSpace::new(&corpus, &stats), &groups, &params, &ctx)
            .expect("estimated");
        // On a segment the minimum can be found by looking: b = (t, 1 − t).
        let mut beta = [[0.0; 2]; 6];
        for i in 0..6 {
            let objective = |t: f64| -> f64 {
                let rest = |x: &[f64], y: &[Vec<f64>]| {
                    plus(&plus(&tilde(x), &y[0], -t), &y[1], -(1.0 - t))
                };
                let (a, b) = (rest(&x[i], &y), rest(&x2[i], &y2));
                m * a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>()
            };
            let t = (0..=20_000)
                .map(|s| f64::from(s) / 20_000.0)
                .min_by(|&s, &t| objective(s).total_cmp(&objective(t)))
                .expect("a grid");
            let frequency = x[i].iter().sum::<f64>() / m;
            beta[i] = [frequency * t, frequency * (1.0 - t)];
        }
        for k in 0..2 {
            let sum: f64 = beta.iter().map(|b| b[k]).sum();
            for i in 0..6 {
                let (ours, slow) = (f64::from(estimate.topics.topic(k)[i]), beta[i][k] / sum);
                assert!((ours - slow).abs() < 2e-4, "{representative:?} {k} {i}: {ours} {slow}");
            }
        }
        assert_eq!(estimate.report.not_converged, 0);
        assert!((estimate.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(estimate.residual.iter().all(|r| (0.0..=1.0).contains(r)));
    }
}

#[test]
fn the_unexplained_share_is_that_of_a_squared_length() {
    let representatives = [[1.0, 0.2, 0.0], [0.0, 1.0, 0.5]];
    let words = [[0.5, 0.9, 0.3], [1.0, 0.2, 0.0], [0.0, 0.0, 0.0]];
    let mixtures = [[0.4, 0.6], [1.0, 0.0], [0.5, 0.5]];
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let products = |rows: &[[f64; 3]], scale: f64| -> Vec<f64> {
        rows.iter().flat_map(|a| representatives.map(|y| dot(a, &y) / scale)).collect()
    };
    let (gram, linear) = (products(&representatives, 2.0), products(&words, 2.0));
    let diagonal = words.map(|x| dot(&x, &x));
    let ctx = Context::silent().expect("threads");
    let solved = Solved { gram: &gram, linear: &linear, mixtures: mixtures.as_flattened() };
    let found = solved.unexplained(|i| diagonal[i] / 2.0, &ctx);
    for ((x, b), found) in words.iter().zip(&mixtures).zip(found).take(2) {
        let rest: [f64; 3] = std::array::from_fn(|d| {
            x[d] - b[0] * representatives[0][d] - b[1] * representatives[1][d]
        });
        assert!((found - dot(&rest, &rest) / dot(x, x)).abs() < 1e-12, "{found}");
    }
    let solved = Solved { gram: &gram, linear: &[0.0; 2], mixtures: &[0.5, 0.5] };
    assert_eq!(solved.unexplained(|_| 0.0, &ctx), [0.0]);
}

#[test]
fn planted_topics_are_recovered() {
    let (corpus, seed, ctx) = (corpus(), Seed(6), Context::silent().expect("threads"));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(seed, PairScheme::Split), &ctx).expect("enough");
    let groups = groups(&stats, Representative::Pooled);
    let params = EstimateParams::paper();
    let estimate = topics(&CooccurrenceSpace::new(&corpus, &stats), &groups, &params, &ctx)
        .expect("estimated");
    for (k, truth) in
        [[0.25, 0.25, 0.0, 0.0, 0.25, 0.25], [0.0, 0.0, 0.25, 0.25, 0.0, 0.5]].iter().enumerate()
    {
        let error: f64 = estimate
            .topics
            .topic(k)
            .iter()
            .zip(truth)
            .map(|(a, b)| (f64::from(*a) - b).abs())
            .sum();
        assert!(error < 0.25, "topic {k}: {error} {:?}", estimate.topics.topic(k));
    }
}

#[test]
fn a_topic_without_words_is_an_error_that_names_it() {
    let empty = |topic| Error::EmptyTopic { novel_words: vec![format!("word of {topic}")] };
    let ctx = Context::silent().expect("threads");
    let err = normalise(&[1.0, 0.0, 1.0, 0.0], &[0.5, 0.5], 2, empty, &ctx)
        .expect_err("nothing for the second topic");
    assert_eq!(err.to_string(), "no word belongs to the topic of word of 1");
    assert!(err.advice().contains(&Advice::FrequentCandidates));
}

#[test]
fn products_over_all_pairs_are_sums_over_tokens() {
    // Slow version: every ordered pair of different tokens of a document, weighed by the representatives.
    let (corpus, ctx) = (corpus(), Context::silent().expect("threads"));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(6), PairScheme::All), &ctx).expect("enough");
    let groups = groups(&stats, Representative::Average);
    let representatives: Vec<_> = groups.groups.iter().map(Group::weighted).collect();
    let space = CooccurrenceSpace::new(&corpus, &stats);
    let products = space.products(&representatives, &ctx).expect("documents");
    let member = |w: usize| -> Option<(usize, f64)> {
        groups.groups.iter().enumerate().find_map(|(k, g)| {
            let at = g.words.iter().position(|n| n.word as usize == w)?;
            Some((k, g.first[at]))
        })
    };
    let m = stats.paired as f64;
    let (mut linear, mut gram) = (vec![0.0; 12], [0.0; 4]);
    for document in corpus.documents() {
        let tokens: Vec<usize> =
            document.entries().flat_map(|(w, c)| (0..c).map(move |_| w as usize)).collect();
        let n = tokens.len() as f64;
        for (a, &i) in tokens.iter().enumerate() {
            for (b, &j) in tokens.iter().enumerate().filter(|&(b, _)| b != a) {
                let pair = m / (n * (n - 1.0));
                let Some((l, second)) = member(j) else { continue };
                linear[i * 2 + l] += pair * second / stats.first[i];
                if let Some((k, first)) = member(i) {
                    gram[k * 2 + l] += pair * first * second;
                }
                assert_ne!(a, b);
            }
        }
    }
    for (ours, slow) in products.linear.iter().zip(&linear).chain(products.gram.iter().zip(&gram)) {
        assert!((ours - slow).abs() < 1e-6, "{ours} {slow}");
    }
}
