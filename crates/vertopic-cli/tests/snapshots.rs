//! Pins what the program prints: `--help` of every verb, the README's commands, and errors with
//! their hints.
//!
//! `TRYCMD=overwrite cargo test -p vertopic-cli --test snapshots` writes what is printed now into
//! `tests/cmd`.

mod common;

use std::path::{Path, PathBuf};

use common::Bench;

/// Help is wrapped at this width: standard input and output are pipes, so no terminal has a say.
const WIDTH: &str = "100";

#[test]
fn printed_text() {
    let cases = trycmd::TestCases::new();
    cases.register_bin("vertopic", Path::new(env!("CARGO_BIN_EXE_vertopic")));
    cases.env("COLUMNS", WIDTH).env("NO_COLOR", "1");
    cases.insert_var("[VERSION]", env!("CARGO_PKG_VERSION")).expect("a name in brackets");
    cases.case("tests/cmd/*.trycmd").run();
    if std::env::var_os("TRYCMD").is_some_and(|mode| mode == "overwrite") {
        files().iter().for_each(|file| elide(file));
    }
}

#[test]
fn help_of_every_verb_is_pinned() {
    let pinned = std::fs::read_to_string(folder().join("help.trycmd")).expect("pinned help");
    let b = Bench::new();
    let verbs = |of: &str| -> Vec<String> {
        let mut command = b.command(&format!("{of} --help"));
        let output = command.env("COLUMNS", WIDTH).env("NO_COLOR", "1").output().expect("started");
        let help = String::from_utf8(output.stdout).expect("text");
        let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let verb = |line: &str| line.split_whitespace().next().map(|verb| format!("{of} {verb}"));
        list.map_while(verb).filter(|verb| !verb.ends_with(" help")).collect()
    };
    let mut all = verbs("");
    assert!(all.len() > 10, "{all:?}");
    all.extend(verbs(" synth"));
    for verb in all {
        assert!(pinned.contains(&format!("\n$ vertopic{verb} --help\n")), "{verb}");
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd")
}

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "trycmd")).collect()
}

/// Replaces what differs from run to run, from system to system, or with every name in a model file.
fn elide(file: &Path) {
    let text = std::fs::read_to_string(file).expect("text");
    let lines = text.lines().map(|line| {
        if let Some((before, digits)) = line.split_once("sha256:")
            && digits.len() == 64
        {
            return format!("{before}sha256:[..]\n");
        }
        if let Some((before, system)) = line.rsplit_once(": ")
            && system.contains("(os error ")
        {
            return format!("{before}: [..]\n");
        }
        match line.strip_suffix(" s").and_then(|line| line.rsplit_once(' ')) {
            Some((before, _seconds)) if before.trim_end() == "time" => format!("{before} [..] s\n"),
            _ => format!("{line}\n"),
        }
    });
    let elided: String = lines.collect();
    if elided != text {
        std::fs::write(file, elided).expect("written");
    }
}
