//! Background smoothing (Jelinek-Mercer): every topic is mixed with the mean topic.
//!
//! Topics fitted on little text are overconfident: on titles of five words they predict worse than topics smoothed with
//! the background, `(1 − λ) β_k + λ Σ_j a_j β_j` for topic weights `a`. Smoothing leaves word frequencies unchanged. The
//! validation set chooses λ, which is 0 unless the gain is clear.

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, DocumentFilter, Documents, Pass, PassReader, PassWriter, SumFields,
    Vocabulary,
};
use crate::error::Error;
use crate::estimate::Topics;
use crate::infer::TopicWordTable;
use crate::refine::ValidationSet;
use crate::refine::scorer::HeldOutScorer;
use crate::refine::sweep::STAGE;

/// Values of λ in the order of the search, which ends at the first loss.
const SHARES: [f64; 7] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
/// Gain that the first value must reach, in nats per token: 5 % of perplexity. Planted topics gain less, and smoothing
/// moves them away from the truth.
const WORTH: f64 = 0.05;
/// Pseudo-tokens of the prior of a validation document's mixture. Few: users may infer without a prior, where
/// overconfident topics cost most.
const PRIOR: f32 = 0.2;

/// `topics` mixed with their weighted mean, which gets the weight `share`.
pub fn smooth_with_background(
    topics: &Topics,
    weights: &[f64],
    share: f64,
    ctx: &Context<'_>,
) -> Result<Topics, Error> {
    if share == 0.0 {
        return Ok(topics.clone());
    }
    let (words, total) = (topics.n_words(), weights.iter().sum::<f64>());
    let mut mean = vec![0.0_f64; words];
    for (k, weight) in weights.iter().enumerate() {
        let part = weight / total;
        mean.iter_mut().zip(topics.topic(k)).for_each(|(m, &p)| *m += part * f64::from(p));
    }
    let mut values = topics.values().to_vec();
    let mix = |(p, m): (&mut f32, &f64)| *p = ((1.0 - share) * f64::from(*p) + share * m) as f32;
    let rows = values.par_chunks_mut(words.max(1));
    ctx.install(|| rows.for_each(|topic| topic.iter_mut().zip(&mean).for_each(mix)));
    Topics::new(words, values)
}

/// The background weight that scores best on the `validation` set.
pub(super) fn choose_weight<D: Documents>(
    documents: &D,
    topics: &Topics,
    weights: &[f64],
    validation: ValidationSet,
    ctx: &Context<'_>,
) -> Result<f64, Error> {
    let score = |share: f64| -> Result<f64, Error> {
        let smooth_with_background = smooth_with_background(topics, weights, share, ctx)?;
        let table = TopicWordTable::new(&smooth_with_background, weights, topics.n_words(), ctx)?;
        let pass = Validate { table, validation: validation.into() };
        Ok(documents.pass(&pass, ctx)?.scorer.per_token_score())
    };
    let unmixed = score(0.0)?;
    let mut best = (0.0, unmixed + WORTH);
    for share in SHARES {
        let now = score(share)?;
        if now <= best.1 {
            break;
        }
        best = (share, now);
    }
    Ok(best.0)
}

/// The pass that scores the validation documents.
#[derive(Debug)]
pub(crate) struct Validate {
    table: TopicWordTable,
    validation: DocumentFilter,
}

impl Pass for Validate {
    const NAME: &'static str = "validation";
    const STAGE: &'static str = STAGE;
    type Accumulator<'a> = Validation<'a>;

    fn accumulator<'a>(&'a self, _: &'a Vocabulary, _: &Context<'_>) -> Validation<'a> {
        let scorer = HeldOutScorer::new(&self.table, PRIOR);
        Validation { validation: &self.validation, scorer }
    }

    fn write(&self, out: &mut PassWriter) {
        self.table.write(out);
        self.validation.write(out);
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let table = TopicWordTable::read(from, words)?;
        Ok(Self { table, validation: DocumentFilter::read(from)? })
    }
}

/// The score of the validation documents.
pub(crate) struct Validation<'t> {
    validation: &'t DocumentFilter,
    scorer: HeldOutScorer<'t>,
}

impl Accumulator for Validation<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !document.words.is_empty() && self.validation.has(document) {
            self.scorer.score(document);
        }
    }

    fn merge(&mut self, other: Self) {
        self.scorer.merge(&other.scorer);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        self.scorer.exchange(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::seed::{Seed, Stage};

    const TOPICS: usize = 3;
    const WORDS: usize = 60;

    /// Documents of six tokens; six of ten are of the twenty words of a topic, the others any words.
    fn titles() -> Corpus {
        let title = |d: usize| {
            let mut random = Seed(3).stream(Stage::Chain, d as u64);
            let mut word = || {
                let (own, at) = (random.unit() < 0.6, random.next_u64() as usize);
                (if own { d % TOPICS * 20 + at % 20 } else { at % WORDS }) as u32
            };
            (0..6).map(|_| (word(), 1)).collect::<Vec<_>>()
        };
        crate::testkit::corpus(WORDS, (0..4000).map(title))
    }

    /// Topics that give so much to words of others, in all.
    fn topics(others: f32) -> Topics {
        let p = |k: usize, w: usize| {
            others / WORDS as f32 + if w / 20 == k { (1.0 - others) / 20.0 } else { 0.0 }
        };
        let values = (0..TOPICS * WORDS).map(|at| p(at / WORDS, at % WORDS)).collect();
        Topics::new(WORDS, values).expect("sum to 1")
    }

    #[test]
    fn topics_that_are_too_sure_are_mixed_and_true_ones_are_not() {
        let (ctx, corpus) = (Context::silent().expect("threads"), titles());
        let validation = ValidationSet::new(Seed(0), corpus.n_documents());
        let found = |others| {
            choose_weight(&corpus, &topics(others), &[1.0; 3], validation, &ctx).expect("fine")
        };
        let sure = found(0.0);
        // The truth has 0.4; what a mixture has of all topics does a part of it.
        assert!((0.1..=0.4).contains(&sure), "{sure}");
        assert!(found(0.4) == 0.0, "{}", found(0.4));
    }

    #[test]
    fn mixing_leaves_the_frequencies_of_words() {
        let (topics, weights) = (topics(0.1), [0.5, 0.3, 0.2]);
        let smooth_with_background =
            smooth_with_background(&topics, &weights, 0.4, &Context::silent().expect("threads"))
                .expect("topics");
        let frequency = |topics: &Topics, w: usize| -> f64 {
            weights.iter().enumerate().map(|(k, a)| a * f64::from(topics.topic(k)[w])).sum()
        };
        for w in 0..WORDS {
            assert!(
                (frequency(&smooth_with_background, w) - frequency(&topics, w)).abs() < 1e-7,
                "{w}"
            );
            // A word of another topic gets its part of the mean.
            let expected = 0.6 * f64::from(topics.topic(2)[w]) + 0.4 * frequency(&topics, w);
            assert!((f64::from(smooth_with_background.topic(2)[w]) - expected).abs() < 1e-7, "{w}");
        }
    }
}
