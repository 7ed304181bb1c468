//! The evaluation of topics, as tables and as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use vertopic::evaluate::{ClusterScores, Completion, EPSILON, Measure, RBO_P, mean};

use crate::output::table::wrap;
use crate::output::{Style, grouped};

/// The evaluation of the topics of a model.
#[derive(Debug)]
pub(crate) struct Evaluation {
    pub(crate) fingerprint: String,
    pub(crate) topics: Vec<Judged>,
    /// Number of words of each topic.
    pub(crate) n_words: usize,
    pub(crate) coherence: Vec<Measured>,
    pub(crate) reference: Reference,
    pub(crate) diversity: Option<f64>,
    pub(crate) inverted_rbo: Option<f64>,
    pub(crate) exclusivity: Vec<Option<f64>>,
    pub(crate) documents: usize,
    pub(crate) without_words: usize,
    pub(crate) unknown_tokens: u64,
    pub(crate) tokens: u64,
    pub(crate) completion: Option<Completion>,
    pub(crate) seed: u64,
    /// Whether the documents seem to be those of the fit.
    pub(crate) fitted_on: bool,
    pub(crate) labels: Option<Labels>,
}

/// A measure of coherence.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) measure: Measure,
    /// Windows or documents that were counted.
    pub(crate) units: u64,
    /// The value for each topic.
    pub(crate) topics: Vec<Option<f64>>,
}

impl Measured {
    fn n_undefined(&self) -> usize {
        self.topics.iter().filter(|t| t.is_none()).count()
    }
}

/// The words of a topic, and those that the reference does not have.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) words: Vec<String>,
    pub(crate) unseen: Vec<String>,
}

/// Where words were counted together.
#[derive(Debug)]
pub(crate) struct Reference {
    /// `None` if these were the documents themselves.
    pub(crate) name: Option<String>,
    pub(crate) documents: usize,
    pub(crate) without_words: usize,
    /// Whether windows could slide; else each document is one.
    pub(crate) windows: bool,
}

/// Cluster scores of the topics against the labels.
#[derive(Debug)]
pub(crate) struct Labels {
    pub(crate) scores: ClusterScores,
    pub(crate) unlabelled: usize,
    /// Documents with a label, but without a word that the model knows.
    pub(crate) without_words: usize,
}

impl Evaluation {
    /// Words of topics that the reference does not have.
    pub(crate) fn n_unseen(&self) -> usize {
        self.topics.iter().map(|t| t.unseen.len()).sum()
    }

    /// Name and value of each topic's measures, coherence first.
    fn columns(&self) -> Vec<(&'static str, &[Option<f64>])> {
        let coherence = self.coherence.iter().map(|m| (m.measure.name(), &m.topics[..]));
        coherence.chain([("exclusivity", &self.exclusivity[..])]).collect()
    }
}

/// A line a measure, then a line a topic with its words. Each column's worst value has a star.
pub(crate) fn evaluation_table(found: &Evaluation, width: usize, style: Style) -> String {
    let lines = measures(found);
    let mut out = style.bold("measure          value  of") + "\n";
    for (name, value, note) in &lines {
        let value = shown(*value, if *name == "perplexity" { 1 } else { 3 });
        let _ = writeln!(out, "{name:<12}  {value:>8}  {note}"); // a String takes everything
    }
    out.push('\n');
    out += &topics_table(found, width, style);
    out
}

/// Name, value and remarks of each measure of the whole model.
fn measures(found: &Evaluation) -> Vec<(&'static str, Option<f64>, String)> {
    let mut lines = Vec::new();
    for measured in &found.coherence {
        let units = grouped(measured.units);
        let mut note = match (measured.measure.window(), found.reference.windows) {
            (Some(size), true) => format!("{units} windows of {size} words"),
            (Some(_), false) => format!("{units} documents (the order of words is not known)"),
            (None, _) => format!("{units} documents"),
        };
        if measured.n_undefined() > 0 {
            let _ = write!(note, "; {} topics without value", measured.n_undefined());
        }
        lines.push((measured.measure.name(), mean(&measured.topics), note));
    }
    let all: usize = found.topics.iter().map(|t| t.words.len()).sum();
    let k = found.topics.len();
    lines.push(("diversity", found.diversity, format!("{} words", grouped(all))));
    let pairs = grouped(k * k.saturating_sub(1) / 2);
    lines.push(("inverted_rbo", found.inverted_rbo, format!("{pairs} pairs of topics")));
    lines.push(("exclusivity", mean(&found.exclusivity), format!("{} words", grouped(all))));
    let halves = found.completion.map_or_else(
        || "no document with two known words".to_owned(),
        |c| {
            format!(
                "{} tokens of {} documents, {} left out; lower is better",
                grouped(c.tokens),
                grouped(c.documents),
                grouped(c.left_out)
            )
        },
    );
    lines.push(("perplexity", found.completion.map(|c| c.perplexity), halves));
    if let Some(Labels { scores, unlabelled, without_words }) = &found.labels {
        let note = format!(
            "{} documents, {} labels, {} topics; {} unlabelled, {} without known words",
            grouped(scores.documents),
            grouped(scores.labels),
            grouped(scores.groups),
            grouped(*unlabelled),
            grouped(*without_words)
        );
        lines.push(("nmi", Some(scores.nmi), note));
        lines.push(("ari", Some(scores.ari), "the same documents".to_owned()));
        lines.push(("purity", Some(scores.purity), "the same documents".to_owned()));
    }
    lines
}

fn topics_table(found: &Evaluation, width: usize, style: Style) -> String {
    let columns = found.columns();
    let head = columns.iter().fold("topic".to_owned(), |head, (name, _)| {
        head + &format!("  {:>7} ", name.replace("exclusivity", "excl."))
    });
    let worst: Vec<Option<f64>> = columns.iter().map(|(_, values)| worst(values)).collect();
    let room = width.saturating_sub(head.len() + 1).max(24);
    let mut out = style.bold(&format!("{head} words")) + "\n";
    for (k, topic) in found.topics.iter().enumerate() {
        let mut left = format!("{k:>5}");
        for ((_, values), worst) in columns.iter().zip(&worst) {
            let value = shown(values[k], 3);
            let star = if values[k].is_some() && values[k] == *worst { '*' } else { ' ' };
            let _ = write!(left, "  {value:>7}{star}");
        }
        let words: Vec<&str> = topic.words.iter().map(String::as_str).collect();
        for line in wrap(&words, room) {
            let _ = writeln!(out, "{left} {line}");
            left = " ".repeat(head.len());
        }
        if !topic.unseen.is_empty() {
            let unseen: Vec<&str> = topic.unseen.iter().map(String::as_str).collect();
            for line in wrap(&[vec!["never", "seen:"], unseen].concat(), room) {
                let _ = writeln!(out, "{left} {}", style.dim(&line));
            }
        }
    }
    if worst.iter().any(Option::is_some) {
        out += "* the worst topic by this measure\n";
    }
    out
}

/// The least value, if topics differ.
fn worst(values: &[Option<f64>]) -> Option<f64> {
    let least = values.iter().flatten().copied().reduce(f64::min)?;
    values.iter().flatten().any(|&x| x > least).then_some(least)
}

fn shown(x: Option<f64>, decimals: usize) -> String {
    x.filter(|x| x.is_finite()).map_or_else(|| "–".to_owned(), |x| format!("{x:.decimals$}"))
}

/// All measures, topic by topic, and every constant. What has no value is null.
pub(crate) fn evaluation_json(found: &Evaluation) -> Value {
    let mut metrics = Map::new();
    for measured in &found.coherence {
        metrics.insert(measured.measure.name().to_owned(), json!(mean(&measured.topics)));
    }
    let labels = found.labels.as_ref();
    let others = [
        ("diversity", found.diversity),
        ("inverted_rbo", found.inverted_rbo),
        ("exclusivity", mean(&found.exclusivity)),
        ("perplexity", found.completion.map(|c| c.perplexity)),
        ("nmi", labels.map(|l| l.scores.nmi)),
        ("ari", labels.map(|l| l.scores.ari)),
        ("purity", labels.map(|l| l.scores.purity)),
    ];
    metrics.extend(others.map(|(name, value)| (name.to_owned(), json!(value))));
    let topic = |(k, topic): (usize, &Judged)| {
        let mut fields = Map::new();
        fields.insert("id".to_owned(), json!(k));
        fields.insert("words".to_owned(), json!(topic.words));
        fields.insert("unseen_words".to_owned(), json!(topic.unseen));
        for (name, values) in found.columns() {
            fields.insert(name.to_owned(), json!(values[k]));
        }
        Value::Object(fields)
    };
    let topics: Vec<Value> = found.topics.iter().enumerate().map(topic).collect();
    json!({
        "model": found.fingerprint,
        "metrics": metrics,
        "topics": topics,
        "reference": reference_json(found),
        "documents": {
            "documents": found.documents,
            "without_known_words": found.without_words,
            "tokens": found.tokens,
            "unknown_tokens": found.unknown_tokens,
            "fitted_on": found.fitted_on,
            "completion": found.completion,
            "labels": labels.map(|l| json!({
                "documents": l.scores.documents,
                "without_known_words": l.without_words,
                "without_label": l.unlabelled,
                "labels": l.scores.labels,
                "topics": l.scores.groups,
            })),
        },
        "constants": {
            "words": found.n_words,
            "epsilon": EPSILON,
            "c_v_gamma": 1,
            "rbo_p": RBO_P,
            "completion_seed": found.seed,
        },
    })
}

fn reference_json(found: &Evaluation) -> Value {
    let reference = &found.reference;
    let counted = |measured: &Measured| {
        let fields = json!({
            "window": measured.measure.window().filter(|_| reference.windows),
            "counted": measured.units,
            "topics_without_value": measured.n_undefined(),
        });
        (measured.measure.name().to_owned(), fields)
    };
    json!({
        "name": reference.name,
        "documents": reference.documents,
        "without_known_words": reference.without_words,
        "windows": if reference.windows { "sliding" } else { "documents" },
        "unseen_words": found.n_unseen(),
        "measures": found.coherence.iter().map(counted).collect::<Map<_, _>>(),
    })
}
