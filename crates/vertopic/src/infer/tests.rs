use super::*;
use crate::testkit;

fn topics() -> Topics {
    Topics::new(4, vec![0.7, 0.2, 0.1, 0.0, 0.0, 0.1, 0.3, 0.6, 0.25, 0.25, 0.25, 0.25])
        .expect("rows sum to 1")
}

const WEIGHTS: [f32; 3] = [0.5, 0.3, 0.2];

fn corpus(documents: &[&[(u32, u32)]]) -> Corpus {
    testkit::corpus(4, documents)
}

fn infer(documents: &[&[(u32, u32)]], params: &InferParams) -> Mixtures {
    let ctx = Context::silent().expect("threads");
    mixtures(&topics(), &WEIGHTS, &corpus(documents), params, &ctx).expect("fits")
}

/// The objective of the module's header.
fn objective(theta: &[f64], pairs: &[(u32, u32)]) -> f64 {
    let table = TopicWordTable::new(
        &topics(),
        &WEIGHTS.map(f64::from),
        4,
        &Context::silent().expect("threads"),
    )
    .expect("fits");
    let probability =
        |w: u32| -> f64 { (0..3).map(|k| f64::from(table.word(w as usize)[k]) * theta[k]).sum() };
    let fit: f64 = pairs.iter().map(|&(w, c)| f64::from(c) * probability(w).ln()).sum();
    fit + (0..3).map(|k| f64::from(WEIGHTS[k]) * theta[k].ln()).sum::<f64>()
}

#[test]
fn em_reaches_the_maximum_that_a_grid_finds() {
    let pairs = [(0, 5), (1, 1), (3, 9)];
    let found = infer(&[&pairs], &InferParams { tolerance: 1e-7, most_iterations: 100_000 });
    let theta: Vec<f64> = found.mixture(0).iter().map(|&t| f64::from(t)).collect();
    let n = 400;
    let best = (1..n)
        .flat_map(|i| {
            (1..n - i).map(move |j| [i, j, n - i - j].map(|v| f64::from(v) / f64::from(n)))
        })
        .map(|theta| objective(&theta, &pairs))
        .fold(f64::NEG_INFINITY, f64::max);
    assert!(objective(&theta, &pairs) >= best - 1e-6, "{theta:?}");
    assert_eq!(found.report.not_converged, 0);
}

#[test]
fn the_gap_bounds_what_is_still_to_gain() {
    let pairs = [(0, 50), (1, 10), (3, 90)];
    let exact = infer(&[&pairs], &InferParams { tolerance: 1e-9, most_iterations: 100_000 });
    let rough = infer(&[&pairs], &InferParams { tolerance: 1e-9, most_iterations: 3 });
    let value = |m: &Mixtures| {
        let theta: Vec<f64> = m.mixture(0).iter().map(|&t| f64::from(t)).collect();
        objective(&theta, &pairs)
    };
    let gain = (value(&exact) - value(&rough)) / 150.0;
    assert_eq!(rough.report.not_converged, 1);
    assert!(gain > 0.0 && gain <= rough.report.largest_gap + 1e-6, "{gain} {:?}", rough.report);
}

#[test]
fn every_document_has_a_row_that_sums_to_one() {
    let documents: [&[(u32, u32)]; 4] = [&[(0, 3)], &[], &[(3, 1), (2, 1)], &[(1, 1000)]];
    let found = infer(&documents, &InferParams::default());
    assert_eq!(found.n_documents(), 4);
    for d in 0..4 {
        assert!((found.mixture(d).iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
    assert_eq!(found.mixture(1), WEIGHTS, "a document without words has the corpus mixture");
    assert_eq!((found.report.empty, found.tokens[1]), (1, 0));
    assert!(found.mixture(0)[0] > 0.8 && found.mixture(2)[1] > 0.6);
}

#[test]
fn documents_over_other_words_are_refused() {
    let corpus = testkit::corpus(1, [[(0, 1)]]);
    let ctx = Context::silent().expect("threads");
    assert!(mixtures(&topics(), &WEIGHTS, &corpus, &InferParams::default(), &ctx).is_err());
}
