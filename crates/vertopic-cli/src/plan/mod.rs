//! The command line as meant: flags and what was found in the input become the library's
//! parameters.

mod fit;
mod input;
mod method;
mod prune;
mod sketch;

pub(crate) use fit::ModelPlan;
pub(crate) use input::{InputPlan, named};
pub(crate) use method::FitMethod;
pub(crate) use prune::PrunePlan;
pub(crate) use sketch::{check_sketch_name, is_sketch, sketch_params, sketches_to_fit};

use std::path::{Path, PathBuf};

use vertopic_io::atomic::check_writable;

use crate::failure::Failure;

/// Checks that the output can be written and would not replace an input, before hours are spent.
pub(crate) fn check_output(output: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    if output == Path::new("-") {
        let problem = "this file is not written to standard output";
        return Err(Failure::usage(problem, "give the name of a file with -o"));
    }
    check_writable(output)?;
    let Ok(there) = output.canonicalize() else { return Ok(()) };
    match inputs.iter().find(|input| input.canonicalize().is_ok_and(|i| i == there)) {
        None => Ok(()),
        Some(input) => Err(Failure::usage(
            format!("{}: the output would replace this input", input.display()),
            "give another name with -o",
        )),
    }
}
