use vertopic::corpus::{CorpusBuilder, DocumentInfo};

use super::*;
use crate::counts::tests::file;

fn refusal(bytes: impl Into<Vec<u8>>) -> String {
    read(file("v", bytes)).expect_err("bad").to_string()
}

#[test]
fn words_are_lines() {
    let words = read(file("v", "sea\r\nfög\n a b \nsun")).expect("good");
    assert_eq!(words, ["sea", "fög", " a b ", "sun"]);
}

#[test]
fn bad_vocabularies_are_refused() {
    assert_eq!(refusal("sea\n\nsun\n"), "v, line 2: missing word: the line is empty");
    assert_eq!(refusal("sea\n \t\nsun\n"), "v, line 2: missing word: the line is empty");
    assert_eq!(refusal("a\nb\nc\nb\n"), "v, line 4: the word b stands twice, first in line 2");
    assert_eq!(refusal(&b"a\nb\xffc\n"[..]), "v, line 2: the word b\u{fffd}c is not UTF-8");
    assert_eq!(refusal("a\nb\na\n\n"), "v, line 3: the word a stands twice, first in line 1");
    assert_eq!(refusal("a\nb\n\na\n"), "v, line 3: missing word: the line is empty");
    assert_eq!(refusal(""), "v: has no words");
}

#[test]
fn a_word_that_would_not_come_back_is_not_written() {
    for word in ["a\nb", "", " ", "a\r", "\u{feff}a"] {
        let mut builder = CorpusBuilder::with_words(vec![word.to_owned()]);
        builder.push(&mut [(0, 1)], DocumentInfo::default()).expect("good");
        let corpus = builder.finish().expect("good");
        let message = write(&corpus, Vec::new()).expect_err(word).to_string();
        assert_eq!(message, format!("the word {word:?} cannot stand on a line of its own"));
    }
}
