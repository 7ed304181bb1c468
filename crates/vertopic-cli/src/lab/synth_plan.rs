//! Which corpus is generated, and where it goes.

use std::path::PathBuf;

use serde_json::{Value, json};
use vertopic::Error;
use vertopic_io::counts::uci::Packing;
use vertopic_lab::parameter;
use vertopic_lab::synth::lda::{Lda, Lengths, Perturbation};
use vertopic_lab::synth::prior::{LogisticNormal, Prior};
use vertopic_lab::synth::separable::{Frequency, Law, Separable};
use vertopic_lab::synth::swimmer;

use crate::advice;
use crate::failure::Failure;
use crate::flags::{
    LdaFlags, LengthsFlag, PriorFlag, PriorFlags, SeparableFlags, SwimmerFlags, SynthFormat,
    SynthKind, SynthOutFlags,
};

/// What to do about a flag that has no effect.
const LEAVE_OUT: &str = "leave it out; it would change nothing";
/// Spread of lengths unless the user says another.
const LENGTH_SPREAD: f64 = 0.5;

/// What is generated.
#[derive(Debug)]
pub(crate) enum Recipe {
    Separable(Separable),
    Swimmer { tokens: u32, background: f64 },
    Lda(Lda),
}

/// What is generated, and its files.
#[derive(Debug)]
pub(crate) struct SynthPlan {
    pub(crate) recipe: Recipe,
    pub(crate) seed: u64,
    pub(crate) folder: PathBuf,
    /// How UCI is packed; `None` for an on-disk corpus.
    pub(crate) packing: Option<Packing>,
}

impl TryFrom<SynthKind> for SynthPlan {
    type Error = Failure;

    /// Refuses numbers out of range and flags that would be ignored.
    fn try_from(kind: SynthKind) -> Result<Self, Failure> {
        let (recipe, out) = match kind {
            SynthKind::Separable(flags) => separable(*flags)?,
            SynthKind::Swimmer(flags) => swimmer_images(*flags)?,
            SynthKind::Lda(flags) => lda(*flags)?,
        };
        let packing = match (out.format, out.gzip) {
            (SynthFormat::Uci, false) => Some(Packing::Plain),
            (SynthFormat::Uci, true) => Some(Packing::Gzip),
            (SynthFormat::Arrow, false) => None,
            (SynthFormat::Arrow, true) => {
                return Err(Failure::usage("--gzip is for --format uci", "leave one of them out"));
            }
        };
        Ok(Self { recipe, seed: out.seed, folder: out.out, packing })
    }
}

impl SynthPlan {
    /// The file of documents.
    pub(crate) fn documents(&self) -> PathBuf {
        self.folder.join(match self.packing {
            None => "synth.arrow".to_owned(),
            Some(packing) => format!("docword.synth.txt{}", packing.ending()),
        })
    }

    /// The file of words, where the documents do not hold them.
    pub(crate) fn vocabulary(&self) -> Option<PathBuf> {
        self.packing.map(|_| self.folder.join("vocab.synth.txt"))
    }

    /// The truth as a model file.
    pub(crate) fn truth(&self) -> PathBuf {
        self.folder.join("truth.safetensors")
    }

    /// What was asked for.
    pub(crate) fn settings_file(&self) -> PathBuf {
        self.folder.join("truth.json")
    }

    /// Everything that determines the corpus.
    pub(crate) fn settings(&self) -> Result<Value, Failure> {
        let refused = |e: serde_json::Error| Failure::Run { problem: e.to_string(), hint: None };
        let (kind, settings) = match &self.recipe {
            Recipe::Separable(recipe) => ("separable", serde_json::to_value(recipe)),
            Recipe::Swimmer { tokens, background } => {
                ("swimmer", Ok(json!({"tokens": tokens, "background": background})))
            }
            Recipe::Lda(recipe) => ("lda", serde_json::to_value(recipe)),
        };
        let settings = settings.map_err(refused)?;
        Ok(json!({"generated": kind, "settings": settings, "seed": self.seed}))
    }
}

fn separable(flags: SeparableFlags) -> Result<(Recipe, SynthOutFlags), Failure> {
    let frequency = match (flags.frequency_matched, flags.zipf) {
        (false, None) => Frequency::Paper,
        (true, None) => Frequency::Matched(Law::Uniform),
        (true, Some(exponent)) => Frequency::Matched(Law::Zipf(exponent)),
        (false, Some(_)) => {
            let problem = "--zipf is for --frequency-matched: the paper's recipe has its own law";
            return Err(Failure::usage(problem, "add --frequency-matched"));
        }
    };
    let recipe = Separable {
        words: flags.words,
        novel_share: flags.novel_share,
        topics: flags.n_topics,
        documents: flags.documents,
        tokens: flags.tokens,
        prior: prior(flags.prior)?,
        frequency,
    };
    recipe.check().map_err(|e| usage(&e))?;
    Ok((Recipe::Separable(recipe), flags.out))
}

fn swimmer_images(flags: SwimmerFlags) -> Result<(Recipe, SynthOutFlags), Failure> {
    let SwimmerFlags { tokens, background, out, .. } = flags;
    swimmer::check(background, tokens).map_err(|e| usage(&e))?;
    Ok((Recipe::Swimmer { tokens, background }, out))
}

fn lda(flags: LdaFlags) -> Result<(Recipe, SynthOutFlags), Failure> {
    let lengths = match flags.lengths {
        LengthsFlag::Fixed => Lengths::Fixed,
        LengthsFlag::Poisson => Lengths::Poisson,
        LengthsFlag::LogNormal => Lengths::LogNormal(flags.length_spread.unwrap_or(LENGTH_SPREAD)),
    };
    if flags.length_spread.is_some() && flags.lengths != LengthsFlag::LogNormal {
        return Err(Failure::usage("--length-spread is for --lengths log-normal", LEAVE_OUT));
    }
    let perturbation = match (flags.spread, flags.concentration) {
        (None, None) => Lda::default().perturbation,
        (Some(spread), None) => Perturbation::LogNormal(spread),
        (None, Some(total)) => Perturbation::Dirichlet(total),
        (Some(_), Some(_)) => {
            let problem = "--spread and --concentration are two laws for the topics";
            return Err(Failure::usage(problem, "leave one of them out"));
        }
    };
    let recipe = Lda {
        words: flags.words,
        topics: flags.n_topics,
        documents: flags.documents,
        tokens: flags.tokens,
        lengths,
        prior: prior(flags.prior)?,
        zipf: flags.zipf,
        perturbation,
        novel_share: flags.novel_share,
    };
    recipe.check().map_err(|e| usage(&e))?;
    Ok((Recipe::Lda(recipe), flags.out))
}

/// The distribution of topic mixtures.
fn prior(flags: PriorFlags) -> Result<Prior, Failure> {
    let PriorFlags { prior, alpha, sigma, correlation, groups } = flags;
    let given = |flag: &'static str, given: bool| given.then_some(flag);
    let (stray, other) = match prior {
        PriorFlag::Dirichlet => (
            given("--sigma", sigma.is_some())
                .or(given("--correlation", correlation.is_some()))
                .or(given("--groups", groups.is_some())),
            "logistic-normal",
        ),
        PriorFlag::LogisticNormal => (given("--alpha", !alpha.is_empty()), "dirichlet"),
    };
    if let Some(flag) = stray {
        let hint = format!("leave it out, or add --prior {other}");
        return Err(Failure::usage(format!("{flag} is for --prior {other}"), &hint));
    }
    if groups.is_some() && correlation.is_none() {
        let hint = "add --correlation, for example --correlation 0.5";
        return Err(Failure::usage("--groups needs --correlation", hint));
    }
    let default = LogisticNormal::default();
    Ok(match (prior, &alpha[..]) {
        (PriorFlag::LogisticNormal, _) => Prior::LogisticNormal(LogisticNormal {
            mean: Vec::new(),
            sigma: sigma.unwrap_or(default.sigma),
            correlation: correlation.unwrap_or(default.correlation),
            groups: groups.unwrap_or(default.groups),
        }),
        (PriorFlag::Dirichlet, []) => Prior::Dirichlet(0.1),
        (PriorFlag::Dirichlet, [alpha]) => Prior::Dirichlet(*alpha),
        (PriorFlag::Dirichlet, _) => Prior::Asymmetric(alpha),
    })
}

/// A number out of range is a command that makes no sense.
fn usage(error: &Error) -> Failure {
    let Error::Parameter { parameter, .. } = error else { return error.clone().into() };
    let hint = match *parameter {
        parameter::NOVEL_WORDS => {
            Some("ask for fewer topics (-k), or for more words (--words, --novel-share)")
        }
        parameter::ENTRIES => Some("ask for fewer words (--words) or topics (-k)"),
        parameter::WORDS => {
            Some("every topic needs a word: raise --words, or ask for fewer topics (-k)")
        }
        parameter::PRIOR_ALPHAS => {
            Some("give one number for all topics, or one for each: --alpha 1,0.5,0.1 -k 3")
        }
        parameter::PRIOR_ALPHA => Some("0.1 gives documents of few topics, 1 every mixture alike"),
        parameter::CORRELATION => {
            Some("correlated topics share a group: --correlation 0.5 --groups 2")
        }
        _ => None,
    };
    Failure::Usage { problem: advice::problem(error), hint: hint.map(str::to_owned) }
}
