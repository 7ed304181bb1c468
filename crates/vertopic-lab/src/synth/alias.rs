//! Draws from a fixed distribution in constant time: the alias method (Walker 1977, built as by Vose 1991).
//!
//! Every item has a column of height 1/n that it fills up to its threshold; the rest belongs to one
//! other item, its alias. One random number picks the column and the height.

/// A distribution over `0..n` to draw from.
///
/// ```
/// use vertopic_lab::synth::alias::Alias;
/// let alias = Alias::new([1.0, 0.0, 3.0].into_iter());
/// assert!((0..1000_u64).all(|i| alias.draw(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) != 1));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Alias {
    columns: Vec<Column>,
    scratch: Scratch,
}

/// How far the item's own part of its column reaches, in 2^-32, and whose the rest is.
#[derive(Debug, Clone, Copy)]
struct Column {
    threshold: u32,
    alias: u32,
}

#[derive(Debug, Clone, Default)]
struct Scratch {
    heights: Vec<f64>,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Alias {
    /// A table of its own for fixed weights, of which one must be positive.
    pub fn new(weights: impl ExactSizeIterator<Item = f64>) -> Self {
        let mut alias = Self::default();
        alias.fill(weights);
        alias.scratch = Scratch::default();
        alias
    }

    /// The same for other weights, without new memory.
    pub fn fill(&mut self, weights: impl ExactSizeIterator<Item = f64>) {
        let Scratch { heights, low, high } = &mut self.scratch;
        let n = weights.len();
        heights.clear();
        heights.extend(weights);
        let (sum, heaviest) = heights.iter().enumerate().fold((0.0, 0), |(sum, best), (i, &h)| {
            (sum + h, if h > heights[best] { i } else { best })
        });
        let scale = n as f64 / sum;
        low.clear();
        high.clear();
        for (i, h) in heights.iter_mut().enumerate() {
            *h *= scale;
            if *h < 1.0 { low.push(i as u32) } else { high.push(i as u32) }
        }
        // What rounding leaves over goes to the heaviest item, never to one of weight 0.
        self.columns.clear();
        self.columns.extend(
            heights.iter().map(|&h| Column { threshold: fixed(h), alias: heaviest as u32 }),
        );
        while let (Some(&small), Some(&large)) = (low.last(), high.last()) {
            low.pop();
            let height = heights[small as usize];
            self.columns[small as usize] = Column { threshold: fixed(height), alias: large };
            let rest = heights[large as usize] - (1.0 - height);
            heights[large as usize] = rest;
            self.columns[large as usize].threshold = fixed(rest);
            if rest < 1.0 {
                high.pop();
                low.push(large);
            }
        }
    }

    /// The item that 64 random bits stand for.
    #[inline]
    pub fn draw(&self, bits: u64) -> u32 {
        // The integer part of bits·n/2^64 is the column; the fraction is uniform in it.
        let product = u128::from(bits) * self.columns.len() as u128;
        let column = (product >> 64) as usize;
        let Column { threshold, alias } = self.columns[column];
        if ((product as u64) >> 32) as u32 >= threshold { alias } else { column as u32 }
    }
}

/// A height in 2^-32; a full column is as good as full.
fn fixed(height: f64) -> u32 {
    (height * 4_294_967_296.0) as u32 // saturates
}

#[cfg(test)]
mod tests {
    use super::*;
    use vertopic::seed::mix;

    /// The probability of every item, exactly: what the columns hold.
    fn probabilities(alias: &Alias) -> Vec<f64> {
        let n = alias.columns.len();
        let mut p = vec![0.0; n];
        for (i, column) in alias.columns.iter().enumerate() {
            let own = f64::from(column.threshold) / 4_294_967_296.0;
            p[i] += own / n as f64;
            p[column.alias as usize] += (1.0 - own) / n as f64;
        }
        p
    }

    #[test]
    fn the_columns_hold_the_distribution() {
        let zipf = (0..5000).map(|i| 1.0 / f64::from(i + 1)).collect::<Vec<_>>();
        let random = (0..777).map(|i| (mix(i) >> 40) as f64).collect();
        let cases: [Vec<f64>; 6] = [
            vec![1.0],
            vec![0.0, 2.0],
            vec![1.0; 6],
            vec![3.0, 0.0, 1e-300, 1.0, 0.1, 0.1, 0.1],
            zipf,
            random,
        ];
        for weights in cases {
            let alias = Alias::new(weights.iter().copied());
            let sum: f64 = weights.iter().sum();
            for (i, (p, w)) in probabilities(&alias).iter().zip(&weights).enumerate() {
                assert!((p - w / sum).abs() < 1e-9, "{i}: {p} {}", w / sum);
                assert!(*w > 0.0 || *p == 0.0, "{i} has no weight");
            }
        }
    }

    #[test]
    fn draws_follow_it_and_tables_can_be_used_again() {
        let mut alias = Alias::new([5.0; 50].into_iter());
        alias.fill([1.0, 2.0, 0.0, 7.0].into_iter());
        let mut counts = [0_u32; 4];
        (0..100_000).for_each(|i| counts[alias.draw(mix(i)) as usize] += 1);
        for (count, p) in counts.iter().zip([0.1, 0.2, 0.0, 0.7]) {
            let spread = f64::sqrt(100_000.0 * p * (1.0 - p));
            assert!((f64::from(*count) - 100_000.0 * p).abs() <= 4.0 * spread, "{counts:?}");
        }
    }
}
