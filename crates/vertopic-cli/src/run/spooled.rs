//! `vertopic fit --memory`: topics of documents that stay on the disk.

use vertopic::context::Context;
use vertopic::corpus::PruneReport;
use vertopic::{TopicModel, choose_topics, fit};
use vertopic_io::input::Spooled;

use crate::failure::Failure;
use crate::plan::{FitMethod, ModelPlan};
use crate::run::fit::preprocessing;

/// Whether the method can leave documents on the disk.
pub(super) fn check_method(model: &ModelPlan) -> Result<(), Failure> {
    if matches!(model.method(2), FitMethod::Own(_)) {
        return Ok(());
    }
    let problem = "--memory is for the methods that find novel words by passes".to_owned();
    let hint = "leave it out, or use --method embedded, embedded-ddp, rp, ddp or binning";
    Err(Failure::usage(problem, hint))
}

/// Fits as `fit` does; `pruned` is told what pruning did before the fit begins.
pub(super) fn fit_spooled(
    spooled: Spooled,
    model: &ModelPlan,
    ctx: &Context<'_>,
    pruned: impl FnOnce(&PruneReport),
) -> Result<TopicModel, Failure> {
    let Spooled { spool, report, kind, tokenizer, .. } = spooled;
    pruned(&report);
    let params = model.params(report.documents);
    let fitted = if model.is_auto() {
        choose_topics(&spool, &params, ctx).and_then(|chosen| {
            let params = model.with_topics(chosen.n_topics).params(report.documents);
            fit(&spool, &params, ctx)?.with_chosen(&chosen)
        })
    } else {
        fit(&spool, &params, ctx)
    };
    Ok(fitted?.with_preprocessing(preprocessing(kind, tokenizer.as_ref()), Some(report))?)
}
