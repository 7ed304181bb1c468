//! How good topics are.
//!
//! | module | question |
//! |---|---|
//! | `matching` | how far are they from topics that are known? |
//! | `completion` | how well do they predict the second half of a document from the first? |
//! | `coherence` | do the words of a topic occur together, as `word_cooccurrence` counts them? |
//! | `diversity` | do topics say different things? |
//! | `stability` | are they found again in half of the documents? |
//! | `partition` | do they sort documents as labels do? |

mod coherence;
pub(crate) mod completion;
mod diversity;
mod matching;
mod partition;
mod stability;
pub(crate) mod word_cooccurrence;

pub use coherence::{EPSILON, Measure, mean};
pub use completion::{Completion, completion};
pub use diversity::{RBO_P, exclusivity, inverted_rbo, topic_diversity};
pub use matching::{best_matching, l1_error};
pub use partition::{ClusterScores, cluster_scores};
pub(crate) use stability::dot;
pub use stability::half_sample_stability;
pub use word_cooccurrence::WordCooccurrence;
