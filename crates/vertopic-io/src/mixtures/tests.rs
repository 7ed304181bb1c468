use std::io::Read as _;
use std::path::PathBuf;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Int64Type};
use vertopic::context::Context;
use vertopic::corpus::{CorpusBuilder, DocumentInfo};
use vertopic::estimate::Topics;
use vertopic::infer::{InferParams, mixtures};

use super::*;

/// Three documents, the second without words; ids, labels and times where `known`.
fn example(known: bool) -> (Corpus, Mixtures) {
    let mut b = CorpusBuilder::with_words(vec!["sea".into(), "sun".into()]);
    let text = |s: &str| known.then(|| s.to_owned());
    let first = DocumentInfo { id: text("a,\"b\""), label: text("x\ty"), time: None };
    b.push(&mut [(0, 3)], first).expect("good");
    b.push(&mut [], DocumentInfo::default()).expect("good");
    let third = DocumentInfo { id: text("ü"), label: None, time: text("2024") };
    b.push(&mut [(0, 1), (1, 1)], third).expect("good");
    let corpus = b.finish().expect("good");
    let topics = Topics::new(2, vec![0.9, 0.1, 0.2, 0.8]).expect("good");
    let ctx = Context::silent().expect("threads");
    let mixtures = mixtures(&topics, &[0.25, 0.75], &corpus, &InferParams::default(), &ctx);
    (corpus, mixtures.expect("good"))
}

fn written(format: MixtureFormat, known: bool) -> String {
    let (corpus, mixtures) = example(known);
    let mut out = Vec::new();
    write_to(&mut out, format, &corpus, &mixtures).expect("written");
    String::from_utf8(out).expect("text")
}

#[test]
fn every_document_has_a_row() {
    let csv = written(MixtureFormat::Csv, false);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], "id,tokens,topic_0,topic_1");
    assert!(lines[1].starts_with("1,3,"));
    assert_eq!(lines[2], "2,0,0.25,0.75", "without a known word: the corpus mixture");
}

#[test]
fn ids_labels_and_times_are_kept_and_quoted() {
    let csv = written(MixtureFormat::Csv, true);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "id,label,time,tokens,topic_0,topic_1");
    assert!(lines[1].starts_with("\"a,\"\"b\"\"\",x\ty,,3,"));
    assert!(lines[2].starts_with("2,,,0,"));
    let tsv = written(MixtureFormat::Tsv, true);
    assert!(tsv.lines().nth(3).expect("three rows").starts_with("ü\t\t2024\t2\t"));
}

#[test]
fn json_lines_hold_the_same_numbers() {
    let (_, mixtures) = example(true);
    for (d, line) in written(MixtureFormat::Jsonl, true).lines().enumerate() {
        let row: serde_json::Value = serde_json::from_str(line).expect("json");
        let numbers: Vec<f32> = serde_json::from_value(row["mixture"].clone()).expect("numbers");
        assert_eq!(numbers, mixtures.mixture(d));
        assert_eq!(row["tokens"], mixtures.tokens[d]);
    }
}

#[test]
fn parquet_holds_the_same_numbers() {
    let (corpus, mixtures) = example(true);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.parquet");
    write_mixtures(&path, &corpus, &mixtures).expect("written");
    let file = std::fs::File::open(&path).expect("there");
    let mut reader = ParquetRecordBatchReaderBuilder::try_new(file)
        .and_then(ParquetRecordBatchReaderBuilder::build)
        .expect("parquet");
    let batch = reader.next().expect("a batch").expect("good");
    assert_eq!(batch.num_rows(), 3);
    let column = |name: &str| batch.column_by_name(name).expect("there");
    assert_eq!(column("id").as_string::<i32>().value(1), "2");
    assert!(batch.column_by_name("time").expect("there").is_null(0));
    for d in 0..3 {
        assert_eq!(
            column("tokens").as_primitive::<Int64Type>().value(d),
            mixtures.tokens[d] as i64
        );
        for (k, name) in ["topic_0", "topic_1"].iter().enumerate() {
            let value = column(name).as_primitive::<Float32Type>().value(d);
            assert_eq!(value, mixtures.mixture(d)[k]);
        }
    }
}

#[test]
fn text_is_compressed_by_its_ending() {
    let (corpus, mixtures) = example(true);
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["m.csv", "m.csv.gz", "m.csv.zst"] {
        let path = folder.path().join(name);
        write_mixtures(&path, &corpus, &mixtures).expect("written");
        let mut text = String::new();
        let mut reader = crate::source::open(&path).expect("opened").into_reader();
        reader.read_to_string(&mut text).expect("read");
        assert_eq!(text, written(MixtureFormat::Csv, true), "{name}");
    }
}

#[test]
fn an_ending_that_tells_no_format_is_refused() {
    for (name, problem) in [
        ("m.xlsx", "m.xlsx: the ending .xlsx tells no format"),
        ("m", "m: without an ending the format is not known"),
        ("m.parquet.gz", "m.parquet.gz: a Parquet file is compressed inside, not as a whole"),
    ] {
        let err = MixtureFormat::of(&PathBuf::from(name)).expect_err("refused");
        assert_eq!(err.to_string(), problem);
        assert!(err.hint().is_some());
    }
}
