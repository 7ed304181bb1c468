//! Table 1 of the paper and its supplement: topics of real text by each method, side by side.

mod data;
mod page;

use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::json;
use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::detect::Method as Detector;
use vertopic::evaluate::completion;
use vertopic::seed::Seed;
use vertopic::{FitParams, TopicModel};
use vertopic_io::IoError;
use vertopic_io::store::{read_model, write_model};

use crate::method::Method;
use crate::method::anchor::AnchorParams;
use crate::method::anchor::solid_angle::SolidAngleParams;
use crate::method::eca::EcaParams;
use crate::method::gibbs::GibbsParams;
use crate::method::nmf::NmfParams;
use crate::reproduce::{Folder, Journal, Options};
use data::Text;

/// Which of the paper's two collections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Collection {
    /// Papers of NIPS: W = 2,500, K = 40.
    Nips,
    /// Articles of the New York Times, or a corpus of that size: W = 15,000, K = 100.
    NewYorkTimes,
}

impl Collection {
    fn name(self) -> &'static str {
        match self {
            Self::Nips => "nips",
            Self::NewYorkTimes => "nytimes",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Nips => "Topics of NIPS papers (Table 1 and supplement)",
            Self::NewYorkTimes => "Topics of a collection of New York Times size (Table 2)",
        }
    }
}

/// A method by the name it has on the page.
struct Contender {
    name: &'static str,
    method: Method,
}

/// How a method did on a corpus.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outcome {
    /// The model of all documents, a file in the folder.
    model: Option<String>,
    seconds: f64,
    /// Of the documents that a second model did not see.
    perplexity: Option<f64>,
    problem: Option<String>,
}

/// What one method made of one corpus.
struct Fitted {
    name: &'static str,
    method: Method,
    outcome: Outcome,
    model: Option<TopicModel>,
}

/// The first is what the others are compared with.
fn contenders(collection: Collection, k: usize) -> Vec<Contender> {
    let one = |name, method| Contender { name, method };
    let own = |name, params| one(name, Method::Own(params));
    let mut all = vec![
        own("rp (paper)", FitParams::paper(k, Detector::Rp)),
        own("binning (paper)", FitParams::paper(k, Detector::Binning)),
        own("default", FitParams::new(k)),
        one("recover-l2", Method::Anchor(AnchorParams::recover_l2(k))),
    ];
    if collection == Collection::Nips {
        // Priors of Griffiths and Steyvers; 1,000 sweeps.
        all.insert(0, one("gibbs", Method::Gibbs(GibbsParams::new(k))));
        all.insert(2, own("ddp (paper)", FitParams::paper(k, Detector::Ddp)));
        all.push(one("nmf", Method::Nmf(NmfParams::new(k))));
        all.push(one("spa", Method::Anchor(AnchorParams::spa(k))));
        all.push(one("solid-angle", Method::SolidAngle(SolidAngleParams::new(k))));
        all.push(one("eca", Method::Eca(EcaParams::new(k))));
    }
    all
}

/// Documents that the second model of a method does not see: one in ten.
const HELD_OUT: u64 = 10;

/// Runs the experiment and writes its files.
pub(super) fn run(
    collection: Collection,
    options: &Options,
    ctx: &Context<'_>,
) -> Result<(), IoError> {
    let folder = Folder::new(&options.out.join(collection.name()))?;
    let mut journal = Journal::open(&folder.file("journal.jsonl"))?;
    let texts = data::read(collection, options, ctx)?;
    let mut results = Vec::new();
    for text in texts {
        let contenders = contenders(collection, text.n_topics);
        let key = |c: &Contender| {
            let settings = c.method.parameters().unwrap_or_default();
            json!([text.name, text.corpus.fingerprint(), c.name, settings]).to_string()
        };
        // One at a time, each on all threads: the times are then those that a user sees.
        let work = |c: &Contender| fit(c, &text, &folder, ctx);
        let outcomes = journal.carry_out("fitting", &contenders, key, 1, ctx, work)?;
        let mut fitted = Vec::new();
        for (Contender { name, method }, outcome) in contenders.into_iter().zip(outcomes) {
            let model =
                outcome.model.as_ref().map(|file| read_model(&folder.file(file))).transpose()?;
            fitted.push(Fitted { name, method, outcome, model });
        }
        results.push((text, fitted));
    }
    page::write(&folder, collection, &results)
}

/// Fits a model of all documents, and one of nine in ten for held-out perplexity.
fn fit(
    contender: &Contender,
    text: &Text,
    folder: &Folder,
    ctx: &Context<'_>,
) -> Result<Outcome, IoError> {
    let start = Instant::now();
    let fitted = contender.method.clone().with_seed(Seed(0)).fit(&text.corpus, ctx);
    let seconds = start.elapsed().as_secs_f64();
    let model = match fitted {
        Ok(model) => model,
        Err(e) => {
            let problem = Some(e.to_string());
            return Ok(Outcome { model: None, seconds, perplexity: None, problem });
        }
    };
    let file = format!("{}-{}.safetensors", text.name, plain(contender.name));
    write_model(&folder.file(&file), &model)?;
    let perplexity =
        if text.held_out { Some(held_out(contender, &text.corpus, ctx)?) } else { None };
    Ok(Outcome { model: Some(file), seconds, perplexity, problem: None })
}

/// Document-completion perplexity of documents that the model has not seen.
fn held_out(contender: &Contender, corpus: &Corpus, ctx: &Context<'_>) -> Result<f64, IoError> {
    // A key is a hash, so its remainder is as good as a die.
    let (unseen, seen): (Vec<usize>, Vec<usize>) =
        (0..corpus.n_documents()).partition(|&d| corpus.document(d).key.0.is_multiple_of(HELD_OUT));
    let (train, test) = (corpus.select(&seen), corpus.select(&unseen));
    let model = contender.method.fit(&train, ctx)?;
    Ok(completion(model.topics(), model.weights(), &test, Seed(0), ctx)?.perplexity)
}

/// A name as part of a file name.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect()
}
