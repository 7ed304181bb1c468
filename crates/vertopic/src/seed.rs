//! One seed, one stream of random numbers per unit of work.
//!
//! A number is drawn from `(seed, stage, item)` and never from "the next one", so the order in which
//! threads, shards or documents are visited cannot reach a result. The generator is SplitMix64
//! (Steele, Lea & Flood 2014): integers only, the same on every machine.

use serde::{Deserialize, Serialize};

/// The seed of a whole run. The default is 0: a run without a seed is as reproducible as one with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed(pub u64);

/// What a random number is for. The numbers are part of the method: changing one changes answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Which half a token falls into.
    Split = 1,
    /// Directions of the random projections.
    Direction = 2,
    /// Which bin a document falls into.
    Bin = 3,
    /// Which of two equally extreme words wins.
    Tie = 4,
    /// Starting centres of k-means.
    Centres = 5,
    /// Draws of a sampling chain.
    Chain = 6,
    /// Where the embedding of words starts from.
    Embed = 7,
    /// Which documents judge a polish.
    Validation = 8,
    /// Which half of the documents one belongs to, when topics are looked for again.
    Half = 9,
    /// Which half of the documents tests the dimensions that the other half finds.
    Fold = 10,
    /// Which documents are held out of a sweep.
    HeldOut = 11,
    /// Where the search for leading eigenvectors starts from.
    Krylov = 12,
    /// Which lesson of a polish a document is in.
    MiniBatch = 13,
}

impl Stage {
    const ALL: [Self; 13] = [
        Self::Split,
        Self::Direction,
        Self::Bin,
        Self::Tie,
        Self::Centres,
        Self::Chain,
        Self::Embed,
        Self::Validation,
        Self::Half,
        Self::Fold,
        Self::HeldOut,
        Self::Krylov,
        Self::MiniBatch,
    ];

    /// The stage with a number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&stage| stage as u8 == number)
    }
}

/// From one state of a stream to the next.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scrambles 64 bits so that neighbours end up unrelated (the finaliser of SplitMix64).
#[inline(always)] // kernels mix many at once
pub fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl From<u64> for Seed {
    fn from(seed: u64) -> Self {
        Self(seed)
    }
}

impl Seed {
    /// The stream of one unit of work, for example one document in the stage that splits documents.
    ///
    /// ```
    /// use vertopic::seed::{Seed, Stage};
    /// let mut a = Seed(1).stream(Stage::Split, 7);
    /// let mut b = Seed(1).stream(Stage::Split, 7);
    /// assert_eq!(a.next_u64(), b.next_u64());
    /// ```
    #[inline]
    pub fn stream(self, stage: Stage, item: u64) -> Stream {
        Stream { state: mix(mix(self.0 ^ ((stage as u64) << 56)) ^ item) }
    }
}

/// A sequence of random numbers that belongs to one unit of work.
#[derive(Debug, Clone)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// The stream from its `n`-th number on.
    #[inline]
    #[must_use]
    pub fn skip(mut self, n: u64) -> Self {
        self.state = self.state.wrapping_add(n.wrapping_mul(GOLDEN));
        self
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let out = mix(self.state);
        self.state = self.state.wrapping_add(GOLDEN);
        out
    }

    /// The next N at once, which leaves the stream where it is.
    #[inline(always)]
    pub(crate) fn ahead<const N: usize>(&self) -> [u64; N] {
        std::array::from_fn(|i| mix(self.state.wrapping_add(GOLDEN.wrapping_mul(i as u64))))
    }

    /// The next number of the uniform distribution on [0, 1), with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mix_is_splitmix64() {
        // First outputs of SplitMix64 with state 1234567, as published with the reference C code.
        let mut state = 1_234_567_u64;
        for expected in [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973] {
            assert_eq!(mix(state), expected);
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
    }

    #[test]
    fn streams_do_not_depend_on_the_order_in_which_they_are_asked() {
        let draw = |item| Seed(3).stream(Stage::Direction, item).next_u64();
        let forwards: Vec<_> = (0..100).map(draw).collect();
        let mut backwards: Vec<_> = (0..100).rev().map(draw).collect();
        backwards.reverse();
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn skipping_is_drawing_and_forgetting() {
        let mut drawn = Seed(3).stream(Stage::Direction, 1);
        for _ in 0..5 {
            drawn.next_u64();
        }
        let skipped = Seed(3).stream(Stage::Direction, 1).skip(5);
        let ahead: [u64; 3] = skipped.ahead();
        assert_eq!(ahead, std::array::from_fn(|_| drawn.next_u64()));
        assert_eq!(skipped.clone().next_u64(), ahead[0]);
    }

    #[test]
    fn seed_stage_and_item_all_matter() {
        let base = Seed(1).stream(Stage::Split, 1).next_u64();
        assert_ne!(base, Seed(2).stream(Stage::Split, 1).next_u64());
        assert_ne!(base, Seed(1).stream(Stage::Bin, 1).next_u64());
        assert_ne!(base, Seed(1).stream(Stage::Split, 2).next_u64());
    }

    #[test]
    fn unit_is_uniform() {
        let mut s = Seed(5).stream(Stage::Centres, 0);
        let draws: Vec<f64> = (0..20_000).map(|_| s.unit()).collect();
        let mean = draws.iter().sum::<f64>() / 20_000.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        assert!(draws.iter().all(|u| (0.0..1.0).contains(u)));
    }
}
