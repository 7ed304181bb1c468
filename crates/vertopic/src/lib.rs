//! Topics of a document collection, by geometry.
pub mod corpus;
mod error;
pub mod exact;
pub mod observe;
pub mod run;
pub mod seed;

pub use error::Error;
