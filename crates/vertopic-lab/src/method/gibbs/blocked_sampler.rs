//! Weights to draw an index from, when a draw changes only two of them.
//!
//! Weights stand in blocks with their sums, so that a changed weight costs one block to add up, and a
//! draw walks the sums and then one block.

/// Weights of a block. Eight doubles are a cache line.
pub(super) const BLOCK: usize = 8;

/// Non-negative weights in blocks.
#[derive(Debug, Clone)]
pub(super) struct BlockedSampler {
    blocks: Vec<[f64; BLOCK]>,
    sums: Vec<f64>,
    total: f64,
}

impl BlockedSampler {
    /// A sampler without weights, with room for `n` of them.
    pub(super) fn with_capacity(n: usize) -> Self {
        let blocks = n.div_ceil(BLOCK);
        let (blocks, sums) = (Vec::with_capacity(blocks), Vec::with_capacity(blocks));
        Self { blocks, sums, total: 0.0 }
    }

    /// Forgets all weights.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.sums.clear();
        self.total = 0.0;
    }

    /// Adds the next block of weights.
    #[inline]
    pub(super) fn push(&mut self, v: [f64; BLOCK]) {
        // A tree, two lanes at a time.
        let halves = [v[0] + v[4], v[1] + v[5], v[2] + v[6], v[3] + v[7]];
        let sum = (halves[0] + halves[2]) + (halves[1] + halves[3]);
        self.blocks.push(v);
        self.sums.push(sum);
        self.total += sum;
    }

    /// Sets weight `i`, in a block that is there or the one after.
    ///
    /// Sums take in the difference, which is quicker than to add up the block. They start afresh with
    /// every word of a document, so rounding has no time to pile up.
    #[inline]
    pub(super) fn set(&mut self, i: usize, weight: f64) {
        let (at, lane) = (i / BLOCK, i % BLOCK);
        if at == self.blocks.len() {
            self.push([0.0; BLOCK]);
        }
        let change = weight - self.blocks[at][lane];
        self.blocks[at][lane] = weight;
        self.sums[at] += change;
        self.total += change;
    }

    /// The sum of all weights.
    #[inline]
    pub(super) fn total(&self) -> f64 {
        self.total
    }

    /// The index that `x` in [0, total) falls on when the weights lie end to end.
    #[inline]
    pub(super) fn draw(&self, mut x: f64) -> usize {
        for (at, (&s, v)) in self.sums.iter().zip(&self.blocks).enumerate() {
            if x >= s {
                x -= s;
                continue;
            }
            // Counting the ends at or below x has no branch to mispredict, and as a tree it is short.
            let (a, b, c) = (v[0] + v[1], v[2] + v[3], v[4] + v[5]);
            let (half, d) = (a + b, v[6] + v[7]);
            let ends =
                [v[0], a, a + v[2], half, half + v[4], half + c, (half + c) + v[6], half + (c + d)];
            let lane: usize = ends.iter().map(|&end| usize::from(end <= x)).sum();
            if lane < BLOCK && v[lane] > 0.0 {
                return at * BLOCK + lane;
            }
            break; // rounding: the block's sum is a little more than its weights
        }
        self.last()
    }

    /// The last index with a weight, where rounding ends up.
    #[cold]
    fn last(&self) -> usize {
        let all = self.blocks.iter().flatten();
        all.enumerate().filter(|(_, v)| **v > 0.0).map(|(i, _)| i).last().unwrap_or(0)
    }

    /// Weight `i`.
    #[cfg(test)]
    pub(super) fn weight(&self, i: usize) -> f64 {
        self.blocks[i / BLOCK][i % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler(weights: &[f64]) -> BlockedSampler {
        let mut sampler = BlockedSampler::with_capacity(weights.len());
        weights.iter().enumerate().for_each(|(i, &w)| sampler.set(i, w));
        sampler
    }

    #[test]
    fn an_index_is_drawn_by_its_share() {
        // Numbers spread evenly over [0, total) fall on each index in proportion to its weight.
        let weights: Vec<f64> = (0..21).map(|i| f64::from((i * 7) % 5)).collect();
        let sampler = sampler(&weights);
        let total: f64 = weights.iter().sum();
        assert!((sampler.total() - total).abs() < 1e-12);
        let n = 100_000;
        let mut hits = [0_u32; 24];
        (0..n).for_each(|i| hits[sampler.draw((f64::from(i) + 0.5) / f64::from(n) * total)] += 1);
        for (i, w) in weights.iter().enumerate() {
            let share = f64::from(hits[i]) / f64::from(n);
            assert!((share - w / total).abs() < 2e-5, "{i}: {share} {}", w / total);
        }
    }

    #[test]
    fn the_end_is_an_index_with_a_weight() {
        assert_eq!(sampler(&[1.0, 2.0, 0.0]).draw(3.0), 1);
        assert_eq!(sampler(&[0.1; 13]).draw(1.4), 12);
        let mut changed = sampler(&[0.1; 20]);
        changed.set(19, 0.0);
        assert_eq!(changed.draw(2.0), 18);
        assert!((changed.total() - 1.9).abs() < 1e-12);
    }
}
