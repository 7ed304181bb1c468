//! Which words a word is compared with by its data-dependent projection.

/// Which words are far from a word, the paper's J_i.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Far {
    /// Those at a squared distance of at least this.
    Threshold(f64),
    /// This many of the farthest.
    Farthest(usize),
    /// Those whose distance is significant, given the standard errors of both points. Only a space that measures
    /// [`noise`](crate::space::WordSpace::noise) can tell.
    Significant,
}

/// Another word as a word sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Squared distance from the word.
    pub(super) distance: f64,
    /// How much less the word is correlated with the other than with itself.
    pub(super) margin: f64,
}

/// The least margin over the words that are far; infinite if none is. `None` if distances alone cannot tell which are.
pub(super) fn least_margin(mut others: Vec<Seen>, far: Far) -> Option<f64> {
    match far {
        Far::Threshold(least) => others.retain(|other| other.distance >= least),
        Far::Farthest(n) if n < others.len() => {
            // Equal distances are decided against the word: the smaller margin counts.
            others.select_nth_unstable_by(n.max(1) - 1, |a, b| {
                b.distance.total_cmp(&a.distance).then(a.margin.total_cmp(&b.margin))
            });
            others.truncate(n);
        }
        Far::Farthest(_) => {}
        Far::Significant => return None,
    }
    Some(others.iter().map(|other| other.margin).fold(f64::INFINITY, f64::min))
}
