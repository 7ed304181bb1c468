//! What each verb does when all is well.

mod common;

use std::process::Stdio;

use common::{Bench, csv, documents, exists, gzip, lines, uci, vocabulary};

/// A folder with `notes.csv`, 120 documents, and the model fitted on it.
fn fitted() -> Bench {
    let b = Bench::new();
    let docs: Vec<(usize, String)> = documents(120).into_iter().enumerate().collect();
    b.write("notes.csv", csv(&docs));
    b.ok("fit notes.csv -k 3");
    b
}

#[test]
fn fit_works_on_a_folder_without_any_flag() {
    let b = Bench::new();
    for (d, text) in documents(80).iter().enumerate() {
        b.write(&format!("my-docs/{}/note-{d}.txt", d % 4), text);
    }
    let seen = b.ok("fit my-docs/");
    assert!(exists(&b.path("model.safetensors")));
    assert!(seen.out.starts_with("fingerprint: sha256:") && seen.out.lines().count() == 1);
    for part in [
        "documents",
        "80",
        "tokens",
        "1,920",
        "vocabulary",
        "left with no word",
        "wrote model.safetensors",
    ] {
        assert!(seen.err.contains(part), "no {part:?} in\n{}", seen.err);
    }
    assert_eq!(b.ok("topics model.safetensors --json").json().as_array().map(Vec::len), Some(4));
}

#[test]
fn the_topics_are_those_that_were_planted() {
    let b = fitted();
    let topics = b.ok("topics model.safetensors --json -n 8").json();
    let topics = topics.as_array().expect("an array");
    assert_eq!(topics.len(), 3);
    let mut found = Vec::new();
    for (k, topic) in topics.iter().enumerate() {
        assert_eq!(topic["id"], k);
        assert!(topic["weight"].as_f64().expect("a number") > 0.2);
        let words = topic["words"].as_array().expect("words");
        assert_eq!(words.len(), 8);
        let names: Vec<&str> = words.iter().map(|w| w["word"].as_str().expect("a word")).collect();
        assert!(names.iter().all(|n| n[..4] == names[0][..4]), "{names:?}");
        assert!(
            words.iter().all(|w| w["probability"].as_f64().is_some_and(|p| p > 0.0 && p < 1.0))
        );
        found.push(names[0][..4].to_owned());
        let novel = topic["novel_words"].as_array().expect("novel words");
        assert!(novel.iter().all(|n| n["word"].is_string() && n["strength"].is_number()));
        assert_eq!(topic["diagnostics"]["novel_words"], novel.len());
        for field in ["strength", "separation", "residual", "effective_words"] {
            assert!(topic["diagnostics"][field].is_number(), "{field}");
        }
    }
    found.sort();
    assert_eq!(found, ["hill", "oven", "ship"]);
}

#[test]
fn topics_are_a_table_or_tab_separated() {
    let b = fitted();
    let table = b.ok("topics model.safetensors -n 4").out;
    let head: Vec<&str> = table.lines().next().expect("a head").split_whitespace().collect();
    assert_eq!(head, ["topic", "weight", "novel", "separation", "residual", "stability", "words"]);
    assert!(table.contains("* a novel word"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 100));
    let tsv = b.ok("topics model.safetensors -n 4 --tsv").out;
    for (k, line) in tsv.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), 10);
        assert_eq!(fields[0], k.to_string());
        assert!(fields[1].parse::<f64>().is_ok_and(|w| w < 1.0));
        assert_eq!(fields[2].split(" · ").count(), 3);
        assert_eq!(fields[3].split(' ').count(), 4);
        assert!(fields[5..9].iter().all(|f| f.parse::<f64>().is_ok()), "{line}");
        assert!(fields[9] == "sound" || fields[9].starts_with("weak: "), "{line}");
    }
}

#[test]
fn every_document_has_a_mixture_that_sums_to_one() {
    let b = fitted();
    b.write("new.txt", "shipa shipb shipc shipd shipe\n\nnothing known here\nhilla hillb hillc\n");
    let seen = b.ok("infer model.safetensors new.txt");
    let rows: Vec<Vec<&str>> = seen.out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["id", "tokens", "topic_0", "topic_1", "topic_2"]);
    assert_eq!(rows.len(), 5, "a header and a row for each line, the empty one included");
    let tokens: Vec<&str> = rows[1..].iter().map(|r| r[1]).collect();
    assert_eq!(tokens, ["5", "0", "0", "3"]);
    for row in &rows[1..] {
        let sum: f64 = row[2..].iter().map(|p| p.parse::<f64>().expect("a number")).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{row:?}");
    }
    assert_eq!(rows[2][2..], rows[3][2..], "without a known word: the mixture of the corpus");
    for part in ["documents", "without known words", "2", "unknown tokens", "not converged"] {
        assert!(seen.err.contains(part), "no {part:?} in\n{}", seen.err);
    }
}

#[test]
fn mixtures_keep_ids_labels_and_times_and_go_to_a_file() {
    let b = fitted();
    b.ok("infer model.safetensors notes.csv -o m.tsv");
    let tsv = b.text("m.tsv");
    assert!(tsv.starts_with("id\tlabel\ttime\ttokens\ttopic_0\ttopic_1\ttopic_2\n"));
    assert_eq!(tsv.lines().count(), 121);
    assert!(tsv.lines().nth(5).expect("rows").starts_with("n4\thill\t2024-01-05\t"));
    b.ok("infer model.safetensors notes.csv -o m.jsonl");
    let first: serde_json::Value =
        serde_json::from_str(b.text("m.jsonl").lines().next().expect("rows")).expect("json");
    assert_eq!(
        (first["id"].as_str(), first["mixture"].as_array().map(Vec::len)),
        (Some("n0"), Some(3))
    );
    b.ok("infer model.safetensors notes.csv -o m.parquet");
    assert_eq!(b.read("m.parquet")[..4], *b"PAR1");
    // Labels were not used, but they agree: the dominant topic of a document is that of its
    // subject.
    let mut topic_of = std::collections::BTreeMap::new();
    let mut agree = 0;
    for line in tsv.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        let p: Vec<f64> = f[4..].iter().map(|p| p.parse().expect("a number")).collect();
        let best = (0..3).max_by(|&a, &c| p[a].total_cmp(&p[c])).expect("three");
        agree += usize::from(*topic_of.entry(f[1].to_owned()).or_insert(best) == best);
    }
    assert!(agree > 110, "{agree} of 120");
}

#[test]
fn infer_splits_text_as_the_model_did() {
    let b = Bench::new();
    let docs: Vec<String> = documents(90).iter().map(|d| d.replace("ship", "sailings")).collect();
    b.write("docs.txt", lines(&docs));
    b.ok("fit docs.txt -k 3 --stem en --stopwords none");
    b.write("new.txt", "Sailingsa, SAILINGSB!\n");
    let seen = b.ok("infer model.safetensors new.txt");
    assert!(seen.out.contains("\n1,2,"), "{}", seen.out);
    assert_eq!(b.run("infer model.safetensors new.txt --stem de").code, Some(2), "no such flag");
}

#[test]
fn a_model_of_counts_reads_text_with_a_warning() {
    let b = Bench::new();
    let docs = documents(90);
    let words = vocabulary(&docs);
    b.write("docword.x.txt", uci(&docs, &words));
    b.write("vocab.x.txt", words.join("\n"));
    b.ok("fit docword.x.txt -k 3");
    b.write("new.txt", "Shipa shipb\n");
    let seen = b.ok("infer model.safetensors new.txt");
    assert!(seen.out.contains("\n1,2,"), "{}", seen.out);
    assert!(seen.err.contains("warning: the model was fitted on word counts"), "{}", seen.err);
}

#[test]
fn info_describes_models_and_corpora() {
    let b = fitted();
    let model = b.ok("info model.safetensors --json").json();
    assert_eq!((model["what"].as_str(), model["n_topics"].as_u64()), (Some("model"), Some(3)));
    assert_eq!(model["parameters"]["detect"]["method"], "embedded");
    assert_eq!(model["corpus"]["documents"], 120);
    assert_eq!(model["preprocessing"]["tokenizer"]["min_length"], 2);
    let text = b.ok("info model.safetensors").out;
    assert!(text.contains("detect.method") && text.contains("sha256:"), "{text}");
    let corpus = b.ok("info notes.csv --json").json();
    assert_eq!((corpus["what"].as_str(), corpus["kind"].as_str()), (Some("corpus"), Some("text")));
    assert_eq!((corpus["documents"].as_u64(), corpus["tokens"].as_u64()), (Some(120), Some(2880)));
    b.ok("import notes.csv -o notes.arrow");
    let stored = b.ok("info notes.arrow --json").json();
    assert_eq!(stored["fingerprint"], corpus["fingerprint"]);
    assert!(b.ok("info notes.arrow").out.contains("corpus of text"));
}

#[test]
fn json_of_fit_says_what_happened() {
    let b = fitted();
    let seen = b.ok("fit notes.csv -k 3 --json -o other.safetensors").json();
    assert_eq!(seen["output"], "other.safetensors");
    assert_eq!(seen["n_topics"], 3);
    assert_eq!(seen["report"]["prune"]["documents"], 120);
    assert!(seen["fingerprint"].as_str().is_some_and(|f| f.starts_with("sha256:")));
    assert_eq!(b.read("other.safetensors"), b.read("model.safetensors"));
}

#[test]
fn standard_input_is_an_input() {
    let b = Bench::new();
    let text = lines(&documents(90));
    b.write("docs.txt", &text);
    let from_file = b.ok("fit docs.txt -k 3").out;
    let plain = b.run_with("fit - -k 3 -o stdin.safetensors", text.as_bytes());
    assert_eq!((plain.code, &plain.out), (Some(0), &from_file));
    let packed = b.run_with("fit - -k 3 -o stdin.safetensors", &gzip(text.as_bytes()));
    assert_eq!((packed.code, &packed.out), (Some(0), &from_file));
    let table = csv(&documents(90).into_iter().enumerate().collect::<Vec<_>>());
    let seen = b.run_with("infer stdin.safetensors - --format csv", table.as_bytes());
    assert_eq!((seen.code, seen.out.lines().count()), (Some(0), 91));
}

#[test]
fn quiet_is_quiet() {
    let b = fitted();
    assert_eq!(b.ok("fit notes.csv -k 3 --quiet").err, "");
    assert_eq!(b.ok("infer model.safetensors notes.csv -q").err, "");
    assert_eq!(b.ok("import notes.csv -o c.arrow --quiet").err, "");
    b.run("fit missing.csv --quiet").failed(1, &["missing.csv"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let b = fitted();
    for line in [
        "infer model.safetensors notes.csv notes.csv notes.csv notes.csv -q",
        "topics model.safetensors --json -n 1000",
        "completions bash",
        "info model.safetensors --json",
    ] {
        let mut command = b.command(line);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
        drop(child.stdout.take()); // closed before anything is written
        let output = child.wait_with_output().expect("ended");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*err), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let b = fitted();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("there");
    let mut command = b.command("infer model.safetensors notes.csv -q");
    let output = command.stdout(full).output().expect("started");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(err.starts_with("error: <stdout>: cannot write: "), "{err}");
}

#[test]
fn help_has_examples_and_completions_complete() {
    let b = Bench::new();
    let help = b.ok("fit --help").out;
    for part in ["Examples:", "--candidate-min-df", "one per 20 documents", "Method in detail"] {
        assert!(help.contains(part), "no {part:?} in\n{help}");
    }
    assert!(b.ok("fit -h").out.len() < help.len(), "the short help is shorter");
    assert!(b.ok("--version").out.starts_with("vertopic "));
    assert!(b.ok("completions zsh").out.contains("infer"));
}

#[test]
fn the_demo_finds_limbs_and_subjects() {
    let b = Bench::new();
    let seen = b.ok("demo --out demo");
    assert!(seen.out.contains("16 of 16 limbs found"), "{}", seen.out);
    let line = seen.out.lines().find(|l| l.contains("of 320 notes")).expect("the comparison");
    let agree: usize = line.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    // A guard with room for a change of rounding: 239 when it was set; about 65 if labels are shuffled.
    assert!(agree >= 215, "{line}");
    assert_eq!(b.ok("demo --threads 1").out, b.ok("demo --threads 3").out);
    for file in ["swimmer.arrow", "swimmer.safetensors", "notes.tsv", "notes.safetensors"] {
        assert!(exists(&b.path(&format!("demo/{file}"))), "{file}");
    }
    // What the demo wrote is what a user would get from its files.
    let demo = b.read("demo/notes.safetensors");
    assert!(b.model("demo/notes.tsv -k 8") == demo);
}
