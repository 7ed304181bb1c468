//! Fits whose passes run in another process, over documents cut into seven parts.
//!
//! The test starts its own binary again and names the test [`worker`] there. Passes go to its standard input, sums come back
//! from its standard error, which the test harness does not write to.

use std::io::{Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use vertopic::context::{Context, Parallelism};
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo, Vocabulary};
use vertopic::detect::Method;
use vertopic::engine::{Engine, Remote, merge_sums, run_pass};
use vertopic::observe::Silent;
use vertopic::seed::{Seed, Stage};
use vertopic::{Error, FitParams};

const PARTS: u64 = 7;
const DOCUMENTS: u64 = 500;
/// Set for the worker.
const WORKER: &str = "VERTOPIC_TEST_WORKER";

/// Documents of four topics, by their numbers.
fn corpus(numbers: impl Iterator<Item = u64>) -> Corpus {
    let mut b = CorpusBuilder::with_words((0..48).map(|w| format!("w{w:02}")).collect());
    for d in numbers {
        let mut random = Seed(8).stream(Stage::Tie, d);
        let mut below = |n: u64| random.next_u64() % n;
        let topics = [d % 4, if d % 8 < 3 { below(4) } else { d % 4 }];
        let mut pairs: Vec<(u32, u32)> = (0..20 + below(40))
            .map(|_| match below(5) {
                0 => (40 + below(8) as u32, 1), // words of all topics
                _ => ((topics[below(2) as usize] * 10 + below(10)) as u32, 1),
            })
            .collect();
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

fn threads(n: usize) -> Context<'static> {
    Context::new(Parallelism::Threads(n.try_into().expect("positive")), &Silent).expect("threads")
}

/// A length, and as many bytes; `None` at the end of the stream.
fn read_frame(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length).ok()?;
    let mut bytes = vec![0; u64::from_le_bytes(length) as usize];
    from.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn write_frame(to: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// Answers every pass with the sums of each part, when another test starts it; else it does nothing.
#[test]
fn worker() {
    if std::env::var_os(WORKER).is_none() {
        return;
    }
    let parts: Vec<Corpus> =
        (0..PARTS).map(|part| corpus((0..DOCUMENTS).filter(|d| d % PARTS == part))).collect();
    let contexts = [threads(1), threads(2).with_memory(1), threads(3)];
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stderr().lock());
    while let Some(pass) = read_frame(&mut input) {
        for (part, ctx) in parts.iter().zip(contexts.iter().cycle()) {
            let sums = run_pass(&pass, part, ctx).expect("a pass");
            write_frame(&mut output, &sums).expect("a reader");
        }
    }
}

/// Another process. It ends when its input does.
#[derive(Debug)]
struct Process {
    child: Child,
    streams: Mutex<(Option<ChildStdin>, ChildStderr)>,
}

impl Process {
    fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "worker", "--nocapture", "--test-threads=1"])
            .env(WORKER, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let streams = (child.stdin.take(), child.stderr.take().expect("piped"));
        Self { child, streams: Mutex::new(streams) }
    }
}

impl Engine for Process {
    fn run(&self, pass: &[u8]) -> Result<Vec<u8>, Error> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let (input, output) = &mut *streams;
        let failed = || Error::Documents { reason: "the worker is gone".into() };
        write_frame(input.as_mut().ok_or_else(failed)?, pass).map_err(|_| failed())?;
        let mut parts: Vec<Vec<u8>> =
            (0..PARTS).map(|_| read_frame(output).ok_or_else(failed)).collect::<Result<_, _>>()?;
        // As a tree, and not in order.
        parts.rotate_left(3);
        while parts.len() > 1 {
            let merged = parts.chunks(2).map(|two| match two {
                [one, other] => merge_sums(other, one),
                _ => Ok(two[0].clone()),
            });
            parts = merged.collect::<Result<_, _>>()?;
        }
        parts.pop().ok_or_else(failed)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.streams.get_mut().unwrap_or_else(PoisonError::into_inner).0.take();
        let _ = self.child.wait();
    }
}

fn words() -> Vocabulary {
    corpus(0..1).vocabulary().clone()
}

#[test]
fn a_fit_by_another_process_over_seven_parts_is_the_fit_in_memory() {
    let (all, ctx) = (corpus(0..DOCUMENTS), threads(2));
    let remote = Remote::new(Process::start(), words(), &ctx).expect("a worker");
    for params in [
        FitParams::new(4),
        FitParams::paper(4, Method::Rp),
        FitParams::improved(4, Method::Rp),
        FitParams::paper(4, Method::Ddp),
        FitParams::paper(4, Method::Binning),
    ] {
        let found = params.fit_with(&remote, &ctx).expect("fitted");
        let expected = params.fit_with(&all, &ctx).expect("fitted");
        assert_eq!(found.topics(), expected.topics(), "{:?}", params.detect().method);
        assert_eq!(found, expected, "{:?}", params.detect().method);
    }
}

#[test]
fn a_worker_that_is_gone_is_an_error_of_the_fit() {
    let ctx = threads(1);
    let remote = Remote::new(Process::start(), words(), &ctx).expect("a worker");
    let mut process = remote.into_engine();
    process.child.kill().expect("killed");
    process.child.wait().expect("ended");
    let error = Remote::new(process, words(), &ctx).expect_err("no worker");
    assert!(error.is_failed_pass(), "{error}");
}
