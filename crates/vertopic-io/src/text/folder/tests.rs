use super::*;
use crate::text::tests::{all, read_text, read_text_with, write};

fn read_folder(folder: &Path, globs: &[&str]) -> Result<Vec<String>, IoError> {
    let globs: Vec<String> = globs.iter().map(|g| (*g).to_owned()).collect();
    let files = find(folder, &Include::new(&globs)?)?;
    Ok(all(&read_text(|g| read(files, g))?.corpus))
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (name, bytes) in files {
        write(&folder.path().join(name), bytes);
    }
    folder
}

#[test]
fn files_come_in_the_order_of_their_paths_and_hidden_ones_not_at_all() {
    let folder = folder(&[
        ("b.txt", b"\xef\xbb\xbfsea"),
        ("a/z.md", b"fog"),
        ("a.TXT", b""),
        (".hidden.txt", b"no"),
        (".git/x.txt", b"no"),
        ("a/skip.csv", b"no"),
    ]);
    let read = read_folder(folder.path(), &[]).expect("good");
    assert_eq!(read, ["a.TXT// ", "a/z.md// fog", "b.txt// sea"]);
}

#[test]
fn compressed_files_are_read() {
    let zst = zstd::encode_all(&b"sea fog"[..], 1).expect("compressed");
    let folder = folder(&[("a.txt.zst", &zst)]);
    assert_eq!(read_folder(folder.path(), &[]).expect("good"), ["a.txt.zst// fog sea"]);
}

#[test]
fn globs_say_which_files_are_read() {
    let folder = folder(&[("x.log", b"sea"), ("in/y.log", b"fog"), ("in/deep/z.log", b"sun")]);
    let path = folder.path();
    assert_eq!(read_folder(path, &["*.log"]).expect("good").len(), 3);
    assert_eq!(read_folder(path, &["in/*.log"]).expect("good"), ["in/y.log// fog"]);
    assert_eq!(read_folder(path, &["in/**/*.log", "x.*"]).expect("good").len(), 3);
    let err = read_folder(path, &["[z"]).expect_err("bad glob");
    assert!(err.to_string().starts_with("the pattern \"[z\" is not a glob: "), "{err}");
}

#[test]
fn a_folder_without_text_says_what_it_has() {
    let folder = folder(&[("a.log", b""), ("b.LOG", b""), ("c.pdf", b""), ("README", b"")]);
    let err = read_folder(folder.path(), &[]).expect_err("no text");
    let expected = "no file in this folder is to be read; it has files with the endings \
                    .log (2), .pdf (1), no ending (1)";
    assert!(err.to_string().ends_with(expected), "{err}");
    assert_eq!(err.hint().expect("has one"), "include '*.log' to read files with that ending");
    let empty = tempfile::tempdir().expect("temporary folder");
    let err = read_folder(empty.path(), &[]).expect_err("nothing there");
    assert!(err.to_string().ends_with("it has no files"), "{err}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_loops_end() {
    let folder = folder(&[("in/a.txt", b"sea")]);
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(name)).expect("linked");
    };
    link(folder.path(), "in/loop");
    link(&folder.path().join("in/a.txt"), "b.txt");
    link(Path::new("/nowhere/at/all"), "broken.pdf");
    let read = read_folder(folder.path(), &[]).expect("good");
    assert_eq!(read, ["b.txt// sea", "in/a.txt// sea"]);
    link(Path::new("/nowhere/at/all"), "broken.txt");
    let err = read_folder(folder.path(), &[]).expect_err("a document is missing");
    assert!(err.to_string().contains("broken.txt"), "{err}");
}

#[test]
fn strict_reading_names_the_file() {
    let folder = folder(&[("a.txt", b"sea"), ("b.txt", b"caf\xe9")]);
    let files = find(folder.path(), &Include::new(&[]).expect("default")).expect("found");
    let err = read_text_with(true, 1, |g| read(files, g)).expect_err("strict");
    assert!(err.to_string().ends_with("b.txt: byte 0xE9 at byte offset 3 is not UTF-8"), "{err}");
}
