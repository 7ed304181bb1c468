//! What the paper compares with and on: the other methods, generated corpora whose topics are known, and
//! its experiments with their figures.

pub mod figure;
pub mod method;
pub mod parameter;
pub mod reproduce;
pub mod synth;
#[cfg(test)]
mod testkit;
