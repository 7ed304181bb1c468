//! Theorems 1 to 3 as the documents grow: is each step right, and how often?
//!
//! Each step gets what the theorem gives it: detection its thresholds d and γ, clustering the true novel
//! words and d, estimation one novel word of each topic. The theorems' thresholds (`λ∧ β∧²`, `ζ a∧ β∧`) are
//! lower bounds of the real gaps, so small that noise drowns them; the gaps themselves, known here from
//! the truth, are used.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use vertopic::Error;
use vertopic::cluster::{self, ClusterParams, Grouping, Groups, Representative};
use vertopic::context::{Context, Parallelism};
use vertopic::corpus::Corpus;
use vertopic::detect::{self, DetectParams, Method, NovelWord, NovelWords, TopicRequest};
use vertopic::estimate::{self, EstimateParams};
use vertopic::evaluate::l1_error;
use vertopic::moments::{PairScheme, TokenPairs, WordStats};
use vertopic::observe::Silent;
use vertopic::seed::Seed;
use vertopic::space::{CooccurrenceSpace, WordSpace};
use vertopic_io::IoError;

use super::population::Population;
use crate::reproduce::{Journal, Options};
use crate::synth::prior::Prior;
use crate::synth::separable::{Frequency, Law, Planted, Separable};

/// The small model on which exactness can be seen.
const WORDS: usize = 40;
const NOVEL_SHARE: f64 = 0.3;
const K: usize = 3;
const TOKENS: usize = 100;
const ALPHA: f64 = 0.3;
/// The seed of the topics: one model for all corpora of the experiment would be neater, but the generator
/// draws both from one seed; so each replicate has its own model and its own gaps.
const REPLICATES: usize = 30;
const QUICK_REPLICATES: usize = 5;

/// How the steps did on one corpus.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Steps {
    /// Theorem 1: share of the words told right, novel or not.
    pub(super) detected: f64,
    /// Theorem 2: share of the pairs of novel words told right, together or apart.
    pub(super) clustered: f64,
    /// Theorem 3: largest error of an entry of β.
    pub(super) largest: f64,
    /// The ℓ1 error, summed over topics.
    pub(super) error: f64,
}

/// All corpora of one size.
pub(super) struct AtSize {
    pub(super) documents: usize,
    pub(super) steps: Vec<Steps>,
}

/// What the experiment is about, in words.
pub(super) fn model() -> String {
    format!(
        "W = {WORDS}, {:.0} % of the words novel and as frequent as the others, K = {K}, N = {TOKENS}, Dirichlet mixtures with α = {ALPHA}",
        100.0 * NOVEL_SHARE
    )
}

pub(super) fn measure(
    options: &Options,
    journal: &mut Journal,
    ctx: &Context<'_>,
) -> Result<Vec<AtSize>, IoError> {
    let fallback = if options.quick { QUICK_REPLICATES } else { REPLICATES };
    let replicates = options.replicates.unwrap_or(fallback);
    let sizes: &[usize] = if options.quick {
        &[300, 3000, 30_000]
    } else {
        &[100, 300, 1000, 3000, 10_000, 30_000, 100_000]
    };
    let pieces: Vec<(usize, u64)> =
        (0..replicates as u64).flat_map(|seed| sizes.iter().map(move |&m| (m, seed))).collect();
    let key = |(m, seed): &(usize, u64)| format!("steps {} M={m} seed={seed}", model());
    let steps: Vec<Steps> =
        journal.carry_out("watching steps", &pieces, key, ctx.threads(), ctx, |&(m, seed)| {
            let alone = Context::new(Parallelism::Threads(NonZeroUsize::MIN), &Silent)?;
            Ok(watch(m, seed, &alone)?)
        })?;
    let at = |&documents: &usize| {
        let here = pieces.iter().zip(&steps).filter(|((m, _), _)| *m == documents);
        AtSize { documents, steps: here.map(|(_, s)| s.clone()).collect() }
    };
    Ok(sizes.iter().map(at).collect())
}

fn watch(documents: usize, seed: u64, ctx: &Context<'_>) -> Result<Steps, Error> {
    let prior = Prior::Dirichlet(ALPHA);
    let recipe = Separable {
        words: WORDS,
        novel_share: NOVEL_SHARE,
        topics: K,
        documents,
        tokens: TOKENS,
        prior: prior.clone(),
        frequency: Frequency::Matched(Law::Uniform),
    };
    let truth = recipe.generate(seed)?;
    let Some(moments) = prior.moments(K)? else { return Err(Error::NoPairs) };
    let population = Population::new(&truth.topics, &truth.novel_words, &moments);
    let totals = WordStats::of(&truth.corpus, TokenPairs::new(Seed(seed), PairScheme::Split), ctx)?;
    let (largest, error) = estimation(&truth, &totals, ctx)?;
    Ok(Steps {
        detected: detection(&truth, &totals, &population, ctx),
        clustered: clustering(&truth.corpus, &truth, &totals, &population, ctx),
        largest,
        error,
    })
}

/// Algorithm 1 with the true gaps as thresholds.
fn detection(
    truth: &Planted,
    totals: &WordStats,
    population: &Population,
    ctx: &Context<'_>,
) -> f64 {
    let mut params = DetectParams::paper(Method::Ddp);
    (params.distance, params.gamma) = (Some(population.d()), Some(population.gamma()));
    // Too few words found is an outcome like any other here.
    let space = CooccurrenceSpace::new(&truth.corpus, totals);
    let found = detect::novel_words(&space, &params, &TopicRequest::new(Some(1)), ctx)
        .map_or_else(|_| vec![], |novel| novel.ids());
    let novel: Vec<u32> = truth.novel_words.concat();
    let right = (0..WORDS as u32).filter(|w| found.contains(w) == novel.contains(w)).count();
    right as f64 / WORDS as f64
}

/// Algorithm 4 on the true novel words.
fn clustering(
    corpus: &Corpus,
    truth: &Planted,
    totals: &WordStats,
    population: &Population,
    ctx: &Context<'_>,
) -> f64 {
    let word = |&word: &u32| NovelWord { word, strength: 1.0 };
    let words: Vec<NovelWord> = truth.novel_words.iter().flatten().map(word).collect();
    let topic = |w: u32| truth.novel_words.iter().position(|words| words.contains(&w));
    let mut params = ClusterParams::paper();
    params.grouping = Grouping::Threshold;
    params.distance = Some(population.between_topics());
    let novel = NovelWords { words, n_candidates: WORDS };
    // One group of all words is an error of the library; here it is an outcome.
    let space = CooccurrenceSpace::new(corpus, totals);
    let any = TopicRequest::new(None);
    let group: Vec<usize> = match cluster::groups(&space, &novel, &params, &any, ctx) {
        Ok(groups) => novel.ids().iter().map(|&w| group_of(&groups, w)).collect(),
        Err(_) => vec![0; novel.words.len()],
    };
    let ids = novel.ids();
    let n = ids.len();
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let right =
        pairs.filter(|&(i, j)| (group[i] == group[j]) == (topic(ids[i]) == topic(ids[j]))).count();
    right as f64 / (n * (n - 1) / 2) as f64
}

fn group_of(groups: &Groups, word: u32) -> usize {
    let has = |g: &cluster::Group| g.words.iter().any(|n| n.word == word);
    groups.groups.iter().position(has).unwrap_or(usize::MAX)
}

/// Algorithm 5 on the most frequent novel word of each topic.
fn estimation(truth: &Planted, totals: &WordStats, ctx: &Context<'_>) -> Result<(f64, f64), Error> {
    let best = |words: &Vec<u32>| words.iter().copied().max_by_key(|&w| totals.tokens[w as usize]);
    let words: Vec<NovelWord> = truth
        .novel_words
        .iter()
        .filter_map(best)
        .map(|word| NovelWord { word, strength: 1.0 })
        .collect();
    let novel = NovelWords { words, n_candidates: WORDS };
    let space = CooccurrenceSpace::new(&truth.corpus, totals);
    let each: Vec<usize> = (0..K).collect();
    let groups = Groups::new(&novel, &each, Representative::Word, space.masses());
    let found = estimate::topics(&space, &groups, &EstimateParams::paper(), ctx)?;
    let pairs = truth.topics.values().iter().zip(found.topics.values());
    let largest = pairs.map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
    Ok((largest, l1_error(&truth.topics, &found.topics)))
}
