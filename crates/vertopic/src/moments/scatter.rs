//! Sums over the documents of each word: `Σ_d f_dw t_d`, exact.
//!
//! Every document hands its vector `t_d`, times a factor, to each of its words. The sums of words lie far apart in
//! memory, so documents wait until there is a block of them that fits into a cache. Then the block is turned round, and
//! each word adds up what it is given in registers.

use crate::lanes::{self, Kernel, LANES, Lane, Lanes};
use crate::moments::add_all;

/// Bytes of the vectors of a block: half of a second-level cache.
const BYTES: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 }; // tests run many blocks
/// Gifts of a block, of 20 bytes each.
const GIFTS: usize = 1 << 17;
/// What 16 bits can number.
const DOCUMENTS: usize = 1 << 16;
/// Lanes that are summed at once.
const TILE: usize = 4;

/// What a document has for a word.
#[derive(Debug, Clone, Copy, Default)]
struct Gift {
    document: u16,
    weight: u16,
    factor: f32,
}

/// Sums of gifts, with the documents that are not in them yet.
#[derive(Debug)]
pub(crate) struct Scatter<'a> {
    lanes: usize,
    /// What a gift is multiplied by at last: a row for each word.
    rows: Option<&'a [Lane]>,
    /// Weights of gifts that can be added in 32 bits.
    most: u32,
    /// The words of the gifts that wait, in the order of the documents.
    words: Vec<u32>,
    gifts: Vec<Gift>,
    vectors: Vec<Lane>,
    /// Gifts in the order of words, and where those of a word end.
    turned: Vec<Gift>,
    ends: Vec<u32>,
    pub(crate) sums: Vec<[i64; LANES]>,
}

impl<'a> Scatter<'a> {
    /// For vectors of so many lanes. Numbers of gifts with weights of `most` in all are below 2³¹ in sum, after
    /// multiplication with the rows.
    pub(crate) fn new(words: usize, lanes: usize, rows: Option<&'a [Lane]>, most: u16) -> Self {
        Self {
            lanes,
            rows,
            most: u32::from(most),
            words: Vec::new(),
            gifts: Vec::new(),
            vectors: Vec::new(),
            turned: Vec::new(),
            ends: vec![0; words],
            sums: vec![[0; LANES]; words * lanes],
        }
    }

    /// Gives a document's vector to its words, each with a weight and a factor.
    pub(crate) fn hand_out(
        &mut self,
        vector: &[Lane],
        gifts: impl Iterator<Item = (u32, (u32, f32))>,
    ) {
        let document = (self.vectors.len() / self.lanes.max(1)) as u16;
        self.vectors.extend_from_slice(vector);
        for (word, (weight, factor)) in gifts {
            match u16::try_from(weight) {
                Ok(weight) if u32::from(weight) <= self.most => {
                    self.words.push(word);
                    self.gifts.push(Gift { document, weight, factor });
                }
                _ => self.add_alone(word, factor, vector),
            }
        }
        let bytes = self.vectors.len() * size_of::<Lane>();
        let full = usize::from(document) + 1 == DOCUMENTS || self.gifts.len() >= GIFTS;
        if full || bytes >= BYTES {
            self.settle();
        }
    }

    /// A gift that is too large for 32 bits.
    fn add_alone(&mut self, word: u32, factor: f32, vector: &[Lane]) {
        let span = word as usize * self.lanes..(word as usize + 1) * self.lanes;
        let row = self.rows.map(|rows| &rows[span.clone()]);
        lanes::run(Alone { factor, vector, row, sums: &mut self.sums[span] });
    }

    /// Adds the gifts that wait to the sums.
    pub(crate) fn settle(&mut self) {
        self.ends.fill(0);
        self.words.iter().for_each(|&w| self.ends[w as usize] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            (*end, start) = (start, start + *end);
        }
        self.turned.resize(self.gifts.len(), Gift::default());
        for (&word, &gift) in self.words.iter().zip(&self.gifts) {
            let next = &mut self.ends[word as usize];
            self.turned[*next as usize] = gift;
            *next += 1;
        }
        let Self { lanes, rows, most, vectors, turned, ends, sums, .. } = self;
        let settle =
            Settle { lanes: *lanes, rows: *rows, most: *most, vectors, gifts: turned, ends, sums };
        lanes::run(settle);
        self.words.clear();
        self.gifts.clear();
        self.vectors.clear();
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        add_all(self.sums.as_flattened_mut(), other.sums.as_flattened());
    }
}

struct Alone<'a> {
    factor: f32,
    vector: &'a [Lane],
    row: Option<&'a [Lane]>,
    sums: &'a mut [[i64; LANES]],
}

impl Kernel for Alone<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let factor = lanes.splat(self.factor);
        for (at, (sums, t)) in self.sums.iter_mut().zip(L::view(self.vector)).enumerate() {
            let gift = lanes.mul(factor, *t);
            let row = self.row.map(|row| L::view(row)[at]);
            lanes.tally(sums, row.map_or(gift, |row| lanes.mul(gift, row)));
        }
    }
}

struct Settle<'a> {
    lanes: usize,
    rows: Option<&'a [Lane]>,
    most: u32,
    vectors: &'a [Lane],
    gifts: &'a [Gift],
    ends: &'a [u32],
    sums: &'a mut [[i64; LANES]],
}

impl Kernel for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        let mut start = 0;
        for (word, &end) in self.ends.iter().enumerate() {
            let gifts = &self.gifts[start as usize..end as usize];
            start = end;
            if gifts.is_empty() {
                continue;
            }
            let mut first = 0;
            while first < self.lanes {
                // With a number of lanes that the compiler knows, sums stay in registers.
                first += match self.lanes - first {
                    1 => self.tile::<L, 1>(lanes, word, first, gifts),
                    2 => self.tile::<L, 2>(lanes, word, first, gifts),
                    3 => self.tile::<L, 3>(lanes, word, first, gifts),
                    _ => self.tile::<L, TILE>(lanes, word, first, gifts),
                };
            }
        }
    }
}

impl Settle<'_> {
    /// Adds the gifts of a word in N lanes. Gives N.
    #[inline(always)]
    fn tile<L: Lanes, const N: usize>(
        &mut self,
        lanes: L,
        word: usize,
        first: usize,
        gifts: &[Gift],
    ) -> usize {
        let at = word * self.lanes + first;
        let mut row = [lanes.splat(1.0); N];
        if let Some(rows) = self.rows {
            row.copy_from_slice(&L::view(rows)[at..at + N]);
        }
        let vectors = L::view(self.vectors);
        let mut sums = [lanes.no_integers(); N];
        let mut weight = 0;
        for gift in gifts {
            weight += u32::from(gift.weight);
            if weight > self.most {
                for (to, sum) in self.sums[at..at + N].iter_mut().zip(&mut sums) {
                    lanes.put_integers(to, *sum);
                    *sum = lanes.no_integers();
                }
                weight = u32::from(gift.weight);
            }
            let factor = lanes.splat(gift.factor);
            let from = usize::from(gift.document) * self.lanes + first;
            for ((sum, t), row) in sums.iter_mut().zip(&vectors[from..from + N]).zip(row) {
                *sum = lanes.add_nearest(*sum, lanes.mul(lanes.mul(factor, *t), row));
            }
        }
        for (to, sum) in self.sums[at..at + N].iter_mut().zip(sums) {
            lanes.put_integers(to, sum);
        }
        N
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{Seed, Stage};

    #[test]
    fn sums_are_those_of_every_gift_by_itself() {
        let (words, most) = (7_u32, 40);
        let mut random = Seed(2).stream(Stage::Tie, 1);
        for n in 1..=6 {
            let mut lane = |size: f64| -> Lane {
                std::array::from_fn(|_| ((random.unit() - 0.5) * size) as f32)
            };
            let rows: Vec<Lane> = (0..words as usize * n).map(|_| lane(2.0)).collect();
            let vectors: Vec<Vec<Lane>> =
                (0..90).map(|_| (0..n).map(|_| lane(5e7)).collect()).collect();
            for rows in [None, Some(&rows[..])] {
                let mut scatter = Scatter::new(words as usize, n, rows, most);
                let mut expected = vec![0_i64; words as usize * n * LANES];
                for (d, vector) in vectors.iter().enumerate() {
                    // Some words get nothing, some more than 32 bits can hold.
                    let gift = |w: u32| {
                        let weight = (d as u32 * 5 + w * 3) % 50;
                        (w, (weight, weight as f32))
                    };
                    let gifts = || (0..words).map(gift).filter(|g| g.1.0 > 3 && g.0 != 4);
                    scatter.hand_out(vector, gifts());
                    for (w, (_, factor)) in gifts() {
                        for (i, &t) in vector.as_flattened().iter().enumerate() {
                            let at = w as usize * n * LANES + i;
                            let gift = factor * t * rows.map_or(1.0, |r| r.as_flattened()[at]);
                            expected[at] += f64::from(gift).round_ties_even() as i64;
                        }
                    }
                }
                scatter.settle();
                assert_eq!(scatter.sums.as_flattened(), expected, "{n} lanes");
                assert!(expected.iter().any(|s| s.abs() > 1 << 31), "some need 64 bits");
            }
        }
    }
}
