//! What stands for a group in the regression: one word, the average of its words, or all of them pooled.

use crate::cluster::Representative;
use crate::detect::{NovelWord, NovelWords};

/// The novel words of one topic and how they are weighed into one row of Y and Y′.
///
/// Row k of Y is `Σ_i weight_i X_i` over the group's words, scaled so that the row sums to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The words, strongest first.
    pub words: Vec<NovelWord>,
    /// Weight of each word's row of X in the row of Y.
    pub first: Vec<f64>,
    /// Weight of each word's row of X′ in the row of Y′.
    pub second: Vec<f64>,
}

impl Group {
    /// A group of words, strongest first. `row_sums` are those of X and X′.
    pub fn new(
        words: Vec<NovelWord>,
        representative: Representative,
        row_sums: [&[f64]; 2],
    ) -> Self {
        let [first, second] = row_sums.map(|sums| weights(&words, representative, sums));
        Self { words, first, second }
    }
}

/// The groups: one per topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The groups.
    pub groups: Vec<Group>,
}

impl Groups {
    /// Puts the novel words into `n_groups` groups. `assignment[i]` is the group of `novel.words[i]`;
    /// `row_sums` are those of X and X′.
    pub fn new(
        novel: &NovelWords,
        assignment: &[usize],
        n_groups: usize,
        representative: Representative,
        row_sums: [&[f64]; 2],
    ) -> Self {
        let mut words: Vec<Vec<NovelWord>> = vec![Vec::new(); n_groups];
        for (&word, &group) in novel.words.iter().zip(assignment) {
            words[group].push(word); // keeps the order of strength
        }
        let groups =
            words.into_iter().map(|words| Group::new(words, representative, row_sums)).collect();
        Self { groups }
    }

    /// Number of topics.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Weights such that `Σ_i weight_i row_sum_i = 1`.
fn weights(words: &[NovelWord], representative: Representative, row_sums: &[f64]) -> Vec<f64> {
    let row_sum = |n: &NovelWord| row_sums[n.word as usize];
    match representative {
        Representative::Word => words
            .iter()
            .enumerate()
            .map(|(i, n)| if i == 0 { 1.0 / row_sum(n) } else { 0.0 })
            .collect(),
        Representative::Average => {
            words.iter().map(|n| 1.0 / (words.len() as f64 * row_sum(n))).collect()
        }
        Representative::Pooled => {
            let total: f64 = words.iter().map(row_sum).sum();
            vec![1.0 / total; words.len()]
        }
    }
}
