//! Topics of a document collection, by geometry.
//!
//! Topics are the vertices of a convex hull. A word that belongs to one topic alone (a *novel word*)
//! sits at a vertex; project all words on a direction and the extreme ones are novel. That is the method
//! of "Topic Discovery through Data Dependent and Random Projections" (Ding, Rohban, Ishwar & Saligrama,
//! ICML 2013), which this crate implements: no sampling chain to wait for, and one answer.
//!
//! Data flows one way, and the modules show it:
//!
//! | module | question it answers |
//! |---|---|
//! | [`corpus`] | which words are in which document? |
//! | [`moments`] | how do words occur together over the documents? |
//! | [`sketch`] | what is left when the documents are gone? |
//! | [`embed`] | where do words lie? |
//! | [`detect`] | which words are novel? |
//! | [`cluster`] | which novel words belong to the same topic? |
//! | [`estimate`] | how much of each topic is in every word? |
//! | [`infer`] | how much of each topic is in a document? |
//! | [`refine`] | which topics make the documents most likely? |
//! | [`evaluate`] | how good is it? |
//! | [`model`] | what is kept? |
//! | [`choose`] | how many topics? |
//!
//! [`fit`] is the whole method on one page. Underneath lie [`seed`] (keyed random numbers), [`exact`]
//! (sums that do not depend on their order), [`ctx`] (threads) and [`observe`] (progress).

pub mod choose;
pub mod cluster;
pub mod context;
pub mod corpus;
pub mod detect;
pub mod embed;
pub mod engine;
pub mod error;
pub mod estimate;
pub mod evaluate;
pub mod exact;
pub mod infer;
mod linalg;
pub mod model;
pub mod moments;
pub mod observe;
mod pipeline;
pub mod refine;
pub mod seed;
mod simd;
pub mod sketch;
#[cfg(test)]
mod testkit;

pub use choose::{choose_topics, sweep};
pub use error::{Advice, Error, Parameter, Setting};
pub use model::TopicModel;
pub use pipeline::{CANDIDATE_NOISE, CANDIDATES_PER_TOPIC, FitParams, fit, fit_sketch};
