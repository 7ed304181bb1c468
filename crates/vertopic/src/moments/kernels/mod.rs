//! How sums over documents are counted fast: documents wait in blocks, and a block is added row by row.
//!
//! | module | counts |
//! |---|---|
//! | `block`, `tiles` | projections: a block as lists of documents by word, multiplied with 32 directions at a time |
//! | `cooccurrence_block` | pairs of row words and column words |
//! | `scatter_add` | a vector of each document, added to the sums of its words |

pub(super) mod block;
pub(super) mod cooccurrence_block;
pub(super) mod scatter_add;
pub(super) mod tiles;

/// Sorts items by row into `sorted`, and keeps the order within a row. The items of row r end at `ends[r]`, where those of
/// the next begin. Both vectors are memory that is used again.
fn sort_by_row<T: Copy + Default>(
    items: impl Iterator<Item = (u32, T)> + Clone,
    rows: usize,
    ends: &mut Vec<u32>,
    sorted: &mut Vec<T>,
) {
    ends.clear();
    ends.resize(rows, 0);
    items.clone().for_each(|(row, _)| ends[row as usize] += 1);
    let mut start = 0;
    for end in &mut *ends {
        (*end, start) = (start, start + *end);
    }
    sorted.resize(start as usize, T::default());
    for (row, item) in items {
        let next = &mut ends[row as usize];
        sorted[*next as usize] = item;
        *next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_row_stand_together_in_their_order() {
        let items = [(2, 'a'), (0, 'b'), (2, 'c'), (4, 'd'), (0, 'e')];
        let (mut ends, mut sorted) = (vec![7; 9], vec!['x'; 3]);
        sort_by_row(items.into_iter(), 5, &mut ends, &mut sorted);
        assert_eq!((sorted, ends), (vec!['b', 'e', 'a', 'c', 'd'], vec![2, 2, 4, 4, 5]));
        let (mut ends, mut sorted) = (Vec::new(), vec!['x']);
        sort_by_row(std::iter::empty(), 2, &mut ends, &mut sorted);
        assert_eq!((sorted, ends), (Vec::new(), vec![0, 0]));
    }
}
