//! `vertopic merge`: sketches → the sketch of all their documents.

use std::path::PathBuf;

use vertopic::sketch::Sketch;
use vertopic_io::store::read_sketch;

use crate::failure::Failure;
use crate::flags::MergeFlags;
use crate::output::Messages;
use crate::plan::{check_output, check_sketch_name};
use crate::run::fit::at;
use crate::run::sketch::wrote;

pub(crate) fn merge(flags: &MergeFlags) -> Result<(), Failure> {
    check_sketch_name(&flags.output)?;
    check_output(&flags.output, &flags.sketches)?;
    wrote(Messages::new(flags.quiet), &flags.output, &merged(&flags.sketches)?)
}

/// Reads sketches, at least one, and merges them.
pub(super) fn merged(paths: &[PathBuf]) -> Result<Sketch, Failure> {
    let mut all: Option<Sketch> = None;
    for path in paths {
        let next = read_sketch(path)?;
        all = Some(match all {
            None => next,
            Some(all) => all.merge(&next).map_err(|e| at(&path.display().to_string(), e.into()))?,
        });
    }
    all.ok_or_else(|| Failure::usage("there is no sketch", "give at least one"))
}
