//! The two spaces on the same words.

use super::*;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::detect::{DetectParams, Method, TopicRequest, novel_words};
use crate::embed::{EmbedParams, Embedding};
use crate::moments::{PairScheme, TokenPairs};
use crate::seed::{Seed, Stage};

/// Three topics with three words of their own each; nine words are shared by all.
fn corpus() -> Corpus {
    let mut b = CorpusBuilder::with_words((0..18).map(|i| format!("w{i:02}")).collect());
    let mut random = Seed(2).stream(Stage::Tie, 0);
    for d in 0..1500 {
        let mut counts = [0_u32; 18];
        for _ in 0..40 {
            let topic = if random.unit() < 0.8 { d % 3 } else { (random.unit() * 3.0) as usize };
            let own = random.unit() < 0.4;
            let word = (random.unit() * if own { 3.0 } else { 9.0 }) as usize;
            counts[if own { 3 * topic + word } else { 9 + (word + topic) % 9 }] += 1;
        }
        let mut pairs: Vec<(u32, u32)> =
            (0..18).map(|w| (w, counts[w as usize])).filter(|p| p.1 > 0).collect();
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

#[test]
fn significant_margins_tell_novel_words_from_shared_ones() {
    let (corpus, ctx) = (corpus(), Context::silent().expect("threads"));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
    let points = Embedding::of(&corpus, &stats, &EmbedParams::default(), 3, &ctx).expect("points");
    let space = EmbeddingSpace::new(&corpus, &stats, &points);
    let all: Vec<u32> = (0..18).collect();
    let margins = space.margins(&all, Far::Significant, &ctx).expect("points");
    let novel = margins[..9].iter().copied().fold(f64::INFINITY, f64::min);
    let shared = margins[9..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(novel > 3.0 && shared < 0.0, "{margins:?}");

    let params = DetectParams::paper(Method::EmbeddedDdp);
    let found = novel_words(&space, &params, &TopicRequest::new(Some(3)), &ctx).expect("found");
    let mut ids = found.ids();
    ids.sort_unstable();
    assert_eq!(ids, (0..9).collect::<Vec<_>>());
}

#[test]
fn every_detector_finds_the_novel_words_in_every_space() {
    let (corpus, ctx) = (corpus(), Context::silent().expect("threads"));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
    let points = Embedding::of(&corpus, &stats, &EmbedParams::default(), 3, &ctx).expect("points");
    let request = TopicRequest::new(Some(3));
    for method in [Method::Rp, Method::Ddp] {
        let params = DetectParams { novel_words: Some(9), ..DetectParams::paper(method) };
        let params = DetectParams { sample: TokenSample::Whole, ..params };
        let patterns = CooccurrenceSpace::new(&corpus, &stats);
        let one = novel_words(&patterns, &params, &request, &ctx).expect("found");
        let embedded = EmbeddingSpace::new(&corpus, &stats, &points);
        let other = novel_words(&embedded, &params, &request, &ctx).expect("found");
        for (found, name) in [(one, "patterns"), (other, "points")] {
            // The strongest words of both are those of one topic alone.
            assert!(found.ids().iter().take(3).all(|&w| w < 9), "{method:?} {name} {found:?}");
        }
    }
}

#[test]
fn distances_from_pooled_words_are_those_of_their_weighted_mean() {
    let (corpus, ctx) = (corpus(), Context::silent().expect("threads"));
    let words: Vec<u32> = (0..18).collect();
    for pairs in [PairScheme::All, PairScheme::Split] {
        let stats = WordStats::of(&corpus, TokenPairs::new(Seed(0), pairs), &ctx).expect("pairs");
        let points =
            Embedding::of(&corpus, &stats, &EmbedParams::default(), 3, &ctx).expect("points");
        check(&CooccurrenceSpace::new(&corpus, &stats), &words, &ctx);
        check(&EmbeddingSpace::new(&corpus, &stats, &points), &words, &ctx);
    }
}

/// A single word is as far from the others as pairwise distances say; a pool is so by its Gram matrix.
fn check<S: WordSpace>(space: &S, words: &[u32], ctx: &Context<'_>) {
    let distances = space.distances(words, ctx).expect("points");
    let from = |pooled: &[u32]| {
        space.distances_from(pooled, words, ctx).expect("points").expect("a point")
    };
    for (j, d) in from(&[4]).into_iter().enumerate() {
        assert!((d - distances.at(4, j)).abs() < 1e-6, "{j}: {d} {}", distances.at(4, j));
    }
    let Masses { first, second } = space.masses();
    let pooled = [2, 11];
    // Pooled words add up their rows, and a row is a point times its mass.
    let total = |masses: &[f64]| pooled.iter().map(|&w| masses[w as usize]).sum::<f64>();
    let share =
        |word: u32| WeightedWord { word, first: 1.0 / total(first), second: 1.0 / total(second) };
    let groups = [pooled.map(share).to_vec()];
    let products = space.products(&groups, ctx).expect("points");
    for (j, d) in from(&pooled).into_iter().enumerate() {
        let slow = products.gram[0] - 2.0 * products.linear[j] + space.square(j as u32);
        assert!((d - slow.max(0.0)).abs() < 1e-6, "{j}: {d} {slow}");
    }
}
