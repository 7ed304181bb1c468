use super::*;
use crate::synth::prior::LogisticNormal;

/// The corpora of published numbers stay what they were.
#[test]
fn draws_do_not_change() {
    let planted = Separable { documents: 50, ..Separable::default() }.generate(1).expect("made");
    assert_eq!(
        planted.corpus.fingerprint(),
        "sha256:714039d2efdf8aad455e2b638e9b90e0424fddc443c989e2b5754f2bd72944ce"
    );
    assert_eq!(planted.topics.topic(2)[..4], [0.0, 0.0, 0.006_725_662_4, 0.0]);
    let recipe = Separable {
        documents: 50,
        prior: Prior::Dirichlet(2.0),
        topics: 7,
        novel_share: 0.1,
        ..Separable::default()
    };
    assert_eq!(
        recipe.generate(9).expect("made").corpus.fingerprint(),
        "sha256:cd7adfaf32abc6530ad8a39686cd6521344b255ed12c30c3314a13110a73f582"
    );
}

#[test]
fn the_recipe_is_the_papers() {
    for frequency in [Frequency::Paper, Frequency::Matched(Law::Zipf(1.0))] {
        let recipe = Separable { documents: 50, frequency, ..Separable::default() };
        let planted = recipe.generate(1).expect("made");
        assert_eq!((planted.corpus.n_documents(), planted.corpus.n_words()), (50, 500));
        assert!(planted.corpus.documents().all(|d| d.tokens() == 100));
        assert_eq!(planted.novel_words.iter().map(Vec::len).collect::<Vec<_>>(), [20; 5]);
        for (t, novel) in planted.novel_words.iter().enumerate() {
            for &w in novel {
                for k in 0..5 {
                    assert_eq!(planted.topics.topic(k)[w as usize] > 0.0, k == t);
                }
            }
        }
        let others = (100..500).all(|w| (0..5).all(|k| planted.topics.topic(k)[w] > 0.0));
        assert!(others, "words that are not novel occur in every topic");
    }
}

/// The frequency of every word under an even mixture.
fn frequencies(planted: &Planted) -> Vec<f64> {
    let k = planted.topics.n_topics();
    let of = |w: usize| (0..k).map(|t| f64::from(planted.topics.topic(t)[w])).sum::<f64>();
    (0..planted.topics.n_words()).map(|w| of(w) / k as f64).collect()
}

#[test]
fn documents_follow_the_topics() {
    // With a symmetric prior the mean mixture is even, so a word's frequency is its mean over topics.
    let recipe = Separable {
        topics: 2,
        documents: 4000,
        prior: Prior::Dirichlet(1.0),
        words: 20,
        ..Separable::default()
    };
    let planted = recipe.generate(3).expect("made");
    let tokens = planted.corpus.n_tokens() as f64;
    let mut counts = [0.0; 20];
    planted
        .corpus
        .documents()
        .for_each(|d| d.entries().for_each(|(w, c)| counts[w as usize] += f64::from(c)));
    for (w, (count, mean)) in counts.iter().zip(frequencies(&planted)).enumerate() {
        assert!((count / tokens - mean).abs() < 0.01, "{w}: {} {mean}", count / tokens);
    }
    assert!(planted.weights.iter().all(|a| (a - 0.5).abs() < 0.02), "{:?}", planted.weights);
}

/// Mean frequency of novel words over that of the others, and the share of the 100 rarest that are novel.
#[test]
fn matched_novel_words_are_as_frequent_as_others() {
    let shape = |frequency: Frequency| {
        let (mut ratio, mut rare) = (0.0, 0.0);
        for seed in 0..20 {
            let recipe = Separable { documents: 1, words: 1000, frequency, ..Separable::default() };
            let f = frequencies(&recipe.generate(seed).expect("made"));
            let mean = |words: &[f64]| words.iter().sum::<f64>() / words.len() as f64;
            ratio += mean(&f[..200]) / mean(&f[200..]) / 20.0;
            let mut order: Vec<usize> = (0..1000).collect();
            order.sort_by(|&a, &b| f[a].total_cmp(&f[b]));
            rare += order[..100].iter().filter(|&&w| w < 200).count() as f64 / 100.0 / 20.0;
        }
        (ratio, rare)
    };
    let (ratio, rare) = shape(Frequency::Paper);
    assert!((ratio - 0.5).abs() < 0.05 && rare > 0.9, "{ratio} {rare}");
    let (ratio, rare) = shape(Frequency::Matched(Law::Uniform));
    assert!((ratio - 1.0).abs() < 0.05 && (rare - 0.2).abs() < 0.03, "{ratio} {rare}");
    let (ratio, rare) = shape(Frequency::Matched(Law::Zipf(0.5)));
    assert!((ratio - 1.0).abs() < 0.1 && (rare - 0.2).abs() < 0.03, "{ratio} {rare}");
}

#[test]
fn other_priors_fill_the_documents_too() {
    let normal = LogisticNormal { sigma: 2.0, correlation: 0.5, groups: 2, mean: Vec::new() };
    for prior in [Prior::LogisticNormal(normal), Prior::Asymmetric(vec![3.0, 1.0, 1.0, 1.0, 1.0])] {
        let recipe = Separable { documents: 2000, tokens: 5, prior, ..Separable::default() };
        let planted = recipe.generate(1).expect("made");
        assert!((planted.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let largest = planted.weights[0];
        let expected = if matches!(recipe.prior, Prior::Asymmetric(_)) { 3.0 / 7.0 } else { 0.2 };
        assert!((largest - expected).abs() < 0.04, "{largest} {expected}");
    }
}

#[test]
fn recipes_that_cannot_be_made_are_refused() {
    let good = Separable::default();
    for (recipe, part) in [
        (Separable { topics: 1, ..good.clone() }, "topics must be at least 2, got 1"),
        (Separable { documents: 0, ..good.clone() }, "documents must be"),
        (
            Separable { novel_share: -0.1, ..good.clone() },
            "share of novel words must be from 0 to 1",
        ),
        (Separable { novel_share: f64::NAN, ..good.clone() }, "got NaN"),
        (
            Separable { topics: 300, ..good.clone() },
            "the number of novel words of all topics must be from that of topics to that of words, got 0",
        ),
        (Separable { topics: 3, words: 5, novel_share: 1.0, ..good.clone() }, "words, got 6"),
        (Separable { prior: Prior::Dirichlet(0.0), ..good.clone() }, "alpha"),
        (
            Separable { frequency: Frequency::Matched(Law::Zipf(-1.0)), ..good },
            "Zipf exponent must be",
        ),
    ] {
        let error = recipe.generate(1).expect_err(part).to_string();
        assert!(error.contains(part), "{error}");
    }
}
