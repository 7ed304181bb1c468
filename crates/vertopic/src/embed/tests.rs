use super::*;
use crate::context::Parallelism;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::moments::{PairScheme, TokenPairs};
use crate::observe::Silent;
use crate::seed::Seed;

const WORDS: usize = 30;
const TOPICS: usize = 3;

/// Documents of three topics. Words 0, 1, 2 are novel; word 29 is in two documents alone. Every word that occurs is
/// said `bursts` times.
fn corpus(documents: usize, bursts: u32, reversed: bool) -> Corpus {
    let mut b = CorpusBuilder::with_words((0..WORDS).map(|i| format!("w{i:02}")).collect());
    let mut order: Vec<usize> = (0..documents).collect();
    if reversed {
        order.reverse();
    }
    for d in order {
        let mut random = Seed(1).stream(Stage::Chain, d as u64);
        let major = d % TOPICS;
        let mut counts = [0_u32; WORDS];
        for _ in 0..40 {
            let topic = if random.unit() < 0.8 { major } else { (random.unit() * 3.0) as usize };
            // A novel word, or a common one that topics use in shares 1 : 2 : 3 from a third on.
            let w = if random.unit() < 0.3 {
                topic
            } else {
                let at = (random.unit() * 26.0) as usize;
                3 + (at + topic * 9 * usize::from(random.unit() < 0.5)) % 26
            };
            counts[w] += bursts;
        }
        if d < 2 {
            counts[29] = 1;
        }
        let mut pairs: Vec<(u32, u32)> =
            counts.iter().enumerate().filter(|c| *c.1 > 0).map(|(w, &c)| (w as u32, c)).collect();
        let info = DocumentInfo { id: Some(format!("d{d}")), ..DocumentInfo::default() };
        b.push(&mut pairs, info).expect("good");
    }
    b.finish().expect("good")
}

fn embed(corpus: &Corpus, params: &EmbedParams, threads: usize) -> Embedding {
    let threads = std::num::NonZeroUsize::new(threads).expect("positive");
    let ctx = Context::new(Parallelism::Threads(threads), &Silent).expect("threads");
    let stats =
        WordStats::of(corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
    Embedding::of(corpus, &stats, params, TOPICS, &ctx).expect("embedded")
}

#[test]
fn the_first_of_the_largest_entries_points_up() {
    let values = vec![0.5, -3.0, 1.0, -2.0, 3.0, 0.0, 2.0, 1.0, -0.5];
    let ctx = Context::silent().expect("threads");
    assert_eq!(upward(&TallMatrix { columns: 3, values }, &ctx), [-1.0, -1.0, 1.0]);
}

#[test]
fn rows_multiply_to_the_matrix_off_its_diagonal() {
    let corpus = corpus(600, 1, false);
    let ctx = Context::silent().expect("threads");
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
    for weighting in [Weighting::Tokens, Weighting::TfIdf] {
        let params = EmbedParams { weighting, completions: 10, ..EmbedParams::default() };
        let embedding = embed(&corpus, &params, 2);
        let cooccurrence = CooccurrenceOperator::off_diagonal(&corpus, &stats, weighting);
        let unit: Vec<f64> =
            (0..WORDS * WORDS).map(|at| f64::from(u8::from(at / WORDS == at % WORDS))).collect();
        let q = cooccurrence.times(&unit, WORDS, &ctx).expect("a product");
        let product = |i: usize, j: usize| -> f64 {
            embedding.row(i).iter().zip(embedding.row(j)).map(|(a, b)| a * b).sum()
        };
        // Y Yᵀ is Q over the sum of all its entries, the completed diagonal among them.
        let diagonal: f64 = (0..WORDS).map(|i| product(i, i)).sum();
        let total = q.iter().sum::<f64>() / (1.0 - diagonal);
        let (mut off, mut size) = (0.0, 0.0);
        for (i, j) in (0..WORDS * WORDS).map(|at| (at / WORDS, at % WORDS)).filter(|(i, j)| i != j)
        {
            let expected = q[i * WORDS + j] / total;
            off += (product(i, j) - expected).powi(2);
            size += expected * expected;
        }
        assert!(off < 0.01 * size, "{weighting:?}: {}", off / size);
        // Masses are the row sums.
        for i in 0..WORDS - 1 {
            let row: f64 = (0..WORDS).map(|j| q[i * WORDS + j]).sum::<f64>() / total;
            assert!((embedding.mass[i] - row - product(i, i)).abs() < 1e-4, "{weighting:?} {i}");
        }
    }
}

#[test]
fn novel_words_are_the_farthest_from_the_centre_and_rare_ones_are_noisy() {
    let embedding = embed(&corpus(600, 1, false), &EmbedParams::default(), 2);
    let centre = embedding.centre(&Context::silent().expect("threads"));
    let distance = |w: usize| -> f64 {
        embedding.point(w).iter().zip(&centre).map(|(y, c)| (y - c) * (y - c)).sum()
    };
    let novel = (0..3).map(distance).fold(f64::INFINITY, f64::min);
    assert!((3..29).all(|w| distance(w) < novel));
    assert!((0..3).all(|w| embedding.noise[w] < 0.05), "{:?}", &embedding.noise[..3]);
    assert!(embedding.noise[29] > 0.25, "{}", embedding.noise[29]);
}

#[test]
fn noise_shrinks_as_documents_come() {
    let noise = |m| embed(&corpus(m, 1, false), &EmbedParams::default(), 2).noise[0];
    let (few, many) = (noise(300), noise(2400));
    // Eight times the documents: an eighth of the squared error.
    assert!((4.0..16.0).contains(&(few / many)), "{few} {many}");
}

#[test]
fn saying_everything_thrice_changes_nothing() {
    // Bursts are all on the diagonal, and that is left out.
    let (once, thrice) = (corpus(600, 1, false), corpus(600, 3, false));
    let params = EmbedParams::default();
    let (a, b) = (embed(&once, &params, 2), embed(&thrice, &params, 2));
    // Word 29 is said once in either, so its documents differ a little.
    for w in 0..3 {
        for (x, y) in a.point(w).iter().zip(b.point(w)) {
            assert!((x - y).abs() < 0.02, "{w}: {x} {y}");
        }
    }
}

#[test]
fn order_and_threads_do_not_matter() {
    let params = EmbedParams::default();
    let one = embed(&corpus(300, 1, false), &params, 1);
    assert_eq!(one, embed(&corpus(300, 1, true), &params, 3));
}

#[test]
fn documents_of_one_word_each_have_no_embedding() {
    let mut b = CorpusBuilder::with_words(vec!["a".into(), "b".into()]);
    for w in [0, 1, 0, 1] {
        b.push(&mut [(w, 3)], DocumentInfo::default()).expect("good");
    }
    let (corpus, ctx) = (b.finish().expect("good"), Context::silent().expect("threads"));
    let stats =
        WordStats::of(&corpus, TokenPairs::new(Seed(0), PairScheme::All), &ctx).expect("pairs");
    let none = Embedding::of(&corpus, &stats, &EmbedParams::default(), 2, &ctx);
    assert!(matches!(none, Err(Error::NoPairs)));
}

#[test]
fn few_documents_show_the_way_and_order_does_not_matter() {
    // Three times as many as the few.
    let params = EmbedParams::default();
    let many = embed(&corpus(3000, 1, false), &params, 1);
    assert_eq!(many, embed(&corpus(3000, 1, true), &params, 3));
    let enough = embed(&corpus(1000, 1, false), &params, 1);
    for (a, b) in many.eigenvalues.iter().zip(&enough.eigenvalues) {
        assert!((a / b - 1.0).abs() < 0.1, "{a} {b}");
    }
}

#[test]
fn the_few_may_have_no_pairs() {
    let mut b = CorpusBuilder::with_words(vec!["a".into(), "b".into()]);
    for d in 0..4000 {
        let mut pairs = vec![(d % 2, 3)];
        if d < 2 {
            pairs = vec![(0, 1), (1, 1)];
        }
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    let (corpus, ctx) = (b.finish().expect("good"), Context::silent().expect("threads"));
    for seed in 0..8 {
        let stats = WordStats::of(&corpus, TokenPairs::new(Seed(seed), PairScheme::All), &ctx)
            .expect("pairs");
        let found = Embedding::of(&corpus, &stats, &EmbedParams::default(), 1, &ctx);
        assert!(found.is_ok(), "{seed}: {found:?}");
    }
}
