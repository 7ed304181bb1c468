//! Replaces one stage of the pipeline: novel words are grouped by farthest-first traversal instead of spectral clustering.
//!
//! `cargo run -p vertopic --example replace_a_stage`

#![allow(clippy::print_stdout)] // an example talks

use vertopic::cluster::{Distances, Groups, Representative};
use vertopic::detect::{TopicRequest, novel_words};
use vertopic::embed::Embedding;
use vertopic::estimate;
use vertopic::moments::WordStats;
use vertopic::pipeline::{Assembly, GeometricFit};
use vertopic::refine::RefineReport;
use vertopic::space::{EmbeddingSpace, WordSpace};
use vertopic::{Context, Corpus, CorpusBuilder, DocumentInfo, Error, FitParams};

const K: usize = 3;

fn main() -> Result<(), Error> {
    let (corpus, ctx) = (corpus()?, Context::silent()?);
    let params = FitParams::new(K);
    params.check()?;

    // The stages of `FitParams::fit`, one by one.
    let stats = WordStats::of(&corpus, params.token_pairs(), &ctx)?;
    let embed = params.embed().cloned().unwrap_or_default();
    let embedding = Embedding::of(&corpus, &stats, &embed, K, &ctx)?;
    let space = EmbeddingSpace::new(&corpus, &stats, &embedding);
    let novel = novel_words(&space, params.detect(), &TopicRequest::new(Some(K)), &ctx)?;

    // The replaced stage. `cluster::groups` would do it by spectral clustering.
    let group = farthest_first(&space.distances(&novel.ids(), &ctx)?, K);
    let groups = Groups::new(&novel, &group, Representative::Pooled, space.masses());

    let estimate = estimate::topics(&space, &groups, params.estimate(), &ctx)?;
    let geometry = GeometricFit::new(groups, estimate);
    let topics = geometry.unrefined(RefineReport::default(), &ctx)?;
    let model = Assembly::new(corpus.vocabulary(), &stats, &geometry, &topics).model(&params)?;
    for label in model.labels() {
        println!("{label}");
    }
    Ok(())
}

/// The group of each word. A centre is the word farthest from all centres before; a word joins its nearest centre.
fn farthest_first(distances: &Distances, k: usize) -> Vec<usize> {
    let n = distances.len();
    let mut centres = vec![0];
    let nearest = |centres: &[usize], i: usize| {
        let by = |a: &usize, b: &usize| {
            distances.at(i, centres[*a]).total_cmp(&distances.at(i, centres[*b]))
        };
        (0..centres.len()).min_by(by).unwrap_or(0)
    };
    while centres.len() < k.min(n) {
        let far = |i: &usize| distances.at(*i, centres[nearest(&centres, *i)]);
        let next = (0..n).max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0);
        centres.push(next);
    }
    (0..n).map(|i| nearest(&centres, i)).collect()
}

/// Documents about the sea, the hills and the oven.
fn corpus() -> Result<Corpus, Error> {
    let mut builder = CorpusBuilder::new();
    for d in 0..300 {
        let subject = |d: usize| ["sea", "hill", "oven"][d % 3];
        let mut counts: Vec<(u32, u32)> = (0..5)
            .map(|i| {
                let word = format!("{}{}", subject(d), (d / 3 + i) % 8);
                (builder.word(&word), 1 + (d + i) as u32 % 3)
            })
            .collect();
        counts.push((builder.word(&format!("{}{}", subject(d + 1), d % 8)), 1));
        builder.push(&mut counts, DocumentInfo::default())?;
    }
    builder.finish()
}
