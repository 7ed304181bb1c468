//! What the program does with `vertopic-lab`: other methods, generated corpora, experiments, figures.
//! The only place of the program that knows that crate; without the feature `lab`, `no_lab.rs` stands here.

mod methods;
mod pictures;
mod plot;
mod reproduce;
mod swimmer;
mod synth;
mod synth_plan;

pub(crate) use methods::{available, method};
pub(crate) use plot::draw;
pub(crate) use reproduce::reproduce;
pub(crate) use swimmer::show as swimmer;
pub(crate) use synth::synth;
#[cfg(test)]
pub(crate) use vertopic_lab::parameter::ALL as PARAMETERS;

/// A method of the lab with its settings.
pub(crate) type LabMethod = vertopic_lab::method::Method;

use vertopic::Parameter;
use vertopic_lab::parameter as lab;

/// The flag of a parameter of the lab, if it has one.
pub(crate) fn flag(parameter: Parameter) -> Option<&'static str> {
    Some(match parameter {
        lab::WORDS => "--words",
        lab::MOST_WORDS => "--max-vocab",
        lab::DOCUMENTS => "--documents",
        lab::TOKENS => "--tokens",
        lab::NOVEL_SHARE => "--novel-share",
        lab::ZIPF => "--zipf",
        lab::SPREAD => "--spread",
        lab::CONCENTRATION => "--concentration",
        lab::LENGTH_SPREAD => "--length-spread",
        lab::ALPHA | lab::PRIOR_ALPHA | lab::PRIOR_ALPHAS => "--alpha",
        lab::PRIOR_SIGMA => "--sigma",
        lab::CORRELATION => "--correlation",
        lab::GROUPS => "--groups",
        lab::BACKGROUND => "--background",
        lab::DIMENSIONS => "--dimensions",
        lab::ALPHA0 => "--alpha0",
        lab::BETA => "--beta",
        lab::SWEEPS => "--sweeps",
        lab::SAMPLES => "--samples",
        lab::OPTIMISE => "--optimise",
        lab::ITERATIONS => "--iterations",
        lab::STARTS => "--starts",
        lab::DIVERGENCE => "--divergence",
        _ => return None,
    })
}
