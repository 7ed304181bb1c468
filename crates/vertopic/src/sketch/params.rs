//! Which sums a sketch has.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Parameter, Setting};
use crate::moments::{PairScheme, TokenPairs, TokenSample};
use crate::seed::Seed;

/// Settings of a sketch. A fit needs a sketch with the same settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SketchParams {
    /// Which pairs of tokens are counted.
    pub pairs: PairScheme,
    /// Number of random directions that words are projected on, for RP; 0 without.
    pub projections: usize,
    /// Which tokens are projected.
    pub sample: TokenSample,
    /// The seed of the split and of the directions.
    pub seed: Seed,
}

impl SketchParams {
    /// The pairs of tokens that are counted.
    pub fn token_pairs(&self) -> TokenPairs {
        TokenPairs::new(self.seed, self.pairs)
    }

    /// Refuses values that contradict each other.
    pub fn check(&self) -> Result<(), Error> {
        if self.sample == TokenSample::Half && self.pairs == PairScheme::All {
            let rule = "whole, unless documents are split";
            return Err(Error::parameter(Parameter::Sample, rule, "half"));
        }
        Ok(())
    }

    /// The same with defaults for settings that have no effect, so that sketches of the same sums are equal.
    #[must_use]
    pub fn settled(self) -> Self {
        let Self { pairs, projections, sample, seed } = self;
        let drawn = pairs == PairScheme::Split || projections > 0;
        Self {
            pairs,
            projections,
            sample: if projections > 0 { sample } else { TokenSample::default() },
            seed: if drawn { seed } else { Seed::default() },
        }
    }

    /// The settings that make a difference, as a front end spells their values.
    pub fn settings(&self) -> Vec<Setting> {
        let Self { pairs, projections, sample, seed } = self.settled();
        let all = pairs == PairScheme::All;
        let mut settings = vec![Setting::new(Parameter::Pairs, if all { "all" } else { "split" })];
        if projections > 0 {
            let sample = if sample == TokenSample::Whole { "whole" } else { "half" };
            settings.push(Setting::new(Parameter::Projections, projections.to_string()));
            settings.push(Setting::new(Parameter::Sample, sample));
        }
        if !all || projections > 0 {
            settings.push(Setting::new(Parameter::Seed, seed.0.to_string()));
        }
        settings
    }

    /// Whether a sketch with these settings has all sums that one with the settings `wanted` has.
    pub fn covers(&self, wanted: &Self) -> bool {
        let (has, wants) = (self.settled(), wanted.settled());
        let projections = wants.projections == 0
            || (has.sample == wants.sample && has.projections >= wants.projections);
        let drawn = wants.pairs == PairScheme::Split || wants.projections > 0;
        has.pairs == wants.pairs && projections && (!drawn || has.seed == wants.seed)
    }
}

impl fmt::Display for SketchParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Setting::list(&self.settings()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_covers_what_it_has_and_less() {
        let plain = SketchParams::default();
        let seeded = SketchParams { seed: Seed(3), ..plain };
        let projected = SketchParams { projections: 8, ..seeded };
        let split =
            SketchParams { pairs: PairScheme::Split, sample: TokenSample::Half, ..projected };
        assert!(plain.covers(&seeded), "nothing is drawn");
        assert_eq!(plain, seeded.settled());
        assert!(projected.covers(&plain) && !plain.covers(&projected));
        assert!(projected.covers(&SketchParams { projections: 7, ..projected }));
        for other in [
            SketchParams { projections: 9, ..projected },
            SketchParams { seed: Seed(4), ..projected },
            SketchParams { pairs: PairScheme::Split, ..projected },
        ] {
            assert!(!projected.covers(&other), "{other}");
        }
        for other in [
            SketchParams { sample: TokenSample::Whole, ..split },
            SketchParams { seed: Seed(4), projections: 0, ..split },
        ] {
            assert!(!split.covers(&other), "{other}");
        }
        assert_eq!(plain.to_string(), "pairs of tokens = all");
        assert_eq!(
            split.to_string(),
            "pairs of tokens = split, number of projections = 8, sample of tokens = half, seed = 3"
        );
        let wrong = SketchParams { sample: TokenSample::Half, ..plain };
        assert!(wrong.check().is_err() && split.check().is_ok());
    }
}
