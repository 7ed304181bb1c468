//! Bad input gets an error that names file, line, value and rule; no output file and no panic.

mod common;

use common::{Bench, documents, exists, gzip, lines, uci, vocabulary};

/// Fails with exit code 1, this file in the message, and these parts; nothing is written.
fn refused(b: &Bench, line: &str, parts: &[&str]) {
    let before = b.names();
    b.run(&format!("fit {line}")).failed(1, parts);
    assert_eq!(b.names(), before, "{line}: something was left behind");
}

#[test]
fn bad_counts() {
    let b = Bench::new();
    // Two good documents of two words, and one entry that is not; its line is 5.
    let cases = [
        ("1 0 1", "word id"),
        ("1 3 1", "word id"),
        ("0 1 1", "document id"),
        ("3 1 1", "document id"),
        ("1 1 -4", "the count -4 is not a whole number"),
        ("1 1 0", "the count 0 is not a whole number"),
        ("1 1 1.5", "the count 1.5 is not a whole number"),
        ("1 1 NaN", "the count NaN is not a whole number"),
        ("1 1 4294967296", "the count 4294967296 is not a whole number"),
        ("1 1 99999999999999999999999", "the count"),
        ("1 1", "fields"),
        ("a b c", "document id a"),
    ];
    for (entry, part) in cases {
        b.write("docword.bad.txt", format!("2\n2\n3\n2 1 1\n{entry}\n2 2 1\n"));
        refused(&b, "docword.bad.txt", &["docword.bad.txt, line 5: ", part]);
    }
    for (count, part) in [("1.5", "1.5"), ("nan", "nan"), ("-1", "-1"), ("0", "the count 0 is not")]
    {
        b.write(
            "bad.mtx",
            format!("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 {count}\n"),
        );
        refused(&b, "bad.mtx", &["bad.mtx, line 4: ", part]);
        b.write("bad.svm", format!("1 1:2 2:1\n0 1:{count}\n"));
        refused(&b, "bad.svm", &["bad.svm, line 2: ", part]);
        b.write("bad.ldac", format!("2 0:2 1:1\n1 0:{count}\n"));
        refused(&b, "bad.ldac", &["bad.ldac, line 2: ", part]);
    }
    b.write("bad.svm", "1 0:2 2:1\n");
    refused(&b, "bad.svm", &["bad.svm, line 1: ", "hint: ids count from 1"]);
    b.write("bad.ldac", "3 0:2 1:1\n");
    refused(&b, "bad.ldac", &["bad.ldac, line 1: ", "3 pairs"]);
}

#[test]
fn headers_that_lie() {
    let b = Bench::new();
    for (header, part) in [
        ("2\n2\n3", "line 3: the header says 3 entries, but the file has 2"),
        ("2\n2\n1", "line 3: the header says 1 entries"),
        ("2\n2\n1000000000000000000", "1000000000000000000 entries"),
        ("1000000000000000000\n2\n2", "1000000000000000000 documents"),
        ("2\n2\nmany", "the number of entries, many, is not a whole number"),
    ] {
        b.write("docword.bad.txt", format!("{header}\n1 1 1\n2 2 1\n"));
        refused(&b, "docword.bad.txt", &["docword.bad.txt", part]);
    }
    let huge = "1000000000000000000";
    b.write(
        "bad.mtx",
        format!("%%MatrixMarket matrix coordinate integer general\n2 2 {huge}\n1 1 1\n"),
    );
    refused(&b, "bad.mtx", &["bad.mtx", huge]);
}

#[test]
fn vocabularies_that_do_not_fit() {
    let b = Bench::new();
    b.write("docword.x.txt", "2\n3\n2\n1 1 1\n2 3 1\n");
    for (words, part) in [
        ("sea\nsun\n", "missing"),
        ("sea\nsun\nsky\nsand\n", "too many"),
        ("sea\nsun\nsea\n", "line 3: the word sea stands twice, first in line 1"),
        ("sea\n\nsun\n", "line 2: missing word"),
        ("", "has no words"),
    ] {
        b.write("words.txt", words);
        refused(&b, "docword.x.txt --vocab words.txt", &[part]);
    }
    refused(&b, "docword.x.txt --vocab none.txt", &["none.txt: cannot open"]);
}

#[test]
fn compressed_data_that_stop_short() {
    let b = Bench::new();
    let docs = documents(60);
    let packed = gzip(lines(&docs).as_bytes());
    b.write("cut.txt.gz", &packed[..packed.len() / 2]);
    refused(&b, "cut.txt.gz", &["cut.txt.gz: ends before its compressed data do"]);
    let packed = gzip(uci(&docs, &vocabulary(&docs)).as_bytes());
    b.write("docword.cut.txt.gz", &packed[..packed.len() - 10]);
    refused(&b, "docword.cut.txt.gz", &["docword.cut.txt.gz: ends before its compressed data do"]);
    let packed = zstd::encode_all(lines(&docs).as_bytes(), 0).expect("packed");
    b.write("cut.txt.zst", &packed[..packed.len() / 2]);
    refused(&b, "cut.txt.zst", &["cut.txt.zst: "]);
}

#[test]
fn bytes_that_are_not_utf8_are_counted_or_refused() {
    let b = Bench::new();
    let mut text = lines(&documents(60)).into_bytes();
    let third_line =
        text.iter().enumerate().filter(|(_, c)| **c == b'\n').nth(1).expect("lines").0 + 1;
    text[third_line] = 0xE9;
    b.write("latin.txt", &text);
    let seen = b.ok("fit latin.txt -k 3 -o m.safetensors");
    assert!(
        seen.err.contains("warning: 1 of 60 documents had bytes that are not UTF-8"),
        "{}",
        seen.err
    );
    refused(&b, "latin.txt --strict", &["latin.txt, line 3: byte 0xE9", "hint: "]);
}

#[test]
fn corpora_that_are_too_small() {
    let b = Bench::new();
    b.write("empty.txt", "");
    refused(&b, "empty.txt", &["empty.txt: has no documents"]);
    b.write("one.txt", "a single document about the sea\n");
    refused(&b, "one.txt", &["one.txt: 1 of 1 documents have a pair of tokens, but at least 2"]);
    b.write("blank.txt", "\n\n\n");
    refused(
        &b,
        "blank.txt",
        &["blank.txt: the 3 documents have no words", "hint: check that the input is UTF-8 text"],
    );
    b.write("rare.txt", "every word\njust once\n");
    refused(&b, "rare.txt", &["rare.txt: no word is left"]);
    refused(&b, "none.txt", &["none.txt: cannot open"]);
}

#[test]
fn numbers_of_topics_that_cannot_be() {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(60)));
    refused(&b, "docs.txt -k 0", &["the number of topics (-k) must be at least 2, got 0"]);
    refused(&b, "docs.txt -k 1", &["the number of topics (-k) must be at least 2, got 1"]);
    refused(&b, "docs.txt -k 500", &["docs.txt: ", "35 novel words for 500 topics", "hint: "]);
    refused(
        &b,
        "docs.txt -k 3 --candidate-min-df 60",
        &["only 0 words may be novel", "hint: ask for fewer topics (-k)"],
    );
}

#[test]
fn outputs_that_cannot_be_written_are_found_before_the_input_is_read() {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(60)));
    let line = "docs.txt -k 3 -o no/such/m.safetensors";
    refused(&b, line, &["no/such/m.safetensors: cannot write: the folder no/such does not exist"]);
    b.run("fit none.txt -o no/m.safetensors").failed(1, &["the folder no does not exist"]);
    b.write("folder/x", "");
    refused(&b, "docs.txt -k 3 -o folder", &["folder: cannot write: it is a folder"]);
    b.run("import docs.txt -o no/c.arrow").failed(1, &["the folder no does not exist"]);
    // An input is never replaced.
    b.ok("import docs.txt -o c.arrow");
    b.run("fit c.arrow -o c.arrow").failed(2, &["c.arrow: the output would replace this input"]);
}

#[test]
fn a_failed_run_leaves_the_old_model() {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(60)));
    b.ok("fit docs.txt -k 3 -o m.safetensors");
    let model = b.read("m.safetensors");
    b.run("fit docs.txt -k 500 -o m.safetensors").failed(1, &["500 topics"]);
    assert_eq!(b.read("m.safetensors"), model);
    assert_eq!(b.names(), ["docs.txt", "m.safetensors"]);
}

#[test]
fn models_that_are_cut_altered_or_newer() {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(60)));
    b.ok("fit docs.txt -k 3");
    let good = b.read("model.safetensors");
    let bad = |name: &str, bytes: &[u8], parts: &[&str]| {
        b.write(name, bytes);
        for verb in
            [format!("topics {name}"), format!("info {name}"), format!("infer {name} docs.txt")]
        {
            b.run(&verb).failed(1, &[&[name], parts].concat());
        }
    };
    for length in [0, 5, 8, 100, good.len() / 2, good.len() - 1] {
        bad("cut.safetensors", &good[..length], &["it was cut", "hint: fit the model again"]);
    }
    let mut altered = good.clone();
    let last = altered.len() - 2;
    altered[last] ^= 1;
    bad("altered.safetensors", &altered, &["hint: fit the model again"]);
    let at = good.windows(5).position(|w| w == b"shipa").expect("a word");
    let mut altered = good.clone();
    altered[at..at + 5].copy_from_slice(b"shipA");
    bad("altered.safetensors", &altered, &["hint: fit the model again"]);
    // The format is a number in JSON in JSON.
    let key = br#"\"format\":1"#;
    let at = good.windows(key.len()).position(|w| w == key).expect("a format");
    let mut newer = good.clone();
    newer[at + key.len() - 1] = b'9';
    bad(
        "newer.safetensors",
        &newer,
        &["newer vertopic: format 9", "reads up to 1", "hint: update"],
    );
    bad("not.safetensors", b"documents, not a model", &["not a model file"]);
    b.run("topics none.safetensors").failed(1, &["none.safetensors: cannot read"]);
    assert!(exists(&b.path("model.safetensors")));
}

#[test]
fn commands_that_make_no_sense() {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(60)));
    b.write("docword.txt", "2\n2\n2\n1 1 1\n2 2 1\n");
    b.write("odd.xyz", "x");
    for line in [
        "",
        "fit",
        "fit docs.txt --threads 0",
        "fit docs.txt --method magic",
        "fit docs.txt --min-df many",
        "fit docs.txt --max-vocab 0",
        "fit docs.txt -k three",
        "fit docs.txt --format doc",
        "fit docs.txt --bins 4",
        "fit docs.txt --clustering threshold --distance 2",
        "fit docs.txt --stopwords klingon",
        "fit docs.txt --stem klingon",
        "fit docs.txt --text-column body",
        "fit docword.txt --stopwords de",
        "fit docs.txt docword.txt",
        "fit odd.xyz",
        "fit - -",
        "topics",
        "topics m --json --tsv",
        "infer docs.txt",
        "infer m.safetensors docs.txt -o m.xlsx",
        "import docs.txt",
        "import docs.txt -o corpus.txt",
        "completions basic",
        "unknown",
    ] {
        let seen = b.run(line);
        assert_eq!((seen.code, seen.out.as_str()), (Some(2), ""), "{line}\n{}", seen.err);
        assert!(seen.err.contains("error: ") || line.is_empty(), "{line}\n{}", seen.err);
    }
    assert_eq!(b.names(), ["docs.txt", "docword.txt", "odd.xyz"]);
}
