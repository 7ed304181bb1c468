//! `vertopic subtract`: the sketch of some documents without others.

use vertopic_io::store::read_sketch;

use crate::failure::Failure;
use crate::flags::SubtractFlags;
use crate::output::Messages;
use crate::plan::{check_output, check_sketch_name};
use crate::run::fit::at;
use crate::run::sketch::wrote;

pub(crate) fn subtract(flags: &SubtractFlags) -> Result<(), Failure> {
    check_sketch_name(&flags.output)?;
    check_output(&flags.output, &[flags.whole.clone(), flags.part.clone()])?;
    let (whole, part) = (read_sketch(&flags.whole)?, read_sketch(&flags.part)?);
    let left = whole.subtract(&part);
    let left = left.map_err(|e| at(&flags.part.display().to_string(), e.into()))?;
    wrote(Messages::new(flags.quiet), &flags.output, &left)
}
