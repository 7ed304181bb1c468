//! One fingerprint on every processor: with AVX-512, with AVX2, and with neither.
//!
//! qemu runs the program as other processors would. `make test` installs it where apt is at hand; without it the test is
//! skipped and says so.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod common;

use std::process::{Command, Stdio};

use common::Bench;

const EMULATOR: &str = "qemu-x86_64";
/// A processor with AVX2 and fused operations, and one with neither.
const PROCESSORS: [&str; 2] = ["Haswell", "Nehalem"];
const SETTINGS: [&str; 7] = [
    "-k 6",
    "-k 6 --method embedded-ddp",
    "-k 6 --method rp",
    "-k 6 --method ddp",
    "-k 6 --paper --method rp",
    "-k 6 --paper --method ddp",
    "-k 6 --paper --method binning",
];

#[test]
#[allow(clippy::print_stderr)] // says why nothing was tested
fn models_have_the_same_bytes_on_every_processor() {
    let found = Command::new(EMULATOR).arg("--version").stdout(Stdio::null()).status();
    if found.is_err() {
        eprintln!("skipped: no {EMULATOR} (Debian: apt-get install qemu-user)");
        return;
    }
    let b = Bench::new();
    b.write("notes.tsv", include_str!("../data/notes.tsv"));
    for settings in SETTINGS {
        let expected = b.model(&format!("notes.tsv {settings}"));
        for processor in PROCESSORS {
            let line = format!("fit notes.tsv {settings} --threads 2 -o emulated.safetensors");
            let seen = b.emulated(EMULATOR, processor, &line);
            assert_eq!(seen.code, Some(0), "{processor}: {line}\n{}", seen.err);
            let found = b.read("emulated.safetensors");
            assert!(found == expected, "{processor} gives another model: {settings}");
        }
    }
}
