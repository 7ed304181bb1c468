//! Flags about the method. Names are the paper's; a flag left out has the paper's rule of thumb.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use vertopic::corpus::Frequency;

use crate::flags::OtherFlags;

/// How topics are found.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelFlags {
    /// Number of topics, or auto [default: one per 20 documents, at least 2 and at most 20]
    ///
    /// auto picks the smallest K whose held-out perplexity is within one standard error of the best.
    /// The number of significant dimensions of the co-occurrence matrix bounds K. `vertopic sweep`
    /// shows the measures for each K.
    #[arg(short = 'k', long = "topics", value_name = "K")]
    pub(crate) n_topics: Option<HowMany>,

    /// How topics are found [default: embedded; ddp with --paper]
    ///
    /// embedded, embedded-ddp, rp, ddp and binning look for novel words. The others are there for
    /// comparison.
    #[arg(long, value_enum)]
    pub(crate) method: Option<MethodFlag>,

    /// Maximum number of EM sweeps that refine the topics; 0 keeps the geometric topics
    /// [default: 30 with embedded, else 0]
    ///
    /// Refinement stops when the likelihood of the validation documents no longer improves. It is
    /// discarded if that likelihood falls.
    #[arg(long, value_name = "N")]
    pub(crate) refine: Option<usize>,

    /// Novel words of one topic, given by hand; repeat the flag for more topics
    ///
    /// The other topics are found as usual. Novel words near a pinned word are left out.
    /// Example: --pin chip,circuit --pin policy,reward
    #[arg(long = "pin", value_name = "WORDS")]
    pub(crate) pins: Vec<WordList>,

    /// Words that may not be novel; they stay in the vocabulary
    ///
    /// Example: --forbid figure,table. To remove a word from the vocabulary, use --stopwords.
    #[arg(long = "forbid", value_name = "WORDS")]
    pub(crate) forbidden: Vec<WordList>,

    /// Measure the stability of each topic on two halves of the documents, yes or no [default: yes
    /// with embedded, else no]
    #[arg(long, value_name = "YES|NO", value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) stability: Option<bool>,

    /// The algorithms of the paper exactly as published
    ///
    /// Sets --pairs split, --sample half, --affinity exp, --representative average and
    /// --candidates all. Without it the values are all, whole, exp-median, pooled and 20·K. A flag
    /// given next to it wins.
    #[arg(long)]
    pub(crate) paper: bool,

    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Only the N words in most documents may be novel, or all [default: 20·K; all with --paper and
    /// with embedded]
    ///
    /// Rare words are often extreme points by chance. All words stay in the vocabulary. Words as
    /// frequent as the last of the N are candidates too. With --clustering threshold and without -k
    /// the default is all.
    ///
    /// random:N, for embedded, draws N random words instead of finding novel ones. It is a control.
    #[arg(long, value_name = "N", help_heading = "Method in detail")]
    pub(crate) candidates: Option<Candidates>,

    /// Minimum document frequency of a novel word: a number of documents or a share
    #[arg(long, value_name = "FREQ", help_heading = "Method in detail")]
    pub(crate) candidate_min_df: Option<Frequency>,

    /// Minimum number of tokens of a novel word
    #[arg(long, value_name = "N", help_heading = "Method in detail")]
    pub(crate) candidate_min_tokens: Option<u64>,

    /// embedded: weighting of words in a document [default: tf-idf]
    #[arg(long, value_enum, help_heading = "Method in detail")]
    pub(crate) weigh: Option<WeighFlag>,

    /// embedded: number of times the diagonal of the co-occurrence matrix is completed in a pass [default: 4]
    #[arg(long, value_name = "N", help_heading = "Method in detail")]
    pub(crate) completions: Option<usize>,

    /// embedded: maximum squared error of a novel word's point, as a share of its squared distance
    /// from the centre [default: 0.25]
    #[arg(long, value_name = "SHARE", help_heading = "Method in detail")]
    pub(crate) candidate_noise: Option<f64>,

    /// embedded, rp, solid-angle: number of random directions, the paper's P [default: 50·K; 150·K for
    /// solid-angle]
    #[arg(long, value_name = "P", help_heading = "Method in detail")]
    pub(crate) projections: Option<usize>,

    /// ddp: number of most distant words that a word is compared with, r [default: half of all words]
    #[arg(long, value_name = "R", help_heading = "Method in detail")]
    pub(crate) far_words: Option<usize>,

    /// embedded, ddp: number of novel words, s [default: 10·K]
    #[arg(long, value_name = "S", help_heading = "Method in detail")]
    pub(crate) novel_words: Option<usize>,

    /// binning: number of bins [default: square root of the number of documents]
    #[arg(long, value_name = "B", help_heading = "Method in detail")]
    pub(crate) bins: Option<usize>,

    /// Squared distance between novel words of different topics, the paper's d
    ///
    /// Used by --clustering threshold, by --method binning and solid-angle, and by --method ddp
    /// together with --gamma.
    #[arg(
        long,
        value_name = "D",
        help_heading = "Method in detail",
        allow_negative_numbers = true
    )]
    pub(crate) distance: Option<f64>,

    /// ddp: margin of a novel word, the paper's γ; needs --distance
    #[arg(
        long,
        value_name = "G",
        help_heading = "Method in detail",
        allow_negative_numbers = true
    )]
    pub(crate) gamma: Option<f64>,

    /// How novel words are grouped into topics [default: spectral]
    #[arg(long, value_enum, help_heading = "Method in detail")]
    pub(crate) clustering: Option<ClusteringFlag>,

    /// Edge weights of the graph for spectral clustering [default: exp-median; exp with --paper]
    #[arg(long, value_enum, help_heading = "Method in detail")]
    pub(crate) affinity: Option<AffinityFlag>,

    /// What represents a group of novel words in the regression [default: pooled; average with --paper]
    #[arg(long, value_enum, help_heading = "Method in detail")]
    pub(crate) representative: Option<RepresentativeFlag>,

    /// Which pairs of tokens are counted as co-occurrences [default: all; split with --paper]
    #[arg(long, value_enum, help_heading = "Method in detail")]
    pub(crate) pairs: Option<PairsFlag>,

    /// Which tokens the word statistics use; half needs --pairs split [default: whole; half with --paper]
    #[arg(long, value_enum, help_heading = "Method in detail")]
    pub(crate) sample: Option<SampleFlag>,

    /// Duality gap at which a regression is solved [default: 1e-6]
    #[arg(
        long,
        value_name = "GAP",
        help_heading = "Method in detail",
        allow_negative_numbers = true
    )]
    pub(crate) tolerance: Option<f64>,

    #[command(flatten)]
    pub(crate) other: OtherFlags,
}

impl ModelFlags {
    /// The method that is meant.
    pub(crate) fn method(&self) -> MethodFlag {
        let usual = if self.paper { MethodFlag::Ddp } else { MethodFlag::Embedded };
        self.method.unwrap_or(usual)
    }
}

/// Words with commas between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordList(pub(crate) Vec<String>);

impl FromStr for WordList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<String> = text.split(',').map(|word| word.trim().to_owned()).collect();
        let complete = words.iter().all(|word| !word.is_empty());
        complete.then_some(Self(words)).ok_or_else(|| "not words, as in chip,circuit".to_owned())
    }
}

/// How many topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HowMany {
    /// Chosen from the documents.
    Auto,
    Topics(usize),
}

impl FromStr for HowMany {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("auto", _) => Ok(Self::Auto),
            (_, Ok(n)) => Ok(Self::Topics(n)),
            _ => Err("neither a number of topics nor auto".to_owned()),
        }
    }
}

/// How many words may be novel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Candidates {
    All,
    Most(NonZeroUsize),
    Random(NonZeroUsize),
}

impl FromStr for Candidates {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let drawn = text.strip_prefix("random:").map(str::parse);
        match (text, text.parse(), drawn) {
            ("all", ..) => Ok(Self::All),
            (_, Ok(n), _) => Ok(Self::Most(n)),
            (.., Some(Ok(n))) => Ok(Self::Random(n)),
            _ => Err("neither a number of words, at least 1, nor all nor random:N".to_owned()),
        }
    }
}

/// How topics are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodFlag {
    /// Novel words by random projections in an embedding of the words
    Embedded,
    /// Novel words by data-dependent projections in that embedding, with standard errors
    EmbeddedDdp,
    /// Novel words by random projections (Algorithm 2)
    Rp,
    /// Novel words by data-dependent projections (Algorithm 1)
    Ddp,
    /// Novel words by random projections with binning (Algorithm 3)
    Binning,
    /// Collapsed Gibbs sampling of LDA (Griffiths & Steyvers 2004)
    Gibbs,
    /// Non-negative matrix factorisation with a β-divergence (Tan & Févotte 2013)
    Nmf,
    /// Anchor words, least squares (Arora et al. 2013)
    RecoverL2,
    /// Anchor words, Kullback-Leibler divergence (Arora et al. 2013)
    RecoverKl,
    /// Anchor words by linear programmes (Arora et al. 2012); small vocabularies only
    Recover,
    /// Excess correlation analysis: moments of three words (Anandkumar et al. 2012)
    Eca,
    /// Anchor words by successive projection (Gillis & Vavasis 2014)
    Spa,
    /// Anchor words by solid angle (Ding, Ishwar & Saligrama 2014)
    SolidAngle,
}

impl MethodFlag {
    /// The name as typed.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned())
    }
}

/// Weighting of words in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeighFlag {
    /// All pairs of tokens weigh the same
    Tokens,
    /// tf-idf, with documents scaled to length 1
    TfIdf,
}

/// How novel words are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClusteringFlag {
    /// Spectral clustering into K groups
    Spectral,
    /// Join words closer than half of --distance; this sets the number of topics
    Threshold,
}

/// Weights of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AffinityFlag {
    /// exp(-D); underflows where distances are large
    Exp,
    /// exp(-D / median D)
    ExpMedian,
}

/// What stands for a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RepresentativeFlag {
    /// Its strongest word
    Word,
    /// The average of its words
    Average,
    /// The average weighted by frequency
    Pooled,
}

/// Which pairs of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairsFlag {
    /// One token of each of two random halves of the document
    Split,
    /// All pairs of different tokens of the document
    All,
}

/// Which tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SampleFlag {
    /// A random half of every document
    Half,
    /// All tokens
    Whole,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_commas() {
        let words = "chip, circuit".parse::<WordList>().expect("words");
        assert_eq!(words.0, ["chip", "circuit"]);
        for wrong in ["", " ", "a,", ",a", "a,,b"] {
            assert!(wrong.parse::<WordList>().is_err(), "{wrong}");
        }
    }
}
