use super::*;
use crate::context::Parallelism;
use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use crate::evaluate::l1_error;
use crate::observe::Silent;
use crate::seed::{Seed, Stage};
use crate::simd::{Aligned, LANES};

const WORDS: usize = 12;

/// Two topics over twelve words, one the other backwards; each has four words of its own.
fn truth() -> Topics {
    let ramp: Vec<f32> =
        [6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0].map(|n| n / 24.0).to_vec();
    let back: Vec<f32> = ramp.iter().rev().copied().collect();
    Topics::new(WORDS, [ramp, back].concat()).expect("distributions")
}

/// Documents of two topics, `tokens` tokens each; every one is mostly about one of them.
fn corpus(documents: usize, tokens: usize, reversed: bool) -> Corpus {
    let mut b = CorpusBuilder::with_words((0..WORDS).map(|i| format!("w{i:02}")).collect());
    let topics = truth();
    let mut order: Vec<usize> = (0..documents).collect();
    if reversed {
        order.reverse();
    }
    for d in order {
        let mut random = Seed(5).stream(Stage::Chain, d as u64);
        let major = if d % 2 == 0 { 0.97 } else { 0.03 };
        let mut counts = [0_u32; WORDS];
        for _ in 0..tokens {
            let topic = topics.topic(usize::from(random.unit() > major));
            let (mut x, mut w) = (random.unit(), 0);
            while w + 1 < WORDS && x > f64::from(topic[w]) {
                x -= f64::from(topic[w]);
                w += 1;
            }
            counts[w] += 1;
        }
        let mut pairs: Vec<(u32, u32)> =
            counts.iter().enumerate().filter(|c| *c.1 > 0).map(|(w, &c)| (w as u32, c)).collect();
        let info = DocumentInfo { id: Some(format!("d{d}")), ..DocumentInfo::default() };
        b.push(&mut pairs, info).expect("good");
    }
    b.finish().expect("good")
}

/// Not quite the truth: mixed half and half with each other.
fn blurred() -> Topics {
    let t = truth();
    let mix = |a: &[f32], b: &[f32]| -> Vec<f32> {
        a.iter().zip(b).map(|(a, b)| 0.7 * a + 0.3 * b).collect()
    };
    let (a, b) = (mix(t.topic(0), t.topic(1)), mix(t.topic(1), t.topic(0)));
    Topics::new(WORDS, [a, b].concat()).expect("distributions")
}

fn threads(n: usize) -> Context<'static> {
    let n = std::num::NonZeroUsize::new(n).expect("positive");
    Context::new(Parallelism::Threads(n), &Silent).expect("threads")
}

fn refined(corpus: &Corpus, start: &Topics, params: &RefineParams, ctx: &Context<'_>) -> Refined {
    let validation = ValidationSet::new(Seed(0), corpus.n_documents());
    refine(corpus, Start { topics: start, weights: &[0.5, 0.5] }, validation, params, ctx)
        .expect("polished")
}

const PLAIN: RefineParams = RefineParams { sweeps: 40, smoothing: 0.0, geometry: 0.0 };

#[test]
fn topics_come_nearer_to_the_truth_and_documents_more_likely() {
    let corpus = corpus(2000, 60, false);
    let found = refined(&corpus, &blurred(), &PLAIN, &threads(2));
    let error = |t: &Topics| l1_error(&truth(), t);
    assert!(error(&found.topics) < 0.4 * error(&blurred()), "{}", error(&found.topics));
    let report = &found.report;
    assert!(report.kept > 1 && report.validation_documents > 50, "{report:?}");
    // Likelihood of the same documents: validation documents join training at the end. At most one long step overshoots.
    let likelihood = &report.training_ll[..report.validation_ll.len()];
    let falls = likelihood.windows(2).filter(|l| l[1] < l[0] - 1e-5).count();
    let best = likelihood.iter().fold(f64::NEG_INFINITY, |best, &l| best.max(l));
    assert!(falls <= 1 && likelihood.last() == Some(&best), "{likelihood:?}");
    assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-6);
}

/// One sweep by the formula, in `f64` and without any of the machinery.
fn slow_sweep(corpus: &Corpus, start: &Topics, params: &RefineParams) -> Vec<f64> {
    let smooth = |k: usize, w: usize| (f64::from(start.topic(k)[w]) + 1e-3 / 12.0) / 1.001;
    let mut counts = vec![vec![0.0; WORDS]; 2];
    for d in 0..corpus.n_documents() {
        let document = corpus.document(d);
        let total = document.tokens() as f64 + 0.3;
        let mut theta = [0.5, 0.5];
        // The share of a token in a topic; without the token's own part in the mixture, if `left_out`.
        let share = |theta: [f64; 2], left_out: bool, w: usize, k: usize| {
            let p = theta[0] * smooth(0, w) + theta[1] * smooth(1, w);
            let of = |k: usize| {
                let own = if left_out { theta[k] * smooth(k, w) / p } else { 0.0 };
                smooth(k, w) * (total * theta[k] - own).max(0.0)
            };
            of(k) / (of(0) + of(1))
        };
        let others = [1, 8, 2, 4, 1, 1].map(|power| (power, true));
        for (power, left_out) in [(2, false), (4, false)].into_iter().chain(others) {
            let given = |k: usize| -> f64 {
                let share = |w: u32| share(theta, left_out, w as usize, k);
                document.entries().map(|(w, c)| f64::from(c) * share(w)).sum()
            };
            let least = 0.3 * 0.5 / total;
            let next = [0, 1].map(|k: usize| {
                let step = (given(k) / total + least) / theta[k];
                (theta[k] * step.powi(power)).max(least)
            });
            theta = next.map(|t| t / (next[0] + next[1]));
        }
        for (w, c) in document.entries() {
            let w = w as usize;
            (0..2).for_each(|k| counts[k][w] += f64::from(c) * share(theta, true, w, k));
        }
    }
    let tokens: u64 = (0..corpus.n_documents()).map(|d| corpus.document(d).tokens()).sum();
    let g = (params.geometry / (tokens as f64 / 24.0)).min(1.0);
    let prior = |k, w| params.smoothing + g * 12.0 * smooth(k, w);
    let all: Vec<f64> = (0..2)
        .flat_map(|k| {
            let row: Vec<f64> = (0..WORDS).map(|w| counts[k][w] + prior(k, w)).collect();
            let sum: f64 = row.iter().sum();
            row.into_iter().map(move |v| v / sum)
        })
        .collect();
    all
}

#[test]
fn a_sweep_is_the_formula() {
    // Fewer than 100 documents have no validation set; one sweep is asked for.
    let corpus = corpus(90, 30, false);
    for params in [
        RefineParams { sweeps: 1, smoothing: 0.0, geometry: 0.0 },
        RefineParams { sweeps: 1, smoothing: 0.3, geometry: 20.0 },
        RefineParams { sweeps: 1, smoothing: 0.0, geometry: 1e6 },
    ] {
        let found = refined(&corpus, &blurred(), &params, &threads(1));
        assert_eq!((found.report.kept, found.report.validation_documents), (1, 0));
        for (a, b) in found.topics.values().iter().zip(slow_sweep(&corpus, &blurred(), &params)) {
            assert!((f64::from(*a) - b).abs() < 1e-5, "{a} {b}");
        }
    }
}

#[test]
fn order_and_threads_do_not_matter() {
    let params = RefineParams::default();
    let one = refined(&corpus(400, 20, false), &blurred(), &params, &threads(1));
    let other = refined(&corpus(400, 20, true), &blurred(), &params, &threads(3));
    assert_eq!(one.topics, other.topics);
    assert_eq!(one.weights, other.weights);
    assert_eq!(one.report, other.report);
}

#[test]
fn sweeps_that_lower_validation_likelihood_are_discarded() {
    // Documents of two tokens are overfitted soon: training likelihood rises, validation likelihood falls.
    let corpus = corpus(3000, 2, false);
    let RefineReport { sweeps, kept, training_ll: likelihood, validation_ll: score, .. } =
        refined(&corpus, &truth(), &PLAIN, &threads(2)).report;
    let best = (0..score.len()).fold(0, |b, i| if score[i] > score[b] { i } else { b });
    assert_eq!(score.len(), best + 1 + PATIENCE, "{score:?}");
    assert!(likelihood[score.len() - 1] > likelihood[0]);
    // One final sweep after the best, in which validation documents train; none if the geometric topics were best.
    assert_eq!((kept, sweeps), (best + best.min(1), score.len() + best.min(1)));
}

#[test]
fn validation_documents_join_training_unless_likelihood_fell() {
    let mut seen = [0; 3];
    for tokens in [2, 3, 4, 5, 10, 20, 60] {
        for documents in [120, 150, 170, 200, 250, 300, 400, 1000] {
            let corpus = corpus(documents, tokens, false);
            let report = refined(&corpus, &blurred(), &PLAIN, &threads(2)).report;
            let score = &report.validation_ll;
            let best = (0..score.len()).fold(0, |b, i| if score[i] > score[b] { i } else { b });
            let lost = score[best] - score[score.len() - 1];
            let (last, kind) = match best {
                0 => (0, 0),
                _ if lost > TOLERATED_LOSS => (1, 1),
                _ if lost > 0.0 => (FINAL_SWEEPS, 2),
                _ => (FINAL_SWEEPS, 0),
            };
            seen[kind] += 1;
            assert_eq!(report.kept, best + last, "{documents} {tokens} {score:?}");
        }
    }
    assert!(seen[1] > 0 && seen[2] > 0, "{seen:?}");
}

#[test]
fn bad_settings_are_refused() {
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(RefineParams { smoothing: bad, ..RefineParams::NONE }.check().is_err());
        assert!(RefineParams { geometry: bad, ..RefineParams::NONE }.check().is_err());
    }
}

#[test]
fn mini_batches_reach_what_full_sweeps_reach() {
    let error = |t: &Topics| l1_error(&truth(), t);
    let many = corpus(16_000, 60, false);
    let found = refined(&many, &blurred(), &PLAIN, &threads(2));
    let table =
        TopicWordTable::new(&blurred(), &[0.5, 0.5], WORDS, &Context::silent().expect("threads"))
            .expect("a table");
    let batches = MiniBatches::of(&many, &table, Seed(0), &threads(1)).expect("tokens");
    assert_eq!(batches.parts(), 6);
    let counts: Vec<usize> = (0..6)
        .map(|step| many.documents().filter(|&d| batches.of_step(step).filter().has(d)).count())
        .collect();
    assert_eq!(counts.iter().sum::<usize>(), 16_000, "each document is in one of them");
    assert!(counts.iter().all(|&n| (2400..2950).contains(&n)), "{counts:?}");
    // As near to the truth as repeated sweeps over one batch.
    let fixed = refined(&corpus(2500, 60, false), &blurred(), &PLAIN, &threads(2));
    let errors = [&found.topics, &fixed.topics, &blurred()].map(error);
    assert!(errors[0] < 1.05 * errors[1] && errors[0] < 0.25 * errors[2], "{errors:?}");
    let backwards = refined(&corpus(16_000, 60, true), &blurred(), &PLAIN, &threads(3));
    assert_eq!((found.topics, found.report), (backwards.topics, backwards.report));
}

#[test]
fn running_counts_move_towards_a_batch() {
    let ctx = threads(2);
    let counts = |all: &[i64]| {
        let mut counts = Aligned::zeros(all.len());
        counts.iter_mut().zip(all).for_each(|(to, &count)| *to = [count; LANES]);
        counts
    };
    let counts_so_far =
        |count, tokens| TopicCounts { lanes: 1, counts: counts(&[count; 2]), unit: 4.0, tokens };
    let first = counts_so_far(40, 10.0).step_towards(None, 0, 3, &ctx);
    assert_eq!((first.word(1)[7], first.topics(&ctx)[0], first.tokens), (120, 60.0, 30.0));
    let counts = counts(&(0..15_000).map(|at| at % 3).collect::<Vec<_>>());
    let many = TopicCounts { lanes: 3, counts, unit: 1.0, tokens: 0.0 }.topics(&ctx);
    assert_eq!(many.iter().step_by(8).copied().collect::<Vec<_>>(), [0.0, 5000.0, 10_000.0]);
    // The 32nd step moves an eighth of the way, 32^-0.6, to three times the counts of the batch.
    let then = counts_so_far(20, 6.0).step_towards(Some(first), 31, 3, &ctx);
    assert_eq!(then.word(0)[0], 112); // 28.1 in quarters, rounded
    assert!((then.tokens - 28.5).abs() < 1e-9);
    assert_eq!(counts_so_far(20, 6.0).step_towards(Some(then), 9, 1, &ctx).word(0)[0], 20);
}
