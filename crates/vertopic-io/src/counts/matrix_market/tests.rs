use super::*;
use crate::counts::CountFormat;
use crate::counts::tests::{documents, file, refusal, refuses, with_vocab};

const NONE: CountOptions =
    CountOptions { vocab: None, vocab_path: None, transpose: false, zero_based: false };
const TRANSPOSE: CountOptions =
    CountOptions { vocab: None, vocab_path: None, transpose: true, zero_based: false };
const INTEGER: &str = "%%MatrixMarket matrix coordinate integer general\n";
const REAL: &str = "%%MatrixMarket matrix coordinate real general\n";

#[test]
fn rows_are_documents_or_words() {
    let text = format!("{INTEGER}% made by hand\n%\n\n3 2 3\n3 1 5\n1 2 1\n3 2 2\n");
    let back = CountFormat::MatrixMarket.read(file("x", &*text), &NONE).expect("good");
    assert_eq!(documents(&back.corpus), [vec![("2", 1)], vec![], vec![("1", 5), ("2", 2)]]);
    let back = CountFormat::MatrixMarket.read(file("x", text), &TRANSPOSE).expect("good");
    assert_eq!(documents(&back.corpus), [vec![("3", 5)], vec![("1", 1), ("3", 2)]]);
}

#[test]
fn real_values_must_be_whole_and_patterns_count_one() {
    let back = CountFormat::MatrixMarket
        .read(file("x", format!("{REAL}1 3 3\n1 1 2.0\n1 2 1e3\n1 3 +4\n")), &NONE);
    assert_eq!(documents(&back.expect("good").corpus), [[("1", 2), ("2", 1000), ("3", 4)]]);
    let text = "%%matrixmarket MATRIX Coordinate Pattern general\n2 2 2\n1 1\n2 2\n";
    let back = CountFormat::MatrixMarket.read(file("x", text), &NONE).expect("good");
    assert_eq!(documents(&back.corpus), [[("1", 1)], [("2", 1)]]);
    let rule = "is not a whole number from 1 to 4294967295";
    refuses(
        CountFormat::MatrixMarket,
        &NONE,
        &[
            (&format!("{REAL}1 1 1\n1 1 2.5\n"), &format!("x, line 3: the count 2.5 {rule}")),
            (&format!("{INTEGER}1 1 1\n1 1 2.0\n"), &format!("x, line 3: the count 2.0 {rule}")),
            (&format!("{REAL}1 1 1\n1 1 1e10\n"), &format!("x, line 3: the count 1e10 {rule}")),
        ],
    );
}

#[test]
fn other_matrices_are_refused_with_what_is_supported() {
    let rule = "is not supported; supported is \
                %%MatrixMarket matrix coordinate (integer|real|pattern) general";
    for (kind, word) in [
        ("matrix array real general", "array"),
        ("matrix coordinate complex general", "complex"),
        ("matrix coordinate integer symmetric", "symmetric"),
        ("vector coordinate integer general", "vector"),
    ] {
        let (message, _) =
            refusal(CountFormat::MatrixMarket, &format!("%%MatrixMarket {kind}\n1 1 0\n"), &NONE);
        assert_eq!(message, format!("x, line 1: {word} {rule}"));
    }
    let start = "x, line 1: not a MatrixMarket file, which starts with \
                 %%MatrixMarket matrix coordinate (integer|real|pattern) general";
    refuses(
        CountFormat::MatrixMarket,
        &NONE,
        &[
            ("", start),
            ("1 1 1\n", start),
            (
                "%%MatrixMarket matrix coordinate\n",
                "x, line 1: the first line has 3 words instead of 5: \
                 %%MatrixMarket matrix coordinate (integer|real|pattern) general",
            ),
        ],
    );
}

#[test]
fn bad_sizes_and_entries_are_refused() {
    let pattern = "%%MatrixMarket matrix coordinate pattern general\n";
    for (text, message) in [
        (format!("{INTEGER}% c\n"), "x: ends before its size line: rows, columns, entries"),
        (
            format!("{INTEGER}% c\n3 x 1\n"),
            "x, line 3: the size 3 x 1 is not three whole numbers: rows, columns, entries",
        ),
        (
            format!("{INTEGER}3 3\n"),
            "x, line 2: the size 3 3 is not three whole numbers: rows, columns, entries",
        ),
        (
            format!("{INTEGER}1 1 2\n1 1 1\n"),
            "x, line 2: the header says 2 entries, but the file has 1",
        ),
        (
            format!("{INTEGER}1 1 1\n1 2 1\n"),
            "x, line 3: the word id 2 is not a whole number from 1 to 1, as the header has it",
        ),
        (
            format!("{INTEGER}1 1 1\n2 1 1\n"),
            "x, line 3: the document id 2 is not a whole number from 1 to 1, as the header has it",
        ),
        (
            format!("{INTEGER}1 1 1\n1 1\n"),
            "x, line 3: the entry 1 1 has 2 fields instead of 3: row, column, count",
        ),
        (
            format!("{pattern}1 1 1\n1 1 1\n"),
            "x, line 3: the entry 1 1 1 has 3 fields instead of 2: row, column",
        ),
        (
            format!("{INTEGER}1000000000000000000 1 0\n"),
            "x: the header says 1000000000000000000 documents, but only 0 of them have entries: \
             too many empty ones to be right",
        ),
    ] {
        refuses(CountFormat::MatrixMarket, &NONE, &[(&text, message)]);
    }
}

#[test]
fn a_vocabulary_of_the_other_side_hints_at_transpose() {
    let text = format!("{INTEGER}3 2 1\n1 1 1\n");
    let (message, hint) = refusal(CountFormat::MatrixMarket, &text, &with_vocab(&["a", "b", "c"]));
    assert_eq!(
        message,
        "x, line 2: the header says 2 words, but the vocabulary file has 3 lines: 1 too many"
    );
    assert!(hint.expect("a hint").contains("transpose it"));
    assert_eq!(refusal(CountFormat::MatrixMarket, &text, &with_vocab(&["a"])).1, None);
}
