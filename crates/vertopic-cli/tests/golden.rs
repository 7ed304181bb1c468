//! Pins results to the last bit: a change that is not meant to move a number does not move one.
//!
//! A row is a command and the first 16 digits of the SHA-256 of what it computes: of `fit` and
//! `edit` the tensors of the model, of `infer` the rows of mixtures, of `sweep` and `eval` the
//! fractions in the JSON. Names of parameters, columns and fields are free to change. When a hash
//! differs, the failure prints the table anew, ready to be pasted here.

mod common;

use std::fmt::Write as _;

use common::Bench;
use safetensors::SafeTensors;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

type Table = &'static [(&'static str, &'static str)];

// The same on every processor (`processors.rs`), but for the methods of the lab that use faer: see `is_portable`.
const NOTES: Table = &[
    ("fit notes.tsv -k 6", "08d1517d946f6087"),
    ("infer model.safetensors notes.tsv", "494deaca9c101345"),
    ("eval model.safetensors notes.tsv --json", "c84c44047c90051e"),
    ("edit model.safetensors --merge 1,2 -o edited.safetensors", "b79a77010a3ed8b0"),
    ("fit notes.tsv -k 6 --paper", "b6651777898ab0ab"),
    ("fit notes.tsv -k 6 --method embedded-ddp", "88bf19f03eb9369d"),
    ("fit notes.tsv -k 6 --method rp", "f0134f378f977b43"),
    ("infer model.safetensors notes.tsv", "5668ca8ba9042537"),
    ("fit notes.tsv -k 6 --method rp --paper", "78406bc753d00c7b"),
    ("fit notes.tsv -k 6 --method ddp", "bafcfc7cb9c085fa"),
    ("fit notes.tsv -k 6 --method ddp --refine 5", "dce5ed6852e32862"),
    ("fit notes.tsv -k 6 --method binning", "4c2fcd66a4c7e1b7"),
    ("fit notes.tsv -k 6 --method binning --paper", "d647f8c00fd26779"),
    ("fit notes.tsv -k 6 --method gibbs --sweeps 30 --samples 3", "8d1c22f77dd115f2"),
    ("fit notes.tsv -k 6 --method nmf --iterations 50", "1c4f71e8e7ebe413"),
    ("fit notes.tsv -k 6 --method recover-l2", "c0b998cc16c4b743"),
    ("fit notes.tsv -k 6 --method recover-kl", "b8cb55e1f356d77d"),
    ("fit notes.tsv -k 6 --method recover --max-vocab 200", "da1f01e6f2499975"),
    ("fit notes.tsv -k 6 --method eca", "dc66dd8534d63996"),
    ("fit notes.tsv -k 6 --method spa", "cd44687575ff1dc3"),
    ("fit notes.tsv -k 6 --method solid-angle", "6dafd0d0b9305e64"),
    ("fit notes.tsv -k auto", "76ad0d96bdc80855"),
    ("fit notes.tsv -k 6 --pin chess,king --pin rain", "aa89d72c7878995c"),
    ("fit notes.tsv -k 6 --forbid trays,filter", "ee7b121adca89d91"),
    ("fit notes.tsv -k 6 --refine 0", "9269d6cfdaaefb81"),
    ("fit notes.tsv -k 6 --weigh tokens", "fb1703677d92ffba"),
    ("fit notes.tsv -k 6 --completions 0", "9210aa42c71fb700"),
    ("fit notes.tsv -k 6 --candidates 200", "e624eb436e7b3f86"),
    ("fit notes.tsv -k 6 --candidates random:60", "84cd5a0241d30845"),
    ("fit notes.tsv -k 6 --stem en", "fb8140dd254b0dd6"),
    ("fit notes.tsv -k 6 --seed 3", "2a39d7b561f34e17"),
    ("sweep notes.tsv -k 2,4,6 --json", "5324c9fc2c796a48"),
];

const SWIMMER: Table = &[
    ("fit docword.swimmer -k 16", "fd4760ecf4660460"),
    ("infer model.safetensors docword.swimmer", "2e7ef5a96c395997"),
    ("fit docword.swimmer -k 16 --paper", "099174bb63fa39a0"),
    ("fit docword.swimmer -k 10 --method embedded-ddp", "2688ba3eee24ba9c"),
    ("fit docword.swimmer -k 16 --method rp", "53ec654344dddd1a"),
    ("fit docword.swimmer -k 16 --method rp --paper", "00a281f3607228e9"),
    ("fit docword.swimmer -k 16 --method ddp", "e4cca71fafd03230"),
    ("fit docword.swimmer -k 16 --method binning", "be139808b7791a92"),
    ("fit docword.swimmer -k 16 --method binning --paper", "1bf2ca7f4cc5be7d"),
    ("fit docword.swimmer -k 16 --method gibbs --sweeps 30 --samples 3", "60d450a088cc2614"),
    ("fit docword.swimmer -k 16 --method nmf --iterations 50", "cde1579b7bbad15e"),
    ("fit docword.swimmer -k 16 --method recover-l2", "eff6501f0a949357"),
    ("fit docword.swimmer -k 16 --method recover-kl --max-vocab 300", "ebc942f4bd102c61"),
    ("fit docword.swimmer -k 16 --method recover --max-vocab 100", "c031f20244f6b794"),
    ("fit docword.swimmer -k 16 --method eca", "42813db59ff5f7ef"),
    ("fit docword.swimmer -k 16 --method spa", "c0da9a7398fd3068"),
    ("fit docword.swimmer -k 16 --method solid-angle", "28137956f19f4aa9"),
];

const GENERATED: Table = &[
    ("fit docword.lda -k 5", "a2b73e0ac2f60021"),
    ("fit docword.lda -k 5 --memory 100MB", "a2b73e0ac2f60021"),
    ("fit docword.lda -k 5 --paper", "dc6fb626d0b71048"),
    ("fit docword.lda -k 5 --method embedded-ddp", "3df7203c115f3782"),
    ("fit docword.lda -k 5 --method rp", "4658305f6cf918a9"),
    ("fit docword.lda -k 5 --method rp --paper", "bdae29b06e0f745a"),
    ("fit docword.lda -k 5 --method rp --affinity exp --representative word", "fd04ea5d2075951f"),
    ("fit docword.lda -k 2 --method rp --clustering threshold --distance 3.2", "bc03db90fdce19df"),
    ("fit docword.lda -k 5 --method ddp", "502adacd2444085b"),
    ("fit docword.lda -k 5 --method ddp --gamma 0.05 --distance 0.05", "abb725bb1a9a367a"),
    ("fit docword.lda -k 5 --method binning", "8d37fa5402e41811"),
    ("fit docword.lda -k 5 --method binning --paper", "659e7458ad8576e4"),
    ("fit docword.lda -k 5 --method gibbs --sweeps 30 --optimise 10", "d2996e6465c46829"),
    ("fit docword.lda -k 5 --method nmf --iterations 50", "f42f1c3cb24b7f20"),
    ("fit docword.lda -k 5 --method nmf --iterations 50 --divergence 2", "bb07337c7da584fa"),
    ("fit docword.lda -k 5 --method nmf --iterations 50 --relevance l1", "4bea2b91f88c338b"),
    ("fit docword.lda -k 5 --method nmf --iterations 20 --starts 3", "13e524fca8803842"),
    ("fit docword.lda -k 5 --method recover-l2", "3140724a030ba318"),
    ("fit docword.lda -k 5 --method recover-kl", "196d92cb14757d81"),
    ("fit docword.lda -k 5 --method recover --max-vocab 150", "b2abe82be1992ddd"),
    ("fit docword.lda -k 5 --method eca", "d246d0e84b82f88d"),
    ("fit docword.lda -k 5 --method spa", "3140724a030ba318"),
    ("fit docword.lda -k 5 --method solid-angle", "dec5ec3e14d1fd11"),
    ("fit docword.lda -k auto", "a2b73e0ac2f60021"),
    ("fit lda.sketch -k 5 --method ddp", "1f7b08661fe9f1af"),
    ("fit lda.sketch -k 5 --method rp --projections 100", "29c7732322785ff3"),
    ("fit paper.sketch -k 5 --method ddp --paper", "77b98e5d6b5ba3a7"),
];

/// Fifteen million tokens: enough for refinement by mini-batches.
const LARGE: Table = &[("fit large/synth.arrow -k 5", "3933bf8d944200da")];

#[test]
fn notes() {
    let b = Bench::new();
    b.write("notes.tsv", include_str!("../data/notes.tsv"));
    check(&b, "NOTES", NOTES);
}

#[test]
fn swimmer() {
    let b = Bench::new();
    b.ok("synth swimmer -o .");
    rename(&b, "swimmer");
    check(&b, "SWIMMER", SWIMMER);
}

#[test]
fn generated() {
    let b = Bench::new();
    b.ok("synth lda --words 300 --documents 500 -k 5 --novel-share 0.2 -o .");
    rename(&b, "lda");
    b.ok("sketch docword.lda --projections 100 -o lda.sketch");
    b.ok("sketch docword.lda --paper -o paper.sketch");
    check(&b, "GENERATED", GENERATED);
}

#[test]
fn large() {
    let b = Bench::new();
    b.ok("synth lda --words 300 --documents 50000 --tokens 300 -k 5 --format arrow -o large");
    check(&b, "LARGE", LARGE);
}

/// Gives the generated files of counts and of words a name of their own.
fn rename(b: &Bench, name: &str) {
    for kind in ["docword", "vocab"] {
        let to = b.path(&format!("{kind}.{name}"));
        std::fs::rename(b.path(&format!("{kind}.synth.txt")), to).expect("renamed");
    }
}

/// Runs every command of a table, in order, and compares all hashes at once.
fn check(b: &Bench, name: &str, table: Table) {
    let (mut changed, mut rows) = (Vec::new(), String::new());
    for &(command, pinned) in table.iter().filter(|(command, _)| is_portable(command)) {
        let found = hash(b, command);
        let _ = writeln!(rows, "    ({command:?}, {found:?}),");
        if found != pinned {
            changed.push(command);
        }
    }
    assert!(
        changed.is_empty(),
        "{} of {} results changed:\n{}\n\nIf that is meant, the table is now (then cargo fmt):\n\n\
         const {name}: Table = &[\n{rows}];\n",
        changed.len(),
        table.len(),
        changed.join("\n"),
    );
}

/// Whether a command gives the pinned result on this processor. `recover` and `eca` decompose matrices by faer, whose order of
/// operations depends on the width of registers; they are pinned with AVX-512.
fn is_portable(command: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    let pinned_here = is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    let pinned_here = false;
    let words: Vec<&str> = command.split(' ').collect();
    pinned_here || !(words.contains(&"recover") || words.contains(&"eca"))
}

/// The hash of what a command computes.
fn hash(b: &Bench, command: &str) -> String {
    let seen = b.ok(command);
    let mut hash = Sha256::new();
    match command.split(' ').next() {
        Some("fit" | "edit") => {
            let model = command.split(" -o ").nth(1).unwrap_or("model.safetensors");
            let model = b.read(model);
            let model = SafeTensors::deserialize(&model).expect("a model");
            for name in ["topics", "topic_weights"] {
                hash.update(model.tensor(name).expect("a tensor").data());
            }
        }
        Some("infer") => {
            let (_columns, rows) = seen.out.split_once('\n').expect("a header");
            hash.update(rows);
        }
        _ => {
            let mut numbers = Vec::new();
            fractions(&seen.json(), &mut numbers);
            assert!(!numbers.is_empty(), "{command}: no numbers");
            // The order of fields is the order of their names.
            numbers.sort_by(f64::total_cmp);
            numbers.iter().for_each(|x| hash.update(x.to_le_bytes()));
        }
    }
    let first: [u8; 8] = hash.finalize()[..8].try_into().expect("eight bytes");
    format!("{:016x}", u64::from_be_bytes(first))
}

/// All numbers in a JSON value that are not whole.
fn fractions(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) if number.is_f64() => found.extend(number.as_f64()),
        Value::Array(values) => values.iter().for_each(|v| fractions(v, found)),
        Value::Object(fields) => fields.values().for_each(|v| fractions(v, found)),
        _ => {}
    }
}
