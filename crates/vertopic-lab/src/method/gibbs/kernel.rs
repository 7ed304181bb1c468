//! Three ways to keep the counts of words and to draw a topic from the same conditional,
//!
//! `p(z = k | all else) ∝ (n_wk + β) a_k` with `a_k = (n_dk + α_k) / (n_k + W β)`
//!
//! (Griffiths & Steyvers 2004, equation 5, whose `n_d + Σα` is the same for all k).
//! [`Small`](super::narrow_counts::Small) is for few topics. The other two weigh all topics when they come to a word of a document, and only the two that
//! changed for every further token of the same word.
//!
//! [`Dense`] weighs all K topics in one vectorised sweep. [`Sparse`] splits the weight into
//! `n_wk a_k + β a_k`, as SparseLDA does (Yao, Mimno & McCallum 2009; its buckets r and s, which both
//! carry β, are one here because the `a_k` are at hand): the first part is over the topics the word is in,
//! the second needs only `Σ a_k` and is seldom drawn. No approximation in any.

use vertopic::corpus::Document;
use vertopic::seed::Stream;

use super::blocked_sampler::{BLOCK, BlockedSampler};
use super::side::Side;

/// Counts of words in topics, and draws given them.
///
/// A visit is `enter`, then for each token `take` (unless it is new), `draw`, `put`, then `leave`. The
/// `Side` has its token taken or put first.
pub(super) trait Kernel {
    /// No tokens yet. `tokens` are the tokens of every word.
    fn new(side: &Side, tokens: &[i32]) -> Self;
    /// Turns to a word of the document that `side` is at.
    fn enter(&mut self, word: usize, side: &Side);
    /// Changes the count of the word in topic `k`, by one up or down.
    fn change(&mut self, k: usize, by: i32, side: &Side);
    /// Takes a token of the word out of topic `k`.
    #[inline]
    fn take(&mut self, k: usize, side: &Side) {
        self.change(k, -1, side);
    }
    /// Puts a token of the word into topic `k`.
    #[inline]
    fn put(&mut self, k: usize, side: &Side) {
        self.change(k, 1, side);
    }
    /// The topic that `u` in [0, 1) falls on.
    fn draw(&self, u: f64, side: &Side) -> usize;
    /// Ends the visit.
    fn leave(&mut self);
    /// Draws all tokens of the document that `side` is at; `assigned` are their topics.
    fn document(
        &mut self,
        document: &Document<'_>,
        assigned: &mut [u32],
        side: &mut Side,
        random: &mut Stream,
    ) {
        let mut assigned = assigned.iter_mut();
        for (w, c) in document.entries() {
            self.enter(w as usize, side);
            for topic in assigned.by_ref().take(c as usize) {
                side.take(*topic as usize);
                self.take(*topic as usize, side);
                let k = self.draw(random.unit(), side);
                side.put(k);
                self.put(k, side);
                *topic = k as u32;
            }
            self.leave();
        }
    }
    /// Calls `each` with every topic that a word is in and its count there, topics ascending.
    fn counts(&self, word: usize, each: impl FnMut(usize, i32));
    /// The weight of topic `k`, as drawn from.
    #[cfg(test)]
    fn weight(&self, k: usize, side: &Side) -> f64;
}

/// All K counts of a word side by side.
#[derive(Debug)]
pub(super) struct Dense {
    counts: Vec<[i32; BLOCK]>,
    blocks: usize,
    at: usize,
    sampler: BlockedSampler,
}

impl Kernel for Dense {
    fn new(side: &Side, tokens: &[i32]) -> Self {
        let blocks = side.padded() / BLOCK;
        let sampler = BlockedSampler::with_capacity(side.padded());
        Self { counts: vec![[0; BLOCK]; tokens.len() * blocks], blocks, at: 0, sampler }
    }

    #[inline]
    fn enter(&mut self, word: usize, side: &Side) {
        self.at = word * self.blocks;
        self.sampler.clear();
        let (factors, _) = side.factors().as_chunks::<BLOCK>();
        for (counts, factors) in self.counts[self.at..self.at + self.blocks].iter().zip(factors) {
            self.sampler
                .push(std::array::from_fn(|i| (f64::from(counts[i]) + side.beta()) * factors[i]));
        }
    }

    #[inline]
    fn change(&mut self, k: usize, by: i32, side: &Side) {
        let count = &mut self.counts[self.at + k / BLOCK][k % BLOCK];
        *count += by;
        self.sampler.set(k, (f64::from(*count) + side.beta()) * side.factors()[k]);
    }

    #[inline]
    fn draw(&self, u: f64, _side: &Side) -> usize {
        self.sampler.draw(u * self.sampler.total())
    }

    fn leave(&mut self) {}

    fn counts(&self, word: usize, mut each: impl FnMut(usize, i32)) {
        let row = self.counts[word * self.blocks..(word + 1) * self.blocks].iter().flatten();
        row.enumerate().filter(|(_, n)| **n > 0).for_each(|(k, &n)| each(k, n));
    }

    #[cfg(test)]
    fn weight(&self, k: usize, _side: &Side) -> f64 {
        self.sampler.weight(k)
    }
}

/// A topic that a word is in, and how often.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    topic: u32,
    count: i32,
}

/// The topics that a word is in, with their counts.
#[derive(Debug)]
pub(super) struct Sparse {
    /// Lists of all words, each with room for as many topics as it can be in.
    entries: Vec<Entry>,
    starts: Vec<usize>,
    lengths: Vec<u32>,
    word: usize,
    /// The list of the word at hand. A count may be 0 until the visit ends.
    list: Vec<Entry>,
    /// Where each topic stands in the list.
    slots: Vec<u32>,
    sampler: BlockedSampler,
}

const NOWHERE: u32 = u32::MAX;

impl Sparse {
    /// The topic that `x` in [0, Σ a_k) falls on.
    #[cold]
    fn draw_any(mut x: f64, side: &Side) -> usize {
        for (k, &a) in side.factors()[..side.n_topics].iter().enumerate() {
            if x < a {
                return k;
            }
            x -= a;
        }
        side.n_topics - 1
    }
}

impl Kernel for Sparse {
    fn new(side: &Side, tokens: &[i32]) -> Self {
        let mut starts = vec![0];
        for &n in tokens {
            starts.push(starts[starts.len() - 1] + side.n_topics.min(n as usize));
        }
        Self {
            entries: vec![Entry::default(); starts[tokens.len()]],
            starts,
            lengths: vec![0; tokens.len()],
            word: 0,
            list: Vec::with_capacity(side.n_topics),
            slots: vec![NOWHERE; side.n_topics],
            sampler: BlockedSampler::with_capacity(side.padded()),
        }
    }

    #[inline]
    fn enter(&mut self, word: usize, side: &Side) {
        self.word = word;
        let start = self.starts[word];
        self.list.clear();
        self.list.extend_from_slice(&self.entries[start..start + self.lengths[word] as usize]);
        self.sampler.clear();
        let weight = |e: &Entry| f64::from(e.count) * side.factors()[e.topic as usize];
        let (blocks, rest) = self.list.as_chunks::<BLOCK>();
        blocks.iter().for_each(|b| self.sampler.push(std::array::from_fn(|i| weight(&b[i]))));
        if !rest.is_empty() {
            self.sampler.push(std::array::from_fn(|i| rest.get(i).map_or(0.0, weight)));
        }
        for (slot, e) in self.list.iter().enumerate() {
            self.slots[e.topic as usize] = slot as u32;
        }
    }

    #[inline]
    fn change(&mut self, k: usize, by: i32, side: &Side) {
        if self.slots[k] == NOWHERE {
            self.slots[k] = self.list.len() as u32;
            self.list.push(Entry { topic: k as u32, count: 0 });
        }
        let slot = self.slots[k] as usize;
        let count = &mut self.list[slot].count;
        *count += by;
        self.sampler.set(slot, f64::from(*count) * side.factors()[k]);
    }

    #[inline]
    fn draw(&self, u: f64, side: &Side) -> usize {
        let own = self.sampler.total();
        let x = u * (own + side.beta() * side.sum());
        if x < own {
            self.list[self.sampler.draw(x)].topic as usize
        } else {
            Self::draw_any((x - own) / side.beta(), side)
        }
    }

    #[inline]
    fn leave(&mut self) {
        let mut end = self.starts[self.word];
        for e in &self.list {
            self.slots[e.topic as usize] = NOWHERE;
            if e.count > 0 {
                self.entries[end] = *e;
                end += 1;
            }
        }
        self.lengths[self.word] = (end - self.starts[self.word]) as u32;
    }

    fn counts(&self, word: usize, mut each: impl FnMut(usize, i32)) {
        let start = self.starts[word];
        let mut row = self.entries[start..start + self.lengths[word] as usize].to_vec();
        row.sort_unstable_by_key(|e| e.topic);
        row.iter().for_each(|e| each(e.topic as usize, e.count));
    }

    #[cfg(test)]
    fn weight(&self, k: usize, side: &Side) -> f64 {
        let own = match self.slots[k] {
            NOWHERE => 0.0,
            slot => self.sampler.weight(slot as usize),
        };
        own + side.beta() * side.factors()[k]
    }
}
