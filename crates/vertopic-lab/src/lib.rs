//! What the paper compares with and on. So far: generated corpora whose topics are known.

pub mod synth;
