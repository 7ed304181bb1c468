//! Topics with guidance, their stability over halves of the documents, and topics of words drawn at random.

use std::num::NonZeroUsize;

use vertopic::context::{Context, Parallelism};
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use vertopic::detect::{Guidance, Method};
use vertopic::observe::Silent;
use vertopic::seed::{Seed, Stage};
use vertopic::{Error, FitParams, TopicModel};

const SUBJECTS: [&str; 4] = ["hill", "oven", "rope", "sea"];

/// Documents of 60 tokens, 70 % of which are of one subject: `hill` and `oven` often, `rope` less, `sea` in one of
/// twelve. A subject has ten words of its own; six are everybody's.
fn planted(documents: usize) -> Corpus {
    let mut b = CorpusBuilder::new();
    for d in 0..documents {
        let mut random = Seed(5).stream(Stage::Chain, d as u64);
        let main = [0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 0, 3][d % 12];
        let mut pairs: Vec<(u32, u32)> = (0..60)
            .map(|_| {
                let subject =
                    if random.unit() < 0.7 { main } else { (random.next_u64() % 3) as usize };
                let word = match random.next_u64() % 16 {
                    w @ 0..10 => format!("{}{w}", SUBJECTS[subject]),
                    w => format!("all{}", w - 10),
                };
                (b.word(&word), 1)
            })
            .collect();
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

fn fitted(params: &FitParams) -> TopicModel {
    params.fit(&planted(600)).expect("a model")
}

fn steered(n_topics: usize, pins: &[&[&str]], forbidden: &[String]) -> FitParams {
    let names = |words: &&[&str]| words.iter().map(|&w| w.to_owned()).collect();
    let guidance =
        Guidance { pins: pins.iter().map(names).collect(), forbidden: forbidden.to_vec() };
    FitParams::new(n_topics).with_guidance(guidance)
}

fn novel(model: &TopicModel, topic: usize) -> Vec<&str> {
    model.info()[topic].novel_words.iter().map(|n| n.word.as_str()).collect()
}

fn shown(model: &TopicModel, topic: usize, n: usize) -> Vec<&str> {
    model.display_words(topic, n).into_iter().map(|w| model.vocabulary().word(w)).collect()
}

/// The subject of all the words that a topic shows first.
fn subject(model: &TopicModel, topic: usize) -> Option<&'static str> {
    let words = shown(model, topic, 6);
    SUBJECTS.into_iter().find(|s| words.iter().all(|w| w.starts_with(s)))
}

fn subjects(model: &TopicModel) -> Vec<Option<&'static str>> {
    let mut found: Vec<_> = (0..model.weights().len()).map(|k| subject(model, k)).collect();
    found.sort_unstable();
    found
}

#[test]
fn a_topic_is_found_by_other_words_when_its_best_are_forbidden() {
    let free = fitted(&FitParams::new(4));
    assert_eq!(subjects(&free), SUBJECTS.map(Some));
    let forbidden: Vec<String> = (0..4)
        .flat_map(|k| novel(&free, k).into_iter().take(3).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(forbidden.len() >= 8, "{forbidden:?}");
    let without = fitted(&steered(4, &[], &forbidden));
    assert_eq!(subjects(&without), SUBJECTS.map(Some));
    for k in 0..4 {
        assert!(novel(&without, k).iter().all(|w| !forbidden.iter().any(|f| f == w)));
        assert!(!novel(&without, k).is_empty());
    }
    // The same by frequency, where documents are projected.
    let guidance = Guidance { forbidden: forbidden.clone(), ..Guidance::default() };
    let rp = fitted(&FitParams::improved(4, Method::Rp).with_guidance(guidance));
    assert!((0..4).all(|k| novel(&rp, k).iter().all(|w| !forbidden.iter().any(|f| f == w))));
}

#[test]
fn a_pin_becomes_a_topic_and_no_other_topic_is_about_it() {
    // So few documents have no validation set, and topics are refined in any case.
    let params = steered(4, &[&["hill3", "hill7"]], &[]);
    let model = params.fit(&planted(96)).expect("a model");
    assert_eq!(subjects(&model), SUBJECTS.map(Some));
    let hill = (0..4).find(|&k| subject(&model, k) == Some("hill")).expect("a topic");
    assert_eq!(novel(&model, hill), ["hill3", "hill7"]);
    let first = shown(&model, hill, 10);
    assert!(first.contains(&"hill3") && first.contains(&"hill7"), "{first:?}");
    assert_eq!(model.info()[hill].diagnostics.strength, None, "given, not found");
    let report = &model.provenance().report;
    assert!(report.refine.as_ref().is_some_and(|refine| refine.kept > 0), "refined");
    assert!(report.left_out > 0, "hills were found and left out");
    let all: usize = (0..4).map(|k| novel(&model, k).len()).sum();
    assert_eq!(report.novel_words, all);
}

#[test]
fn a_pin_finds_a_subject_that_is_too_small_for_detection() {
    let free = fitted(&FitParams::new(2));
    assert!(!subjects(&free).contains(&Some("sea")), "{:?}", subjects(&free));
    let model = fitted(&steered(2, &[&["sea2", "sea5"]], &[]));
    let sea = (0..2).find(|&k| novel(&model, k) == ["sea2", "sea5"]).expect("a topic");
    assert_eq!(subject(&model, sea), Some("sea"), "{:?}", shown(&model, sea, 6));
}

#[test]
fn all_topics_may_be_pinned() {
    let pins: [&[&str]; 4] = [&["sea1", "sea2"], &["rope1"], &["oven1", "oven4"], &["hill0"]];
    let model = fitted(&steered(4, &pins, &[]));
    assert_eq!(subjects(&model), SUBJECTS.map(Some));
    assert_eq!(model.provenance().report.novel_words, 6);
}

#[test]
fn a_steered_fit_is_the_same_for_any_number_of_threads() {
    let (corpus, params) = (planted(300), steered(4, &[&["sea1", "sea2"]], &["hill1".to_owned()]));
    let model = |threads| {
        let threads = Parallelism::Threads(NonZeroUsize::new(threads).expect("some"));
        let ctx = Context::new(threads, &Silent).expect("threads");
        params.fit_with(&corpus, &ctx).expect("a model")
    };
    assert_eq!(model(1), model(3));
}

#[test]
fn contradictory_guidance_is_refused() {
    let refused = |params: &FitParams| params.fit(&planted(60)).expect_err("refused");
    let err = refused(&steered(3, &[&["sea1", "seal"]], &[]));
    assert!(matches!(&err, Error::UnknownWord { word, near: Some(_), .. } if word == "seal"));
    let err = refused(&steered(2, &[&["sea1"], &["sea2"], &["hill1"]], &[]));
    assert!(err.to_string().ends_with("got 3 for 2 topics"), "{err}");
    let pinned = steered(3, &[&["sea1"]], &[]).guidance().clone();
    let rp = FitParams::improved(3, Method::Rp).with_guidance(pinned);
    assert!(refused(&rp).to_string().contains("left out with another method"));
    // A word that stands alone in its only document occurs with no other.
    let mut b = CorpusBuilder::new();
    for d in 0..90_u32 {
        let words = if d == 0 {
            vec!["alone".to_owned(); 3]
        } else {
            (0..9).map(|i| format!("{}{}", SUBJECTS[d as usize % 3], (d + i * i) % 5)).collect()
        };
        let mut pairs: Vec<(u32, u32)> = words.iter().map(|w| (b.word(w), 1)).collect();
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    let err = steered(3, &[&["alone"]], &[]).fit(&b.finish().expect("good"));
    let err = err.expect_err("no place").to_string();
    assert!(err.contains("occur with others in documents, got alone"), "{err}");
}

#[test]
fn real_topics_are_stable_and_surplus_topics_are_not() {
    let stability = |params: &FitParams, documents| -> Vec<Option<f64>> {
        let model = params.fit(&planted(documents)).expect("a model");
        model.info().iter().map(|info| info.diagnostics.stability).collect()
    };
    let sound = stability(&FitParams::new(4), 600);
    assert!(sound.iter().all(|a| *a > Some(0.95) && *a <= Some(1.0)), "{sound:?}");
    // Four subjects cannot fill seven topics.
    let many = stability(&FitParams::new(7), 600);
    assert!(many.iter().flatten().any(|&a| a < 0.8), "{many:?}");
    let off = FitParams::new(4).with_stability(false);
    assert_eq!(stability(&off, 100), [None; 4]);
    // Of three documents one half has one at most, which is too few for topics.
    assert_eq!(stability(&FitParams::new(2), 3), [None; 2]);
}

#[test]
fn random_words_stand_in_for_novel_ones() {
    let drawn = |seed, n| {
        let params = FitParams::new(4).with_seed(Seed(seed)).with_stability(false);
        let mut detect = params.detect().clone();
        detect.random = Some(n);
        params.with_detect(detect).fit(&planted(300))
    };
    let words = |seed, n| {
        let model = drawn(seed, n).expect("a model");
        assert!(model.info().iter().all(|info| info.diagnostics.strength.is_none()));
        let mut words: Vec<String> =
            (0..4).flat_map(|k| novel(&model, k)).map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    assert_eq!(words(1, 12).len(), 12);
    assert_eq!(words(1, 12), words(1, 12));
    assert_ne!(words(1, 12), words(2, 12));
    let more = words(1, 13);
    assert!(words(1, 12).iter().all(|w| more.contains(w)), "one more, and no other");
    assert!(matches!(drawn(1, 3), Err(Error::TooFewCandidates { found: 3, topics: 4, .. })));
    let rp = FitParams::improved(4, Method::Rp);
    let mut detect = rp.detect().clone();
    detect.random = Some(9);
    assert!(rp.with_detect(detect).check().is_err());
}
