//! A run that is killed at any moment leaves no half of a file, and the next one tidies up.

mod common;

use std::process::Stdio;
use std::time::Duration;

use common::Bench;

#[test]
fn a_killed_run_leaves_no_half_of_a_file_and_the_next_tidies_up() {
    let b = Bench::new();
    b.ok("synth lda -o planted --documents 20000 --words 2000 --tokens 60 -k 5 -q");
    let input = "planted/docword.synth.txt";
    for (line, output) in [
        (format!("import {input} -q"), "out.arrow"),
        (format!("fit {input} -k 5 --refine 2 --stability no -q"), "out.safetensors"),
        (format!("fit {input} -k 5 --refine 0 --stability no -q --memory 64MB"), "out.safetensors"),
    ] {
        let line = format!("{line} -o {output}");
        for wait in [3, 10, 30, 60, 100, 150, 200, 300, 500] {
            let mut command = b.command(&line);
            let mut child =
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
            std::thread::sleep(Duration::from_millis(wait));
            child.kill().expect("killed, or over"); // it cannot know
            child.wait().expect("over");
            if b.path(output).exists() {
                b.ok(&format!("info {output}"));
                std::fs::remove_file(b.path(output)).expect("removed");
            }
        }
        b.write(".vertopic-left.tmp", "half of a file");
        b.ok(&line);
        assert_eq!(b.names(), [output, "planted"], "{line}");
        std::fs::remove_file(b.path(output)).expect("removed");
    }
}
