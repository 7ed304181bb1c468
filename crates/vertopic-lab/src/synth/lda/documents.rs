//! Documents, each from a stream of random numbers of its own.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, Poisson, StandardNormal};
use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::estimate::Topics;

use super::{Lda, Lengths};
use crate::synth::MOST_TOKENS;
use crate::synth::alias::Alias;
use crate::synth::prior::Mixtures;

/// The documents of an LDA corpus, drawn when they are asked for.
#[derive(Debug)]
pub struct LdaDocuments {
    pub(super) lda: Lda,
    seed: ChaCha8Rng,
    topics: Topics,
    novel_words: Vec<Vec<u32>>,
    tables: Vec<Alias>,
    mixtures: Mixtures,
    poisson: Option<Poisson<f64>>,
}

/// Memory that drawing a document needs, used again for the next.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    mixture: Vec<f64>,
    topics: Alias,
    tokens: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Scratch {
    /// The mixture of the document that was drawn last.
    pub fn mixture(&self) -> &[f64] {
        &self.mixture
    }

    /// The document that was drawn last.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }
}

impl LdaDocuments {
    pub(super) fn new(
        lda: Lda,
        seed: u64,
        topics: Topics,
        novel_words: Vec<Vec<u32>>,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let table = |k: usize| Alias::new(topics.topic(k).iter().map(|&p| f64::from(p)));
        let tables = ctx.install(|| (0..lda.topics).into_par_iter().map(table).collect());
        let poisson = match lda.lengths {
            Lengths::Poisson => Poisson::new(lda.tokens as f64).ok(),
            _ => None,
        };
        let mixtures = lda.prior.mixtures(lda.topics)?;
        let seed = ChaCha8Rng::seed_from_u64(seed);
        Ok(Self { lda, seed, topics, novel_words, tables, mixtures, poisson })
    }

    /// What the documents are drawn from.
    pub fn lda(&self) -> &Lda {
        &self.lda
    }

    /// The topics.
    pub fn topics(&self) -> &Topics {
        &self.topics
    }

    /// The novel words of each topic, by id.
    pub fn novel_words(&self) -> &[Vec<u32>] {
        &self.novel_words
    }

    pub(super) fn into_truth(self) -> (Topics, Vec<Vec<u32>>) {
        (self.topics, self.novel_words)
    }

    /// Draws document `d`: its words in ascending order, each with its count. The document is the same
    /// whichever were drawn before.
    pub fn document<'s>(&self, d: usize, scratch: &'s mut Scratch) -> &'s [(u32, u32)] {
        let Scratch { mixture, topics, tokens, pairs } = scratch;
        let mut random = self.seed.clone();
        random.set_stream(d as u64);
        let n = self.length(&mut random);
        self.mixtures.draw_into(&mut random, mixture);
        topics.fill(mixture.iter().copied());
        tokens.clear();
        tokens.extend((0..n).map(|_| {
            let topic = topics.draw(random.next_u64());
            self.tables[topic as usize].draw(random.next_u64())
        }));
        tokens.sort_unstable();
        pairs.clear();
        pairs.extend(tokens.chunk_by(|a, b| a == b).map(|ctx| (ctx[0], ctx.len() as u32)));
        pairs
    }

    /// How many tokens the document has.
    fn length(&self, random: &mut ChaCha8Rng) -> usize {
        let mean = self.lda.tokens as f64;
        let drawn = match (self.lda.lengths, &self.poisson) {
            (Lengths::Poisson, Some(poisson)) => poisson.sample(random),
            (Lengths::LogNormal(spread), _) => {
                let z: f64 = StandardNormal.sample(random);
                (mean * libm::exp(spread * z - 0.5 * spread * spread)).round()
            }
            _ => mean,
        };
        (drawn as usize).clamp(1, MOST_TOKENS)
    }
}
