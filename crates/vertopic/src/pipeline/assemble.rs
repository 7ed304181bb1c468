//! The model, from what the stages found.

use rayon::prelude::*;

use crate::corpus::Vocabulary;
use crate::detect::Method;
use crate::error::Error;
use crate::estimate::Topics;
use crate::model::{
    CorpusSummary, Diagnostics, FitReport, NovelWordInfo, Provenance, TopicInfo, TopicModel,
    effective_words,
};
use crate::moments::WordStats;
use crate::pipeline::{FitParams, GeometricFit};
use crate::refine::Refined;

/// What is kept of the documents.
pub(super) fn summary(vocabulary: &Vocabulary, stats: &WordStats) -> CorpusSummary {
    CorpusSummary {
        documents: stats.documents,
        empty: stats.documents - stats.filled,
        words: vocabulary.len(),
        tokens: stats.tokens.iter().sum(),
    }
}

/// Puts the model together, heaviest topic first, on the threads that it is called from.
pub(crate) fn assemble(
    vocabulary: &Vocabulary,
    params: &FitParams,
    stats: &WordStats,
    found: &GeometricFit,
    refined: &Refined,
    shown: &[Vec<u32>],
    stability: Option<&[f64]>,
) -> Result<TopicModel, Error> {
    let GeometricFit { groups, estimate, .. } = found;
    let Refined { topics, weights, report } = refined;
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    let name = |word: u32| vocabulary.word(word).to_owned();
    let info = |&k: &usize| {
        let words = &groups.groups[k].words;
        // Pins come first; their words, and those drawn at random, won nothing.
        let given = k < params.guidance.pins.len() || params.detect.random.is_some();
        let strength = match params.detect.method {
            Method::Ddp | Method::EmbeddedDdp => {
                words.iter().map(|n| n.strength).fold(0.0, f64::max)
            }
            _ => words.iter().map(|n| n.strength).sum(),
        };
        TopicInfo {
            novel_words: words
                .iter()
                .map(|n| NovelWordInfo { word: name(n.word), strength: n.strength })
                .collect(),
            diagnostics: Diagnostics {
                novel_words: words.len(),
                strength: (!given).then_some(strength),
                separation: Some(estimate.separation[k]),
                residual: Some(estimate.residual[k]),
                stability: stability.map(|a| a[k]),
                effective_words: effective_words(topics.topic(k)),
            },
            display_words: shown.get(k).into_iter().flatten().copied().map(name).collect(),
        }
    };
    let rows = order.iter().map(|&k| topics.topic(k)).collect::<Vec<_>>().concat();
    let info = order.par_iter().map(info).collect();
    let provenance = Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        parameters: serde_json::to_value(params).map_err(|e| Error::BadModel(e.to_string()))?,
        corpus: summary(vocabulary, stats),
        report: FitReport {
            n_candidates: Some(found.n_candidates),
            novel_words: groups.groups.iter().map(|group| group.words.len()).sum(),
            left_out: found.left_out,
            unpaired: Some(stats.documents - stats.paired),
            estimate: Some(estimate.report),
            refine: (params.refine.sweeps > 0).then(|| report.clone()),
            method: serde_json::Value::Null,
            prune: None,
        },
        preprocessing: serde_json::Value::Null,
    };
    TopicModel::new(
        vocabulary.clone(),
        Topics::new(vocabulary.len(), rows)?,
        order.iter().map(|&k| weights[k] as f32).collect(),
        info,
        provenance,
    )
}
