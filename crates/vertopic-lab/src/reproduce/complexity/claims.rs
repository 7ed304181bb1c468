//! What each step should cost: the exponents that Table 3 and the algorithms predict.

use serde::{Deserialize, Serialize};
use vertopic::FitParams;
use vertopic::corpus::{Corpus, Frequency as DocumentFrequency};
use vertopic::detect::Method as Detector;

use super::Along::{self, Documents, Tokens, Topics, Words};
use crate::method::Method;
use crate::method::anchor::AnchorParams;
use crate::method::eca::EcaParams;
use crate::method::gibbs::GibbsParams;
use crate::method::nmf::NmfParams;
use crate::synth::separable::{Frequency, Law, Separable};

/// Sweeps and rounds that are timed: their cost is the same each time.
const ROUNDS: usize = 10;

/// A step of a method and what it should cost.
pub(super) struct Claim {
    pub(super) method: &'static str,
    pub(super) stage: &'static str,
    pub(super) along: Along,
    /// The exponent for large sizes, as Table 3 has it.
    pub(super) exponent: f64,
    /// Steps of the innermost loops on a corpus, up to a factor.
    pub(super) operations: fn(&Volume) -> f64,
    /// What is counted, in a few words.
    pub(super) because: &'static str,
}

/// What there is to do in a corpus. A document of twice the length has less than twice the distinct words,
/// so that exponents of the counted operations are not quite those of Table 3.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Volume {
    documents: f64,
    words: f64,
    topics: f64,
    tokens: f64,
    /// Pairs of a document and a word in it.
    entries: f64,
    /// Pairs of two words of a document.
    couples: f64,
}

impl Volume {
    pub(super) fn of(corpus: &Corpus, topics: usize) -> Self {
        let distinct = corpus.documents().map(|d| d.entries().count() as f64);
        let (entries, couples) = distinct.fold((0.0, 0.0), |(e, c), n| (e + n, c + n * n));
        Self {
            documents: corpus.n_documents() as f64,
            words: corpus.n_words() as f64,
            topics: topics as f64,
            tokens: corpus.documents().map(|d| d.tokens() as f64).sum(),
            entries,
            couples,
        }
    }
}

/// The method of a name for K topics.
pub(super) fn method(name: &str, k: usize) -> Method {
    match name {
        "ddp" => Method::Own(FitParams::paper(k, Detector::Ddp)),
        "rp" => Method::Own(FitParams::paper(k, Detector::Rp)),
        "binning" => Method::Own(FitParams::paper(k, Detector::Binning)),
        "gibbs" => {
            let new = GibbsParams::new(k);
            Method::Gibbs(GibbsParams { sweeps: ROUNDS, samples: 1, ..new })
        }
        "nmf" => {
            let new = NmfParams::new(k);
            Method::Nmf(NmfParams { most_iterations: ROUNDS, ..new })
        }
        "eca" => Method::Eca(EcaParams::new(k)),
        _ => {
            // No word of these corpora is in many documents.
            let min_df = Some(DocumentFrequency::Count(1));
            Method::Anchor(AnchorParams { min_df, ..AnchorParams::recover_l2(k) })
        }
    }
}

/// Sizes at which a method is measured; each is twice the one before. They are as large as it takes for
/// the costs that grow to outweigh those that do not.
pub(super) fn sizes(method: &str, along: Along, quick: bool) -> Vec<usize> {
    let first = match (method, along) {
        (_, Documents) => 4000,
        ("ddp", Tokens) => 50,
        (_, Tokens) => 100,
        ("ddp", Words) => 1000,
        (_, Words) => 2000,
        ("gibbs", Topics) => 32,
        ("nmf", Topics) => 64,
        (_, Topics) => 16,
    };
    // From 32 to 128 topics the sampler has one kernel; excess correlation analysis takes K⁴ after this step.
    let few = quick || (along == Topics && matches!(method, "gibbs" | "eca"));
    (0..if few { 3 } else { 4 }).map(|i| first << i).collect()
}

/// A corpus of that size. What does not grow stays.
///
/// Words are drawn evenly. There are few of them where DDP counts pairs, or the table of all pairs
/// would cost more than the counting; elsewhere many, so that few tokens of a document are equal.
pub(super) fn recipe(method: &str, along: Along, size: usize) -> Separable {
    let usual = Separable {
        words: if method == "ddp" { 1000 } else { 4000 },
        topics: 10,
        documents: match (method, along) {
            ("ddp", Tokens) => 4000,
            (_, Tokens) => 8000,
            _ => 2000,
        },
        tokens: 100,
        frequency: Frequency::Matched(Law::Uniform),
        ..Separable::default()
    };
    match along {
        Documents => Separable { documents: size, ..usual },
        Tokens => Separable { tokens: size, ..usual },
        Words => Separable { words: size, ..usual },
        Topics => Separable { topics: size, novel_share: 0.5, ..usual },
    }
}

/// All claims. Each is measured while the other sizes stay.
pub(super) fn claims() -> Vec<Claim> {
    let step = |method, stage, operations: fn(&Volume) -> f64, because| {
        move |along, exponent| Claim { method, stage, along, exponent, operations, because }
    };
    let pairs = step(
        "ddp",
        "counting pairs",
        |v| v.couples,
        "couples of distinct words of a document: MN²",
    );
    let compare =
        step("ddp", "comparing words", |v| v.words.powi(2), "every word with every other: W²");
    let project = step(
        "rp",
        "projecting words",
        |v| v.entries * v.topics,
        "every distinct word of a document on 50·K directions: MNK",
    );
    let regress = step("rp", "regressing words", |v| v.words, "a regression per word: W · time(K)");
    let bins = step(
        "binning",
        "projecting bins",
        |v| v.entries,
        "every distinct word of a document once: MN",
    );
    let sample = step(
        "gibbs",
        "sampling topics",
        |v| v.tokens * v.topics,
        "every token, every topic: MNK; ours visits the topics of the document and of the word only",
    );
    let factor = step(
        "nmf",
        "factorising",
        |v| v.entries * v.topics,
        "every distinct word of a document, every topic: MNK",
    );
    let apply = step(
        "recover-l2",
        "applying co-occurrence",
        |v| v.entries,
        "every distinct word of a document on a fixed number of columns: MN (the paper forms the matrix: MN²)",
    );
    let anchors =
        step("recover-l2", "choosing anchors", |v| v.words, "W rows of a fixed length, K times");
    let triples = step(
        "eca",
        "counting triples",
        triple_operations,
        "K numbers per distinct word of a document, a tensor per document and word, and the sums of 64 parts: \
         MNK + (M + W)K³/6 + 64(WK + K³/6)",
    );
    vec![
        pairs(Documents, 1.0),
        pairs(Tokens, 2.0),
        compare(Documents, 0.0),
        compare(Words, 2.0),
        project(Documents, 1.0),
        project(Tokens, 1.0),
        project(Topics, 1.0),
        regress(Words, 1.0),
        regress(Documents, 0.0),
        bins(Documents, 1.0),
        bins(Tokens, 1.0),
        bins(Topics, 0.0),
        sample(Documents, 1.0),
        sample(Tokens, 1.0),
        sample(Topics, 1.0),
        factor(Documents, 1.0),
        factor(Tokens, 1.0),
        factor(Topics, 1.0),
        apply(Documents, 1.0),
        apply(Tokens, 1.0),
        anchors(Words, 1.0),
        triples(Documents, 1.0),
        triples(Topics, 3.0),
    ]
}

/// Multiply-adds of the third moments: forwards and back for each entry, the sixth of a cube that is kept
/// for each document and twice for each word, and sixty-four partial sums that are cleared and added.
fn triple_operations(v: &Volume) -> f64 {
    let cube = v.topics.powi(3) / 6.0;
    2.0 * v.entries * v.topics
        + (v.documents + 2.0 * v.words) * cube
        + 128.0 * (v.words * v.topics + cube)
}
