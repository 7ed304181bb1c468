//! All formats say the same; none can be made to panic.

mod cuts;

use std::io::Cursor;

use proptest::prelude::*;
use vertopic::corpus::{CorpusBuilder, DocumentInfo};

use super::*;
use crate::error::IoError;
use crate::source::Source;
use crate::store::{CorpusKind, CorpusMeta, read_corpus, write_corpus};

const FORMATS: [(&str, CountFormat); 4] = [
    ("uci", CountFormat::Uci),
    ("mtx", CountFormat::MatrixMarket),
    ("svm", CountFormat::Svmlight),
    ("ldac", CountFormat::LdaC),
];

/// A file that is in memory.
pub(super) fn file(name: &str, bytes: impl Into<Vec<u8>>) -> Source {
    Source::from_reader(name, Cursor::new(bytes.into()))
}

/// The message and the hint for a bad file.
pub(super) fn refusal(
    format: CountFormat,
    text: &str,
    options: &CountOptions,
) -> (String, Option<String>) {
    let error = format.read(file("x", text), options).expect_err(text);
    (error.to_string(), error.hint())
}

/// Checks the message for each bad file; `options` are for all of them.
pub(super) fn refuses(format: CountFormat, options: &CountOptions, cases: &[(&str, &str)]) {
    for (text, message) in cases {
        assert_eq!(refusal(format, text, options).0, *message, "for {text:?}");
    }
}

/// The documents as `(word, count)` pairs.
pub(super) fn documents(corpus: &Corpus) -> Vec<Vec<(&str, u32)>> {
    let word = |id| corpus.vocabulary().word(id);
    corpus.documents().map(|d| d.entries().map(|(w, c)| (word(w), c)).collect()).collect()
}

/// Options with these words.
pub(super) fn with_vocab(words: &[&str]) -> CountOptions {
    let vocab = words.iter().map(|w| (*w).to_owned()).collect();
    CountOptions { vocab: Some(vocab), ..CountOptions::default() }
}

/// Documents of up to eight words, some of them empty, with counts up to the largest.
fn corpora() -> impl Strategy<Value = Corpus> {
    let count = prop_oneof![1_u32..9, Just(1_000_000), Just(536_870_911)];
    let document = prop::collection::vec((0_u32..12, count), 0..8);
    prop::collection::vec(document, 0..20).prop_map(|documents| {
        let words = (0..12).map(|i| format!("w{}é", i * 7 % 12)).collect();
        let mut builder = CorpusBuilder::with_words(words);
        for mut document in documents {
            builder.push(&mut document, DocumentInfo::default()).expect("good");
        }
        builder.finish().expect("good")
    })
}

proptest! {
    #[test]
    fn every_format_gives_back_the_same_corpus(corpus in corpora()) {
        let mut words = Vec::new();
        vocab::write(&corpus, &mut words).expect("in memory");
        let vocab = vocab::read(file("vocab", words)).expect("good");
        let options = CountOptions { vocab: Some(vocab), ..CountOptions::default() };
        for (name, format) in FORMATS {
            let mut bytes = Vec::new();
            format.write(&corpus, &mut bytes).expect("in memory");
            let back = format.read(file(name, bytes), &options).expect(name);
            prop_assert_eq!(back.corpus.fingerprint(), corpus.fingerprint());
            prop_assert_eq!(documents(&back.corpus), documents(&corpus));
            prop_assert!(back.warnings.is_empty());
        }
    }

    #[test]
    fn without_a_vocabulary_the_formats_agree_too(corpus in corpora()) {
        let prints = FORMATS.map(|(name, format)| {
            let mut bytes = Vec::new();
            format.write(&corpus, &mut bytes).expect("in memory");
            format.read(file(name, bytes), &CountOptions::default()).expect(name).corpus.fingerprint()
        });
        prop_assert!(prints.iter().all(|print| *print == prints[0]), "{:?}", prints);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for (name, format) in FORMATS {
            let _ = format.read(file(name, bytes.clone()), &CountOptions::default());
        }
        let _ = vocab::read(file("vocab", bytes));
    }

    /// Bytes of the alphabet of these formats get further into the parsers than any bytes.
    #[test]
    fn random_numbers_never_panic(
        body in "[0-9 :.#\\-e\n]{0,120}",
        given in any::<bool>(),
        transpose in any::<bool>(),
        zero_based in any::<bool>(),
    ) {
        let words = given.then(|| (1..4).map(|i| i.to_string()).collect());
        let options = CountOptions { vocab: words, vocab_path: None, transpose, zero_based };
        let matrix = "%%MatrixMarket matrix coordinate real general\n3 3 ";
        for (name, format) in FORMATS {
            for head in ["", "3\n3\n2\n", matrix] {
                let _ = format.read(file(name, format!("{head}{body}")), &options);
            }
        }
    }
}

#[test]
fn every_format_has_the_fingerprint_of_the_corpus_on_disk() {
    let mut builder = CorpusBuilder::with_words(["b", "c", "a"].map(String::from).to_vec());
    for mut pairs in [vec![(0, 1), (2, 5)], vec![], vec![(1, 2)], vec![]] {
        builder.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    let corpus = builder.finish().expect("good");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.arrow");
    let meta = CorpusMeta { kind: CorpusKind::Counts, tokenizer: None };
    write_corpus(&path, &corpus, &meta).expect("written");
    let stored = read_corpus(&path).expect("good").0.fingerprint();
    for (name, format) in FORMATS {
        let mut bytes = Vec::new();
        format.write(&corpus, &mut bytes).expect("in memory");
        let back = format.read(file(name, bytes), &with_vocab(&["a", "b", "c"])).expect(name);
        assert_eq!(back.corpus.fingerprint(), stored, "{name}");
    }
}

#[test]
fn a_count_is_a_whole_number_from_1_to_the_largest_u32_in_every_format() {
    let bad = ["-3", "0", "2.5", "NaN", "inf", "x", "4294967296", "99999999999999999999", "-0"];
    for count in bad {
        let rule = format!("the count {count} is not a whole number from 1 to 4294967295");
        for (name, format) in FORMATS {
            let (text, line) = one_entry(name, count);
            let (message, _) = refusal(format, &text, &CountOptions::default());
            assert_eq!(message, format!("x, line {line}: {rule}"), "{name}");
        }
    }
    for (name, format) in FORMATS {
        let corpus =
            format.read(file(name, one_entry(name, "4294967295").0), &CountOptions::default());
        assert_eq!(documents(&corpus.expect(name).corpus), [[("1", u32::MAX)]]);
    }
}

/// A file of one entry, and the line on which it stands.
fn one_entry(format: &str, count: &str) -> (String, u64) {
    match format {
        "uci" => (format!("1\n1\n1\n1 1 {count}\n"), 4),
        "mtx" => {
            (format!("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 {count}\n"), 3)
        }
        "svm" => (format!("5 1:{count}\n"), 1),
        _ => (format!("1 0:{count}\n"), 1),
    }
}

#[test]
fn hints_say_what_a_bad_count_means() {
    let hint = |count: &str| {
        refusal(CountFormat::Uci, &one_entry("uci", count).0, &CountOptions::default()).1
    };
    assert!(hint("0").expect("a hint").contains("leave out the words"));
    assert!(hint("0.25").expect("a hint").contains("tf-idf"));
    assert!(hint("2.0").expect("a hint").contains("digits alone"));
    assert_eq!(hint("-1"), None);
    assert_eq!(hint("NaN"), None);
}

#[test]
fn words_named_twice_are_added_and_counted() {
    let warning =
        "x: 2 entries name a word that its document had named before; the counts were added";
    let twice = [
        "1\n2\n4\n1 1 1\n1 2 2\n1 1 3\n1 1 4\n",
        "%%MatrixMarket matrix coordinate integer general\n1 2 4\n1 1 1\n1 2 2\n1 1 3\n1 1 4\n",
        "1:1 2:2 1:3 1:4\n",
        "4 0:1 1:2 0:3 0:4\n",
    ];
    for ((_, format), text) in FORMATS.into_iter().zip(twice) {
        let back = format.read(file("x", text), &CountOptions::default()).expect(text);
        assert_eq!(documents(&back.corpus), [[("1", 8), ("2", 2)]]);
        assert_eq!(back.warnings, [warning]);
    }
}

#[test]
fn a_document_that_is_too_long_is_named() {
    let rule = "4294967296 tokens, more than the 4294967295 a document can hold";
    let options = CountOptions::default();
    let text = "2\n2\n2\n2 1 4294967295\n2 2 1\n";
    assert_eq!(refusal(CountFormat::Uci, text, &options).0, format!("x: document 2 has {rule}"));
    let text = "1:1\n1:4294967295 1:1\n";
    assert_eq!(
        refusal(CountFormat::Svmlight, text, &options).0,
        format!("x, line 2: the document has {rule}")
    );
}

#[test]
fn a_large_number_for_a_word_costs_no_memory() {
    let back = CountFormat::Svmlight
        .read(file("x", "1:1 4294967294:2 5000000:1\n"), &CountOptions::default());
    let corpus = back.expect("good").corpus;
    assert_eq!(documents(&corpus), [[("1", 1), ("4294967294", 2), ("5000000", 1)]]);
}
