//! What each step should cost: the exponents that Table 3 and the algorithms predict.

use vertopic::FitParams;
use vertopic::corpus::Frequency as DocumentFrequency;
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

/// A step of a method, what it should cost, and why it may differ.
pub(super) struct Claim {
    pub(super) method: &'static str,
    pub(super) stage: &'static str,
    pub(super) along: Along,
    pub(super) exponent: f64,
    /// Why, in a few words.
    pub(super) because: &'static str,
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
        ("ddp", Tokens) => 25,
        (_, Tokens) => 100,
        ("ddp", Words) => 1000,
        (_, Words) => 2000,
        ("gibbs", Topics) => 32,
        (_, Topics) => 8,
    };
    // From 32 to 128 topics the sampler has one kernel.
    let few = quick || (method, along) == ("gibbs", Topics);
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
        documents: if along == Tokens { 8000 } else { 2000 },
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
    let claim =
        |method, stage, along, exponent, because| Claim { method, stage, along, exponent, because };
    let pairs = "pairs of distinct words of a document: MN²";
    let compare = "every word with every other: W²";
    let project = "every token on 50·K directions: MNK";
    let bins = "every token once: MN";
    let regress = "a regression per word: W · time(K)";
    let sweep = "every token, every topic: MNK";
    let apply = "every token on a fixed number of columns: MN (the paper forms the matrix: MN²)";
    vec![
        claim("ddp", "counting pairs", Documents, 1.0, pairs),
        claim("ddp", "counting pairs", Tokens, 2.0, pairs),
        claim("ddp", "comparing words", Documents, 0.0, compare),
        claim("ddp", "comparing words", Words, 2.0, compare),
        claim("rp", "projecting words", Documents, 1.0, project),
        claim("rp", "projecting words", Tokens, 1.0, project),
        claim("rp", "projecting words", Topics, 1.0, project),
        claim("rp", "regressing words", Words, 1.0, regress),
        claim("rp", "regressing words", Documents, 0.0, regress),
        claim("binning", "projecting bins", Documents, 1.0, bins),
        claim("binning", "projecting bins", Tokens, 1.0, bins),
        claim("binning", "projecting bins", Topics, 0.0, bins),
        claim("gibbs", "sampling topics", Documents, 1.0, sweep),
        claim("gibbs", "sampling topics", Tokens, 1.0, sweep),
        claim("gibbs", "sampling topics", Topics, 1.0, sweep),
        claim("nmf", "factorising", Documents, 1.0, sweep),
        claim("nmf", "factorising", Tokens, 1.0, sweep),
        claim("nmf", "factorising", Topics, 1.0, sweep),
        claim("recover-l2", "applying co-occurrence", Documents, 1.0, apply),
        claim("recover-l2", "applying co-occurrence", Tokens, 1.0, apply),
        claim("recover-l2", "choosing anchors", Words, 1.0, "W rows of a fixed length, K times"),
        claim(
            "eca",
            "counting triples",
            Documents,
            1.0,
            "a K × K × K tensor per document and word, K numbers per token: MNK + (M + W)K³",
        ),
        claim(
            "eca",
            "counting triples",
            Topics,
            3.0,
            "a K × K × K tensor per document and word, K numbers per token: MNK + (M + W)K³",
        ),
    ]
}
