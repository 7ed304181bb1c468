//! Any method by one name, the library's own among them.

use serde::Serialize;
use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::seed::Seed;
use vertopic::{Error, FitParams, TopicModel};

use crate::method::anchor::solid_angle::{self, SolidAngleParams};
use crate::method::anchor::{self, AnchorParams};
use crate::method::eca::{self, EcaParams};
use crate::method::gibbs::{self, GibbsParams};
use crate::method::nmf::{self, NmfParams};
use crate::method::recover_lp::{self, RecoverParams};

/// A method and its settings.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)] // there is one at a time
pub enum Method {
    /// The library's own: novel words by projections.
    Own(FitParams),
    /// Collapsed Gibbs sampling.
    Gibbs(GibbsParams),
    /// β-divergence NMF.
    Nmf(NmfParams),
    /// Anchor words by successive projection: RecoverL2, RecoverKL, SPA.
    Anchor(AnchorParams),
    /// Anchor words by solid angle.
    SolidAngle(SolidAngleParams),
    /// Anchor words by linear programmes.
    Recover(RecoverParams),
    /// Excess correlation analysis.
    Eca(EcaParams),
}

impl Method {
    /// The name on the command line.
    pub fn name(&self) -> &'static str {
        use vertopic::detect::Method as Detector;
        match self {
            Self::Own(params) => match params.detect().method {
                Detector::Rp => "rp",
                Detector::Binning => "binning",
                _ => "ddp",
            },
            Self::Gibbs(_) => "gibbs",
            Self::Nmf(_) => "nmf",
            Self::Anchor(params) => params.method(),
            Self::SolidAngle(_) => "solid-angle",
            Self::Recover(_) => "recover",
            Self::Eca(_) => "eca",
        }
    }

    /// The same settings with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: Seed) -> Self {
        match &mut self {
            Self::Own(params) => *params = params.clone().with_seed(seed),
            Self::Gibbs(params) => params.seed = seed,
            Self::Nmf(params) => params.seed = seed,
            Self::Anchor(params) => params.seed = seed,
            Self::SolidAngle(params) => params.seed = seed,
            Self::Recover(_) => {} // draws nothing
            Self::Eca(params) => params.seed = seed,
        }
        self
    }

    /// Refuses values outside their ranges.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Own(params) => params.check(),
            Self::Gibbs(params) => params.check(),
            Self::Nmf(params) => params.check(),
            Self::Anchor(params) => params.check(),
            Self::SolidAngle(params) => params.check(),
            Self::Recover(params) => params.check(),
            Self::Eca(params) => params.check(),
        }
    }

    /// The settings as they stand in a model.
    pub fn parameters(&self) -> Result<serde_json::Value, Error> {
        match self {
            Self::Own(params) => json(params),
            Self::Gibbs(params) => named(self.name(), params),
            Self::Nmf(params) => named(self.name(), params),
            Self::Anchor(params) => named(self.name(), params),
            Self::SolidAngle(params) => named(self.name(), params),
            Self::Recover(params) => named(self.name(), params),
            Self::Eca(params) => named(self.name(), params),
        }
    }

    /// Fits a model.
    pub fn fit(&self, corpus: &Corpus, ctx: &Context<'_>) -> Result<TopicModel, Error> {
        self.check()?;
        let found = match self {
            Self::Own(params) => return params.fit_with(corpus, ctx),
            Self::Gibbs(params) => gibbs::fit(corpus, params, ctx)?,
            Self::Nmf(params) => nmf::fit(corpus, params, ctx)?,
            Self::Anchor(params) => anchor::fit(corpus, params, ctx)?,
            Self::SolidAngle(params) => solid_angle::fit(corpus, params, ctx)?,
            Self::Recover(params) => recover_lp::fit(corpus, params, ctx)?,
            Self::Eca(params) => eca::fit(corpus, params, ctx)?,
        };
        found.to_model(corpus, &self.parameters()?)
    }
}

fn json(params: &impl Serialize) -> Result<serde_json::Value, Error> {
    serde_json::to_value(params).map_err(|e| Error::BadModel(e.to_string()))
}

/// The settings with the name of the method among them.
fn named(name: &str, params: &impl Serialize) -> Result<serde_json::Value, Error> {
    let mut value = json(params)?;
    if let serde_json::Value::Object(fields) = &mut value {
        fields.insert("method".to_owned(), name.into());
    }
    Ok(value)
}
