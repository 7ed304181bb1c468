//! Topics from anchors: every word's row is a mixture of the anchors' rows.
//!
//! `b_i = argmin ‖row_i − Σ_k b_k row_{S_k}‖²` on the simplex; then `A_ik ∝ p_i b_ik`, whose column sums
//! before normalising are the topics' mean weights (Arora et al. 2013, Algorithm 3).

use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::detect::NovelWord;
use vertopic::estimate::{Quadratic, Scratch, SolveInfo, StopRule, Topics, minimise_on_simplex};

use super::rows::Products;
use crate::method::MethodOutput;

/// Every word as a mixture of topics.
pub(super) struct Mixtures {
    /// b, W × K.
    pub(super) values: Vec<f64>,
    /// How each regression went; anchors and words without a row have none.
    pub(super) infos: Vec<SolveInfo>,
}

/// Steps of a regression, at most, per topic.
const STEPS_PER_TOPIC: usize = 200;

/// Least squares for every word with a row. An anchor is itself.
pub(super) fn least_squares(
    Products { mut gram, mut linear }: Products,
    anchors: &[u32],
    frequencies: &[f64],
    tolerance: f64,
    ctx: &Context<'_>,
) -> Result<Mixtures, Error> {
    let k = anchors.len();
    // On a mean diagonal of 1 the tolerance means the same for every corpus.
    let scale = (0..k).map(|i| gram[i * k + i]).sum::<f64>() / k as f64;
    if scale.is_nan() || scale <= 0.0 {
        return Err(Error::NoPairs);
    }
    gram.iter_mut().chain(&mut linear).for_each(|v| *v /= scale);
    let work = to_solve(anchors, frequencies);
    let stop = StopRule { tolerance, most_iterations: STEPS_PER_TOPIC * k };
    let progress = ctx.stage("regressing words", work.len() as u64);
    let solved: Vec<(Vec<f64>, SolveInfo)> = ctx.install(|| {
        work.par_iter()
            .map_init(
                || Scratch::new(k),
                |scratch, &i| {
                    let linear = &linear[i * k..(i + 1) * k];
                    let (objective, mut b) = (Quadratic { gram: &gram, linear }, vec![0.0; k]);
                    let info = minimise_on_simplex(objective, &mut b, stop, scratch);
                    progress.advance(1);
                    (b, info)
                },
            )
            .collect()
    });
    Ok(gather(anchors, frequencies.len(), &work, solved))
}

/// Words with a row that are no anchors.
pub(super) fn to_solve(anchors: &[u32], frequencies: &[f64]) -> Vec<usize> {
    let mut work: Vec<usize> = (0..frequencies.len()).filter(|&i| frequencies[i] > 0.0).collect();
    work.retain(|&i| !anchors.contains(&(i as u32)));
    work
}

/// The mixtures of all words: solved ones, anchors, and zeros for words without a row.
pub(super) fn gather(
    anchors: &[u32],
    words: usize,
    work: &[usize],
    solved: Vec<(Vec<f64>, SolveInfo)>,
) -> Mixtures {
    let k = anchors.len();
    let mut values = vec![0.0; words * k];
    for (topic, &anchor) in anchors.iter().enumerate() {
        values[anchor as usize * k + topic] = 1.0;
    }
    for (&i, (b, _)) in work.iter().zip(&solved) {
        values[i * k..(i + 1) * k].copy_from_slice(b);
    }
    Mixtures { values, infos: solved.into_iter().map(|(_, info)| info).collect() }
}

impl Mixtures {
    /// What the regressions have to report.
    pub(super) fn report(&self) -> serde_json::Value {
        let solved = self.infos.len().max(1) as f64;
        serde_json::json!({
            "words": self.infos.len(),
            "not_converged": self.infos.iter().filter(|info| !info.converged).count(),
            "largest_gap": self.infos.iter().map(|info| info.gap).fold(0.0, f64::max),
            "mean_gap": self.infos.iter().map(|info| info.gap).sum::<f64>() / solved,
            "mean_iterations": self.infos.iter().map(|i| i.iterations as f64).sum::<f64>() / solved,
        })
    }

    /// `A_ik ∝ p_i b_ik`, with one novel word for each topic: its anchor.
    pub(super) fn into_found(
        self,
        corpus: &Corpus,
        frequencies: &[f64],
        anchors: &[NovelWord],
        report: serde_json::Value,
    ) -> Result<MethodOutput, Error> {
        let (w, k) = (frequencies.len(), anchors.len());
        let mut weights = vec![0.0; k];
        for (b, p) in self.values.chunks(k).zip(frequencies) {
            weights.iter_mut().zip(b).for_each(|(a, b)| *a += p * b);
        }
        if let Some(topic) = weights.iter().position(|&a| a <= 0.0) {
            let novel_words = vec![corpus.vocabulary().word(anchors[topic].word).to_owned()];
            return Err(Error::EmptyTopic { novel_words });
        }
        let mut values = vec![0.0_f32; k * w];
        for (i, (b, p)) in self.values.chunks(k).zip(frequencies).enumerate() {
            for t in 0..k {
                values[t * w + i] = (p * b[t] / weights[t]) as f32;
            }
        }
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|a| *a /= total);
        let novel_words = anchors.iter().map(|&anchor| vec![anchor]).collect();
        Ok(MethodOutput { topics: Topics::new(w, values)?, weights, novel_words, report })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_mixtures_come_back() {
        // Rows that are exact mixtures of two anchors' rows; word 3 has no row.
        let ctx = Context::silent().expect("threads");
        let anchors = [[0.7, 0.2, 0.1, 0.0], [0.1, 0.1, 0.8, 0.0]];
        let mixtures = [[1.0, 0.0], [0.0, 1.0], [0.25, 0.75], [0.0, 0.0]];
        let row = |b: &[f64; 2]| -> Vec<f64> {
            (0..4).map(|j| b[0] * anchors[0][j] + b[1] * anchors[1][j]).collect()
        };
        let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>();
        let linear: Vec<f64> =
            mixtures.iter().flat_map(|b| anchors.map(|a| product(&row(b), &a))).collect();
        let gram = anchors.iter().flat_map(|a| anchors.map(|b| product(a, &b))).collect();
        let frequencies = [0.2, 0.3, 0.5, 0.0];
        let solved = least_squares(Products { gram, linear }, &[0, 1], &frequencies, 1e-12, &ctx)
            .expect("solved");
        for (found, expected) in solved.values.chunks(2).zip(&mixtures) {
            assert!((found[0] - expected[0]).abs() < 1e-6, "{found:?} {expected:?}");
        }
        assert_eq!(solved.infos.len(), 1, "anchors and words without a row are not regressed on");

        let corpus = crate::testkit::corpus(4, &[[(0, 1)]]);
        let anchors = [0, 1].map(|word| NovelWord { word, strength: 1.0 });
        let found = solved
            .into_found(&corpus, &frequencies, &anchors, serde_json::Value::Null)
            .expect("topics");
        // Column sums of p_i b_ik: .2 + .5/4 and .3 + .5·3/4.
        assert!((found.weights[0] - 0.325).abs() < 1e-6 && (found.weights[1] - 0.675).abs() < 1e-6);
        assert!((f64::from(found.topics.topic(0)[2]) - 0.125 / 0.325).abs() < 1e-6);
        assert_eq!(found.topics.topic(0)[3], 0.0);
    }
}
