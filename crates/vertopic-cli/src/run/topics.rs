//! `vertopic topics`: the topics of a model.

use std::io::{self, IsTerminal as _};

use vertopic_io::store::read_model;

use crate::failure::Failure;
use crate::flags::TopicsFlags;
use crate::output::{self, Messages, Style, Words, topics_json, topics_table, topics_tsv};

/// Columns of a table that goes to a file or another program.
const WIDTH: usize = 100;

pub(crate) fn topics(flags: &TopicsFlags) -> Result<(), Failure> {
    let model = read_model(&flags.model)?;
    let words = Words { n: flags.n_words, rank: flags.rank };
    if flags.json {
        output::json(&topics_json(&model, words))?;
    } else if flags.tsv {
        output::data(&topics_tsv(&model, words))?;
    } else {
        output::data(&topics_table(&model, words, width(), Style::stdout()))?;
    }
    Messages::new(flags.quiet).warnings_of(&model);
    Ok(())
}

/// Columns of the terminal.
pub(super) fn width() -> usize {
    let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    terminal.map_or(WIDTH, |(width, _)| usize::from(width.0))
}
