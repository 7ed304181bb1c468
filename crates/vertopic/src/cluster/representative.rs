//! What stands for a group in the regression: its strongest word, the average of its words, or all of them pooled.

use crate::cluster::Representative;
use crate::detect::{NovelWord, NovelWords};
use crate::space::{Masses, WeightedWord};

/// The novel words of one topic, and their weights in the topic's rows of Y and Y′.
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
    /// A group of `words`, strongest first, in the space that has these `masses`.
    pub fn new(words: Vec<NovelWord>, representative: Representative, masses: Masses<'_>) -> Self {
        let first = weights(&words, representative, masses.first);
        let second = weights(&words, representative, masses.second);
        Self { words, first, second }
    }

    /// The words with their weights.
    pub fn weighted(&self) -> Vec<WeightedWord> {
        let weights = self.first.iter().zip(&self.second);
        let words = self.words.iter().zip(weights);
        words
            .map(|(novel, (&first, &second))| WeightedWord { word: novel.word, first, second })
            .collect()
    }
}

/// The groups: one per topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The groups.
    pub groups: Vec<Group>,
}

impl Groups {
    /// Puts the novel words into groups: `assignment[i]` is the group of `novel.words[i]`. The largest number in it is that
    /// of the last group.
    pub fn new(
        novel: &NovelWords,
        assignment: &[usize],
        representative: Representative,
        masses: Masses<'_>,
    ) -> Self {
        let n_groups = assignment.iter().max().map_or(0, |&last| last + 1);
        let mut words: Vec<Vec<NovelWord>> = vec![Vec::new(); n_groups];
        for (&word, &group) in novel.words.iter().zip(assignment) {
            words[group].push(word); // keeps the order of strength
        }
        let groups =
            words.into_iter().map(|words| Group::new(words, representative, masses)).collect();
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

/// Weights such that `Σ_i weight_i mass_i = 1`.
fn weights(words: &[NovelWord], representative: Representative, masses: &[f64]) -> Vec<f64> {
    let mass = |n: &NovelWord| masses[n.word as usize];
    match representative {
        Representative::Word => words
            .iter()
            .enumerate()
            .map(|(i, n)| if i == 0 { 1.0 / mass(n) } else { 0.0 })
            .collect(),
        Representative::Average => {
            words.iter().map(|n| 1.0 / (words.len() as f64 * mass(n))).collect()
        }
        Representative::Pooled => {
            let total: f64 = words.iter().map(mass).sum();
            vec![1.0 / total; words.len()]
        }
    }
}
