use vertopic::corpus::{CorpusBuilder, DocumentInfo};

use super::*;
use crate::counts::CountFormat;
use crate::counts::tests::{documents, file, refusal, refuses, with_vocab};

const NONE: CountOptions =
    CountOptions { vocab: None, vocab_path: None, transpose: false, zero_based: false };
const ZERO: CountOptions =
    CountOptions { vocab: None, vocab_path: None, transpose: false, zero_based: true };

#[test]
fn labels_comments_and_query_ids() {
    let text = "# a file\n+1 1:2 3:1 # note 9:9\n\n   \n-1 qid:4 2:2.0\nspam\n2:1e2\n";
    let back = CountFormat::Svmlight.read(file("x", text), &NONE).expect("good").corpus;
    let want = [vec![("1", 2), ("3", 1)], vec![("2", 2)], vec![], vec![("2", 100)]];
    assert_eq!(documents(&back), want);
    let labels: Vec<_> = (0..4).map(|d| back.label(d)).collect();
    assert_eq!(labels, [Some("+1"), Some("-1"), Some("spam"), None]);
}

#[test]
fn ids_count_from_one_unless_told() {
    let (message, hint) = refusal(CountFormat::Svmlight, "1 0:1\n", &NONE);
    assert_eq!(
        message,
        "x, line 1: the word id 0 is not a whole number from 1 to 4294967294, as the program has it"
    );
    assert!(hint.expect("a hint").contains("read from 0"));
    let back = CountFormat::Svmlight.read(file("x", "1 0:3 2:1\n"), &ZERO).expect("good");
    assert_eq!(documents(&back.corpus), [[("1", 3), ("3", 1)]]);
}

#[test]
fn bad_lines_are_refused() {
    let rule = "is not a whole number from 1 to 2, as the vocabulary has it";
    refuses(
        CountFormat::Svmlight,
        &with_vocab(&["a", "b"]),
        &[
            ("1 2:1\n1 3:1\n", &format!("x, line 2: the word id 3 {rule}")),
            ("1 a:1\n", &format!("x, line 1: the word id a {rule}")),
            ("1 :1\n", &format!("x, line 1: the word id \"\" {rule}")),
            ("1 2\n", "x, line 1: 2 is not a pair id:count"),
            ("1 2:1:3\n", "x, line 1: the count 1:3 is not a whole number from 1 to 4294967295"),
            ("1 2:\n", "x, line 1: the count \"\" is not a whole number from 1 to 4294967295"),
        ],
    );
    let error =
        CountFormat::Svmlight.read(file("x", &b"\xff 1:1\n"[..]), &NONE).expect_err("not UTF-8");
    assert_eq!(error.to_string(), "x, line 1: the label \u{fffd} is not UTF-8");
}

#[test]
fn labels_are_written_where_they_can_be() {
    let label = |label: Option<&str>| {
        let mut builder = CorpusBuilder::with_words(vec!["a".into()]);
        let info = DocumentInfo { label: label.map(str::to_owned), ..DocumentInfo::default() };
        builder.push(&mut [(0, 2)], info).expect("good");
        let mut out = Vec::new();
        write(&builder.finish().expect("good"), &mut out).map_err(|e| e.to_string())?;
        Ok::<_, String>(String::from_utf8(out).expect("text"))
    };
    assert_eq!(label(None), Ok("0 1:2\n".into()));
    assert_eq!(label(Some("sport")), Ok("sport 1:2\n".into()));
    let message = label(Some("New York")).expect_err("a blank");
    assert!(message.starts_with("the label \"New York\" of document 1 cannot stand"), "{message}");
}
