//! What `vertopic sweep` and `fit -k auto` say.

mod common;

use common::{Bench, documents, exists, lines};

fn bench() -> Bench {
    let b = Bench::new();
    b.write("docs.txt", lines(&documents(300)));
    b
}

#[test]
fn a_sweep_recommends_the_planted_number_and_leaves_what_was_asked_for() {
    let b = bench();
    let line = "sweep docs.txt --stopwords none -k 2,3,6,9";
    let seen = b.ok(&format!("{line} --plot sweep.svg --models models"));
    assert!(seen.out.contains("     3*  "), "{}", seen.out);
    assert!(seen.out.contains("* recommended: "), "{}", seen.out);
    assert!(b.text("sweep.svg").starts_with("<svg"));
    let topics = b.ok("topics models/k3.safetensors --json").json();
    assert_eq!(topics.as_array().map(Vec::len), Some(3));
    b.ok("infer models/k3.safetensors docs.txt");

    let found = b.ok(&format!("{line} --json --threads 1 --plot sweep.png")).json();
    assert_eq!(found["recommended"], 3);
    assert_eq!(found["steps"].as_array().map(Vec::len), Some(4));
    assert!(found["steps"][1]["stability"].as_f64().is_some_and(|s| s > 0.8 && s <= 1.0));
    assert!(found["steps"][0]["perplexity"].as_f64() > found["steps"][1]["perplexity"].as_f64());
    assert!(b.read("sweep.png").starts_with(b"\x89PNG"));

    // The same numbers from other threads and another order.
    let mut all = documents(300);
    all.reverse();
    b.write("docs.txt", lines(&all));
    assert_eq!(b.ok(&format!("{line} --json --threads 3")).json(), found);
}

#[test]
fn auto_chooses_and_tells_why() {
    let b = bench();
    let seen = b.ok("fit docs.txt --stopwords none -k auto --json");
    let found = seen.json();
    assert_eq!(found["n_topics"], 3);
    assert_eq!(found["chosen"]["n_topics"], 3);
    assert!(
        seen.err
            .contains("chose 3 topics: the co-occurrence of words has 3 significant dimensions"),
        "{}",
        seen.err
    );
    assert!(b.ok("info model.safetensors").out.contains("topics chosen"));
    // Another method takes the same number.
    let seen = b.ok("fit docs.txt --stopwords none -k auto --method spa --json");
    assert_eq!(seen.json()["n_topics"], 3);
    b.run("fit docs.txt -k some").failed(2, &["auto"]);
    b.run("fit docs.txt --method rp -k auto --clustering threshold --distance 1 --projections 9")
        .failed(2, &["-k auto", "threshold"]);
}

#[test]
fn bad_sweeps_are_refused() {
    let b = bench();
    b.run("sweep docs.txt -k 9..5").failed(2, &["goes up"]);
    b.run("sweep docs.txt -k 1,5").failed(2, &["not a number of topics"]);
    b.run("sweep docs.txt --plot sweep.pdf").failed(2, &[".svg or .png", "sweep.svg"]);
    b.write("few.txt", lines(&documents(20)));
    b.run("sweep few.txt -k 2,3").failed(1, &["few.txt", "hold out"]);
    assert!(!exists(&b.path("sweep.pdf")));
}
