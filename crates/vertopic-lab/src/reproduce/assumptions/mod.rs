//! What the paper's theorems assume of the topics' mixtures (P1, P2), and how fast each step gets there.

mod page;
mod population;
mod rates;

use serde::{Deserialize, Serialize};
use vertopic::context::Context;
use vertopic_io::IoError;

use crate::reproduce::{Folder, Journal, Options};
use crate::synth::prior::{LogisticNormal, Prior};

/// Mixtures drawn to estimate the moments of a prior.
const DRAWS: usize = 200_000;
const QUICK_DRAWS: usize = 20_000;
/// Numbers of topics.
const TOPICS: [usize; 4] = [5, 10, 20, 40];
/// Seed of the draws.
const SEED: u64 = 1;

/// A prior by the name it has on the page.
struct Named {
    name: &'static str,
    prior: Prior,
}

/// λ∧ and ζ of a prior: estimated, and by Proposition A.1 where that has a word.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Checked {
    lambda: f64,
    zeta: f64,
    lambda_closed: Option<f64>,
    zeta_closed: Option<f64>,
}

fn priors() -> Vec<Named> {
    let normal = |sigma, correlation, groups| {
        Prior::LogisticNormal(LogisticNormal { mean: vec![], sigma, correlation, groups })
    };
    vec![
        Named { name: "Dirichlet, α = 0.1", prior: Prior::Dirichlet(0.1) },
        Named { name: "Dirichlet, α = 1", prior: Prior::Dirichlet(1.0) },
        Named { name: "logistic-normal, σ = 1", prior: normal(1.0, 0.0, 1) },
        Named { name: "logistic-normal, σ = 3", prior: normal(3.0, 0.0, 1) },
        Named { name: "logistic-normal, σ = 3, correlated 0.5", prior: normal(3.0, 0.5, 2) },
        Named { name: "logistic-normal, σ = 3, correlated 0.9", prior: normal(3.0, 0.9, 2) },
    ]
}

/// Runs the experiment and writes its files.
pub(super) fn run(options: &Options, ctx: &Context<'_>) -> Result<(), IoError> {
    let folder = Folder::new(&options.out.join("assumptions"))?;
    let mut journal = Journal::open(&folder.file("journal.jsonl"))?;
    let draws = if options.quick { QUICK_DRAWS } else { DRAWS };
    let priors = priors();
    let pieces: Vec<(&Named, usize)> = priors.iter().flat_map(|p| TOPICS.map(|k| (p, k))).collect();
    let key = |(p, k): &(&Named, usize)| format!("{} K={k} draws={draws} seed={SEED}", p.name);
    let checked =
        journal.carry_out("checking priors", &pieces, key, ctx.threads(), ctx, |(p, k)| {
            let sampled = p.prior.sampled_moments(*k, draws, SEED)?;
            let closed = p.prior.moments(*k)?;
            let lambda_closed =
                closed.as_ref().map(crate::synth::moments::Moments::lambda_min).transpose()?;
            Ok(Checked {
                lambda: sampled.lambda_min()?,
                zeta: sampled.zeta(),
                lambda_closed,
                zeta_closed: closed.map(|m| m.zeta()),
            })
        })?;
    let rates = rates::measure(options, &mut journal, ctx)?;
    page::write(&folder, &pieces, &checked, &rates, draws)
}
