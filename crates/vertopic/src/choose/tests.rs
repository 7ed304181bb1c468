use super::*;
use crate::context::Parallelism;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::observe::Silent;
use crate::seed::{Seed, Stage};

const PER_TOPIC: usize = 8;

/// Documents of 40 tokens, half of one topic, a third of another, and of words that all have.
fn corpus(topics: usize, documents: u64, reversed: bool) -> Corpus {
    let words = PER_TOPIC * topics + 8;
    let mut b = CorpusBuilder::with_words((0..words).map(|w| format!("w{w:03}")).collect());
    let draw = |d: u64| {
        let mut random = Seed(5).stream(Stage::Tie, d);
        let mut below = |n: usize| (random.next_u64() % n as u64) as usize;
        let (one, other) = (below(topics), below(topics));
        let mut pairs = Vec::new();
        for token in 0..40 {
            let topic = if token % 6 < 3 { one } else { other };
            let word = if token % 6 == 5 {
                words - 1 - below(8)
            } else {
                topic * PER_TOPIC + below(PER_TOPIC)
            };
            pairs.push((word as u32, 1));
        }
        pairs
    };
    let mut all: Vec<Vec<(u32, u32)>> = (0..documents).map(draw).collect();
    if reversed {
        all.reverse();
    }
    for mut pairs in all {
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

fn run(threads: usize) -> Context<'static> {
    let threads = std::num::NonZeroUsize::new(threads).expect("positive");
    Context::new(Parallelism::Threads(threads), &Silent).expect("threads")
}

#[test]
fn the_planted_number_is_chosen_and_recommended() {
    for topics in [4, 9] {
        let (corpus, ctx) = (corpus(topics, 1500, false), run(2));
        let chosen = choose_topics(&corpus, &FitParams::new(2), &ctx).expect("documents");
        assert_eq!((chosen.n_topics, chosen.dimensions), (topics, topics), "{chosen:?}");
        let params = FitParams::new(2).with_refine(RefineParams::NONE);
        let ks = [2, 3, 4, 6, 9, 13, 18];
        let found = sweep(&corpus, &ks, &params, &ctx).expect("documents");
        assert_eq!(found.recommended, topics, "{} {:?}", found.reason, lines(&found));
        assert_eq!(found.documents + found.held_out, 1500);
        let at = found.steps.iter().find(|s| s.n_topics == topics).expect("a step");
        assert!(at.stability.is_some_and(|s| s > 0.85), "{:?}", lines(&found));
        assert_eq!(at.model.topics().n_topics(), topics);
    }
}

/// The numbers of a sweep, to be compared.
fn lines(sweep: &Sweep) -> Vec<(usize, f64, f64, Option<f64>, String)> {
    let line = |s: &Step| {
        (
            s.n_topics,
            s.perplexity,
            s.perplexity_error,
            s.stability,
            s.model.fingerprint().to_owned(),
        )
    };
    sweep.steps.iter().map(line).collect()
}

#[test]
fn order_and_threads_do_not_matter() {
    let params = FitParams::new(2).with_refine(RefineParams { sweeps: 6, ..RefineParams::NONE });
    let both = |corpus: &Corpus, threads: usize| {
        let ctx = run(threads);
        let chosen = choose_topics(corpus, &params, &ctx).expect("documents");
        (chosen, lines(&sweep(corpus, &[5, 2, 3, 5], &params, &ctx).expect("documents")))
    };
    let one = both(&corpus(3, 400, false), 1);
    assert_eq!(one, both(&corpus(3, 400, true), 3));
    assert_eq!(one.1.iter().map(|l| l.0).collect::<Vec<_>>(), [2, 3, 5]);
}

#[test]
fn too_few_documents_and_impossible_numbers_of_topics_are_reported() {
    let ctx = run(1);
    let params = FitParams::new(2);
    let few = corpus(3, 40, false);
    let chosen = choose_topics(&few, &params, &ctx).expect("documents");
    assert!(chosen.tried.is_empty() && chosen.n_topics >= 2, "{chosen:?}");
    for (corpus, ks) in [
        (&few, &[2, 3][..]),
        (&corpus(3, 300, false), &[][..]),
        (&corpus(3, 300, false), &[1, 3][..]),
    ] {
        assert!(matches!(sweep(corpus, ks, &params, &ctx), Err(Error::Parameter { .. })), "{ks:?}");
    }
    // There are 32 words, so no 33 novel ones.
    let params = params.with_refine(RefineParams::NONE);
    let found = sweep(&corpus(3, 300, false), &[3, 40], &params, &ctx).expect("three topics");
    assert_eq!((found.steps.len(), found.failed[0].n_topics), (1, 40));
    assert!(sweep(&corpus(3, 300, false), &[40], &params, &ctx).is_err());
    let documents = FitParams::improved(3, crate::detect::Method::Rp);
    assert!(sweep(&corpus(3, 300, false), &[3], &documents, &ctx).is_err());
}

#[test]
fn noise_has_one_dimension_that_of_frequency() {
    // All documents draw from one distribution: Q has rank one.
    let corpus = corpus(1, 800, false);
    let chosen = choose_topics(&corpus, &FitParams::new(2), &run(2)).expect("documents");
    assert_eq!((chosen.n_topics, chosen.dimensions), (2, 1), "{chosen:?}");
}

#[test]
fn a_ladder_goes_down_by_the_root_of_two() {
    assert_eq!(ladder(40), [2, 3, 4, 5, 7, 10, 14, 20, 28, 40]);
    assert_eq!(ladder(3), [2, 3]);
    assert_eq!(ladder(2), [2]);
}
