//! Generated corpora: `fit` reads them, `topics` shows their truth, the seed and nothing else decides.

mod common;

use std::collections::BTreeMap;

use common::{Bench, exists};

/// One of each kind, small, with its number of topics.
const KINDS: [(&str, usize); 6] = [
    ("separable --documents 300", 5),
    ("separable --documents 300 --frequency-matched --zipf 0.8 --words 300 -k 3", 3),
    ("separable --documents 300 --prior logistic-normal --sigma 2 --correlation 0.5 --groups 2", 5),
    ("swimmer --tokens 100", 16),
    ("lda --documents 3000 --words 600 --tokens 60 -k 4", 4),
    (
        "lda --documents 500 --words 400 -k 3 --alpha 1,0.5,0.1 --lengths log-normal --concentration 300",
        3,
    ),
];

#[test]
fn every_kind_is_read_by_fit_and_its_truth_by_topics() {
    let b = Bench::new();
    for (n, (kind, k)) in KINDS.into_iter().enumerate() {
        let seen = b.ok(&format!("synth {kind} -o d{n}"));
        assert_eq!(seen.out, "");
        assert!(seen.err.contains(&format!("wrote d{n}/truth.json")), "{}", seen.err);
        b.ok(&format!("fit d{n}/docword.synth.txt -k {k} -o m.safetensors"));

        let truth = b.ok(&format!("topics d{n}/truth.safetensors --json")).json();
        let topics = truth.as_array().expect("topics");
        assert_eq!(topics.len(), k, "{kind}");
        let novel = |t: &serde_json::Value| t["novel_words"].as_array().map_or(0, Vec::len);
        assert!(topics.iter().all(|t| novel(t) >= 5), "{kind}");

        // What the note says is what the corpus is.
        let note: serde_json::Value =
            serde_json::from_str(&b.text(&format!("d{n}/truth.json"))).expect("JSON");
        let info = b.ok(&format!("info d{n}/docword.synth.txt --json")).json();
        assert_eq!(note["generated"], kind.split(' ').next().expect("a kind"));
        assert_eq!((&note["seed"], &note["corpus"]["tokens"]), (&0.into(), &info["tokens"]));
        assert_eq!(note["corpus"]["documents"], info["documents"]);
        let header = b.text(&format!("d{n}/docword.synth.txt"));
        assert_eq!(header.lines().nth(2), Some(note["corpus"]["entries"].to_string().as_str()));
        assert_eq!(
            header.lines().count() as u64 - 3,
            note["corpus"]["entries"].as_u64().expect("n")
        );
        let names: Vec<String> = std::fs::read_dir(b.path(&format!("d{n}")))
            .expect("a folder")
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names.len(), 4, "{names:?}");
    }
}

#[test]
fn the_planted_topics_are_found() {
    let b = Bench::new();
    b.ok("synth lda --documents 4000 --words 500 -k 4 --spread 3 -o d");
    b.ok("fit d/docword.synth.txt -k 4 -o m.safetensors");
    let topics = |model: &str| -> Vec<BTreeMap<String, f64>> {
        let topics = b.ok(&format!("topics {model} --json -n 500")).json();
        let word = |w: &serde_json::Value| {
            let name = w["word"].as_str().expect("a word").to_owned();
            (name, w["probability"].as_f64().expect("a number"))
        };
        let topic = |t: &serde_json::Value| {
            t["words"].as_array().expect("words").iter().map(word).collect()
        };
        topics.as_array().expect("topics").iter().map(topic).collect()
    };
    // Half the sum of the differences: 0 for the same topic, 1 for topics without a common word.
    let distance = |a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>| {
        let shared: f64 =
            a.iter().map(|(word, p)| p.min(b.get(word).copied().unwrap_or(0.0))).sum();
        1.0 - shared
    };
    let (truth, found) = (topics("d/truth.safetensors"), topics("m.safetensors"));
    for (k, topic) in truth.iter().enumerate() {
        let nearest = found.iter().map(|f| distance(topic, f)).fold(1.0, f64::min);
        assert!(nearest < 0.15, "topic {k} is {nearest} away from what was found");
        let other = truth.iter().enumerate().filter(|(j, _)| *j != k);
        let other = other.map(|(_, t)| distance(topic, t)).fold(1.0, f64::min);
        assert!(other > 0.5, "topic {k} is {other} away from another");
    }
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let b = Bench::new();
    for (kind, _) in KINDS {
        for packing in ["", "--gzip", "--format arrow"] {
            let file = match packing {
                "" => "docword.synth.txt",
                "--gzip" => "docword.synth.txt.gz",
                _ => "synth.arrow",
            };
            let files = |flags: &str| {
                b.ok(&format!("synth {kind} {packing} {flags} -o d"));
                [file, "truth.safetensors", "truth.json"].map(|f| b.read(&format!("d/{f}")))
            };
            let one = files("--seed 5 --threads 1");
            assert!(files("--seed 5 --threads 3") == one, "{kind} {packing}");
            let other = files("--seed 6 --threads 1");
            assert!(other[0] != one[0] && other[1] != one[1], "{kind} {packing}");
            std::fs::remove_dir_all(b.path("d")).expect("removed");
        }
    }
}

#[test]
fn every_format_holds_the_same_documents() {
    let b = Bench::new();
    for (kind, k) in [KINDS[0], KINDS[4]] {
        b.ok(&format!("synth {kind} -o plain"));
        b.ok(&format!("synth {kind} --gzip -o packed"));
        b.ok(&format!("synth {kind} --format arrow -o arrow"));
        let fit =
            |file: &str| b.model(&format!("{file} -k {k} --min-df 1 --refine 0 --stability no"));
        let plain = fit("plain/docword.synth.txt");
        assert!(fit("packed/docword.synth.txt.gz") == plain, "{kind}");
        // Documents have names in the on-disk corpus, which only the choice of validation documents and of halves depends on.
        assert!(fit("arrow/synth.arrow") == plain, "{kind}");
        assert_eq!(b.read("plain/truth.safetensors"), b.read("arrow/truth.safetensors"));
        assert!(!exists(&b.path("arrow/vocab.synth.txt")));
    }
}

#[test]
fn values_that_make_no_sense_name_the_rule() {
    let b = Bench::new();
    for (line, parts) in [
        ("separable -k 1", &["the number of topics (-k) must be at least 2, got 1"][..]),
        (
            "separable -k 300",
            &["the number of novel words of all topics must be", "hint: ask for fewer topics"],
        ),
        ("separable --documents 0", &["--documents", "from 1 to", "got 0"]),
        ("separable --tokens 0", &["--tokens", "got 0"]),
        ("separable --words 3", &["--words", "hint: every topic needs a word"]),
        ("separable --words 99999999999", &["words times topics must be at most 1,073,741,824"]),
        ("separable --alpha 0", &["--alpha", "from 0.001 to 1,000,000, got 0", "hint: 0.1"]),
        ("separable --alpha -2", &["got -2"]),
        ("separable --alpha 1,2,3", &["1 or that of topics, got 3", "hint: give one"]),
        ("separable --sigma 1", &["--sigma is for --prior logistic-normal"]),
        ("separable --prior logistic-normal --alpha 1", &["--alpha is for --prior dirichlet"]),
        ("separable --prior logistic-normal --correlation 1", &["below 1, got 1"]),
        ("separable --prior logistic-normal --groups 2", &["--groups needs --correlation"]),
        ("separable --novel-share 1.5", &["from 0 to 1, got 1.5"]),
        ("separable --zipf 1", &["--zipf is for --frequency-matched"]),
        ("separable --frequency-matched --zipf -1", &["from 0 to 5, got -1"]),
        ("swimmer --background 10", &["at least 0 and below 10, got 10"]),
        ("swimmer --tokens 0", &["from 1 to 1,000,000, got 0"]),
        ("lda --novel-share 0.95", &["from 0 to 0.9, got 0.95"]),
        ("lda --spread nan", &["--spread", "got NaN"]),
        ("lda --spread 1 --concentration 10", &["two laws"]),
        ("lda --concentration 0", &["from 1 to 10^9, got 0"]),
        ("lda --length-spread 1", &["--length-spread is for --lengths log-normal"]),
        ("lda --format arrow --gzip", &["--gzip is for --format uci"]),
        ("cube", &["cube"]),
        ("lda --words many", &["many"]),
    ] {
        b.run(&format!("synth {line} -o d")).failed(2, parts);
        assert!(!exists(&b.path("d")), "{line}");
    }
    b.run("synth lda").failed(2, &["--out"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let b = Bench::new();
    b.write("file", "");
    b.run("synth swimmer -o file").failed(1, &["file: cannot create"]);
    b.write("d/truth.json/x", "");
    b.run("synth swimmer -o d").failed(1, &["truth.json: cannot write: it is a folder"]);
    assert!(!exists(&b.path("d/truth.safetensors")));
}
