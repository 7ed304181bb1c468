//! The joint co-occurrence matrix of words as an operator: `V ↦ Q V`, without ever forming Q.
//!
//! `Q = (1/M) Σ_m (h hᵀ − diag h) / (n (n − 1))` with h the counts of document m and n its length: the
//! distribution of the words of two different tokens of a document (Arora et al. 2013). It is the
//! numerator of the paper's C for all pairs of tokens: `C_ij = Q_ij / (p_i p_j)` with p its row sums.
//!
//! `Q V` needs one pass: each document sums its tokens' rows of V, and gives every word the sum without
//! the token itself. Memory is O(W · columns), time O(pairs of word and document · columns).

use crate::corpus::{Accumulator, Document, Documents};
use crate::exact;
use crate::moments::totals::{Totals, add_all};
use crate::run::Run;

/// `Q`, applied and never formed.
#[derive(Debug)]
pub struct Joint<'a, D> {
    documents: &'a D,
    totals: &'a Totals,
}

/// Numbers of the result that a thread sums at a time.
const BLOCK_ENTRIES: usize = if cfg!(test) { 30 } else { 1 << 22 };

impl<'a, D: Documents> Joint<'a, D> {
    /// The matrix of these documents; their totals are over all pairs ([`crate::moments::Pairs::All`]).
    pub fn new(documents: &'a D, totals: &'a Totals) -> Self {
        Self { documents, totals }
    }

    /// Row sums of Q: the mean frequency of each word in the documents that have a pair of tokens.
    pub fn row_sums(&self) -> Vec<f64> {
        let m = self.totals.paired as f64;
        self.totals.first.iter().map(|r| r / m).collect()
    }

    /// `Q V` for finite V, W × `columns`, where the numbers of a word stand together; so does the result.
    ///
    /// Sums over documents are exact: the same for any threads and order.
    pub fn times(&self, vectors: &[f64], columns: usize, run: &Run<'_>) -> Vec<f64> {
        let words = self.totals.n_words();
        assert_eq!(vectors.len(), words * columns, "a row of V for every word");
        let mut out = vec![0.0; words * columns];
        let width = (BLOCK_ENTRIES / words.max(1)).clamp(1, columns.max(1));
        for start in (0..columns).step_by(width) {
            let width = width.min(columns - start);
            self.block(vectors, columns, start, width, &mut out, run);
        }
        out
    }

    /// Columns `start .. start + width` of the product.
    fn block(
        &self,
        vectors: &[f64],
        columns: usize,
        start: usize,
        width: usize,
        out: &mut [f64],
        run: &Run<'_>,
    ) {
        let m = self.totals.paired;
        let mut scaled: Vec<f64> =
            vectors.chunks(columns).flat_map(|row| &row[start..start + width]).copied().collect();
        let largest = scaled.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        // A document adds at most the largest entry to a sum, since a word has at most all its tokens.
        let bits = exact::sum_bits(m, largest);
        let up = libm::ldexp(1.0, bits);
        scaled.iter_mut().for_each(|v| *v *= up);
        let sums = self.documents.pass("applying co-occurrence", run, || Product {
            vectors: &scaled,
            width,
            whole: vec![0.0; width],
            sums: vec![0; scaled.len()],
        });
        let down = libm::ldexp(1.0 / m as f64, -bits);
        for (row, sums) in out.chunks_mut(columns).zip(sums.sums.chunks(width)) {
            for (out, &sum) in row[start..start + width].iter_mut().zip(sums) {
                *out = sum as f64 * down;
            }
        }
    }
}

/// The sums behind a block of the product.
struct Product<'a> {
    vectors: &'a [f64],
    width: usize,
    /// The document's sum of its tokens' rows.
    whole: Vec<f64>,
    sums: Vec<i64>,
}

impl Accumulator for Product<'_> {
    fn add(&mut self, document: Document<'_>) {
        let n = document.tokens() as f64;
        if n < 2.0 {
            return;
        }
        let row = |w: u32| w as usize * self.width..(w as usize + 1) * self.width;
        self.whole.fill(0.0);
        for (w, c) in document.pairs() {
            let c = f64::from(c);
            let values = &self.vectors[row(w)];
            self.whole.iter_mut().zip(values).for_each(|(t, v)| *t += c * v);
        }
        for (w, c) in document.pairs() {
            let weight = f64::from(c) / (n * (n - 1.0));
            let (values, sums) = (&self.vectors[row(w)], &mut self.sums[row(w)]);
            for ((sum, v), t) in sums.iter_mut().zip(values).zip(&self.whole) {
                *sum += exact::nearest(weight * (t - v));
            }
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.sums, &other.sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Corpus, CorpusBuilder, DocumentInfo};
    use crate::moments::{Cooccurrence, Pairs};
    use crate::seed::{Seed, Stage};

    fn corpus(reversed: bool) -> Corpus {
        let mut b = CorpusBuilder::with_words((0..9).map(|i| format!("w{i}")).collect());
        let mut random = Seed(3).stream(Stage::Tie, 1);
        let mut documents: Vec<Vec<(u32, u32)>> = (0..40)
            .map(|_| (0..9).map(|w| (w, (random.next_u64() % 4) as u32)).collect())
            .collect();
        documents.push(vec![(3, 1)]); // too short for a pair
        if reversed {
            documents.reverse();
        }
        for mut pairs in documents {
            pairs.retain(|p| p.1 > 0);
            b.push(&mut pairs, DocumentInfo::default()).expect("good");
        }
        b.finish().expect("good")
    }

    #[test]
    fn it_is_the_matrix_that_cooccurrence_forms() {
        let (corpus, run) = (corpus(false), Run::silent().expect("threads"));
        let totals = Totals::of(&corpus, Seed(0), Pairs::All, &run).expect("pairs");
        let all: Vec<u32> = (0..9).collect();
        let c = Cooccurrence::of(&corpus, &totals, &all, &all, &run);
        let joint = Joint::new(&corpus, &totals);
        let p = joint.row_sums();
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-7);
        // Seven columns of very different size, cut into blocks of three.
        let v: Vec<f64> =
            (0..63).map(|i| libm::sin(f64::from(i)) * libm::exp(f64::from(i % 7))).collect();
        let product = joint.times(&v, 7, &run);
        for i in 0..9 {
            for j in 0..7 {
                let expected: f64 = (0..9).map(|l| c.row(i)[l] * p[i] * p[l] * v[l * 7 + j]).sum();
                let found = product[i * 7 + j];
                assert!(
                    (found - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                    "{found} {expected}"
                );
            }
        }
    }

    #[test]
    fn order_and_threads_do_not_matter() {
        let product = |corpus: &Corpus, threads: usize| {
            let threads = std::num::NonZeroUsize::new(threads).expect("positive");
            let run = Run::new(crate::run::Parallelism::Threads(threads), &crate::observe::Silent)
                .expect("threads");
            let totals = Totals::of(corpus, Seed(0), Pairs::All, &run).expect("pairs");
            let v: Vec<f64> = (0..36).map(|i| libm::cos(f64::from(i))).collect();
            Joint::new(corpus, &totals).times(&v, 4, &run)
        };
        let one = product(&corpus(false), 1);
        assert_eq!(one, product(&corpus(true), 3));
        assert!(one.iter().any(|v| *v != 0.0));
    }
}
