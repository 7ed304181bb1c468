//! How good topics are.
//!
//! | module | question |
//! |---|---|
//! | `matching` | how far are they from topics that are known? |
//! | `completion` | how well do they foretell the second half of a document from the first? |
//! | `coherence` | do the words of a topic occur together, as `together` counts them? |
//! | `diversity` | do topics say different things? |
//! | `halves` | are they found again in half of the documents? |
//! | `partition` | do they sort documents as labels do? |

mod coherence;
mod completion;
mod diversity;
mod halves;
mod matching;
mod partition;
mod together;

pub use coherence::{EPSILON, Measure, mean};
pub use completion::{Completion, completion};
pub use diversity::{RBO_P, exclusivity, inverted_rbo, topic_diversity};
pub(crate) use halves::dot;
pub use halves::found_again;
pub use matching::{best_matching, l1_error};
pub use partition::{Agreement, agreement};
pub use together::Together;
