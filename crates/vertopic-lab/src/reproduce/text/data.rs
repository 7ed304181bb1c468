//! The collections: files that the user has, or a generated corpus that stands in.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{Corpus, Prune};
use vertopic_io::IoError;
use vertopic_io::input::{InputOptions, read as read_input};

use super::Collection;
use crate::reproduce::Options;
use crate::synth::lda::Lda;

/// A corpus to find topics in.
pub(super) struct Text {
    /// A short name, for files.
    pub(super) name: &'static str,
    /// What it is, for the page.
    pub(super) what: String,
    pub(super) corpus: Corpus,
    pub(super) n_topics: usize,
    /// Whether a second model is fitted and evaluated on held-out documents.
    pub(super) held_out: bool,
}

/// Documents of NIPS 1987 to 1999, the first in the file of 1987 to 2003.
const UNTIL_1999: usize = 1740;

/// Reads what there is of a collection. Without a data folder a generated corpus stands in.
pub(super) fn read(
    collection: Collection,
    options: &Options,
    ctx: &Context<'_>,
) -> Result<Vec<Text>, IoError> {
    let Some(data) = &options.data else { return Ok(vec![stand_in(collection, ctx)?]) };
    let (words, n_topics) = match collection {
        Collection::Nips => (2500, 40),
        Collection::NewYorkTimes => (15_000, 100),
    };
    let files: &[(&str, &str)] = match collection {
        Collection::Nips => &[("uci-nips", "nips"), ("nips-1987-1999", "nips1-17")],
        Collection::NewYorkTimes => &[("nytimes", "nytimes"), ("rfc-pages", "rfc-pages")],
    };
    // The second NIPS collection doubles the time; a quick look does without.
    let most = if options.quick || collection == Collection::NewYorkTimes { 1 } else { 2 };
    let mut texts = Vec::new();
    for (name, stem) in files {
        let Some(path) = find(data, stem).filter(|_| texts.len() < most) else { continue };
        let mut corpus =
            read_input(std::slice::from_ref(&path), &InputOptions::default(), ctx)?.corpus;
        let mut what = format!("`{}`", path.file_name().unwrap_or_default().to_string_lossy());
        if *stem == "nips1-17" {
            let first: Vec<usize> = (0..corpus.n_documents().min(UNTIL_1999)).collect();
            corpus = corpus.select(&first);
            let _ = write!(what, ", its first {} documents (until 1999)", first.len());
        }
        let most_frequent = Prune { max_vocab: Some(words), ..Prune::default() };
        let (corpus, report) = ctx.install(|| corpus.prune(&most_frequent))?;
        let _ = write!(
            what,
            ": M = {}, W = {} of {} words (those in most documents), {} tokens",
            corpus.n_documents(),
            corpus.n_words(),
            report.words_before,
            corpus.n_tokens()
        );
        texts.push(Text { name, what, corpus, n_topics, held_out: collection == Collection::Nips });
    }
    if texts.is_empty() {
        let names: Vec<String> =
            files.iter().map(|(_, stem)| format!("docword.{stem}.txt")).collect();
        return Err(IoError::Usage {
            problem: format!("{}: neither {} is there", data.display(), names.join(" nor ")),
            hint: Some(
                "the UCI Machine Learning Repository has them as the data set \"Bag of Words\"; \
                 put docword and vocab files into one folder (.gz is fine)"
                    .into(),
            ),
        });
    }
    Ok(texts)
}

/// `docword.STEM.txt` or its `.gz`, in the folder or in a folder STEM in it.
fn find(data: &Path, stem: &str) -> Option<PathBuf> {
    let folders = [data.to_owned(), data.join(stem)];
    let names = ["", ".gz", ".zst"].map(|ending| format!("docword.{stem}.txt{ending}"));
    folders.iter().flat_map(|f| names.iter().map(move |n| f.join(n))).find(|path| path.is_file())
}

/// A small corpus with known topics, so that every step runs without a file.
fn stand_in(collection: Collection, ctx: &Context<'_>) -> Result<Text, IoError> {
    let (documents, words, n_topics) = match collection {
        Collection::Nips => (600, 1000, 10),
        Collection::NewYorkTimes => (2000, 2000, 20),
    };
    let recipe = Lda { documents, words, topics: n_topics, tokens: 120, ..Lda::default() };
    let planted = recipe.generate(1, ctx)?;
    Ok(Text {
        name: "stand-in",
        what: format!(
            "**a generated corpus stands in** because no data folder was given: \
             M = {documents}, W = {words}, K = {n_topics}; its words mean nothing"
        ),
        corpus: planted.corpus,
        n_topics,
        held_out: collection == Collection::Nips,
    })
}
