use super::*;
use crate::counts::{CountFormat, vocab};
use crate::input::{self, InputInfo, InputOptions, read_into};
use crate::sink::Room;
use crate::store::{CorpusKind, CorpusMeta, write_corpus};
use vertopic::Error;
use vertopic::FitParams;
use vertopic::context::Parallelism;
use vertopic::corpus::{
    Corpus, CorpusBuilder, DocumentInfo, Frequency, PassReader, PassWriter, Prune, PruneReport,
    SumFields,
};
use vertopic::detect::Method;
use vertopic::observe::Silent;

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

/// An input that was read into a spool.
#[derive(Debug)]
struct Spooled {
    spool: Spool,
    report: PruneReport,
    info: InputInfo,
}

/// Reads an input into a spool with this number of bytes of memory.
fn spooled(path: &Path, memory: u64, limits: Prune, ctx: &Context<'_>) -> Result<Spooled, IoError> {
    let mut builder = SpoolBuilder::new(path.parent().expect("in a folder"), Room::AtMost(memory))?;
    let info = read_into(&[path.to_owned()], &InputOptions::default(), &mut builder, ctx)?;
    let (spool, report) = builder.into_spool(|_| limits, ctx)?;
    Ok(Spooled { spool, report, info })
}

fn threads(n: usize) -> Context<'static> {
    let n = std::num::NonZeroUsize::new(n).expect("positive");
    Context::new(Parallelism::Threads(n), &Silent).expect("threads")
}

#[test]
fn a_fit_from_the_disk_is_the_fit_in_memory() {
    let (corpus, folder) = (corpus(300), tempfile::tempdir().expect("a folder"));
    let path = stored(&corpus, folder.path());
    let limits = Prune { min_df: Frequency::Count(8), ..Prune::default() };
    let (small, report) = corpus.clone().prune(&limits).expect("words are left");
    let methods = [Method::Embedded, Method::Rp, Method::Ddp];
    for (n, method) in [1, 2, 3].into_iter().zip(methods) {
        let ctx = threads(n);
        let read = spooled(&path, 1 << 30, limits, &ctx).expect("sound");
        assert_eq!((read.report, read.info.kind), (report, CorpusKind::Counts));
        let spool = read.spool;
        let params = FitParams::improved(3, method);
        let expected = params.fit_with(&small, &threads(1));
        let expected = expected.unwrap_or_else(|e| panic!("{method:?}: {e}"));
        // Little memory means many passes, and the same model.
        let found = params.fit_with(&spool, &ctx.with_memory(1)).expect("fitted");
        assert_eq!(found, expected, "{method:?}");
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(names.len(), 1, "the spool has no name");
}

#[test]
fn a_disk_that_fails_is_told_of() {
    let (corpus, folder) = (corpus(100), tempfile::tempdir().expect("a folder"));
    let path = stored(&corpus, folder.path());
    let ctx = threads(2);
    let spool = spooled(&path, 1 << 30, Prune::default(), &ctx).expect("sound").spool;
    spool.file.set_len(100).expect("cut");
    let message = FitParams::new(3).fit_with(&spool, &ctx).expect_err("cut").to_string();
    assert!(message.contains("cannot read a temporary file"), "{message}");
}

#[test]
fn damage_and_batches_that_are_too_large_are_refused() {
    let (corpus, folder) = (corpus(100), tempfile::tempdir().expect("a folder"));
    let path = stored(&corpus, folder.path());
    let spool = |memory| spooled(&path, memory, Prune::default(), &threads(1)).map(drop);
    let message = spool(1000).expect_err("small").to_string();
    assert!(message.contains("a batch of its documents takes"), "{message}");
    let mut bytes = std::fs::read(&path).expect("there");
    let place = bytes.len() / 2;
    bytes[place] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    assert!(spool(1 << 30).is_err(), "altered");
}

/// What a pass over documents sees: keys, words and counts.
fn seen(documents: &impl Documents) -> Vec<(u64, Vec<u32>, Vec<u32>)> {
    struct See;
    #[derive(Default)]
    struct Seen(Vec<(u64, Vec<u32>, Vec<u32>)>);
    impl Accumulator for Seen {
        fn add(&mut self, d: Document<'_>) {
            self.0.push((d.key.0, d.words.to_vec(), d.counts.to_vec()));
        }
        fn merge(&mut self, other: Self) {
            self.0.extend(other.0);
        }
        fn exchange(&mut self, _: &mut SumFields) -> Result<(), Error> {
            Ok(())
        }
    }
    impl Pass for See {
        const NAME: &'static str = "see";
        const STAGE: &'static str = "seeing";
        type Accumulator<'a> = Seen;
        fn accumulator(&self, _: &Vocabulary, _: &Context<'_>) -> Seen {
            Seen::default()
        }
        fn write(&self, _: &mut PassWriter) {}
        fn read(_: &mut PassReader<'_>, _: &Vocabulary) -> Result<Self, Error> {
            Ok(Self)
        }
    }
    documents.pass(&See, &threads(1)).expect("read").0
}

#[test]
fn files_of_counts_come_in_pieces_and_in_any_order() {
    let (corpus, folder) = (corpus(300), tempfile::tempdir().expect("a folder"));
    let limits = Prune { min_df: Frequency::Count(8), ..Prune::default() };
    let file = |name: &str| folder.path().join(name);
    let write = |name: &str, bytes: &[u8]| std::fs::write(file(name), bytes).expect("written");
    let formats = [
        ("docword.x.txt", CountFormat::Uci),
        ("x.mtx", CountFormat::MatrixMarket),
        ("x.svm", CountFormat::Svmlight),
        ("x.ldac", CountFormat::LdaC),
    ];
    for (name, format) in formats {
        let mut bytes = Vec::new();
        format.write(&corpus, &mut bytes).expect("in memory");
        write(name, &bytes);
    }
    // Entries of a matrix that a program wrote word by word.
    let text = std::fs::read_to_string(file("docword.x.txt")).expect("there");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[3..].sort_by_key(|line| line.split(' ').nth(1).map(str::to_owned));
    write("docword.y.txt", lines.join("\n").as_bytes());
    let mut words = Vec::new();
    vocab::write(&corpus, &mut words).expect("in memory");
    write("vocab.x.txt", &words);
    let ctx = threads(2);
    for name in ["docword.x.txt", "docword.y.txt", "x.mtx", "x.svm", "x.ldac"] {
        let paths = [file(name)];
        let options = InputOptions::default();
        let whole = input::read(&paths, &options, &ctx).expect("sound");
        let (small, report) = whole.corpus.prune(&limits).expect("words are left");
        for memory in [1, 5_000, 1 << 30] {
            let read = spooled(&paths[0], memory, limits, &ctx).expect("sound");
            assert_eq!(read.report, report, "{name} {memory}");
            assert_eq!(read.info.notes, whole.notes);
            assert_eq!(read.spool.vocabulary, *small.vocabulary(), "{name} {memory}");
            assert_eq!(seen(&read.spool), seen(&small), "{name} {memory}");
        }
    }
    // A header that is wrong is found out before anything is made of the entries.
    for (header, message) in [
        ("300\n99\n7", "the header says 7 entries"),
        ("999999999999\n99\n1", "too many empty ones"),
    ] {
        write("docword.z.txt", format!("{header}\n1 1 1\n").as_bytes());
        let refused = spooled(&file("docword.z.txt"), 1, limits, &ctx).expect_err("wrong");
        assert!(refused.to_string().contains(message), "{refused}");
    }
}
