//! Which flags go with which method. A flag that would be ignored is refused.

use crate::flags::MethodFlag::{
    Binning, Ddp, Eca, Embedded, EmbeddedDdp, Gibbs, Nmf, RecoverKl, RecoverL2, Rp, SolidAngle, Spa,
};
use crate::flags::{Candidates, ClusteringFlag, MethodFlag, ModelFlags};

/// The first flag that does not fit, in words.
pub(super) fn broken(flags: &ModelFlags) -> Option<String> {
    let method = flags.method();
    let by_method = by_method(flags);
    let misplaced = by_method.iter().find(|(_, given, fits)| *given && !fits.contains(&method));
    if let Some((flag, _, fits)) = misplaced {
        let names: Vec<String> = fits.iter().map(|m| m.name()).collect();
        return Some(format!("{flag} is for --method {}", names.join(", ")));
    }
    let threshold = flags.clustering == Some(ClusteringFlag::Threshold);
    let by_gamma = flags.gamma.is_some();
    let more = [
        (flags.far_words.is_some() && by_gamma, "--far-words is for ddp without --gamma"),
        (flags.novel_words.is_some() && by_gamma, "--novel-words is for ddp without --gamma"),
        (
            flags.distance.is_some()
                && !(threshold || by_gamma || matches!(method, Binning | SolidAngle)),
            "--distance is for --clustering threshold, --method binning or solid-angle, or ddp with --gamma",
        ),
        (flags.affinity.is_some() && threshold, "--affinity is for --clustering spectral"),
    ];
    more.iter().find(|(broken, _)| *broken).map(|(_, rule)| (*rule).to_owned())
}

/// Flag, whether it is given, and the methods that know it.
fn by_method(flags: &ModelFlags) -> Vec<(&'static str, bool, &'static [MethodFlag])> {
    const OWN: &[MethodFlag] = &[Embedded, EmbeddedDdp, Rp, Ddp, Binning];
    const PAPER: &[MethodFlag] = &[Rp, Ddp, Binning];
    const GREEDY: &[MethodFlag] = &[RecoverL2, RecoverKl, Spa];
    let other = &flags.other;
    vec![
        ("--paper", flags.paper, PAPER),
        ("--candidates", flags.candidates.is_some(), OWN),
        (
            "--candidates random:N",
            matches!(flags.candidates, Some(Candidates::Random(_))),
            &[Embedded, EmbeddedDdp],
        ),
        ("--forbid", !flags.forbidden.is_empty(), OWN),
        ("--stability", flags.stability.is_some(), OWN),
        (
            "--candidate-min-df",
            flags.candidate_min_df.is_some(),
            &[Embedded, EmbeddedDdp, Rp, Ddp, Binning, RecoverL2, RecoverKl, Spa, SolidAngle],
        ),
        ("--candidate-noise", flags.candidate_noise.is_some(), &[Embedded, EmbeddedDdp]),
        ("--weigh", flags.weigh.is_some(), &[Embedded, EmbeddedDdp]),
        ("--completions", flags.completions.is_some(), &[Embedded, EmbeddedDdp]),
        ("--refine", flags.refine.is_some(), OWN),
        ("--candidate-min-tokens", flags.candidate_min_tokens.is_some(), OWN),
        ("--projections", flags.projections.is_some(), &[Embedded, Rp, SolidAngle]),
        ("--far-words", flags.far_words.is_some(), &[Ddp]),
        ("--novel-words", flags.novel_words.is_some(), &[Embedded, EmbeddedDdp, Ddp]),
        ("--bins", flags.bins.is_some(), &[Binning]),
        ("--distance", flags.distance.is_some(), &[Rp, Ddp, Binning, SolidAngle]),
        ("--gamma", flags.gamma.is_some(), &[Ddp]),
        ("--clustering", flags.clustering.is_some(), PAPER),
        ("--affinity", flags.affinity.is_some(), OWN),
        ("--representative", flags.representative.is_some(), OWN),
        ("--pairs", flags.pairs.is_some(), PAPER),
        ("--sample", flags.sample.is_some(), PAPER),
        (
            "--tolerance",
            flags.tolerance.is_some(),
            &[Embedded, EmbeddedDdp, Rp, Ddp, Binning, RecoverL2, RecoverKl, Spa, SolidAngle, Nmf],
        ),
        ("--sweeps", other.sweeps.is_some(), &[Gibbs]),
        ("--alpha", other.alpha.is_some(), &[Gibbs]),
        ("--beta", other.beta.is_some(), &[Gibbs]),
        ("--optimise", other.optimise.is_some(), &[Gibbs]),
        ("--samples", other.samples.is_some(), &[Gibbs]),
        ("--divergence", other.divergence.is_some(), &[Nmf]),
        ("--relevance", other.relevance.is_some(), &[Nmf]),
        ("--starts", other.starts.is_some(), &[Nmf]),
        ("--iterations", other.iterations.is_some(), &[Nmf]),
        ("--dimensions", other.dimensions.is_some(), GREEDY),
        ("--alpha0", other.alpha0.is_some(), &[Eca]),
    ]
}
