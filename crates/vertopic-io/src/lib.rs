//! Readers and writers of vertopic.
//!
//! | folder | what it reads or writes |
//! |---|---|
//! | [`source`] | files, folders and standard input, plain or compressed |
//! | [`counts`] | word counts: UCI, MatrixMarket, svmlight, LDA-C |
//! | [`text`] | text: folder, lines, CSV/TSV, JSONL, Parquet; and how it is split into words |
//! | [`store`] | the on-disk corpus (Arrow IPC), the model file and the sketch file (safetensors) |
//! | [`sink`] | where every reader writes its documents: memory or the disk |
//! | [`spool`] | documents on the disk while a fit passes over them |
//! | [`mixtures`] | mixtures out: Parquet, CSV, JSONL |
//! | [`input`] | any of these by the ending of the file |

pub mod advice;
pub mod atomic;
pub mod counts;
mod error;
mod guard;
pub mod input;
pub mod mixtures;
mod mmap;
pub mod sink;
pub mod source;
pub mod spool;
pub mod store;
pub mod text;

pub use advice::Advice;
pub use error::IoError;
pub use mmap::tune_allocator;
