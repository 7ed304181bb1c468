use super::*;
use std::num::NonZeroUsize;
use vertopic::context::Parallelism;
use vertopic::observe::Silent;

fn run() -> Context<'static> {
    Context::silent().expect("threads")
}

fn small() -> Lda {
    Lda { words: 300, topics: 4, documents: 3000, ..Lda::default() }
}

#[test]
fn threads_do_not_matter_and_seeds_do() {
    let lda = Lda { documents: 5000, tokens: 60, ..small() };
    let planted = |threads, seed| {
        let threads = Parallelism::Threads(NonZeroUsize::new(threads).expect("some"));
        lda.generate(seed, &Context::new(threads, &Silent).expect("threads")).expect("made")
    };
    let (one, three) = (planted(1, 1), planted(3, 1));
    assert_eq!(one.corpus, three.corpus);
    assert_eq!((&one.topics, &one.weights), (&three.topics, &three.weights));
    assert_ne!(planted(1, 2).corpus.fingerprint(), one.corpus.fingerprint());
    assert_ne!(planted(1, 2).topics, one.topics);
}

#[test]
fn a_document_hangs_on_its_number_alone() {
    let documents = small().documents(1, &run()).expect("fine");
    let (mut used, mut fresh) = (Scratch::default(), Scratch::default());
    (0..50).for_each(|d| drop(documents.document(d, &mut used).to_vec()));
    assert_eq!(documents.document(7, &mut used), documents.document(7, &mut fresh));
    assert_eq!(used.mixture(), fresh.mixture());
    assert_ne!(documents.document(8, &mut used), fresh.pairs());
}

#[test]
fn words_follow_mixtures_and_topics() {
    let planted = small().generate(5, &run()).expect("made");
    let tokens = planted.corpus.n_tokens() as f64;
    let mut counts = vec![0.0; 300];
    planted
        .corpus
        .documents()
        .for_each(|d| d.entries().for_each(|(w, c)| counts[w as usize] += f64::from(c)));
    for (w, count) in counts.iter().enumerate() {
        let p: f64 =
            (0..4).map(|k| planted.weights[k] * f64::from(planted.topics.topic(k)[w])).sum();
        // Documents are bursts: a word's tokens come from few of them.
        assert!((count / tokens - p).abs() < 0.01 + 0.05 * p, "{w}: {} {p}", count / tokens);
    }
    let l1: f64 = counts.iter().enumerate().fold(0.0, |sum, (w, count)| {
        let p: f64 =
            (0..4).map(|k| planted.weights[k] * f64::from(planted.topics.topic(k)[w])).sum();
        sum + (count / tokens - p).abs()
    });
    assert!(l1 < 0.05, "{l1}");
}

#[test]
fn without_a_perturbation_every_topic_is_the_zipf_law() {
    let plain =
        Lda { perturbation: Perturbation::LogNormal(0.0), novel_share: 0.0, zipf: 1.3, ..small() };
    let (topics, novel) = plain.topics(1, &run()).expect("fine");
    assert!(novel.iter().all(Vec::is_empty));
    for k in 0..4 {
        let ratio = f64::from(topics.topic(k)[0]) / f64::from(topics.topic(k)[99]);
        assert!((ratio / libm::pow(100.0, 1.3) - 1.0).abs() < 1e-5, "{ratio}");
    }
    // A Dirichlet draw with a large concentration is nearly the law itself.
    let dirichlet = Lda { perturbation: Perturbation::Dirichlet(1e7), ..plain };
    let (near, _) = dirichlet.topics(1, &run()).expect("fine");
    let distance: f32 = near.topic(0).iter().zip(topics.topic(0)).map(|(a, b)| (a - b).abs()).sum();
    assert!(distance > 0.0 && distance < 0.02, "{distance}");
    // With the smallest, a topic has few words, and it still is one.
    let lone = Lda { perturbation: Perturbation::Dirichlet(1.0), ..dirichlet };
    let (lone, _) = lone.topics(1, &run()).expect("fine");
    assert!(lone.topic(0).iter().copied().fold(0.0, f32::max) > 0.05);
}

#[test]
fn novel_words_are_in_one_topic_and_as_frequent_as_others() {
    let lda = Lda {
        words: 2000,
        novel_share: 0.25,
        perturbation: Perturbation::LogNormal(0.0),
        ..small()
    };
    let (topics, novel) = lda.topics(3, &run()).expect("fine");
    assert_eq!(novel.iter().map(Vec::len).collect::<Vec<_>>(), [125; 4]);
    let mut all: Vec<u32> = novel.concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 500);
    assert!(all[0] >= 200, "the most frequent tenth is never novel");
    let mut total = vec![0.0; 2000];
    (0..4).for_each(|k| topics.topic(k).iter().zip(&mut total).for_each(|(p, t)| *t += p / 4.0));
    for (k, words) in novel.iter().enumerate() {
        for &w in words {
            for other in 0..4 {
                assert_eq!(topics.topic(other)[w as usize] > 0.0, other == k);
            }
        }
    }
    let base: f64 = (1..=2000).map(|r| 1.0 / f64::from(r)).sum();
    for (w, p) in total.iter().enumerate() {
        let ratio = f64::from(*p) * (w + 1) as f64 * base;
        assert!((ratio - 1.0).abs() < 0.1, "{w}: {ratio}");
    }
}

#[test]
fn lengths_spread_around_their_mean() {
    for (lengths, least, most) in [
        (Lengths::Fixed, 0.0, 0.0),
        (Lengths::Poisson, 6.5, 7.5),
        (Lengths::LogNormal(0.5), 23.0, 31.0),
    ] {
        let lda = Lda { lengths, tokens: 50, documents: 20_000, words: 50, ..small() };
        let documents = lda.documents(1, &run()).expect("fine");
        let mut scratch = Scratch::default();
        let mut length = |d| {
            let pairs = documents.document(d, &mut scratch);
            pairs.iter().map(|&(_, c)| f64::from(c)).sum::<f64>()
        };
        let drawn: Vec<f64> = (0..20_000).map(&mut length).collect();
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        let spread = (drawn.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / 20_000.0).sqrt();
        assert!((mean - 50.0).abs() < 1.0, "{lengths:?}: {mean}");
        assert!((least..=most).contains(&spread), "{lengths:?}: {spread}");
        assert!(drawn.iter().all(|n| *n >= 1.0));
    }
}

#[test]
fn blocks_come_in_order_and_add_up() {
    let lda = Lda { documents: 10_000, tokens: 40, ..small() };
    let documents = lda.documents(4, &run()).expect("fine");
    let mut numbers = Vec::new();
    let mut tokens = 0;
    let taken = documents.for_each_block(
        "drawing",
        &run(),
        |block| block,
        |block| {
            for (d, pairs) in block.documents() {
                numbers.push(d);
                tokens += pairs.iter().map(|&(_, c)| u64::from(c)).sum::<u64>();
            }
            Ok::<(), ()>(())
        },
    );
    assert_eq!((taken, numbers), (Ok(()), (0..10_000).collect()));
    let tally = documents.tally("counting", &run());
    let planted = lda.generate(4, &run()).expect("made");
    assert_eq!((tally.documents, tally.tokens), (10_000, tokens));
    assert_eq!(tally.pairs, planted.corpus.nnz() as u64);
    assert_eq!((tally.tokens, tally.weights()), (planted.corpus.n_tokens(), planted.weights));
    // An error ends it.
    let mut blocks = 0;
    let ended = documents.for_each_block(
        "drawing",
        &run(),
        |block| block.n_documents(),
        |_| {
            blocks += 1;
            if blocks == 2 { Err("enough") } else { Ok(()) }
        },
    );
    assert_eq!((ended, blocks), (Err("enough"), 2));
}

#[test]
fn recipes_that_cannot_be_made_are_refused() {
    let good = Lda::default();
    for (recipe, part) in [
        (Lda { topics: 0, ..good.clone() }, "topics must be at least 2, got 0"),
        (Lda { tokens: 0, ..good.clone() }, "tokens of a document must be"),
        (Lda { novel_share: 0.95, ..good.clone() }, "share of novel words must be from 0 to 0.9"),
        (
            Lda { topics: 3000, ..good.clone() },
            "the number of novel words of all topics must be from that of topics to nine tenths of the words, got 0",
        ),
        (Lda { zipf: 9.0, ..good.clone() }, "Zipf exponent must be from 0 to 5, got 9"),
        (
            Lda { perturbation: Perturbation::LogNormal(f64::NAN), ..good.clone() },
            "spread of topics must be from 0 to 10, got NaN",
        ),
        (
            Lda { perturbation: Perturbation::Dirichlet(0.5), ..good.clone() },
            "concentration of topics must be from 1 to 10^9, got 0.5",
        ),
        (
            Lda { lengths: Lengths::LogNormal(-1.0), ..good.clone() },
            "spread of lengths must be from 0 to 3, got -1",
        ),
        (Lda { prior: Prior::Dirichlet(-1.0), ..good }, "alpha"),
    ] {
        let error = recipe.documents(1, &run()).expect_err(part).to_string();
        assert!(error.contains(part), "{error}");
    }
}
