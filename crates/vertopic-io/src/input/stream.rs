//! Any input on its way to a spool, so that its documents are never in memory all at once.

use std::path::{Path, PathBuf};

use vertopic::context::Context;
use vertopic::corpus::{Prune, PruneReport};

use crate::error::IoError;
use crate::input::{
    About, Format, InputOptions, Kind, ReadReport, agree, counts, no_documents, plan, texts,
};
use crate::spool::{Spool, SpoolBuilder};
use crate::store::send_corpus;
use crate::text::{Tokenizer, TokenizerOptions};

/// Bytes of memory for each pair of a piece of a file that is being read, generously.
const PER_PAIR: u64 = 64;

/// Documents that were pruned and are on the disk, and what is known of where they came from.
#[derive(Debug)]
pub struct Spooled {
    /// All documents, in the order of the inputs.
    pub spool: Spool,
    /// What pruning did.
    pub report: PruneReport,
    /// Whether they were text or counts.
    pub kind: Kind,
    /// How text was split into words; `None` for counts.
    pub tokenizer: Option<TokenizerOptions>,
    /// What is likely to be wrong with the input.
    pub warnings: Vec<String>,
    /// What was decided for the user.
    pub notes: Vec<String>,
}

/// Reads all inputs, prunes them and leaves what is left in a temporary file in `folder`: a fit of it is that of
/// [`read`](super::read) and [`Corpus::prune`](vertopic::corpus::Corpus::prune). It needs about a quarter of `memory`
/// bytes for documents, whatever their number, and what the words need.
///
/// `limits` says how to prune so many documents of this kind.
pub fn spool(
    paths: &[PathBuf],
    options: &InputOptions,
    (folder, memory): (&Path, u64),
    limits: impl FnOnce(Kind, usize) -> Prune,
    ctx: &Context<'_>,
) -> Result<Spooled, IoError> {
    let inputs = plan(paths, options)?;
    let tokenizer = Tokenizer::new(&options.tokenizer)?;
    let vocab = options.vocab.as_deref().map(counts::vocabulary).transpose()?;
    let pairs = (memory / PER_PAIR) as usize;
    let mut builder = SpoolBuilder::new(folder)?;
    let (mut parts, mut talk): (Vec<About>, _) = (Vec::new(), ReadReport::default());
    for group in inputs.chunk_by(|(_, a), (_, b)| a.is_text() && b.is_text()) {
        let (path, format) = group[0];
        parts.push(if format.is_text() {
            texts::read_to(&mut builder, group, &tokenizer, options, ctx, &mut talk)?
        } else if format == Format::Arrow {
            let meta = send_corpus(path, memory, &mut builder, ctx)?;
            let tokenizer = meta.tokenizer_options(path)?;
            About { kind: meta.kind, tokenizer, numbered: false, path: path.to_owned() }
        } else {
            let vocab = vocab.as_deref();
            let mut each = |corpus| builder.add(&corpus);
            counts::read_in_pieces(group[0], vocab, options, pairs, &mut each, ctx, &mut talk)?
        });
    }
    let (kind, tokenizer) = agree(parts.iter())?;
    if builder.n_documents() == 0 {
        return Err(no_documents(&inputs));
    }
    let (spool, report) = builder.into_spool(|documents| limits(kind, documents), ctx)?;
    let ReadReport { warnings, notes, .. } = talk;
    Ok(Spooled { spool, report, kind, tokenizer, warnings, notes })
}
