//! Sketches: what they are of, and when they are what is to be fitted.

use std::path::{Path, PathBuf};

use vertopic::moments::{PairScheme, TokenSample};
use vertopic::seed::Seed;
use vertopic::sketch::SketchParams;

use crate::advice;
use crate::failure::Failure;
use crate::flags::{
    FitFlags, InputFlags, PairsFlag, PruneFlags, RefusedFlags, SampleFlag, SketchFlags,
};
use crate::plan::{FitMethod, ModelPlan};

/// Whether a file is a sketch, by its ending.
pub(crate) fn is_sketch(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("sketch"))
}

/// The ending says how a file is read again, so it must be the right one.
pub(crate) fn check_sketch_name(output: &Path) -> Result<(), Failure> {
    if is_sketch(output) {
        return Ok(());
    }
    let problem = format!("{}: the name of a sketch ends in .sketch", output.display());
    Err(Failure::usage(problem, &format!("-o {}", output.with_extension("sketch").display())))
}

/// What a sketch is to have. Refuses flags that make no sense for a part of the documents.
pub(crate) fn sketch_params(flags: &SketchFlags) -> Result<SketchParams, Failure> {
    let RefusedFlags { min_df, max_df, max_vocab } = &flags.refused;
    let refused = [("--min-df", min_df), ("--max-df", max_df), ("--max-vocab", max_vocab)];
    if let Some((flag, _)) = refused.iter().find(|(_, given)| given.is_some()) {
        let problem = format!(
            "{flag} needs all documents: how frequent a word is in other shards is not known to this one"
        );
        return Err(Failure::usage(
            problem,
            "keep words by name with --words, or leave out with --stopwords",
        ));
    }
    if flags.sample.is_some() && flags.projections == 0 {
        let problem = "--sample is for sketches with --projections";
        return Err(Failure::usage(problem, "leave it out; it would change nothing"));
    }
    let split = flags.pairs.map_or(flags.paper, |pairs| pairs == PairsFlag::Split);
    let half = flags.sample.map_or(flags.paper && split, |sample| sample == SampleFlag::Half);
    let pairs = if split { PairScheme::Split } else { PairScheme::All };
    let sample = if half { TokenSample::Half } else { TokenSample::Whole };
    let (projections, seed) = (flags.projections, Seed(flags.seed));
    let params = SketchParams { pairs, projections, sample, seed };
    params.check()?;
    Ok(params)
}

/// The sketches to fit, if they are sketches. Refuses what only documents can do.
pub(crate) fn sketches_to_fit(
    flags: &FitFlags,
    model: &ModelPlan,
) -> Result<Option<Vec<PathBuf>>, Failure> {
    let inputs = &flags.input.inputs;
    if !inputs.iter().any(|path| is_sketch(path)) {
        return Ok(None);
    }
    if let Some(other) = inputs.iter().find(|path| !is_sketch(path)) {
        let problem = format!("{}: documents cannot be fitted beside sketches", other.display());
        return Err(Failure::usage(problem, "make a sketch of them first: vertopic sketch"));
    }
    let given = given(&flags.input).or_else(|| flags.text.given()).or_else(|| pruned(&flags.prune));
    if let Some(flag) = given {
        let problem =
            format!("{flag} is for documents: the words of a sketch were settled when it was made");
        return Err(Failure::usage(
            problem,
            "leave it out, or make the sketches with it (vertopic sketch --help)",
        ));
    }
    if flags.memory.is_some() {
        let problem = "--memory is for documents, and a sketch has none".to_owned();
        return Err(Failure::usage(problem, "leave it out"));
    }
    let needs = |what: &str| {
        let error = format!("{what} needs the documents, and a sketch has only sums over them");
        Failure::usage(error, "add -k with a number, and --method ddp or --method rp")
    };
    if model.is_auto() {
        return Err(needs("-k auto"));
    }
    match model.method(0) {
        FitMethod::Own(params) => {
            params.sketch().map_err(|e| Failure::Usage {
                problem: advice::problem(&e),
                hint: advice::hint(&e.advice()),
            })?;
            Ok(Some(inputs.clone()))
        }
        FitMethod::Lab(other) => Err(needs(&format!("--method {}", other.name()))),
    }
}

/// A flag about reading documents that was given.
fn given(flags: &InputFlags) -> Option<&'static str> {
    let flags = [
        (flags.format.is_some(), "--format"),
        (flags.vocab.is_some(), "--vocab"),
        (flags.transpose, "--transpose"),
        (flags.zero_based, "--zero-based"),
        (!flags.include.is_empty(), "--include"),
        (!flags.text_column.is_empty(), "--text-column"),
        (flags.id_column.is_some(), "--id-column"),
        (flags.label_column.is_some(), "--label-column"),
        (flags.time_column.is_some(), "--time-column"),
        (flags.no_header, "--no-header"),
        (flags.strict, "--strict"),
    ];
    flags.iter().find(|(given, _)| *given).map(|&(_, flag)| flag)
}

/// A flag about pruning that was given.
fn pruned(flags: &PruneFlags) -> Option<&'static str> {
    let flags = [
        (flags.min_df.is_some(), "--min-df"),
        (flags.max_df.is_some(), "--max-df"),
        (flags.max_vocab.is_some(), "--max-vocab"),
    ];
    flags.iter().find(|(given, _)| *given).map(|&(_, flag)| flag)
}
