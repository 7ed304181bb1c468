//! Public types can be sent to and shared between threads, and print themselves.

use std::fmt::Debug;

use vertopic::cluster::{ClusterParams, Distances, Group, Groups};
use vertopic::context::Parallelism;
use vertopic::corpus::{PruneReport, Vocabulary};
use vertopic::detect::{DetectParams, Guidance, NovelWords, ResolvedGuidance, TopicRequest};
use vertopic::embed::{EmbedParams, Embedding};
use vertopic::estimate::{Estimate, EstimateParams, Topics};
use vertopic::evaluate::Completion;
use vertopic::infer::{InferParams, Mixtures};
use vertopic::model::{
    Assessment, CorpusSummary, Diagnostics, Edit, FitReport, Provenance, TopicCountChoice,
    TopicInfo, Trial, Warning,
};
use vertopic::moments::{Cooccurrence, WordStats};
use vertopic::note::Note;
use vertopic::pipeline::{Assembly, GeometricFit};
use vertopic::refine::{RefineParams, Refined, Start, ValidationSet};
use vertopic::seed::Seed;
use vertopic::sketch::SketchParams;
use vertopic::space::{CooccurrenceSpace, EmbeddingSpace, Products, WeightedWord};
use vertopic::{
    Advice, Context, Corpus, CorpusBuilder, DocumentInfo, Error, FitParams, Method, Parameter,
    Setting, Sketch, TopicModel,
};

fn plain<T: Debug + Send + Sync>() {}

#[test]
fn public_types_are_debug_send_and_sync() {
    plain::<(Advice, Context<'_>, Corpus, CorpusBuilder, DocumentInfo, Error)>();
    plain::<(FitParams, Method, Parameter, Setting, Sketch, TopicModel)>();
    plain::<(ClusterParams, Distances, Group, Groups, Parallelism, PruneReport, Vocabulary)>();
    plain::<(DetectParams, Guidance, NovelWords, ResolvedGuidance, TopicRequest)>();
    plain::<(EmbedParams, Embedding, Estimate, EstimateParams, Topics, Completion)>();
    plain::<(InferParams, Mixtures, Assessment, CorpusSummary, Diagnostics, Edit, FitReport)>();
    plain::<(Provenance, TopicCountChoice, TopicInfo, Trial, Warning, Cooccurrence, WordStats)>();
    plain::<(Note, Assembly<'_>, GeometricFit, RefineParams, Refined, Start<'_>, ValidationSet)>();
    plain::<(Seed, SketchParams, Products, WeightedWord)>();
    plain::<(CooccurrenceSpace<'_, Corpus>, EmbeddingSpace<'_, Corpus>)>();
    plain::<(vertopic::choose::Sweep, vertopic::choose::Step, vertopic::choose::HeldOut)>();
}
