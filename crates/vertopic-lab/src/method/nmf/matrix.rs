//! The word-by-document matrix, sparse, both ways round.

use vertopic::corpus::Corpus;

use crate::method::canonical_order;

/// Non-zero entries, row after row: the documents with their words, or the words with their documents.
#[derive(Debug, Clone)]
pub(crate) struct Lists {
    starts: Vec<usize>,
    others: Vec<u32>,
    values: Vec<f32>,
}

impl Lists {
    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The entries of row `i`, ascending: on the other side, with this value.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let span = self.starts[i]..self.starts[i + 1];
        let values = self.values[span.clone()].iter().map(|&v| f64::from(v));
        self.others[span].iter().map(|&j| j as usize).zip(values)
    }

    fn transposed(&self, n_others: usize) -> Self {
        let mut starts = vec![0; n_others + 1];
        self.others.iter().for_each(|&j| starts[j as usize + 1] += 1);
        (0..n_others).for_each(|j| starts[j + 1] += starts[j]);
        let mut next = starts.clone();
        let (mut others, mut values) = (vec![0; self.others.len()], vec![0.0; self.values.len()]);
        for i in 0..self.len() {
            for at in self.starts[i]..self.starts[i + 1] {
                let to = &mut next[self.others[at] as usize];
                (others[*to], values[*to]) = (i as u32, self.values[at]);
                *to += 1;
            }
        }
        Self { starts, others, values }
    }
}

/// The counts of a corpus: its documents with words, in canonical order.
#[derive(Debug, Clone)]
pub(crate) struct Matrix {
    pub(crate) by_document: Lists,
    pub(crate) by_word: Lists,
}

impl Matrix {
    pub(crate) fn of(corpus: &Corpus) -> Self {
        let (mut starts, mut others, mut values) = (vec![0], Vec::new(), Vec::new());
        for d in canonical_order(corpus) {
            let document = corpus.document(d);
            others.extend_from_slice(document.words);
            values.extend(document.counts.iter().map(|&c| c as f32));
            starts.push(others.len());
        }
        let by_document = Lists { starts, others, values };
        let by_word = by_document.transposed(corpus.n_words());
        Self { by_document, by_word }
    }

    /// F: rows of V.
    pub(crate) fn n_words(&self) -> usize {
        self.by_word.len()
    }

    /// N: columns of V.
    pub(crate) fn n_documents(&self) -> usize {
        self.by_document.len()
    }

    /// Mean of all entries, the zeros too.
    pub(crate) fn mean(&self) -> f64 {
        let sum: f64 = self.by_document.values.iter().map(|&v| f64::from(v)).sum();
        sum / (self.n_words() as f64 * self.n_documents() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::dense;

    #[test]
    fn both_sides_hold_the_same_entries() {
        let matrix = Matrix::of(&dense(&[[2, 0, 1], [0, 0, 0], [0, 0, 5], [1, 3, 0]]));
        assert_eq!((matrix.n_words(), matrix.n_documents()), (3, 3));
        assert_eq!(matrix.mean(), 12.0 / 9.0);
        let side = |lists: &Lists, turn: bool| {
            let of = |i| lists.row(i).map(move |(j, v)| if turn { (j, i, v) } else { (i, j, v) });
            let mut all: Vec<_> = (0..lists.len()).flat_map(of).collect();
            all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
            all
        };
        assert_eq!(side(&matrix.by_document, false), side(&matrix.by_word, true));
        for w in 0..3 {
            assert!(matrix.by_word.row(w).is_sorted_by_key(|(d, _)| d));
        }
    }
}
