//! Figure 2 of the paper: error on generated corpora against the number of documents and their length.
//!
//! Both panels, on the paper's recipe and on one in which novel words are as frequent as others; every
//! method at its best settings; two limits that know part of the truth.

mod contender;
mod page;

use std::num::NonZeroUsize;

use serde_json::json;
use vertopic::context::{Context, Parallelism};
use vertopic::observe::Silent;
use vertopic_io::IoError;

use crate::method::Method;
use crate::method::gibbs::GibbsParams;
use crate::reproduce::pilots::{PILOT_SEED, grid, ranked};
use crate::reproduce::{Folder, Journal, Options, Summary};
use crate::synth::separable::{Frequency, Law, Separable};
use crate::synth::truth::Planted;
use contender::{Contender, Outcome};

/// One panel of the figure, for one recipe.
#[derive(Debug, Clone)]
struct Panel {
    name: &'static str,
    title: &'static str,
    recipe: Separable,
    along: Along,
    points: Vec<usize>,
    /// Where the priors of the sampler are chosen: not at the largest point, for time.
    pilot: usize,
}

/// What grows from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Along {
    Documents,
    Tokens,
}

impl Panel {
    fn at(&self, x: usize) -> Separable {
        match self.along {
            Along::Documents => Separable { documents: x, ..self.recipe.clone() },
            Along::Tokens => Separable { tokens: x, ..self.recipe.clone() },
        }
    }

    /// Concentration of the mixtures: the sum of the parameters of their Dirichlet prior.
    fn alpha0(&self) -> f64 {
        ALPHA * self.recipe.topics as f64
    }
}

/// The paper's parameter of the Dirichlet prior.
const ALPHA: f64 = 0.1;

/// The four panels: both of the paper, on both recipes.
fn panels(quick: bool) -> Vec<Panel> {
    let documents: &[usize] =
        if quick { &[100, 300, 1000] } else { &[100, 200, 500, 1000, 3000, 10_000] };
    let tokens: &[usize] = if quick { &[50, 200, 600] } else { &[50, 100, 200, 500, 1000] };
    let first = Separable::default();
    let second = Separable { topics: 10, documents: 500, ..first.clone() };
    let matched = |recipe: &Separable| Separable {
        frequency: Frequency::Matched(Law::Uniform),
        ..recipe.clone()
    };
    let panel = |name, title, recipe, along| {
        let (points, pilot) = match along {
            Along::Documents => (documents.to_vec(), if quick { 200 } else { 500 }),
            Along::Tokens => (tokens.to_vec(), if quick { 50 } else { 200 }),
        };
        Panel { name, title, recipe, along, points, pilot }
    };
    vec![
        panel("paper-m", "paper's recipe, K = 5, N = 100", first.clone(), Along::Documents),
        panel("paper-n", "paper's recipe, K = 10, M = 500", second.clone(), Along::Tokens),
        panel("matched-m", "frequency-matched, K = 5, N = 100", matched(&first), Along::Documents),
        panel("matched-n", "frequency-matched, K = 10, M = 500", matched(&second), Along::Tokens),
    ]
}

/// Replicates unless the user says another number.
const REPLICATES: usize = 50;
const QUICK_REPLICATES: usize = 3;
/// Corpora on which the sampler's priors are chosen.
const PILOTS: u64 = 3;

/// A corpus and who has to find its topics.
struct Piece {
    panel: usize,
    x: usize,
    seed: u64,
    contender: Contender,
}

/// All outcomes at one point of a panel.
struct Cell {
    x: usize,
    /// By contender: errors of the replicates in which it did not fail.
    errors: Vec<Vec<f64>>,
    seconds: Vec<f64>,
    failed: Vec<usize>,
}

impl Cell {
    fn summary(&self, contender: usize) -> Summary {
        Summary::of(&self.errors[contender])
    }
}

/// A panel with its numbers.
struct Measured {
    panel: Panel,
    contenders: Vec<Contender>,
    cells: Vec<Cell>,
    /// What the pilot runs said of each setting of the sampler: mean error, best first.
    pilots: Vec<(GibbsParams, f64)>,
}

/// Runs the experiment and writes its files.
pub(super) fn run(options: &Options, ctx: &Context<'_>) -> Result<(), IoError> {
    let folder = Folder::new(&options.out.join("synthetic"))?;
    let mut journal = Journal::open(&folder.file("journal.jsonl"))?;
    let fallback = if options.quick { QUICK_REPLICATES } else { REPLICATES };
    let replicates = options.replicates.unwrap_or(fallback);
    let panels = panels(options.quick);
    let mut measured = Vec::new();
    for (p, panel) in panels.iter().enumerate() {
        let pilots = choose_priors(&panels, p, &mut journal, ctx)?;
        let k = panel.recipe.topics;
        let contenders = Contender::all(k, pilots[0].0.clone(), panel.alpha0());
        measured.push(Measured { panel: panel.clone(), contenders, cells: vec![], pilots });
    }
    // All points of replicate 0, then of replicate 1, …: what is left to do is always a like share.
    let mut pieces = Vec::new();
    for seed in 0..replicates as u64 {
        for (panel, m) in measured.iter().enumerate() {
            for &x in &m.panel.points {
                pieces.extend(m.contenders.iter().cloned().map(|contender| Piece {
                    panel,
                    x,
                    seed,
                    contender,
                }));
            }
        }
    }
    let outcomes = compete("synthetic corpora", &panels, &pieces, &mut journal, ctx)?;
    for (p, m) in measured.iter_mut().enumerate() {
        m.cells =
            m.panel.points.iter().map(|&x| cell(p, x, &m.contenders, &pieces, &outcomes)).collect();
    }
    page::write(&folder, &measured, &pieces, &outcomes, replicates)
}

/// Lets every piece's contender have its corpus.
fn compete(
    stage: &'static str,
    panels: &[Panel],
    pieces: &[Piece],
    journal: &mut Journal,
    ctx: &Context<'_>,
) -> Result<Vec<Outcome>, IoError> {
    let key = |piece: &Piece| {
        let name = panels[piece.panel].name;
        let settings = piece.contender.settings();
        json!([name, piece.x, piece.seed, piece.contender.name(), settings]).to_string()
    };
    journal.carry_out(stage, pieces, key, ctx.threads(), ctx, |piece| {
        let alone = Context::new(Parallelism::Threads(NonZeroUsize::MIN), &Silent)?;
        let truth: Planted = panels[piece.panel].at(piece.x).generate(piece.seed)?;
        Ok(piece.contender.compete(&truth, piece.seed, &alone))
    })
}

/// The sampler at each of several priors on a few corpora of their own, best first.
fn choose_priors(
    panels: &[Panel],
    number: usize,
    journal: &mut Journal,
    ctx: &Context<'_>,
) -> Result<Vec<(GibbsParams, f64)>, IoError> {
    let panel = &panels[number];
    let k = panel.recipe.topics;
    let mut settings = grid(k);
    settings.push(GibbsParams {
        optimise: Some(20),
        alpha: ALPHA,
        beta: 0.1,
        ..GibbsParams::new(k)
    });
    let pieces: Vec<Piece> = settings
        .iter()
        .flat_map(|params| (0..PILOTS).map(move |i| (params.clone(), PILOT_SEED + i)))
        .map(|(params, seed)| {
            let contender = Contender::Method("gibbs", Box::new(Method::Gibbs(params)));
            Piece { panel: number, x: panel.pilot, seed, contender }
        })
        .collect();
    let outcomes = compete("choosing priors", panels, &pieces, journal, ctx)?;
    let errors: Vec<f64> = outcomes.iter().map(|o| o.error.unwrap_or(f64::INFINITY)).collect();
    Ok(ranked(settings, &errors, PILOTS))
}

/// Gathers the outcomes at one point.
fn cell(
    panel: usize,
    x: usize,
    contenders: &[Contender],
    pieces: &[Piece],
    outcomes: &[Outcome],
) -> Cell {
    let mut cell = Cell { x, errors: vec![], seconds: vec![], failed: vec![] };
    for contender in contenders {
        let here: Vec<&Outcome> = pieces
            .iter()
            .zip(outcomes)
            .filter(|(p, _)| p.panel == panel && p.x == x && p.contender.name() == contender.name())
            .map(|(_, o)| o)
            .collect();
        cell.errors.push(here.iter().filter_map(|o| o.error).collect());
        cell.failed.push(here.iter().filter(|o| o.error.is_none()).count());
        cell.seconds.push(here.iter().map(|o| o.seconds).sum::<f64>() / here.len() as f64);
    }
    cell
}
