//! `vertopic import`: any input → the on-disk corpus.

use vertopic_io::input::Input;
use vertopic_io::store::{CorpusMeta, write_corpus};

use crate::failure::Failure;
use crate::flags::ImportFlags;
use crate::output::grouped;
use crate::plan::{InputPlan, PrunePlan, check_output};
use crate::run::Shell;
use crate::run::fit::prune_facts;

pub(crate) fn import(flags: ImportFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let plan = InputPlan::new(flags.input, flags.text)?;
    check_ending(&flags.output)?;
    check_output(&flags.output, &plan.paths)?;
    let ctx = shell.run()?;
    let input = plan.read(&ctx)?;
    shell.tell(&input);
    let Input { mut corpus, kind, tokenizer, .. } = input;
    if let Some(limits) = PrunePlan::from(flags.prune).for_import() {
        let (pruned, report) = ctx.install(|| corpus.prune(&limits))?;
        prune_facts(shell.messages, &report);
        corpus = pruned;
    } else {
        shell.messages.facts(&[
            ("documents", grouped(corpus.n_documents())),
            ("tokens", grouped(corpus.n_tokens())),
            ("vocabulary", grouped(corpus.n_words())),
            ("without words", format!("{} documents", grouped(corpus.n_empty()))),
        ]);
    }
    let tokenizer = tokenizer.map(|t| serde_json::to_string(&t)).transpose();
    let tokenizer =
        tokenizer.map_err(|e| Failure::Run { problem: e.to_string(), hint: None })?;
    write_corpus(&flags.output, &corpus, &CorpusMeta { kind, tokenizer })?;
    shell.messages.line(&format!("wrote {}", flags.output.display()));
    Ok(())
}

/// The ending says how a file is read again, so it must be the right one.
fn check_ending(output: &std::path::Path) -> Result<(), Failure> {
    if output.extension().is_some_and(|e| e.eq_ignore_ascii_case("arrow")) {
        return Ok(());
    }
    let problem = format!("{}: the name of an on-disk corpus ends in .arrow", output.display());
    Err(Failure::usage(problem, &format!("-o {}", output.with_extension("arrow").display())))
}
