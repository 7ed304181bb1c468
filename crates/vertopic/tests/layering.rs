//! The architecture as a test: data flows one way, and files stay short.

use std::path::{Path, PathBuf};

/// Stages in the order that data flows. A stage may use those before it, never those after it.
const STAGES: [&str; 15] = [
    "corpus", "moments", "sketch", "embed", "space", "detect", "cluster", "estimate", "infer",
    "refine", "evaluate", "model", "pipeline", "choose", "engine",
];
/// What lies underneath all stages and knows none of them.
const GROUND: [&str; 8] =
    ["context", "error", "exact", "linalg", "note", "observe", "seed", "simd"];
/// Lines of a file, at most: one idea each.
const LONGEST: usize = 400;

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    files.sort();
    files
}

/// The code of a module, without comments, on one line so that `use` lists are in one piece.
fn source_of(module: &str) -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (file, folder) = (src.join(format!("{module}.rs")), src.join(module));
    let mut files = if folder.is_dir() { files_below(&folder) } else { Vec::new() };
    files.extend(file.is_file().then_some(file));
    // Tests of a stage may use anything.
    let files = files.iter().filter(|f| f.file_name().is_none_or(|n| n != "tests.rs"));
    files
        .map(|f| std::fs::read_to_string(f).expect("a readable file"))
        .map(|text| text.split("#[cfg(test)]").next().unwrap_or_default().to_owned())
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether the code names `crate::module`, also inside `use crate::{…}`.
fn mentions(code: &str, module: &str) -> bool {
    let direct = code.contains(&format!("crate::{module}"));
    let listed = code.split("crate::{").skip(1).any(|rest| {
        let list = rest.split(';').next().unwrap_or_default();
        list.split([',', '{', '}', ' ', ':']).any(|name| name == module)
    });
    direct || listed
}

#[test]
fn a_stage_uses_only_stages_before_it() {
    let mut broken = Vec::new();
    for (i, stage) in STAGES.iter().enumerate() {
        let code = source_of(stage);
        assert!(!code.is_empty(), "{stage} has code");
        broken.extend(
            STAGES[i + 1..].iter().filter(|later| mentions(&code, later)).map(|l| (*stage, *l)),
        );
    }
    for ground in GROUND {
        let code = source_of(ground);
        broken.extend(STAGES.iter().filter(|stage| mentions(&code, stage)).map(|s| (ground, *s)));
    }
    assert!(broken.is_empty(), "data must flow one way: {broken:?}");
}

#[test]
fn every_module_has_its_place() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules: Vec<String> = std::fs::read_dir(src)
        .expect("a readable folder")
        .map(|e| {
            e.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned()
        })
        .filter(|name| name != "lib" && name != "testkit")
        .collect();
    modules.sort();
    modules.dedup(); // a file may have a folder beside it
    let mut known: Vec<String> = STAGES.iter().chain(&GROUND).map(|s| (*s).to_owned()).collect();
    known.sort();
    assert_eq!(modules, known, "a new module must be given its place in the order");
}

#[test]
fn the_rule_sees_both_spellings() {
    assert!(mentions("use crate::detect::Method;", "detect"));
    assert!(mentions("use crate::{corpus::Corpus, detect::Method};", "detect"));
    assert!(mentions("crate::{seed, detect};", "detect"));
    assert!(!mentions("use crate::corpus::Corpus; fn detect() {}", "detect"));
}

#[test]
fn files_are_short() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let long: Vec<(PathBuf, usize)> = files_below(&crates)
        .into_iter()
        .map(|f| (f.clone(), std::fs::read_to_string(&f).expect("a readable file").lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .collect();
    assert!(long.is_empty(), "files over {LONGEST} lines: {long:?}");
}

/// The example of the crate's README is compiled with the documentation; that of the repository is the same.
#[test]
fn the_readme_has_the_compiled_example() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = |path: PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let code = text.split("```rust").nth(1).expect("an example");
        code.split("```").next().unwrap_or_default().to_owned()
    };
    let compiled = example(crate_folder.join("README.md"));
    // A package has the README of its crate alone.
    let repository = crate_folder.join("../../README.md");
    assert!(!repository.exists() || example(repository) == compiled);
}
