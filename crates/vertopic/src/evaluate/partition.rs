//! Cluster scores: do topics sort documents as labels do?
//!
//! Labels and largest topics are two partitions of the documents. All scores come from their contingency table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Scores of one partition against another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClusterScores {
    /// Mutual information over the mean of the two entropies: 0 independent, 1 the same (Strehl & Ghosh
    /// 2002, with the arithmetic mean as in scikit-learn).
    pub nmi: f64,
    /// Adjusted Rand index: 0 by chance, 1 the same (Hubert & Arabie 1985).
    pub ari: f64,
    /// Share of documents with the commonest label of their topic. It grows with the number of topics.
    pub purity: f64,
    /// Number of documents.
    pub documents: u64,
    /// Number of distinct labels.
    pub labels: usize,
    /// Number of distinct groups.
    pub groups: usize,
}

/// Compares two partitions, given the label and the group of every document; `None` without documents.
///
/// ```
/// use vertopic::evaluate::cluster_scores;
/// let found = cluster_scores([("a", 7), ("a", 7), ("b", 3)]).expect("documents");
/// assert_eq!((found.nmi, found.ari, found.purity), (1.0, 1.0, 1.0));
/// ```
pub fn cluster_scores<L: Ord + Clone, G: Ord + Clone>(
    documents: impl IntoIterator<Item = (L, G)>,
) -> Option<ClusterScores> {
    let (mut cells, mut labels, mut groups) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut n = 0_u64;
    for (label, group) in documents {
        n += 1;
        *labels.entry(label.clone()).or_insert(0_u64) += 1;
        *groups.entry(group.clone()).or_insert(0_u64) += 1;
        *cells.entry((group, label)).or_insert(0_u64) += 1;
    }
    if n == 0 {
        return None;
    }
    let share = |count: u64| count as f64 / n as f64;
    let entropy = |counts: &mut dyn Iterator<Item = &u64>| {
        -counts.map(|&c| share(c) * libm::log(share(c))).sum::<f64>()
    };
    let h = entropy(&mut labels.values()) + entropy(&mut groups.values());
    let information: f64 = cells
        .iter()
        .map(|((g, l), &c)| share(c) * libm::log(share(c) / (share(groups[g]) * share(labels[l]))))
        .sum();

    let pairs = |counts: &mut dyn Iterator<Item = &u64>| {
        counts.map(|&c| c as f64 * (c - 1) as f64 / 2.0).sum::<f64>()
    };
    let (alike, by_label, by_group) =
        (pairs(&mut cells.values()), pairs(&mut labels.values()), pairs(&mut groups.values()));
    let expected = by_label * by_group / pairs(&mut [n].iter()).max(1.0);
    let most = f64::midpoint(by_label, by_group);

    let mut commonest = BTreeMap::new();
    for ((group, _), &count) in &cells {
        let most = commonest.entry(group).or_insert(0);
        *most = count.max(*most);
    }
    Some(ClusterScores {
        // Two partitions into one group each are equal, and so are two into single documents.
        nmi: if h > 0.0 { (2.0 * information / h).clamp(0.0, 1.0) } else { 1.0 },
        ari: if most == expected { 1.0 } else { (alike - expected) / (most - expected) },
        purity: share(commonest.values().sum()),
        documents: n,
        labels: labels.len(),
        groups: groups.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(labels: &[u8], groups: &[u8]) -> ClusterScores {
        cluster_scores(labels.iter().zip(groups)).expect("documents")
    }

    fn near(found: ClusterScores, nmi: f64, ari: f64, purity: f64) {
        let off = [found.nmi - nmi, found.ari - ari, found.purity - purity];
        assert!(off.iter().all(|x| x.abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn the_same_partition_by_other_names() {
        near(of(&[1, 1, 2, 3, 3, 3], &[9, 9, 4, 0, 0, 0]), 1.0, 1.0, 1.0);
        near(of(&[5, 5, 5], &[2, 2, 2]), 1.0, 1.0, 1.0); // one part each
        near(of(&[1, 2, 3], &[6, 5, 4]), 1.0, 1.0, 1.0); // single documents
        near(of(&[1], &[1]), 1.0, 1.0, 1.0);
    }

    #[test]
    fn independent_partitions() {
        // All four combinations once. No pair is alike in both, two are in each, of six: (0 − 2/3) / (2 − 2/3).
        near(of(&[1, 1, 2, 2], &[1, 2, 1, 2]), 0.0, -0.5, 0.5);
        // One group tells nothing.
        near(of(&[1, 1, 2, 2], &[1, 1, 1, 1]), 0.0, 0.0, 0.5);
    }

    #[test]
    fn a_worked_example() {
        // The example of "Introduction to Information Retrieval" (Manning, Raghavan & Schütze 2008, figure
        // 16.4): three clusters of 17 documents, x o d. Section 16.3 prints purity 0.71 and NMI 0.36; its
        // counts TP = 20, FP = 20, FN = 24, TN = 72 give the adjusted index below.
        let labels = b"xxxxxoxooooddxddx";
        let groups = b"11111122222233333";
        let found = of(labels, groups);
        assert!((found.purity - 12.0 / 17.0).abs() < 1e-12);
        assert!((found.nmi - 0.36).abs() < 0.005, "{found:?}");
        let expected = 44.0 * 40.0 / 136.0;
        assert!((found.ari - (20.0 - expected) / (42.0 - expected)).abs() < 1e-12);
        assert_eq!((found.documents, found.labels, found.groups), (17, 3, 3));
    }

    #[test]
    fn order_leaves_no_trace() {
        let mut documents: Vec<(u32, u32)> = (0..300).map(|i| (i * i % 7, i % 5)).collect();
        let before = cluster_scores(documents.clone());
        documents.reverse();
        documents.rotate_left(41);
        assert_eq!(cluster_scores(documents), before);
        assert_eq!(cluster_scores(Vec::<(u8, u8)>::new()), None);
    }
}
