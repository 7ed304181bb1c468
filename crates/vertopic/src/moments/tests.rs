//! The statistics against an independent slow version: dense matrices, floats, the formulas as printed.

use super::*;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::run::Run;
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
    let splitter = Splitter::new(seed, corpus.vocabulary());
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
    let (corpus, seed, run) = (corpus(), Seed(4), Run::silent().expect("threads"));
    let totals = Totals::of(&corpus, seed, &run).expect("enough documents");
    let (x, x2, m) = dense(&corpus, seed);
    assert_eq!(totals.split as f64, m);
    assert_eq!((totals.documents, totals.filled), (60, 59));
    let rows: Vec<u32> = vec![3, 7, 11];
    let columns: Vec<u32> = (0..12).collect();
    let block = Cooccurrence::of(&corpus, &totals, seed, &rows, &columns, &run);
    for (r, &i) in rows.iter().enumerate() {
        let i = i as usize;
        let c_ii = m * dot(&x[i], &x2[i]);
        assert!((totals.diagonal[i] - c_ii).abs() < 1e-6 * c_ii, "{} {c_ii}", totals.diagonal[i]);
        for j in 0..12 {
            let c_ij = m * dot(&x2[i], &x[j]);
            let c_ji = m * dot(&x2[j], &x[i]);
            assert!((block.row(r)[j] - c_ij).abs() < 1e-6);
            assert!((block.row_transposed(r)[j] - c_ji).abs() < 1e-6);
            let difference = |x: &[Vec<f64>]| -> Vec<f64> {
                x[i].iter().zip(&x[j]).map(|(a, b)| a - b).collect()
            };
            let d_ij = m * dot(&difference(&x), &difference(&x2));
            let ours = block.distance(r, j, totals.diagonal[i], totals.diagonal[j]);
            assert!((ours - d_ij).abs() < 1e-5, "{ours} {d_ij}");
        }
    }
}

#[test]
fn totals_count_tokens_and_documents() {
    let (corpus, run) = (corpus(), Run::silent().expect("threads"));
    let totals = Totals::of(&corpus, Seed(0), &run).expect("enough documents");
    assert_eq!(totals.tokens.iter().sum::<u64>(), corpus.n_tokens());
    assert_eq!(totals.df, corpus.document_frequencies());
    // Frequencies of whole documents sum to 1 over the words.
    let sum: f64 = totals.frequencies(Sample::Whole).iter().sum();
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
}

#[test]
fn one_document_is_too_few() {
    let mut b = CorpusBuilder::with_words(vec!["a".into(), "b".into()]);
    b.push(&mut [(0, 50), (1, 50)], DocumentInfo::default()).expect("good");
    let corpus = b.finish().expect("good");
    let err = Totals::of(&corpus, Seed(0), &Run::silent().expect("threads")).expect_err("one");
    assert_eq!(err.to_string(), "1 of 1 documents can be learnt from, but at least 2 are needed");
}
