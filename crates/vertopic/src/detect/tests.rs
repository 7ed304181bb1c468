//! The detectors against slow versions of the listings, and on a corpus whose novel words are known.

use super::*;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::error::Advice;
use crate::moments::{Cooccurrence, Directions, PairScheme, TokenPairs, TokenSample};
use crate::seed::{Seed, Stage};
use crate::space::CooccurrenceSpace;

/// Three topics: words 0–2, 3–5 and 6–8 belong to one each; 9–11 to all.
fn planted(documents: usize) -> Corpus {
    let mut b = CorpusBuilder::with_words((0..12).map(|i| format!("w{i:02}")).collect());
    let mut random = Seed(21).stream(Stage::Tie, 5);
    for d in 0..documents {
        let main = d % 3;
        let mut pairs = Vec::new();
        for _ in 0..60 {
            let topic = if random.unit() < 0.8 { main } else { (random.next_u64() % 3) as usize };
            let word = match random.next_u64() % 6 {
                w @ 0..3 => 3 * topic as u64 + w,
                w => 9 + (w - 3),
            };
            pairs.push((word as u32, 1));
        }
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

fn search<'a, 'r, S: WordSpace>(
    space: &'a S,
    candidates: &'a [u32],
    params: &'a DetectParams,
    ctx: &'a Context<'r>,
) -> Search<'a, 'r, S> {
    Search { space, candidates, params, n_topics: 3, ctx }
}

/// The novel words for three topics.
fn detect(
    corpus: &Corpus,
    stats: &WordStats,
    params: &DetectParams,
    ctx: &Context<'_>,
) -> Result<NovelWords, Error> {
    let space = CooccurrenceSpace::new(corpus, stats);
    novel_words(&space, params, &TopicRequest::new(Some(3)), ctx)
}

fn found(method: Method, corpus: &Corpus) -> Vec<u32> {
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx).expect("enough");
    let params = DetectParams { novel_words: Some(9), ..DetectParams::paper(method) };
    let novel = detect(corpus, &stats, &params, &ctx).expect("found");
    let mut ids = novel.ids();
    ids.sort_unstable();
    ids
}

#[test]
fn ddp_finds_exactly_the_planted_novel_words() {
    assert_eq!(found(Method::Ddp, &planted(600)), (0..9).collect::<Vec<_>>());
}

#[test]
fn binning_finds_one_novel_word_per_topic() {
    let ids = found(Method::Binning, &planted(900));
    let mut topics: Vec<u32> = ids.iter().map(|w| w / 3).collect();
    topics.sort_unstable();
    assert_eq!(topics, [0, 1, 2], "{ids:?}");
}

#[test]
fn rp_wins_are_those_of_the_listing() {
    // Slow version: floats, one direction at a time, both extremes.
    let corpus = planted(40);
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx).expect("enough");
    let candidates: Vec<u32> = (0..12).collect();
    let (p, seed) = (200, Seed(1));
    for sample in [TokenSample::Whole, TokenSample::Half] {
        let params = DetectParams { sample, ..DetectParams::paper(Method::Rp) };
        let space = CooccurrenceSpace::new(&corpus, &stats);
        let search = search(&space, &candidates, &params, &ctx);
        let fast = rp::wins(&search, &search.ties(), p).expect("documents");
        let directions = Directions::new(seed);
        let splitter = crate::moments::Splitter::new(seed, PairScheme::Split, corpus.vocabulary());
        let mut halves = crate::moments::Halves::default();
        let mut value = vec![vec![0.0; p]; 12];
        let mut row_sums = [0.0; 12];
        for document in corpus.documents() {
            assert!(splitter.split(document, &mut halves), "60 tokens fall into both halves");
            let (pairs, n): (Vec<(u32, u32)>, u64) = match sample {
                TokenSample::Whole => (document.entries().collect(), document.tokens()),
                TokenSample::Half => (halves.first.pairs.clone(), halves.first.tokens),
            };
            let mut u = vec![0; p];
            directions.fill(document.key, 0, &mut u);
            // An entry over the length is rounded to at least 1/1024 of a standard deviation (moments/block.rs).
            let scale = [4.0, 32.0, 256.0][n.ilog2() as usize / 3];
            let rounded = |u: i32| f64::from((u as f32 * (scale / n as f32)).round_ties_even());
            for (w, c) in pairs {
                row_sums[w as usize] += f64::from(c) / n as f64;
                for (v, &u) in value[w as usize].iter_mut().zip(&u) {
                    *v += f64::from(c) * rounded(u) / f64::from(scale);
                }
            }
        }
        let mut slow = vec![0; 12];
        for j in 0..p {
            let projected: Vec<f64> = (0..12).map(|w| value[w][j] / row_sums[w]).collect();
            let by = |a: &usize, b: &usize| projected[*a].total_cmp(&projected[*b]);
            slow[(0..12).max_by(by).expect("words")] += 1;
            slow[(0..12).min_by(by).expect("words")] += 1;
        }
        assert_eq!(fast, slow);
        assert_eq!(fast.iter().sum::<u64>(), 2 * p as u64);
    }
}

#[test]
fn ddp_margins_are_those_of_the_listing() {
    let corpus = planted(50);
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx).expect("enough");
    let all: Vec<u32> = (0..12).collect();
    let c = Cooccurrence::of(&corpus, &stats, &all, &all, &ctx).expect("in memory");
    let (d, gamma) = (1.0, 0.4);
    let explicit =
        DetectParams { distance: Some(d), gamma: Some(gamma), ..DetectParams::paper(Method::Ddp) };
    let space = CooccurrenceSpace::new(&corpus, &stats);
    let found = ddp::detect(&search(&space, &all, &explicit, &ctx)).expect("documents");
    let mut ids: Vec<u32> = found.iter().map(|n| n.word).collect();
    ids.sort_unstable();
    let c_of = |i: usize, j: usize| if i == j { stats.diagonal[i] } else { c.row(i)[j] };
    let novel = |i: usize| {
        (0..12).filter(|&j| j != i).all(|j| {
            let d_ij = c_of(i, i) - c_of(i, j) - c_of(j, i) + c_of(j, j);
            d_ij < d / 2.0 || c_of(i, i) - c_of(i, j) >= gamma / 2.0
        })
    };
    let expected: Vec<u32> = (0..12).filter(|&i| novel(i as usize)).collect();
    assert_eq!(ids, expected);
    assert!(
        !expected.is_empty() && expected.len() < 12,
        "the thresholds must decide: {expected:?}"
    );
}

#[test]
fn the_filter_bars_rare_words_and_too_few_candidates_are_an_error() {
    let corpus = planted(100);
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx).expect("enough");
    let filter = CandidateFilter { min_tokens: 400, ..CandidateFilter::NONE };
    let params = DetectParams { filter, ..DetectParams::paper(Method::Rp) };
    let novel = detect(&corpus, &stats, &params, &ctx).expect("found");
    assert!(novel.words.iter().all(|n| stats.tokens[n.word as usize] >= 400));
    let filter = CandidateFilter { min_tokens: 1_000_000, ..CandidateFilter::NONE };
    let params = DetectParams { filter, ..params };
    let err = detect(&corpus, &stats, &params, &ctx).expect_err("nothing left");
    assert!(err.advice().contains(&Advice::MoreCandidates));
}

#[test]
fn binning_that_cannot_reach_k_ends_with_an_error() {
    let corpus = planted(100);
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx).expect("enough");
    let params = DetectParams { distance: Some(1e9), ..DetectParams::paper(Method::Binning) };
    let err = detect(&corpus, &stats, &params, &ctx).expect_err("too far");
    assert_eq!(err.to_string(), "1 novel words for 3 topics: at least one per topic is needed");
    assert!(err.advice().contains(&Advice::SmallerDistance));
}

#[test]
fn parameters_outside_their_ranges_are_refused() {
    let zero = DetectParams { projections: Some(0), ..DetectParams::paper(Method::Rp) };
    assert_eq!(
        zero.check().expect_err("zero").to_string(),
        "the number of projections must be at least 1, got 0"
    );
    let nan = DetectParams { distance: Some(f64::NAN), ..DetectParams::paper(Method::Ddp) };
    assert!(nan.check().is_err());
    let alone = DetectParams { gamma: Some(1.0), ..DetectParams::paper(Method::Ddp) };
    assert!(alone.check().is_err());
}

#[test]
fn binning_wins_are_those_of_the_listing() {
    // Slow version: deal the documents by their lots, then one bin at a time with floats.
    let corpus = planted(50);
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx).expect("enough");
    let candidates: Vec<u32> = (0..12).collect();
    let params = DetectParams::paper(Method::Binning);
    let space = CooccurrenceSpace::new(&corpus, &stats);
    let fast =
        binning::wins(&search(&space, &candidates, &params, &ctx), &corpus, 7).expect("in memory");

    let directions = Directions::new(Seed(1));
    let splitter = stats.splitter(corpus.vocabulary());
    let mut order: Vec<usize> = (0..50).collect();
    let lot = |d: usize| Seed(1).stream(Stage::Bin, corpus.document(d).key.0).next_u64();
    order.sort_by_key(|&d| lot(d));
    let mut slow = vec![0; 12];
    let mut dealt: Vec<Vec<usize>> = vec![Vec::new(); 7];
    order.iter().enumerate().for_each(|(rank, &d)| dealt[rank * 7 / 50].push(d));
    assert!(dealt.iter().all(|bin| bin.len() == 7 || bin.len() == 8), "bins of equal size");
    for bin in dealt {
        let (mut projected, mut sums) = ([0.0; 12], [0.0; 12]);
        for d in bin {
            let mut halves = crate::moments::Halves::default();
            assert!(splitter.split(corpus.document(d), &mut halves));
            let mut entry = [0];
            directions.fill(corpus.document(d).key, 0, &mut entry);
            for &(w, c) in &halves.first.pairs {
                let x = f64::from(c) / halves.first.tokens as f64;
                projected[w as usize] += x * f64::from(entry[0]);
                sums[w as usize] += x;
            }
        }
        let value = |w: usize| projected[w] / sums[w];
        let winner = (0..12)
            .filter(|&w| sums[w] > 0.0)
            .max_by(|&a, &b| value(a).total_cmp(&value(b)))
            .expect("words");
        slow[winner] += 1;
    }
    assert_eq!(fast, slow);
}

#[test]
fn bins_are_at_most_as_many_as_documents() {
    let corpus = planted(30);
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(1), PairScheme::Split), &ctx).expect("enough");
    let params = DetectParams { bins: Some(usize::MAX), ..DetectParams::paper(Method::Binning) };
    let novel = detect(&corpus, &stats, &params, &ctx).expect("found");
    let shares: Vec<f64> = novel.words.iter().map(|n| n.strength * 30.0).collect();
    assert!(shares.iter().all(|s| (s - s.round()).abs() < 1e-9), "{shares:?}");
}
