#![doc = include_str!("../README.md")]
//!
//! The method is that of "Topic Discovery through Data Dependent and Random Projections" (Ding, Rohban, Ishwar &
//! Saligrama, ICML 2013).
//!
//! ## Modules
//!
//! Data flows one way, and the modules show it:
//!
//! | module | question it answers |
//! |---|---|
//! | [`corpus`] | which words are in which document? |
//! | [`moments`] | how do words occur together over the documents? |
//! | [`sketch`] | what is left when the documents are gone? |
//! | [`embed`] | where do words lie in a few dimensions? |
//! | [`space`] | what do the next three stages ask of words as points? |
//! | [`detect`] | which words are novel? |
//! | [`cluster`] | which novel words belong to the same topic? |
//! | [`estimate`] | how much of each topic is in every word? |
//! | [`infer`] | how much of each topic is in a document? |
//! | [`refine`] | which topics make the documents most likely? |
//! | [`evaluate`] | how good are the topics? |
//! | [`model`] | what is kept? |
//! | [`pipeline`] | how do the stages make a fit? |
//! | [`choose`] | how many topics? |
//!
//! Underneath lie [`seed`] (keyed random numbers), [`exact`] (sums that do not depend on their order), [`context`]
//! (threads and memory), [`observe`] (progress), [`note`] (what a shell stores in a model) and [`error`].

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
pub mod note;
pub mod observe;
pub mod pipeline;
pub mod refine;
pub mod seed;
mod simd;
pub mod sketch;
pub mod space;
#[cfg(test)]
mod testkit;

pub use choose::{choose_topics, sweep};
pub use context::Context;
pub use corpus::{Corpus, CorpusBuilder, DocumentInfo, Documents};
pub use detect::Method;
pub use error::{Advice, Error, Parameter, Setting};
pub use model::TopicModel;
pub use pipeline::FitParams;
pub use sketch::Sketch;
