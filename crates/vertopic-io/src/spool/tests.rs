use super::*;
use crate::store::{CorpusKind, CorpusMeta, spool_corpus, write_corpus};
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo, Frequency, Prune};
use vertopic::detect::Method;
use vertopic::observe::Silent;
use vertopic::run::Parallelism;
use vertopic::{FitParams, fit};

/// Documents of three kinds of words, a few of them empty, some with an id, and words that are rare.
fn corpus(documents: u32) -> Corpus {
    let mut b = CorpusBuilder::new();
    for d in 0..documents {
        let own = ["sea", "hill", "oven"][d as usize % 3];
        let mut pairs: Vec<(u32, u32)> =
            (0..5).map(|i| (b.word(&format!("{own}{i}")), 2 + (d * (i + 1)) % 4)).collect();
        let other = ["sea", "hill", "oven"][(d as usize / 3 + d as usize) % 3];
        if other != own {
            pairs.push((b.word(&format!("{other}{}", d % 5)), 1 + d % 3));
        }
        pairs.push((b.word(&format!("rare{}", d % 70)), 1));
        pairs.push((b.word("common"), 1 + d % 2));
        if d % 50 == 7 {
            pairs.clear();
        }
        let id = (d % 4 > 0).then(|| format!("doc {d}"));
        b.push(&mut pairs, DocumentInfo { id, ..DocumentInfo::default() }).expect("good");
    }
    b.finish().expect("good")
}

fn stored(corpus: &Corpus, folder: &Path) -> PathBuf {
    let path = folder.join("corpus.arrow");
    let meta = CorpusMeta { kind: CorpusKind::Counts, tokenizer: None };
    write_corpus(&path, corpus, &meta).expect("written");
    path
}

fn threads(n: usize) -> Run<'static> {
    let n = std::num::NonZeroUsize::new(n).expect("positive");
    Run::new(Parallelism::Threads(n), &Silent).expect("threads")
}

#[test]
fn a_fit_from_the_disk_is_the_fit_in_memory() {
    let (corpus, folder) = (corpus(300), tempfile::tempdir().expect("a folder"));
    let path = stored(&corpus, folder.path());
    let limits = Prune { min_df: Frequency::Count(8), ..Prune::default() };
    let (small, report) = corpus.clone().prune(&limits).expect("words are left");
    let methods = [Method::Embedded, Method::Rp, Method::Ddp];
    for (n, method) in [1, 2, 3].into_iter().zip(methods) {
        let run = threads(n);
        let spooled = spool_corpus(&path, folder.path(), 1 << 30, |_, _| limits, &run);
        let (spool, meta, spooled_report) = spooled.expect("sound");
        assert_eq!((spooled_report, meta.kind), (report, CorpusKind::Counts));
        let params = FitParams::improved(3, method);
        let expected = fit(&small, &params, &threads(1));
        let expected = expected.unwrap_or_else(|e| panic!("{method:?}: {e}"));
        // Little memory means many passes, and the same model.
        let found = fit(&spool, &params, &run.with_memory(1)).expect("fitted");
        spool.check().expect("read");
        assert_eq!(found, expected, "{method:?}");
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(names.len(), 1, "the spool has no name");
}

#[test]
fn a_disk_that_fails_is_told_of() {
    let (corpus, folder) = (corpus(100), tempfile::tempdir().expect("a folder"));
    let path = stored(&corpus, folder.path());
    let run = threads(2);
    let spooled = spool_corpus(&path, folder.path(), 1 << 30, |_, _| Prune::default(), &run);
    let (spool, ..) = spooled.expect("sound");
    spool.file.set_len(100).expect("cut");
    let _ = fit(&spool, &FitParams::new(3), &run);
    let message = spool.check().expect_err("cut").to_string();
    assert!(message.contains("cannot read a temporary file"), "{message}");
}

#[test]
fn damage_and_batches_that_are_too_large_are_refused() {
    let (corpus, folder) = (corpus(100), tempfile::tempdir().expect("a folder"));
    let path = stored(&corpus, folder.path());
    let spool = |memory| {
        spool_corpus(&path, folder.path(), memory, |_, _| Prune::default(), &threads(1)).map(drop)
    };
    let message = spool(1000).expect_err("small").to_string();
    assert!(message.contains("a batch of its documents takes"), "{message}");
    let mut bytes = std::fs::read(&path).expect("there");
    let place = bytes.len() / 2;
    bytes[place] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    assert!(spool(1 << 30).is_err(), "altered");
}
