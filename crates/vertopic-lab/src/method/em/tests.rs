use vertopic::context::Parallelism;
use vertopic::corpus::{CorpusBuilder, DocumentInfo};
use vertopic::evaluate::l1_error;
use vertopic::observe::Silent;

use super::*;
use crate::method::nmf::{Descent, NmfParams};
use crate::parameter;
use crate::synth::separable::{Planted, Separable};

fn planted() -> Planted {
    Separable { words: 40, topics: 3, documents: 80, ..Separable::default() }
        .generate(3)
        .expect("made")
}

fn run(threads: usize) -> Context<'static> {
    let threads = Parallelism::Threads(threads.try_into().expect("not 0"));
    Context::new(threads, &Silent).expect("run")
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1.0)
}

#[test]
fn without_priors_it_is_kullback_leibler_nmf() {
    let Planted { corpus, topics, .. } = planted();
    let matrix = Matrix::of(&corpus);
    let params = EmParams { most_iterations: 25, tolerance: 1e-12, ..EmParams::default() };
    let words = by_word(&topics, params.spread);
    let factors = Factors { k: 3, words, documents: vec![1.0; 3 * matrix.n_documents()] };
    let mut ascent = Ascent { matrix: &matrix, params: &params, factors };
    ascent.fold_in();
    let mut nmf = Descent::new(&matrix, 1.0, ascent.factors.clone(), None);
    let settings =
        NmfParams { tolerance: params.tolerance, most_iterations: 25, ..NmfParams::new(3) };
    let ctx = run(1);
    nmf.descend(&settings, &ctx.stage("test", 1));
    let went = ascent.ascend(&ctx.stage("test", 1));
    assert!(close(went.begin, nmf.begin, 1e-12) && close(went.end, nmf.end, 1e-12));
    assert!(went.end < went.begin - 1.0);
    let (ours, theirs) = (ascent.factors.topics(|_| true), nmf.factors.topics(|_| true));
    let ((a, wa), (b, wb)) = (ours.expect("topics"), theirs.expect("topics"));
    assert!(a.values().iter().zip(b.values()).all(|(x, y)| close((*x).into(), (*y).into(), 1e-7)));
    assert!(wa.iter().zip(&wb).all(|(x, y)| close(*x, *y, 1e-10)));
}

/// `Σ c log(θ·β) + α Σ log θ + η Σ log β` with θ normalised, straight from the model.
fn log_posterior(corpus: &Corpus, factors: &Factors, alpha: f64, eta: f64) -> f64 {
    let k = factors.k;
    let beta = |w: u32| &factors.words[w as usize * k..(w as usize + 1) * k];
    let mut sum = eta * factors.words.iter().map(|b| b.ln()).sum::<f64>();
    for (d, row) in
        crate::method::canonical_order(corpus).into_iter().zip(factors.documents.chunks(k))
    {
        let total: f64 = row.iter().sum();
        let theta: Vec<f64> = row.iter().map(|h| h / total).collect();
        sum += alpha * theta.iter().map(|t| t.ln()).sum::<f64>();
        for (w, c) in corpus.document(d).entries() {
            let p: f64 = theta.iter().zip(beta(w)).map(|(t, b)| t * b).sum();
            sum += f64::from(c) * p.ln();
        }
    }
    sum
}

#[test]
fn the_posterior_climbs_to_a_stationary_point() {
    let Planted { corpus, topics, .. } = planted();
    let matrix = Matrix::of(&corpus);
    let params = EmParams { alpha: 0.1, eta: 0.01, tolerance: 1e-13, ..EmParams::default() };
    let words = by_word(&topics, 0.5);
    let factors = Factors { k: 3, words, documents: vec![1.0; 3 * matrix.n_documents()] };
    let mut ascent = Ascent { matrix: &matrix, params: &params, factors };
    ascent.fold_in();
    let mut last = f64::NEG_INFINITY;
    for _ in 0..30 {
        ascent.move_documents(false);
        let now = log_posterior(&corpus, &ascent.factors, 0.1, 0.01);
        assert!(now >= last - 1e-9, "{last} {now}");
        last = now;
        ascent.move_words();
    }
    let went = ascent.ascend(&run(1).stage("test", 1));
    assert!(went.converged);

    // There, textbook EM (both halves from the same responsibilities) does not move.
    let (k, factors) = (3, &ascent.factors);
    let mut new_words = vec![0.01; factors.words.len()];
    for (d, row) in factors.documents.chunks(k).enumerate() {
        let mut new_row = [0.1; 3];
        for (w, c) in matrix.by_document.row(d) {
            let y: f64 = (0..k).map(|t| row[t] * factors.words[w * k + t]).sum();
            for t in 0..k {
                let expected = c * row[t] * factors.words[w * k + t] / y;
                new_row[t] += expected;
                new_words[w * k + t] += expected;
            }
        }
        let (old, new): (f64, f64) = (row.iter().sum(), new_row.iter().sum());
        assert!((0..k).all(|t| (row[t] / old - new_row[t] / new).abs() < 1e-4));
    }
    let sums = column_sums(&new_words, k, |v| v);
    for (at, (new, old)) in new_words.iter().zip(&factors.words).enumerate() {
        assert!((new / sums[at % k] - old).abs() < 1e-5, "{new} {old}");
    }
}

#[test]
fn from_the_truth_it_stays_near() {
    let Planted { corpus, topics, novel_words, .. } =
        Separable { words: 60, topics: 3, documents: 400, ..Separable::default() }
            .generate(2)
            .expect("made");
    let found = em(&corpus, &topics, &EmParams::default(), &run(2)).expect("em");
    assert_eq!(found.report["converged"], true);
    let error = l1_error(&topics, &found.topics);
    assert!(error > 0.01 && error < 0.4, "{error}");
    // Without spread, what is 0 stays 0; with it, what the data ask for grows.
    let foreign = |topics: &Topics| -> Vec<f32> {
        let of = |(t, w): (usize, u32)| (0..3).filter(move |&k| k != t).map(move |k| (k, w));
        let own = novel_words.iter().enumerate();
        let pairs = own.flat_map(|(t, own)| own.iter().map(move |&w| (t, w))).flat_map(of);
        pairs.map(|(k, w)| topics.topic(k)[w as usize]).collect()
    };
    assert!(foreign(&found.topics).iter().any(|p| *p > 1e-7));
    let params = EmParams { spread: 0.0, ..EmParams::default() };
    let strict = em(&corpus, &topics, &params, &run(2)).expect("em").topics;
    assert!(foreign(&strict).iter().all(|p| *p == 0.0));
    assert!(l1_error(&topics, &strict) < 0.4);
}

#[test]
fn threads_and_empty_documents_cannot_change_a_bit() {
    let Planted { corpus, topics, .. } = planted();
    let mut builder = CorpusBuilder::with_words(corpus.vocabulary().words().to_vec());
    builder.push(&mut [], DocumentInfo::default()).expect("a document without words");
    for d in (0..corpus.n_documents()).rev() {
        let mut pairs: Vec<_> = corpus.document(d).entries().collect();
        let id = corpus.id(d).map(str::to_owned);
        builder.push(&mut pairs, DocumentInfo { id, ..DocumentInfo::default() }).expect("counts");
    }
    let reversed = builder.finish().expect("corpus");
    let params = EmParams { alpha: 0.1, eta: 0.01, most_iterations: 20, ..EmParams::default() };
    let one = em(&corpus, &topics, &params, &run(1)).expect("em");
    for (corpus, threads) in [(&corpus, 2), (&reversed, 3)] {
        let other = em(corpus, &topics, &params, &run(threads)).expect("em");
        assert_eq!((&one.topics, &one.weights), (&other.topics, &other.weights));
        assert_eq!(one.report, other.report);
    }
}

#[test]
fn what_cannot_be_run_is_refused() {
    let good = EmParams::default;
    for (expected, params) in [
        (parameter::ALPHA, EmParams { alpha: -1.0, ..good() }),
        (parameter::ETA, EmParams { eta: f64::NAN, ..good() }),
        (parameter::INITIAL_SPREAD, EmParams { spread: 1.5, ..good() }),
        (Parameter::Tolerance, EmParams { tolerance: 0.0, ..good() }),
        (parameter::ITERATIONS, EmParams { most_iterations: 0, ..good() }),
    ] {
        match params.check() {
            Err(Error::Parameter { parameter, .. }) => assert_eq!(parameter, expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
    let Planted { corpus, .. } = planted();
    let other = Topics::new(2, vec![0.5, 0.5]).expect("topics");
    assert!(em(&corpus, &other, &good(), &run(1)).is_err());
    let mut one_word = vec![0.0; 40];
    one_word[0] = 1.0;
    let one_word = Topics::new(40, one_word).expect("topics");
    let strict = EmParams { spread: 0.0, ..good() };
    let error = em(&corpus, &one_word, &strict, &run(1)).expect_err("a word without topic");
    assert!(error.to_string().contains("no topic has the word"), "{error}");
}
