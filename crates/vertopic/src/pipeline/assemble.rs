//! The model, from what the stages found.

use crate::corpus::Vocabulary;
use crate::detect::Method;
use crate::error::Error;
use crate::model::{CorpusSummary, FitReport, ModelParts, TopicModel, TopicParts};
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
    let parts = |k: usize| {
        let words = &groups.groups[k].words;
        // Pins come first; their words, and those drawn at random, won nothing.
        let given = k < params.guidance.pins.len() || params.detect.random.is_some();
        let strength = match params.detect.method {
            Method::Ddp | Method::EmbeddedDdp => {
                words.iter().map(|n| n.strength).fold(0.0, f64::max)
            }
            _ => words.iter().map(|n| n.strength).sum(),
        };
        TopicParts {
            novel_words: words.clone(),
            strength: (!given).then_some(strength),
            separation: Some(estimate.separation[k]),
            residual: Some(estimate.residual[k]),
            stability: stability.map(|a| a[k]),
            display_words: shown.get(k).cloned().unwrap_or_default(),
        }
    };
    let model = ModelParts {
        vocabulary,
        corpus: summary(vocabulary, stats),
        parameters: serde_json::to_value(params).map_err(|e| Error::BadModel(e.to_string()))?,
        topics,
        weights,
        parts: (0..groups.len()).map(parts).collect(),
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
    };
    model.build()
}
