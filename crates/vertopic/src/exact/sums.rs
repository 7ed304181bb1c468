//! Sums of integers that cannot overflow.
//!
//! Hot loops add to 64-bit words. Before they could overflow, [`ExactSums::reserve`] carries what is large into a second
//! word. That word has no memory until a sum needs it, which takes millions of documents.

use rayon::prelude::*;

use crate::context::Context;
use crate::simd::Aligned;

/// Bits of a sum that stay in its low word when it carries.
const CARRY_BITS: u32 = 62;
const CARRY: i64 = 1 << CARRY_BITS;

/// Numbers that a thread adds at a time.
const CHUNK: usize = if cfg!(test) { 8 } else { 1 << 15 };

/// Exact sums of integers in arrays of N, each of up to 125 bits and a sign.
///
/// Two of them are equal if their values are, however these were summed.
///
/// ```
/// use vertopic::exact::ExactSums;
/// let mut sums: ExactSums = [i128::from(i64::MAX), -5].into_iter().collect();
/// sums.merge(&[1, 2].into_iter().collect());
/// assert_eq!((sums.get(0), sums.get(1)), (1 << 63, -3));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExactSums<const N: usize = 1> {
    low: Aligned<i64, N>,
    /// In units of 2⁶²; empty while all are 0.
    high: Vec<i64>,
    /// No low word is larger in size.
    largest: u64,
}

impl<const N: usize> ExactSums<N> {
    /// `len` arrays of zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        Self { low: Aligned::zeros(len), high: Vec::new(), largest: 0 }
    }

    /// The same, written by all threads.
    pub(crate) fn shared(len: usize, ctx: &Context<'_>) -> Self {
        Self { low: Aligned::shared(len, ctx), high: Vec::new(), largest: 0 }
    }

    /// Starts again from `len` arrays of zeros, in the same memory.
    pub(crate) fn reset(&mut self, len: usize) {
        self.low.resize(len);
        self.low.fill([0; N]);
        self.high.clear();
        self.largest = 0;
    }

    /// Number of sums.
    pub fn len(&self) -> usize {
        self.low.len() * N
    }

    /// Whether there are no sums.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// Whether any sum may need more than 64 bits.
    pub(crate) fn is_wide(&self) -> bool {
        !self.high.is_empty()
    }

    /// One of the sums.
    #[inline]
    pub fn get(&self, at: usize) -> i128 {
        let high = self.high.get(at).copied().unwrap_or(0);
        i128::from(self.low.as_flattened()[at]) + (i128::from(high) << CARRY_BITS)
    }

    /// One of the sums, rounded.
    #[inline]
    pub(crate) fn value(&self, at: usize) -> f64 {
        if self.high.is_empty() { self.low.as_flattened()[at] as f64 } else { self.get(at) as f64 }
    }

    /// All sums.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = i128> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The words that hot loops add to. [`reserve`](Self::reserve) comes before.
    #[inline]
    pub(crate) fn low_mut(&mut self) -> &mut [[i64; N]] {
        &mut self.low
    }

    /// The low words; they are the sums unless these are [wide](Self::is_wide).
    #[inline]
    pub(crate) fn low(&self) -> &[[i64; N]] {
        &self.low
    }

    /// Makes room for additions to the low words that change none by more than `growth`, which is at most 2⁶².
    #[inline]
    pub(crate) fn reserve(&mut self, growth: u64) {
        debug_assert!(growth <= CARRY as u64, "one step is no larger than what is left");
        self.largest = self.largest.saturating_add(growth);
        if self.largest > i64::MAX as u64 {
            self.carry(growth);
        }
    }

    #[cold]
    fn carry(&mut self, growth: u64) {
        let sizes = self.low.as_flattened().iter().map(|low| low.unsigned_abs());
        self.largest = sizes.max().unwrap_or(0);
        if self.largest >= CARRY as u64 {
            self.high.resize(self.len(), 0);
            for (low, high) in self.low.as_flattened_mut().iter_mut().zip(&mut self.high) {
                (*low, *high) = carried(*low, *high, 0);
            }
            self.largest = CARRY as u64 - 1;
        }
        self.largest += growth;
    }

    /// Adds the sums of other documents, of the same shape. Long ones are added on all threads of the current pool.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.len(), other.len(), "sums of one shape");
        let (mine, theirs) = (self.low.as_flattened_mut(), other.low.as_flattened());
        let add = |(mine, theirs): (&mut [i64], &[i64])| {
            let mut overflow = 0;
            for (a, &b) in mine.iter_mut().zip(theirs) {
                let sum = a.wrapping_add(b);
                overflow |= (*a ^ sum) & (b ^ sum);
                *a = sum;
            }
            overflow < 0
        };
        let overflow = if mine.len() <= CHUNK {
            add((&mut *mine, theirs))
        } else {
            let chunks = mine.par_chunks_mut(CHUNK).zip(theirs.par_chunks(CHUNK));
            chunks.map(add).reduce(|| false, |a, b| a | b)
        };
        self.largest = self.largest.saturating_add(other.largest).min(i64::MAX as u64);
        if overflow {
            self.high.resize(mine.len(), 0);
            let lows = mine.iter_mut().zip(theirs).zip(&mut self.high);
            for ((low, &theirs), high) in lows {
                (*low, *high) = carried(low.wrapping_sub(theirs), *high, theirs);
            }
        }
        if !other.high.is_empty() {
            self.high.resize(mine.len(), 0);
            self.high.iter_mut().zip(&other.high).for_each(|(a, b)| *a += b);
        }
    }

    /// Sets a sum.
    pub(crate) fn set(&mut self, at: usize, sum: i128) {
        let (low, high) = split(sum);
        if high != 0 {
            self.high.resize(self.len(), 0);
        }
        if let Some(to) = self.high.get_mut(at) {
            *to = high;
        }
        self.low.as_flattened_mut()[at] = low;
        self.largest = self.largest.max(low.unsigned_abs());
    }

    /// Some of the arrays.
    pub(crate) fn part(&self, range: std::ops::Range<usize>) -> Self {
        let mut part = Self { largest: self.largest, ..Self::default() };
        part.low.extend_from_slice(&self.low[range.clone()]);
        if self.is_wide() {
            part.high = self.high[range.start * N..range.end * N].to_vec();
        }
        part
    }

    /// The sums in words of 64 bits. If one is too large, all are in units of `2^shift`, the smallest for which they fit into
    /// `bits` bits and a sign.
    pub(crate) fn narrow(self, bits: u32) -> (Aligned<i64, N>, u32) {
        if !self.is_wide() {
            return (self.low, 0);
        }
        let size = |sum: i128| 128 - sum.unsigned_abs().leading_zeros();
        let shift = self.iter().map(size).max().unwrap_or(0).saturating_sub(bits);
        let mut low = Aligned::zeros(self.low.len());
        let to = low.as_flattened_mut().iter_mut();
        to.zip(self.iter()).for_each(|(to, sum)| *to = (sum >> shift) as i64);
        (low, shift)
    }
}

impl ExactSums {
    /// Adds a sum at the end.
    pub(crate) fn push(&mut self, sum: i128) {
        let (low, high) = split(sum);
        if high != 0 || self.is_wide() {
            self.high.resize(self.len(), 0);
            self.high.push(high);
        }
        self.low.extend_from_slice(&[[low]]);
        self.largest = self.largest.max(low.unsigned_abs());
    }
}

/// The words of `low + high · 2⁶² + more`, with a low word below 2⁶² that is not negative.
fn carried(low: i64, high: i64, more: i64) -> (i64, i64) {
    let sum = i128::from(low) + i128::from(more);
    let carry = (sum >> CARRY_BITS) as i64;
    ((sum - (i128::from(carry) << CARRY_BITS)) as i64, high + carry)
}

/// The words of a sum: one, if it fits.
fn split(sum: i128) -> (i64, i64) {
    if let Ok(low) = i64::try_from(sum) {
        return (low, 0);
    }
    let high = sum >> CARRY_BITS;
    ((sum - (high << CARRY_BITS)) as i64, high as i64)
}

impl FromIterator<i128> for ExactSums {
    fn from_iter<I: IntoIterator<Item = i128>>(sums: I) -> Self {
        let mut all = Self::default();
        sums.into_iter().for_each(|sum| all.push(sum));
        all
    }
}

impl<const N: usize> PartialEq for ExactSums<N> {
    fn eq(&self, other: &Self) -> bool {
        if self.is_wide() || other.is_wide() {
            return self.len() == other.len() && self.iter().eq(other.iter());
        }
        self.low == other.low
    }
}

impl<const N: usize> Eq for ExactSums<N> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of any size, many of them near the ends of 64 bits.
    fn numbers() -> impl Strategy<Value = Vec<i64>> {
        let ends = [i64::MAX, i64::MAX - 1, i64::MIN, i64::MIN + 1, CARRY, -CARRY, 0, 1, -1];
        let number = prop_oneof![any::<i64>(), prop::sample::select(ends.to_vec())];
        prop::collection::vec(number, 20)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn sums_are_exact_however_documents_are_cut_up(
            rows in prop::collection::vec(numbers(), 1..12),
            cuts in prop::collection::vec(any::<bool>(), 12),
        ) {
            let expected: Vec<i128> =
                (0..20).map(|i| rows.iter().map(|row| i128::from(row[i])).sum()).collect();
            let (mut all, mut shard) = (ExactSums::<4>::zeros(5), ExactSums::<4>::zeros(5));
            for (row, cut) in rows.iter().zip(cuts) {
                // A step is at most 2⁶², so a number is added in pieces.
                for step in [row.iter().map(|x| x / 4).collect::<Vec<_>>(),
                    row.iter().map(|x| x / 4).collect(), row.iter().map(|x| x / 4).collect(),
                    row.iter().map(|x| x - x / 4 * 3).collect()] {
                    shard.reserve(CARRY as u64);
                    let low = shard.low_mut().as_flattened_mut();
                    low.iter_mut().zip(step).for_each(|(low, x)| *low += x);
                }
                if cut {
                    all.merge(&shard);
                    shard = ExactSums::zeros(5);
                }
            }
            shard.merge(&all);
            prop_assert_eq!(shard.iter().collect::<Vec<_>>(), expected.clone());
            let again: ExactSums = expected.iter().copied().collect();
            prop_assert_eq!(again.iter().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(shard.part(1..3).iter().collect::<Vec<_>>(), &expected[4..12]);
            let (narrow, shift) = shard.narrow(CARRY_BITS);
            for (narrow, sum) in narrow.as_flattened().iter().zip(expected) {
                prop_assert_eq!(i128::from(*narrow), sum >> shift);
            }
        }
    }

    #[test]
    fn the_high_word_has_no_memory_until_it_is_needed() {
        let mut sums = ExactSums::<1>::zeros(3);
        for _ in 0..1000 {
            sums.reserve(1 << 60);
            sums.low_mut()[1][0] += 1 << 40;
        }
        assert!(!sums.is_wide(), "only the bound was reached");
        sums.set(2, 1 << 70);
        assert!(sums.is_wide());
        assert_eq!(sums.iter().collect::<Vec<_>>(), [0, 1000 << 40, 1 << 70]);
        sums.set(2, 7);
        assert_eq!(sums, [0, 1000 << 40, 7].into_iter().collect());
    }
}
