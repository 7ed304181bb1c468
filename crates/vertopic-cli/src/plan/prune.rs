//! Which words stay.

use vertopic::corpus::{Frequency, Prune};
use vertopic_io::input::Kind;

use crate::flags::PruneFlags;

/// With fewer documents than this no word is too frequent.
const FEW: usize = 20;

/// Limits on words; what was not given depends on the corpus.
#[derive(Debug)]
pub(crate) struct PrunePlan(PruneFlags);

impl From<PruneFlags> for PrunePlan {
    fn from(flags: PruneFlags) -> Self {
        Self(flags)
    }
}

impl PrunePlan {
    /// The limits before a fit of `documents` documents.
    pub(crate) fn for_fit(&self, kind: Kind, documents: usize) -> Prune {
        let rare = (documents as u64).div_ceil(200).clamp(2, 10);
        // In a handful of documents every word is rare, and half of them is fewer than two.
        let frequent = if kind == Kind::Text && documents >= FEW { 0.5 } else { 1.0 };
        self.or(Frequency::Count(rare), Frequency::Share(frequent))
    }

    /// The limits of an import: none but those that were given.
    pub(crate) fn for_import(&self) -> Option<Prune> {
        let Prune { min_df, max_df, .. } = Prune::default();
        let PruneFlags { min_df: low, max_df: high, max_vocab } = &self.0;
        let given = low.is_some() || high.is_some() || max_vocab.is_some();
        given.then(|| self.or(min_df, max_df))
    }

    fn or(&self, min_df: Frequency, max_df: Frequency) -> Prune {
        Prune {
            min_df: self.0.min_df.unwrap_or(min_df),
            max_df: self.0.max_df.unwrap_or(max_df),
            max_vocab: self.0.max_vocab.map(Into::into),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_suit_the_size_and_kind_of_the_corpus() {
        let plan = PrunePlan::from(PruneFlags::default());
        for (documents, rare) in [(20, 2), (320, 2), (601, 4), (1500, 8), (1_000_000, 10)] {
            let limits = plan.for_fit(Kind::Text, documents);
            assert_eq!(limits.min_df, Frequency::Count(rare), "{documents}");
            assert_eq!(limits.max_df, Frequency::Share(0.5));
        }
        assert_eq!(plan.for_fit(Kind::Counts, 100).max_df, Frequency::Share(1.0));
        assert_eq!(plan.for_fit(Kind::Text, 3).max_df, Frequency::Share(1.0));
        assert_eq!(plan.for_import(), None);
    }

    #[test]
    fn what_is_given_goes_first() {
        let max_vocab = std::num::NonZeroUsize::new(7);
        let min_df = Some(Frequency::Share(0.1));
        let plan = PrunePlan::from(PruneFlags { min_df, max_df: None, max_vocab });
        let limits = plan.for_import().expect("limits");
        assert_eq!((limits.min_df, limits.max_vocab), (Frequency::Share(0.1), Some(7)));
        assert_eq!(limits.max_df, Frequency::Share(1.0));
    }
}
