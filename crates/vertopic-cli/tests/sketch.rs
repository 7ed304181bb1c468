//! The fit of sketches is the fit of their documents, byte for byte; what sketches cannot do is refused.

mod common;

use common::{Bench, documents, lines, uci, vocabulary};

/// What to make a sketch with, and the fit that it is for.
const SETTINGS: [(&str, &str); 4] = [
    ("", "-k 3 --method ddp"),
    ("--paper --seed 4", "-k 3 --paper --method ddp --seed 4"),
    ("--projections 150", "-k 3 --method rp"),
    ("--paper --projections 200 --seed 4", "-k 3 --paper --method rp --projections 160 --seed 4"),
];

/// A fit that keeps all words, as sketches do.
const ALL_WORDS: &str = "--min-df 1 --max-df 100%";

/// Documents, the later of which have words of their own, and some that are empty or too short.
fn notes() -> Vec<String> {
    let mut notes = documents(120);
    for (d, note) in notes.iter_mut().enumerate().skip(80) {
        *note += [" abroad abroad", " hillock", " zenith ship"][d % 3];
    }
    "the of".clone_into(&mut notes[5]);
    "alone".clone_into(&mut notes[6]);
    notes
}

fn bench() -> Bench {
    let (b, notes) = (Bench::new(), notes());
    for (name, part) in
        [("all", &notes[..]), ("a", &notes[..30]), ("b", &notes[30..80]), ("c", &notes[80..])]
    {
        b.write(&format!("{name}.txt"), lines(part));
    }
    b.write("ab.txt", lines(&notes[..80]));
    b
}

#[test]
fn sketches_in_any_order_are_fitted_as_the_whole_corpus() {
    let b = bench();
    for (sums, settings) in SETTINGS {
        let whole = b.model(&format!("all.txt {settings} {ALL_WORDS} --threads 1"));
        for (name, threads) in [("all", 3), ("a", 1), ("b", 3), ("c", 2)] {
            b.ok(&format!("sketch {name}.txt {sums} --threads {threads} -o {name}.sketch"));
        }
        for inputs in ["all.sketch", "a.sketch b.sketch c.sketch", "c.sketch a.sketch b.sketch"] {
            for threads in [1, 3] {
                let found = b.model(&format!("{inputs} {settings} --threads {threads}"));
                assert!(found == whole, "{inputs} {settings}");
            }
        }
        let merge = b.ok("merge b.sketch c.sketch a.sketch -o merged.sketch");
        assert!(merge.out.starts_with("fingerprint: sha256:"), "{}", merge.out);
        assert!(b.read("merged.sketch") == b.read("all.sketch"), "{sums}");

        // What is left without the last shard has fewer words.
        b.ok("subtract merged.sketch c.sketch -o rest.sketch");
        b.ok(&format!("sketch ab.txt {sums} -o ab.sketch"));
        assert!(b.read("rest.sketch") == b.read("ab.sketch"), "{sums}");
        let rest = b.model(&format!("ab.txt {settings} {ALL_WORDS}"));
        assert!(b.model(&format!("rest.sketch {settings}")) == rest, "{settings}");
        assert!(rest != whole);
    }
}

#[test]
fn counts_whose_vocabulary_has_words_that_no_document_has() {
    let (b, notes) = (Bench::new(), documents(90));
    let mut words = vocabulary(&notes);
    words.push("never".to_owned());
    b.write("vocab.txt", words.join("\n"));
    b.write("docword.all.txt", uci(&notes, &words));
    b.write("docword.a.txt", uci(&notes[..40], &words));
    b.write("docword.b.txt", uci(&notes[40..], &words));
    for name in ["a", "b"] {
        b.ok(&format!("sketch docword.{name}.txt --vocab vocab.txt -o {name}.sketch"));
    }
    let settings = "--method ddp"; // as many topics as suit the number of documents
    let whole = b.model(&format!("docword.all.txt --vocab vocab.txt {settings} {ALL_WORDS}"));
    assert!(b.model(&format!("b.sketch a.sketch {settings}")) == whole);
}

#[test]
fn a_sketch_may_have_some_words_alone() {
    let b = bench();
    let known: Vec<String> =
        vocabulary(&notes()).into_iter().filter(|w| !w.starts_with("common")).collect();
    b.write("words.txt", known.join("\n"));
    b.ok("sketch all.txt --words words.txt -o some.sketch");
    let info = b.ok("info some.sketch --json").json();
    assert_eq!((&info["what"], &info["documents"]), (&"sketch".into(), &120.into()));
    b.ok("fit some.sketch --method ddp -k 3");
    // A model has words, too.
    b.ok("sketch all.txt --words model.safetensors -o again.sketch");
    assert!(b.read("some.sketch") == b.read("again.sketch"));
    let shown = b.ok("info some.sketch").out;
    assert!(shown.contains("made with") && shown.contains("pairs of tokens = all"), "{shown}");
    // The model remembers how text becomes words.
    b.ok("infer model.safetensors c.txt -o mixtures.csv");
}

#[test]
fn what_needs_documents_is_refused_before_anything_is_read() {
    let b = Bench::new(); // there are no such files
    let needs = "needs the documents";
    for (line, parts) in [
        ("fit x.sketch", &["the default method", needs, "hint: ", "--method ddp"][..]),
        ("fit x.sketch --method binning -k 3", &["binning", needs]),
        ("fit x.sketch --method ddp --refine 3", &["--refine", needs, "--refine 0"]),
        (
            "fit x.sketch --method ddp --stability yes",
            &["the stability check", needs, "--stability no"],
        ),
        ("fit x.sketch --method gibbs", &["--method gibbs", needs]),
        ("fit x.sketch --method ddp -k auto", &["-k auto", needs]),
        ("fit x.sketch --method ddp --min-df 2", &["--min-df is for documents", "settled"]),
        ("fit x.sketch --method ddp --stopwords none", &["--stopwords is for documents"]),
        ("fit x.sketch --method ddp --vocab v", &["--vocab is for documents"]),
        ("fit x.sketch y.txt --method ddp", &["y.txt: documents cannot be", "vertopic sketch"]),
        ("sketch x.txt --min-df 2 -o x.sketch", &["--min-df needs all documents", "--words"]),
        ("sketch x.txt --max-vocab 9 -o x.sketch", &["--max-vocab needs all documents"]),
        ("sketch x.txt --sample whole -o x.sketch", &["--sample is for"]),
        ("sketch x.txt -o x.bin", &["ends in .sketch", "-o x.sketch"]),
        ("merge x.sketch -o all", &["ends in .sketch"]),
        ("subtract x.sketch y.sketch -o all", &["ends in .sketch"]),
    ] {
        b.run(line).failed(2, parts);
    }
    let half = "sketch x.txt --projections 3 --sample half -o x.sketch";
    b.run(half).failed(1, &["must be whole, unless documents are split"]);
    assert!(b.names().is_empty(), "{:?}", b.names());
}

#[test]
fn sketches_that_do_not_fit_are_refused() {
    let b = bench();
    for (name, flags) in [
        ("plain", ""),
        ("paper", "--paper --seed 4"),
        ("rp", "--projections 100 --seed 4"),
        ("stems", "--stem en"),
    ] {
        b.ok(&format!("sketch a.txt {flags} -o {name}.sketch"));
    }
    b.ok("sketch c.txt -o c.sketch");
    for (line, parts) in [
        (
            "fit plain.sketch --method rp -k 3",
            &[
                "plain.sketch: the sketch was made with --pairs all, but",
                "needs --pairs all --projections 150 --sample whole --seed 0",
                "hint: make the sketches with --pairs all --projections 150",
            ][..],
        ),
        ("fit rp.sketch --method rp -k 3 --seed 4", &["--projections 100 --sample whole --seed 4"]),
        ("fit rp.sketch --method rp -k 2", &["but the fit needs", "--seed 0"]),
        ("fit plain.sketch --paper -k 2", &["the fit needs --pairs split --seed 0"]),
        (
            "fit paper.sketch --paper -k 2 --seed 5",
            &["made with --pairs split --seed 4", "--seed 5"],
        ),
        ("merge plain.sketch paper.sketch -o x.sketch", &["paper.sketch: ", "what is counted"]),
        ("fit plain.sketch stems.sketch --method ddp", &["stems.sketch: ", "turned into words"]),
        ("subtract plain.sketch c.sketch -o x.sketch", &["c.sketch: ", "not part of the others"]),
        ("merge plain.sketch none.sketch -o x.sketch", &["none.sketch: cannot read"]),
    ] {
        b.run(line).failed(1, parts);
    }
    b.run("merge plain.sketch c.sketch -o c.sketch").failed(2, &["would replace this input"]);
    let mut bytes = b.read("plain.sketch");
    b.write("cut.sketch", &bytes[..bytes.len() / 2]);
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    b.write("altered.sketch", &bytes);
    b.write("text.sketch", "these are words, and many of them, but no sketch");
    for (name, problem) in
        [("cut", "cut or lengthened"), ("altered", "altered"), ("text", "not a sketch file")]
    {
        let line = format!("fit {name}.sketch --method ddp -k 2");
        b.run(&line).failed(1, &[&format!("{name}.sketch: "), problem, "hint: "]);
    }
    b.run("topics plain.sketch").failed(1, &["not a vertopic model"]);
}
