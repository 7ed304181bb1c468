//! `vertopic info`: describes a corpus, a model or a sketch.

use std::path::Path;

use serde_json::{Value, json};
use vertopic::TopicModel;
use vertopic::model::FitReport;
use vertopic::note::Note;
use vertopic::sketch::Sketch;
use vertopic_io::input::Input;
use vertopic_io::store::{looks_like_model, read_model, read_sketch};

use crate::failure::Failure;
use crate::flags::InfoFlags;
use crate::output::{self, aligned, grouped};
use crate::plan::{InputPlan, is_sketch};
use crate::run::Shell;
use crate::run::sketch::facts;

pub(crate) fn info(flags: InfoFlags) -> Result<(), Failure> {
    if let [path] = &flags.input.inputs[..]
        && path != Path::new("-")
        && !is_sketch(path)
        && (looks_like_model(path) || path.extension().is_some_and(|e| e == "safetensors"))
    {
        return describe_model(&read_model(path)?, flags.json);
    }
    if let [path] = &flags.input.inputs[..]
        && is_sketch(path)
    {
        return describe_sketch(&read_sketch(path)?, flags.json);
    }
    let shell = Shell::new(&flags.run);
    let plan = InputPlan::new(flags.input, flags.text)?;
    let input = plan.read(&shell.run()?)?;
    shell.tell(&input);
    describe_corpus(&input, flags.json)
}

fn describe_corpus(input: &Input, json: bool) -> Result<(), Failure> {
    let corpus = &input.corpus;
    let (documents, tokens) = (corpus.n_documents(), corpus.n_tokens());
    let mean = tokens as f64 / documents.max(1) as f64;
    if json {
        return output::json(&json!({
            "what": "corpus",
            "kind": input.kind.name(),
            "files": input.files,
            "documents": documents,
            "empty_documents": corpus.n_empty(),
            "tokens": tokens,
            "mean_tokens": mean,
            "vocabulary": corpus.n_words(),
            "tokenizer": input.tokenizer,
            "fingerprint": corpus.fingerprint(),
        }));
    }
    output::data(&aligned(&[
        ("what", format!("corpus of {}", input.kind.name())),
        ("files", grouped(input.files)),
        ("documents", grouped(documents)),
        ("without words", grouped(corpus.n_empty())),
        ("tokens", grouped(tokens)),
        ("mean length", format!("{mean:.1} tokens")),
        ("vocabulary", format!("{} words", grouped(corpus.n_words()))),
        ("fingerprint", corpus.fingerprint()),
    ]))
}

fn describe_sketch(sketch: &Sketch, json: bool) -> Result<(), Failure> {
    if json {
        return output::json(&json!({
            "what": "sketch",
            "documents": sketch.n_documents(),
            "empty_documents": sketch.n_empty(),
            "tokens": sketch.n_tokens(),
            "vocabulary": sketch.vocabulary().len(),
            "pairs": sketch.nnz(),
            "parameters": sketch.params(),
            "preprocessing": sketch.preprocessing(),
            "fingerprint": sketch.fingerprint()?,
        }));
    }
    let mut all = vec![("what", "sketch".to_owned())];
    all.extend(facts(sketch));
    all.push(("fingerprint", sketch.fingerprint()?));
    output::data(&aligned(&all))
}

fn describe_model(model: &TopicModel, json: bool) -> Result<(), Failure> {
    let provenance = model.provenance();
    let (k, w) = (model.topics().n_topics(), model.topics().n_words());
    if json {
        return output::json(&json!({
            "what": "model",
            "n_topics": k,
            "vocabulary": w,
            "version": provenance.version,
            "parameters": provenance.parameters,
            "chosen": provenance.chosen,
            "edits": provenance.edits,
            "corpus": provenance.corpus,
            "report": provenance.report,
            "preprocessing": provenance.preprocessing,
            "fingerprint": model.fingerprint(),
        }));
    }
    let corpus = &provenance.corpus;
    let kind = provenance.preprocessing.get("kind");
    let kind = kind.as_ref().and_then(Note::as_str).unwrap_or("word counts");
    let mut facts = vec![
        ("what", "topic model".to_owned()),
        ("topics", grouped(k)),
        ("vocabulary", format!("{} words", grouped(w))),
        (
            "fitted on",
            format!(
                "{kind}: {} documents ({} without words), {} tokens",
                grouped(corpus.documents),
                grouped(corpus.empty),
                grouped(corpus.tokens)
            ),
        ),
        ("novel words", novel_words(&provenance.report)),
        ("written by", format!("vertopic {}", provenance.version)),
        ("fingerprint", model.fingerprint().to_owned()),
    ];
    let parameters = settings(&provenance.parameters.read()?);
    if let Some(chosen) = &provenance.chosen {
        facts.push(("topics chosen", chosen.reason.clone()));
    }
    if !provenance.edits.is_empty() {
        facts.push(("edits", grouped(provenance.edits.len())));
    }
    facts.extend(parameters.iter().map(|(name, value)| (name.as_str(), value.clone())));
    output::data(&aligned(&facts))
}

/// How many novel words, and of how many candidates where the method counts them.
pub(super) fn novel_words(report: &FitReport) -> String {
    let found = grouped(report.novel_words);
    report.n_candidates.map_or(found.clone(), |n| format!("{found} of {} candidates", grouped(n)))
}

/// Parameters by their path, `detect.method`, without those that were left to a rule of thumb.
fn settings(parameters: &Value) -> Vec<(String, String)> {
    match parameters {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| {
                settings(value).into_iter().map(move |(rest, value)| {
                    (if rest.is_empty() { name.clone() } else { format!("{name}.{rest}") }, value)
                })
            })
            .collect(),
        Value::Null => vec![],
        Value::String(text) => vec![(String::new(), text.clone())],
        other => vec![(String::new(), other.to_string())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_paths_and_rules_of_thumb_are_left_out() {
        let parameters = json!({"seed": 3, "detect": {"method": "rp", "bins": null}});
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(settings(&parameters), [named("detect.method", "rp"), named("seed", "3")]);
    }
}
