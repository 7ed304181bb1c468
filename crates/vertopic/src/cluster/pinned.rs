//! Groups that the user gives.

use crate::cluster::{Group, Representative};
use crate::context::Context;
use crate::detect::{NovelWord, NovelWords, ResolvedGuidance, TopicRequest};
use crate::error::{Error, Parameter};
use crate::space::WordSpace;

/// A novel word is near a pin if its squared distance from the pin is below this share of the median between novel
/// words: half the median distance. The centre of all topics is at about .7 of the median distance from them, so a pin of
/// common words removes no word.
const NEAR: f64 = 0.25;

/// The novel words without those near a pin, which would make a second topic of the same thing. It is an error if the words
/// of a pin occur with no others: then the pin has no point.
pub fn away_from_pins<S: WordSpace>(
    space: &S,
    novel: &NovelWords,
    request: &TopicRequest,
    ctx: &Context<'_>,
) -> Result<NovelWords, Error> {
    if !request.has_pins() {
        return Ok(novel.clone());
    }
    let ids = novel.ids();
    let near = NEAR * space.distances(&ids, ctx)?.median();
    let mut away = vec![true; ids.len()];
    for pin in &request.guidance().pins {
        let distances = space.distances_from(pin, &ids, ctx)?.ok_or_else(|| {
            let names: Vec<&str> = pin.iter().map(|&w| space.vocabulary().word(w)).collect();
            let rule = "words that occur with others in documents";
            Error::parameter(Parameter::Pins, rule, names.join(", "))
        })?;
        away.iter_mut().zip(distances).for_each(|(away, d)| *away &= d >= near);
    }
    let words = novel.words.iter().zip(away).filter(|(_, away)| *away);
    Ok(NovelWords { words: words.map(|(n, _)| *n).collect(), ..*novel })
}

/// A group for each pin. Its words are pooled, however rare each is.
pub(super) fn groups<S: WordSpace>(
    space: &S,
    guidance: &ResolvedGuidance,
) -> Result<Vec<Group>, Error> {
    let masses = space.masses();
    let group = |pin: &Vec<u32>| {
        if !pin.iter().any(|&w| masses.on_both_sides(w)) {
            return Err(Error::NoPairs);
        }
        let words = pin.iter().map(|&word| NovelWord { word, strength: 0.0 }).collect();
        Ok(Group::new(words, Representative::Pooled, masses))
    };
    guidance.pins.iter().map(group).collect()
}
