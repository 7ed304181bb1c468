use super::*;
use crate::corpus::Corpus;
use crate::detect::Method;
use crate::refine::RefineParams;
use crate::{FitParams, testkit};

fn corpus() -> Corpus {
    let document = |d: u32| {
        let own = 4 * (d % 2);
        let others = [(4 - own + d % 4, 1)];
        (0..4).map(|i| (own + i, 3 + (d + i) % 3)).chain(others).collect::<Vec<_>>()
    };
    testkit::corpus(8, (0..60).map(document))
}

pub(crate) fn model() -> TopicModel {
    FitParams::paper(2, Method::Rp).fit(&corpus()).expect("fitted")
}

/// A model with these words, weights and topics, and nothing known of the topics.
pub(crate) fn named(words: &[&str], weights: &[f32], rows: &[&[f32]]) -> TopicModel {
    let info = |row: &&[f32]| TopicInfo {
        novel_words: Vec::new(),
        diagnostics: Diagnostics {
            novel_words: 0,
            strength: None,
            separation: None,
            residual: None,
            stability: None,
            effective_words: effective_words(row),
        },
        display_words: Vec::new(),
    };
    let words: Vec<String> = words.iter().map(|&w| w.to_owned()).collect();
    let corpus = CorpusSummary { documents: 100, empty: 0, words: words.len(), tokens: 1000 };
    let provenance = Provenance { version: "0".into(), ..Provenance::of(corpus) };
    let topics = Topics::new(words.len(), rows.concat()).expect("distributions");
    let vocabulary = Vocabulary::new(words).expect("in order");
    let info = rows.iter().map(info).collect();
    TopicModel::new(vocabulary, topics, weights.to_vec(), info, provenance).expect("sound")
}

/// The same with words that are called by their ids.
pub(crate) fn planted(weights: &[f32], rows: &[&[f32]]) -> TopicModel {
    let n = rows[0].len();
    let digits = (n - 1).to_string().len();
    let words: Vec<String> = (0..n).map(|i| format!("w{i:0digits$}")).collect();
    named(&words.iter().map(String::as_str).collect::<Vec<_>>(), weights, rows)
}

/// The same model with novel words of a topic.
pub(crate) fn novel(mut model: TopicModel, topic: usize, words: &[(&str, f64)]) -> TopicModel {
    let word = |&(word, strength): &(&str, f64)| NovelWordInfo { word: word.to_owned(), strength };
    model.info[topic].novel_words = words.iter().map(word).collect();
    model.info[topic].diagnostics.novel_words = words.len();
    model
}

fn parts(model: &TopicModel) -> (String, Vec<f32>, Vec<f32>) {
    (model.metadata().expect("json"), model.topics().values().to_vec(), model.weights().to_vec())
}

#[test]
fn a_model_is_the_same_after_taking_it_apart() {
    let model = model();
    let (metadata, topics, weights) = parts(&model);
    assert_eq!(TopicModel::from_parts(&metadata, topics, weights).expect("sound"), model);
}

#[test]
fn anything_altered_is_noticed() {
    let model = model();
    let (metadata, topics, weights) = parts(&model);
    let mut other = topics.clone();
    other.swap(0, 1);
    assert_ne!(other, topics, "the test must alter something");
    let err = TopicModel::from_parts(&metadata, other, weights.clone()).expect_err("altered");
    assert!(err.to_string().contains("it was altered"), "{err}");
    let renamed = metadata.replace("\"w007\"", "\"w009\"");
    let err =
        TopicModel::from_parts(&renamed, topics.clone(), weights.clone()).expect_err("altered");
    assert!(err.to_string().contains("it was altered"), "{err}");
    let newer = metadata.replacen("\"format\":1", "\"format\":2", 1);
    let err = TopicModel::from_parts(&newer, topics.clone(), weights.clone()).expect_err("newer");
    assert!(err.to_string().contains("newer vertopic: format 2"), "{err}");
    let err =
        TopicModel::from_parts(&metadata[..100], topics.clone(), weights.clone()).expect_err("cut");
    assert!(err.to_string().contains("cannot be read"), "{err}");
    let err = TopicModel::from_parts(&metadata, topics[1..].to_vec(), weights).expect_err("short");
    assert!(err.to_string().contains("not rows of 8 words"), "{err}");
}

#[test]
fn parameters_and_preprocessing_reach_the_fingerprint() {
    let model = model();
    let seeded = FitParams::paper(2, Method::Rp).with_seed(1).fit(&corpus()).expect("fitted");
    assert_ne!(model.fingerprint(), seeded.fingerprint());
    let note = Note::of(&("lowercase", true)).expect("plain data");
    let noted = model.clone().with_preprocessing(note, None).expect("sound");
    assert_ne!(model.fingerprint(), noted.fingerprint());
}

#[test]
fn topics_are_sorted_by_weight_and_certified() {
    let model = model();
    assert!(model.weights().is_sorted_by(|a, b| a >= b));
    for info in model.info() {
        let c = info.diagnostics;
        assert_eq!(c.novel_words, info.novel_words.len());
        assert!(c.strength > Some(0.0) && c.separation > Some(0.0));
        assert!(c.residual.is_some_and(|r| (0.0..=1.0).contains(&r)));
        assert!((1.0..=8.0).contains(&c.effective_words));
    }
    let wins: f64 = model.info().iter().filter_map(|i| i.diagnostics.strength).sum();
    assert!((wins - 1.0).abs() < 1e-12, "every contest has a winner, and all winners are grouped");
}

#[test]
fn a_refined_model_keeps_the_words_of_its_geometry() {
    let refined = FitParams::new(2).fit(&corpus()).expect("fitted");
    assert!(refined.provenance().report.refine.as_ref().expect("asked for").kept > 0);
    let plain = FitParams::new(2).with_refine(RefineParams::NONE);
    let plain = plain.fit(&corpus()).expect("fitted");
    for k in 0..2 {
        assert_eq!(plain.info()[k].display_words, [""; 0]);
        let shown = &refined.info()[k].display_words;
        assert!(shown.len() >= 4, "those that the geometric topic has: {shown:?}");
        let own = refined.display_words(k, 4);
        assert!(own.iter().all(|w| w / 4 == own[0] / 4), "words of one kind: {own:?}");
    }
}
