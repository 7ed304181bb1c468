//! A method with its settings: one of the library, or one of the lab.

use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::{Error, FitParams, TopicModel};

use crate::lab::LabMethod;

/// A method and its settings.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // there is one at a time
pub(crate) enum FitMethod {
    /// The library's own: novel words by projections.
    Own(FitParams),
    /// Another one.
    Lab(LabMethod),
}

impl FitMethod {
    /// Refuses values outside their ranges.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self {
            Self::Own(params) => params.check(),
            Self::Lab(method) => method.check(),
        }
    }

    /// Fits a model.
    pub(crate) fn fit(&self, corpus: &Corpus, ctx: &Context<'_>) -> Result<TopicModel, Error> {
        match self {
            Self::Own(params) => params.fit_with(corpus, ctx),
            Self::Lab(method) => method.fit(corpus, ctx),
        }
    }
}
