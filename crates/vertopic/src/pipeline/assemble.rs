//! The model, put together from what the stages found.

use crate::corpus::Vocabulary;
use crate::detect::Method;
use crate::error::Error;
use crate::model::{CorpusSummary, FitReport, ModelParts, TopicModel, TopicParts};
use crate::moments::WordStats;
use crate::note::Note;
use crate::pipeline::{FitParams, GeometricFit};
use crate::refine::Refined;

/// What a model is put together from.
#[derive(Debug, Clone)]
pub struct Assembly<'a> {
    vocabulary: &'a Vocabulary,
    stats: &'a WordStats,
    geometry: &'a GeometricFit,
    refined: &'a Refined,
    stability: Option<Vec<f64>>,
    display_words: Vec<Vec<u32>>,
}

impl<'a> Assembly<'a> {
    /// The topics of `refined`, which come from `geometry`; `stats` are those of all documents.
    pub fn new(
        vocabulary: &'a Vocabulary,
        stats: &'a WordStats,
        geometry: &'a GeometricFit,
        refined: &'a Refined,
    ) -> Self {
        let (stability, display_words) = (None, Vec::new());
        Self { vocabulary, stats, geometry, refined, stability, display_words }
    }

    /// The same with the stability of each topic.
    #[must_use]
    pub fn with_stability(self, stability: Option<Vec<f64>>) -> Self {
        Self { stability, ..self }
    }

    /// The same with the words that people are to see of each topic. Without them the model chooses its own.
    #[must_use]
    pub fn with_display_words(self, display_words: Vec<Vec<u32>>) -> Self {
        Self { display_words, ..self }
    }

    /// The model, heaviest topic first. Its provenance names `params`.
    pub fn model(&self, params: &FitParams) -> Result<TopicModel, Error> {
        let Refined { topics, weights, report } = self.refined;
        let groups = &self.geometry.groups.groups;
        let model = ModelParts {
            vocabulary: self.vocabulary,
            corpus: CorpusSummary::of_stats(self.stats),
            parameters: Note::of(params)?,
            topics,
            weights,
            parts: (0..groups.len()).map(|k| self.topic(k, params)).collect(),
            report: FitReport {
                n_candidates: self.geometry.n_candidates,
                novel_words: groups.iter().map(|group| group.words.len()).sum(),
                left_out: self.geometry.left_out,
                unpaired: Some(self.stats.documents - self.stats.paired),
                estimate: Some(self.geometry.estimate.report),
                refine: (params.refine().sweeps > 0).then(|| report.clone()),
                ..FitReport::default()
            },
        };
        model.build()
    }

    /// What is known of topic `k`.
    fn topic(&self, k: usize, params: &FitParams) -> TopicParts {
        let estimate = &self.geometry.estimate;
        let words = &self.geometry.groups.groups[k].words;
        // Pinned topics come first. Their words, and those drawn at random, have won nothing.
        let given = k < params.guidance().pins.len() || params.detect().random.is_some();
        let strengths = words.iter().map(|n| n.strength);
        let strength = match params.detect().method {
            Method::Ddp | Method::EmbeddedDdp => strengths.fold(0.0, f64::max),
            _ => strengths.sum(),
        };
        TopicParts {
            novel_words: words.clone(),
            strength: (!given).then_some(strength),
            separation: Some(estimate.separation[k]),
            residual: Some(estimate.residual[k]),
            stability: self.stability.as_ref().map(|stability| stability[k]),
            display_words: self.display_words.get(k).cloned().unwrap_or_default(),
        }
    }
}
