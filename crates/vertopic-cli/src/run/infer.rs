//! `vertopic infer`: mixtures of documents, old or new.

use std::path::Path;

use vertopic::TopicModel;
use vertopic::infer::{InferParams, mixtures};
use vertopic_io::input::Input;
use vertopic_io::mixtures::{MixtureFormat, write_mixtures, write_to};
use vertopic_io::store::read_model;
use vertopic_io::text::{Stopwords, TokenizerOptions};

use crate::failure::Failure;
use crate::flags::InferFlags;
use crate::output::{self, Messages, grouped};
use crate::plan::{InputPlan, check_output};
use crate::run::Shell;

pub(crate) fn infer(flags: InferFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let to_stdout = flags.output == Path::new("-");
    let mut read = flags.input.inputs.clone();
    read.push(flags.model.clone());
    if !to_stdout {
        MixtureFormat::of(&flags.output)?;
        check_output(&flags.output, &read)?;
    }
    let model = read_model(&flags.model)?;
    let noted = noted_tokenizer(&model, &flags.model)?;
    let tokenizer = noted.clone().unwrap_or_else(every_word);
    let plan = InputPlan::with_tokenizer(flags.input, tokenizer)?;

    let ctx = shell.run()?;
    let input = plan.read(&ctx)?;
    shell.tell(&input);
    if let Some(odd) = split_otherwise(&input, noted.as_ref()) {
        shell.messages.warning(odd);
    }
    let tokens = input.corpus.n_tokens();
    let corpus = ctx.install(|| input.corpus.project(model.vocabulary()));
    let known = corpus.n_tokens();
    let params = InferParams::default();
    let mixtures = mixtures(model.topics(), model.weights(), &corpus, &params, &ctx)?;
    ctx.install(|| {
        if to_stdout {
            output::stdout(|out| write_to(out, MixtureFormat::Csv, &corpus, &mixtures))
        } else {
            Ok(write_mixtures(&flags.output, &corpus, &mixtures)?)
        }
    })?;

    let report = &mixtures.report;
    let unknown = 100.0 * (tokens - known) as f64 / tokens.max(1) as f64;
    shell.messages.facts(&[
        ("documents", grouped(report.documents)),
        (
            "without known words",
            format!("{} (they get the mixture of the corpus)", grouped(report.empty)),
        ),
        (
            "unknown tokens",
            format!("{} of {} ({unknown:.1} %)", grouped(tokens - known), grouped(tokens)),
        ),
        ("not converged", format!("{} documents", grouped(report.not_converged))),
    ]);
    if known == 0 {
        no_known_word(shell.messages);
    }
    if !to_stdout {
        shell.messages.line(&format!("wrote {}", flags.output.display()));
    }
    Ok(())
}

/// How the model's own documents were split; `None` if they were word counts.
pub(super) fn noted_tokenizer(
    model: &TopicModel,
    path: &Path,
) -> Result<Option<TokenizerOptions>, Failure> {
    let note = model.provenance().preprocessing.get("tokenizer").unwrap_or_default();
    note.read().map_err(|e| Failure::Run {
        problem: format!("{}: how its text was split is not understood: {e}", path.display()),
        hint: Some("it may have been written by a newer version".to_owned()),
    })
}

/// For text, when the model does not say how to split it: whatever is in the vocabulary counts.
pub(super) fn every_word() -> TokenizerOptions {
    TokenizerOptions {
        stopwords: Stopwords::None,
        min_length: 1,
        numbers: true,
        ..TokenizerOptions::default()
    }
}

/// A warning if the documents were not split as the model's were.
pub(super) fn split_otherwise(
    input: &Input,
    noted: Option<&TokenizerOptions>,
) -> Option<&'static str> {
    match (&input.tokenizer, noted) {
        (Some(_), None) => Some(
            "the model was fitted on word counts and does not say how to split text; words in \
             lower case are looked up in its vocabulary",
        ),
        (Some(own), Some(noted)) if own != noted => {
            Some("these documents were not split into words as those of the model were")
        }
        _ => None,
    }
}

fn no_known_word(messages: Messages) {
    messages.warning("no document has a word that the model knows");
    messages.hint("for word counts, --vocab must name the words of the input");
}
