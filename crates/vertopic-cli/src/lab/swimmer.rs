//! The Swimmer, the paper's set of images.

use std::path::Path;

use vertopic::cluster::Affinity;
use vertopic::context::Context;
use vertopic::detect::Method;
use vertopic::{FitParams, TopicModel};
use vertopic_io::store::{CorpusKind, CorpusMeta, write_corpus, write_model};
use vertopic_lab::synth::swimmer::{LIMBS, SIDE, limbs_found, noisy, shown, word};

use crate::failure::Failure;
use crate::lab::pictures::{Picture, pictures};
use crate::output::Style;

/// Tokens of an image, as in the paper.
const TOKENS: u32 = 200;
/// Fewer tokens than this, and a pixel may be background that is extreme by chance.
const FLOOR: u64 = 80;
/// The part of an image in which something ever moves: rows and columns.
const ROWS: std::ops::Range<usize> = 3..29;
const COLUMNS: std::ops::Range<usize> = 8..23;
/// Pictures side by side.
const PER_ROW: usize = 4;

/// Finds the limbs and draws them.
pub(crate) fn show(out: Option<&Path>, ctx: &Context<'_>) -> Result<Option<String>, Failure> {
    let corpus = noisy(TOKENS, 0)?;
    let params = FitParams::paper(LIMBS, Method::Rp);
    let (mut detect, mut cluster) = (params.detect().clone(), params.cluster().clone());
    detect.filter.min_tokens = FLOOR;
    cluster.affinity = Affinity::ExpMedian;
    let model = params.with_detect(detect).with_cluster(cluster).fit_with(&corpus, ctx)?;
    if let Some(folder) = out {
        let meta = CorpusMeta { kind: CorpusKind::Counts, tokenizer: None };
        write_corpus(&folder.join("swimmer.arrow"), &corpus, &meta)?;
        write_model(&folder.join("swimmer.safetensors"), &model)?;
    }
    let found = limbs_found(model.topics(), model.vocabulary().words());
    Ok(Some(format!(
        "{}\n\n\
         256 noisy images of a swimmer; each of its four limbs is in one of four positions.\n\
         Images are documents, pixels are words ({TOKENS} drawn from each image), so topics\n\
         should be limbs.\n\n\
         {}{found} of {LIMBS} limbs found.\n\n",
        Style::stdout().bold("Swimmer"),
        pictures(&drawn(&model), PER_ROW),
    )))
}

/// Each topic as a picture, cropped, its brightest pixel white.
fn drawn(model: &TopicModel) -> Vec<Picture> {
    let limbs = shown(model.topics(), model.vocabulary().words());
    let picture = |k: usize| {
        let topic = model.topics().topic(k);
        let brightest = topic.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let bright = |row: usize, column: usize| {
            let id = model.vocabulary().id(&word(row * SIDE + column));
            id.map_or(0.0, |w| topic[w as usize] / brightest)
        };
        let pixels = ROWS.flat_map(|row| COLUMNS.map(move |column| (row, column)));
        Picture {
            width: COLUMNS.len(),
            pixels: pixels.map(|(row, column)| bright(row, column)).collect(),
            caption: match limbs[k] {
                Some(_) => format!("topic {k}"),
                None => format!("topic {k}: no limb"),
            },
        }
    };
    (0..model.topics().n_topics()).map(picture).collect()
}
