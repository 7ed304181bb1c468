//! Planted truth: the method finds the topics that documents were drawn from, better with more of them.

use vertopic::FitParams;
use vertopic::cluster::{Affinity, Groups, Representative};
use vertopic::context::Context;
use vertopic::corpus::Frequency;
use vertopic::detect::{DetectParams, Method, NovelWord, NovelWords, TopicRequest, novel_words};
use vertopic::embed::{EmbedParams, effective_rank};
use vertopic::estimate::{EstimateParams, topics};
use vertopic::evaluate::l1_error;
use vertopic::moments::{PairScheme, TokenPairs, Weighting, WordStats};
use vertopic::seed::Seed;
use vertopic::space::{CooccurrenceSpace, WordSpace};
use vertopic_lab::synth::separable::{Frequency as Recipe, Law, Planted, Separable};
use vertopic_lab::synth::swimmer;

/// The paper's algorithms with scaled weights, pooled representatives and a floor on the candidates.
///
/// Without the floor a single very rare novel word can spoil a whole topic for DDP: its diagonal entry is
/// noise, so it is far from everything, and it correlates with its topic's words more than they do with
/// themselves. On 20 seeds at M = 10,000 DDP's mean error is .53 without a floor and .26 with one of 5 %.
fn settings(method: Method, seed: u64) -> FitParams {
    let floor = match method {
        Method::Ddp => 0.05,
        _ => 0.005, // random projections of documents live on rare words
    };
    let params = FitParams::paper(5, method).with_seed(seed);
    let (mut detect, mut cluster) = (params.detect().clone(), params.cluster().clone());
    detect.filter.min_df = Frequency::Share(floor);
    cluster.affinity = Affinity::ExpMedian;
    cluster.representative = Representative::Pooled;
    params.with_detect(detect).with_cluster(cluster)
}

fn planted(documents: usize, seed: u64) -> Planted {
    Separable { documents, ..Separable::default() }.generate(seed).expect("a corpus")
}

/// Mean error over three corpora.
fn error(method: Method, documents: usize, ctx: &Context<'_>) -> f64 {
    let one = |seed| {
        let truth = planted(documents, seed);
        let model = settings(method, seed).fit_with(&truth.corpus, ctx).expect("a model");
        l1_error(&truth.topics, model.topics())
    };
    (0..3).map(one).sum::<f64>() / 3.0
}

/// Mean error of the same regression when it is given the true novel words.
fn error_given_truth(documents: usize, ctx: &Context<'_>) -> f64 {
    let one = |seed| {
        let truth = planted(documents, seed);
        let totals =
            WordStats::of(&truth.corpus, TokenPairs::new(Seed(seed), PairScheme::Split), ctx)
                .expect("documents");
        let seen = |w: u32| totals.first[w as usize] > 0.0 && totals.second[w as usize] > 0.0;
        let (words, groups): (Vec<NovelWord>, Vec<usize>) = (0..5)
            .flat_map(|k| truth.novel_words[k].iter().map(move |&word| (word, k)))
            .filter(|&(word, _)| seen(word))
            .map(|(word, k)| (NovelWord { word, strength: 1.0 }, k))
            .unzip();
        let novel = NovelWords { words, n_candidates: 500 };
        let space = CooccurrenceSpace::new(&truth.corpus, &totals);
        let groups = Groups::new(&novel, &groups, Representative::Pooled, space.masses());
        let params = EstimateParams::paper();
        let found = topics(&space, &groups, &params, ctx).expect("topics");
        l1_error(&truth.topics, &found.topics)
    };
    (0..3).map(one).sum::<f64>() / 3.0
}

#[test]
fn ddp_is_as_good_as_knowing_the_novel_words() {
    let ctx = Context::silent().expect("threads");
    let errors = [200, 1_000, 10_000].map(|m| error(Method::Ddp, m, &ctx));
    assert!(errors[0] > 1.2 * errors[1] && errors[1] > 1.2 * errors[2], "{errors:?}");
    let truth = error_given_truth(10_000, &ctx);
    assert!(errors[2] <= 1.15 * truth, "{} against {truth} given the truth", errors[2]);
}

#[test]
fn rp_gets_better_with_more_documents() {
    let ctx = Context::silent().expect("threads");
    let errors = [200, 1_000, 10_000].map(|m| error(Method::Rp, m, &ctx));
    assert!(errors[0] > 1.2 * errors[1] && errors[1] > 1.2 * errors[2], "{errors:?}");
    // Measured on 20 seeds: .81 on halves, .65 on whole documents, against .25 given the truth.
    let truth = error_given_truth(10_000, &ctx);
    assert!(errors[2] < 4.0 * truth, "{errors:?} against {truth} given the truth");
}

#[test]
fn the_swimmer_has_all_its_limbs() {
    let ctx = Context::silent().expect("threads");
    for method in [Method::Rp, Method::Ddp] {
        for seed in 0..5 {
            let corpus = swimmer::noisy(200, seed).expect("images");
            let params = FitParams::paper(16, method).with_seed(seed);
            let (mut detect, mut cluster) = (params.detect().clone(), params.cluster().clone());
            cluster.affinity = Affinity::ExpMedian;
            detect.filter.min_tokens = 80;
            let params = params.with_detect(detect).with_cluster(cluster);
            let model = params.fit_with(&corpus, &ctx).expect("a model");
            let found = swimmer::limbs_found(model.topics(), model.vocabulary().words());
            assert_eq!(found, 16, "{method:?}, seed {seed}");
        }
    }
}

/// The paper gives d = 1 and γ = 3 for this set. They are the population values of the binary images:
/// a limb is in a quarter of them, so `C_ii = 4`, and `C_ij` is 1 for another limb and 0 for another
/// position of the same one: margins of 3 and 4. A background of 1 shrinks the margin to 1.44, below γ/2,
/// and then no limb passes however long the documents are.
#[test]
fn the_thresholds_of_the_paper_fit_the_swimmer_without_background() {
    let ctx = Context::silent().expect("threads");
    let mut detect = DetectParams::paper(Method::Ddp);
    (detect.distance, detect.gamma) = (Some(1.0), Some(3.0));
    let found = |background| {
        let corpus = swimmer::with_background(background, 5_000, 1).expect("images");
        let totals = WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx)
            .expect("documents");
        let space = CooccurrenceSpace::new(&corpus, &totals);
        let any = TopicRequest::new(Some(0));
        let novel = novel_words(&space, &detect, &any, &ctx).expect("a list");
        let mut pixels: Vec<usize> = novel.words.iter().map(|n| n.word as usize).collect();
        pixels.sort_unstable();
        pixels
    };
    let mut limbs: Vec<usize> = (0..16).flat_map(swimmer::limb).collect();
    limbs.sort_unstable();
    assert_eq!(found(0.0), limbs);
    assert_eq!(found(1.0), [0; 0]);
}

#[test]
fn the_number_of_real_dimensions_is_the_number_of_topics() {
    let ctx = Context::silent().expect("threads");
    for (topics, frequency) in [(5, Recipe::Paper), (10, Recipe::Matched(Law::Uniform))] {
        let recipe =
            Separable { topics, documents: 2000, frequency, words: 300, ..Separable::default() };
        let corpus = recipe.generate(3).expect("a corpus").corpus;
        let totals = WordStats::of(&corpus, TokenPairs::new(Seed(3), PairScheme::All), &ctx)
            .expect("documents");
        for weighting in [Weighting::Tokens, Weighting::TfIdf] {
            let mut params = EmbedParams::default();
            params.weighting = weighting;
            let found = effective_rank(&corpus, &totals, &params, &ctx).expect("documents");
            assert_eq!(found.rank, topics, "{weighting:?} {:?}", found.scores);
            assert!(found.eigenvalues.iter().take(topics).all(|l| *l > 0.0));
        }
    }
}
