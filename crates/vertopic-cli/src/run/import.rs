//! `vertopic import`: any input → the on-disk corpus.

use vertopic_io::input::InputInfo;
use vertopic_io::sink::Room;
use vertopic_io::spool::SpoolBuilder;
use vertopic_io::store::{CorpusMeta, write_spooled};

use crate::failure::Failure;
use crate::flags::ImportFlags;
use crate::output::grouped;
use crate::plan::{InputPlan, PrunePlan, check_output};
use crate::run::Shell;
use crate::run::fit::{folder_of, prune_facts};

/// Bytes of memory for the documents under way.
const MEMORY: u64 = 64 << 20;

pub(crate) fn import(flags: ImportFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let plan = InputPlan::new(flags.input, flags.text)?;
    check_ending(&flags.output)?;
    check_output(&flags.output, &plan.paths)?;
    let ctx = shell.run()?;
    let mut documents = SpoolBuilder::new(folder_of(&flags.output), Room::About(MEMORY))?;
    let InputInfo { kind, tokenizer, warnings, notes, .. } =
        plan.read_into(&mut documents, &ctx)?;
    shell.say(&notes, &warnings);
    let tokenizer = tokenizer.map(|t| serde_json::to_string(&t)).transpose();
    let tokenizer = tokenizer.map_err(|e| Failure::Run { problem: e.to_string(), hint: None })?;
    let (limits, meta) =
        (PrunePlan::from(flags.prune).for_import(), CorpusMeta { kind, tokenizer });
    let report = write_spooled(&flags.output, documents, limits, &meta, &ctx)?;
    if limits.is_some() {
        prune_facts(shell.messages, &report);
    } else {
        shell.messages.facts(&[
            ("documents", grouped(report.documents)),
            ("tokens", grouped(report.tokens_after)),
            ("vocabulary", grouped(report.words_after)),
            ("without words", format!("{} documents", grouped(report.empty_documents))),
        ]);
    }
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
