//! Table 3 of the paper, measured: how the time of each step grows with documents, tokens, words, topics.

mod claims;
mod page;
mod stopwatch;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use vertopic::context::{Context, Parallelism};
use vertopic_io::IoError;

use crate::reproduce::{Folder, Journal, Options, log_slope};
use claims::{Claim, Volume, claims, method, recipe, sizes};
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

/// What came of it.
#[derive(Serialize, Deserialize)]
struct Timed {
    seconds: BTreeMap<String, f64>,
    volume: Volume,
}

/// A claim with what was measured.
struct Measured {
    claim: Claim,
    /// Size and least time.
    points: Vec<(f64, f64)>,
    slope: f64,
    /// The exponent of the operations counted on the same corpora.
    counted: f64,
}

/// Runs the experiment and writes its files.
pub(super) fn run(options: &Options, ctx: &Context<'_>) -> Result<(), IoError> {
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
        for size in sizes(method, along, options.quick) {
            pieces.extend((0..repeats).map(|repeat| Piece { method, along, size, repeat }));
        }
    }
    let key =
        |p: &Piece| format!("{} {}={} repeat={}", p.method, p.along.letter(), p.size, p.repeat);
    // One at a time: they are timed.
    let timed: Vec<Timed> = journal.carry_out("timing fits", &pieces, key, 1, ctx, time)?;
    let measured = claims.into_iter().map(|claim| {
        let here = |size: usize| {
            let same =
                move |p: &Piece| (p.method, p.along, p.size) == (claim.method, claim.along, size);
            pieces.iter().zip(&timed).filter(move |(p, _)| same(p)).map(|(_, t)| t)
        };
        let sizes = sizes(claim.method, claim.along, options.quick);
        let along = |of: &dyn Fn(&Timed) -> Option<f64>| -> Vec<(f64, f64)> {
            let least = |size| here(size).filter_map(of).fold(f64::INFINITY, f64::min);
            sizes.iter().map(|&size| (size as f64, least(size))).collect()
        };
        let points = along(&|t| t.seconds.get(claim.stage).copied());
        let counted = log_slope(&along(&|t| Some((claim.operations)(&t.volume))));
        Measured { slope: log_slope(&points), counted, claim, points }
    });
    let measured: Vec<Measured> = measured.collect();
    page::write(&folder, &measured, &pieces, &timed)
}

/// Fits a corpus on one thread and gives the seconds of each stage.
fn time(piece: &Piece) -> Result<Timed, IoError> {
    let recipe = recipe(piece.method, piece.along, piece.size);
    let corpus = recipe.generate(piece.repeat as u64)?.corpus;
    let volume = Volume::of(&corpus, recipe.topics);
    let watch = Stopwatch::default();
    let alone = Context::new(Parallelism::Threads(NonZeroUsize::MIN), &watch)?;
    method(piece.method, recipe.topics).fit(&corpus, &alone)?;
    Ok(Timed { seconds: watch.seconds(), volume })
}
