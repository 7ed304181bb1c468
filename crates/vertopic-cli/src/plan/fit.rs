//! How topics are found.

mod rules;

use vertopic::FitParams;
use vertopic::cluster::{Affinity, Grouping, Representative};
use vertopic::detect::{Guidance, Method as Detector};
use vertopic::moments::{PairScheme, TokenSample, Weighting};

use crate::failure::Failure;
use crate::flags::{
    AffinityFlag, Candidates, ClusteringFlag, HowMany, MethodFlag, ModelFlags, PairsFlag,
    RepresentativeFlag, SampleFlag, WeighFlag,
};
use crate::lab;
use crate::plan::FitMethod;

/// Flags that make sense together.
#[derive(Debug, Clone)]
pub(crate) struct ModelPlan(ModelFlags);

impl TryFrom<ModelFlags> for ModelPlan {
    type Error = Failure;

    /// Refuses flags that would be ignored, numbers out of range, and a threshold graph without a
    /// number that says how many words to look for.
    fn try_from(flags: ModelFlags) -> Result<Self, Failure> {
        lab::available(flags.method())?;
        if !flags.pins.is_empty()
            && !matches!(flags.method(), MethodFlag::Embedded | MethodFlag::EmbeddedDdp)
        {
            let hint = "leave out --method and --paper, or steer with --forbid alone";
            return Err(Failure::usage(
                "--pin needs the default method, embedded".to_owned(),
                hint,
            ));
        }
        if let Some(rule) = rules::broken(&flags) {
            return Err(Failure::usage(rule, "leave it out; it would change nothing"));
        }
        let threshold = flags.clustering == Some(ClusteringFlag::Threshold);
        let by_gamma = flags.gamma.is_some();
        if (threshold || by_gamma) && flags.distance.is_none() {
            let which = if threshold { "--clustering threshold" } else { "--gamma" };
            let problem = format!("{which} needs --distance, the paper's d");
            return Err(Failure::usage(problem, "add --distance, for example --distance 1"));
        }
        if threshold && flags.n_topics == Some(HowMany::Auto) {
            let problem = "-k auto does not go with --clustering threshold, where the number of topics comes out";
            return Err(Failure::usage(problem, "leave out -k auto"));
        }
        if threshold && flags.n_topics.is_none() {
            let missing = match flags.method() {
                MethodFlag::Rp if flags.projections.is_none() => Some("--projections"),
                MethodFlag::Ddp if !by_gamma && flags.novel_words.is_none() => {
                    Some("--novel-words")
                }
                MethodFlag::Binning => Some("the number of words that binning looks for"),
                _ => None,
            };
            if let Some(missing) = missing {
                let problem = format!(
                    "with --clustering threshold the number of topics comes out, \
                     so {missing} cannot be worked out from it and must be given"
                );
                let hint = match flags.method() {
                    MethodFlag::Binning => "add -k, or use another --method".to_owned(),
                    _ => format!("add {missing}, or ask for topics with -k"),
                };
                return Err(Failure::usage(problem, &hint));
            }
        }
        let plan = Self(flags);
        plan.method(0).check()?; // numbers that no corpus could make good
        Ok(plan)
    }
}

impl ModelPlan {
    /// The default method with so many topics.
    pub(crate) fn of(n_topics: usize) -> Self {
        Self(ModelFlags::default()).with_topics(n_topics)
    }

    /// The same with so many topics.
    pub(crate) fn with_topics(&self, n_topics: usize) -> Self {
        Self(ModelFlags { n_topics: Some(HowMany::Topics(n_topics)), ..self.0.clone() })
    }

    /// Whether the documents are to say how many topics there are.
    pub(crate) fn is_auto(&self) -> bool {
        self.0.n_topics == Some(HowMany::Auto)
    }

    /// Topics that were asked for by number.
    fn n_topics(&self) -> Option<usize> {
        match self.0.n_topics {
            Some(HowMany::Topics(n)) => Some(n),
            Some(HowMany::Auto) | None => None,
        }
    }

    /// The method for a corpus of so many documents.
    pub(crate) fn method(&self, documents: usize) -> FitMethod {
        let n_topics = self.n_topics().unwrap_or_else(|| default_n_topics(documents));
        lab::method(&self.0, n_topics)
            .map_or_else(|| FitMethod::Own(self.params(documents)), FitMethod::Lab)
    }

    /// The parameters of the library's own method.
    pub(crate) fn params(&self, documents: usize) -> FitParams {
        let flags = &self.0;
        let method = match flags.method() {
            MethodFlag::Rp => Detector::Rp,
            MethodFlag::Binning => Detector::Binning,
            MethodFlag::Ddp => Detector::Ddp,
            MethodFlag::EmbeddedDdp => Detector::EmbeddedDdp,
            _ => Detector::Embedded,
        };
        let pins = flags.pins.len();
        let n_topics = self.n_topics().unwrap_or_else(|| default_n_topics(documents).max(pins));
        let settings = if flags.paper { FitParams::paper } else { FitParams::improved };
        let params = settings(n_topics, method).with_seed(flags.seed);
        let mut detect = params.detect().clone();
        detect.projections = flags.projections;
        detect.far_words = flags.far_words;
        detect.novel_words = flags.novel_words;
        detect.bins = flags.bins;
        detect.gamma = flags.gamma;
        if method == Detector::Binning || flags.gamma.is_some() {
            detect.distance = flags.distance;
        }
        detect.filter.min_df = flags.candidate_min_df.unwrap_or(detect.filter.min_df);
        detect.filter.min_tokens = flags.candidate_min_tokens.unwrap_or(detect.filter.min_tokens);
        detect.filter.noise = flags.candidate_noise.or(detect.filter.noise);

        let mut cluster = params.cluster().clone();
        let mut n_topics = Some(n_topics);
        if flags.clustering == Some(ClusteringFlag::Threshold) {
            cluster.grouping = Grouping::Threshold;
            cluster.distance = flags.distance;
            n_topics = self.n_topics();
            if n_topics.is_none() {
                detect.filter.most = None; // a number per topic, but the number of topics is not known
            }
        }
        match flags.candidates {
            None => {}
            Some(Candidates::All) => detect.filter.most = None,
            Some(Candidates::Most(n)) => detect.filter.most = Some(n.get()),
            Some(Candidates::Random(n)) => detect.random = Some(n.get()),
        }
        match flags.affinity {
            None => {}
            Some(AffinityFlag::Exp) => cluster.affinity = Affinity::Exp,
            Some(AffinityFlag::ExpMedian) => cluster.affinity = Affinity::ExpMedian,
        }
        match flags.representative {
            None => {}
            Some(RepresentativeFlag::Word) => cluster.representative = Representative::Word,
            Some(RepresentativeFlag::Average) => cluster.representative = Representative::Average,
            Some(RepresentativeFlag::Pooled) => cluster.representative = Representative::Pooled,
        }
        let mut embed = params.embed().cloned();
        if let Some(embed) = &mut embed {
            match flags.weigh {
                None => {}
                Some(WeighFlag::Tokens) => embed.weighting = Weighting::Tokens,
                Some(WeighFlag::TfIdf) => embed.weighting = Weighting::TfIdf,
            }
            embed.completions = flags.completions.unwrap_or(embed.completions);
        }
        let mut estimate = params.estimate().clone();
        estimate.tolerance = flags.tolerance.unwrap_or(estimate.tolerance);
        let mut refine = params.refine().clone();
        refine.sweeps = flags.refine.unwrap_or(refine.sweeps);
        let stability = flags.stability.unwrap_or(params.stability());
        let guidance = Guidance {
            pins: flags.pins.iter().map(|pin| pin.0.clone()).collect(),
            forbidden: flags.forbidden.iter().flat_map(|w| w.0.clone()).collect(),
        };
        let params = params
            .with_topics(n_topics)
            .with_embed(embed)
            .with_detect(detect)
            .with_cluster(cluster)
            .with_estimate(estimate)
            .with_refine(refine)
            .with_guidance(guidance)
            .with_stability(stability);
        self.with_pairs(params)
    }

    /// Sets which pairs of tokens are counted, and which tokens are projected.
    fn with_pairs(&self, params: FitParams) -> FitParams {
        let params = match self.0.pairs {
            None => params,
            Some(PairsFlag::Split) => params.with_pairs(PairScheme::Split),
            // Without a split there are no halves.
            Some(PairsFlag::All) => {
                params.with_pairs(PairScheme::All).with_token_sample(TokenSample::Whole)
            }
        };
        match self.0.sample {
            None => params,
            Some(SampleFlag::Half) => params.with_token_sample(TokenSample::Half),
            Some(SampleFlag::Whole) => params.with_token_sample(TokenSample::Whole),
        }
    }
}

/// One topic per 20 documents, at least 2 and at most 20: few enough to read, whatever the corpus.
fn default_n_topics(documents: usize) -> usize {
    (documents / 20).clamp(2, 20)
}

#[cfg(test)]
mod tests;
