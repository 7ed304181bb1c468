//! What the paper compares with and on: the other methods, generated corpora whose topics are known, and
//! its experiments.

pub mod method;
pub mod synth;
