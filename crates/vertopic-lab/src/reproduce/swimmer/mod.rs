//! Figures 3 to 5 of the paper: limbs of the Swimmer images as topics.
//!
//! A limb counts as found if a topic has more than 70 % of its mass on limb pixels on that one limb
//! ([`crate::synth::swimmer::shown`]).

mod page;

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use serde_json::json;
use vertopic::cluster::Affinity;
use vertopic::context::{Context, Parallelism};
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo, Frequency};
use vertopic::detect::Method as Detector;
use vertopic::observe::Silent;
use vertopic::seed::Seed;
use vertopic::{Error, FitParams};
use vertopic_io::IoError;

use crate::method::Method;
use crate::method::anchor::AnchorParams;
use crate::method::anchor::solid_angle::SolidAngleParams;
use crate::method::gibbs::GibbsParams;
use crate::method::nmf::{NmfParams, Relevance};
use crate::reproduce::pilots::{PILOT_SEED, grid, ranked};
use crate::reproduce::{Folder, Journal, Options};
use crate::synth::swimmer::{LIMBS, SIDE, clean, limbs_found, noisy, pose, shown, word};

/// Tokens of an image, as in the paper.
const TOKENS: u32 = 200;
/// Seeds unless the user says another number.
const SEEDS: usize = 20;
const QUICK_SEEDS: usize = 3;
/// Number of seeds on which the sampler's priors are chosen, enough that the choice is not by chance.
const PILOTS: u64 = 8;
const QUICK_PILOTS: u64 = 2;
/// Fewer tokens than this in all images, and a pixel may be background that is extreme by chance.
const FLOOR: u64 = 80;
/// Background pixels are in about 35 images, limb pixels in 75.
const FLOOR_IMAGES: u64 = 55;

/// Tokens of a clean image per unit of a pixel's value, enough that pairs of a token with itself do not matter.
const SHARP: f64 = 100.0;

/// Which documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Images {
    /// Tokens drawn from the images.
    Noisy,
    /// The images themselves: a pixel's value is its count.
    Clean,
    /// The same without background.
    CleanBodies,
}

impl Images {
    fn corpus(self, seed: u64) -> Result<Corpus, Error> {
        let exactly = |background: f64| {
            let mut builder = CorpusBuilder::with_words((0..SIDE * SIDE).map(word).collect());
            for image in 0..256 {
                let mut pairs: Vec<(u32, u32)> = clean(image, background)
                    .into_iter()
                    .enumerate()
                    .map(|(pixel, value)| (pixel as u32, (SHARP * value) as u32))
                    .filter(|&(_, count)| count > 0)
                    .collect();
                let id = Some(format!("{:?}", pose(image)));
                builder.push(&mut pairs, DocumentInfo { id, ..DocumentInfo::default() })?;
            }
            builder.finish()
        };
        match self {
            Self::Noisy => noisy(TOKENS, seed),
            Self::Clean => exactly(1.0),
            Self::CleanBodies => exactly(0.0),
        }
    }
}

/// A method on one kind of images.
#[derive(Debug, Clone)]
struct Contender {
    name: &'static str,
    images: Images,
    method: Method,
}

/// A contender and a seed.
struct Piece {
    contender: Contender,
    seed: u64,
}

/// What a contender found.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outcome {
    /// Limbs that some topic shows.
    found: usize,
    /// Each topic and the limb it shows; kept for the first seed only.
    topics: Vec<(Option<usize>, Vec<f32>)>,
    seconds: f64,
    problem: Option<String>,
}

fn contenders(gibbs: GibbsParams) -> Vec<Contender> {
    let own = |method, min_tokens: u64, affinity| {
        let params = FitParams::paper(LIMBS, method);
        let (mut detect, mut cluster) = (params.detect().clone(), params.cluster().clone());
        detect.filter.min_tokens = min_tokens;
        cluster.affinity = affinity;
        Method::Own(params.with_detect(detect).with_cluster(cluster))
    };
    let scaled = Affinity::ExpMedian;
    // The same floor in images as ours in tokens: limbs pass it, background does not.
    let floor = Some(Frequency::Count(FLOOR_IMAGES));
    let spa = AnchorParams { min_df: floor, ..AnchorParams::spa(LIMBS) };
    let angle = SolidAngleParams { min_df: floor, ..SolidAngleParams::new(LIMBS) };
    let l2 = |min_df| AnchorParams { min_df, ..AnchorParams::recover_l2(LIMBS) };
    let every = l2(Some(Frequency::Count(1)));
    let ard = NmfParams { relevance: Some(Relevance::default()), ..NmfParams::new(2 * LIMBS) };
    let noisy = |name, method| Contender { name, images: Images::Noisy, method };
    let clean = |name, images, method| Contender { name, images, method };
    vec![
        noisy("rp", own(Detector::Rp, FLOOR, scaled)),
        noisy("ddp", own(Detector::Ddp, FLOOR, scaled)),
        noisy("rp (to the letter)", own(Detector::Rp, 0, Affinity::Exp)),
        noisy("ddp (to the letter)", own(Detector::Ddp, 0, Affinity::Exp)),
        noisy("default", Method::Own(FitParams::new(LIMBS))),
        noisy("gibbs", Method::Gibbs(gibbs)),
        noisy("nmf", Method::Nmf(NmfParams::new(LIMBS))),
        noisy("nmf, relevance determined from 32", Method::Nmf(ard)),
        noisy("recover-l2", Method::Anchor(l2(floor))),
        noisy("recover-l2 (no floor)", Method::Anchor(every.clone())),
        noisy("spa", Method::Anchor(spa)),
        noisy("solid-angle", Method::SolidAngle(angle)),
        clean("recover-l2, clean images", Images::Clean, Method::Anchor(every.clone())),
        clean("recover-l2, clean, no background", Images::CleanBodies, Method::Anchor(every)),
    ]
}

/// Runs the experiment and writes its files.
pub(super) fn run(options: &Options, ctx: &Context<'_>) -> Result<(), IoError> {
    let folder = Folder::new(&options.out.join("swimmer"))?;
    let mut journal = Journal::open(&folder.file("journal.jsonl"))?;
    let seeds = options.replicates.unwrap_or(if options.quick { QUICK_SEEDS } else { SEEDS });
    let pilots = if options.quick { QUICK_PILOTS } else { PILOTS };
    let pilots = choose_priors(pilots, &mut journal, ctx)?;
    let contenders = contenders(pilots[0].0.clone());
    let pieces: Vec<Piece> = (0..seeds as u64)
        .flat_map(|seed| contenders.iter().map(move |c| Piece { contender: c.clone(), seed }))
        .collect();
    let outcomes = find_limbs("Swimmer images", &pieces, &mut journal, ctx)?;
    let by_contender: Vec<Vec<&Outcome>> = (0..contenders.len())
        .map(|c| outcomes.iter().skip(c).step_by(contenders.len()).collect())
        .collect();
    page::write(&folder, &contenders, &by_contender, &pilots)
}

fn find_limbs(
    stage: &'static str,
    pieces: &[Piece],
    journal: &mut Journal,
    ctx: &Context<'_>,
) -> Result<Vec<Outcome>, IoError> {
    let key = |piece: &Piece| {
        let Contender { name, images, method } = &piece.contender;
        json!([name, images, piece.seed, method.parameters().unwrap_or_default()]).to_string()
    };
    journal.carry_out(stage, pieces, key, ctx.threads(), ctx, |piece| {
        let alone = Context::new(Parallelism::Threads(NonZeroUsize::MIN), &Silent)?;
        let corpus = piece.contender.images.corpus(piece.seed)?;
        let start = std::time::Instant::now();
        let method = piece.contender.method.clone().with_seed(Seed(piece.seed));
        let fitted = method.fit(&corpus, &alone);
        let seconds = start.elapsed().as_secs_f64();
        let model = match fitted {
            Ok(model) => model,
            Err(e) => {
                let problem = Some(e.to_string());
                return Ok(Outcome { found: 0, topics: vec![], seconds, problem });
            }
        };
        let words = model.vocabulary().words();
        let found = limbs_found(model.topics(), words);
        let kept = if piece.seed == 0 { model.topics().n_topics() } else { 0 };
        let limbs = shown(model.topics(), words);
        let topics = (0..kept).map(|k| (limbs[k], model.topics().topic(k).to_vec())).collect();
        Ok(Outcome { found, topics, seconds, problem: None })
    })
}

/// The sampler at each of several priors on a few corpora of their own: mean limbs found, most first.
fn choose_priors(
    pilots: u64,
    journal: &mut Journal,
    ctx: &Context<'_>,
) -> Result<Vec<(GibbsParams, f64)>, IoError> {
    let settings = grid(LIMBS);
    let pieces: Vec<Piece> = settings
        .iter()
        .flat_map(|params| {
            let method = Method::Gibbs(params.clone());
            let contender = Contender { name: "gibbs", images: Images::Noisy, method };
            (0..pilots).map(move |i| Piece { contender: contender.clone(), seed: PILOT_SEED + i })
        })
        .collect();
    let outcomes = find_limbs("choosing priors", &pieces, journal, ctx)?;
    let missed: Vec<f64> = outcomes.iter().map(|o| LIMBS as f64 - o.found as f64).collect();
    let ranked = ranked(settings, &missed, pilots);
    Ok(ranked.into_iter().map(|(params, missed)| (params, LIMBS as f64 - missed)).collect())
}
