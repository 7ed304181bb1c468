//! Sums over the documents of each word: `Σ_d f_dw t_d`, exact.
//!
//! Every document adds its vector `t_d`, times a factor, to the sum of each of its words. The sums of words lie far apart in
//! memory, so documents wait until a block of them fills a cache. Then the block is sorted by word, and each word adds its
//! contributions in registers.

use super::sort_by_row;
use crate::corpus::SumFields;
use crate::error::Error;
use crate::exact::ExactSums;
use crate::simd::{self, Kernel, LANES, Lane, Rows, Simd};

/// Bytes of the vectors of a block: half of a second-level cache.
const BYTES: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 }; // tests run many blocks
/// Contributions of a block, of 20 bytes each.
const CONTRIBUTIONS: usize = 1 << 17;
/// Documents of a block: as many as 16 bits can number.
const DOCUMENTS: usize = 1 << 16;

/// What a document adds to a word: its vector times the factor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contribution {
    pub(crate) word: u32,
    pub(crate) weight: u32,
    pub(crate) factor: f32,
    /// With rows, a contribution is multiplied by `row (1 − own row)`: a token does not count for itself.
    pub(crate) own: f32,
}

/// A contribution that waits.
#[derive(Debug, Clone, Copy, Default)]
struct Waiting {
    document: u16,
    weight: u16,
    factor: f32,
    own: f32,
}

/// Sums of contributions, with those that wait.
#[derive(Debug)]
pub(crate) struct ScatterAdd<'a> {
    lanes: usize,
    /// A row for each word, which multiplies its contributions.
    rows: Option<&'a [Lane]>,
    /// Weight of contributions that can be added in 32 bits.
    most: u32,
    /// The words of the waiting contributions, in the order of the documents.
    words: Vec<u32>,
    contributions: Vec<Waiting>,
    vectors: Rows,
    /// Contributions in the order of words, and where those of a word end.
    transposed: Vec<Waiting>,
    ends: Vec<u32>,
    /// The largest change of a sum by the contributions that wait.
    growth: u64,
    pub(crate) sums: ExactSums<LANES>,
}

impl<'a> ScatterAdd<'a> {
    /// For vectors of `lanes` lanes. Contributions with a weight of `most` in all are below 2³¹ in sum, multiplied by the rows.
    pub(crate) fn new(words: usize, lanes: usize, rows: Option<&'a [Lane]>, most: u16) -> Self {
        let mut vectors = Rows::zeros(BYTES / size_of::<Lane>() + lanes);
        vectors.clear();
        Self {
            lanes,
            rows,
            most: u32::from(most),
            words: Vec::with_capacity(CONTRIBUTIONS),
            contributions: Vec::with_capacity(CONTRIBUTIONS),
            vectors,
            transposed: Vec::with_capacity(CONTRIBUTIONS),
            ends: vec![0; words],
            growth: 0,
            sums: ExactSums::zeros(words * lanes),
        }
    }

    /// Adds a document's vector to the sums of its words.
    pub(crate) fn push(
        &mut self,
        vector: &[Lane],
        contributions: impl Iterator<Item = Contribution>,
    ) {
        let document = (self.vectors.len() / self.lanes.max(1)) as u16;
        self.vectors.extend_from_slice(vector);
        let mut heaviest = 0;
        for contribution in contributions {
            heaviest = heaviest.max(contribution.weight);
            match u16::try_from(contribution.weight) {
                Ok(weight) if u32::from(weight) <= self.most => {
                    let Contribution { word, factor, own, .. } = contribution;
                    self.words.push(word);
                    self.contributions.push(Waiting { document, weight, factor, own });
                }
                _ => self.add_alone(contribution, vector),
            }
        }
        self.growth += self.growth_by(heaviest.min(self.most));
        let bytes = self.vectors.len() * size_of::<Lane>();
        let full =
            usize::from(document) + 1 == DOCUMENTS || self.contributions.len() >= CONTRIBUTIONS;
        if full || bytes >= BYTES {
            self.flush();
        }
    }

    /// Adds a contribution that is too large for 32 bits.
    fn add_alone(&mut self, contribution: Contribution, vector: &[Lane]) {
        let word = contribution.word as usize;
        let span = word * self.lanes..(word + 1) * self.lanes;
        let row = self.rows.map(|rows| &rows[span.clone()]);
        self.sums.reserve(self.growth_by(contribution.weight));
        simd::run(Alone { contribution, vector, row, sums: &mut self.sums.low_mut()[span] });
    }

    /// The largest change of a sum by a contribution of a weight.
    fn growth_by(&self, weight: u32) -> u64 {
        (u64::from(weight) << 31) / u64::from(self.most.max(1)) + 1
    }

    /// Adds the waiting contributions to the sums.
    pub(crate) fn flush(&mut self) {
        let contributions = self.words.iter().copied().zip(self.contributions.iter().copied());
        sort_by_row(contributions, self.ends.len(), &mut self.ends, &mut self.transposed);
        self.sums.reserve(std::mem::take(&mut self.growth));
        let Self { lanes, rows, most, vectors, transposed, ends, sums, .. } = self;
        let flush = Flush {
            lanes: *lanes,
            rows: *rows,
            most: *most,
            vectors,
            contributions: transposed,
            ends,
            sums: sums.low_mut(),
        };
        simd::run(flush);
        self.words.clear();
        self.contributions.clear();
        self.vectors.clear();
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.sums.merge(&other.sums);
    }

    /// Names the sums: `width` numbers of each word, without the padding of the registers.
    pub(crate) fn exchange(&mut self, width: usize, fields: &mut SumFields) -> Result<(), Error> {
        fields.rows(&mut self.sums, self.lanes * LANES, width)
    }
}

struct Alone<'a> {
    contribution: Contribution,
    vector: &'a [Lane],
    row: Option<&'a [Lane]>,
    sums: &'a mut [[i64; LANES]],
}

impl Kernel for Alone<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) {
        let Contribution { factor, own, .. } = self.contribution;
        let (factor, own) = (simd.splat(factor), simd.splat(-own));
        let sums = self.sums.chunks_exact_mut(L::WIDTH);
        for (at, (sums, t)) in sums.zip(L::view(self.vector)).enumerate() {
            let contribution = simd.mul(factor, *t);
            let row = self.row.map(|row| L::view(row)[at]);
            simd.tally(sums, row.map_or(contribution, |row| given(simd, contribution, row, own)));
        }
    }
}

/// A contribution times its row, without the token's own part.
#[inline(always)]
fn given<L: Simd>(simd: L, contribution: L::V, row: L::V, minus_own: L::V) -> L::V {
    simd.mul(simd.mul(contribution, row), without(simd, row, minus_own, simd.splat(1.0)))
}

/// `1 − own p`: the rest of a share without a token. It is not negative, even if the mixture has not converged.
#[inline(always)]
pub(crate) fn without<L: Simd>(simd: L, p: L::V, minus_own: L::V, one: L::V) -> L::V {
    simd.max(simd.mul_add(minus_own, p, one), simd.splat(0.0))
}

struct Flush<'a> {
    lanes: usize,
    rows: Option<&'a [Lane]>,
    most: u32,
    vectors: &'a [Lane],
    contributions: &'a [Waiting],
    ends: &'a [u32],
    sums: &'a mut [[i64; LANES]],
}

impl Kernel for Flush<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Simd>(mut self, simd: L) {
        let mut start = 0;
        for (word, &end) in self.ends.iter().enumerate() {
            let contributions = &self.contributions[start as usize..end as usize];
            start = end;
            if contributions.is_empty() {
                continue;
            }
            let (mut first, registers) = (0, self.lanes / L::WIDTH);
            while first < registers {
                // With a number of registers that the compiler knows, sums stay in them.
                first += match (registers - first).min(L::TILE) {
                    1 => self.tile::<L, 1>(simd, word, first, contributions),
                    2 => self.tile::<L, 2>(simd, word, first, contributions),
                    3 => self.tile::<L, 3>(simd, word, first, contributions),
                    4 => self.tile::<L, 4>(simd, word, first, contributions),
                    5 => self.tile::<L, 5>(simd, word, first, contributions),
                    6 => self.tile::<L, 6>(simd, word, first, contributions),
                    7 => self.tile::<L, 7>(simd, word, first, contributions),
                    _ => self.tile::<L, 8>(simd, word, first, contributions),
                };
            }
        }
    }
}

impl Flush<'_> {
    /// Adds the contributions of a word in N registers, from `first` on. Gives N.
    #[inline(always)]
    fn tile<L: Simd, const N: usize>(
        &mut self,
        simd: L,
        word: usize,
        first: usize,
        contributions: &[Waiting],
    ) -> usize {
        let registers = self.lanes / L::WIDTH;
        let at = word * registers + first;
        let row = self.rows.map(|rows| &L::view(rows)[at..at + N]);
        let vectors = L::view(self.vectors);
        let to = &mut self.sums[at * L::WIDTH..(at + N) * L::WIDTH];
        let mut sums = [simd.no_integers(); N];
        let mut weight = 0;
        for contribution in contributions {
            weight += u32::from(contribution.weight);
            if weight > self.most {
                put(simd, to, sums);
                sums = [simd.no_integers(); N];
                weight = u32::from(contribution.weight);
            }
            let factor = simd.splat(contribution.factor);
            let from = usize::from(contribution.document) * registers + first;
            let own = simd.splat(-contribution.own);
            for (lane, (sum, t)) in sums.iter_mut().zip(&vectors[from..from + N]).enumerate() {
                let contribution = simd.mul(factor, *t);
                let contribution =
                    row.map_or(contribution, |row| given(simd, contribution, row[lane], own));
                *sum = simd.add_nearest(*sum, contribution);
            }
        }
        put(simd, to, sums);
        N
    }
}

/// Adds integers to the sums of a word.
#[inline(always)]
fn put<L: Simd, const N: usize>(lanes: L, to: &mut [[i64; LANES]], sums: [L::N; N]) {
    for (to, sum) in to.chunks_exact_mut(L::WIDTH).zip(sums) {
        lanes.put_integers(to, sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{Seed, Stage};
    use crate::simd::lanes_for;

    #[test]
    fn sums_are_those_of_every_contribution_by_itself() {
        let (words, most) = (7_u32, 40);
        let mut random = Seed(2).stream(Stage::Tie, 1);
        for n in (1..=20).map(|n| n * lanes_for(1)) {
            let mut lane = |size: f64| -> Lane {
                std::array::from_fn(|_| ((random.unit() - 0.5) * size) as f32)
            };
            let rows: Vec<Lane> =
                (0..words as usize * n).map(|_| lane(2.0).map(f32::abs)).collect();
            let vectors: Vec<Vec<Lane>> =
                (0..200).map(|_| (0..n).map(|_| lane(5e7).map(|t| t + 1e7)).collect()).collect();
            for rows in [None, Some(&rows[..])] {
                let mut scatter = ScatterAdd::new(words as usize, n, rows, most);
                let mut expected = vec![0_i64; words as usize * n * LANES];
                for (d, vector) in vectors.iter().enumerate() {
                    // Some words have no contribution, some more than 32 bits can hold.
                    let contribution = |word: u32| {
                        let weight = (d as u32 * 5 + word * 3) % 50;
                        Contribution {
                            word,
                            weight,
                            factor: weight as f32,
                            own: weight as f32 / 20.0,
                        }
                    };
                    let contributions =
                        || (0..words).map(contribution).filter(|g| g.weight > 3 && g.word != 4);
                    scatter.push(vector, contributions());
                    for Contribution { word, factor, own, .. } in contributions() {
                        for (i, &t) in vector.as_flattened().iter().enumerate() {
                            let at = word as usize * n * LANES + i;
                            let contribution = rows.map_or(factor * t, |rows| {
                                let row = rows.as_flattened()[at];
                                factor * t * row * (-own).mul_add(row, 1.0).max(0.0)
                            });
                            expected[at] += f64::from(contribution).round_ties_even() as i64;
                        }
                    }
                }
                scatter.flush();
                assert_eq!(scatter.sums.low().as_flattened(), expected, "{n} lanes");
                assert!(expected.iter().any(|s| s.abs() > 1 << 31), "some need 64 bits");
            }
        }
    }
}
