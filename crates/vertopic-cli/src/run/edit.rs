//! `vertopic edit`: changes a model by hand.

use vertopic_io::store::{read_model, write_model};

use crate::failure::Failure;
use crate::flags::EditFlags;
use crate::output::{self, Messages, grouped};
use crate::plan::check_output;

pub(crate) fn edit(flags: &EditFlags) -> Result<(), Failure> {
    check_output(&flags.output, std::slice::from_ref(&flags.model))?;
    let model = read_model(&flags.model)?;
    let groups: Vec<Vec<usize>> = flags.merge.iter().map(|group| group.0.clone()).collect();
    let edited = model.merge_topics(&groups).map_err(|error| Failure::Run {
        problem: format!("{}: {error}", flags.model.display()),
        hint: Some(format!("vertopic topics {} shows the numbers", flags.model.display())),
    })?;
    write_model(&flags.output, &edited)?;
    let messages = Messages::new(flags.quiet);
    let count = |model: &vertopic::TopicModel| grouped(model.topics().n_topics());
    messages.facts(&[("topics", format!("{} → {}", count(&model), count(&edited)))]);
    messages.line(&format!("wrote {}", flags.output.display()));
    output::data(&format!("fingerprint: {}\n", edited.fingerprint()))
}
