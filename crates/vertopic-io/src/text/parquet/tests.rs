use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, Date32Array, Int64Array, LargeStringArray, StringArray, StringViewArray,
    TimestampMillisecondArray,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::*;
use crate::text::tests::{all, read_text, read_text_with};

fn parquet(columns: &[(&str, ArrayRef)]) -> (tempfile::TempDir, PathBuf) {
    let columns = columns.iter().map(|(name, array)| (*name, Arc::clone(array), true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("equal lengths");
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let properties = WriterProperties::builder().set_compression(zstd).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties))
        .expect("types that Parquet has");
    writer.write(&batch).expect("written");
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("docs.parquet");
    std::fs::write(&path, writer.into_inner().expect("written")).expect("written");
    (folder, path)
}

fn strings(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn read_all(path: &Path, columns: &Columns) -> Result<Vec<String>, IoError> {
    Ok(all(&read_text(|g| read(path, columns, g))?.corpus))
}

#[test]
fn columns_of_many_types_are_read() {
    let (_folder, path) = parquet(&[
        ("skipped", Arc::new(Int64Array::from(vec![1, 2, 3]))),
        ("time", Arc::new(Date32Array::from(vec![Some(0), None, Some(18_262)]))),
        ("text", strings(&[Some("Sea"), None, Some("fog fog")])),
        ("id", Arc::new(Int64Array::from(vec![Some(7), Some(-8), None]))),
        ("label", strings(&[Some("a"), Some(""), None])),
    ]);
    let read = read_all(&path, &Columns::default()).expect("good");
    assert_eq!(read, ["7/a/1970-01-01 sea", "-8// ", "//2020-01-01 fog:2"]);
}

#[test]
fn moments_are_written_as_iso_8601() {
    let moments = TimestampMillisecondArray::from(vec![1_577_883_661_000]);
    let utc = moments.clone().with_timezone("UTC");
    let text = strings(&[Some("sea")]);
    for (moments, expected) in [(moments, "2020-01-01T13:01:01"), (utc, "2020-01-01T13:01:01Z")] {
        let (_folder, path) = parquet(&[("text", text.clone()), ("time", Arc::new(moments))]);
        let read = read_all(&path, &Columns::default()).expect("good");
        assert_eq!(read, [format!("//{expected} sea")]);
    }
}

#[test]
fn large_strings_views_and_bytes_are_text() {
    let arrays: [ArrayRef; 3] = [
        Arc::new(LargeStringArray::from(vec!["sea"])),
        Arc::new(StringViewArray::from(vec!["sea"])),
        Arc::new(BinaryArray::from(vec![b"sea".as_ref()])),
    ];
    for array in arrays {
        let (_folder, path) = parquet(&[("text", array)]);
        assert_eq!(read_all(&path, &Columns::default()).expect("good"), ["// sea"]);
    }
}

#[test]
fn columns_are_found_by_name_and_number_and_joined() {
    let (_folder, path) =
        parquet(&[("b", strings(&[Some("sea")])), ("a", strings(&[Some("fog")]))]);
    let columns = |text: &[&str], id: Option<&str>| Columns {
        text: text.iter().map(|t| (*t).to_owned()).collect(),
        id: id.map(str::to_owned),
        ..Columns::default()
    };
    assert_eq!(read_all(&path, &columns(&["a", "1"], None)).expect("good"), ["// fog sea"]);
    assert_eq!(read_all(&path, &columns(&["a"], Some("a"))).expect("good"), ["fog// fog"]);
    let err = read_all(&path, &Columns::default()).expect_err("cannot tell");
    assert!(err.to_string().ends_with("the columns are \"b\", \"a\""), "{err}");
}

#[test]
fn a_column_of_another_type_is_named() {
    let (_folder, path) = parquet(&[("text", Arc::new(Int64Array::from(vec![1])))]);
    let err = read_all(&path, &Columns::default()).expect_err("numbers are no text");
    let expected = "the column \"text\" holds Int64, but text must be a column of strings";
    assert!(err.to_string().ends_with(expected), "{err}");
}

#[test]
fn compressed_copies_are_read() {
    let (folder, path) = parquet(&[("text", strings(&[Some("sea")]))]);
    let bytes = std::fs::read(&path).expect("just written");
    let zst = folder.path().join("docs.parquet.zst");
    std::fs::write(&zst, zstd::encode_all(&bytes[..], 1).expect("compressed")).expect("written");
    assert_eq!(read_all(&zst, &Columns::default()).expect("good"), ["// sea"]);
}

#[test]
fn bytes_that_are_not_utf8_are_counted_or_refused() {
    let (_folder, path) =
        parquet(&[("text", Arc::new(BinaryArray::from(vec![b"caf\xe9".as_ref()])))]);
    let read = |strict| read_text_with(strict, 1, |g| read(&path, &Columns::default(), g));
    assert_eq!(read(false).expect("lenient").warnings.len(), 1);
    assert!(read(true).expect_err("strict").to_string().contains("0xE9 at byte offset 3"));
}

#[test]
fn damaged_files_are_errors() {
    let text: Vec<String> = (0..50).map(|i| format!("sea number {i}")).collect();
    let text: Vec<Option<&str>> = text.iter().map(|t| Some(t.as_str())).collect();
    let (folder, path) = parquet(&[("text", strings(&text))]);
    let bytes = std::fs::read(&path).expect("just written");
    let damaged = folder.path().join("damaged.parquet");
    let read_bytes = |bytes: &[u8]| {
        std::fs::write(&damaged, bytes).expect("written");
        read_all(&damaged, &Columns::default())
    };
    for cut in 0..bytes.len() {
        let err = read_bytes(&bytes[..cut]).expect_err("a cut file");
        assert!(err.to_string().contains("cannot be read as Parquet: "), "{err}");
    }
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            let _ = read_bytes(&bytes); // some flips are in names and statistics; none may panic
        }
    }
}
