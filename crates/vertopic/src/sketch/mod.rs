//! The sums that a fit needs, without the documents.
//!
//! Sums over documents are exact integers of any size, and their random draws depend on the seed and the document alone. So
//! the sums of two shards add up to those of both, those of a part can be subtracted again, and a fit from a sketch gives
//! the same model as a fit from its documents, byte for byte.
//!
//! | kept | size | for |
//! |---|---|---|
//! | [`WordSums`] | 40 bytes a word | every fit |
//! | pairs of words that occur together | 12 bytes a pair, 20 with [`PairScheme::Split`](crate::moments::PairScheme::Split) | every fit |
//! | projections of words on P directions | 8·P bytes a word | RP |
//!
//! A pair or projection takes twice as much once one of them exceeds 64 bits, which takes millions of documents.
//!
//! Some methods need the documents: the default method applies the co-occurrence matrix document by document, refinement
//! infers the mixture of every document again, and binning ranks all documents.

mod combine;
mod params;
mod parts;
mod triangle;

pub use params::SketchParams;
pub use parts::{FORMAT, SketchParts};

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::context::Context;
use crate::corpus::{Corpus, Documents, PruneReport, Vocabulary};
use crate::error::Error;
use crate::exact::ExactSums;
use crate::moments::{PairSums, Projected, SufficientStats, TILE, Tiles, TokenPairs, WordSums};
use crate::note::Note;
use triangle::Triangle;

/// Exact sums over documents: all that DDP and RP need.
///
/// ```
/// use vertopic::corpus::{CorpusBuilder, DocumentInfo};
/// use vertopic::context::Context;
/// use vertopic::sketch::{Sketch, SketchParams};
/// let (ctx, params) = (Context::silent()?, SketchParams::default());
/// let sketch = |words: [&str; 2]| {
///     let mut b = CorpusBuilder::new();
///     let mut pairs = words.map(|word| (b.word(word), 1));
///     b.push(&mut pairs, DocumentInfo::default())?;
///     Sketch::of(&b.finish()?, &params, &ctx)
/// };
/// let (one, other) = (sketch(["sea", "sun"])?, sketch(["sea", "hill"])?);
/// let both = one.merge(&other)?;
/// assert_eq!((both.n_documents(), both.vocabulary().len()), (2, 3));
/// assert_eq!(both.subtract(&other)?, one);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sketch {
    params: SketchParams,
    /// The words that occur.
    vocabulary: Vocabulary,
    sums: WordSums,
    pairs: Triangle,
    /// W × P.
    projections: ExactSums,
    preprocessing: Note,
}

impl Sketch {
    /// The sums over documents, in a few passes. Words that do not occur are left out.
    pub fn of<D: Documents>(
        documents: &D,
        params: &SketchParams,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        params.check()?;
        let params = params.settled();
        let sums = documents.word_sums(params.token_pairs(), ctx)?;
        let used: Vec<u32> =
            (0..sums.df.len() as u32).filter(|&w| sums.df[w as usize] > 0).collect();
        let name = |&w: &u32| documents.vocabulary().word(w).to_owned();
        Ok(Self {
            params,
            vocabulary: Vocabulary::new(used.iter().map(name).collect())?,
            sums: sums.of_words(&used),
            pairs: Triangle::of(documents, &params, &used, ctx)?,
            projections: projections(documents, &params, &used, ctx)?,
            preprocessing: Note::default(),
        })
    }

    /// The same with a note on how documents were turned into words, for a shell that has to do the same again.
    /// Only sketches with the same note can be merged.
    #[must_use]
    pub fn with_preprocessing(self, preprocessing: Note) -> Self {
        Self { preprocessing, ..self }
    }

    /// Which sums they are.
    pub fn params(&self) -> &SketchParams {
        &self.params
    }

    /// The words that occur.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The note on how documents were turned into words.
    pub fn preprocessing(&self) -> &Note {
        &self.preprocessing
    }

    /// Documents, those without words included.
    pub fn n_documents(&self) -> usize {
        self.sums.documents
    }

    /// Documents without words.
    pub fn n_empty(&self) -> usize {
        self.sums.documents - self.sums.filled
    }

    /// Number of tokens.
    pub fn n_tokens(&self) -> u64 {
        self.sums.tokens.iter().sum()
    }

    /// Pairs of words that occur together in a document, a word with itself included.
    pub fn nnz(&self) -> usize {
        self.pairs.len()
    }

    /// What pruning reports of these documents when it keeps all words.
    pub fn prune_report(&self) -> PruneReport {
        let (words, tokens) = (self.vocabulary.len(), self.n_tokens());
        PruneReport {
            documents: self.n_documents(),
            empty_documents: self.n_empty(),
            words_before: words,
            words_after: words,
            tokens_before: tokens,
            tokens_after: tokens,
        }
    }

    /// Refuses a fit that wants other sums.
    pub fn provide(&self, wanted: &SketchParams) -> Result<(), Error> {
        if self.params.covers(wanted) {
            return Ok(());
        }
        Err(Error::OtherSketch { has: self.params.settings(), wants: wanted.settings() })
    }
}

impl SufficientStats for Sketch {
    type Documents = Corpus;

    fn documents(&self) -> Option<&Corpus> {
        None
    }

    fn words(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn word_sums(&self, pairs: TokenPairs, _: &Context<'_>) -> Result<WordSums, Error> {
        let TokenPairs { seed, scheme } = pairs;
        self.provide(&SketchParams { pairs: scheme, seed, ..SketchParams::default() })?;
        Ok(self.sums.clone())
    }

    fn pair_sums(
        &self,
        _: TokenPairs,
        rows: &[u32],
        columns: &[u32],
        _: &Context<'_>,
    ) -> Result<PairSums, Error> {
        Ok(self.pairs.block(rows, columns))
    }

    fn projections<T: Send>(
        &self,
        asked: &Projected<'_>,
        ctx: &Context<'_>,
        look: impl Fn(Range<usize>, Tiles<'_>) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let Projected { seed, pairs, sample, rows, directions } = *asked;
        self.provide(&SketchParams { seed, pairs, sample, projections: directions })?;
        let firsts: Vec<usize> = (0..directions).step_by(TILE).collect();
        let some = |first: usize| {
            let range = first..directions.min(first + TILE);
            let mut tiles = ExactSums::<TILE>::zeros(rows.len());
            for (row, &w) in rows.iter().enumerate() {
                let start = w as usize * self.params.projections;
                for (p, at) in (start + range.start..start + range.end).enumerate() {
                    tiles.set(row * TILE + p, self.projections.get(at));
                }
            }
            look(range, Tiles::new(&tiles, 0..rows.len()))
        };
        Ok(ctx.install(|| firsts.into_par_iter().map(some).collect()))
    }
}

impl WordSums {
    /// The sums of some words.
    fn of_words(&self, words: &[u32]) -> Self {
        let counts = |sums: &[u64]| words.iter().map(|&w| sums[w as usize]).collect();
        let some = |sums: &ExactSums| words.iter().map(|&w| sums.get(w as usize)).collect();
        Self {
            tokens: counts(&self.tokens),
            df: counts(&self.df),
            whole: some(&self.whole),
            first: some(&self.first),
            second: some(&self.second),
            diagonal: some(&self.diagonal),
            ..*self
        }
    }
}

/// Projections of the words on all directions, W × P.
fn projections<D: Documents>(
    documents: &D,
    params: &SketchParams,
    words: &[u32],
    ctx: &Context<'_>,
) -> Result<ExactSums, Error> {
    let SketchParams { pairs, projections, sample, seed } = *params;
    let asked = Projected { seed, pairs, sample, rows: words, directions: projections };
    let all = Mutex::new(ExactSums::zeros(words.len() * projections));
    documents.projections(&asked, ctx, |range, tiles| {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        for word in 0..tiles.n_words() {
            for (p, direction) in range.clone().enumerate() {
                all.set(word * projections + direction, tiles.get(word, p));
            }
        }
    })?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests;
