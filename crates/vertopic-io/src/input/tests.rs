use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use vertopic::context::Parallelism;
use vertopic::corpus::UNKNOWN;
use vertopic::observe::{Event, Observer};

use super::*;
use crate::counts::CountFormat;
use crate::store::{CorpusMeta, write_corpus};
use crate::text::{Columns, Stopwords};

const NOTES: [(&str, &str); 4] = [
    ("a.txt", "The sea, the SEA and the fog: don’t go."),
    ("b.txt", "Größe, naïve cafés; ΟΔΟΣ 東京 \"quoted\" 🌞"),
    ("c.txt", ""),
    ("d.txt", "sun\tsea"),
];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("temporary folder"))
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("in the folder")).expect("made");
        std::fs::write(&path, bytes).expect("written");
        path
    }
}

fn read_with(paths: &[&Path], options: &InputOptions) -> Result<Input, IoError> {
    let paths: Vec<PathBuf> = paths.iter().map(|p| p.to_path_buf()).collect();
    read(&paths, options, &Context::silent().expect("threads"))
}

fn read_all(paths: &[&Path]) -> Result<Input, IoError> {
    read_with(paths, &InputOptions::default())
}

fn error(paths: &[&Path], options: &InputOptions) -> IoError {
    read_with(paths, options).expect_err("must be refused")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn csv_of(notes: &[(&str, &str)], delimiter: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    writer.write_record(["id", "text"]).expect("into memory");
    for (id, text) in notes {
        writer.write_record([id, text]).expect("into memory");
    }
    writer.into_inner().expect("into memory")
}

fn jsonl_of(notes: &[(&str, &str)]) -> String {
    notes
        .iter()
        .map(|(id, text)| serde_json::json!({"id": id, "text": text}).to_string() + "\n")
        .collect()
}

fn parquet_of(notes: &[(&str, &str)]) -> Vec<u8> {
    let column = |values: Vec<&str>| Arc::new(StringArray::from(values)) as ArrayRef;
    let batch = RecordBatch::try_from_iter([
        ("id", column(notes.iter().map(|n| n.0).collect())),
        ("text", column(notes.iter().map(|n| n.1).collect())),
    ]);
    let batch = batch.expect("equal lengths");
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("strings");
    writer.write(&batch).expect("into memory");
    writer.into_inner().expect("into memory")
}

/// The notes as every format of text that has ids.
fn everywhere(folder: &Folder) -> Vec<PathBuf> {
    for (id, text) in NOTES {
        folder.put(&format!("notes/{id}"), text);
    }
    let csv = csv_of(&NOTES, b',');
    vec![
        folder.0.path().join("notes"),
        folder.put("n.csv", &csv),
        folder.put("n.csv.gz", gzip(&csv)),
        folder.put("n.tsv", csv_of(&NOTES, b'\t')),
        folder.put("n.jsonl", jsonl_of(&NOTES)),
        folder.put("n.ndjson.zst", zstd::encode_all(jsonl_of(&NOTES).as_bytes(), 1).expect("ok")),
        folder.put("n.parquet", parquet_of(&NOTES)),
        folder.put("n.parquet.gz", gzip(&parquet_of(&NOTES))),
    ]
}

#[test]
fn every_format_of_text_gives_the_same_corpus() {
    let folder = Folder::new();
    let paths = everywhere(&folder);
    let first = read_all(&[&paths[0]]).expect("a folder");
    assert_eq!((first.kind, first.files, first.corpus.n_documents()), (Kind::Text, 4, 4));
    assert_eq!(first.corpus.id(2), Some("c.txt"));
    assert!(first.corpus.vocabulary().id("οδος").is_some());
    assert_eq!(first.tokenizer, Some(TokenizerOptions::default()));
    for path in &paths[1..] {
        let input = read_all(&[path]).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(input.corpus, first.corpus, "{}", path.display());
        assert_eq!((input.files, input.warnings.len()), (1, 0));
    }
}

#[test]
fn lines_are_the_same_documents_without_ids() {
    let folder = Folder::new();
    let text: Vec<&str> = NOTES.iter().map(|n| n.1).collect();
    let lines = folder.put("n.txt.gz", gzip((text.join("\n") + "\n").as_bytes()));
    let no_ids: String =
        text.iter().map(|t| serde_json::json!({ "text": t }).to_string() + "\n").collect();
    let jsonl = folder.put("n.jsonl", no_ids);
    let (a, b) = (read_all(&[&lines]).expect("lines"), read_all(&[&jsonl]).expect("jsonl"));
    assert_eq!(a.corpus, b.corpus);
    assert_eq!(a.corpus.fingerprint(), b.corpus.fingerprint());
}

#[test]
fn several_inputs_are_one_file_with_all_documents() {
    let folder = Folder::new();
    let whole = folder.put("whole.csv", csv_of(&NOTES, b','));
    let shards: [PathBuf; 3] = [
        folder.put("1.csv", csv_of(&NOTES[..1], b',')),
        folder.put("2.jsonl", jsonl_of(&NOTES[1..2])),
        folder.put("3.parquet", parquet_of(&NOTES[2..])),
    ];
    let whole = read_all(&[&whole]).expect("one file");
    let parts = read_all(&[&shards[0], &shards[1], &shards[2]]).expect("shards");
    assert_eq!(parts.corpus, whole.corpus);
    let turned = read_all(&[&shards[2], &shards[0], &shards[1]]).expect("shards");
    assert_eq!(turned.corpus.fingerprint(), whole.corpus.fingerprint());
    assert_eq!(turned.corpus.id(0), Some("c.txt"));
    assert_eq!(turned.files, 3);
}

#[test]
fn a_stored_corpus_goes_with_text_that_is_split_alike() {
    let folder = Folder::new();
    let first = read_all(&[&folder.put("1.csv", csv_of(&NOTES[..2], b','))]).expect("text");
    let json = serde_json::to_string(&first.tokenizer.expect("text")).expect("plain data");
    let meta = CorpusMeta { kind: Kind::Text, tokenizer: Some(json) };
    let stored = folder.0.path().join("1.arrow");
    write_corpus(&stored, &first.corpus, &meta).expect("written");
    let rest = folder.put("2.csv", csv_of(&NOTES[2..], b','));
    let whole = read_all(&[&folder.put("w.csv", csv_of(&NOTES, b','))]).expect("text");
    assert_eq!(read_all(&[&stored, &rest]).expect("alike").corpus, whole.corpus);
    let mut options = InputOptions::default();
    options.tokenizer.stopwords = Stopwords::None;
    let err = error(&[&stored, &rest], &options);
    assert!(err.to_string().ends_with("were split into words in different ways"), "{err}");
    let alone = read_with(&[&stored], &options).expect("its own options count");
    assert_eq!(alone.tokenizer, Some(TokenizerOptions::default()));
    let counts = folder.put("x.ldac", "1 0:1\n");
    let err = error(&[&stored, &counts], &InputOptions::default());
    assert!(err.to_string().contains("cannot be read into one corpus"), "{err}");
}

#[test]
fn the_words_of_a_uci_corpus_are_found_beside_it() {
    let folder = Folder::new();
    let docword = folder.put("docword.x.txt.gz", gzip(b"2\n2\n2\n1 1 3\n2 2 1\n"));
    let bare = read_all(&[&docword]).expect("numbers");
    assert_eq!(bare.corpus.vocabulary().words(), ["1", "2"]);
    assert!(bare.notes[0].contains("named by their number; a vocabulary file"), "{:?}", bare.notes);
    folder.put("vocab.x.txt", "sea\nfog\n");
    let input = read_all(&[&docword]).expect("words");
    assert_eq!((input.kind, input.tokenizer), (Kind::Counts, None));
    assert_eq!(input.corpus.vocabulary().words(), ["fog", "sea"]);
    assert!(input.notes[0].ends_with("vocab.x.txt"), "{:?}", input.notes);
    let other = folder.put("words.txt", "sun\nsky\n");
    let options = InputOptions { vocab: Some(other), ..InputOptions::default() };
    let input = read_with(&[&docword], &options).expect("given words");
    assert_eq!(input.corpus.vocabulary().words(), ["sky", "sun"]);
    let ldac = folder.put("x.ldac", "1 0:1\n");
    let err = error(&[&docword, &ldac], &InputOptions::default());
    assert!(err.to_string().contains("x.ldac only has their numbers"), "{err}");
}

#[test]
fn text_and_counts_do_not_mix() {
    let folder = Folder::new();
    let (text, counts) = (folder.put("a.txt", "sea\n"), folder.put("b.ldac", "1 0:1\n"));
    let err = error(&[&counts, &text], &InputOptions::default());
    let text = err.to_string();
    assert!(text.starts_with("text (") && text.contains("a.txt) and word counts ("), "{text}");
}

#[test]
fn formats_are_known_by_their_endings_and_names() {
    for (name, format) in [
        ("docword.kos.txt", Format::Counts(CountFormat::Uci)),
        ("x.MTX.gz", Format::Counts(CountFormat::MatrixMarket)),
        ("x.libsvm", Format::Counts(CountFormat::Svmlight)),
        ("x.lda-c", Format::Counts(CountFormat::LdaC)),
        ("x.md", Format::Lines),
        ("x.feather", Format::Arrow),
        ("x.tsv.zst", Format::Tsv),
    ] {
        assert_eq!(Format::of(Path::new(name)).expect("known"), format, "{name}");
    }
    for format in Format::all() {
        assert_eq!(format.to_string().parse::<Format>().expect("its own name"), format);
    }
    let err = "xml".parse::<Format>().expect_err("unknown");
    assert!(err.to_string().starts_with("there is no format \"xml\"; the formats are uci, mm, "));
    let folder = Folder::new();
    let err = error(&[&folder.put("x.docx", "")], &InputOptions::default());
    assert!(err.to_string().contains("cannot tell its format by its name; known are docword.*"));
    assert!(err.hint().expect("has one").starts_with("say which it is: uci"));
    let err = error(&[Path::new("/nowhere/x.docx")], &InputOptions::default());
    assert!(err.to_string().starts_with("/nowhere/x.docx: cannot open: "), "{err}");
}

#[test]
fn a_given_format_goes_before_the_ending() {
    let folder = Folder::new();
    let path = folder.put("notes.log", "sea\nfog\n");
    let options = |format| InputOptions { format: Some(format), ..InputOptions::default() };
    assert_eq!(
        read_with(&[&path], &options(Format::Lines)).expect("lines").corpus.n_documents(),
        2
    );
    let err = error(&[&path], &options(Format::Folder));
    assert!(err.to_string().ends_with("is a file, not a folder"), "{err}");
    let err = error(&[folder.0.path()], &options(Format::Csv));
    assert!(err.to_string().ends_with("is a folder, not a csv file"), "{err}");
    let err = error(&[Path::new("-")], &options(Format::Arrow));
    assert_eq!(err.to_string(), "standard input cannot be read as arrow");
    let err = error(&[Path::new("-"), Path::new("-")], &options(Format::Lines));
    assert_eq!(err.to_string(), "standard input (-) can be read only once");
    assert_eq!(error(&[], &InputOptions::default()).to_string(), "there is no input");
}

#[test]
fn options_that_fit_no_input_are_refused() {
    let folder = Folder::new();
    let path = folder.put("a.txt", "sea\n");
    let columns = Columns { id: Some("x".to_owned()), ..Columns::default() };
    for (options, flag) in [
        (InputOptions { vocab: Some(path.clone()), ..Default::default() }, "the vocabulary file"),
        (InputOptions { transpose: true, ..Default::default() }, "the transposition"),
        (
            InputOptions { include: vec!["*".to_owned()], ..Default::default() },
            "the pattern of files",
        ),
        (InputOptions { columns, ..Default::default() }, "the id column"),
    ] {
        let text = error(&[&path], &options).to_string();
        assert!(text.starts_with(flag) && text.ends_with("the input is lines"), "{text}");
    }
}

#[test]
fn nothing_to_read_is_an_error_and_an_empty_file_among_others_a_warning() {
    let folder = Folder::new();
    let (empty, full) = (folder.put("e.txt", ""), folder.put("f.txt", "sea\n"));
    let header = folder.put("h.csv", "id,text\n");
    let text = error(&[&empty], &InputOptions::default()).to_string();
    assert!(text.ends_with("e.txt: has no documents"), "{text}");
    let text = error(&[&empty, &header], &InputOptions::default()).to_string();
    assert!(text.ends_with("e.txt: has no documents, nor have the other inputs"), "{text}");
    let input = read_all(&[&full, &empty]).expect("one document");
    assert!(input.warnings[0].ends_with("e.txt: has no documents"), "{:?}", input.warnings);
}

#[test]
fn truncated_compressed_input_is_an_error() {
    let folder = Folder::new();
    let whole = gzip("sea and fog and sun\n".repeat(5000).as_bytes());
    let path = folder.put("cut.txt.gz", &whole[..whole.len() / 2]);
    let err = error(&[&path], &InputOptions::default());
    assert!(err.to_string().contains("truncated"), "{err}");
    let csv = folder.put("cut.csv.gz", &gzip("text\nsea\n".repeat(5000).as_bytes())[..60]);
    let err = error(&[&csv], &InputOptions::default());
    assert!(err.to_string().contains("truncated"), "{err}");
}

/// Adds up what is announced and what is reported.
#[derive(Default)]
struct Sums(AtomicU64, AtomicU64);

impl Observer for Sums {
    fn notify(&self, event: Event) {
        match event {
            Event::Started { units, .. } => self.0.fetch_add(units, Ordering::Relaxed),
            Event::Advanced(units) => self.1.fetch_add(units, Ordering::Relaxed),
            _ => 0,
        };
    }
}

#[test]
fn progress_adds_up_to_what_was_announced() {
    let folder = Folder::new();
    for path in everywhere(&folder) {
        let sums = Sums::default();
        let ctx = Context::new(Parallelism::Available, &sums).expect("threads");
        read(std::slice::from_ref(&path), &InputOptions::default(), &ctx).expect("good");
        let (announced, reported) = (sums.0.into_inner(), sums.1.into_inner());
        assert!(announced > 0 && announced == reported, "{announced} {reported} {path:?}");
    }
}

#[test]
fn text_has_an_order_and_counts_have_none() {
    let folder = Folder::new();
    let words = Vocabulary::new(["fog", "sea", "sun"].map(String::from).to_vec()).expect("words");
    let ctx = Context::silent().expect("threads");
    let in_order = |paths: &[PathBuf]| {
        read_in_order(paths, &InputOptions::default(), &words, &ctx).expect("readable")
    };
    for path in everywhere(&folder) {
        let (input, texts) = in_order(std::slice::from_ref(&path));
        let texts = texts.unwrap_or_else(|| panic!("{}", path.display()));
        assert_eq!(texts.n_documents(), 4);
        assert_eq!(texts.text(0), [1, 1, 0, UNKNOWN]); // sea SEA fog go, without stop words
        assert!(texts.text(2).is_empty());
        assert_eq!(texts.text(3), [2, 1]); // as written, not as sorted
        assert!(texts.text(1).iter().all(|&w| w == UNKNOWN));
        for d in 0..4 {
            assert_eq!(texts.text(d).len() as u64, input.corpus.document(d).tokens());
        }
    }
    let lines = folder.put("more.txt", "sun sea sun\n");
    let counts = folder.put("a.ldac", "1 0:2\n");
    assert!(in_order(&[counts]).1.is_none());
    let stored = folder.put("b.arrow", "");
    let (input, _) = in_order(std::slice::from_ref(&lines));
    let tokenizer = serde_json::to_string(&input.tokenizer).expect("JSON");
    let meta = CorpusMeta { kind: Kind::Text, tokenizer: Some(tokenizer) };
    write_corpus(&stored, &input.corpus, &meta).expect("written");
    let (both, texts) = in_order(&[lines, stored]);
    assert_eq!((both.corpus.n_documents(), texts), (2, None));
}

#[test]
fn options_for_other_inputs_are_those_that_fit() {
    let columns = Columns { text: vec!["body".into()], no_header: true, ..Columns::default() };
    let options = InputOptions {
        format: Some(Format::Csv),
        columns: columns.clone(),
        strict: true,
        ..InputOptions::default()
    };
    let lines = options.for_others(&["x.txt".into()]);
    assert_eq!(lines, InputOptions { strict: true, ..InputOptions::default() });
    assert_eq!(options.for_others(&["x.tsv.gz".into()]).columns, columns);
    let json = options.for_others(&["x.jsonl".into()]).columns;
    assert_eq!(json, Columns { no_header: false, ..columns });
}
