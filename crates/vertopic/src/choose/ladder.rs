//! Topics of many K from one embedding.

use crate::context::Context;
use crate::corpus::Documents;
use crate::embed::Embedding;
use crate::error::{Error, Parameter};
use crate::moments::WordStats;
use crate::pipeline::{FitParams, GeometricFit, fit_in_space};

/// Documents and their words as points of as many dimensions as the largest K needs.
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
        let Some(embed) = &params.embed else {
            let rule = "embedded, since the topics come from one embedding";
            let value = format!("{:?}", params.detect.method);
            return Err(Error::parameter(Parameter::Method, rule, value));
        };
        let stats = WordStats::of(documents, params.seed, params.pairs, ctx)?;
        let points = Embedding::of(documents, &stats, embed, most, ctx)?;
        Ok(Self { documents, stats, points })
    }

    /// The topics by geometry in the leading K dimensions.
    pub(super) fn found(
        &self,
        k: usize,
        params: &FitParams,
        ctx: &Context<'_>,
    ) -> Result<GeometricFit, Error> {
        let embed = params.embed.clone().unwrap_or_default();
        let points = self.points.leading(self.documents, &self.stats, &embed, k, ctx)?;
        fit_in_space([&points, &points], self.documents.vocabulary(), &self.stats, params, k, ctx)
    }
}
