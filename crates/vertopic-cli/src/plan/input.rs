//! Which documents are read, and how.

use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{Texts, Vocabulary};
use vertopic_io::input::{self, Format, Input, InputInfo, InputOptions};
use vertopic_io::sink::DocumentSink;
use vertopic_io::text::{Columns, Stopwords, Tokenizer, TokenizerOptions};

use crate::failure::Failure;
use crate::flags::{InputFlags, TextFlags};

/// Inputs and how to read them.
#[derive(Debug)]
pub(crate) struct InputPlan {
    pub(crate) paths: Vec<PathBuf>,
    options: InputOptions,
}

impl InputPlan {
    /// Text is split as the flags say.
    pub(crate) fn new(flags: InputFlags, text: TextFlags) -> Result<Self, Failure> {
        let given = text.given();
        let plan = Self::with_tokenizer(flags, tokenizer(text)?)?;
        if let Some(flag) = given.filter(|_| plan.has_no_text()) {
            let problem = format!("{flag} is for text, but the input is already split into words");
            return Err(Failure::usage(problem, "leave it out, or give it to import"));
        }
        Ok(plan)
    }

    /// Text is split as it was before.
    pub(crate) fn with_tokenizer(
        flags: InputFlags,
        tokenizer: TokenizerOptions,
    ) -> Result<Self, Failure> {
        Tokenizer::new(&tokenizer)?; // a language that is not known is found out now
        let options = InputOptions {
            format: flags.format,
            vocab: flags.vocab,
            transpose: flags.transpose,
            zero_based: flags.zero_based,
            include: flags.include,
            columns: Columns {
                text: flags.text_column,
                id: flags.id_column,
                label: flags.label_column,
                time: flags.time_column,
                no_header: flags.no_header,
            },
            tokenizer,
            strict: flags.strict,
        };
        Ok(Self { paths: flags.inputs, options })
    }

    /// Reads all inputs into one corpus.
    pub(crate) fn read(&self, ctx: &Context<'_>) -> Result<Input, Failure> {
        Ok(input::read(&self.paths, &self.options, ctx)?)
    }

    /// Reads all inputs into a sink.
    pub(crate) fn read_into(
        &self,
        sink: &mut dyn DocumentSink,
        ctx: &Context<'_>,
    ) -> Result<InputInfo, Failure> {
        Ok(input::read_into(&self.paths, &self.options, sink, ctx)?)
    }

    /// Reads all inputs into one corpus and keeps the order of these words, where there is one.
    pub(crate) fn read_in_order(
        &self,
        words: &Vocabulary,
        ctx: &Context<'_>,
    ) -> Result<(Input, Option<Texts>), Failure> {
        Ok(input::read_in_order(&self.paths, &self.options, words, ctx)?)
    }

    /// Other inputs, read the same way as far as that fits them.
    pub(crate) fn others(&self, paths: Vec<PathBuf>) -> Result<Self, Failure> {
        let stdin = Path::new("-");
        if [&self.paths, &paths].iter().all(|p| p.iter().any(|p| p == stdin)) {
            let problem = "standard input (-) can be read only once";
            return Err(Failure::usage(problem, "give one of the two as a file"));
        }
        Ok(Self { options: self.options.for_others(&paths), paths })
    }

    /// The file of `--vocab`.
    pub(crate) fn vocab(&self) -> Option<PathBuf> {
        self.options.vocab.clone()
    }

    /// The inputs by name, for messages: the first, and how many more.
    pub(crate) fn name(&self) -> String {
        named(&self.paths)
    }

    /// Whether all inputs are known to be no text. What cannot be told is left to the reader.
    fn has_no_text(&self) -> bool {
        let split = |format: Format| !format.is_text();
        let by_name = |path: &PathBuf| path != Path::new("-") && Format::of(path).is_ok_and(split);
        self.options.format.map_or_else(|| self.paths.iter().all(by_name), split)
    }
}

/// Files by name, for messages: the first, and how many more.
pub(crate) fn named(paths: &[PathBuf]) -> String {
    let first = paths.first().map_or_else(String::new, |p| p.display().to_string());
    match paths.len() {
        0 | 1 => first,
        n => format!("{first} and {} more", n - 1),
    }
}

impl TextFlags {
    /// One of the flags that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.stopwords.is_some(), "--stopwords"),
            (self.stem.is_some(), "--stem"),
            (self.min_length.is_some(), "--min-length"),
            (self.numbers, "--numbers"),
        ];
        flags.iter().find(|(given, _)| *given).map(|&(_, flag)| flag)
    }
}

fn tokenizer(flags: TextFlags) -> Result<TokenizerOptions, Failure> {
    let default = TokenizerOptions::default();
    let stopwords = flags.stopwords.map(|list| list.parse::<Stopwords>()).transpose()?;
    Ok(TokenizerOptions {
        stopwords: stopwords.unwrap_or(default.stopwords),
        stem: flags.stem,
        min_length: flags.min_length.unwrap_or(default.min_length),
        numbers: flags.numbers,
        lowercase: default.lowercase,
    })
}
