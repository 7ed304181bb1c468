//! The topics side by side, and what they cost.

use std::fmt::Write as _;

use vertopic::TopicModel;
use vertopic::evaluate::best_matching;
use vertopic_io::IoError;

use super::data::Text;
use super::{Collection, Fitted};
use crate::figure::{Axis, Chart, Panel, Point, Series};
use crate::reproduce::{Folder, markdown};

/// Words of a topic on the page, as in the paper.
const SHOWN: usize = 7;
/// Words of a topic in the table of raw numbers, and those whose variety is counted.
const LISTED: usize = 10;
/// Two topics closer than this in ℓ1 distance (0 equal, 2 nothing in common) are counterparts.
const CLOSE: f64 = 1.0;
/// Groups of topics on the page; the rest is in the table of raw numbers.
const GROUPS: usize = 12;

type Results = [(Text, Vec<Fitted>)];

pub(super) fn write(
    folder: &Folder,
    collection: Collection,
    results: &Results,
) -> Result<(), IoError> {
    folder.csv(
        "topics.csv",
        &["corpus", "method", "topic", "weight", "words"],
        &topics(results),
    )?;
    let head =
        ["corpus", "method", "seconds", "perplexity", "counterparts", "diversity", "problem"];
    folder.csv(&format!("{}.csv", collection.name()), &head, &numbers(results))?;
    folder.figure("cost", &chart(results).to_svg())?;
    folder.text(&format!("{}.md", collection.name()), &page(collection, results))
}

fn topics(results: &Results) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (text, fitted) in results {
        for f in fitted {
            let Some(model) = &f.model else { continue };
            for k in 0..model.topics().n_topics() {
                let weight = format!("{:.5}", model.weights()[k]);
                let head = [text.name, f.name].map(str::to_owned);
                let tail = [k.to_string(), weight, words(model, k, LISTED)];
                rows.push(head.into_iter().chain(tail).collect());
            }
        }
    }
    rows
}

fn words(model: &TopicModel, k: usize, n: usize) -> String {
    let top = model.topics().top_words(k, n);
    top.iter().map(|&(w, _)| model.vocabulary().word(w)).collect::<Vec<_>>().join(" ")
}

/// Share of distinct words among the first ten of all topics.
fn diversity(model: &TopicModel) -> f64 {
    let k = model.topics().n_topics();
    let mut all: Vec<u32> = (0..k)
        .flat_map(|t| model.topics().top_words(t, LISTED).into_iter().map(|(w, _)| w))
        .collect();
    let total = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() as f64 / total.max(1) as f64
}

/// For each topic of `model` the topic of `other` it is matched with, and their distance.
fn matching(model: &TopicModel, other: &TopicModel) -> Vec<Option<(usize, f64)>> {
    let (a, b) = (model.topics(), other.topics());
    let n = a.n_topics().max(b.n_topics());
    let mut cost = vec![2.0; n * n];
    for i in 0..a.n_topics() {
        for j in 0..b.n_topics() {
            let pairs = a.topic(i).iter().zip(b.topic(j));
            cost[i * n + j] = pairs.map(|(x, y)| f64::from((x - y).abs())).sum();
        }
    }
    let found = best_matching(&cost, n);
    let partner = |i: usize| (found[i] < b.n_topics()).then(|| (found[i], cost[i * n + found[i]]));
    (0..a.n_topics()).map(partner).collect()
}

/// How many topics of the first method have a counterpart among another's.
fn counterparts(fitted: &[Fitted], f: &Fitted) -> Option<usize> {
    let (first, other) = (fitted.first()?.model.as_ref()?, f.model.as_ref()?);
    Some(matching(first, other).iter().flatten().filter(|(_, d)| *d < CLOSE).count())
}

fn numbers(results: &Results) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (text, fitted) in results {
        for f in fitted {
            rows.push(vec![
                text.name.to_owned(),
                f.name.to_owned(),
                format!("{:.3}", f.outcome.seconds),
                f.outcome.perplexity.map_or_else(String::new, |p| format!("{p:.2}")),
                counterparts(fitted, f).map_or_else(String::new, |n| n.to_string()),
                f.model.as_ref().map_or_else(String::new, |m| format!("{:.3}", diversity(m))),
                f.outcome.problem.clone().unwrap_or_default(),
            ]);
        }
    }
    rows
}

/// Perplexity, or variety where it was not measured, against time.
fn chart(results: &Results) -> Chart {
    let panel = |(text, fitted): &(Text, Vec<Fitted>)| {
        let measured = fitted.iter().any(|f| f.outcome.perplexity.is_some());
        let point = |f: &Fitted| {
            let y = f.outcome.perplexity.or_else(|| f.model.as_ref().map(diversity));
            Point { x: f.outcome.seconds, y: y.unwrap_or(f64::NAN), error: 0.0 }
        };
        let series = fitted
            .iter()
            .enumerate()
            .map(|(style, f)| Series { line: false, ..Series::new(f.name, style, vec![point(f)]) });
        Panel {
            title: text.name.to_owned(),
            x: Axis::log("seconds"),
            y: Axis::linear(if measured {
                "perplexity of unseen documents"
            } else {
                "distinct words among the first ten"
            }),
            series: series.collect(),
        }
    };
    Chart {
        title: "Quality and time".to_owned(),
        caption: None,
        panels: results.iter().map(panel).collect(),
        columns: 2,
    }
}

fn page(collection: Collection, results: &Results) -> String {
    let mut out = format!("# {}\n\n![quality and time](cost.png)\n\n", collection.title());
    for (text, fitted) in results {
        let _ =
            write!(out, "## {}\n\nCorpus: {}. K = {}.\n\n", text.name, text.what, text.n_topics);
        out.push_str(&summary(fitted));
        out.push_str(&groups(fitted));
    }
    out.push_str("## Settings\n\n");
    if let Some((_, fitted)) = results.first() {
        for f in fitted {
            let settings = f.method.parameters().unwrap_or_default();
            let _ = writeln!(out, "- {}: `{settings}`", f.name); // a String takes everything
        }
    }
    out
}

fn summary(fitted: &[Fitted]) -> String {
    let first = fitted.first().map_or("", |f| f.name);
    let of = format!("counterparts of {first}'s topics");
    let head = ["method", "seconds", "perplexity", &of, "distinct words", "topics"];
    let none = || "–".to_owned();
    let rows: Vec<Vec<String>> = fitted
        .iter()
        .map(|f| {
            let k = f.model.as_ref().map_or(0, |m| m.topics().n_topics());
            vec![
                f.name.to_owned(),
                format!("{:.1}", f.outcome.seconds),
                f.outcome.perplexity.map_or_else(none, |p| format!("{p:.0}")),
                counterparts(fitted, f).map_or_else(none, |n| n.to_string()),
                f.model.as_ref().map_or_else(none, |m| format!("{:.2}", diversity(m))),
                f.outcome.problem.clone().unwrap_or_else(|| k.to_string()),
            ]
        })
        .collect();
    format!(
        "Perplexity is that of the second halves of documents which the model has not seen (one in ten; a second \
         fit), given their first halves; low is good. Two topics are counterparts if the ℓ1 distance between them is \
         below {CLOSE} under the best matching. *Distinct words* is the share of different words among the ten most \
         probable of all topics. One seed; seconds are those of the first fit.\n\n{}\n",
        markdown(&head, &rows)
    )
}

/// The topics of the first method whose counterparts are closest, each with what the others make of it.
fn groups(fitted: &[Fitted]) -> String {
    let Some(first) = fitted.first().and_then(|f| f.model.as_ref()) else { return String::new() };
    let partners: Vec<Vec<Option<(usize, f64)>>> = fitted
        .iter()
        .map(|f| f.model.as_ref().map_or_else(Vec::new, |m| matching(first, m)))
        .collect();
    let partner = |m: usize, k: usize| partners[m].get(k).copied().flatten();
    let mean = |k: usize| {
        let distances: Vec<f64> =
            (1..fitted.len()).map(|m| partner(m, k).map_or(2.0, |p| p.1)).collect();
        distances.iter().sum::<f64>() / distances.len().max(1) as f64
    };
    let mut order: Vec<usize> = (0..first.topics().n_topics()).collect();
    order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
    let mut out = format!(
        "### Topics grouped by distance\n\nThe {} of {} topics of {} whose counterparts are closest on average, then \
         the three whose are farthest. A dash: no topic closer than {CLOSE}. All topics: `topics.csv`.\n\n",
        GROUPS.min(order.len()),
        order.len(),
        fitted[0].name
    );
    let few = order.len().saturating_sub(GROUPS).min(3);
    let chosen = order.iter().take(GROUPS).chain(order.iter().rev().take(few).rev());
    for (n, &k) in chosen.enumerate() {
        let rows: Vec<Vec<String>> = fitted
            .iter()
            .enumerate()
            .map(|(m, f)| {
                let close = partner(m, k).filter(|p| p.1 < CLOSE);
                let named = close.zip(f.model.as_ref());
                let (distance, words) = named.map_or_else(
                    || (String::new(), "–".to_owned()),
                    |((t, d), model)| (format!("{d:.2}"), words(model, t, SHOWN)),
                );
                vec![f.name.to_owned(), distance, words]
            })
            .collect();
        let _ = write!(out, "**{}**\n\n{}\n", n + 1, markdown(&["method", "ℓ1", "words"], &rows));
    }
    out
}
