//! The methods that the paper compares with, as meant.

use vertopic::seed::Seed;
use vertopic_lab::method::Method;
use vertopic_lab::method::anchor::AnchorParams;
use vertopic_lab::method::anchor::solid_angle::SolidAngleParams;
use vertopic_lab::method::eca::EcaParams;
use vertopic_lab::method::gibbs::GibbsParams;
use vertopic_lab::method::nmf::{NmfParams, Penalty, Relevance};
use vertopic_lab::method::recover_lp::RecoverParams;

use crate::failure::Failure;
use crate::flags::{MethodFlag, ModelFlags, RelevanceFlag};

/// Every method is in this build.
#[allow(clippy::unnecessary_wraps)] // another build has fewer methods
pub(crate) fn available(_: MethodFlag) -> Result<(), Failure> {
    Ok(())
}

/// A method of the lab with `k` topics; none for a method of the library.
pub(crate) fn method(flags: &ModelFlags, k: usize) -> Option<Method> {
    let method = match flags.method() {
        MethodFlag::Embedded
        | MethodFlag::EmbeddedDdp
        | MethodFlag::Rp
        | MethodFlag::Ddp
        | MethodFlag::Binning => return None,
        MethodFlag::Gibbs => Method::Gibbs(gibbs(flags, k)),
        MethodFlag::Nmf => Method::Nmf(nmf(flags, k)),
        MethodFlag::RecoverL2 => Method::Anchor(anchor(flags, &AnchorParams::recover_l2(k))),
        MethodFlag::RecoverKl => Method::Anchor(anchor(flags, &AnchorParams::recover_kl(k))),
        MethodFlag::Spa => Method::Anchor(anchor(flags, &AnchorParams::spa(k))),
        MethodFlag::SolidAngle => Method::SolidAngle(solid_angle(flags, k)),
        MethodFlag::Recover => Method::Recover(RecoverParams::new(k)),
        MethodFlag::Eca => {
            let usual = EcaParams::new(k);
            let alpha0 = flags.other.alpha0.unwrap_or(usual.alpha0);
            Method::Eca(EcaParams { alpha0, ..usual })
        }
    };
    Some(method.with_seed(Seed(flags.seed)))
}

fn gibbs(flags: &ModelFlags, k: usize) -> GibbsParams {
    let (usual, other) = (GibbsParams::new(k), &flags.other);
    GibbsParams {
        sweeps: other.sweeps.map_or(usual.sweeps, usize::from),
        alpha: other.alpha.unwrap_or(usual.alpha),
        beta: other.beta.unwrap_or(usual.beta),
        optimise: other.optimise.map(usize::from),
        samples: other.samples.map_or(usual.samples, usize::from),
        ..usual
    }
}

fn nmf(flags: &ModelFlags, k: usize) -> NmfParams {
    let (usual, other) = (NmfParams::new(k), &flags.other);
    let penalty = |penalty| Some(Relevance { penalty, ..Relevance::default() });
    NmfParams {
        beta: other.divergence.unwrap_or(usual.beta),
        relevance: match other.relevance {
            None => usual.relevance,
            Some(RelevanceFlag::None) => None,
            Some(RelevanceFlag::L1) => penalty(Penalty::L1),
            Some(RelevanceFlag::L2) => penalty(Penalty::L2),
        },
        starts: other.starts.map_or(usual.starts, usize::from),
        most_iterations: other.iterations.map_or(usual.most_iterations, usize::from),
        tolerance: flags.tolerance.unwrap_or(usual.tolerance),
        ..usual
    }
}

fn anchor(flags: &ModelFlags, usual: &AnchorParams) -> AnchorParams {
    AnchorParams {
        dimensions: flags.other.dimensions.map_or(usual.dimensions, usize::from),
        min_df: flags.candidate_min_df.or(usual.min_df),
        tolerance: flags.tolerance.unwrap_or(usual.tolerance),
        ..usual.clone()
    }
}

fn solid_angle(flags: &ModelFlags, k: usize) -> SolidAngleParams {
    let usual = SolidAngleParams::new(k);
    SolidAngleParams {
        projections: flags.projections,
        distance: flags.distance,
        min_df: flags.candidate_min_df.or(usual.min_df),
        tolerance: flags.tolerance.unwrap_or(usual.tolerance),
        ..usual
    }
}
