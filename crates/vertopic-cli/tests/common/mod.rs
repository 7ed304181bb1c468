//! Runs the program and makes corpora for it.
#![allow(dead_code)] // each test file uses its part

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder of its own for a test; the program runs in it.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("in a folder")).expect("made");
        std::fs::write(path, contents).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    /// Names in the folder, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|e| name(e).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vertopic"));
        command.current_dir(self.folder.path()).args(line.split_whitespace());
        command.stdin(Stdio::null()).env_remove("NO_COLOR");
        command
    }

    /// Runs the program as on another processor.
    pub(crate) fn emulated(&self, emulator: &str, processor: &str, line: &str) -> Seen {
        let program = env!("CARGO_BIN_EXE_vertopic");
        let mut command = Command::new(emulator);
        command.current_dir(self.folder.path()).args(["-cpu", processor, program]);
        command.args(line.split_whitespace()).stdin(Stdio::null());
        Seen::of(line, &command.output().expect("started"))
    }

    /// Runs the program, whatever comes of it.
    pub(crate) fn run(&self, line: &str) -> Seen {
        Seen::of(line, &self.command(line).output().expect("started"))
    }

    /// Runs the program, which must succeed.
    pub(crate) fn ok(&self, line: &str) -> Seen {
        let seen = self.run(line);
        assert_eq!(seen.code, Some(0), "{line}\n{}", seen.err);
        seen
    }

    /// Runs the program with something on its standard input.
    pub(crate) fn run_with(&self, line: &str, input: &[u8]) -> Seen {
        use std::io::Write as _;
        let mut command = self.command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("started");
        // A program that refuses its input early does not read it.
        let _ = child.stdin.take().expect("piped").write_all(input);
        Seen::of(line, &child.wait_with_output().expect("ended"))
    }

    /// Fits and gives the bytes of the model.
    pub(crate) fn model(&self, line: &str) -> Vec<u8> {
        self.ok(&format!("fit {line} -o same.safetensors"));
        let bytes = self.read("same.safetensors");
        std::fs::remove_file(self.path("same.safetensors")).expect("removed");
        bytes
    }
}

/// What a run left behind.
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Seen {
    fn of(line: &str, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let seen = Self {
            line: line.to_owned(),
            code: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        };
        assert!(!seen.err.contains("panicked"), "{line}\n{}", seen.err);
        assert!(!seen.err.contains('\x1b'), "no colours in a pipe: {}", seen.err);
        seen
    }

    /// The run failed with this exit code and an error that has all these parts.
    pub(crate) fn failed(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.line, self.err);
        let at = self.err.find("error: ").unwrap_or_else(|| panic!("no error: {}", self.err));
        for part in parts {
            assert!(self.err[at..].contains(part), "{}\nno {part:?} in: {}", self.line, self.err);
        }
        assert_eq!(self.out, "", "{}", self.line);
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }
}

/// Random numbers, the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

pub(crate) const SUBJECTS: [&str; 3] = ["ship", "hill", "oven"];

/// Documents on three subjects of ten words each, 24 tokens a document: mostly one subject, some of
/// another, and words that all share.
pub(crate) fn documents(n: usize) -> Vec<String> {
    let mut random = Random(7);
    (0..n)
        .map(|d| {
            let other = random.below(3);
            let word = |t: usize, random: &mut Random| match t % 8 {
                0 => format!("common{}", (b'a' + random.below(6) as u8) as char),
                1 | 2 => format!("{}{}", SUBJECTS[other], (b'a' + random.below(10) as u8) as char),
                _ => format!("{}{}", SUBJECTS[d % 3], (b'a' + random.below(10) as u8) as char),
            };
            (0..24).map(|t| word(t, &mut random)).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

pub(crate) fn lines(documents: &[String]) -> String {
    documents.iter().fold(String::new(), |out, d| out + d + "\n")
}

/// CSV with ids, labels and times.
pub(crate) fn csv(documents: &[(usize, String)]) -> String {
    documents.iter().fold("id,label,date,text\n".to_owned(), |mut out, (d, text)| {
        let _ = writeln!(out, "n{d},{},2024-01-{:02},{text}", SUBJECTS[d % 3], d % 28 + 1);
        out
    })
}

/// The words of the documents, in the order in which they first occur.
pub(crate) fn vocabulary(documents: &[String]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in documents.iter().flat_map(|d| d.split(' ')) {
        if !words.iter().any(|w| w == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// UCI bag of words over the words of a vocabulary.
pub(crate) fn uci(documents: &[String], words: &[String]) -> String {
    let (mut entries, mut n) = (String::new(), 0);
    for (d, document) in documents.iter().enumerate() {
        for (w, word) in words.iter().enumerate() {
            let count = document.split(' ').filter(|t| t == word).count();
            if count > 0 {
                let _ = writeln!(entries, "{} {} {count}", d + 1, w + 1);
                n += 1;
            }
        }
    }
    format!("{}\n{}\n{n}\n{entries}", documents.len(), words.len())
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).expect("packed");
    packed.finish().expect("packed")
}

/// Whether a path is there.
pub(crate) fn exists(path: &Path) -> bool {
    path.try_exists().expect("known")
}
