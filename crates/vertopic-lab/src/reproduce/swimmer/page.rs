//! The pictures, and what they say.

use std::fmt::Write as _;

use vertopic::evaluate::best_matching;
use vertopic_io::IoError;

use super::{Contender, FLOOR, FLOOR_IMAGES, Outcome, TOKENS};
use crate::figure::{Axis, Dot, DotChart, DotSeries, Gallery, GalleryRow, Picture};
use crate::method::gibbs::GibbsParams;
use crate::reproduce::{Folder, Summary, markdown};
use crate::synth::swimmer::{LIMBS, SIDE, clean, limb, noisy, pose, torso};

/// Images of the first figure: all limbs move.
const EXAMPLES: [usize; 8] = [0, 27, 85, 110, 141, 170, 198, 255];

pub(super) fn write(
    folder: &Folder,
    contenders: &[Contender],
    outcomes: &[Vec<&Outcome>],
    pilots: &[(GibbsParams, f64)],
) -> Result<(), IoError> {
    folder.figure("figure3", &examples()?.to_svg())?;
    folder.figure("figure4", &misses(contenders, outcomes).to_svg())?;
    folder.figure("figure5", &topics(contenders, outcomes).to_svg())?;
    folder.figure("limbs", &limbs(contenders, outcomes).to_svg())?;
    let head = ["method", "images", "seed", "limbs_found", "seconds", "problem"];
    let mut rows = Vec::new();
    for (contender, outcomes) in contenders.iter().zip(outcomes) {
        for (seed, o) in outcomes.iter().enumerate() {
            rows.push(vec![
                contender.name.to_owned(),
                format!("{:?}", contender.images),
                seed.to_string(),
                o.found.to_string(),
                format!("{:.4}", o.seconds),
                o.problem.clone().unwrap_or_default(),
            ]);
        }
    }
    folder.csv("swimmer.csv", &head, &rows)?;
    folder.text("swimmer.md", &page(contenders, outcomes, pilots))
}

fn picture(pixels: &[f32], marked: bool) -> Picture {
    let most = pixels.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let pixels = pixels.iter().map(|p| p / most).collect();
    Picture { width: SIDE, height: SIDE, pixels, caption: None, marked }
}

/// Clean and noisy images, and the limbs that are to be found.
fn examples() -> Result<Gallery, IoError> {
    let corpus = noisy(TOKENS, 0)?;
    let drawn = |image: usize| {
        let mut pixels = vec![0.0; SIDE * SIDE];
        corpus.document(image).entries().for_each(|(w, c)| pixels[w as usize] = c as f32);
        picture(&pixels, false)
    };
    let exact = |image: usize| {
        let pixels: Vec<f32> = clean(image, 1.0).iter().map(|&v| v as f32).collect();
        picture(&pixels, false)
    };
    let row = |label: &str, images| GalleryRow { label: label.to_owned(), images };
    Ok(Gallery {
        title: "Swimmer images (the paper's Figure 3)".to_owned(),
        caption: Some(format!(
            "body pixels have value 10 and background pixels 1; a document is {TOKENS} pixels drawn from an image"
        )),
        mark: None,
        rows: vec![
            row("clean images", EXAMPLES.map(exact).to_vec()),
            row("noisy images", EXAMPLES.map(drawn).to_vec()),
            row("ideal topics", (0..LIMBS).map(|l| picture(&ideal(l), false)).collect()),
        ],
    })
}

/// A limb with its share of the torso.
fn ideal(l: usize) -> Vec<f32> {
    let mut pixels = vec![0.0; SIDE * SIDE];
    torso().into_iter().for_each(|p| pixels[p] = 0.25);
    limb(l).into_iter().for_each(|p| pixels[p] = 1.0);
    pixels
}

/// The topics of a method's first run, each at the limb that it is matched with: the limb shown, and
/// whether it is a single one.
fn matched(outcome: &Outcome) -> Vec<(Vec<f32>, bool)> {
    let n = LIMBS.max(outcome.topics.len());
    let mut cost = vec![1.0; n * n];
    for (t, (_, pixels)) in outcome.topics.iter().enumerate() {
        let mass: Vec<f64> =
            (0..LIMBS).map(|l| limb(l).iter().map(|&p| f64::from(pixels[p])).sum()).collect();
        let total: f64 = mass.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        mass.iter().enumerate().for_each(|(l, m)| cost[l * n + t] = 1.0 - m / total);
    }
    let topic_of = best_matching(&cost, n);
    let picked = |l: usize| {
        let (shown, pixels) = outcome.topics.get(topic_of[l])?;
        Some((pixels.clone(), *shown == Some(l)))
    };
    (0..n).filter_map(picked).collect()
}

/// All topics of each method.
fn topics(contenders: &[Contender], outcomes: &[Vec<&Outcome>]) -> Gallery {
    let rows = contenders.iter().zip(outcomes).filter_map(|(c, o)| {
        let first = o.first()?;
        let images = matched(first).iter().map(|(pixels, hit)| picture(pixels, !hit)).collect();
        Some(GalleryRow { label: format!("{}: {} of {LIMBS}", c.name, first.found), images })
    });
    Gallery {
        title: "Topics found in the Swimmer images (the paper's Figure 5)".to_owned(),
        caption: Some("the first seed; each topic stands at the limb it fits best".to_owned()),
        mark: Some("not that limb alone".to_owned()),
        rows: rows.collect(),
    }
}

/// Only the topics that show no single limb.
fn misses(contenders: &[Contender], outcomes: &[Vec<&Outcome>]) -> Gallery {
    let rows = contenders.iter().zip(outcomes).filter_map(|(c, o)| {
        let missed: Vec<Picture> = matched(o.first()?)
            .iter()
            .filter(|(_, hit)| !hit)
            .map(|(pixels, _)| picture(pixels, false))
            .collect();
        let label = format!("{}: {} missed", c.name, missed.len());
        (!missed.is_empty()).then_some(GalleryRow { label, images: missed })
    });
    Gallery {
        title: "Topics that are no single limb (the paper's Figure 4)".to_owned(),
        caption: Some("the first seed; methods without such a topic are left out".to_owned()),
        mark: None,
        rows: rows.collect(),
    }
}

fn limbs(contenders: &[Contender], outcomes: &[Vec<&Outcome>]) -> DotChart {
    let dots = outcomes.iter().map(|o| {
        let s = summary(o);
        Dot { value: s.mean, error: s.error }
    });
    DotChart {
        title: "Limbs found, of 16".to_owned(),
        caption: Some(format!(
            "mean of {} seeds with its standard error",
            outcomes.first().map_or(0, Vec::len)
        )),
        axis: Axis::linear("limbs that some topic shows").with_range(0.0, LIMBS as f64),
        categories: contenders.iter().map(|c| c.name.to_owned()).collect(),
        series: vec![DotSeries {
            name: "limbs".to_owned(),
            style: 0,
            dots: dots.collect(),
            emphasis: true,
        }],
    }
}

fn summary(outcomes: &[&Outcome]) -> Summary {
    Summary::of(&outcomes.iter().map(|o| o.found as f64).collect::<Vec<f64>>())
}

fn page(
    contenders: &[Contender],
    outcomes: &[Vec<&Outcome>],
    pilots: &[(GibbsParams, f64)],
) -> String {
    let seeds = outcomes.first().map_or(0, Vec::len);
    let rows: Vec<Vec<String>> = contenders
        .iter()
        .zip(outcomes)
        .map(|(c, o)| {
            let s = summary(o);
            let all = o.iter().filter(|o| o.found == LIMBS).count();
            let least = o.iter().map(|o| o.found).min().unwrap_or(0);
            let most = o.iter().map(|o| o.found).max().unwrap_or(0);
            let seconds = o.iter().map(|o| o.seconds).sum::<f64>() / o.len().max(1) as f64;
            let failed = o.iter().filter(|o| o.problem.is_some()).count();
            vec![
                c.name.to_owned(),
                format!("{:.1} ± {:.1}", s.mean, s.error),
                format!("{least} to {most}"),
                format!("{all} of {seeds}"),
                failed.to_string(),
                format!("{seconds:.2}"),
            ]
        })
        .collect();
    let head = ["method", "limbs found", "range", "all 16 in", "failed", "seconds"];
    let mut out = format!(
        "# Limbs of the Swimmer (Figures 3 to 5)\n\n\
         256 images of a torso with four limbs in four positions each, so there are 16 limbs to find. Body pixels have \
         value 10, background pixels 1, and a document is {TOKENS} pixels drawn from an image. {seeds} seeds.\n\n\
         **Rule.** A limb counts as found if some topic has more than 70 % of its mass on limb pixels on that one \
         limb. Torso and background pixels do not count: every image has them, so no data can say which topic \
         they belong to.\n\n{}\n\
         ![limbs found](limbs.png)\n\n![images](figure3.png)\n\n![topics found](figure5.png)\n\n\
         ![misses](figure4.png)\n\n## Settings\n\n\
         - *rp* and *ddp*: as published, but only pixels with at least {FLOOR} tokens may be novel, and \
         the weights of the graph are exp(−D / median D), which do not underflow. *to the letter* has neither. The \
         paper's thresholds d = 1, γ = 3 are the population values of images without background; with a background of 1 \
         no limb passes them at any number of tokens (`docs/method.md`).\n\
         - *recover-l2*, *spa*, *solid-angle*: anchors are in at least {FLOOR_IMAGES} images, which bars the background alike.\n\
         - *recover-l2, clean images*: pixel values as counts. The extreme points are linearly dependent, which \
         RecoverL2 does not allow; the paper reports 4 of 16.\n\
         - *gibbs*: 1,000 sweeps; priors chosen on other seeds (mean limbs found): ",
        markdown(&head, &rows)
    );
    let list: Vec<String> = pilots
        .iter()
        .map(|(p, found)| format!("α {:.3} β {}: {found:.1}", p.alpha, p.beta))
        .collect();
    let _ = writeln!(out, "{}.", list.join("; ")); // a String takes everything
    for c in contenders {
        let settings = c.method.parameters().unwrap_or_default();
        let _ = writeln!(out, "- {} ({:?}): `{settings}`", c.name, c.images);
    }
    let _ = writeln!(
        out,
        "\nExamples in Figure 3 are images {EXAMPLES:?}, whose limbs are {:?}.",
        EXAMPLES.map(pose)
    );
    out
}
