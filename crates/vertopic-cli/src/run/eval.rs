//! `vertopic eval`: the quality of the topics of a model.

use vertopic::context::Context;
use vertopic::corpus::{Corpus, Texts};
use vertopic::evaluate::{
    Completion, Measure, RBO_P, WordCooccurrence, cluster_scores, completion, exclusivity,
    inverted_rbo, topic_diversity,
};
use vertopic::infer::{InferParams, mixtures};
use vertopic::model::CorpusSummary;
use vertopic::seed::Seed;
use vertopic::{Error, TopicModel};
use vertopic_io::input::Input;
use vertopic_io::store::read_model;
use vertopic_io::text::TokenizerOptions;

use crate::failure::Failure;
use crate::flags::EvalFlags;
use crate::output::{
    self, Evaluation, Judged, Labels, Measured, Reference, Style, evaluation_json,
    evaluation_table, grouped,
};
use crate::plan::InputPlan;
use crate::run::Shell;
use crate::run::infer::{every_word, noted_tokenizer, split_otherwise};
use crate::run::topics::width;

pub(crate) fn eval(flags: EvalFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let model = read_model(&flags.model)?;
    let noted = noted_tokenizer(&model, &flags.model)?;
    let tokenizer = noted.clone().unwrap_or_else(every_word);
    let plan = InputPlan::with_tokenizer(flags.input, tokenizer)?;
    let other = match flags.reference {
        paths if paths.is_empty() => None,
        paths => Some(plan.others(paths)?),
    };

    let ctx = shell.run()?;
    let (input, texts) = match &other {
        None => plan.read_in_order(model.vocabulary(), &ctx)?,
        Some(_) => (plan.read(&ctx)?, None),
    };
    let (documents, unknown) = project(&shell, input, noted.as_ref(), &model, &ctx);
    let other = match &other {
        None => None,
        Some(plan) => {
            let (input, texts) = plan.read_in_order(model.vocabulary(), &ctx)?;
            Some((project(&shell, input, noted.as_ref(), &model, &ctx).0, texts, plan.name()))
        }
    };
    let (counted, texts, name) = match &other {
        None => (&documents, texts.as_ref(), None),
        Some((corpus, texts, name)) => (corpus, texts.as_ref(), Some(name.clone())),
    };
    let words = display_words(&model, flags.n_words);
    let (coherence, alone) = coherence(counted, texts, &words, &ctx)?;
    let evaluation = Evaluation {
        fingerprint: model.fingerprint().to_owned(),
        topics: judged(&model, &words, &alone),
        n_words: flags.n_words,
        coherence,
        reference: Reference {
            name,
            documents: counted.n_documents(),
            without_words: counted.n_empty(),
            windows: texts.is_some(),
        },
        diversity: topic_diversity(&words),
        inverted_rbo: inverted_rbo(&words, RBO_P),
        exclusivity: exclusivity(model.topics(), &words),
        documents: documents.n_documents(),
        without_words: documents.n_empty(),
        unknown_tokens: unknown,
        tokens: documents.n_tokens() + unknown,
        completion: complete(&model, &documents, Seed(flags.seed), &ctx)?,
        seed: flags.seed,
        fitted_on: CorpusSummary::of(&documents) == model.provenance().corpus,
        labels: labels(&model, &documents, &ctx)?,
    };
    tell(&shell, &evaluation);
    if flags.json {
        return output::json(&evaluation_json(&evaluation));
    }
    output::data(&evaluation_table(&evaluation, width(), Style::stdout()))
}

/// The words that stand for each topic, best first.
fn display_words(model: &TopicModel, n: usize) -> Vec<Vec<u32>> {
    (0..model.topics().n_topics()).map(|k| model.display_words(k, n)).collect()
}

/// The documents over the words of the model, and how many tokens it does not know.
fn project(
    shell: &Shell,
    input: Input,
    noted: Option<&TokenizerOptions>,
    model: &TopicModel,
    ctx: &Context<'_>,
) -> (Corpus, u64) {
    shell.tell(&input);
    if let Some(odd) = split_otherwise(&input, noted) {
        shell.messages.warning(odd);
    }
    let tokens = input.corpus.n_tokens();
    let corpus = ctx.install(|| input.corpus.project(model.vocabulary()));
    let unknown = tokens - corpus.n_tokens();
    (corpus, unknown)
}

/// Every measure, and how words occur in documents. Without texts each document is a window.
fn coherence(
    corpus: &Corpus,
    texts: Option<&Texts>,
    words: &[Vec<u32>],
    ctx: &Context<'_>,
) -> Result<(Vec<Measured>, WordCooccurrence), Failure> {
    let in_documents = WordCooccurrence::in_documents(corpus, words, ctx)?;
    let mut in_windows: Vec<(usize, WordCooccurrence)> = Vec::new();
    let mut found = Vec::new();
    for measure in Measure::ALL {
        let counts = match (measure.window(), texts) {
            (Some(size), Some(texts)) => {
                let known = in_windows.iter().position(|(s, _)| *s == size);
                let at = known.unwrap_or_else(|| {
                    in_windows.push((size, WordCooccurrence::in_windows(texts, words, size, ctx)));
                    in_windows.len() - 1
                });
                &in_windows[at].1
            }
            _ => &in_documents,
        };
        found.push(Measured { measure, units: counts.units(), topics: measure.topics(counts) });
    }
    Ok((found, in_documents))
}

/// The words of each topic by name, and which of them the reference does not have.
fn judged(model: &TopicModel, words: &[Vec<u32>], counts: &WordCooccurrence) -> Vec<Judged> {
    let topic = |(k, ids): (usize, &Vec<u32>)| {
        let name = |w: &u32| model.vocabulary().word(*w).to_owned();
        let unseen = ids.iter().enumerate().filter(|&(i, _)| counts.alone(k, i) == 0);
        Judged {
            words: ids.iter().map(name).collect(),
            unseen: unseen.map(|(_, w)| name(w)).collect(),
        }
    };
    words.iter().enumerate().map(topic).collect()
}

/// Document completion; `None` if no document can be halved.
fn complete(
    model: &TopicModel,
    documents: &Corpus,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<Option<Completion>, Failure> {
    match completion(model.topics(), model.weights(), documents, seed, ctx) {
        Err(Error::TooFewDocuments { .. }) => Ok(None),
        other => Ok(Some(other?)),
    }
}

/// Compares labels, if there are any, with the largest topic of each document.
fn labels(
    model: &TopicModel,
    documents: &Corpus,
    ctx: &Context<'_>,
) -> Result<Option<Labels>, Failure> {
    let labelled: Vec<(usize, &str)> = (0..documents.n_documents())
        .filter_map(|d| documents.label(d).map(|label| (d, label)))
        .collect();
    if labelled.is_empty() {
        return Ok(None);
    }
    let params = InferParams::default();
    let mixtures = mixtures(model.topics(), model.weights(), documents, &params, ctx)?;
    let largest = |d: usize| {
        let mixture = mixtures.mixture(d);
        (1..mixture.len()).fold(0, |best, k| if mixture[k] > mixture[best] { k } else { best })
    };
    let found = cluster_scores(labelled.iter().map(|&(d, label)| (label, largest(d))));
    Ok(found.map(|scores| Labels {
        scores,
        unlabelled: documents.n_documents() - labelled.len(),
        without_words: labelled.iter().filter(|&&(d, _)| mixtures.tokens[d] == 0).count(),
    }))
}

/// What could be missed in the numbers.
fn tell(shell: &Shell, found: &Evaluation) {
    let messages = shell.messages;
    let share = 100.0 * found.unknown_tokens as f64 / found.tokens.max(1) as f64;
    messages.facts(&[
        ("documents", grouped(found.documents)),
        ("without known words", grouped(found.without_words)),
        (
            "unknown tokens",
            format!(
                "{} of {} ({share:.1} %)",
                grouped(found.unknown_tokens),
                grouped(found.tokens)
            ),
        ),
    ]);
    let unseen = found.n_unseen();
    if unseen > 0 {
        let all: usize = found.topics.iter().map(|t| t.words.len()).sum();
        messages.warning(&format!(
            "{unseen} of the {all} words that topics show never occur in the reference; they are left \
             out of coherence, but count −1 a pair in npmi"
        ));
    }
    if found.fitted_on {
        messages.warning(
            "these seem to be the documents that the model was fitted on; perplexity is better on them \
             than on others",
        );
    }
    if found.completion.is_none() {
        messages.warning("no document has two known words, so there is no perplexity");
    }
}
