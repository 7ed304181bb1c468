use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_buffer::Buffer;
use arrow_ipc::writer::FileWriter;
use proptest::prelude::*;
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo};

use super::write::write_batches;
use super::*;
use crate::sink::CorpusSink;
use crate::store::ipc::Bytes;

fn counts() -> CorpusMeta {
    CorpusMeta { kind: CorpusKind::Counts, tokenizer: None }
}

fn text() -> CorpusMeta {
    let tokenizer = Some(r#"{"lower":true}"#.to_owned());
    CorpusMeta { kind: CorpusKind::Text, tokenizer }
}

fn info(id: Option<&str>, label: Option<&str>, time: Option<&str>) -> DocumentInfo {
    let own = |s: Option<&str>| s.map(str::to_owned);
    DocumentInfo { id: own(id), label: own(label), time: own(time) }
}

fn small() -> Corpus {
    let words = ["sea", "fog", "sun", "\"ö\\\n"].map(str::to_owned).to_vec();
    let mut b = CorpusBuilder::with_words(words);
    b.push(&mut [(0, 2), (2, 1)], info(Some("a"), Some("coast"), None)).expect("good");
    b.push(&mut [], info(None, None, Some("1999"))).expect("good");
    b.push(&mut [(1, 7), (3, u32::MAX - 7)], info(Some(""), None, None)).expect("good");
    b.finish().expect("good")
}

fn bytes_of(corpus: &Corpus, meta: &CorpusMeta) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_batches(&mut bytes, corpus, meta).expect("in memory");
    bytes
}

fn read_back(bytes: Vec<u8>) -> Result<(Corpus, CorpusMeta), String> {
    let (bytes, mut sink) = (Bytes::Buffer(Buffer::from_vec(bytes)), CorpusSink::new());
    let meta = super::read::read_bytes(bytes, Path::new("c"), &mut sink, |_| None);
    let meta = meta.map_err(|e| e.to_string())?;
    Ok((sink.finish().expect("sound").corpus, meta))
}

#[test]
fn a_corpus_comes_back_from_a_file_plain_or_compressed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    for (corpus, meta) in
        [(small(), text()), (CorpusBuilder::new().finish().expect("empty"), counts())]
    {
        write_corpus(&path("c.arrow"), &corpus, &meta).expect("written");
        assert_eq!(read_corpus(&path("c.arrow")).expect("good"), (corpus.clone(), meta.clone()));
        let bytes = std::fs::read(path("c.arrow")).expect("there");
        assert_eq!(bytes, bytes_of(&corpus, &meta), "the same bytes every time");
        let packed = zstd::encode_all(&bytes[..], 1).expect("in memory");
        std::fs::write(path("c.arrow.zst"), packed).expect("written");
        assert_eq!(read_corpus(&path("c.arrow.zst")).expect("good"), (corpus, meta));
    }
}

#[test]
fn a_corpus_of_many_batches_comes_back() {
    let mut b = CorpusBuilder::with_words((0..300).map(|i| format!("w{i}")).collect());
    for d in 0..100_000_u32 {
        let n = if d < 2000 { 200 } else { d % 2 };
        let mut pairs: Vec<_> = (0..n).map(|w| ((w + d) % 300, 1 + d % 5)).collect();
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    let corpus = b.finish().expect("good");
    let (back, _) = read_back(bytes_of(&corpus, &counts())).expect("good");
    assert!(back == corpus);
}

#[test]
fn what_is_missing_or_no_corpus_is_named() {
    let message = |path: &Path| read_corpus(path).expect_err("bad").to_string();
    assert!(message(Path::new("no/c.arrow")).starts_with("no/c.arrow: cannot open: "));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.arrow");
    for (bytes, problem) in [
        (&b""[..], "is not an Arrow IPC file"),
        (b"PAR1 and more", "is not an Arrow IPC file"),
        (b"ARROW1\0\0", "ends without an Arrow footer; it may be truncated"),
    ] {
        std::fs::write(&path, bytes).expect("written");
        assert_eq!(message(&path), format!("{}: {problem}", path.display()));
    }
    let err = write_corpus(Path::new("no/such/c.arrow"), &small(), &counts()).expect_err("missing");
    assert_eq!(err.to_string(), "no/such/c.arrow: cannot write: the folder no/such does not exist");
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let whole = bytes_of(&small(), &text());
    for cut in 0..whole.len() {
        assert!(read_back(whole[..cut].to_vec()).is_err(), "cut at {cut}");
    }
    assert!(read_back(whole).is_ok());
}

#[test]
fn an_altered_file_is_an_error_or_says_the_same() {
    let (corpus, meta) = (small(), text());
    let whole = bytes_of(&corpus, &meta);
    for at in 0..whole.len() {
        for mask in [1, 0x10, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= mask;
            // Bytes of padding and of the copy of the schema at the start may be anything.
            if let Ok(back) = read_back(bytes) {
                assert_eq!(back, (corpus.clone(), meta.clone()), "byte {at} xor {mask:#x}");
            }
        }
    }
}

/// A file with these columns and metadata, as another program may write it.
fn foreign(schema: Schema, columns: Vec<ArrayRef>, metadata: &[(&str, &str)]) -> Vec<u8> {
    let metadata: std::collections::HashMap<String, String> =
        metadata.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let schema = Arc::new(schema.with_metadata(metadata));
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, &schema).expect("in memory");
    writer.write(&RecordBatch::try_new(schema.clone(), columns).expect("fits")).expect("in memory");
    writer.finish().expect("in memory");
    drop(writer);
    bytes
}

type Row = Option<Vec<Option<u32>>>;

/// A file of documents without ids, whose lists may be anything.
fn rows(
    words: &[Row],
    counts: &[Row],
    metadata: &[(&str, &str)],
) -> Result<(Corpus, CorpusMeta), String> {
    let lists = |rows: &[Row]| -> ArrayRef {
        let mut list = ListBuilder::new(UInt32Builder::new());
        list.extend(rows.iter().cloned());
        Arc::new(list.finish())
    };
    let none = || -> ArrayRef { Arc::new(StringArray::new_null(words.len())) };
    let list = || DataType::new_list(DataType::UInt32, true);
    let schema = Schema::new(vec![
        Field::new("id", DataType::Utf8, true),
        Field::new("words", list(), true),
        Field::new("counts", list(), true),
        Field::new("label", DataType::Utf8, true),
        Field::new("time", DataType::Utf8, true),
    ]);
    let columns = vec![none(), lists(words), lists(counts), none(), none()];
    read_back(foreign(schema, columns, metadata))
}

const GOOD: [(&str, &str); 3] = [
    ("vertopic.format", "1"),
    ("vertopic.vocabulary", "[\"fog\",\"sea\"]"),
    ("vertopic.kind", "counts"),
];

/// `GOOD` with another value, or without the key.
fn but<'a>(key: &'a str, value: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
    let others = GOOD.into_iter().filter(|(k, _)| *k != key);
    others.chain(value.map(|v| (key, v))).collect()
}

/// A list without nulls.
#[allow(clippy::unnecessary_wraps)] // rows may be null
fn row(values: &[u32]) -> Row {
    Some(values.iter().map(|&v| Some(v)).collect())
}

#[test]
fn a_file_of_another_program_is_read_without_a_checksum() {
    let (corpus, meta) =
        rows(&[row(&[0, 1]), row(&[])], &[row(&[3, 4]), row(&[])], &GOOD).expect("good");
    assert_eq!((corpus.n_documents(), corpus.n_tokens()), (2, 7));
    assert_eq!(meta, counts());
}

#[test]
fn bad_rows_are_refused() {
    let cases = [
        ([0, 1], vec![1], "c: document 1: it has 2 words, but 1 counts"),
        ([0, 1], vec![1, 0], "c: document 1: the count of word id 1 is 0"),
        (
            [0, 2],
            vec![1, 1],
            "c: document 1: the word id 2 is not below the size of the vocabulary, 2",
        ),
        ([1, 1], vec![1, 1], "c: document 1: the word ids 1 and 1 do not ascend"),
    ];
    for (words, counts, message) in cases {
        assert_eq!(rows(&[row(&words)], &[row(&counts)], &GOOD).expect_err("bad"), message);
    }
    for null in [None, Some(vec![Some(0), None])] {
        let message = rows(&[null], &[row(&[1, 1])], &GOOD).expect_err("a null");
        assert!(message.contains("null"), "{message}");
    }
}

#[test]
fn bad_metadata_are_refused() {
    let message = |key, value| rows(&[row(&[0])], &[row(&[1])], &but(key, value)).expect_err("bad");
    for (key, value, want) in [
        (
            "vertopic.format",
            None,
            "c: is an Arrow file, but no corpus: its metadata have no vertopic.format",
        ),
        (
            "vertopic.format",
            Some("2"),
            "c: written by a newer vertopic: format 2, this one reads up to 1",
        ),
        ("vertopic.format", Some("one"), "c: vertopic.format is \"one\", which is no known format"),
        (
            "vertopic.kind",
            Some("x"),
            "c: vertopic.kind is \"x\", but must be \"text\" or \"counts\"",
        ),
        ("vertopic.vocabulary", None, "c: has no vocabulary"),
        (
            "vertopic.vocabulary",
            Some("[\"b\",\"a\"]"),
            "c: the words \"b\" and \"a\" of its vocabulary are not in byte order, each once",
        ),
        (
            "vertopic.checksum",
            Some("crc32:00000000"),
            "c: the file is damaged: its content does not match its checksum",
        ),
    ] {
        assert_eq!(message(key, value), want);
    }
    let message = message("vertopic.vocabulary", Some("[1]"));
    assert!(
        message.starts_with("c: vertopic.vocabulary is not a JSON array of words: "),
        "{message}"
    );
}

#[test]
fn other_columns_are_refused() {
    let schema = Schema::new(vec![
        Field::new("id", DataType::Utf8, true),
        Field::new("words", DataType::UInt32, true),
    ]);
    let mut ids = StringBuilder::new();
    ids.append_value("a");
    let columns: Vec<ArrayRef> = vec![Arc::new(ids.finish()), Arc::new(UInt32Array::from(vec![1]))];
    let message = read_back(foreign(schema, columns, &GOOD)).expect_err("other columns");
    assert!(
        message
            .starts_with("c: its columns (id, words) are not those of a corpus (id: Utf8, words: ")
    );
}

proptest! {
    #[test]
    fn any_corpus_comes_back(
        documents in prop::collection::vec(
            (
                prop::collection::vec((0_u32..9, 1_u32..1000), 0..6),
                prop::option::of(".{0,3}"),
                prop::option::of(".{0,3}"),
                prop::option::of(".{0,3}"),
            ),
            0..20,
        ),
        words in prop::collection::hash_set(".{0,4}", 9),
    ) {
        let mut b = CorpusBuilder::with_words(words.into_iter().collect());
        for (mut pairs, id, label, time) in documents {
            b.push(&mut pairs, DocumentInfo { id, label, time }).expect("good");
        }
        let corpus = b.finish().expect("good");
        let (back, meta) = read_back(bytes_of(&corpus, &text())).expect("good");
        prop_assert_eq!(back.fingerprint(), corpus.fingerprint());
        prop_assert_eq!((back, meta), (corpus, text()));
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_back(bytes.clone());
        let _ = read_back([&b"ARROW1\0\0"[..], &bytes, &40_i32.to_le_bytes(), b"ARROW1"].concat());
    }

    /// Several bytes altered at once, which may lead further into the decoder than one.
    #[test]
    fn altered_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut bytes = bytes_of(&small(), &text());
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = read_back(bytes);
    }
}
