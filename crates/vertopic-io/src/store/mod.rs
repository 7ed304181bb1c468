//! What vertopic writes to read it again: the on-disk corpus, the model file and the sketch file.

mod checksum;
pub mod corpus;
mod ipc;
pub mod model;
pub mod sketch;
mod tensors;

pub use corpus::{
    CorpusKind, CorpusMeta, read_corpus, read_corpus_into, write_corpus, write_spooled,
};
pub use model::{looks_like_model, read_model, write_model};
pub use sketch::{read_sketch, write_sketch};
