//! The sampler at its best: which priors it is given, by pilot runs on corpora of their own.

use crate::method::gibbs::GibbsParams;

/// Seed of the first pilot run, far from the replicates'.
pub(super) const PILOT_SEED: u64 = 1_000_000;

/// The priors to try: α of a document's mixture and β of a topic's words.
pub(super) fn grid(n_topics: usize) -> Vec<GibbsParams> {
    [0.1, 1.0, 50.0 / n_topics as f64]
        .iter()
        .flat_map(|&alpha| {
            [0.01, 0.1, 1.0].map(|beta| GibbsParams { alpha, beta, ..GibbsParams::new(n_topics) })
        })
        .collect()
}

/// Each setting with the mean of its pilots' errors, smallest first. The errors of a setting stand together.
pub(super) fn ranked(
    settings: Vec<GibbsParams>,
    errors: &[f64],
    pilots: u64,
) -> Vec<(GibbsParams, f64)> {
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    let mut scores: Vec<(GibbsParams, f64)> =
        settings.into_iter().zip(errors.chunks(pilots as usize).map(mean)).collect();
    scores.sort_by(|a, b| a.1.total_cmp(&b.1));
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_mean_error_is_first() {
        let settings = grid(10)[..3].to_vec();
        let errors = [3.0, 3.0, 3.0, 1.0, 1.0, 5.0, 4.0, f64::INFINITY, 0.0];
        let found = ranked(settings.clone(), &errors, 3);
        let order: Vec<f64> = found.iter().map(|(params, _)| params.beta).collect();
        assert_eq!(order, [settings[1].beta, settings[0].beta, settings[2].beta]);
        assert!((found[0].1 - 7.0 / 3.0).abs() < 1e-12);
        assert_eq!(grid(10).len(), 9);
    }
}
