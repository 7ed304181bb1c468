//! Engines: the same bytes for any sharding, exact sums of any size, and errors for malformed bytes.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::*;
use crate::context::{Context, Parallelism};
use crate::corpus::{Corpus, CorpusBuilder, CountTokens, DocumentInfo, Documents};
use crate::detect::Method;
use crate::error::Error;
use crate::observe::Silent;
use crate::seed::{Seed, Stage};
use crate::sketch::Sketch;
use crate::{FitParams, choose_topics};

/// Documents of three topics of ten words, one in three of them with words of a second topic.
fn corpus(numbers: impl Iterator<Item = u64>) -> Corpus {
    let mut b = CorpusBuilder::with_words((0..30).map(|w| format!("w{w:02}")).collect());
    for d in numbers {
        let mut random = Seed(3).stream(Stage::Tie, d);
        let mut below = |n: u64| random.next_u64() % n;
        let topics = [d % 3, if d % 9 < 3 { below(3) } else { d % 3 }];
        let tokens = 10 + below(30);
        let mut pairs: Vec<(u32, u32)> =
            (0..tokens).map(|_| ((topics[below(2) as usize] * 10 + below(10)) as u32, 1)).collect();
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

fn threads(n: usize) -> Context<'static> {
    Context::new(Parallelism::Threads(n.try_into().expect("positive")), &Silent).expect("threads")
}

/// Documents in parts, and the last pass of each name.
struct Parts {
    parts: Vec<Corpus>,
    /// How often sums are added to themselves.
    doublings: u32,
    seen: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Parts {
    fn new(documents: u64, n: u64, doublings: u32) -> Self {
        let part = |part| corpus((0..documents).filter(move |d| d % n == part));
        Self { parts: (0..n).map(part).collect(), doublings, seen: Mutex::default() }
    }

    fn seen(self) -> BTreeMap<String, Vec<u8>> {
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for Parts {
    fn run(&self, pass: &[u8]) -> Result<Vec<u8>, Error> {
        let name = String::from_utf8_lossy(&pass[13..13 + usize::from(pass[12])]).into_owned();
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(name, pass.to_vec());
        // Later parts first, on other numbers of threads.
        let parts = self.parts.iter().enumerate().rev();
        let mut sums = parts.map(|(n, part)| run_pass(pass, part, &threads(n % 3 + 1)));
        let mut all = sums.next().expect("a part")?;
        for part in sums {
            all = merge_sums(&part?, &all)?;
        }
        (0..self.doublings).try_fold(all, |all, _| merge_sums(&all, &all))
    }
}

fn all_methods() -> Vec<FitParams> {
    let paper = [Method::Ddp, Method::Rp, Method::Binning].map(|m| FitParams::paper(3, m));
    paper.into_iter().chain([FitParams::new(3)]).collect()
}

#[test]
fn a_fit_over_an_engine_is_the_fit_in_memory() {
    let (all, ctx) = (corpus(0..300), threads(2));
    let remote = Remote::new(Parts::new(300, 3, 0), all.vocabulary().clone(), &ctx).expect("parts");
    assert_eq!(remote.n_documents(), 300);
    for params in all_methods() {
        let found = params.fit_with(&remote, &ctx).expect("fitted");
        assert_eq!(
            found,
            params.fit_with(&all, &ctx).expect("fitted"),
            "{:?}",
            params.detect().method
        );
    }
    let params = FitParams::new(2);
    let chosen = choose_topics(&remote, &params, &ctx).expect("chosen");
    assert_eq!(chosen, choose_topics(&all, &params, &ctx).expect("chosen"));
}

/// The last pass of each name.
fn passes() -> BTreeMap<String, Vec<u8>> {
    let (words, ctx) = (corpus(0..9).vocabulary().clone(), threads(1));
    let remote = Remote::new(Parts::new(300, 1, 0), words, &ctx).expect("parts");
    for params in all_methods() {
        params.fit_with(&remote, &ctx).expect("fitted");
    }
    choose_topics(&remote, &FitParams::new(2), &ctx).expect("chosen");
    remote.pass(&CountTokens, &ctx).expect("counted");
    remote.into_engine().seen()
}

#[test]
fn sums_are_the_same_bytes_for_any_sharding() {
    let passes = passes();
    assert_eq!(passes.len(), 15, "{:?}", passes.keys());
    let whole = corpus((0..300).rev());
    for (name, pass) in passes {
        let one = run_pass(&pass, &whole, &threads(1)).expect("sums");
        let three = Parts::new(300, 3, 0).run(&pass).expect("sums");
        assert!(one == three, "{name}");
        let little = run_pass(&pass, &whole, &threads(3).with_memory(1)).expect("sums");
        assert!(one == little, "{name} with little memory");
    }
}

#[test]
fn malformed_bytes_are_errors() {
    let (documents, ctx) = (corpus(0..20), threads(1));
    let other = CorpusBuilder::with_words(vec!["w".into()]).finish().expect("no documents");
    for (name, pass) in passes() {
        let wrong = run_pass(&pass, &other, &ctx).expect_err("other words").to_string();
        assert!(wrong.contains("other words"), "{name}: {wrong}");
        for length in
            (0..pass.len()).rev().step_by(pass.len() / 50 + 1).chain(0..60.min(pass.len() - 1))
        {
            let cut = run_pass(&pass[..length], &documents, &ctx);
            assert!(matches!(cut, Err(Error::BadPass(_))), "{name} {length}: {cut:?}");
        }
        let sums = run_pass(&pass, &documents, &ctx).expect("sums");
        for length in (0..sums.len()).step_by(sums.len() / 50 + 1) {
            assert!(merge_sums(&sums[..length], &sums).is_err(), "{name}");
            assert!(merge_sums(&sums, &sums[..length]).is_err(), "{name}");
        }
        // An altered byte is another pass or none, but nothing worse.
        let mut altered = pass.clone();
        for at in (0..pass.len().min(80)).chain((80..pass.len()).step_by(pass.len() / 40 + 1)) {
            for bit in [0, 7] {
                altered[at] ^= 1 << bit;
                if let Ok(other) = run_pass(&altered, &documents, &ctx) {
                    assert!(merge_sums(&sums, &other).is_err(), "{name} {at}: another pass");
                }
                altered[at] = pass[at];
            }
        }
        let mut altered = sums.clone();
        for at in (0..sums.len().min(120)).chain((120..sums.len()).step_by(sums.len() / 40 + 1)) {
            for bit in [0, 7] {
                altered[at] ^= 1 << bit;
                let _ = merge_sums(&altered, &sums);
                altered[at] = sums[at];
            }
        }
    }
}

#[test]
fn ten_to_the_fourteen_documents_have_the_topics_of_their_originals() {
    let (all, ctx) = (corpus(0..120), threads(2));
    // A power of two scales every sum and changes no digit of a quotient.
    let many = Parts::new(120, 2, 40);
    let many = Remote::new(many, all.vocabulary().clone(), &ctx).expect("parts");
    assert_eq!(many.n_documents(), 120 << 40);
    for method in [Method::Ddp, Method::Rp] {
        for params in [FitParams::paper(3, method), FitParams::improved(3, method)] {
            let expected = params.fit_with(&all, &ctx).expect("fitted");
            let found = params.fit_with(&many, &ctx).expect("fitted");
            assert_eq!(found.topics(), expected.topics(), "{method:?}");
            let sketch = Sketch::of(&many, &params.sketch().expect("sums"), &ctx).expect("sums");
            let found = params.fit_sketch(&sketch, &ctx).expect("fitted");
            assert_eq!(found.topics(), expected.topics(), "{method:?} from a sketch");
            let metadata = sketch.metadata().expect("JSON");
            let parts = sketch.parts();
            assert!(!parts.high.is_empty(), "more than 64 bits");
            assert_eq!(Sketch::from_parts(&metadata, parts).as_ref(), Ok(&sketch));
            let both = sketch.merge(&sketch).expect("twice");
            assert_eq!(both.subtract(&sketch).as_ref(), Ok(&sketch));
        }
    }
}
