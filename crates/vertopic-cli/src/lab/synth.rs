//! `vertopic synth`: a corpus whose topics are known.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use vertopic::TopicModel;
use vertopic::context::Context;
use vertopic::corpus::{Corpus, CorpusBuilder};
use vertopic::model::CorpusSummary;
use vertopic_io::IoError;
use vertopic_io::atomic::{write_atomically, write_error};
use vertopic_io::counts::uci::{Packing, header, push_entries};
use vertopic_io::counts::vocab;
use vertopic_io::store::{CorpusKind, CorpusMeta, write_corpus, write_model};
use vertopic_lab::synth::lda::{Block, Lda, Tally};
use vertopic_lab::synth::swimmer;
use vertopic_lab::synth::truth::{Planted, Truth};

use crate::failure::Failure;
use crate::flags::{RunFlags, SynthFlags, SynthKind};
use crate::lab::synth_plan::{Recipe, SynthPlan};
use crate::output::{grouped, seconds};
use crate::plan::check_output;
use crate::run::Shell;

/// Bytes of a part of a compressed file, about, before it is packed.
const PART: usize = 1 << 21;

pub(crate) fn synth(flags: SynthFlags) -> Result<(), Failure> {
    let shell = Shell::new(run_flags(&flags.kind));
    let plan = SynthPlan::try_from(flags.kind)?;
    let start = Instant::now();
    let ctx = shell.run()?;
    make_folder(&plan.folder)?;
    let files =
        [Some(plan.documents()), plan.vocabulary(), Some(plan.truth()), Some(plan.settings_file())];
    let files: Vec<_> = files.into_iter().flatten().collect();
    files.iter().try_for_each(|file| check_output(file, &[]))?;

    let settings = plan.settings()?;
    let truth = match (&plan.recipe, plan.packing) {
        (Recipe::Lda(lda), Some(packing)) => stream(lda, packing, &plan, &settings, &ctx)?,
        (Recipe::Lda(lda), None) => in_memory(&lda.generate(plan.seed, &ctx)?, &plan, &settings)?,
        (Recipe::Separable(recipe), _) => {
            let stage = ctx.stage("drawing documents", 0);
            let planted = recipe.generate(plan.seed)?;
            drop(stage);
            in_memory(&planted, &plan, &settings)?
        }
        (Recipe::Swimmer { tokens, background }, _) => {
            in_memory(&swimmer::planted(*background, *tokens, plan.seed)?, &plan, &settings)?
        }
    };
    write_model(&plan.truth(), &truth.model)?;
    write_settings(&plan, &truth, settings)?;

    let corpus = &truth.model.provenance().corpus;
    shell.messages.facts(&[
        ("documents", grouped(corpus.documents)),
        ("tokens", grouped(corpus.tokens)),
        ("vocabulary", grouped(corpus.words)),
        ("topics", grouped(truth.model.topics().n_topics())),
        ("novel words", grouped(truth.model.provenance().report.novel_words)),
        ("time", seconds(start.elapsed())),
    ]);
    files.iter().for_each(|file| shell.messages.line(&format!("wrote {}", file.display())));
    Ok(())
}

/// The true model, and the number of entries of the documents.
struct Written {
    model: TopicModel,
    entries: u64,
}

/// Writes a corpus that is in memory.
fn in_memory(planted: &Planted, plan: &SynthPlan, settings: &Value) -> Result<Written, Failure> {
    let (path, corpus) = (plan.documents(), &planted.corpus);
    match plan.packing {
        None => {
            let meta = CorpusMeta { kind: CorpusKind::Counts, tokenizer: None };
            write_corpus(&path, corpus, &meta)?;
        }
        Some(packing) => {
            write_atomically(&path, |out| {
                write_uci(corpus, packing, out).map_err(|e| write_error(&path, e))
            })?;
            write_words(plan, corpus)?;
        }
    }
    let model = planted.truth().model(settings)?;
    Ok(Written { model, entries: corpus.nnz() as u64 })
}

fn write_uci(corpus: &Corpus, packing: Packing, out: &mut dyn Write) -> std::io::Result<()> {
    let (documents, entries) = (corpus.n_documents() as u64, corpus.nnz() as u64);
    let mut text = header(documents, corpus.n_words(), entries);
    for (d, document) in corpus.documents().enumerate() {
        push_entries(&mut text, d as u64, document.entries());
        if text.len() >= PART {
            out.write_all(&packing.pack(std::mem::take(&mut text))?)?;
        }
    }
    out.write_all(&packing.pack(text)?)
}

/// Writes documents as they are drawn. The header has the number of entries, so documents are drawn
/// twice, the first time to count. Document d depends on (seed, d) only, so it is the same both times.
fn stream(
    lda: &Lda,
    packing: Packing,
    plan: &SynthPlan,
    settings: &Value,
    ctx: &Context<'_>,
) -> Result<Written, Failure> {
    let documents = lda.documents(plan.seed, ctx)?;
    let tally: Tally = documents.tally("counting words", ctx);
    let path = plan.documents();
    let cannot = |e| write_error(&path, e);
    let text = |block: Block| {
        let mut text = Vec::new();
        for (d, pairs) in block.documents() {
            push_entries(&mut text, d as u64, pairs.iter().copied());
        }
        packing.pack(text)
    };
    write_atomically(&path, |out| {
        let head = packing.pack(header(tally.documents, lda.words, tally.pairs));
        head.and_then(|head| out.write_all(&head)).map_err(cannot)?;
        documents.for_each_block("writing documents", ctx, text, |part| {
            part.and_then(|part| out.write_all(&part)).map_err(cannot)
        })
    })?;
    let words = CorpusBuilder::with_words(lda.names()).finish()?;
    write_words(plan, &words)?;
    let truth = Truth {
        vocabulary: words.vocabulary(),
        topics: documents.topics(),
        novel_words: documents.novel_words(),
        weights: &tally.weights(),
        corpus: CorpusSummary {
            documents: lda.documents,
            empty: 0, // every document has a token
            words: lda.words,
            tokens: tally.tokens,
        },
    };
    Ok(Written { model: truth.model(settings)?, entries: tally.pairs })
}

/// The words of a corpus, for a format that does not hold them.
fn write_words(plan: &SynthPlan, corpus: &Corpus) -> Result<(), Failure> {
    if let Some(path) = plan.vocabulary() {
        write_atomically(&path, |out| {
            vocab::write(corpus, out).map_err(|e| write_error(&path, e))
        })?;
    }
    Ok(())
}

/// The settings and the corpus that they gave.
fn write_settings(plan: &SynthPlan, truth: &Written, mut settings: Value) -> Result<(), Failure> {
    let name = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
    let corpus = &truth.model.provenance().corpus;
    settings["version"] = Value::from(env!("CARGO_PKG_VERSION"));
    settings["corpus"] = json!({
        "documents": corpus.documents,
        "words": corpus.words,
        "tokens": corpus.tokens,
        "entries": truth.entries,
    });
    settings["files"] = json!({
        "documents": name(&plan.documents()),
        "vocabulary": plan.vocabulary().as_deref().and_then(name),
        "truth": name(&plan.truth()),
    });
    settings["fingerprint"] = Value::from(truth.model.fingerprint());
    let path = plan.settings_file();
    write_atomically(&path, |out| {
        writeln!(out, "{settings:#}").map_err(|e| write_error(&path, e))
    })?;
    Ok(())
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    let cannot = |source| IoError::File { path: folder.to_owned(), what: "cannot create", source };
    Ok(std::fs::create_dir_all(folder).map_err(cannot)?)
}

fn run_flags(kind: &SynthKind) -> &RunFlags {
    match kind {
        SynthKind::Separable(flags) => &flags.run,
        SynthKind::Swimmer(flags) => &flags.run,
        SynthKind::Lda(flags) => &flags.run,
    }
}
