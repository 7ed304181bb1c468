//! Every method by its name, and the paper's experiments by one command.

mod common;

use common::{Bench, exists};

#[test]
fn every_method_gives_a_model() {
    let b = Bench::new();
    let synth = "synth separable -o data --words 60 --documents 400 -k 3 --novel-share 0.4 --frequency-matched";
    b.ok(synth);
    let methods = [
        "ddp",
        "rp",
        "binning",
        "gibbs --sweeps 50",
        "nmf",
        "recover-l2",
        "recover-kl",
        "recover",
        "eca",
        "spa",
        "solid-angle",
    ];
    for method in methods {
        let fit = format!("fit data/docword.synth.txt -k 3 -o m.safetensors --method {method}");
        b.ok(&fit);
        let topics = b.ok("topics m.safetensors --json -n 5").json();
        assert_eq!(topics.as_array().map(Vec::len), Some(3), "{method}");
        // The same kind of file: other verbs read it, and the same seed writes it again.
        b.ok("infer m.safetensors data/docword.synth.txt -o mixtures.csv");
        let name = method.split(' ').next().expect("a name");
        let info = b.ok("info m.safetensors").out;
        assert!(info.contains(name), "{method}: {info}");
        let first = b.read("m.safetensors");
        b.ok(&format!("{fit} --threads 1"));
        let second = b.read("m.safetensors");
        assert_eq!(first, second, "{method}: any number of threads");
    }
}

#[test]
fn flags_of_another_method_are_refused() {
    let b = Bench::new();
    b.write("a.txt", "sea ship\nhill tree\n");
    for (flags, rule) in [
        ("--method gibbs --paper", "--paper is for --method rp, ddp, binning"),
        ("--method ddp --sweeps 5", "--sweeps is for --method gibbs"),
        ("--method nmf --alpha0 1", "--alpha0 is for --method eca"),
        (
            "--method eca --tolerance 1",
            "--tolerance is for --method embedded, embedded-ddp, rp, ddp, binning, recover-l2",
        ),
    ] {
        b.run(&format!("fit a.txt -k 2 {flags}")).failed(2, &[rule]);
    }
}

#[test]
fn recover_says_why_it_refuses_a_large_vocabulary() {
    let b = Bench::new();
    b.ok("synth lda -o data --words 600 --documents 60 -k 3 --tokens 200");
    b.run("fit data/docword.synth.txt -k 3 --method recover --min-df 1")
        .failed(1, &["linear programme"]);
}

#[test]
fn the_assumptions_are_reproduced_and_go_on_where_they_stopped() {
    let b = Bench::new();
    let reproduce = "reproduce assumptions --quick --replicates 1 --out paper";
    let page = b.ok(reproduce).out;
    assert!(page.contains("assumptions.md"), "{page}");
    for file in
        ["assumptions.md", "priors.csv", "rates.csv", "priors.svg", "priors.png", "rates.svg"]
    {
        assert!(exists(&b.path(&format!("paper/assumptions/{file}"))), "{file}");
    }
    let journal = "paper/assumptions/journal.jsonl";
    let before = b.read(journal);
    b.ok(reproduce);
    assert_eq!(before, b.read(journal), "nothing was done twice");
}

#[test]
fn experiments_on_text_say_what_they_need() {
    let b = Bench::new();
    b.run("reproduce nips --out paper").failed(2, &["--data"]);
    b.run("reproduce nips --out paper --data .").failed(2, &["docword.nips.txt"]);
}
