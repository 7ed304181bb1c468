//! Topics for many K from one embedding.

use crate::context::Context;
use crate::corpus::Documents;
use crate::embed::Embedding;
use crate::error::{Error, Parameter};
use crate::moments::WordStats;
use crate::pipeline::{FitParams, GeometricFit, fit_in_spaces};
use crate::space::EmbeddingSpace;

/// Documents, and an embedding of their words in as many dimensions as the largest K needs.
pub(super) struct EmbeddingLadder<'a, D> {
    pub(super) documents: &'a D,
    pub(super) stats: WordStats,
    points: Embedding,
}

impl<'a, D: Documents> EmbeddingLadder<'a, D> {
    /// Embeds the words for up to `most` topics.
    pub(super) fn new(
        documents: &'a D,
        params: &FitParams,
        most: usize,
        ctx: &Context<'_>,
    ) -> Result<Self, Error> {
        let Some(embed) = params.embed() else {
            let rule = "embedded, since the topics come from one embedding";
            let value = format!("{:?}", params.detect().method);
            return Err(Error::parameter(Parameter::Method, rule, value));
        };
        let stats = WordStats::of(documents, params.token_pairs(), ctx)?;
        let points = Embedding::of(documents, &stats, embed, most, ctx)?;
        Ok(Self { documents, stats, points })
    }

    /// The topics by geometry in the leading K dimensions, for the K of `params`.
    pub(super) fn fit(&self, params: &FitParams, ctx: &Context<'_>) -> Result<GeometricFit, Error> {
        let k = params.n_topics().unwrap_or(2);
        let points = self.points.leading(self.documents, &self.stats, k, ctx)?;
        let space = EmbeddingSpace::new(self.documents, &self.stats, &points);
        fit_in_spaces(&space, &space, params, ctx)
    }
}
