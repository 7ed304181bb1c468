//! Topics with Zipf word frequencies.

use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Gamma, StandardNormal};
use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::estimate::Topics;

use super::{Lda, NOVEL_STREAM, Perturbation, TOPIC_STREAM, random};
use crate::synth::novel_per_topic;
use crate::synth::separable::shuffle;

impl Lda {
    /// The novel words of each topic, ascending: dealt out among all but the most frequent words.
    pub(super) fn novel_words(&self, seed: u64) -> Vec<Vec<u32>> {
        let per_topic = novel_per_topic(self.novel_share, self.words, self.topics);
        let mut words: Vec<u32> = (self.common() as u32..self.words as u32).collect();
        shuffle(&mut words, per_topic * self.topics, &mut random(seed, NOVEL_STREAM));
        let mut lists: Vec<Vec<u32>> =
            (0..self.topics).map(|k| words[k * per_topic..][..per_topic].to_vec()).collect();
        lists.iter_mut().for_each(|list| list.sort_unstable());
        lists
    }

    /// The topics, given their novel words. A novel word is K times as frequent in its topic as the base law
    /// says, so over all topics it is as frequent as any other word of its rank.
    pub(super) fn topic_matrix(
        &self,
        seed: u64,
        novel_words: &[Vec<u32>],
        ctx: &Context<'_>,
    ) -> Result<Topics, Error> {
        let mut base: Vec<f64> =
            (1..=self.words).map(|rank| libm::pow(rank as f64, -self.zipf)).collect();
        let sum: f64 = base.iter().sum();
        base.iter_mut().for_each(|p| *p /= sum);
        // What every topic has: no word that is novel anywhere.
        let mut common = base.clone();
        novel_words.iter().flatten().for_each(|&w| common[w as usize] = 0.0);

        let progress = ctx.stage("drawing topics", self.topics as u64);
        let mut values = vec![0.0_f32; self.words * self.topics];
        ctx.install(|| {
            values.par_chunks_mut(self.words).enumerate().try_for_each(|(k, out)| {
                let mut row = common.clone();
                for &w in &novel_words[k] {
                    row[w as usize] = base[w as usize] * self.topics as f64;
                }
                self.perturbation.apply(&mut row, &mut random(seed, TOPIC_STREAM + k as u64))?;
                let sum: f64 = row.iter().sum();
                out.iter_mut().zip(&row).for_each(|(out, p)| *out = (p / sum) as f32);
                progress.advance(1);
                Ok::<(), Error>(())
            })
        })?;
        Topics::new(self.words, values)
    }
}

impl Perturbation {
    /// Perturbs the frequencies of a topic.
    fn apply(self, row: &mut [f64], random: &mut ChaCha8Rng) -> Result<(), Error> {
        match self {
            Self::LogNormal(spread) => {
                for p in row.iter_mut().filter(|p| **p > 0.0) {
                    let z: f64 = StandardNormal.sample(random);
                    *p *= libm::exp(spread * z - 0.5 * spread * spread);
                }
            }
            Self::Dirichlet(total) => {
                let sum: f64 = row.iter().sum();
                for p in row.iter_mut().filter(|p| **p > 0.0) {
                    let shape = total * *p / sum;
                    *p = match Gamma::new(shape, 1.0) {
                        Ok(gamma) => gamma.sample(random),
                        Err(_) => 0.0, // a parameter that underflowed
                    };
                }
                if row.iter().all(|p| *p == 0.0) {
                    return Err(Error::NotConverged { what: "the draw of a topic" });
                }
            }
        }
        Ok(())
    }
}
