use super::*;
use crate::corpus::Corpus;
use crate::moments::{Cooccurrence, PairScheme, TokenPairs};
use crate::seed::{Seed, Stage};
use crate::testkit;

fn corpus(reversed: bool) -> Corpus {
    let mut random = Seed(3).stream(Stage::Tie, 1);
    let mut documents: Vec<Vec<(u32, u32)>> =
        (0..40).map(|_| (0..9).map(|w| (w, (random.next_u64() % 4) as u32)).collect()).collect();
    documents.push(vec![(3, 1)]); // too short for a pair
    if reversed {
        documents.reverse();
    }
    testkit::corpus(9, documents)
}

#[test]
fn it_is_the_matrix_that_cooccurrence_forms() {
    let (corpus, ctx) = (corpus(false), Context::silent().expect("threads"));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
    let all: Vec<u32> = (0..9).collect();
    let c = Cooccurrence::of(&corpus, &stats, &all, &all, &ctx).expect("sums");
    let joint = CooccurrenceOperator::new(&corpus, &stats);
    let p = joint.row_sums(&ctx).expect("sums");
    assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-7);
    // Columns of very different size.
    let v: Vec<f64> =
        (0..63).map(|i| libm::sin(f64::from(i)) * libm::exp(f64::from(i % 7))).collect();
    let product = joint.times(&v, 7, &ctx).expect("a product");
    for j in 0..7 {
        let norm = (0..9).map(|l| v[l * 7 + j].powi(2)).sum::<f64>().sqrt();
        for i in 0..9 {
            let expected: f64 = (0..9).map(|l| c.row(i)[l] * p[i] * p[l] * v[l * 7 + j]).sum();
            let found = product[i * 7 + j];
            assert!((found - expected).abs() < 1e-7 * norm, "{found} {expected}");
        }
    }
}

#[test]
fn off_the_diagonal_it_is_a_sum_of_weighted_documents() {
    // No memory to speak of: a pass has eight columns, and the ninth takes another.
    let (corpus, ctx) = (corpus(false), Context::silent().expect("threads").with_memory(1));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
    let m = stats.documents as f64;
    for weighting in [Weighting::Tokens, Weighting::TfIdf] {
        let mut q = [[0.0_f64; 9]; 9];
        for d in 0..corpus.n_documents() {
            let mut a = [0.0; 9];
            for (w, c) in corpus.document(d).entries() {
                let df = stats.df[w as usize] as f64;
                let idf = 1.0 + ((1.0 + m) / (1.0 + df)).ln();
                a[w as usize] =
                    f64::from(c) * if weighting == Weighting::TfIdf { idf } else { 1.0 };
            }
            let n: f64 = corpus.document(d).tokens() as f64;
            let squares = a.iter().map(|a| a * a).sum::<f64>();
            let size = if weighting == Weighting::TfIdf { squares } else { n * (n - 1.0) };
            for (i, j) in (0..81).map(|at| (at / 9, at % 9)).filter(|(i, j)| i != j && n > 1.0) {
                q[i][j] += a[i] * a[j] / size / stats.paired as f64;
            }
        }
        let joint = CooccurrenceOperator::off_diagonal(&corpus, &stats, weighting);
        let unit: Vec<f64> = (0..81).map(|at| f64::from(u8::from(at / 9 == at % 9))).collect();
        let found = joint.times(&unit, 9, &ctx).expect("a product");
        let rows = joint.row_sums(&ctx).expect("sums");
        for i in 0..9 {
            assert!((rows[i] - q[i].iter().sum::<f64>()).abs() < 1e-9, "{weighting:?}");
            for j in 0..9 {
                assert!((found[i * 9 + j] - q[i][j]).abs() < 1e-7, "{weighting:?} {i} {j}");
            }
        }
    }
}

#[test]
fn order_and_threads_do_not_matter() {
    let product = |corpus: &Corpus, threads: usize| {
        let threads = std::num::NonZeroUsize::new(threads).expect("positive");
        let ctx =
            Context::new(crate::context::Parallelism::Threads(threads), &crate::observe::Silent)
                .expect("threads");
        let stats =
            WordStats::of(corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
        let v: Vec<f64> = (0..36).map(|i| libm::cos(f64::from(i))).collect();
        CooccurrenceOperator::new(corpus, &stats).times(&v, 4, &ctx).expect("a product")
    };
    let one = product(&corpus(false), 1);
    assert_eq!(one, product(&corpus(true), 3));
    assert!(one.iter().any(|v| *v != 0.0));
}
