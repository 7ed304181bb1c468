//! The topic matrix.

use crate::error::Error;
use crate::simd;

/// K × W matrix: row k is topic k's distribution over the words (the paper's β, transposed).
#[derive(Debug, Clone, PartialEq)]
pub struct Topics {
    n_words: usize,
    values: Vec<f32>,
}

impl Topics {
    /// A matrix of rows of `n_words` probabilities, one topic after the other.
    ///
    /// ```
    /// use vertopic::estimate::Topics;
    /// let topics = Topics::new(2, vec![0.5, 0.5, 1.0, 0.0])?;
    /// assert_eq!(topics.topic(1), [1.0, 0.0]);
    /// assert!(Topics::new(2, vec![0.5, 0.4]).is_err());
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn new(n_words: usize, values: Vec<f32>) -> Result<Self, Error> {
        if n_words == 0 || values.is_empty() || !values.len().is_multiple_of(n_words) {
            let message = format!("{} probabilities are not rows of {n_words} words", values.len());
            return Err(Error::BadModel(message));
        }
        for (k, row) in values.chunks(n_words).enumerate() {
            let (sum, sound) = summed(row);
            if !sound || (sum - 1.0).abs() > 1e-3 {
                let message =
                    format!("topic {k} is not a probability distribution (its sum is {sum})");
                return Err(Error::BadModel(message));
            }
        }
        Ok(Self { n_words, values })
    }

    /// Number of topics, K.
    pub fn n_topics(&self) -> usize {
        self.values.len() / self.n_words
    }

    /// Number of words, W.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The distribution of topic `k` over the words. Panics if there is no topic `k`.
    pub fn topic(&self, k: usize) -> &[f32] {
        &self.values[k * self.n_words..(k + 1) * self.n_words]
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The `n` most probable words of topic `k` with their probabilities; ties go to the lower id.
    pub fn top_words(&self, k: usize, n: usize) -> Vec<(u32, f32)> {
        let row = self.topic(k);
        let mut words: Vec<u32> = (0..self.n_words as u32).collect();
        let by = |&a: &u32, &b: &u32| row[b as usize].total_cmp(&row[a as usize]).then(a.cmp(&b));
        let n = n.min(words.len());
        if n < words.len() {
            words.select_nth_unstable_by(n, by);
            words.truncate(n);
        }
        words.sort_unstable_by(by);
        words.into_iter().map(|w| (w, row[w as usize])).collect()
    }
}

/// The sum of a row, and whether no entry is negative or infinite. Eight sums side by side, since a fit makes many topics.
fn summed(row: &[f32]) -> (f64, bool) {
    let (wide, rest) = row.as_chunks::<8>();
    let (mut sums, mut sound) = ([0.0_f64; 8], [true; 8]);
    simd::vectorized(
        #[inline(always)]
        || {
            for row in wide {
                for i in 0..8 {
                    sums[i] += f64::from(row[i]);
                    sound[i] &= row[i] >= 0.0 && row[i] < f32::INFINITY;
                }
            }
        },
    );
    let sum = sums.iter().sum::<f64>() + rest.iter().map(|&p| f64::from(p)).sum::<f64>();
    (sum, sound == [true; 8] && rest.iter().all(|&p| p >= 0.0 && p.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_row_is_refused_whichever_entry_is_wrong() {
        for n in [3, 8, 21] {
            let even = vec![1.0 / n as f32; n];
            assert!(Topics::new(n, even.clone()).is_ok(), "{n}");
            for at in 0..n {
                for bad in [f32::NAN, f32::INFINITY, -1.0, 1.5] {
                    let mut row = even.clone();
                    row[at] = bad;
                    assert!(Topics::new(n, row).is_err(), "{n} {at} {bad}");
                }
                // The row sums to 1, but a probability is negative.
                let mut row = even.clone();
                row[at] -= 0.5;
                row[(at + 1) % n] += 0.5;
                assert!(Topics::new(n, row).is_err(), "{n} {at}");
            }
        }
    }
}
