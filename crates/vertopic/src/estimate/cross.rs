//! Inner products of every word with the representatives, `M X~ Y′ᵀ` and `M Y X~′ᵀ`, in one pass.

use crate::cluster::Groups;
use crate::corpus::{Accumulator, Document, Documents};
use crate::embed::Embedding;
use crate::exact::{self, UNIT_BITS};
use crate::moments::{Half, Halves, Pairs, Splitter, Totals, add_all};
use crate::run::Run;

/// What the regressions need of the documents.
#[derive(Debug, Clone)]
pub struct Cross {
    /// G, K × K in row order: `M Y Y′ᵀ`, not yet symmetric.
    pub gram: Vec<f64>,
    /// c, W × K in row order: `(M X~_i Y′ᵀ + M X~′_i Yᵀ) / 2`. A word that misses from one side has the
    /// other's alone.
    pub linear: Vec<f64>,
}

impl Cross {
    /// Inner products of points with the representatives' points; no pass at all.
    pub fn in_embedding(embedding: &Embedding, groups: &Groups) -> Self {
        let rank = embedding.rank();
        let mut representatives = vec![0.0; groups.len() * rank];
        for (point, group) in representatives.chunks_mut(rank).zip(&groups.groups) {
            for (novel, weight) in group.words.iter().zip(&group.first) {
                let row = embedding.row(novel.word as usize);
                point.iter_mut().zip(row).for_each(|(a, y)| *a += weight * y);
            }
        }
        let products = |row: &[f64], scale: f64| -> Vec<f64> {
            let dot = |a: &[f64]| a.iter().zip(row).map(|(a, y)| a * y).sum::<f64>();
            representatives.chunks(rank).map(|a| dot(a) * scale).collect()
        };
        let gram = representatives.chunks(rank).flat_map(|a| products(a, 1.0)).collect();
        let linear = (0..embedding.n_words())
            .flat_map(|i| {
                let mass = embedding.mass[i];
                products(embedding.row(i), if mass > 0.0 { 1.0 / mass } else { 0.0 })
            })
            .collect();
        Self { gram, linear }
    }

    /// One pass over the documents.
    pub fn of<D: Documents>(
        documents: &D,
        totals: &Totals,
        groups: &Groups,
        run: &Run<'_>,
    ) -> Self {
        let (k, w) = (groups.len(), totals.n_words());
        // All pairs are the same seen from either side.
        let symmetric = totals.pairs == Pairs::All;
        let splitter = totals.splitter(documents.vocabulary());
        let mut weights = vec![None; w];
        for (group, g) in groups.groups.iter().enumerate() {
            for ((word, &first), &second) in g.words.iter().zip(&g.first).zip(&g.second) {
                weights[word.word as usize] = Some(Member { group, first, second });
            }
        }
        let sums = documents.pass("relating words to topics", run, || Products {
            splitter,
            weights: &weights,
            k,
            halves: Halves::default(),
            y: Row::new(k),
            y2: Row::new(k),
            forward: vec![0; w * k],
            backward: vec![0; if symmetric { 0 } else { w * k }],
        });
        let m = totals.paired as f64;
        let value = |fixed: u64| m * exact::value(fixed, UNIT_BITS);
        let mut linear = vec![0.0; w * k];
        for i in 0..w {
            let (first, second) = (totals.first[i], totals.second[i]);
            for at in i * k..(i + 1) * k {
                let forward = value(sums.forward[at]) / first;
                let backward = if symmetric { forward } else { value(sums.backward[at]) / second };
                linear[at] = match (first > 0.0, second > 0.0) {
                    (true, true) => f64::midpoint(forward, backward),
                    (true, false) => forward,
                    (false, true) => backward,
                    (false, false) => 0.0,
                };
            }
        }
        // A row of Y is a weighted sum of rows of X, and so is its product with Y′.
        let mut gram = vec![0.0; k * k];
        for (line, group) in gram.chunks_mut(k).zip(&groups.groups) {
            for (word, weight) in group.words.iter().zip(&group.first) {
                let at = word.word as usize * k;
                for (g, &sum) in line.iter_mut().zip(&sums.forward[at..at + k]) {
                    *g += weight * value(sum);
                }
            }
        }
        Self { gram, linear }
    }
}

/// Which group a word represents, and with which weights.
#[derive(Clone, Copy)]
struct Member {
    group: usize,
    first: f64,
    second: f64,
}

/// A document's column of Y: mostly zeros.
struct Row {
    values: Vec<f64>,
    filled: Vec<usize>,
}

impl Row {
    fn new(k: usize) -> Self {
        Self { values: vec![0.0; k], filled: Vec::with_capacity(k) }
    }

    fn fill(&mut self, half: &Half, weights: &[Option<Member>], weight: impl Fn(Member) -> f64) {
        self.filled.drain(..).for_each(|k| self.values[k] = 0.0);
        for &(word, count) in &half.pairs {
            if let Some(member) = weights[word as usize] {
                if self.values[member.group] == 0.0 {
                    self.filled.push(member.group);
                }
                self.values[member.group] += weight(member) * f64::from(count) / half.tokens as f64;
            }
        }
        self.filled.sort_unstable();
        self.filled.dedup(); // a weight of 0 leaves the value at 0
    }

    fn entries(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.filled.iter().map(|&k| (k, self.values[k]))
    }
}

/// The products as exact sums. A row of Y sums to 1 over the documents, a frequency is at most 1 and the
/// stretch at most 2, so no sum exceeds 2.
struct Products<'a> {
    splitter: Splitter<'a>,
    weights: &'a [Option<Member>],
    k: usize,
    halves: Halves,
    y: Row,
    y2: Row,
    forward: Vec<u64>,
    backward: Vec<u64>,
}

impl Accumulator for Products<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.splitter.split(document, &mut self.halves) {
            return;
        }
        let Halves { first, second, same } = &self.halves;
        if !same {
            self.y.fill(first, self.weights, |m| m.first);
        }
        self.y2.fill(second, self.weights, |m| m.second);
        // Frequencies divide by the length; the second token of a pair has one place less to be in when
        // both sides are the same document.
        let stretch = second.tokens as f64 / self.halves.partners() as f64;
        for (half, y, sums) in
            [(first, &self.y2, &mut self.forward), (second, &self.y, &mut self.backward)]
        {
            if sums.is_empty() {
                continue;
            }
            for &(word, count) in &half.pairs {
                let x = f64::from(count) / half.tokens as f64;
                let sums = &mut sums[word as usize * self.k..(word as usize + 1) * self.k];
                let own = self.weights[word as usize].filter(|_| *same);
                for (k, y) in y.entries() {
                    let itself = own.filter(|m| m.group == k);
                    let y = y - itself.map_or(0.0, |m| m.second / half.tokens as f64);
                    sums[k] += exact::unit((x * y * stretch).max(0.0));
                }
            }
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.forward, &other.forward);
        add_all(&mut self.backward, &other.backward);
    }
}
