use super::*;
use crate::counts::CountFormat;
use crate::counts::tests::{documents, file, refusal, refuses, with_vocab};

const NONE: CountOptions =
    CountOptions { vocab: None, vocab_path: None, transpose: false, zero_based: false };

#[test]
fn ids_count_from_zero_and_0_is_an_empty_document() {
    let back =
        CountFormat::LdaC.read(file("x", "2 0:1 2:3\n0\n1 1:9\n"), &with_vocab(&["a", "b", "c"]));
    let want = [vec![("a", 1), ("c", 3)], vec![], vec![("b", 9)]];
    assert_eq!(documents(&back.expect("good").corpus), want);
    let back = CountFormat::LdaC.read(file("x", "1 0:1"), &NONE).expect("good");
    assert_eq!(documents(&back.corpus), [[("1", 1)]]);
}

#[test]
fn bad_lines_are_refused() {
    let rule = "is not a whole number from 0 to 1, as the vocabulary has it";
    refuses(
        CountFormat::LdaC,
        &with_vocab(&["a", "b"]),
        &[
            ("1 0:1\n\n1 0:1\n", "x, line 2: the line is empty"),
            ("2 0:1\n", "x, line 1: the line says 2 pairs id:count, but it has 1"),
            ("0 0:1\n", "x, line 1: the line says 0 pairs id:count, but it has 1"),
            (
                "1000000000000000000\n",
                "x, line 1: the line says 1000000000000000000 pairs id:count, but it has 0",
            ),
            ("0:1\n", "x, line 1: the number of pairs, 0:1, is not a whole number"),
            ("1 2:1\n", &format!("x, line 1: the word id 2 {rule}")),
            ("1 -1:1\n", &format!("x, line 1: the word id -1 {rule}")),
            ("1 1\n", "x, line 1: 1 is not a pair id:count"),
            ("1 1:2.0\n", "x, line 1: the count 2.0 is not a whole number from 1 to 4294967295"),
        ],
    );
    let (_, hint) = refusal(CountFormat::LdaC, "\n", &NONE);
    assert_eq!(hint.as_deref(), Some("a document without words is written as 0"));
}
