//! `vertopic fit`: corpus → topics.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use vertopic::context::Context;
use vertopic::corpus::{Corpus, Documents, PruneReport};
use vertopic::model::Warning;
use vertopic::note::Note;
use vertopic::sketch::Sketch;
use vertopic::{TopicModel, choose_topics};
use vertopic_io::input::{Input, InputInfo, Kind};
use vertopic_io::sink::Room;
use vertopic_io::spool::{Spool, SpoolBuilder};
use vertopic_io::store::write_model;
use vertopic_io::text::TokenizerOptions;

use crate::advice;
use crate::failure::Failure;
use crate::flags::FitFlags;
use crate::output::{self, Messages, grouped, seconds, topics_lines};
use crate::plan::{
    FitMethod, InputPlan, ModelPlan, PrunePlan, check_output, named, sketches_to_fit,
};
use crate::run::Shell;
use crate::run::info::novel_words;
use crate::run::merge::merged;
use crate::run::topics::width;

/// Topics that are listed after a fit, at most: a screen of them.
const LISTED: usize = 20;

/// What is fitted.
enum Source {
    Documents {
        input: Box<InputPlan>,
        prune: PrunePlan,
        /// Documents stay on the disk if memory is limited to this number of bytes.
        memory: Option<u64>,
    },
    Sketches(Vec<PathBuf>),
}

/// The command as meant.
struct FitPlan {
    source: Source,
    model: ModelPlan,
    output: PathBuf,
    json: bool,
}

impl TryFrom<FitFlags> for FitPlan {
    type Error = Failure;

    fn try_from(flags: FitFlags) -> Result<Self, Failure> {
        let model = flags.model.clone().try_into()?;
        let (source, read) = if let Some(paths) = sketches_to_fit(&flags, &model)? {
            (Source::Sketches(paths.clone()), paths)
        } else {
            let input = Box::new(InputPlan::new(flags.input, flags.text)?);
            let read = input.paths.iter().cloned().chain(input.vocab()).collect();
            let prune = flags.prune.into();
            let memory = flags.memory;
            if memory.is_some() {
                check_method(&model)?;
            }
            (Source::Documents { input, prune, memory }, read)
        };
        check_output(&flags.output, &read)?;
        Ok(Self { source, model, output: flags.output, json: flags.json })
    }
}

pub(crate) fn fit(flags: FitFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let plan = FitPlan::try_from(flags)?;
    let start = Instant::now();
    let ctx = shell.run()?;
    let told = |report: &PruneReport| prune_facts(shell.messages, report);
    let model = match &plan.source {
        Source::Documents { input, prune, memory } => {
            let ctx = match memory {
                None => ctx,
                // The other part is for the documents under way.
                Some(memory) => {
                    ctx.with_memory(usize::try_from(memory / 5 * 2).unwrap_or(usize::MAX))
                }
            };
            let about = |failure| at(&input.name(), failure);
            let read = match memory {
                None => {
                    let input = input.read(&ctx)?;
                    shell.tell(&input);
                    Read::in_memory(input, prune, &ctx)
                }
                Some(memory) => {
                    let room = Room::AtMost(*memory);
                    let mut documents = SpoolBuilder::new(folder_of(&plan.output), room)?;
                    let info = input.read_into(&mut documents, &ctx)?;
                    shell.say(&info.notes, &info.warnings);
                    Read::on_disk(documents, info, prune, &ctx)
                }
            };
            let read = read.map_err(about)?;
            told(&read.report);
            fit_documents(read, &plan.model, &ctx).map_err(about)?
        }
        Source::Sketches(paths) => {
            let sketch = merged(paths)?;
            told(&sketch.prune_report());
            fit_sketches(&sketch, &plan.model, &ctx)
                .map_err(|failure| at(&named(paths), failure))?
        }
    };
    write_model(&plan.output, &model)?;
    fit_facts(shell.messages, &model, start.elapsed());
    topics_lines(&model, LISTED, width()).iter().for_each(|line| shell.messages.line(line));
    shell.messages.warnings_of(&model);
    shell.messages.line(&format!("wrote {}", plan.output.display()));
    if plan.json {
        return output::json(&summary(&model, &plan.output, start.elapsed(), &shell));
    }
    output::data(&format!("fingerprint: {}\n", model.fingerprint()))
}

/// Documents that were read and pruned.
pub(super) struct Read {
    documents: ReadDocuments,
    /// What pruning did.
    report: PruneReport,
    /// How documents became words.
    preprocessing: Note,
}

/// Where the documents are.
enum ReadDocuments {
    Memory(Corpus),
    Disk(Spool),
}

impl Read {
    /// Prunes documents in memory.
    pub(super) fn in_memory(
        input: Input,
        prune: &PrunePlan,
        ctx: &Context<'_>,
    ) -> Result<Self, Failure> {
        let Input { corpus, kind, tokenizer, .. } = input;
        let documents = corpus.n_documents();
        if documents < 2 {
            // Pruning would find that no word is left, which is true but not what is wrong.
            let usable = documents - corpus.n_empty();
            return Err(vertopic::Error::TooFewDocuments { usable, documents }.into());
        }
        let (corpus, report) = ctx.install(|| corpus.prune(&prune.for_fit(kind, documents)))?;
        let preprocessing = preprocessing(kind, tokenizer.as_ref())?;
        Ok(Self { documents: ReadDocuments::Memory(corpus), report, preprocessing })
    }

    /// Prunes documents on the disk and leaves them there.
    fn on_disk(
        documents: SpoolBuilder,
        info: InputInfo,
        prune: &PrunePlan,
        ctx: &Context<'_>,
    ) -> Result<Self, Failure> {
        let InputInfo { kind, tokenizer, .. } = info;
        let (spool, report) = documents.into_spool(|n| prune.for_fit(kind, n), ctx)?;
        let preprocessing = preprocessing(kind, tokenizer.as_ref())?;
        Ok(Self { documents: ReadDocuments::Disk(spool), report, preprocessing })
    }
}

/// Fits the documents, wherever they are.
pub(super) fn fit_documents(
    read: Read,
    model: &ModelPlan,
    ctx: &Context<'_>,
) -> Result<TopicModel, Failure> {
    let Read { documents, report, preprocessing } = read;
    let n = report.documents;
    let fitted = match &documents {
        ReadDocuments::Memory(corpus) => fit_chosen(corpus, n, model, ctx, |model| {
            model.method(n).fit(corpus, ctx) // any method
        })?,
        ReadDocuments::Disk(spool) => {
            let own = |model: &ModelPlan| model.params(n).fit_with(spool, ctx);
            fit_chosen(spool, n, model, ctx, own)?
        }
    };
    Ok(fitted.with_preprocessing(preprocessing, Some(report))?)
}

/// Chooses the number of topics if it is to be chosen, then fits.
fn fit_chosen(
    documents: &impl Documents,
    n: usize,
    model: &ModelPlan,
    ctx: &Context<'_>,
    fit: impl Fn(&ModelPlan) -> Result<TopicModel, vertopic::Error>,
) -> Result<TopicModel, vertopic::Error> {
    if !model.is_auto() {
        return fit(model);
    }
    let chosen = choose_topics(documents, &model.params(n), ctx)?;
    fit(&model.with_topics(chosen.n_topics))?.with_chosen(chosen)
}

/// The folder of an output, for temporary files.
pub(super) fn folder_of(output: &Path) -> &Path {
    output.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Whether the method can leave documents on the disk.
fn check_method(model: &ModelPlan) -> Result<(), Failure> {
    if matches!(model.method(2), FitMethod::Own(_)) {
        return Ok(());
    }
    let problem = "--memory is for the methods that find novel words by passes".to_owned();
    let hint = "leave it out, or use --method embedded, embedded-ddp, rp, ddp or binning";
    Err(Failure::usage(problem, hint))
}

/// Fits as [`fit_documents`] fits the documents of the sketch when it keeps all their words.
fn fit_sketches(
    sketch: &Sketch,
    model: &ModelPlan,
    ctx: &Context<'_>,
) -> Result<TopicModel, Failure> {
    let fitted = model.params(sketch.n_documents()).fit_sketch(sketch, ctx)?;
    let report = sketch.prune_report();
    Ok(fitted.with_preprocessing(sketch.preprocessing().clone(), Some(report))?)
}

/// What is noted in a model on how documents became words. Read again by `infer`.
pub(super) fn preprocessing(
    kind: Kind,
    tokenizer: Option<&TokenizerOptions>,
) -> Result<Note, Failure> {
    Ok(Note::of(&json!({"kind": kind.name(), "tokenizer": tokenizer}))?)
}

/// Says which input a failure of the fit is about.
pub(super) fn at(input: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Run { problem, hint } => {
            Failure::Run { problem: format!("{input}: {problem}"), hint }
        }
        other => other,
    }
}

/// What pruning did.
pub(super) fn prune_facts(messages: Messages, report: &PruneReport) {
    let change = |before: u64, after: u64| {
        let kept = grouped(after);
        if before == after { kept } else { format!("{} → {kept}", grouped(before)) }
    };
    messages.facts(&[
        ("documents", grouped(report.documents)),
        ("tokens", change(report.tokens_before, report.tokens_after)),
        ("vocabulary", change(report.words_before as u64, report.words_after as u64)),
        ("left with no word", format!("{} documents", grouped(report.empty_documents))),
    ]);
}

/// How the fit went.
fn fit_facts(messages: Messages, model: &TopicModel, time: Duration) {
    let report = &model.provenance().report;
    let mut facts = vec![("topics", grouped(model.topics().n_topics()))];
    if report.novel_words > 0 {
        facts.push(("novel words", novel_words(report)));
    }
    if report.left_out > 0 {
        facts.push(("left out", format!("{} novel words near a pin", grouped(report.left_out))));
    }
    if let Some(unpaired) = report.unpaired {
        facts.push(("too short", format!("{} documents", grouped(unpaired))));
    }
    if let Some(regressions) = &report.estimate {
        facts.push(("not converged", format!("{} words", grouped(regressions.not_converged))));
    }
    if let Some(refine) = &report.refine {
        let kept = match refine.kept {
            0 => "discarded: held-out likelihood did not improve".to_owned(),
            kept => format!("{kept} sweeps"),
        };
        facts.push(("refinement", kept));
        if refine.background_weight > 0.0 {
            let weight = 100.0 * refine.background_weight;
            facts.push(("smoothing", format!("{weight:.0} % of the mean topic in each topic")));
        }
    }
    facts.push(("time", seconds(time)));
    messages.facts(&facts);
    if let Some(chosen) = &model.provenance().chosen {
        let reason = &chosen.reason;
        messages.line(&format!("chose {} topics: {reason}", chosen.n_topics));
    }
    let raised = report.estimate.map_or(0, |regressions| regressions.gram.raised);
    if raised > 0 {
        messages.warning(&format!(
            "the topics are nearly dependent: {raised} of {} eigenvalues of their Gram matrix \
             were too small and were raised",
            model.topics().n_topics()
        ));
        messages
            .hint("ask for fewer topics (-k), give more documents, or use --representative pooled");
    }
}

fn summary(model: &TopicModel, output: &Path, time: Duration, shell: &Shell) -> serde_json::Value {
    let stages = shell.timings.stages();
    let stage = |(stage, seconds): &(String, f64)| json!({"stage": stage, "seconds": seconds});
    let provenance = model.provenance();
    let warning = |w: &Warning| json!({"text": w.to_string(), "hint": advice::hint(&w.advice())});
    json!({
        "fingerprint": model.fingerprint(),
        "output": output.to_string_lossy(),
        "n_topics": model.topics().n_topics(),
        "chosen": provenance.chosen,
        "corpus": provenance.corpus,
        "report": provenance.report,
        "warnings": model.warnings().iter().map(warning).collect::<Vec<_>>(),
        "seconds": time.as_secs_f64(),
        "stages": stages.iter().map(stage).collect::<Vec<_>>(),
        "peak_memory": output::peak_memory(),
    })
}
