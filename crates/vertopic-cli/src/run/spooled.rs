//! `vertopic fit --memory`: topics of documents that stay on the disk.

use std::path::Path;

use vertopic::corpus::PruneReport;
use vertopic::run::Run;
use vertopic::{TopicModel, choose_topics, fit};
use vertopic_io::input::Format;
use vertopic_io::source::strip_compression;
use vertopic_io::store::spool_corpus;
use vertopic_lab::method::Method;

use crate::failure::Failure;
use crate::plan::{InputPlan, ModelPlan, PrunePlan};
use crate::run::fit::preprocessing;

/// The on-disk corpus that is to be fitted, if the flags allow it.
pub(super) fn on_disk<'p>(input: &'p InputPlan, model: &ModelPlan) -> Result<&'p Path, Failure> {
    let [path] = &input.paths[..] else {
        let problem = "--memory takes one on-disk corpus".to_owned();
        return Err(Failure::usage(problem, IMPORT));
    };
    if !matches!(Format::of(path), Ok(Format::Arrow)) || strip_compression(path) != *path {
        let problem = format!("--memory needs an on-disk corpus, and {} is none", path.display());
        return Err(Failure::usage(problem, IMPORT));
    }
    if !matches!(model.method(2), Method::Own(_)) {
        let problem = "--memory is for the methods that find novel words by passes".to_owned();
        let hint = "leave it out, or use --method embedded, embedded-ddp, rp, ddp or binning";
        return Err(Failure::usage(problem, hint));
    }
    Ok(path)
}

const IMPORT: &str = "make one: vertopic import INPUT -o corpus.arrow";

/// Fits as `fit` does; `pruned` is told what pruning did before the fit begins. The temporary file is in `folder`.
pub(super) fn fit_spooled(
    path: &Path,
    folder: &Path,
    memory: u64,
    prune: &PrunePlan,
    model: &ModelPlan,
    run: &Run<'_>,
    pruned: impl FnOnce(&PruneReport),
) -> Result<TopicModel, Failure> {
    let limits = |kind, documents| prune.for_fit(kind, documents);
    let (spool, meta, report) = spool_corpus(path, folder, memory, limits, run)?;
    pruned(&report);
    let params = model.params(report.documents);
    let fitted = if model.is_auto() {
        choose_topics(&spool, &params, run).and_then(|chosen| {
            let params = model.with_topics(chosen.n_topics).params(report.documents);
            fit(&spool, &params, run)?.with_chosen(&chosen)
        })
    } else {
        fit(&spool, &params, run)
    };
    spool.check()?; // a fit of half the documents is none, whatever it says
    let tokenizer = meta.tokenizer_options(path)?;
    Ok(fitted?.with_preprocessing(preprocessing(meta.kind, tokenizer.as_ref()), Some(report))?)
}
