//! What vertopic writes to read it again: the on-disk corpus and the model file.

mod checksum;
pub mod corpus;
mod ipc;
pub mod model;

pub use corpus::{CorpusKind, CorpusMeta, read_corpus, write_corpus};
pub use model::{looks_like_model, read_model, write_model};
