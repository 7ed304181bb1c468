//! The kernel for few topics: a document at once, its numbers in registers.

use std::array;
use std::hint::black_box;

use vertopic::corpus::Document;
use vertopic::seed::Stream;

use super::kernel::Kernel;
use super::side::Side;

/// Few topics, at most `LANES`, which is even: all weights are made anew for every token, and a draw
/// counts the running sums below it. No branch depends on the draw, so none is mispredicted.
///
/// A draw waits for the one before it, so what counts is how long a draw takes to reach the next. A vector
/// that is read just after one of its numbers was written waits until the write is in the cache. So
/// vectors change as a whole, by a mask, and the numbers that are looked up by topic are in other arrays.
#[derive(Debug)]
pub(super) struct Small<const LANES: usize> {
    counts: Vec<[i32; LANES]>,
    word: usize,
}

impl<const LANES: usize> Small<LANES> {
    /// For every topic all ones in its lane.
    const MASKS: [[u64; LANES]; LANES] = {
        let mut masks = [[0; LANES]; LANES];
        let mut k = 0;
        while k < LANES {
            masks[k][k] = u64::MAX;
            k += 1;
        }
        masks
    };

    /// The index that `u` in [0, 1) falls on; rounding may make it `LANES`.
    #[inline]
    fn pick(u: f64, weights: &[f64; LANES]) -> usize {
        let mut sums = *weights;
        // Four at a time: a short chain of additions within, then one over the fours.
        let mut before = 0.0;
        let (fours, rest) = sums.as_chunks_mut::<4>();
        for four in fours {
            let (first, last) = (four[0] + four[1], four[2] + four[3]);
            four[3] = before + (first + last);
            four[2] += before + first;
            four[1] = before + first;
            four[0] += before;
            before = four[3];
        }
        if let [one, two] = rest {
            *two = before + (*one + *two);
            *one += before;
        }
        // Numbers that are not negative compare as their bits do, and whole numbers do it sooner.
        let x = (u * sums[LANES - 1]).to_bits();
        let above: u64 = sums.iter().map(|s| x.wrapping_sub(s.to_bits()) >> 63).sum();
        LANES - above as usize
    }
}

/// `vector` with `value` where the mask is.
#[inline]
fn set<const LANES: usize>(vector: &mut [f64; LANES], mask: &[u64; LANES], value: f64) {
    *vector = array::from_fn(|i| {
        f64::from_bits((mask[i] & value.to_bits()) | (!mask[i] & vector[i].to_bits()))
    });
}

/// Adds `value` where the mask is.
#[inline]
fn add<const LANES: usize>(vector: &mut [f64; LANES], mask: &[u64; LANES], value: f64) {
    *vector = array::from_fn(|i| vector[i] + f64::from_bits(mask[i] & value.to_bits()));
}

impl<const LANES: usize> Kernel for Small<LANES> {
    fn new(_side: &Side, tokens: &[i32]) -> Self {
        Self { counts: vec![[0; LANES]; tokens.len()], word: 0 }
    }

    fn enter(&mut self, word: usize, _side: &Side) {
        self.word = word;
    }

    fn change(&mut self, k: usize, by: i32, _side: &Side) {
        self.counts[self.word][k] += by;
    }

    fn draw(&self, u: f64, side: &Side) -> usize {
        let (counts, factors) = (&self.counts[self.word], side.factors());
        let weights = array::from_fn(|i| (f64::from(counts[i]) + side.beta()) * factors[i]);
        Self::pick(u, &weights).min(side.n_topics - 1)
    }

    fn leave(&mut self) {}

    fn document(
        &mut self,
        document: &Document<'_>,
        assigned: &mut [u32],
        side: &mut Side,
        random: &mut Stream,
    ) {
        let (beta, beta_sum, last) = (side.beta(), side.beta_sum(), side.n_topics - 1);
        let factor = |total: f64, own: f64, alpha: f64| (own + alpha) * (1.0 / (total + beta_sum));
        let (mut totals, mut own, mut alpha) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        // `a_k` as it is, and with a token less or more: ready before the draw that asks for it.
        let (mut now, mut less, mut more) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for k in 0..=last {
            let (n, d, a) = side.topic(k);
            (totals[k], own[k], alpha[k]) = (n, d, a);
            now[k] = side.factors()[k];
            (less[k], more[k]) = (factor(n - 1.0, d - 1.0, a), factor(n + 1.0, d + 1.0, a));
        }
        let mut factors = now;
        let mut stream = random.clone(); // a local, so that it stays in a register
        let mut assigned = assigned.iter_mut();
        for (w, c) in document.entries() {
            let row = &mut self.counts[w as usize];
            let mut counts: [f64; LANES] = array::from_fn(|i| f64::from(row[i]));
            for topic in assigned.by_ref().take(c as usize) {
                let k = *topic as usize;
                set(&mut factors, &Self::MASKS[k], less[k]);
                add(&mut counts, &Self::MASKS[k], -1.0);
                row[k] -= 1;
                totals[k] -= 1.0;
                own[k] -= 1.0;
                (more[k], now[k]) = (now[k], less[k]);
                less[k] = factor(totals[k] - 1.0, own[k] - 1.0, alpha[k]);

                let mut weights: [f64; LANES] = array::from_fn(|i| (counts[i] + beta) * factors[i]);
                // Keeps the compiler from pairing lanes across vectors to suit the running sums.
                for pair in weights.as_chunks_mut::<2>().0 {
                    *pair = black_box(*pair);
                }
                let k = Self::pick(stream.unit(), &weights).min(last);

                set(&mut factors, &Self::MASKS[k], more[k]);
                add(&mut counts, &Self::MASKS[k], 1.0);
                row[k] += 1;
                totals[k] += 1.0;
                own[k] += 1.0;
                (less[k], now[k]) = (now[k], more[k]);
                more[k] = factor(totals[k] + 1.0, own[k] + 1.0, alpha[k]);
                *topic = k as u32;
            }
        }
        *random = stream;
        side.set_totals(&totals);
    }

    fn counts(&self, word: usize, mut each: impl FnMut(usize, i32)) {
        let row = self.counts[word].iter().enumerate();
        row.filter(|(_, n)| **n > 0).for_each(|(k, &n)| each(k, n));
    }

    #[cfg(test)]
    fn weight(&self, k: usize, side: &Side) -> f64 {
        (f64::from(self.counts[self.word][k]) + side.beta()) * side.factors()[k]
    }
}
