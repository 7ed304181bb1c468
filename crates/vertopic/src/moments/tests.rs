//! The statistics against an independent slow version: dense matrices, floats, the formulas as printed.

use super::*;
use crate::context::Context;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::seed::{Seed, Stage};

fn corpus() -> Corpus {
    let mut b = CorpusBuilder::with_words((0..12).map(|i| format!("w{i:02}")).collect());
    let mut random = Seed(9).stream(Stage::Tie, 0);
    for d in 0..60 {
        let mut pairs: Vec<(u32, u32)> = (0..12)
            .filter_map(|w| {
                let c = (random.next_u64() % 7) as u32;
                (c > 3 || (w + d) % 5 == 0).then_some((w, c.max(1)))
            })
            .collect();
        if d == 7 {
            pairs.clear();
        }
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

/// X~ and X~′ as dense rows, by the paper's definitions.
fn dense(corpus: &Corpus, seed: Seed) -> (Vec<Vec<f64>>, Vec<Vec<f64>>, f64) {
    let splitter = Splitter::new(seed, PairScheme::Split, corpus.vocabulary());
    let w = corpus.n_words();
    let (mut x, mut x2) = (vec![Vec::new(); w], vec![Vec::new(); w]);
    let mut halves = Halves::default();
    for document in corpus.documents() {
        if !splitter.split(document, &mut halves) {
            continue;
        }
        for (rows, half) in [(&mut x, &halves.first), (&mut x2, &halves.second)] {
            let mut column = vec![0.0; w];
            for &(word, c) in &half.pairs {
                column[word as usize] = f64::from(c) / half.tokens as f64;
            }
            for (row, value) in rows.iter_mut().zip(column) {
                row.push(value);
            }
        }
    }
    let m = x[0].len() as f64;
    for row in x.iter_mut().chain(x2.iter_mut()) {
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|v| *v /= sum);
    }
    (x, x2, m)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn totals_and_cooccurrence_are_the_formulas_of_the_paper() {
    let (corpus, seed, ctx) = (corpus(), Seed(4), Context::silent().expect("threads"));
    let stats = WordStats::of(&corpus, TokenPairs::new(seed, PairScheme::Split), &ctx)
        .expect("enough documents");
    let (x, x2, m) = dense(&corpus, seed);
    assert_eq!(stats.paired as f64, m);
    assert_eq!((stats.documents, stats.filled), (60, 59));
    let rows: Vec<u32> = vec![3, 7, 11];
    let columns: Vec<u32> = (0..12).collect();
    let block = Cooccurrence::of(&corpus, &stats, &rows, &columns, &ctx).expect("sums");
    for (r, &i) in rows.iter().enumerate() {
        let i = i as usize;
        let c_ii = m * dot(&x[i], &x2[i]);
        assert!((stats.diagonal[i] - c_ii).abs() < 1e-6 * c_ii, "{} {c_ii}", stats.diagonal[i]);
        for j in 0..12 {
            let c_ij = m * dot(&x2[i], &x[j]);
            let c_ji = m * dot(&x2[j], &x[i]);
            assert!((block.row(r)[j] - c_ij).abs() < 1e-6);
            assert!((block.row_transposed(r)[j] - c_ji).abs() < 1e-6);
            let difference = |x: &[Vec<f64>]| -> Vec<f64> {
                x[i].iter().zip(&x[j]).map(|(a, b)| a - b).collect()
            };
            let d_ij = m * dot(&difference(&x), &difference(&x2));
            let ours = block.distance(r, j, stats.diagonal[i], stats.diagonal[j]);
            assert!((ours - d_ij).abs() < 1e-5, "{ours} {d_ij}");
        }
    }
}

#[test]
fn totals_count_tokens_and_documents() {
    let (corpus, ctx) = (corpus(), Context::silent().expect("threads"));
    let stats = WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::Split), &ctx)
        .expect("enough documents");
    assert_eq!(stats.tokens.iter().sum::<u64>(), corpus.n_tokens());
    assert_eq!(stats.df, corpus.document_frequencies());
    // Frequencies of whole documents sum to 1 over the words.
    let sum: f64 = stats.frequencies(TokenSample::Whole).iter().sum();
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
}

#[test]
fn one_document_is_too_few() {
    let mut b = CorpusBuilder::with_words(vec!["a".into(), "b".into()]);
    b.push(&mut [(0, 50), (1, 50)], DocumentInfo::default()).expect("good");
    let corpus = b.finish().expect("good");
    let err = WordStats::of(
        &corpus,
        TokenPairs::new(Seed(0), PairScheme::Split),
        &Context::silent().expect("threads"),
    )
    .expect_err("one");
    assert_eq!(err.to_string(), "1 of 1 documents have a pair of tokens, but at least 2 must");
}

#[test]
fn all_pairs_are_counted_token_by_token() {
    // Slow version: write every document out as a list of tokens and pair each with every other.
    let (corpus, ctx) = (corpus(), Context::silent().expect("threads"));
    let stats = WordStats::of(&corpus, TokenPairs::new(Seed(4), PairScheme::All), &ctx)
        .expect("enough documents");
    let all: Vec<u32> = (0..12).collect();
    let block = Cooccurrence::of(&corpus, &stats, &all, &all, &ctx).expect("sums");
    let (mut pairs, mut rows, mut m) = (vec![vec![0.0; 12]; 12], [0.0; 12], 0.0);
    for document in corpus.documents() {
        let tokens: Vec<usize> =
            document.entries().flat_map(|(w, c)| (0..c).map(move |_| w as usize)).collect();
        let n = tokens.len() as f64;
        if n < 2.0 {
            continue;
        }
        m += 1.0;
        for (a, &i) in tokens.iter().enumerate() {
            rows[i] += 1.0 / n;
            for (b, &j) in tokens.iter().enumerate() {
                if a != b {
                    pairs[i][j] += 1.0 / (n * (n - 1.0));
                }
            }
        }
    }
    assert_eq!(stats.paired as f64, m);
    for i in 0..12 {
        for j in 0..12 {
            let c = m * pairs[i][j] / (rows[i] * rows[j]);
            assert!((block.row(i)[j] - c).abs() < 1e-5, "{i} {j}: {} {c}", block.row(i)[j]);
            assert_eq!(block.row(i)[j], block.row_transposed(i)[j]);
        }
        assert!((stats.diagonal[i] - block.row(i)[i]).abs() < 1e-12);
    }
}

#[test]
fn all_pairs_are_the_mean_over_all_splits() {
    let (corpus, ctx) = (corpus(), Context::silent().expect("threads"));
    let all = WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx)
        .expect("enough documents");
    let mean: f64 = (0..400)
        .map(|seed| {
            WordStats::of(&corpus, TokenPairs::new(Seed(seed), PairScheme::Split), &ctx)
                .expect("enough")
                .diagonal[5]
        })
        .sum::<f64>()
        / 400.0;
    assert!((mean / all.diagonal[5] - 1.0).abs() < 0.02, "{mean} {}", all.diagonal[5]);
}

#[test]
fn long_documents_weigh_as_much_as_short_ones() {
    // The same proportions at 6,000 and at 2,400,000 tokens give the same C.
    let built = |times: u32| {
        let mut b = CorpusBuilder::with_words((0..4).map(|i| format!("w{i}")).collect());
        for d in 0..6_u32 {
            let mut pairs: Vec<(u32, u32)> =
                (0..4).map(|w| (w, (10 + 5 * ((w + d) % 3)) * times)).collect();
            b.push(&mut pairs, DocumentInfo { id: Some(d.to_string()), ..Default::default() })
                .expect("good");
        }
        let corpus = b.finish().expect("good");
        let ctx = Context::silent().expect("threads");
        let stats = WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::All), &ctx)
            .expect("enough");
        let all: Vec<u32> = (0..4).collect();
        let c = Cooccurrence::of(&corpus, &stats, &all, &all, &ctx).expect("sums");
        (0..4).flat_map(|i| c.row(i).to_vec()).collect::<Vec<f64>>()
    };
    for (short, long) in built(100).iter().zip(built(40_000)) {
        assert!((short - long).abs() < 1e-3 * long, "{short} {long}");
    }
}

#[test]
fn projections_are_sums_over_documents_of_any_length() {
    // Lengths of all classes, counts that do not fit into a posting, words in many documents and in one.
    let mut b = CorpusBuilder::with_words((0..7).map(|i| format!("w{i}")).collect());
    let mut random = Seed(4).stream(Stage::Tie, 2);
    for d in 0..600_u32 {
        let size = 1 << (d % 23);
        let mut pairs: Vec<(u32, u32)> = (0..6)
            .map(|w| (w, (random.next_u64() % (size + 1)) as u32))
            .chain([(6, u32::from(d == 50))])
            .collect();
        pairs.retain(|&(_, count)| count > 0);
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    let (corpus, seed, count) = (b.finish().expect("good"), Seed(5), 201);
    let directions = Directions::new(seed);
    let rows = [5, 0, 6, 2];
    let mut expected = vec![vec![0_i64; count]; rows.len()];
    for document in corpus.documents().filter(|document| !document.words.is_empty()) {
        let mut u = vec![0; count];
        directions.fill(document.key, 0, &mut u);
        let bits = 3 * (document.tokens().ilog2() / 3).min(8) + 2;
        let scale = (1_u64 << bits) as f32 / document.tokens() as f32;
        for (word, count) in document.entries() {
            let Some(row) = rows.iter().position(|&row| row == word) else { continue };
            for (sum, &u) in expected[row].iter_mut().zip(&u) {
                let entry = (u as f32 * scale).round_ties_even() as i64;
                assert!(entry.abs() < 1 << 15, "16 bits");
                *sum += (i64::from(count) * entry) << (28 - bits);
            }
        }
    }
    // Memory for one tile, for some sums, for some documents and for all of them.
    for (threads, memory) in [1, 3].into_iter().flat_map(|t| [1, 12, 20, 30].map(|bits| (t, bits)))
    {
        let threads = std::num::NonZeroUsize::new(threads).expect("positive");
        let ctx =
            Context::new(crate::context::Parallelism::Threads(threads), &crate::observe::Silent);
        let ctx = ctx.expect("threads").with_memory(1 << memory);
        let (pairs, sample) = (PairScheme::All, TokenSample::Whole);
        let asked = Projected { seed, pairs, sample, rows: &rows, directions: count };
        let seen =
            corpus.projections(&asked, &ctx, |range, tiles| (range, tiles.narrow().to_vec()));
        let mut next = 0;
        for (range, tiles) in seen.expect("documents") {
            assert_eq!((range.start, tiles.len()), (next, rows.len()));
            for (tile, expected) in tiles.iter().zip(&expected) {
                assert_eq!(tile[..range.len()], expected[range.clone()], "{threads} {memory}");
            }
            next = range.end;
        }
        assert_eq!(next, count);
    }
}
