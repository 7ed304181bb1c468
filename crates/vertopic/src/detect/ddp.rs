//! Data-dependent projections (Algorithm 1): with the thresholds d and γ, without them, or with standard errors.
//!
//! Word i is projected on itself. It is novel when every word j that is far from it (`J_i`) is clearly less correlated
//! with it than it is with itself, `C_ii − C_ij ≥ γ/2`.
//!
//! * With thresholds, `J_i = { j : D_ij ≥ d/2 }`, as in the listing.
//! * Without (Section 6.1 of the paper), `J_i` holds the r words farthest from i, words are ranked by
//!   `min_{j ∈ J_i} C_ii − C_ij`, and the best s are novel. If at most s words pass the candidate filter, words whose
//!   margin is not positive are left out: they fail the test for every γ > 0.
//! * With standard errors ([`Method::EmbeddedDdp`](crate::detect::Method::EmbeddedDdp)), `J_i` holds the words whose
//!   distance from i is significant. Words with a positive margin are novel, the best s of them.
//!
//! Words that fail the candidate filter take no part, not even as far words: there they only bring noise.
//!
//! Cost: `O(W²)` comparisons, after counting pairs in `O(M N²)` in the space of documents.

use crate::detect::{NovelWord, Search};
use crate::error::Error;
use crate::space::{Far, WordSpace};

/// Ranks the candidates by their margin and returns the novel ones, largest margin first.
pub fn detect<S: WordSpace>(search: &Search<'_, '_, S>) -> Result<Vec<NovelWord>, Error> {
    let Search { candidates, params, .. } = *search;
    let far = match (params.distance, params.gamma) {
        (Some(d), Some(_)) => Far::Threshold(d / 2.0),
        _ => Far::Farthest(params.far_words.unwrap_or(candidates.len() / 2).max(1)),
    };
    let (mut order, margins) = ranked(search, far)?;
    if let (Some(_), Some(gamma)) = (params.distance, params.gamma) {
        order.retain(|&i| margins[i] >= gamma / 2.0);
    } else {
        let s = search.most_kept();
        let positive = order.partition_point(|&i| margins[i] > 0.0);
        let no_choice = s >= order.len() && positive >= search.n_topics;
        order.truncate(if no_choice { positive } else { s });
    }
    // A word without far words passes vacuously; its margin is then that over no correlation at all.
    let strength = |i: usize| margins[i].min(search.space.square(candidates[i]));
    let novel = |i: usize| NovelWord { word: candidates[i], strength: strength(i) };
    Ok(order.into_iter().map(novel).collect())
}

/// The same with standard errors for thresholds. Margins are in standard errors.
pub fn detect_significant<S: WordSpace>(
    search: &Search<'_, '_, S>,
) -> Result<Vec<NovelWord>, Error> {
    let (mut order, margins) = ranked(search, Far::Significant)?;
    order.retain(|&i| margins[i] > 0.0 && margins[i].is_finite());
    order.truncate(search.most_kept());
    let novel = |i: usize| NovelWord { word: search.candidates[i], strength: margins[i] };
    Ok(order.into_iter().map(novel).collect())
}

/// Positions of the candidates, largest margin first; and the margins.
fn ranked<S: WordSpace>(
    search: &Search<'_, '_, S>,
    far: Far,
) -> Result<(Vec<usize>, Vec<f64>), Error> {
    let margins = search.space.margins(search.candidates, far, search.ctx)?;
    let ties = search.ties();
    let mut order: Vec<usize> = (0..margins.len()).collect();
    order.sort_by(|&a, &b| margins[b].total_cmp(&margins[a]).then(ties[a].cmp(&ties[b])));
    Ok((order, margins))
}
