//! How good topics are: their distance from topics that are known, and how well they foretell the second
//! half of a document from the first.

mod completion;
mod matching;

pub use completion::{Completion, completion};
pub use matching::{best_matching, l1_error};
