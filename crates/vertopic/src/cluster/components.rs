//! Connected components of the threshold graph (Algorithm 4).

use crate::cluster::Distances;

/// The group of each word when words at a distance of at most `half_d` (the paper's d/2) are joined.
///
/// Groups are numbered in the order of their first word.
///
/// ```
/// use vertopic::cluster::{Distances, components};
/// // Words 0 and 2 are close, 1 is far from both.
/// let d = Distances::from_values(3, vec![0., 9., 1., 9., 0., 9., 1., 9., 0.]);
/// assert_eq!(components(&d, 2.0), [0, 1, 0]);
/// ```
pub fn components(distances: &Distances, half_d: f64) -> Vec<usize> {
    let n = distances.len();
    let mut group = vec![usize::MAX; n];
    let mut groups = 0;
    for first in 0..n {
        if group[first] != usize::MAX {
            continue;
        }
        let mut reached = vec![first];
        group[first] = groups;
        while let Some(i) = reached.pop() {
            for j in 0..n {
                if group[j] == usize::MAX && distances.at(i, j) <= half_d {
                    group[j] = groups;
                    reached.push(j);
                }
            }
        }
        groups += 1;
    }
    group
}
