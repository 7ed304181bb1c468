use super::*;
use crate::context::Context;
use crate::error::{Advice, Error};
use proptest::prelude::*;

fn build(documents: &[(&str, &[(&str, u32)])]) -> Corpus {
    let mut b = CorpusBuilder::new();
    for (id, pairs) in documents {
        let mut pairs: Vec<(u32, u32)> = pairs.iter().map(|&(w, c)| (b.word(w), c)).collect();
        let id = (!id.is_empty()).then(|| (*id).to_owned());
        b.push(&mut pairs, DocumentInfo { id, ..Default::default() }).expect("good document");
    }
    b.finish().expect("good corpus")
}

const NOTES: &[(&str, &[(&str, u32)])] =
    &[("a", &[("sun", 2), ("sea", 1)]), ("b", &[("sea", 3), ("fog", 1)]), ("c", &[])];

#[test]
fn the_order_of_documents_and_words_does_not_reach_the_fingerprint() {
    let a = build(NOTES);
    let mut reversed: Vec<(&str, Vec<(&str, u32)>)> =
        NOTES.iter().map(|(id, p)| (*id, p.iter().rev().copied().collect())).collect();
    reversed.reverse();
    let reversed: Vec<(&str, &[(&str, u32)])> =
        reversed.iter().map(|(id, p)| (*id, p.as_slice())).collect();
    assert_eq!(a.fingerprint(), build(&reversed).fingerprint());
}

#[test]
fn ids_words_and_counts_all_reach_the_fingerprint() {
    let base = build(NOTES).fingerprint();
    let id = build(&[NOTES[0], NOTES[1], ("d", &[])]).fingerprint();
    let count = build(&[("a", &[("sun", 1), ("sea", 1)]), NOTES[1], NOTES[2]]).fingerprint();
    let word = build(&[("a", &[("sun", 2), ("sky", 1)]), NOTES[1], NOTES[2]]).fingerprint();
    assert!(base != id && base != count && base != word && count != word);
}

#[test]
fn a_word_named_twice_in_a_document_gets_the_sum_and_is_counted() {
    let mut b = CorpusBuilder::with_words(vec!["x".into(), "y".into()]);
    b.push(&mut [(1, 2), (0, 1), (1, 3)], DocumentInfo::default()).expect("good");
    assert_eq!(b.merged_pairs(), 1);
    let corpus = b.finish().expect("good");
    assert_eq!(corpus.document(0).counts, [1, 5]);
}

#[test]
fn bad_documents_are_refused_with_the_value() {
    let mut b = CorpusBuilder::with_words(vec!["x".into()]);
    let err = b.push(&mut [(1, 1)], DocumentInfo::default()).expect_err("beyond");
    assert_eq!(err.to_string(), "document 0: word id 1 is not below the size of the vocabulary, 1");
    let err = b.push(&mut [(0, 0)], DocumentInfo::default()).expect_err("zero");
    assert!(err.to_string().contains("the count of \"x\" is 0"));
    let err = b.push(&mut [(0, u32::MAX), (0, 1)], DocumentInfo::default()).expect_err("too long");
    assert!(err.to_string().contains("4294967296 tokens"), "{err}");
    // A refused document leaves nothing behind.
    b.push(&mut [(0, 7)], DocumentInfo::default()).expect("good");
    let corpus = b.finish().expect("good");
    assert_eq!((corpus.n_documents(), corpus.document(0).counts), (1, &[7][..]));
}

#[test]
fn shares_mean_what_they_say() {
    for (share, documents, low, high) in [(0.07, 100, 7, 7), (0.29, 100, 29, 29), (0.5, 3, 2, 1)] {
        assert_eq!(Frequency::Share(share).at_least(documents), low);
        assert_eq!(Frequency::Share(share).at_most(documents), high);
    }
}

#[test]
fn pruning_keeps_every_document_and_says_what_went() {
    let limits = Prune { min_df: Frequency::Count(2), ..Prune::default() };
    let (pruned, report) = build(NOTES).prune(&limits).expect("sea stays");
    assert_eq!(pruned.vocabulary().words(), ["sea"]);
    assert_eq!(pruned.n_documents(), 3);
    assert_eq!(pruned.id(1), Some("b"));
    assert_eq!((report.words_before, report.words_after), (3, 1));
    assert_eq!((report.tokens_before, report.tokens_after), (7, 4));
    assert_eq!(report.empty_documents, 1);
}

#[test]
fn words_that_no_document_has_are_not_counted_as_pruned() {
    let mut b = CorpusBuilder::with_words(["a", "never", "z"].map(str::to_owned).to_vec());
    b.push(&mut [(0, 2), (2, 1)], DocumentInfo::default()).expect("good");
    let (pruned, report) = b.finish().expect("good").prune(&Prune::default()).expect("words stay");
    assert_eq!(pruned.vocabulary().words(), ["a", "z"]);
    assert_eq!((report.words_before, report.words_after), (2, 2));
}

#[test]
fn max_vocab_keeps_the_highest_document_frequencies_and_breaks_ties_by_bytes() {
    let limits = Prune { max_vocab: Some(2), ..Prune::default() };
    let (pruned, _) = build(NOTES).prune(&limits).expect("words stay");
    assert_eq!(pruned.vocabulary().words(), ["fog", "sea"]);
}

#[test]
fn pruning_everything_is_an_error_with_the_limits() {
    let limits = Prune { min_df: Frequency::Share(0.9), ..Prune::default() };
    let err = build(NOTES).prune(&limits).expect_err("nothing is that frequent");
    assert!(err.to_string().contains("at least 3 and at most 3 of the 3 documents"), "{err}");
    assert!(err.advice().contains(&Advice::PruneLess));
}

#[test]
fn shards_in_any_order_are_the_same_corpus() {
    let whole = build(NOTES);
    let shards = vec![build(&NOTES[1..]), build(&NOTES[..1])];
    assert_eq!(Corpus::concat(shards).expect("good").fingerprint(), whole.fingerprint());
}

#[test]
fn of_all_bad_documents_the_first_is_named() {
    let refusal = |words: [&str; 2], bad: &[(usize, u32, u32)]| {
        let (mut ids, mut counts) = (vec![0_u32; 90], vec![1_u32; 90]);
        for &(at, id, count) in bad {
            (ids[at], counts[at]) = (id, count);
        }
        let rows = Rows::new((0..=30).map(|d| d * 3).collect(), ids, counts);
        let words = words.map(str::to_owned).to_vec();
        Corpus::from_rows(words, rows).expect_err("bad").to_string()
    };
    for words in [["y", "x"], ["w", "x"]] {
        let refusal = |bad| refusal(words, bad);
        assert!(
            refusal(&[(89, 2, 1), (61, 1, 0)]).contains("document 20: the count of \"x\" is 0")
        );
        assert!(refusal(&[(61, 1, 0), (32, 9, 1)]).contains("document 10: word id 9 is not below"));
        assert!(refusal(&[(61, 1, 0), (4, 1, u32::MAX)]).contains("4294967297 tokens"));
    }
}

#[test]
fn documents_in_canonical_form_are_checked_too() {
    let words = || ["a", "b", "c"].map(str::to_owned).to_vec();
    for (ids, counts, told) in [
        ([0, 1, 3], [1, 1, 1], "word id 3 is not below"),
        ([0, 1, 2], [1, 0, 1], "the count of \"b\" is 0"),
        ([0, 1, 2], [1, u32::MAX, 1], "4294967297 tokens"),
    ] {
        let rows = Rows::new(vec![0, 3], ids.to_vec(), counts.to_vec());
        let message = Corpus::from_rows(words(), rows).expect_err(told).to_string();
        assert!(message.contains(told), "{message}");
    }
    let rows = Rows::new(vec![0, 3, 3], vec![0, 1, 2], vec![1, u32::MAX - 2, 1]);
    let (corpus, merged) = Corpus::from_rows(words(), rows).expect("good");
    assert_eq!((corpus.n_tokens(), merged), (u64::from(u32::MAX), 0));
    assert_eq!(corpus.document(0).words, [0, 1, 2]);
}

/// A sum that would show a document left out, taken twice or given to the wrong accumulator.
struct Checksum(u64);

impl Accumulator for Checksum {
    fn add(&mut self, d: Document<'_>) {
        self.0 = self.0.wrapping_add(d.entries().fold(d.key.0, |h, (w, c)| {
            h.wrapping_mul(31).wrapping_add(u64::from(w) * 7 + u64::from(c))
        }));
    }
    fn merge(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.count(&mut self.0)
    }
}

/// The pass behind a checksum.
struct Check;

impl Pass for Check {
    const NAME: &'static str = "checksum";
    const STAGE: &'static str = "testing";
    type Accumulator<'a> = Checksum;
    fn accumulator(&self, _: &Vocabulary, _: &Context<'_>) -> Checksum {
        Checksum(0)
    }
    fn write(&self, _: &mut PassWriter) {}
    fn read(_: &mut PassReader<'_>, _: &Vocabulary) -> Result<Self, Error> {
        Ok(Self)
    }
}

proptest! {
    #[test]
    fn rows_are_the_documents_pushed_one_by_one(
        docs in prop::collection::vec(prop::collection::vec((0_u32..9, 1_u32..5), 0..12), 0..40),
        labelled in any::<bool>(),
        in_order in any::<bool>(),
    ) {
        let name = |i: u32| format!("w{}", if in_order { i } else { i * 4 % 9 });
        let words: Vec<String> = (0..9).map(name).collect();
        let mut b = CorpusBuilder::with_words(words.clone());
        let label = |d: usize| (labelled && d.is_multiple_of(3)).then(|| d.to_string());
        for (d, pairs) in docs.iter().enumerate() {
            let info = DocumentInfo { label: label(d), ..DocumentInfo::default() };
            b.push(&mut pairs.clone(), info).expect("good");
        }
        let (merged, want) = (b.merged_pairs(), b.finish().expect("good"));
        let ends = docs.iter().scan(0, |end, pairs| { *end += pairs.len(); Some(*end) });
        let (ids, counts) = docs.iter().flatten().copied().unzip();
        let rows = Rows::new(std::iter::once(0).chain(ends).collect(), ids, counts);
        let labels = (0..docs.len()).map(|d| label(d).map(String::into_boxed_str)).collect();
        let (corpus, also_merged) =
            Corpus::from_rows(words, rows.with_labels(labels)).expect("good");
        prop_assert_eq!(also_merged, merged);
        // Builders finish as rows do, so their documents and keys are checked apart from both.
        for (d, pairs) in docs.iter().enumerate() {
            let mut sums = std::collections::BTreeMap::new();
            for &(w, c) in pairs {
                *sums.entry(name(w)).or_insert(0) += c;
            }
            let document = corpus.document(d);
            let own = document.entries().map(|(w, c)| (corpus.vocabulary().word(w).to_owned(), c));
            prop_assert!(own.eq(sums));
            let key = DocumentKey::new(None, document.words, document.counts, corpus.vocabulary());
            prop_assert_eq!(document.key, key);
        }
        let tokens: u64 = docs.iter().flatten().map(|&(_, c)| u64::from(c)).sum();
        prop_assert_eq!(corpus.n_tokens(), tokens);
        prop_assert_eq!(corpus, want);
    }

    #[test]
    fn a_pass_sees_every_document_once_for_any_number_of_threads(
        docs in prop::collection::vec(prop::collection::vec((0_u32..9, 1_u32..5), 0..6), 0..40),
        threads in 1_usize..8,
    ) {
        let mut b = CorpusBuilder::with_words((0..9).map(|i| format!("w{i}")).collect());
        for d in &docs {
            b.push(&mut d.clone(), DocumentInfo::default()).expect("good");
        }
        let corpus = b.finish().expect("good");
        let mut one = Checksum(0);
        corpus.documents().for_each(|d| one.add(d));
        let threads = crate::context::Parallelism::Threads(threads.try_into().expect("positive"));
        let ctx = Context::new(threads, &crate::observe::Silent).expect("threads");
        prop_assert_eq!(corpus.pass(&Check, &ctx).expect("in memory").0, one.0);
    }
}
