use super::*;
use crate::method::canonical_order;
use crate::synth::prior::Prior;
use crate::synth::separable::Separable;
use crate::testkit::{corpus, select};
use vertopic::evaluate::l1_error;

fn start<K: Kernel>(corpus: &Corpus, k: usize, alpha: f64, beta: f64, seed: u64) -> Chain<'_, K> {
    let side = Side::new(k, corpus.n_words(), alpha, beta);
    Chain::start(corpus, side, Seed(seed).stream(Stage::Chain, 0))
}

/// Document and word of every token, in the order of the chain.
fn tokens(corpus: &Corpus) -> Vec<(usize, usize)> {
    let mut tokens = Vec::new();
    for d in canonical_order(corpus) {
        for (w, c) in corpus.document(d).entries() {
            tokens.extend(vec![(d, w as usize); c as usize]);
        }
    }
    tokens
}

/// Log of the joint probability of words and assignments, from its definition: tokens come one by one,
/// each with the predictive probabilities that the ones before it leave (Pólya urns).
fn log_joint(tokens: &[(usize, usize)], z: &[usize], k: usize, w: usize, a: f64, b: f64) -> f64 {
    let before =
        |i: usize, same: &dyn Fn(usize) -> bool| (0..i).filter(|&j| same(j)).count() as f64;
    (0..tokens.len())
        .map(|i| {
            let (document, word) = tokens[i];
            let in_document = before(i, &|j| tokens[j].0 == document);
            let own = before(i, &|j| tokens[j].0 == document && z[j] == z[i]);
            let in_topic = before(i, &|j| z[j] == z[i]);
            let of_word = before(i, &|j| z[j] == z[i] && tokens[j].1 == word);
            ((own + a) / (in_document + k as f64 * a)).ln()
                + ((of_word + b) / (in_topic + w as f64 * b)).ln()
        })
        .sum()
}

/// Over many sweeps each assignment of a tiny corpus must come up as often as the posterior says.
fn visits_the_posterior<K: Kernel>() {
    let (k, w, a, b) = (3, 3, 0.7, 0.4);
    let corpus = corpus(3, &[&[(0, 2), (1, 1)], &[(1, 1), (2, 1)]]);
    let mut chain = start::<K>(&corpus, k, a, b, 5);
    let tokens = tokens(&corpus);
    let states = k.pow(tokens.len() as u32);
    let digits =
        |s: usize| -> Vec<usize> { (0..tokens.len()).map(|i| s / k.pow(i as u32) % k).collect() };
    let mut exact: Vec<f64> =
        (0..states).map(|s| log_joint(&tokens, &digits(s), k, w, a, b).exp()).collect();
    let total: f64 = exact.iter().sum();
    exact.iter_mut().for_each(|p| *p /= total);
    let (draws, mut hits) = (100_000, vec![0_u32; states]);
    for _ in 0..draws {
        (0..4).for_each(|_| chain.sweep()); // nearly independent
        let z = chain.assignments().flatten().enumerate();
        hits[z.map(|(i, &z)| z as usize * k.pow(i as u32)).sum::<usize>()] += 1;
    }
    let chi2: f64 = exact
        .iter()
        .zip(&hits)
        .map(|(p, &h)| (f64::from(h) - p * f64::from(draws)).powi(2) / (p * f64::from(draws)))
        .sum();
    // χ² with 242 degrees of freedom has mean 242 and standard deviation 22; the exact posterior of
    // β = 0.5 instead of 0.4 would add 1086, that of α = 0.8 instead of 0.7 would add 403.
    assert!(chi2 < 242.0 + 5.0 * 22.0, "{chi2}");
}

#[test]
fn the_dense_kernel_visits_the_posterior() {
    visits_the_posterior::<Dense>();
}

#[test]
fn the_sparse_kernel_visits_the_posterior() {
    visits_the_posterior::<Sparse>();
}

#[test]
fn the_small_kernel_visits_the_posterior() {
    visits_the_posterior::<Small<8>>();
}

/// Compares the weights that a kernel draws from with the formula, in the middle of a visit.
fn weights_are_the_conditional<K: Kernel>(n_topics: usize) {
    let planted = Separable { documents: 30, words: 40, ..Separable::default() };
    let corpus = planted.generate(2).expect("made").corpus;
    let (alpha, beta) = (0.3, 0.05);
    let mut chain = start::<K>(&corpus, n_topics, alpha, beta, 1);
    (0..3).for_each(|_| chain.sweep());
    // Counts from the assignments alone.
    let assigned: Vec<Vec<u32>> = chain.assignments().map(<[u32]>::to_vec).collect();
    let mut word_topic = vec![vec![0.0; n_topics]; 40];
    let mut topic = vec![0.0; n_topics];
    for ((_, w), &k) in tokens(&corpus).into_iter().zip(assigned.iter().flatten()) {
        word_topic[w][k as usize] += 1.0;
        topic[k as usize] += 1.0;
    }
    let (d, z) = (canonical_order(&corpus)[7], &assigned[7]);
    let document = corpus.document(d);
    chain.side.enter(z);
    let at = document.counts.iter().position(|&c| c > 1).expect("a word that occurs twice");
    let (word, first) = (document.words[at] as usize, document.counts[..at].iter().sum::<u32>());
    let (one, two) = (z[first as usize] as usize, z[first as usize + 1] as usize);
    chain.kernel.enter(word, &chain.side);
    // The first token moves to the last topic, the second is out.
    for k in [one, two] {
        chain.side.take(k);
        chain.kernel.take(k, &chain.side);
    }
    chain.side.put(n_topics - 1);
    chain.kernel.put(n_topics - 1, &chain.side);
    let moved = |k: usize| {
        f64::from(u8::from(k == n_topics - 1))
            - f64::from(u8::from(k == one))
            - f64::from(u8::from(k == two))
    };
    for k in 0..n_topics {
        let in_document = z.iter().filter(|&&t| t as usize == k).count() as f64 + moved(k);
        let expected = (word_topic[word][k] + moved(k) + beta)
            / (topic[k] + moved(k) + 40.0 * beta)
            * (in_document + alpha);
        let found = chain.kernel.weight(k, &chain.side);
        assert!((found / expected - 1.0).abs() < 1e-12, "{k}: {found} {expected}");
    }
    // Shares of an even grid of numbers are the shares of the weights.
    let n = 50_000;
    let mut hits = vec![0_u32; n_topics];
    (0..n).for_each(|i| {
        hits[chain.kernel.draw((f64::from(i) + 0.5) / f64::from(n), &chain.side)] += 1;
    });
    let total: f64 = (0..n_topics).map(|k| chain.kernel.weight(k, &chain.side)).sum();
    for k in 0..n_topics {
        let share = chain.kernel.weight(k, &chain.side) / total;
        assert!((f64::from(hits[k]) / f64::from(n) - share).abs() < 5e-5, "{k}");
    }
}

#[test]
fn all_kernels_weigh_topics_by_the_conditional() {
    for n_topics in [1, 2, 8, 13, 50] {
        weights_are_the_conditional::<Dense>(n_topics);
        weights_are_the_conditional::<Sparse>(n_topics);
        match n_topics {
            0..=4 => weights_are_the_conditional::<Small<4>>(n_topics),
            5..=8 => weights_are_the_conditional::<Small<8>>(n_topics),
            9..=16 => weights_are_the_conditional::<Small<16>>(n_topics),
            _ => {}
        }
    }
}

/// [`Small`] by the steps that all kernels share: the straightforward way to the same bits.
struct Plain<const LANES: usize>(Small<LANES>);

impl<const LANES: usize> Kernel for Plain<LANES> {
    fn new(side: &Side, tokens: &[i32]) -> Self {
        Self(Small::new(side, tokens))
    }
    fn enter(&mut self, word: usize, side: &Side) {
        self.0.enter(word, side);
    }
    fn change(&mut self, k: usize, by: i32, side: &Side) {
        self.0.change(k, by, side);
    }
    /// Adds up and counts in fours, in the most simple way.
    fn draw(&self, u: f64, side: &Side) -> usize {
        let weights: Vec<f64> = (0..side.padded())
            .map(|k| if k < side.n_topics { self.0.weight(k, side) } else { 0.0 })
            .collect();
        let (mut sums, mut before) = (Vec::new(), 0.0);
        for w in weights.chunks(4) {
            let (first, last) = (w[0] + w[1], w[2] + w[3]);
            sums.extend([w[0] + before, before + first, w[2] + (before + first)]);
            before += first + last;
            sums.push(before);
        }
        let below = sums.iter().filter(|&&s| s <= u * before).count();
        below.min(side.n_topics - 1)
    }
    fn leave(&mut self) {}
    fn counts(&self, word: usize, each: impl FnMut(usize, i32)) {
        self.0.counts(word, each);
    }
    fn weight(&self, k: usize, side: &Side) -> f64 {
        self.0.weight(k, side)
    }
}

fn a_document_at_once_is_token_by_token<const LANES: usize>(n_topics: usize) {
    let planted = Separable { documents: 60, words: 40, ..Separable::default() };
    let corpus = planted.generate(3).expect("made").corpus;
    let mut fast = start::<Small<LANES>>(&corpus, n_topics, 0.3, 0.05, 1);
    let mut slow = start::<Plain<LANES>>(&corpus, n_topics, 0.3, 0.05, 1);
    let first: Vec<u32> = fast.assignments().flatten().copied().collect();
    for sweep in 0..10 {
        fast.sweep();
        slow.sweep();
        if sweep == 5 {
            fast.estimate_priors();
            slow.estimate_priors();
        }
        assert!(fast.assignments().eq(slow.assignments()), "{n_topics} topics, sweep {sweep}");
    }
    assert_eq!(fast.side.totals(), slow.side.totals());
    assert_eq!(fast.log_likelihood(), slow.log_likelihood());
    let moved = fast.assignments().flatten().zip(&first).filter(|(a, b)| a != b).count();
    assert!(n_topics == 1 || 4 * moved > first.len(), "{moved} of {} moved", first.len());
}

#[test]
fn the_small_kernel_takes_a_document_at_once() {
    a_document_at_once_is_token_by_token::<4>(1);
    a_document_at_once_is_token_by_token::<4>(2);
    a_document_at_once_is_token_by_token::<6>(5);
    a_document_at_once_is_token_by_token::<8>(5);
    a_document_at_once_is_token_by_token::<8>(8);
    a_document_at_once_is_token_by_token::<10>(9);
    a_document_at_once_is_token_by_token::<10>(10);
    a_document_at_once_is_token_by_token::<12>(11);
    a_document_at_once_is_token_by_token::<16>(13);
    a_document_at_once_is_token_by_token::<16>(16);
}

#[test]
fn the_log_likelihood_is_that_of_the_urns() {
    let (k, w, b) = (3, 3, 0.4);
    let corpus = corpus(3, &[&[(0, 5), (1, 1)], &[(1, 3), (2, 2)]]);
    let chain = start::<Sparse>(&corpus, k, 0.5, b, 1);
    let tokens: Vec<(usize, usize)> = tokens(&corpus).iter().map(|&(_, w)| (0, w)).collect();
    let z: Vec<usize> = chain.assignments().flatten().map(|&k| k as usize).collect();
    // With a huge α the topics of tokens are uniform, and only p(w | z) is left.
    let joint = log_joint(&tokens, &z, k, w, 1e12, b);
    let expected = joint + tokens.len() as f64 * (k as f64).ln();
    assert!((chain.log_likelihood() - expected).abs() < 1e-9, "{expected}");
}

fn planted_error(n_topics: usize, documents: usize) -> f64 {
    let ctx = Context::silent().expect("threads");
    let planted = Separable { documents, ..Separable::default() }.generate(4).expect("made");
    let params = GibbsParams { sweeps: 150, alpha: 0.1, ..GibbsParams::new(n_topics) };
    let found = fit(&planted.corpus, &params, &ctx).expect("topics");
    l1_error(&planted.topics, &found.topics)
}

#[test]
fn more_documents_mean_better_topics() {
    let (few, many) = (planted_error(5, 200), planted_error(5, 2000));
    assert!(many < 0.6 * few && many < 1.0, "{few} {many}");
}

#[test]
fn the_order_of_documents_does_not_matter() {
    let planted = Separable { documents: 60, ..Separable::default() }.generate(1).expect("made");
    let corpus = planted.corpus;
    let shuffled = select(&corpus, (0..60).map(|d| d * 23 % 60));
    let ctx = Context::silent().expect("threads");
    for n_topics in [5, DENSE_TOPICS + 1] {
        let params = GibbsParams { sweeps: 20, optimise: Some(5), ..GibbsParams::new(n_topics) };
        let (a, b) = (fit(&corpus, &params, &ctx), fit(&shuffled, &params, &ctx));
        let (a, b) = (a.expect("topics"), b.expect("topics"));
        assert_eq!((&a.topics, &a.weights, &a.report), (&b.topics, &b.weights, &b.report));
        let other = GibbsParams { seed: Seed(1), ..params };
        assert_ne!(fit(&corpus, &other, &ctx).expect("topics").topics, a.topics);
    }
}

#[test]
fn the_priors_are_found() {
    let ctx = Context::silent().expect("threads");
    let recipe =
        Separable { documents: 1000, prior: Prior::Dirichlet(0.3), ..Separable::default() };
    let planted = recipe.generate(2).expect("made");
    let params = GibbsParams { sweeps: 200, optimise: Some(5), ..GibbsParams::new(5) };
    let found = fit(&planted.corpus, &params, &ctx).expect("topics");
    for alpha in found.report["alpha"].as_array().expect("a list") {
        let alpha = alpha.as_f64().expect("a number");
        assert!((0.2..0.45).contains(&alpha), "{alpha} for 0.3");
    }
    // Rows of the recipe are uniform on the simplex: far from 0.01.
    let beta = found.report["beta"].as_f64().expect("a number");
    assert!((0.3..2.0).contains(&beta), "{beta}");
    let fixed = GibbsParams { optimise: None, ..params };
    let fixed = fit(&planted.corpus, &fixed, &ctx).expect("topics");
    assert_eq!(fixed.report["alpha"][0], 10.0);
    let error = |found: &MethodOutput| l1_error(&planted.topics, &found.topics);
    assert!(error(&found) < error(&fixed), "{} {}", error(&found), error(&fixed));
}

#[test]
fn the_report_and_the_weights_add_up() {
    let planted = Separable { documents: 50, ..Separable::default() }.generate(1).expect("made");
    let ctx = Context::silent().expect("threads");
    let params = GibbsParams { sweeps: 100, alpha: 0.1, samples: 7, ..GibbsParams::new(5) };
    let found = fit(&planted.corpus, &params, &ctx).expect("topics");
    assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(found.report["samples"], 7);
    let likelihood = &found.report["log_likelihood_per_token"];
    assert_eq!(likelihood["trace"].as_array().expect("a list").len(), 21);
    assert_eq!(likelihood["trace"][20][0], 100);
    assert!(likelihood["end"].as_f64() > likelihood["start"].as_f64());
    assert!(found.to_model(&planted.corpus, &serde_json::Value::Null).is_ok());
}

#[test]
fn bad_settings_are_refused() {
    let good = GibbsParams::new(3);
    assert_eq!(good.check(), Ok(()));
    let bad = [
        GibbsParams { n_topics: 0, ..good.clone() },
        GibbsParams { n_topics: 1 << 17, ..good.clone() },
        GibbsParams { sweeps: 0, ..good.clone() },
        GibbsParams { samples: 0, ..good.clone() },
        GibbsParams { optimise: Some(0), ..good.clone() },
        GibbsParams { alpha: 0.0, ..good.clone() },
        GibbsParams { alpha: f64::NAN, ..good.clone() },
        GibbsParams { beta: f64::INFINITY, ..good.clone() },
    ];
    let ctx = Context::silent().expect("threads");
    let corpus = corpus(2, &[&[(0, 1)], &[(1, 1)]]);
    for params in bad {
        let error = fit(&corpus, &params, &ctx).expect_err("refused");
        assert!(matches!(error, Error::Parameter { .. }), "{params:?}: {error}");
    }
    let empty = crate::testkit::corpus::<[(u32, u32); 0]>(2, &[[]]);
    assert_eq!(fit(&empty, &good, &ctx).err(), Some(Error::NoWords { documents: 1 }));
}
