//! Diversity: do topics say different things?
//!
//! Frequent words that are in every topic raise coherence, so read it together with one of these measures.

use std::collections::BTreeSet;

use crate::estimate::Topics;

/// The share of distinct words among the words of all topics (Dieng, Ruiz & Blei 2020). `None` without words.
///
/// ```
/// use vertopic::evaluate::topic_diversity;
/// assert_eq!(topic_diversity(&[vec![0, 1], vec![1, 2]]), Some(0.75));
/// ```
pub fn topic_diversity(topics: &[Vec<u32>]) -> Option<f64> {
    let all = topics.iter().map(Vec::len).sum::<usize>();
    let different: BTreeSet<u32> = topics.iter().flatten().copied().collect();
    (all > 0).then(|| different.len() as f64 / all as f64)
}

/// Weight decay per rank in [`inverted_rbo`], by convention.
pub const RBO_P: f64 = 0.9;

/// One minus the mean rank-biased overlap of two topics, best words first. `None` without two topics.
///
/// The overlap is the extrapolated one ("A similarity measure for indefinite rankings", Webber, Moffat &
/// Zobel 2010, equation 32), with the agreement of equation 28 in it as in OCTIS.
///
/// ```
/// use vertopic::evaluate::{RBO_P, inverted_rbo};
/// assert_eq!(inverted_rbo(&[vec![0, 1], vec![2, 3]], RBO_P), Some(1.0));
/// ```
pub fn inverted_rbo(topics: &[Vec<u32>], p: f64) -> Option<f64> {
    let k = topics.len();
    let pairs = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    let sum: f64 = pairs.map(|(a, b)| overlap(&topics[a], &topics[b], p)).sum();
    (k > 1).then(|| 1.0 - sum / (k * (k - 1) / 2) as f64)
}

/// Extrapolated rank-biased overlap of two lists without repetitions.
fn overlap(a: &[u32], b: &[u32], p: f64) -> f64 {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let (s, l) = (short.len(), long.len());
    if s == 0 {
        return 0.0;
    }
    // The common words of the first d of each, scaled by equation 28 where one list has ended.
    let agreement = |common: usize, d: usize| (2 * common) as f64 / (d.min(s) + d) as f64;
    let (mut common, mut sum, mut weight, mut common_s) = (0, 0.0, 1.0, 0);
    for d in 1..=l {
        let next = long[d - 1];
        common += usize::from(short[..d.min(s)].contains(&next));
        if d <= s {
            common += usize::from(long[..d - 1].contains(&short[d - 1]));
            common_s = common;
        }
        weight *= p;
        sum += weight * agreement(common, d);
        if d > s {
            sum += weight * common_s as f64 * (d - s) as f64 / s as f64 / d as f64;
        }
    }
    let (x_s, x_l) = (common_s as f64, agreement(common, l) * s as f64);
    (1.0 - p) / p * sum + weight * ((x_l - x_s) / l as f64 + x_s / s as f64)
}

/// Exclusivity of each topic: the mean over its words of `p(word | topic) / Σ p(word | any topic)`.
/// `None` for a topic without words.
///
/// From 1/K for a word that is as likely in every topic to 1 for one that is in no other. It is the
/// exclusivity of MALLET's topic diagnostics, after Bischof & Airoldi 2012 (stm calls another thing so: a sum
/// of their FREX scores). A word that no topic has counts 0.
///
/// ```
/// use vertopic::estimate::Topics;
/// use vertopic::evaluate::exclusivity;
/// let topics = Topics::new(3, vec![0.5, 0.5, 0.0, 0.5, 0.0, 0.5])?;
/// assert_eq!(exclusivity(&topics, &[vec![0, 1], vec![0, 2]]), [Some(0.75), Some(0.75)]);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn exclusivity(topics: &Topics, words: &[Vec<u32>]) -> Vec<Option<f64>> {
    let at = |k: usize, w: u32| topics.topic(k).get(w as usize).map_or(0.0, |&p| f64::from(p));
    let own = |k: usize, w: u32| {
        let all: f64 = (0..topics.n_topics()).map(|j| at(j, w)).sum();
        if all > 0.0 { at(k, w) / all } else { 0.0 }
    };
    let topic = |(k, words): (usize, &Vec<u32>)| {
        let sum: f64 = words.iter().map(|&w| own(k, w)).sum();
        (!words.is_empty()).then(|| sum / words.len() as f64)
    };
    words.iter().take(topics.n_topics()).enumerate().map(topic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Equation 32 from sets of prefixes, nothing reused.
    fn slowly(a: &[u32], b: &[u32], p: f64) -> f64 {
        let (s, l) = (a.len().min(b.len()), a.len().max(b.len()));
        let agreement = |d: usize| {
            let set = |x: &[u32]| x.iter().take(d).copied().collect::<BTreeSet<u32>>();
            let (a, b) = (set(a), set(b));
            2.0 * a.intersection(&b).count() as f64 / (a.len() + b.len()) as f64
        };
        let x = |d: usize| agreement(d) * d.min(s) as f64;
        let power = |d: usize| p.powi(d as i32);
        let first: f64 = (1..=l).map(|d| power(d) * agreement(d)).sum();
        let second: f64 =
            (s + 1..=l).map(|d| power(d) * x(s) * (d - s) as f64 / s as f64 / d as f64).sum();
        (1.0 - p) / p * (first + second) + power(l) * ((x(l) - x(s)) / l as f64 + x(s) / s as f64)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn overlap_is_equation_32(
            a in Just((0_u32..12).collect::<Vec<_>>()).prop_shuffle(),
            b in Just((0_u32..12).collect::<Vec<_>>()).prop_shuffle(),
            s in 1_usize..9,
            l in 1_usize..9,
        ) {
            let (a, b) = (&a[..s], &b[..l]);
            prop_assert!((overlap(a, b, 0.9) - slowly(a, b, 0.9)).abs() < 1e-12);
            prop_assert!((overlap(b, a, 0.9) - overlap(a, b, 0.9)).abs() < 1e-12);
        }
    }

    #[test]
    fn overlap_by_hand() {
        let seven: Vec<u32> = (0..7).collect();
        assert!((overlap(&seven, &seven, 0.9) - 1.0).abs() < 1e-12);
        // No agreement at depth 1, all from depth 2 on: (1 − p)/p Σ_{2..7} p^d + p^7 = p.
        let swapped = [1, 0, 2, 3, 4, 5, 6];
        assert!((overlap(&seven, &swapped, 0.9) - 0.9).abs() < 1e-12);
        assert_eq!(overlap(&seven, &[], 0.9), 0.0);
        // Of three pairs one is equal and two share nothing.
        let topics = [vec![1, 2], vec![1, 2], vec![3, 4]];
        assert!((inverted_rbo(&topics, RBO_P).expect("pairs") - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(inverted_rbo(&topics[..1], RBO_P), None);
    }

    #[test]
    fn diversity_and_exclusivity_have_ends() {
        assert_eq!(topic_diversity(&[vec![4, 5], vec![6, 7]]), Some(1.0));
        assert_eq!(topic_diversity(&[vec![4, 5], vec![5, 4]]), Some(0.5));
        assert_eq!(topic_diversity(&[vec![], vec![]]), None);
        let same = Topics::new(3, [0.25, 0.25, 0.5].repeat(4)).expect("rows");
        assert_eq!(exclusivity(&same, &[vec![0, 2]]), [Some(0.25)]);
        let own = Topics::new(2, vec![1.0, 0.0, 0.0, 1.0]).expect("rows");
        assert_eq!(exclusivity(&own, &[vec![0], vec![1]]), [Some(1.0), Some(1.0)]);
        assert_eq!(exclusivity(&own, &[vec![], vec![9]]), [None, Some(0.0)]);
    }
}
