use std::io::Write as _;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).expect("in memory");
    out.finish().expect("in memory")
}

/// With a checksum, as the program zstd writes it.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut out = zstd::stream::write::Encoder::new(Vec::new(), 3).expect("in memory");
    out.include_checksum(true).expect("can be set");
    out.write_all(bytes).expect("in memory");
    out.finish().expect("in memory")
}

/// All lines with their numbers.
fn lines(source: Source) -> Result<Vec<(u64, Vec<u8>)>, IoError> {
    let (mut lines, mut out) = (source.lines(), Vec::new());
    while let Some((number, line)) = lines.next()? {
        out.push((number, line.to_vec()));
    }
    assert_eq!(lines.number(), out.len() as u64);
    Ok(out)
}

/// A file of that name with these bytes, opened and read.
fn read_file(name: &str, bytes: &[u8]) -> Result<Vec<(u64, Vec<u8>)>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    let shown = format!("{}/", folder.path().display());
    open(&path).and_then(lines).map_err(|e| e.to_string().replace(&shown, ""))
}

fn numbered(lines: &[&[u8]]) -> Vec<(u64, Vec<u8>)> {
    lines.iter().enumerate().map(|(i, line)| (i as u64 + 1, line.to_vec())).collect()
}

/// Enough text that its compressed form has many bytes to cut.
fn long_text() -> Vec<u8> {
    (0_u64..5000).flat_map(|i| format!("{}\n", i.wrapping_mul(0x9e37_79b9)).into_bytes()).collect()
}

#[test]
fn line_ends_and_byte_order_mark_are_taken_off() {
    let got = read_file("a.txt", b"\xef\xbb\xbfone\r\n\ntwo\xff\n\rlast");
    assert_eq!(got, Ok(numbered(&[b"one", b"", b"two\xff", b"\rlast"])));
    assert_eq!(read_file("a.txt", b""), Ok(vec![]));
    assert_eq!(read_file("a.txt", b"\n"), Ok(numbered(&[b""])));
}

#[test]
fn compression_goes_by_the_ending() {
    let want = Ok(numbered(&[b"a", b"b"]));
    assert_eq!(read_file("x.txt", b"a\nb\n"), want);
    assert_eq!(read_file("x.txt.gz", &gzip(b"a\nb\n")), want);
    assert_eq!(read_file("x.txt.GZ", &gzip(b"a\nb\n")), want);
    assert_eq!(read_file("x.txt.zst", &zstd(b"a\nb\n")), want);
    // Two members one after the other are one file, as `cat a.gz b.gz` makes it.
    assert_eq!(read_file("x.gz", &[gzip(b"a\n"), gzip(b"b\n")].concat()), want);
    assert_eq!(read_file("x.zst", &[zstd(b"a\n"), zstd(b"b\n")].concat()), want);
}

#[test]
fn a_stream_is_decompressed_by_its_first_bytes() {
    for bytes in [b"a\nb\n".to_vec(), gzip(b"a\nb\n"), zstd(b"a\nb\n")] {
        let source = sniff(PathBuf::from(STDIN), Cursor::new(bytes)).expect("opens");
        assert_eq!(source.path, Path::new("<stdin>"));
        assert_eq!(lines(source).expect("good"), numbered(&[b"a", b"b"]));
    }
    for bytes in [&b""[..], b"a", b"(\xb5/"] {
        let source = sniff(PathBuf::from(STDIN), Cursor::new(bytes)).expect("opens");
        assert_eq!(lines(source).expect("good").len(), usize::from(!bytes.is_empty()));
    }
}

#[test]
fn compressed_data_cut_anywhere_are_an_error() {
    let text = long_text();
    for (name, whole) in [("x.gz", gzip(&text)), ("x.zst", zstd(&text))] {
        let message = format!("{name}: ends before its compressed data do; it may be truncated");
        let cuts = (1..12).chain([whole.len() / 2, whole.len() - 8, whole.len() - 1]);
        for cut in cuts {
            assert_eq!(read_file(name, &whole[..cut]), Err(message.clone()), "{name} at {cut}");
        }
        assert!(read_file(name, &whole).is_ok());
    }
}

#[test]
fn damaged_compressed_data_are_an_error() {
    let text = long_text();
    for (name, mut bytes) in [("x.gz", gzip(&text)), ("x.zst", zstd(&text))] {
        let middle = bytes.len() / 2;
        bytes[middle..middle + 40].fill(0);
        let message = read_file(name, &bytes).expect_err("damaged");
        assert!(message.starts_with(&format!("{name}: its compressed data are damaged: ")));
        let message = read_file(name, b"this is no compressed file").expect_err("plain text");
        assert!(message.starts_with(&format!("{name}: its compressed data are damaged: ")));
    }
}

#[test]
fn an_empty_file_with_a_compressed_ending_is_truncated() {
    for name in ["x.gz", "x.zst"] {
        let got = read_file(name, b"");
        assert_eq!(
            got,
            Err(format!("{name}: ends before its compressed data do; it may be truncated"))
        );
    }
}

#[test]
fn a_missing_file_is_named() {
    let message = open(Path::new("no/such/file.txt")).expect_err("missing").to_string();
    assert!(message.starts_with("no/such/file.txt: cannot open: "), "{message}");
    let message = open(Path::new(".")).and_then(lines).expect_err("a folder").to_string();
    assert!(message.starts_with(".: cannot read: "), "{message}");
}

#[test]
fn compression_endings_are_stripped() {
    for (path, want) in [("a.gz", "a"), ("a.tsv.ZST", "a.tsv"), ("b/.gz", "b/.gz"), ("-", "-")] {
        assert_eq!(strip_compression(Path::new(path)), Path::new(want));
    }
}
