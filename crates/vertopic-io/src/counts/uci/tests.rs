use super::*;
use crate::counts::CountFormat;
use crate::counts::tests::{documents, file, refusal, refuses, with_vocab};

const NONE: CountOptions =
    CountOptions { vocab: None, vocab_path: None, transpose: false, zero_based: false };

#[test]
fn entries_come_in_any_order_and_documents_without_any_stay() {
    let text = "5\n3\n4\n4 2 1\n2 3 7\n\n4 1 2\r\n 2\t1  1 \n";
    let back =
        CountFormat::Uci.read(file("x", text), &with_vocab(&["sea", "fog", "sun"])).expect("good");
    let want = [vec![], vec![("sea", 1), ("sun", 7)], vec![], vec![("fog", 1), ("sea", 2)], vec![]];
    assert_eq!(documents(&back.corpus), want);
    assert!(back.warnings.is_empty());
}

#[test]
fn without_a_vocabulary_words_are_their_numbers() {
    let back = CountFormat::Uci.read(file("x", "1\n12\n2\n1 10 1\n1 2 3\n"), &NONE).expect("good");
    assert_eq!(documents(&back.corpus), [[("10", 1), ("2", 3)]]);
}

#[test]
fn bad_headers_are_refused() {
    let short = "x: ends before its header does; it starts with three lines: \
                 the numbers of documents, words and entries";
    refuses(
        CountFormat::Uci,
        &NONE,
        &[
            ("", short),
            ("3\n4\n", short),
            (
                "a\n4\n1\n",
                "x, line 1: the number of documents, a, is not a whole number below 2^64",
            ),
            ("3\n-4\n1\n", "x, line 2: the number of words, -4, is not a whole number below 2^64"),
            (
                "3\n4\n1 1\n",
                "x, line 3: the number of entries, 1 1, is not a whole number below 2^64",
            ),
            ("3\n\n1\n", "x, line 2: the number of words, \"\", is not a whole number below 2^64"),
            ("3\n4\n2\n1 1 1\n", "x, line 3: the header says 2 entries, but the file has 1"),
            ("3\n4\n0\n1 1 1\n", "x, line 3: the header says 0 entries, but the file has 1"),
        ],
    );
}

#[test]
fn a_header_of_10_to_the_18_allocates_nothing() {
    let huge = 10_u64.pow(18);
    refuses(
        CountFormat::Uci,
        &NONE,
        &[
            (
                &format!("{huge}\n1\n1\n1 1 1\n"),
                "x: the header says 1000000000000000000 documents, but only 1 of them have entries: \
                 too many empty ones to be right",
            ),
            (
                &format!("1\n1\n{huge}\n1 1 1\n"),
                "x, line 3: the header says 1000000000000000000 entries, but the file has 1",
            ),
            (
                &format!("2\n{huge}\n1\n1 4294967295 1\n"),
                "x, line 4: the word id 4294967295 is not a whole number from 1 to 4294967294, \
                 as the header has it",
            ),
        ],
    );
    let back =
        CountFormat::Uci.read(file("x", format!("1\n{huge}\n1\n1 7 1\n")), &NONE).expect("good");
    assert_eq!(documents(&back.corpus), [[("7", 1)]]);
}

#[test]
fn bad_entries_are_refused() {
    refuses(
        CountFormat::Uci,
        &NONE,
        &[
            (
                "2\n3\n1\n0 1 1\n",
                "x, line 4: the document id 0 is not a whole number from 1 to 2, as the header has it",
            ),
            (
                "2\n3\n1\n3 1 1\n",
                "x, line 4: the document id 3 is not a whole number from 1 to 2, as the header has it",
            ),
            (
                "2\n3\n1\n1 0 1\n",
                "x, line 4: the word id 0 is not a whole number from 1 to 3, as the header has it",
            ),
            (
                "2\n3\n1\n1 4 1\n",
                "x, line 4: the word id 4 is not a whole number from 1 to 3, as the header has it",
            ),
            (
                "2\n3\n1\n1 b 1\n",
                "x, line 4: the word id b is not a whole number from 1 to 3, as the header has it",
            ),
            (
                "0\n3\n1\n1 1 1\n",
                "x, line 4: the document id 1 cannot be: the header allows no document",
            ),
            (
                "2\n3\n1\n1 1\n",
                "x, line 4: the entry 1 1 has 2 fields instead of 3: document, word, count",
            ),
            (
                "2\n3\n2\n1 1 1\nx\n",
                "x, line 5: the entry x has 1 field instead of 3: document, word, count",
            ),
            (
                "2\n3\n1\n1 1 1 9\n",
                "x, line 4: the entry 1 1 1 9 has 4 fields instead of 3: document, word, count",
            ),
        ],
    );
    let (_, hint) = refusal(CountFormat::Uci, "2\n3\n1\n1 0 1\n", &NONE);
    assert_eq!(hint.as_deref(), Some("ids count from 1 in this format"));
}

#[test]
fn the_vocabulary_must_be_as_long_as_the_header_says() {
    let text = "1\n3\n1\n1 1 1\n";
    let cases = [
        (
            &["a", "b"][..],
            "x, line 2: the header says 3 words, but the vocabulary file has 2 lines: 1 missing",
        ),
        (
            &["a", "b", "c", "d", "e"][..],
            "x, line 2: the header says 3 words, but the vocabulary file has 5 lines: 2 too many",
        ),
    ];
    for (words, message) in cases {
        assert_eq!(refusal(CountFormat::Uci, text, &with_vocab(words)).0, message);
    }
}

#[test]
fn long_garbage_is_not_repeated_whole() {
    let text = format!("1\n1\n1\n1 1 {}\n", "z".repeat(5000));
    assert!(refusal(CountFormat::Uci, &text, &NONE).0.len() < 200);
}
