//! Groups that are given by hand.

use crate::cluster::{Distances, Group, Representative};
use crate::context::Context;
use crate::corpus::Vocabulary;
use crate::detect::{NovelWord, NovelWords, ResolvedGuidance};
use crate::embed::Embedding;
use crate::error::{Error, Parameter};

/// A novel word whose squared distance from a pin is below this share of the median between novel words is
/// near it: half as far as novel words are in the middle. The centre of all topics is about .7 as far from
/// them, so a pin of common words takes nobody with it.
const NEAR: f64 = 0.25;

/// The novel words without those near a pin. They would make a second topic of the same thing. An error if the
/// words of a pin occur with no others: then it has no place.
pub fn away_from_pins(
    embedding: &Embedding,
    vocabulary: &Vocabulary,
    novel: NovelWords,
    guidance: &ResolvedGuidance,
    ctx: &Context<'_>,
) -> Result<NovelWords, Error> {
    if guidance.pins.is_empty() {
        return Ok(novel);
    }
    let mut pins = Vec::new();
    for words in &guidance.pins {
        pins.push(point(embedding, words).ok_or_else(|| {
            let names: Vec<&str> = words.iter().map(|&w| vocabulary.word(w)).collect();
            let rule = "words that occur with others in documents";
            Error::parameter(Parameter::Pins, rule, names.join(", "))
        })?);
    }
    let rank = embedding.rank();
    let points: Vec<f64> =
        novel.words.iter().flat_map(|n| embedding.point(n.word as usize)).collect();
    let near = NEAR * Distances::between(&points, rank, ctx).median();
    let distance =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
    let away = |at: &[f64]| pins.iter().all(|pin| distance(pin, at) >= near);
    let words = novel.words.iter().zip(points.chunks(rank)).filter(|(_, at)| away(at));
    Ok(NovelWords { words: words.map(|(n, _)| *n).collect(), ..novel })
}

/// A group for each pin. Its words are pooled, however rare they are one by one.
pub(super) fn groups(
    embedding: &Embedding,
    guidance: &ResolvedGuidance,
) -> Result<Vec<Group>, Error> {
    let mass = embedding.mass.as_slice();
    let group = |pin: &Vec<u32>| {
        point(embedding, pin).ok_or(Error::NoPairs)?;
        let words = pin.iter().map(|&word| NovelWord { word, strength: 0.0 }).collect();
        Ok(Group::new(words, Representative::Pooled, [mass, mass]))
    };
    guidance.pins.iter().map(group).collect()
}

/// The point of pooled words; none if they have no mass.
fn point(embedding: &Embedding, words: &[u32]) -> Option<Vec<f64>> {
    let mass: f64 = words.iter().map(|&w| embedding.mass[w as usize]).sum();
    let mut point = vec![0.0; embedding.rank()];
    for &w in words {
        point.iter_mut().zip(embedding.row(w as usize)).for_each(|(p, y)| *p += y / mass);
    }
    (mass > 0.0).then_some(point)
}
