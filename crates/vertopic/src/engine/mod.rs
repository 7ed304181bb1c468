//! Fits over documents that live elsewhere: in other processes, or on a cluster.
//!
//! A fit reads documents by passes only. [`Remote`] hands each pass to an [`Engine`] as bytes. The engine brings the bytes to
//! wherever documents are and calls [`run_pass`] there, for each part of the documents. It merges the results by
//! [`merge_sums`], in any order, and hands back one. The model is the same, byte for byte, as that of all documents in memory.
//!
//! ```
//! use vertopic::context::Context;
//! use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo};
//! use vertopic::engine::{Engine, Remote, merge_sums, run_pass};
//! use vertopic::{Error, FitParams, Method};
//!
//! /// Stands for a cluster.
//! struct Parts(Vec<Corpus>);
//!
//! impl Engine for Parts {
//!     fn run(&self, pass: &[u8]) -> Result<Vec<u8>, Error> {
//!         let ctx = Context::silent()?;
//!         let mut sums = self.0.iter().map(|part| run_pass(pass, part, &ctx));
//!         let first = sums.next().expect("a part")?;
//!         sums.try_fold(first, |all, part| merge_sums(&all, &part?))
//!     }
//! }
//!
//! let words: Vec<String> = (0..8).map(|w| format!("w{w}")).collect();
//! let corpus = |documents: std::ops::Range<u32>| {
//!     let mut b = CorpusBuilder::with_words(words.clone());
//!     for d in documents {
//!         let own = d % 2 * 4;
//!         let mut pairs: Vec<(u32, u32)> = (0..4).map(|i| (own + i, 3 + (d + i) % 4)).collect();
//!         pairs.push(((own + 4) % 8, 1));
//!         b.push(&mut pairs, DocumentInfo::default())?;
//!     }
//!     b.finish()
//! };
//! let (all, ctx) = (corpus(0..200)?, Context::silent()?);
//! let engine = Parts(vec![corpus(0..50)?, corpus(50..200)?]);
//! let remote = Remote::new(engine, all.vocabulary().clone(), &ctx)?;
//! let params = FitParams::paper(2, Method::Rp);
//! assert_eq!(params.fit_with(&remote, &ctx)?, params.fit_with(&all, &ctx)?);
//! # Ok::<(), Error>(())
//! ```
//!
//! All parts have the words of the whole in one order; [`Corpus::project`](crate::corpus::Corpus::project) brings them there.
//! Bytes are checked before anything is made of them, so a forged pass is an error, and not a panic. It may still ask for much
//! time and memory.

mod registry;
mod remote;

pub use registry::{merge_sums, run_own_pass, run_pass};
pub use remote::{Engine, Remote};

#[cfg(test)]
mod tests;
