//! Table 3 of the paper, measured: how the time of each step grows with documents, tokens, words, topics.

mod claims;
mod page;
mod stopwatch;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::Serialize;
use vertopic::run::{Parallelism, Run};
use vertopic_io::IoError;

use crate::reproduce::{Folder, Journal, Options, log_slope};
use crate::synth::separable::{Frequency, Law, Separable};
use claims::{Claim, claims, method};
use stopwatch::Stopwatch;

/// What grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Along {
    Documents,
    Tokens,
    Words,
    Topics,
}

impl Along {
    fn letter(self) -> &'static str {
        match self {
            Self::Documents => "M",
            Self::Tokens => "N",
            Self::Words => "W",
            Self::Topics => "K",
        }
    }

    /// Sizes at which it is measured; each is twice the one before.
    fn sizes(self, quick: bool) -> Vec<usize> {
        let (first, n) = match self {
            Self::Documents => (1000, 5),
            Self::Tokens => (50, 4),
            Self::Words => (500, 4),
            Self::Topics => (8, 4),
        };
        let n = if quick { n - 1 } else { n };
        (0..n).map(|i| first << i).collect()
    }

    /// A corpus of that size; what does not grow stays in the middle.
    ///
    /// Words are drawn evenly, and there are many of them: so a document of N tokens has nearly N
    /// distinct words, as the predictions assume.
    fn recipe(self, size: usize) -> Separable {
        let middle = Separable {
            words: 4000,
            topics: 10,
            documents: 2000,
            tokens: 100,
            frequency: Frequency::Matched(Law::Uniform),
            ..Separable::default()
        };
        match self {
            Self::Documents => Separable { documents: size, ..middle },
            Self::Tokens => Separable { tokens: size, ..middle },
            Self::Words => Separable { words: size, ..middle },
            Self::Topics => Separable { topics: size, ..middle },
        }
    }
}

/// Times a corpus is fitted; the least time counts, since noise only adds.
const REPEATS: usize = 3;
const QUICK_REPEATS: usize = 2;

/// One timed fit.
struct Piece {
    method: &'static str,
    along: Along,
    size: usize,
    repeat: usize,
}

/// A claim with what was measured.
struct Measured {
    claim: Claim,
    /// Size and least time.
    points: Vec<(f64, f64)>,
    slope: f64,
}

/// Runs the experiment and writes its files.
pub(super) fn run(options: &Options, run: &Run<'_>) -> Result<(), IoError> {
    let folder = Folder::new(&options.out.join("complexity"))?;
    let mut journal = Journal::open(&folder.file("journal.jsonl"))?;
    let fallback = if options.quick { QUICK_REPEATS } else { REPEATS };
    let repeats = options.replicates.unwrap_or(fallback).clamp(1, REPEATS);
    let claims = claims();
    let mut series: Vec<(&'static str, Along)> =
        claims.iter().map(|c| (c.method, c.along)).collect();
    series.sort_unstable();
    series.dedup();
    let mut pieces = Vec::new();
    for (method, along) in series {
        for size in along.sizes(options.quick) {
            pieces.extend((0..repeats).map(|repeat| Piece { method, along, size, repeat }));
        }
    }
    let key =
        |p: &Piece| format!("{} {}={} repeat={}", p.method, p.along.letter(), p.size, p.repeat);
    // One at a time: they are timed.
    let times: Vec<BTreeMap<String, f64>> =
        journal.carry_out("timing fits", &pieces, key, 1, run, time)?;
    let measured = claims.into_iter().map(|claim| {
        let points: Vec<(f64, f64)> = claim
            .along
            .sizes(options.quick)
            .into_iter()
            .map(|size| {
                let here = pieces.iter().zip(&times).filter(|(p, _)| {
                    p.method == claim.method && p.along == claim.along && p.size == size
                });
                let seconds = here.filter_map(|(_, t)| t.get(claim.stage).copied());
                (size as f64, seconds.fold(f64::INFINITY, f64::min))
            })
            .collect();
        Measured { slope: log_slope(&points), claim, points }
    });
    let measured: Vec<Measured> = measured.collect();
    page::write(&folder, &measured, &pieces, &times)
}

/// Fits a corpus on one thread and gives the seconds of each stage.
fn time(piece: &Piece) -> Result<BTreeMap<String, f64>, IoError> {
    let recipe = piece.along.recipe(piece.size);
    let corpus = recipe.generate(piece.repeat as u64)?.corpus;
    let watch = Stopwatch::default();
    let alone = Run::new(Parallelism::Threads(NonZeroUsize::MIN), &watch)?;
    method(piece.method, recipe.topics).fit(&corpus, &alone)?;
    Ok(watch.seconds())
}
