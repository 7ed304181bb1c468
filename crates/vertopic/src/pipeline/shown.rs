//! Which words people see of a topic: those of the refined topic, or those of the geometric one that it started from.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::Documents;
use crate::error::Error;
use crate::estimate::Topics;
use crate::evaluate::{Measure, WordCooccurrence, mean};
use crate::model::{CorpusSummary, discriminative_words};
use crate::moments::WordStats;
use crate::pipeline::GeometricFit;
use crate::refine::Refined;

/// Words that are kept of a geometric topic.
const KEPT: usize = 50;
/// Words whose coherence is compared: as many as are shown by default.
const COMPARED: usize = 10;

/// The display words of the geometric topics where they are more coherent than those of the refined topics (by NPMI in the
/// documents; `model/display_words.rs` has the measurements). Otherwise there are none, and the model shows its own.
pub fn coherent_words<D: Documents>(
    documents: &D,
    stats: &WordStats,
    geometry: &GeometricFit,
    refined: &Refined,
    ctx: &Context<'_>,
) -> Result<Vec<Vec<u32>>, Error> {
    if refined.report.kept == 0 && refined.report.background_weight == 0.0 {
        return Ok(Vec::new());
    }
    let versions = Versions {
        geometric: &geometry.estimate.topics,
        refined: &refined.topics,
        weights: &refined.weights,
    };
    versions.coherent_words(documents, &CorpusSummary::of_stats(stats), ctx)
}

/// The same topics before and after refinement.
struct Versions<'a> {
    geometric: &'a Topics,
    refined: &'a Topics,
    weights: &'a [f64],
}

impl Versions<'_> {
    fn coherent_words<D: Documents>(
        &self,
        documents: &D,
        corpus: &CorpusSummary,
        ctx: &Context<'_>,
    ) -> Result<Vec<Vec<u32>>, Error> {
        let shares: Vec<f32> = self.weights.iter().map(|&a| a as f32).collect();
        let words = |topics: &Topics, n: usize| -> Vec<Vec<u32>> {
            let topic = |k: usize| discriminative_words(topics, &shares, corpus, k, n);
            ctx.install(|| (0..shares.len()).into_par_iter().map(topic).collect())
        };
        let kept = words(self.geometric, KEPT);
        let compared = kept.iter().map(|words| words[..words.len().min(COMPARED)].to_vec());
        let all: Vec<Vec<u32>> = compared.chain(words(self.refined, COMPARED)).collect();
        let counts = WordCooccurrence::in_documents(documents, &all, ctx)?;
        let coherence = Measure::Npmi.topics(&counts);
        let (geometric, refined) = coherence.split_at(shares.len());
        Ok(if mean(geometric) >= mean(refined) { kept } else { Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{CorpusBuilder, DocumentInfo};

    #[test]
    fn the_more_coherent_words_are_kept() {
        let mut b = CorpusBuilder::with_words((0..40).map(|w| format!("w{w:02}")).collect());
        for d in 0..60 {
            // Words 0 to 19 occur together, and so do the others.
            let mut pairs: Vec<(u32, u32)> =
                (0..8).map(|i| (d % 2 * 20 + (d + i) % 20, 2)).collect();
            b.push(&mut pairs, DocumentInfo::default()).expect("good");
        }
        let documents = b.finish().expect("good");
        let corpus = CorpusSummary { documents: 60, empty: 0, words: 40, tokens: 960 };
        let topics = |of: fn(usize) -> usize| {
            let p = |at: usize| if of(at % 40) == at / 40 { 0.05 } else { 0.0 };
            Topics::new(40, (0..80).map(p).collect()).expect("sum to 1")
        };
        let (together, apart) = (topics(|w| w / 20), topics(|w| w % 2));
        let ctx = Context::silent().expect("threads");
        let weights = &[0.5, 0.5];
        let shown = |geometric, refined| {
            Versions { geometric, refined, weights }
                .coherent_words(&documents, &corpus, &ctx)
                .expect("in memory")
        };
        let kept = shown(&together, &apart);
        assert_eq!(kept.len(), 2);
        assert!(kept[1].len() == 20 && kept[1].iter().all(|&w| w >= 20), "{kept:?}");
        assert_eq!(shown(&apart, &together), [[0_u32; 0]; 0]);
        assert_eq!(shown(&apart, &apart).len(), 2, "ties go to the geometric topics");
    }
}
