//! How good topics are. So far: their distance from topics that are known.

mod matching;

pub use matching::{best_matching, l1_error};
