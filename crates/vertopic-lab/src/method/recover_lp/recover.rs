//! Recover: the topic matrix A from the joint co-occurrence and an anchor of every topic.
//!
//! With R the second moments of the mixtures, `Q = A R Aᵀ`. On the rows S of the anchors A is a diagonal
//! matrix D, so `Q_SS = D R D` and `Q_S = D R Aᵀ`. Columns of A sum to 1, hence `Q_S 1 = D R 1`, and
//! `Q_SS z = Q_S 1` has the solution `z = D⁻¹ 1`. Then `Aᵀ = (Q_SS diag z)⁻¹ Q_S`, and the mean mixture is
//! `R 1 = diag(z) Q_S 1`.

use faer::Mat;
use faer::linalg::solvers::Solve;

/// A symmetric W × W matrix of the probabilities of two words, with its row sums.
#[derive(Debug, Clone)]
pub struct Matrix {
    values: Vec<f64>,
    /// Row sums.
    pub rows: Vec<f64>,
}

impl Matrix {
    /// From `words²` values in row order.
    pub fn new(values: Vec<f64>, words: usize) -> Self {
        let rows = values.chunks(words.max(1)).map(|row| row.iter().sum()).collect();
        Self { values, rows }
    }

    /// The row of a word.
    pub fn row(&self, word: u32) -> &[f64] {
        let (w, n) = (word as usize, self.rows.len());
        &self.values[w * n..(w + 1) * n]
    }

    /// The row of a word, summing to 1: a row of Qbar. The word must occur.
    pub fn conditional(&self, word: u32) -> Vec<f64> {
        self.row(word).iter().map(|v| v / self.rows[word as usize]).collect()
    }
}

/// What Recover gives.
#[derive(Debug, Clone)]
pub struct Recovered {
    /// K rows of W probabilities.
    pub topics: Vec<f32>,
    /// Mean share of each topic.
    pub weights: Vec<f64>,
    /// Of each topic, the share of its absolute mass that was negative and set to 0.
    pub clipped: Vec<f64>,
    /// Shares that were negative and set to 0.
    pub negative_weights: usize,
}

/// Topics from the anchors. `Err(None)` if the matrix cannot be inverted, `Err(Some(k))` if no entry of
/// topic k is positive.
pub fn recover(q: &Matrix, anchors: &[u32]) -> Result<Recovered, Option<usize>> {
    let (k, words) = (anchors.len(), q.rows.len());
    let square = Mat::from_fn(k, k, |i, j| q.row(anchors[i])[anchors[j] as usize]);
    let sums = Mat::from_fn(k, 1, |i, _| q.rows[anchors[i] as usize]);
    let z = square.partial_piv_lu().solve(&sums);
    let scaled = Mat::from_fn(k, k, |i, j| square[(i, j)] * z[(j, 0)]);
    let lines = Mat::from_fn(k, words, |i, w| q.row(anchors[i])[w]);
    let found = scaled.partial_piv_lu().solve(&lines);
    let finite =
        |m: &Mat<f64>| (0..m.ncols()).all(|j| (0..m.nrows()).all(|i| m[(i, j)].is_finite()));
    if !finite(&z) || !finite(&found) {
        return Err(None);
    }
    let mut topics = Vec::with_capacity(k * words);
    let mut clipped = Vec::with_capacity(k);
    for t in 0..k {
        let row = (0..words).map(|w| found[(t, w)]);
        let kept: f64 = row.clone().map(|v| v.max(0.0)).sum();
        let all: f64 = row.clone().map(f64::abs).sum();
        if kept <= 0.0 || !all.is_finite() {
            return Err(Some(t));
        }
        topics.extend(row.map(|v| (v.max(0.0) / kept) as f32));
        clipped.push(1.0 - kept / all);
    }
    let shares: Vec<f64> = (0..k).map(|t| z[(t, 0)] * sums[(t, 0)]).collect();
    let total: f64 = shares.iter().map(|s| s.max(0.0)).sum();
    let share = |s: &f64| if total > 0.0 { s.max(0.0) / total } else { 1.0 / k as f64 };
    Ok(Recovered {
        topics,
        weights: shares.iter().map(share).collect(),
        clipped,
        negative_weights: shares.iter().filter(|s| **s < 0.0).count(),
    })
}
