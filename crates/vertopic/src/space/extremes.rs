//! The extreme words of many directions at once.

use crate::simd;
use crate::space::Extremes;

/// For each of N directions the words with the smallest and the largest projection. `projected` gives those of a word, and is
/// to be `#[inline(always)]`; `ties` decides between words that are equally extreme.
pub(super) fn extremes<const N: usize>(
    ties: &[u64],
    projected: impl Fn(usize) -> [f64; N],
) -> [Extremes; N] {
    let mut found = [Extremes { lowest: 0, highest: 0 }; N];
    let (mut lowest, mut highest) = ([f64::INFINITY; N], [f64::NEG_INFINITY; N]);
    simd::vectorized(
        #[inline(always)]
        || {
            for (i, &tie) in ties.iter().enumerate() {
                let values = projected(i);
                // Few words are beyond all before them: one look at all directions passes by most.
                let mut beyond = false;
                for p in 0..N {
                    beyond |= values[p] <= lowest[p];
                    beyond |= values[p] >= highest[p];
                }
                if !beyond {
                    continue;
                }
                for (p, v) in values.into_iter().enumerate() {
                    let best = &mut found[p];
                    if v < lowest[p] || (v == lowest[p] && tie < ties[best.lowest]) {
                        (best.lowest, lowest[p]) = (i, v);
                    }
                    if v > highest[p] || (v == highest[p] && tie < ties[best.highest]) {
                        (best.highest, highest[p]) = (i, v);
                    }
                }
            }
        },
    );
    found
}
