//! What stands for [`crate::lab`] in a build without the feature `lab`: it says how to get the lab.

use std::path::Path;

use vertopic::choose::Sweep;
use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::{Error, Parameter, TopicModel};

use crate::failure::Failure;
use crate::flags::{MethodFlag, ModelFlags, ReproduceFlags, SynthFlags};

/// No parameter of the lab.
#[cfg(test)]
pub(crate) const PARAMETERS: &[Parameter] = &[];

/// No method of the lab.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LabMethod {}

impl LabMethod {
    pub(crate) fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) fn check(self) -> Result<(), Error> {
        match self {}
    }

    pub(crate) fn fit(self, _: &Corpus, _: &Context<'_>) -> Result<TopicModel, Error> {
        match self {}
    }
}

/// Refuses a method of the lab.
pub(crate) fn available(method: MethodFlag) -> Result<(), Failure> {
    match method {
        MethodFlag::Embedded
        | MethodFlag::EmbeddedDdp
        | MethodFlag::Rp
        | MethodFlag::Ddp
        | MethodFlag::Binning => Ok(()),
        other => Err(missing(&format!("--method {}", other.name()))),
    }
}

/// No method.
pub(crate) fn method(_: &ModelFlags, _: usize) -> Option<LabMethod> {
    None
}

/// Says how to get the verb.
pub(crate) fn synth(_: SynthFlags) -> Result<(), Failure> {
    Err(missing("vertopic synth"))
}

/// Says how to get the verb.
pub(crate) fn reproduce(_: ReproduceFlags) -> Result<(), Failure> {
    Err(missing("vertopic reproduce"))
}

/// Says how to get figures.
pub(crate) fn draw(_: &Sweep, _: &Path, _: bool) -> Result<(), Failure> {
    Err(missing("--plot"))
}

/// No part of the demo.
pub(crate) fn swimmer(_: Option<&Path>, _: &Context<'_>) -> Result<Option<String>, Failure> {
    Ok(None)
}

/// No flag.
pub(crate) fn flag(_: Parameter) -> Option<&'static str> {
    None
}

fn missing(what: &str) -> Failure {
    let problem = format!("{what} is not part of this build of vertopic");
    Failure::usage(
        problem,
        "build it with the feature lab: cargo install vertopic-cli --features lab",
    )
}
