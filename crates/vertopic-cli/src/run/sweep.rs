//! `vertopic sweep`: numbers of topics side by side.

use std::path::{Path, PathBuf};

use vertopic::choose::Sweep;
use vertopic::refine::RefineParams;
use vertopic::{Error, FitParams};
use vertopic_io::IoError;
use vertopic_io::input::Input;
use vertopic_io::store::write_model;

use crate::failure::Failure;
use crate::flags::SweepFlags;
use crate::lab;
use crate::output::{self, Style, grouped, sweep_json, sweep_table};
use crate::plan::{InputPlan, PrunePlan, check_output};
use crate::run::Shell;
use crate::run::fit::{at, preprocessing, prune_facts};

pub(crate) fn sweep(flags: SweepFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let plan = InputPlan::new(flags.input, flags.text)?;
    if let Some(plot) = &flags.plot {
        check_plot(plot, &plan.paths)?;
    }
    if let Some(folder) = &flags.models {
        let cannot = |source| IoError::File { path: folder.clone(), what: "cannot create", source };
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    let ctx = shell.run()?;
    let input = plan.read(&ctx)?;
    shell.tell(&input);
    let Input { corpus, kind, tokenizer, .. } = input;
    let documents = corpus.n_documents();
    if documents < 2 {
        let usable = documents - corpus.n_empty();
        return Err(at(&plan.name(), Error::TooFewDocuments { usable, documents }.into()));
    }
    let limits = PrunePlan::from(flags.prune).for_fit(kind, documents);
    let (corpus, report) = ctx.install(|| corpus.prune(&limits))?;
    prune_facts(shell.messages, &report);
    let mut refine = RefineParams::default();
    refine.sweeps = flags.refine;
    let params = FitParams::new(2).with_seed(flags.seed).with_refine(refine);
    let found = vertopic::sweep(&corpus, &flags.n_topics.0, &params, &ctx)
        .map_err(|error| at(&plan.name(), error.into()))?;
    if let Some(folder) = &flags.models {
        for step in &found.steps {
            let note = preprocessing(kind, tokenizer.as_ref())?;
            let model = step.model.clone().with_preprocessing(note, Some(report))?;
            write_model(&folder.join(format!("k{}.safetensors", step.n_topics)), &model)?;
        }
        shell.messages.line(&format!("wrote {} models to {}", found.steps.len(), folder.display()));
    }
    if let Some(plot) = &flags.plot {
        lab::draw(&found, plot, is_png(plot))?;
        shell.messages.line(&format!("wrote {}", plot.display()));
    }
    tell(&shell, &found);
    if flags.json {
        return output::json(&sweep_json(&found, flags.seed));
    }
    output::data(&sweep_table(&found, Style::stdout()))
}

/// The ending says what kind of picture it is.
fn check_plot(plot: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    if !is_png(plot) && plot.extension().is_none_or(|e| !e.eq_ignore_ascii_case("svg")) {
        let problem = format!("{}: the name of a plot ends in .svg or .png", plot.display());
        let hint = format!("--plot {}", plot.with_extension("svg").display());
        return Err(Failure::usage(problem, &hint));
    }
    check_output(plot, inputs)
}

fn is_png(plot: &Path) -> bool {
    plot.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"))
}

fn tell(shell: &Shell, found: &Sweep) {
    shell.messages.facts(&[("held out", format!("{} documents", grouped(found.held_out)))]);
    if let Some(first) = found.failed.first() {
        let numbers: Vec<String> = found.failed.iter().map(|f| f.n_topics.to_string()).collect();
        shell.messages.warning(&format!("no {} topics: {}", numbers.join(", "), first.reason));
    }
}
