//! What `vertopic eval` says.

mod common;

use common::{Bench, Random, SUBJECTS, csv, documents, lines, uci, vocabulary};
use serde_json::Value;

const COHERENCE: [&str; 5] = ["c_npmi", "c_v", "c_uci", "u_mass", "npmi"];

/// A model of 90 documents, and 60 others with labels.
fn fitted() -> Bench {
    let b = Bench::new();
    let all: Vec<(usize, String)> = documents(150).into_iter().enumerate().collect();
    b.write("train.csv", csv(&all[..90]));
    b.write("test.csv", csv(&all[90..]));
    b.ok("fit train.csv -k 3 --stopwords none");
    b
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn planted_topics_do_well_by_every_measure() {
    let b = fitted();
    let seen = b.ok("eval model.safetensors test.csv --json");
    let found = seen.json();
    let metrics = &found["metrics"];
    assert_eq!(found["reference"]["windows"], "sliding");
    for (name, least) in [
        ("c_npmi", 0.0),
        ("c_v", 0.3),
        ("npmi", 0.1),
        ("diversity", 0.9),
        ("inverted_rbo", 0.9),
        ("exclusivity", 0.5),
        ("nmi", 0.8),
        ("ari", 0.8),
        ("purity", 0.9),
    ] {
        let value = number(&metrics[name]);
        assert!(value > least && value <= 1.0, "{name} {value}");
    }
    let perplexity = number(&metrics["perplexity"]);
    assert!(perplexity > 5.0 && perplexity < 36.0, "{perplexity}");
    let topics = found["topics"].as_array().expect("topics");
    assert_eq!(topics.len(), 3);
    for name in COHERENCE {
        let mean: f64 = topics.iter().map(|t| number(&t[name])).sum::<f64>() / 3.0;
        assert!((mean - number(&metrics[name])).abs() < 1e-9, "{name}");
    }
    assert!(topics.iter().all(|t| t["words"].as_array().map(Vec::len) == Some(10)));
    assert_eq!(found["documents"]["labels"]["documents"], 60);
    assert_eq!(found["documents"]["fitted_on"], false);
    assert_eq!(found["constants"]["epsilon"], 1e-12);
    assert_eq!(found["reference"]["measures"]["c_v"]["window"], 110);
    // 24 tokens a document: one window of 110, fifteen of 10.
    assert_eq!(found["reference"]["measures"]["c_v"]["counted"], 60);
    assert_eq!(found["reference"]["measures"]["c_npmi"]["counted"], 900);
    assert!(seen.err.contains("unknown tokens"), "{}", seen.err);
}

#[test]
fn people_get_a_table_with_the_worst_marked() {
    let b = fitted();
    let table = b.ok("eval model.safetensors test.csv -n 4").out;
    for name in COHERENCE.iter().chain(&["diversity", "exclusivity", "perplexity", "purity"]) {
        assert!(table.lines().any(|l| l.starts_with(&format!("{name} "))), "{name}\n{table}");
    }
    assert!(table.contains("900 windows of 10 words"), "{table}");
    assert!(table.contains("* the worst topic by this measure"), "{table}");
    let topics: Vec<&str> = table.lines().skip_while(|l| !l.starts_with("topic ")).collect();
    assert_eq!(topics.len(), 5, "{table}");
    assert!(topics[1..4].iter().map(|l| l.matches('*').count()).sum::<usize>() >= 5, "{table}");
    assert!(table.lines().all(|l| l.chars().count() <= 100), "{table}");
    let seen = b.ok("eval model.safetensors train.csv");
    assert!(seen.err.contains("that the model was fitted on"), "{}", seen.err);
}

#[test]
fn order_and_threads_leave_no_trace() {
    let b = fitted();
    let golden = b.ok("eval model.safetensors test.csv --json --threads 1").out;
    let mut shuffled: Vec<(usize, String)> =
        documents(150).into_iter().enumerate().skip(90).collect();
    Random(3).shuffle(&mut shuffled);
    b.write("shuffled.csv", csv(&shuffled));
    b.write("one.csv", csv(&shuffled[..17]));
    b.write("two.csv", csv(&shuffled[17..]));
    for line in ["test.csv --threads 4", "shuffled.csv --threads 3", "two.csv one.csv"] {
        assert_eq!(b.ok(&format!("eval model.safetensors {line} --json")).out, golden, "{line}");
    }
}

#[test]
fn without_order_each_document_is_a_window() {
    let b = fitted();
    // Documents of eight words are one window either way.
    let short: Vec<String> =
        documents(60).iter().map(|d| d.split(' ').take(8).collect::<Vec<_>>().join(" ")).collect();
    let words = vocabulary(&short);
    b.write("short.txt", lines(&short));
    b.write("docword.short.txt", uci(&short, &words));
    b.write("vocab.short.txt", lines(&words));
    let text = b.ok("eval model.safetensors short.txt --json").json();
    let counts = b.ok("eval model.safetensors docword.short.txt --json").json();
    assert_eq!(text["reference"]["windows"], "sliding");
    assert_eq!(counts["reference"]["windows"], "documents");
    assert_eq!(counts["reference"]["measures"]["c_v"]["window"], Value::Null);
    assert_eq!(text["metrics"], counts["metrics"]);
    assert_eq!(text["topics"], counts["topics"]);
    assert_eq!(text["metrics"]["nmi"], Value::Null); // no labels
    let table = b.ok("eval model.safetensors docword.short.txt").out;
    assert!(table.contains("60 documents (the order of words is not known)"), "{table}");
}

#[test]
fn a_reference_is_for_coherence_alone() {
    let b = fitted();
    let own = b.ok("eval model.safetensors test.csv --json").json();
    // A reference that knows one subject only, and nothing of the others.
    let ship: Vec<String> = documents(60)
        .iter()
        .map(|d| d.split(' ').filter(|w| w.starts_with(SUBJECTS[0])).collect::<Vec<_>>().join(" "))
        .collect();
    b.write("ship.txt", lines(&ship));
    let seen = b.ok("eval model.safetensors test.csv --reference ship.txt --json");
    let other = seen.json();
    for name in ["perplexity", "nmi", "ari", "purity", "diversity", "exclusivity"] {
        assert_eq!(own["metrics"][name], other["metrics"][name], "{name}");
    }
    assert_ne!(own["metrics"]["c_npmi"], other["metrics"]["c_npmi"]);
    assert_eq!(other["reference"]["name"], "ship.txt");
    assert_eq!(other["reference"]["unseen_words"], 20);
    assert!(seen.err.contains("20 of the 30 words"), "{}", seen.err);
    let topics = other["topics"].as_array().expect("topics");
    let defined: Vec<&Value> = topics.iter().filter(|t| !t["c_v"].is_null()).collect();
    assert_eq!(defined.len(), 1);
    assert!(defined[0]["words"][0].as_str().is_some_and(|w| w.starts_with("ship")));
    assert_eq!(other["reference"]["measures"]["c_v"]["topics_without_value"], 2);
    assert!(topics.iter().filter(|t| t["npmi"] == -1.0).count() == 2);
    let table = b.ok("eval model.safetensors test.csv --reference ship.txt").out;
    assert!(table.contains('–') && table.contains("never seen:"), "{table}");
    assert!(!table.contains("NaN") && !table.contains("inf "), "{table}");
}

#[test]
fn documents_that_say_nothing_are_reported_not_scored() {
    let b = fitted();
    b.write("odd.txt", "zebra quagga\n\nshipa\n");
    let seen = b.ok("eval model.safetensors odd.txt --json");
    let found = seen.json();
    assert_eq!(found["metrics"]["perplexity"], Value::Null);
    assert_eq!(found["metrics"]["c_npmi"], Value::Null);
    assert_eq!(found["documents"]["without_known_words"], 2);
    assert_eq!(found["documents"]["unknown_tokens"], 2);
    assert!(seen.err.contains("there is no perplexity"), "{}", seen.err);
    b.ok("eval model.safetensors odd.txt");
}

#[test]
fn commands_that_make_no_sense_are_refused() {
    let b = fitted();
    for n in ["0", "1", "101", "x"] {
        let seen = b.run(&format!("eval model.safetensors test.csv -n {n}"));
        seen.failed(2, &["from 2 to 100"]);
    }
    b.run("eval model.safetensors - --reference -").failed(2, &["only once"]);
    b.run("eval model.safetensors test.csv --reference gone.csv").failed(1, &["gone.csv"]);
    b.run("eval test.csv test.csv").failed(1, &["test.csv"]);
}
