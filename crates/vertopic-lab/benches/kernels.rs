//! The kernels one by one, on one generated corpus and one thread: `cargo bench`.
//!
//! Items are what a kernel's cost is counted in: multiply-adds for those that multiply, else pairs, words or bytes. Compare
//! lines of one run; `bench/speed.py` has the machine's limits beside whole fits.

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use vertopic::context::{Context, Parallelism};
use vertopic::corpus::DocumentKey;
use vertopic::estimate::{Quadratic, Scratch, StopRule, minimise_on_simplex};
use vertopic::infer::{InferParams, mixtures};
use vertopic::moments::{
    CooccurrenceOperator, Directions, PairScheme, Projected, SufficientStats as _, TokenPairs,
    TokenSample, Weighting, WordStats,
};
use vertopic::observe::Silent;
use vertopic::refine::{RefineParams, Start, ValidationSet, refine};
use vertopic::seed::{Seed, Stage};
use vertopic_io::counts::{CountFormat, CountOptions};
use vertopic_io::source::Source;
use vertopic_lab::synth::lda::Lda;
use vertopic_lab::synth::truth::Planted;

fn main() {
    vertopic_io::tune_allocator(); // as the program does
    divan::main();
}

const TOPICS: usize = 100;
/// Columns of the embedding for this number of topics.
const COLUMNS: usize = 112;
const DIRECTIONS: usize = 256;

static RUN: LazyLock<Context<'static>> = LazyLock::new(|| {
    Context::new(Parallelism::Threads(NonZeroUsize::MIN), &Silent).expect("one thread")
});
static PLANTED: LazyLock<Planted> = LazyLock::new(|| {
    let lda = Lda { words: 5000, topics: TOPICS, documents: 10_000, ..Lda::default() };
    lda.generate(1, &RUN).expect("sizes that fit")
});
static TOTALS: LazyLock<WordStats> = LazyLock::new(|| {
    WordStats::of(&PLANTED.corpus, TokenPairs::new(Seed(0), PairScheme::All), &RUN).expect("pairs")
});

/// Pairs of the corpus.
fn pairs() -> usize {
    PLANTED.corpus.nnz()
}

/// Numbers between −1/2 and 1/2.
fn noise(n: usize) -> Vec<f64> {
    let mut stream = Seed(2).stream(Stage::Embed, 0);
    (0..n).map(|_| stream.unit() - 0.5).collect()
}

/// What reading costs at least: looking for line ends.
#[divan::bench]
fn count_lines(bencher: Bencher) {
    let bytes = text();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| black_box(&bytes).split(|b| *b == b'\n').count());
}

/// UCI text to a corpus.
#[divan::bench]
fn read_uci(bencher: Bencher) {
    let bytes = text();
    let options = CountOptions::default();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .with_inputs(|| Source::from_reader("x", std::io::Cursor::new(bytes.clone())))
        .bench_local_values(|source| {
            RUN.install(|| CountFormat::Uci.read(source, &options)).expect("sound")
        });
}

fn text() -> Vec<u8> {
    let mut bytes = Vec::new();
    CountFormat::Uci.write(&PLANTED.corpus, &mut bytes).expect("in memory");
    bytes
}

/// Random numbers of directions, as many as a pass over the documents needs.
#[divan::bench]
fn directions(bencher: Bencher) {
    let directions = Directions::new(Seed(0));
    let documents = PLANTED.corpus.n_documents();
    let mut out = [0; DIRECTIONS];
    bencher.counter(ItemsCount::new(documents * DIRECTIONS)).bench_local(|| {
        for d in 0..documents {
            directions.fill(DocumentKey(d as u64), 0, &mut out);
            black_box(&out);
        }
    });
}

/// RP: all words on a block of directions, directions included.
#[divan::bench]
fn projections(bencher: Bencher) {
    let rows: Vec<u32> = (0..PLANTED.corpus.n_words() as u32).collect();
    let (seed, pairs, sample) = (Seed(0), PairScheme::All, TokenSample::Whole);
    let asked = Projected { seed, pairs, sample, rows: &rows, directions: DIRECTIONS };
    bencher.counter(ItemsCount::new(self::pairs() * DIRECTIONS)).bench_local(|| {
        PLANTED.corpus.projections(&asked, &RUN, |_, tiles| black_box(tiles).n_words())
    });
}

/// DDP: pairs of the 500 words of lowest number with all.
#[divan::bench]
fn pair_sums(bencher: Bencher) {
    let columns: Vec<u32> = (0..PLANTED.corpus.n_words() as u32).collect();
    let rows = &columns[..500];
    let work = PLANTED
        .corpus
        .documents()
        .map(|d| d.words.len() * d.words.iter().filter(|&&w| (w as usize) < rows.len()).count());
    bencher
        .counter(ItemsCount::new(work.sum::<usize>()))
        .bench_local(|| PLANTED.corpus.pair_sums(TokenPairs::default(), rows, &columns, &RUN));
}

/// The embedding: the co-occurrence matrix times a few columns, there and back for each pair.
#[divan::bench]
fn cooccurrence_times(bencher: Bencher) {
    let cooccurrence =
        CooccurrenceOperator::off_diagonal(&PLANTED.corpus, &TOTALS, Weighting::TfIdf);
    let vectors = noise(PLANTED.corpus.n_words() * COLUMNS);
    bencher
        .counter(ItemsCount::new(2 * pairs() * COLUMNS))
        .bench_local(|| cooccurrence.times(&vectors, COLUMNS, &RUN));
}

/// A regression on the simplex for each of 1,000 words.
#[divan::bench]
fn regressions(bencher: Bencher) {
    let points = noise((TOPICS + 1000) * TOPICS);
    let (vertices, words) = points.split_at(TOPICS * TOPICS);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let cross = |word: &[f64]| vertices.chunks(TOPICS).map(|v| dot(v, word)).collect::<Vec<_>>();
    let gram: Vec<f64> = vertices.chunks(TOPICS).flat_map(cross).collect();
    let products: Vec<Vec<f64>> = words.chunks(TOPICS).map(cross).collect();
    let (mut scratch, mut b) = (Scratch::new(TOPICS), vec![0.0; TOPICS]);
    let stop = StopRule { tolerance: 1e-6, most_iterations: 500 };
    bencher.counter(ItemsCount::new(products.len())).bench_local(|| {
        for c in &products {
            let objective = Quadratic { gram: &gram, linear: c };
            black_box(minimise_on_simplex(objective, &mut b, stop, &mut scratch));
        }
    });
}

/// Multiply-adds (or products) for a pair and a topic in a sweep: 2 in each of two rounds by all tokens, 5 in the one by the
/// others, 4 to share a token out and 4 to hand it over.
const SWEEP: usize = 2 + 2 + 5 + 4 + 4;

/// Sweeps of the refinement.
#[divan::bench]
fn refine_sweeps(bencher: Bencher) {
    let validation = ValidationSet::new(Seed(0), PLANTED.corpus.n_documents());
    let refine = || {
        let start = Start { topics: &PLANTED.topics, weights: &PLANTED.weights };
        let params = RefineParams::default();
        refine(&PLANTED.corpus, start, validation, &params, &RUN).expect("planted topics")
    };
    let sweeps = refine().report.sweeps;
    bencher.counter(ItemsCount::new(sweeps * SWEEP * pairs() * TOPICS)).bench_local(refine);
}

/// Mixtures of all documents.
#[divan::bench]
fn fold_in(bencher: Bencher) {
    let weights: Vec<f32> = PLANTED.weights.iter().map(|&a| a as f32).collect();
    let params = InferParams::default();
    bencher
        .counter(ItemsCount::new(PLANTED.corpus.n_documents()))
        .bench_local(|| mixtures(&PLANTED.topics, &weights, &PLANTED.corpus, &params, &RUN));
}
