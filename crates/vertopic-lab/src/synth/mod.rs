//! Generated corpora with known topics.
//!
//! | module | what it makes |
//! |---|---|
//! | [`separable`] | the paper's synthetic recipe (Section 6.2) |
//! | [`swimmer`] | the paper's image set (Section 6.3) |

pub mod separable;
pub mod swimmer;
