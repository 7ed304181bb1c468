//! Documents that stay on the disk: the same model in less memory, and nothing left behind.

mod common;

use common::Bench;

/// The most memory that a fit held, in bytes.
#[cfg(target_os = "linux")]
fn memory(b: &Bench, line: &str) -> u64 {
    let told = b.ok(&format!("{line} --json")).json();
    told["peak_memory"].as_u64().expect("Linux says it")
}

#[test]
fn the_model_is_the_same() {
    let b = Bench::new();
    b.ok("synth lda -o planted --documents 3000 --words 400 --tokens 40 -k 5 --format arrow -q");
    let corpus = "planted/synth.arrow";
    for method in ["", "--method rp --paper", "--method ddp --max-vocab 200", "-k auto"] {
        let k = if method.contains("-k") { "" } else { "-k 5" };
        b.ok(&format!("fit {corpus} {k} {method} -o plain.safetensors"));
        b.ok(&format!(
            "fit {corpus} {k} {method} -o spooled.safetensors --memory 64MB --threads 2"
        ));
        assert_eq!(b.read("plain.safetensors"), b.read("spooled.safetensors"), "{method}");
    }
    let mut names = b.names();
    names.sort();
    assert_eq!(names, ["plain.safetensors", "planted", "spooled.safetensors"]);
}

#[test]
fn any_input_can_stay_on_the_disk() {
    let b = Bench::new();
    let word = |d: u32, i: u32| format!("{}{}", ["sea", "hill", "oven"][(d % 3) as usize], i);
    let text =
        |d: u32| (0..12).map(|i| word(d * (1 + i / 9), d * i % 7)).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = (0..200).map(text).collect();
    let rows: Vec<String> = (0..200).map(|d| format!("d{d},{},even", text(d))).collect();
    b.write("docs.txt", lines.join("\n"));
    b.write("table.csv", format!("id,text,label\n{}", rows.join("\n")));
    b.ok("import docs.txt -o docs.arrow");
    b.ok("synth lda -o counts --documents 500 --words 100 --tokens 40 -k 3 -q");
    for inputs in [
        "docs.txt",
        "table.csv --text-column text --id-column id",
        "docs.txt table.csv",
        "docs.arrow docs.txt",
        "counts/docword.synth.txt",
    ] {
        b.ok(&format!("fit {inputs} -k 3 -o plain.safetensors"));
        b.ok(&format!("fit {inputs} -k 3 -o spooled.safetensors --memory 16MB"));
        assert_eq!(b.read("plain.safetensors"), b.read("spooled.safetensors"), "{inputs}");
    }
}

/// Twenty times the documents need no more memory.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_documents() {
    let b = Bench::new();
    let mut most = Vec::new();
    for documents in [5000, 100_000] {
        b.ok(&format!(
            "synth lda -o d{documents} --documents {documents} --words 500 --tokens 60 -k 5 --format arrow -q"
        ));
        let fit =
            format!("fit d{documents}/synth.arrow -k 5 --threads 2 -o m{documents}.safetensors");
        most.push((memory(&b, &format!("{fit} --memory 64MB")), memory(&b, &fit)));
    }
    let [(small, _), (large, whole)] = most[..] else { unreachable!("two sizes") };
    assert!(large < 64_000_000, "{large} bytes");
    assert!(large < small + 16_000_000, "{small} bytes, then {large}");
    assert!(whole > large + 20_000_000, "in memory it needs more: {whole} bytes against {large}");
}

#[test]
fn what_cannot_stay_on_the_disk_is_refused() {
    let b = Bench::new();
    b.write("docs.txt", "one line of text\nand another line of text\n");
    b.ok("import docs.txt -o docs.arrow");
    b.run("fit missing.arrow --memory 1GB").failed(1, &["missing.arrow: cannot open"]);
    b.run("fit - --format uci --memory 1GB").failed(1, &["<stdin>: ends before its header does"]);
    b.run("fit docs.arrow --memory 1GB --method gibbs").failed(2, &["find novel words"]);
    for size in ["1", "-1GB", "GB", "1TB", "0MB", "nanGB"] {
        b.run(&format!("fit docs.arrow --memory={size}")).failed(2, &["not a size of at least"]);
    }
}
