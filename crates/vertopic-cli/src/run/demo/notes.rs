//! Short notes on eight subjects.

use std::fmt::Write as _;
use std::path::Path;

use vertopic::TopicModel;
use vertopic::context::Context;
use vertopic::corpus::Corpus;
use vertopic::infer::{InferParams, Mixtures, mixtures};
use vertopic_io::atomic::{write_atomically, write_error};
use vertopic_io::input::{Input, Kind};
use vertopic_io::sink::CorpusSink;
use vertopic_io::source::Source;
use vertopic_io::store::write_model;
use vertopic_io::text::{Columns, TextReader, Tokenizer, TokenizerOptions, delimited};

use crate::failure::Failure;
use crate::flags::PruneFlags;
use crate::output::{Style, Words, topics_table};
use crate::plan::ModelPlan;
use crate::run::fit::{Read, fit_documents};
use crate::run::topics::width;

/// Columns id, date, label, text.
const NOTES: &str = include_str!("../../../data/notes.tsv");
const TOPICS: usize = 8;
/// Sample documents of a topic, and how much of each is shown.
const SAMPLES: usize = 2;
const SAMPLE_LENGTH: usize = 60;

/// Finds the subjects and compares them with the labels, which the fit does not see.
pub(super) fn show(out: Option<&Path>, ctx: &Context<'_>) -> Result<String, Failure> {
    let input = read(ctx)?;
    let corpus = input.corpus.clone();
    let read = Read::in_memory(input, &PruneFlags::default().into(), ctx)?;
    let model = fit_documents(read, &ModelPlan::of(TOPICS), ctx)?;
    if let Some(folder) = out {
        let path = folder.join("notes.tsv");
        let notes = NOTES.as_bytes();
        write_atomically(&path, |out| out.write_all(notes).map_err(|e| write_error(&path, e)))?;
        write_model(&folder.join("notes.safetensors"), &model)?;
    }
    let corpus = ctx.install(|| corpus.project(model.vocabulary()));
    let params = InferParams::default();
    let mixtures = mixtures(model.topics(), model.weights(), &corpus, &params, ctx)?;
    let style = Style::stdout();
    Ok(format!(
        "{}\n\n\
         {} notes, {} words after pruning. The fit did not use the labels; they evaluate the topics.\n\n\
         {}\n{}",
        style.bold("Notes"),
        corpus.n_documents(),
        model.vocabulary().len(),
        topics_table(&model, Words::discriminative_words(10), width(), style),
        compared(&corpus, &model, &mixtures),
    ))
}

fn read(ctx: &Context<'_>) -> Result<Input, Failure> {
    let options = TokenizerOptions::default();
    let tokenizer = Tokenizer::new(&options)?;
    let mut sink = CorpusSink::new();
    let mut reader = TextReader::new(&tokenizer, true, &mut sink, ctx);
    let source = Source::from_reader("notes.tsv", NOTES.as_bytes());
    delimited::read(source, b'\t', &Columns::default(), &mut reader)?;
    let warnings = reader.finish()?;
    Ok(Input {
        corpus: ctx.install(|| sink.finish())?.corpus,
        kind: Kind::Text,
        tokenizer: Some(options),
        warnings,
        notes: Vec::new(),
        files: 1,
    })
}

/// For each topic the label of most of its documents, two of them, and how many notes agree in all.
fn compared(corpus: &Corpus, model: &TopicModel, mixtures: &Mixtures) -> String {
    let label = |d: usize| corpus.label(d).unwrap_or_default();
    let topics: Vec<usize> =
        (0..corpus.n_documents()).map(|d| dominant(mixtures.mixture(d))).collect();
    let (mut out, mut agree) = (String::new(), 0);
    for k in 0..model.topics().n_topics() {
        let mut own: Vec<usize> = (0..topics.len()).filter(|&d| topics[d] == k).collect();
        let (majority, n) = most_common(own.iter().map(|&d| label(d)));
        agree += n;
        let _ = writeln!(out, "topic {k} is {majority:?} ({n} of its {} notes)", own.len());
        own.sort_by(|&a, &b| {
            mixtures.mixture(b)[k].total_cmp(&mixtures.mixture(a)[k]).then(a.cmp(&b))
        });
        for &d in own.iter().take(SAMPLES) {
            let _ =
                writeln!(out, "    {}  {}", corpus.time(d).unwrap_or_default(), start_of_note(d));
        }
    }
    let documents = topics.len();
    let share = 100.0 * agree as f64 / documents as f64;
    let _ = writeln!(
        out,
        "\n{agree} of {documents} notes ({share:.0} %) have the label of most of their topic.\n"
    );
    out
}

/// The topic with the largest share; the first of equals.
fn dominant(mixture: &[f32]) -> usize {
    let mut best = 0;
    for (k, share) in mixture.iter().enumerate() {
        if *share > mixture[best] {
            best = k;
        }
    }
    best
}

/// The label that occurs most often, and how often; the first in the alphabet of equals.
fn most_common<'a>(labels: impl Iterator<Item = &'a str>) -> (&'a str, usize) {
    let mut labels: Vec<&str> = labels.collect();
    labels.sort_unstable();
    let mut best = ("", 0);
    for run in labels.chunk_by(|a, b| a == b) {
        if run.len() > best.1 {
            best = (run[0], run.len());
        }
    }
    best
}

/// How note `d` begins. The built-in notes have no quotes, so a line is a note.
fn start_of_note(d: usize) -> String {
    let line = NOTES.lines().nth(d + 1).unwrap_or_default();
    let text = line.rsplit('\t').next().unwrap_or_default();
    match text.char_indices().nth(SAMPLE_LENGTH) {
        None => text.to_owned(),
        Some((end, _)) => {
            let end = text[..end].rfind(' ').unwrap_or(end);
            format!("{} …", &text[..end])
        }
    }
}
