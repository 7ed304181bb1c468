//! The parameters that errors and advice speak of.

use std::fmt;

macro_rules! parameters {
    ($($(#[$doc:meta])* $variant:ident => $name:literal,)*) => {
        /// A parameter, named as in a sentence. A front end turns it into what its users type: a flag, a keyword.
        ///
        /// The enum is exhaustive on purpose: with a new parameter, a front end does not compile until it has
        /// a name for it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Parameter {
            $($(#[$doc])* $variant,)*
            /// A parameter of code outside this library, by its name in a sentence.
            Other(&'static str),
        }

        impl Parameter {
            /// All parameters of this library.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name in a sentence: "the number of topics".
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Other(name) => name,
                }
            }
        }
    };
}

parameters! {
    /// Which words text keeps out.
    StopWords => "the stop words",
    /// Fewest letters of a word.
    MinLength => "the minimum word length",
    /// Lower limit of the document frequency of words.
    MinDf => "the minimum document frequency",
    /// Upper limit of the document frequency of words.
    MaxDf => "the maximum document frequency",
    /// Size of the vocabulary, at most.
    MaxVocab => "the maximum vocabulary",
    /// The documents given.
    Documents => "the number of documents",
    /// K.
    Topics => "the number of topics",
    /// How topics are found.
    Method => "the method",
    /// Which pairs of tokens are counted.
    Pairs => "the pairs of tokens",
    /// Which tokens the statistics of single words use.
    Sample => "the sample of tokens",
    /// The seed of all random draws.
    Seed => "the seed",
    /// Number of words that may be novel.
    Candidates => "the number of candidates",
    /// Number of candidates drawn at random.
    RandomCandidates => "the number of random candidates",
    /// Lower limit of the document frequency of candidates.
    CandidateMinDf => "the minimum document frequency of candidates",
    /// Lower limit of the tokens of candidates.
    CandidateMinTokens => "the minimum number of tokens of candidates",
    /// Upper limit of the relative squared error of a candidate's point.
    CandidateNoise => "the noise limit of candidates",
    /// P.
    Projections => "the number of projections",
    /// Number of distant words that DDP compares with.
    FarWords => "the number of far words",
    /// Number of novel words to take.
    NovelWords => "the number of novel words",
    /// Number of bins.
    Bins => "the number of bins",
    /// The paper's d.
    Distance => "the distance",
    /// The paper's γ.
    Gamma => "gamma",
    /// How novel words are grouped.
    Clustering => "the clustering",
    /// Weights of the graph of novel words.
    Affinity => "the affinity",
    /// What stands for a group of novel words.
    Representative => "the representative",
    /// Gap at which a problem counts as solved.
    Tolerance => "the tolerance",
    /// Sweeps of EM refinement.
    Refine => "the number of refinement sweeps",
    /// Smoothing of the refined topics.
    Smoothing => "the smoothing",
    /// Weight of the geometric topics in the refinement.
    GeometryWeight => "the weight of the geometry",
    /// Whether half-sample stability is measured.
    Stability => "the stability check",
    /// Words given for a topic.
    Pins => "the pinned words",
    /// Words that may not be novel.
    Forbidden => "the forbidden words",
    /// Topics to join into one.
    MergedTopics => "the topics to merge",
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A parameter with its value, spelled as in a front end: `pairs` is `split`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The parameter.
    pub parameter: Parameter,
    /// Its value.
    pub value: String,
}

impl Setting {
    /// The setting of `parameter` to `value`.
    pub fn new(parameter: Parameter, value: impl Into<String>) -> Self {
        Self { parameter, value: value.into() }
    }

    /// Several settings in a sentence: "the pairs of tokens split, the seed 3".
    pub fn list(settings: &[Self]) -> String {
        settings.iter().map(Self::to_string).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.parameter.name().trim_start_matches("the "), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
        let mut names: Vec<&str> = Parameter::ALL.iter().map(|p| p.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Parameter::ALL.len());
    }

    #[test]
    fn settings_are_listed() {
        let settings =
            [Setting::new(Parameter::Pairs, "split"), Setting::new(Parameter::Seed, "3")];
        assert_eq!(Setting::list(&settings), "pairs of tokens = split, seed = 3");
    }
}
