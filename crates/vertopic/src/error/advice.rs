//! What to do about an error, a warning or a weak topic.

use std::fmt;

use crate::error::{Parameter, Setting};

/// One thing that may help. Its text has no flags: [`parameters`](Self::parameters) and
/// [`settings`](Self::settings) say what to change, and a front end knows what its users type for these.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Check that the input is text with words.
    CheckInput,
    /// Prune fewer words.
    PruneLess,
    /// Prune rare words.
    DropRareWords,
    /// Prune frequent words.
    DropFrequentWords,
    /// Make stop words of the words named.
    AddStopWords,
    /// Another word is probably meant.
    DidYouMean(
        /// That word.
        String,
    ),
    /// Write the word as the vocabulary does.
    CheckSpelling,
    /// Look for a text that occurs again and again.
    CheckRepeats,
    /// Give more documents.
    MoreDocuments,
    /// Give longer documents.
    LongerDocuments,
    /// Ask for fewer topics.
    FewerTopics,
    /// Ask for more topics.
    MoreTopics,
    /// Let more words be novel.
    MoreCandidates,
    /// Let only frequent words be novel.
    FrequentCandidates,
    /// Take more of the candidates for novel.
    MoreNovelWords,
    /// Project on more directions.
    MoreProjections,
    /// Tell fewer words apart.
    LargerDistance,
    /// Tell more words apart.
    SmallerDistance,
    /// Group novel words spectrally.
    SpectralClustering,
    /// Scale the affinity by the median distance.
    MedianAffinity,
    /// Let all words of a group stand for it.
    PooledRepresentative,
    /// Fit with another method.
    OtherMethod,
    /// Pin the words of a topic.
    PinWords,
    /// Join two topics.
    MergeTopics(
        /// The first.
        usize,
        /// The second.
        usize,
    ),
    /// Join a topic with the nearest other one.
    MergeWithNearest,
    /// Fit what can be fitted from sketches.
    FitAsSketches,
    /// Make the sketches with these settings.
    SketchWith(
        /// The settings.
        Vec<Setting>,
    ),
    /// Make all sketches with the same settings.
    SketchAlike,
}

impl Advice {
    /// All kinds of advice, with example values.
    pub fn examples() -> Vec<Self> {
        vec![
            Self::CheckInput,
            Self::PruneLess,
            Self::DropRareWords,
            Self::DropFrequentWords,
            Self::AddStopWords,
            Self::DidYouMean("word".to_owned()),
            Self::CheckSpelling,
            Self::CheckRepeats,
            Self::MoreDocuments,
            Self::LongerDocuments,
            Self::FewerTopics,
            Self::MoreTopics,
            Self::MoreCandidates,
            Self::FrequentCandidates,
            Self::MoreNovelWords,
            Self::MoreProjections,
            Self::LargerDistance,
            Self::SmallerDistance,
            Self::SpectralClustering,
            Self::MedianAffinity,
            Self::PooledRepresentative,
            Self::OtherMethod,
            Self::PinWords,
            Self::MergeTopics(0, 1),
            Self::MergeWithNearest,
            Self::FitAsSketches,
            Self::SketchWith(vec![
                Setting::new(Parameter::Pairs, "split"),
                Setting::new(Parameter::Projections, "100"),
                Setting::new(Parameter::Sample, "half"),
                Setting::new(Parameter::Seed, "3"),
            ]),
            Self::SketchAlike,
        ]
    }

    /// The parameters to change, each to a value that the user chooses.
    pub fn parameters(&self) -> &'static [Parameter] {
        use Parameter as P;
        match self {
            Self::CheckInput => &[P::StopWords, P::MinLength],
            Self::PruneLess => &[P::MinDf, P::MaxDf, P::MaxVocab],
            Self::DropRareWords => &[P::MinDf],
            Self::DropFrequentWords => &[P::MaxDf],
            Self::AddStopWords => &[P::StopWords],
            Self::CheckSpelling => &[P::MinDf, P::MaxDf, P::StopWords],
            Self::FewerTopics | Self::MoreTopics => &[P::Topics],
            Self::MoreCandidates => &[P::Candidates, P::CandidateMinDf, P::CandidateMinTokens],
            Self::FrequentCandidates => &[P::CandidateMinDf, P::CandidateMinTokens],
            Self::MoreNovelWords => &[P::NovelWords],
            Self::MoreProjections => &[P::Projections],
            Self::LargerDistance | Self::SmallerDistance => &[P::Distance],
            Self::OtherMethod => &[P::Method],
            Self::PinWords => &[P::Pins],
            Self::DidYouMean(_)
            | Self::CheckRepeats
            | Self::MoreDocuments
            | Self::LongerDocuments
            | Self::SpectralClustering
            | Self::MedianAffinity
            | Self::PooledRepresentative
            | Self::MergeTopics(..)
            | Self::MergeWithNearest
            | Self::FitAsSketches
            | Self::SketchWith(_)
            | Self::SketchAlike => &[],
        }
    }

    /// The parameters to change, each with the value to give it.
    pub fn settings(&self) -> Vec<Setting> {
        let set = |parameter, value: &str| vec![Setting::new(parameter, value)];
        match self {
            Self::SpectralClustering => set(Parameter::Clustering, "spectral"),
            Self::MedianAffinity => set(Parameter::Affinity, "exp-median"),
            Self::PooledRepresentative => set(Parameter::Representative, "pooled"),
            Self::MergeTopics(a, b) => set(Parameter::MergedTopics, &format!("{a},{b}")),
            Self::FitAsSketches => vec![
                Setting::new(Parameter::Method, "ddp"),
                Setting::new(Parameter::Refine, "0"),
                Setting::new(Parameter::Stability, "no"),
            ],
            Self::SketchWith(settings) => settings.clone(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CheckInput => {
                "check that the input is UTF-8 text, and not only stop words or short words"
            }
            Self::PruneLess => "keep more words",
            Self::DropRareWords => "leave out rare words",
            Self::DropFrequentWords => "leave out words that are in many documents",
            Self::AddStopWords => "add them to the stop words",
            Self::DidYouMean(word) => return write!(f, "did you mean {word:?}?"),
            Self::CheckSpelling => {
                "write words in lower case, and check that the word was not pruned"
            }
            Self::CheckRepeats => "look for a text that is repeated",
            Self::MoreDocuments => "give more documents",
            Self::LongerDocuments => "give longer documents",
            Self::FewerTopics => "ask for fewer topics",
            Self::MoreTopics => "ask for more topics",
            Self::MoreCandidates => "let more words be novel",
            Self::FrequentCandidates => "let only more frequent words be novel",
            Self::MoreNovelWords => "take more novel words",
            Self::MoreProjections => "use more projections",
            Self::LargerDistance => "use a larger distance, which joins groups",
            Self::SmallerDistance => "use a smaller distance, which separates groups",
            Self::SpectralClustering => "use spectral clustering, which gives as many groups as asked for",
            Self::MedianAffinity => "scale the affinity by the median distance",
            Self::PooledRepresentative => "let the pooled words of a group represent it",
            Self::OtherMethod => "use another method",
            Self::PinWords => "pin its words if you want the topic",
            Self::MergeTopics(a, b) => return write!(f, "merge topics {a} and {b}"),
            Self::MergeWithNearest => "merge it with the nearest topic",
            Self::FitAsSketches => {
                "fit sketches by DDP or RP, with a given number of topics, without refinement and without the stability check"
            }
            Self::SketchWith(settings) => {
                return write!(f, "make the sketches with {}", Setting::list(settings));
            }
            Self::SketchAlike => "make both sketches with the same settings",
        })
    }
}

/// Several pieces of advice as one sentence, each told by `tell`: "a, b, or c".
pub fn sentence(advice: &[Advice], tell: impl Fn(&Advice) -> String) -> Option<String> {
    let parts: Vec<String> = advice.iter().map(tell).collect();
    match &parts[..] {
        [] => None,
        [one] => Some(one.clone()),
        [one, other] => Some(format!("{one}, or {other}")),
        [most @ .., last] => Some(format!("{}, or {last}", most.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_told_in_one_sentence() {
        let told = |advice: &[Advice]| sentence(advice, Advice::to_string);
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[Advice::PruneLess]).as_deref(), Some("keep more words"));
        assert_eq!(
            told(&[Advice::PruneLess, Advice::FewerTopics, Advice::OtherMethod]).as_deref(),
            Some("keep more words, ask for fewer topics, or use another method")
        );
    }

    #[test]
    fn no_advice_names_a_flag() {
        for advice in Advice::examples() {
            assert!(!advice.to_string().contains("--"), "{advice}");
        }
    }
}
