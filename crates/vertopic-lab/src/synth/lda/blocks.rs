//! Documents in blocks: drawn on all threads, handed over in order, never all kept.

use std::ops::Range;
use std::sync::mpsc::sync_channel;

use rayon::prelude::*;
use vertopic::context::Context;

use super::documents::{LdaDocuments, Scratch};

/// Tokens of a block, about: enough work for a thread, little memory.
const BLOCK_TOKENS: usize = 1 << 17;
/// Documents of a block, at most.
const BLOCK_DOCUMENTS: usize = 1 << 12;

/// Documents that follow each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    first: usize,
    offsets: Vec<usize>,
    pairs: Vec<(u32, u32)>,
    /// Sum of the documents' mixtures.
    mixtures: Vec<f64>,
}

impl Block {
    /// The documents with their numbers, from 0; the words of each ascend.
    pub fn documents(&self) -> impl Iterator<Item = (usize, &[(u32, u32)])> {
        let spans = self.offsets.windows(2).enumerate();
        spans.map(|(i, span)| (self.first + i, &self.pairs[span[0]..span[1]]))
    }

    /// Number of documents.
    pub fn n_documents(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// What many documents come to. Sums are taken in the order of the blocks, so they are the same for any
/// number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Documents.
    pub documents: u64,
    /// Pairs of a document and one of its words.
    pub pairs: u64,
    /// Tokens.
    pub tokens: u64,
    mixtures: Vec<f64>,
}

impl Tally {
    /// An empty tally of `n_topics` topics.
    pub fn new(n_topics: usize) -> Self {
        Self { documents: 0, pairs: 0, tokens: 0, mixtures: vec![0.0; n_topics] }
    }

    /// Takes in the documents of a block.
    pub fn add(&mut self, block: &Block) {
        let tokens = block.pairs.iter().map(|&(_, count)| u64::from(count)).sum();
        let (documents, pairs) = (block.n_documents() as u64, block.pairs.len() as u64);
        let mixtures = block.mixtures.clone();
        self.merge(&Self { documents, pairs, tokens, mixtures });
    }

    /// Takes in what comes next.
    pub fn merge(&mut self, next: &Self) {
        self.documents += next.documents;
        self.pairs += next.pairs;
        self.tokens += next.tokens;
        self.mixtures.iter_mut().zip(&next.mixtures).for_each(|(sum, m)| *sum += m);
    }

    /// Mean share of each topic in the mixtures.
    pub fn weights(&self) -> Vec<f64> {
        self.mixtures.iter().map(|sum| sum / self.documents.max(1) as f64).collect()
    }
}

impl LdaDocuments {
    /// Hands all documents to `make`, a block at a time on all threads, and what it makes of them to
    /// `take`, in order. The first error of `take` ends it.
    pub fn for_each_block<T: Send, E>(
        &self,
        stage: &'static str,
        ctx: &Context<'_>,
        make: impl Fn(Block) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let progress = ctx.stage(stage, self.lda.documents as u64);
        let size = (BLOCK_TOKENS / self.lda.tokens).clamp(1, BLOCK_DOCUMENTS);
        let blocks = self.lda.documents.div_ceil(size);
        let wave = 2 * ctx.threads(); // how many are made at a time does not show in what they are
        let made = |b: usize| {
            let range = b * size..(b * size + size).min(self.lda.documents);
            let n = range.len();
            let made = make(self.block(range));
            progress.advance(n as u64);
            made
        };
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(1);
            let made = &made;
            scope.spawn(move || {
                for first in (0..blocks).step_by(wave) {
                    let last = (first + wave).min(blocks);
                    let next: Vec<T> =
                        ctx.install(|| (first..last).into_par_iter().map(made).collect());
                    if send.send(next).is_err() {
                        return; // nobody takes it any more
                    }
                }
            });
            receive.into_iter().flatten().try_for_each(&mut take)
        })
    }

    /// What all documents come to.
    pub fn tally(&self, stage: &'static str, ctx: &Context<'_>) -> Tally {
        let mut tally = Tally::new(self.lda.topics);
        let of_one = |block: Block| {
            let mut tally = Tally::new(self.lda.topics);
            tally.add(&block);
            tally
        };
        let taken = self.for_each_block(stage, ctx, of_one, |next| {
            tally.merge(&next);
            Ok::<(), std::convert::Infallible>(())
        });
        match taken {
            Ok(()) => tally,
            Err(never) => match never {},
        }
    }

    fn block(&self, documents: Range<usize>) -> Block {
        let mut block = Block {
            first: documents.start,
            offsets: vec![0],
            pairs: Vec::new(),
            mixtures: vec![0.0; self.lda.topics],
        };
        let mut scratch = Scratch::default();
        for d in documents {
            block.pairs.extend_from_slice(self.document(d, &mut scratch));
            block.offsets.push(block.pairs.len());
            let mixture = scratch.mixture();
            block.mixtures.iter_mut().zip(mixture).for_each(|(sum, m)| *sum += m);
        }
        block
    }
}
