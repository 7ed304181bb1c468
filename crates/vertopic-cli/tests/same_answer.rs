//! The model file is the same, byte for byte, however the documents are given.

mod common;

use common::{Bench, Random, csv, documents, gzip, lines, uci, vocabulary};

/// The default draws nothing from documents; the others split them, project them and deal them into bins.
const SETTINGS: [&str; 5] = [
    "-k 3",
    "-k 3 --method rp",
    "-k 3 --paper --method ddp",
    "-k 3 --paper --method rp",
    "-k 3 --paper --method binning",
];

#[test]
fn threads_do_not_matter() {
    let b = Bench::new();
    let docs = documents(120);
    b.write("all.txt", lines(&docs));
    b.write("docword.all.txt", uci(&docs, &vocabulary(&docs)));
    for input in ["all.txt", "docword.all.txt"] {
        for settings in SETTINGS {
            let line = format!("{input} {settings}");
            let one = b.model(&format!("{line} --threads 1"));
            for threads in [2, 7] {
                assert!(b.model(&format!("{line} --threads {threads}")) == one, "{line} {threads}");
            }
        }
    }
}

#[test]
fn shards_of_text_in_any_order_are_one_corpus() {
    let b = Bench::new();
    let docs = documents(120);
    b.write("all.txt", lines(&docs));
    b.write("a.txt", lines(&docs[..31]));
    b.write("b.txt", lines(&docs[31..90]));
    b.write("c.txt.gz", gzip(lines(&docs[90..]).as_bytes()));
    b.write("all.txt.zst", zstd::encode_all(lines(&docs).as_bytes(), 0).expect("packed"));
    let steered = "-k 3 --pin shipa,shipb --forbid hilla";
    for settings in SETTINGS.into_iter().chain([steered]) {
        let whole = b.model(&format!("all.txt {settings}"));
        for shards in
            ["a.txt b.txt c.txt.gz", "c.txt.gz a.txt b.txt", "b.txt c.txt.gz a.txt", "all.txt.zst"]
        {
            assert!(b.model(&format!("{shards} {settings}")) == whole, "{shards} {settings}");
        }
    }
}

#[test]
fn shards_of_counts_in_any_order_are_one_corpus() {
    let b = Bench::new();
    let docs = documents(120);
    let words = vocabulary(&docs);
    b.write("words.txt", words.join("\n"));
    b.write("docword.all.txt", uci(&docs, &words));
    b.write("docword.a.txt", uci(&docs[..50], &words));
    b.write("docword.b.txt", uci(&docs[50..], &words));
    for vocab in ["--vocab words.txt", ""] {
        for settings in SETTINGS {
            let whole = b.model(&format!("docword.all.txt {vocab} {settings}"));
            for shards in ["docword.a.txt docword.b.txt", "docword.b.txt docword.a.txt"] {
                let sharded = b.model(&format!("{shards} {vocab} {settings}"));
                assert!(sharded == whole, "{shards} {vocab} {settings}");
            }
        }
    }
}

#[test]
fn documents_may_come_in_any_order() {
    let b = Bench::new();
    let docs = documents(120);
    let words = vocabulary(&docs);
    let mut order: Vec<usize> = (0..docs.len()).collect();
    let write = |b: &Bench, order: &[usize]| {
        let shuffled: Vec<String> = order.iter().map(|&d| docs[d].clone()).collect();
        let with_ids: Vec<(usize, String)> = order.iter().map(|&d| (d, docs[d].clone())).collect();
        b.write("plain.txt", lines(&shuffled));
        b.write("ids.csv", csv(&with_ids));
        b.write("docword.txt", uci(&shuffled, &words));
    };
    let models = |b: &Bench| {
        SETTINGS.map(|settings| {
            ["plain.txt", "ids.csv", "docword.txt"].map(|f| b.model(&format!("{f} {settings}")))
        })
    };
    write(&b, &order);
    let first = models(&b);
    assert!(first[3][0] != first[3][1], "an id is part of a document: its draws hang on it");
    for seed in [1, 2] {
        Random(seed).shuffle(&mut order);
        write(&b, &order);
        assert!(models(&b) == first);
    }
}

#[test]
fn an_imported_corpus_gives_the_same_model() {
    let b = Bench::new();
    let docs = documents(120);
    let numbered: Vec<(usize, String)> = docs.iter().cloned().enumerate().collect();
    b.write("notes.csv", csv(&numbered));
    b.write("docword.all.txt", uci(&docs, &vocabulary(&docs)));
    for input in ["notes.csv", "docword.all.txt"] {
        b.ok(&format!("import {input} -o corpus.arrow"));
        for settings in SETTINGS {
            let imported = b.model(&format!("corpus.arrow {settings}"));
            assert!(b.model(&format!("{input} {settings}")) == imported, "{input} {settings}");
        }
    }
    // The half of a corpus, imported, is a shard like any other.
    b.write("a.txt", lines(&docs[..60]));
    b.write("b.txt", lines(&docs[60..]));
    b.ok("import b.txt -o b.arrow");
    assert!(b.model("a.txt b.txt -k 3") == b.model("b.arrow a.txt -k 3"));
}

#[test]
fn the_seed_is_what_matters() {
    let b = Bench::new();
    b.write("all.txt", lines(&documents(120)));
    // The seed is written into the model, so the topics are compared and not the bytes.
    let topics = |seed: &str| {
        b.ok(&format!("fit all.txt -k 3 --paper --method rp {seed} -o seeded.safetensors"));
        b.ok("topics seeded.safetensors --json").out
    };
    assert_eq!(topics(""), topics("--seed 0"), "the default seed is 0");
    assert_ne!(topics("--seed 0"), topics("--seed 1"));
}
