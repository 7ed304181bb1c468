//! `vertopic sketch`: documents → the sums that a fit needs.

use std::path::Path;

use vertopic::corpus::Vocabulary;
use vertopic::sketch::Sketch;
use vertopic_io::counts::vocab;
use vertopic_io::source;
use vertopic_io::store::{looks_like_model, read_model, write_sketch};

use crate::failure::Failure;
use crate::flags::SketchFlags;
use crate::output::{self, Messages, grouped};
use crate::plan::{InputPlan, check_output, check_sketch_name, sketch_params};
use crate::run::Shell;
use crate::run::fit::{at, preprocessing};

pub(crate) fn sketch(flags: SketchFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let params = sketch_params(&flags)?;
    check_sketch_name(&flags.output)?;
    let plan = InputPlan::new(flags.input, flags.text)?;
    let read = plan.paths.iter().cloned().chain(plan.vocab()).chain(flags.words.clone());
    check_output(&flags.output, &read.collect::<Vec<_>>())?;
    let words = flags.words.as_deref().map(words).transpose()?;
    let ctx = shell.run()?;
    let input = plan.read(&ctx)?;
    shell.tell(&input);
    let note = preprocessing(input.kind, input.tokenizer.as_ref())?;
    let corpus = match words {
        None => input.corpus,
        Some(words) => input.corpus.project(&words),
    };
    let sketch = Sketch::of(&corpus, &params, &ctx).map_err(|e| at(&plan.name(), e.into()))?;
    wrote(shell.messages, &flags.output, &sketch.with_preprocessing(note))
}

/// The words to keep.
fn words(path: &Path) -> Result<Vocabulary, Failure> {
    if looks_like_model(path) {
        return Ok(read_model(path)?.vocabulary().clone());
    }
    let words = vocab::read(source::open(path)?)?;
    Vocabulary::new(words).map_err(|e| at(&path.display().to_string(), e.into()))
}

/// Writes a sketch and tells about it.
pub(super) fn wrote(messages: Messages, path: &Path, sketch: &Sketch) -> Result<(), Failure> {
    write_sketch(path, sketch)?;
    messages.facts(&facts(sketch));
    messages.line(&format!("wrote {}", path.display()));
    output::data(&format!("fingerprint: {}\n", sketch.fingerprint()?))
}

/// What a sketch is of.
pub(super) fn facts(sketch: &Sketch) -> Vec<(&'static str, String)> {
    vec![
        ("documents", grouped(sketch.n_documents())),
        ("without words", format!("{} documents", grouped(sketch.n_empty()))),
        ("tokens", grouped(sketch.n_tokens())),
        ("vocabulary", format!("{} words", grouped(sketch.vocabulary().len()))),
        ("occur together", format!("{} pairs of words", grouped(sketch.nnz()))),
        ("made with", sketch.params().to_string()),
    ]
}
