//! What a model says to people: words that tell topics apart, doubts and warnings, and edits.

mod common;

use common::{Bench, documents, lines};

/// Documents with a word that is everywhere.
fn with_a_stop_word() -> Bench {
    let b = Bench::new();
    let docs: Vec<String> =
        documents(120).iter().map(|d| format!("{d}{}", " filler".repeat(8))).collect();
    b.write("docs.txt", lines(&docs));
    b
}

fn words(topic: &serde_json::Value) -> Vec<&str> {
    let words = topic["words"].as_array().expect("words");
    words.iter().map(|w| w["word"].as_str().expect("a word")).collect()
}

#[test]
fn words_that_tell_topics_apart_come_first() {
    let b = with_a_stop_word();
    b.ok("fit docs.txt -k 3 --max-df 100%");
    let probable = b.ok("topics model.safetensors --json --rank probability -n 5").json();
    let discriminative_words = b.ok("topics model.safetensors --json -n 5").json();
    assert_eq!(
        discriminative_words,
        b.ok("topics model.safetensors --json --rank discriminative -n 5").json()
    );
    for k in 0..3 {
        assert_eq!(words(&probable[k])[0], "filler");
        assert!(
            !words(&discriminative_words[k]).contains(&"filler"),
            "{:?}",
            words(&discriminative_words[k])
        );
        let label = discriminative_words[k]["label"].as_str().expect("a label");
        assert_eq!(label, words(&discriminative_words[k])[..3].join(" · "));
        assert_eq!(probable[k]["label"], label, "a topic has one name");
        let posterior = probable[k]["words"][0]["posterior"].as_f64().expect("a number");
        let weight = discriminative_words[k]["weight"].as_f64().expect("a number");
        assert!((posterior - weight).abs() < 0.1, "{posterior} {weight}: it tells nothing");
    }
    b.run("topics model.safetensors --rank odd").failed(2, &["probability", "discriminative"]);
}

#[test]
fn a_word_that_is_everywhere_is_warned_of() {
    let b = with_a_stop_word();
    let said =
        ["warning: frequent words that distinguish no topic: filler", "hint: ", "--stopwords"];
    let fitted = b.ok("fit docs.txt -k 3 --max-df 100% --json");
    let shown = b.ok("topics model.safetensors");
    for part in said {
        assert!(fitted.err.contains(part), "no {part:?} in\n{}", fitted.err);
        assert!(shown.err.contains(part), "no {part:?} in\n{}", shown.err);
    }
    let warning = fitted.json()["warnings"][0]["text"].as_str().map(str::to_owned);
    assert!(warning.is_some_and(|text| text.contains("filler")));
    assert_eq!(b.ok("topics model.safetensors -q").err, "");
    // The hint helps.
    b.write("stop.txt", "filler\n");
    let without = b.ok("fit docs.txt -k 3 --max-df 100% --stopwords stop.txt");
    assert!(!without.err.contains("filler"), "{}", without.err);
}

#[test]
fn fit_lists_the_topics_with_the_same_words() {
    let b = with_a_stop_word();
    let fitted = b.ok("fit docs.txt -k 3 --max-df 100%");
    let tsv = b.ok("topics model.safetensors --tsv -n 2").out;
    for (k, row) in tsv.lines().enumerate() {
        let first: Vec<&str> = row.split('\t').nth(3).expect("words").split(' ').collect();
        let line = fitted.err.lines().find(|l| l.trim_start().starts_with(&format!("{k}  ")));
        let line =
            line.unwrap_or_else(|| panic!("no topic {k} in\n{}", fitted.err)).replace('*', "");
        let listed: Vec<&str> = line.split_whitespace().skip(2).take(2).collect();
        assert_eq!(listed, first);
    }
}

#[test]
fn topics_are_merged() {
    let b = with_a_stop_word();
    b.ok("fit docs.txt -k 3");
    let before = b.ok("topics model.safetensors --json -n 100").json();
    let seen = b.ok("edit model.safetensors --merge 2,0 -o edited.safetensors");
    assert!(seen.out.starts_with("fingerprint: sha256:"), "{}", seen.out);
    assert!(
        seen.err.contains("3 → 2") && seen.err.contains("wrote edited.safetensors"),
        "{}",
        seen.err
    );
    let after = b.ok("topics edited.safetensors --json -n 100").json();
    assert_eq!(after.as_array().map(Vec::len), Some(2));
    let weight = |t: &serde_json::Value| t["weight"].as_f64().expect("a number");
    assert!((weight(&after[0]) - weight(&before[0]) - weight(&before[2])).abs() < 1e-6);
    assert_eq!(after[1]["words"][0]["word"], before[1]["words"][0]["word"], "the other one stays");
    let novel = |t: &serde_json::Value| t["novel_words"].as_array().map_or(0, Vec::len);
    assert_eq!(novel(&after[0]), novel(&before[0]) + novel(&before[2]));
    let info = b.ok("info edited.safetensors --json").json();
    assert_eq!(info["edits"][0]["merge"]["groups"], serde_json::json!([[0, 2]]));
    let of = b.ok("info model.safetensors --json").json()["fingerprint"].clone();
    assert_eq!(info["edits"][0]["merge"]["of"], of);
    assert_ne!(info["fingerprint"], of);
    let mixtures = b.ok("infer edited.safetensors docs.txt -q").out;
    assert!(mixtures.starts_with("id,tokens,topic_0,topic_1\n"), "{mixtures}");
    assert_eq!(b.ok("edit model.safetensors --merge 0,1,2 -o one.safetensors -q").err, "");
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let b = with_a_stop_word();
    b.ok("fit docs.txt -k 3");
    for (flags, code, parts) in [
        (
            "--merge 0,3 -o x.safetensors",
            1,
            &["got 3, and the last topic is 2", "hint: vertopic topics"],
        ),
        ("--merge 1,1 -o x.safetensors", 1, &["named once, got 1 twice", "model.safetensors"]),
        ("--merge 0,1 --merge 1,2 -o x.safetensors", 1, &["named once, got 1 twice", "topics"]),
        ("--merge 1 -o x.safetensors", 1, &["two or more at a time", "[1]"]),
        ("--merge 0,b -o x.safetensors", 2, &["--merge", "not numbers of topics, as in 3,17"]),
        ("-o x.safetensors", 2, &["--merge", "required"]),
        ("--merge 0,1", 2, &["--output", "required"]),
        ("--merge 0,1 -o model.safetensors", 2, &["would replace this input", "-o"]),
    ] {
        b.run(&format!("edit model.safetensors {flags}")).failed(code, parts);
    }
    assert_eq!(b.names(), ["docs.txt", "model.safetensors"], "nothing was written");
}

#[test]
fn a_fit_is_steered() {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(240)));
    b.ok("fit docs.txt -k 3 --pin shipa,shipb --forbid hilla,hillb --forbid ovena");
    let topics = b.ok("topics model.safetensors --json -n 6").json();
    let topics = topics.as_array().expect("topics");
    let novel = |t: &serde_json::Value| -> Vec<String> {
        let words = t["novel_words"].as_array().expect("a list").iter();
        words.map(|n| n["word"].as_str().expect("a word").to_owned()).collect()
    };
    let pinned: Vec<_> = topics.iter().filter(|t| novel(t) == ["shipa", "shipb"]).collect();
    assert_eq!(pinned.len(), 1, "{topics:?}");
    assert!(words(pinned[0]).iter().all(|w| w.starts_with("ship")), "{:?}", words(pinned[0]));
    for word in ["hilla", "hillb", "ovena"] {
        assert!(!topics.iter().any(|t| novel(t).contains(&word.to_owned())), "{word}");
    }
    let table = b.ok("topics model.safetensors").out;
    assert!(table.starts_with("topic  weight  novel  separation  residual  stability  words"));
    assert!(topics.iter().all(|t| t["diagnostics"]["stability"].as_f64() > Some(0.8)));
    let info = b.ok("info model.safetensors").out;
    assert!(info.contains("guidance.forbidden") && info.contains("hilla"), "{info}");
}

#[test]
fn words_to_steer_by_must_be_known() {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(120)));
    for (flags, code, parts) in [
        ("--pin shipa,shipz", 1, ["\"shipz\" is not", "hint: did you mean \"shipa\"?"]),
        (
            "--forbid walrus",
            1,
            ["(--forbid) must be in the vocabulary", "hint: write words in lower case"],
        ),
        (
            "--method rp --pin shipa",
            2,
            ["--pin needs the default method", "hint: leave out --method"],
        ),
        ("--pin shipa,", 2, ["--pin", "not words, as in chip,circuit"]),
    ] {
        b.run(&format!("fit docs.txt -k 3 {flags}")).failed(code, &parts);
    }
    assert_eq!(b.names(), ["docs.txt"], "nothing was written");
}
