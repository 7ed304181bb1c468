//! Document completion: how well topics predict one half of a document from the other.
//!
//! The tokens of every document are split at random into two halves. The mixture is inferred from the first half and
//! scores the tokens of the second. This estimate of held-out likelihood needs no sampling and favours no method of fitting ("Evaluation methods for topic models", Wallach,
//! Murray, Salakhutdinov & Mimno 2009, section 5.1; there with a sampler for the mixture).

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::corpus::{
    Accumulator, Document, Documents, Pass, PassReader, PassWriter, SumFields, Vocabulary,
};
use crate::error::Error;
use crate::estimate::Topics;
use crate::infer::{FoldIn, InferParams, TopicWordTable};
use crate::moments::{Halves, PairScheme, Splitter};
use crate::seed::Seed;

/// How well the second halves of documents are predicted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// `exp(−log_likelihood / tokens)`: the equivalent number of equally likely words.
    pub perplexity: f64,
    /// Log-probability of the tokens of the second halves, in nats.
    pub log_likelihood: f64,
    /// Tokens of the second halves.
    pub tokens: u64,
    /// Documents with a token in both halves.
    pub documents: usize,
    /// Documents left out: they have fewer than two tokens, or all tokens fell into one half.
    pub left_out: usize,
    /// Standard error of the log-probability per token, in nats, with documents as the sample. It approximates the relative
    /// standard error of the perplexity.
    #[serde(default)]
    pub standard_error: f64,
}

/// Fractional bits of a document's log-probability, which is summed exactly.
const BITS: i32 = 32;

/// Splits every document by the seed and scores the second half given the first.
///
/// The `documents` should not be those the topics were fitted on. They use the vocabulary of the topics
/// ([`Corpus::project`](crate::corpus::Corpus::project)), `weights` are the topics' shares in the training corpus. Mixtures are
/// those of [`infer::mixtures`](crate::infer::mixtures), with the same smoothed topics in inference and scoring. The same
/// `seed` splits documents identically for any topics, so models can be compared.
///
/// ```
/// use vertopic::corpus::{CorpusBuilder, DocumentInfo};
/// use vertopic::estimate::Topics;
/// use vertopic::evaluate::completion;
/// use vertopic::context::Context;
/// use vertopic::seed::Seed;
///
/// let mut b = CorpusBuilder::with_words(vec!["sea".into(), "sun".into()]);
/// b.push(&mut [(0, 40)], DocumentInfo::default())?;
/// let topics = Topics::new(2, vec![0.5, 0.5])?;
/// let found = completion(&topics, &[1.0], &b.finish()?, Seed(1), &Context::silent()?)?;
/// assert!((found.perplexity - 2.0).abs() < 1e-6);
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn completion<D: Documents>(
    topics: &Topics,
    weights: &[f32],
    documents: &D,
    seed: Seed,
    ctx: &Context<'_>,
) -> Result<Completion, Error> {
    let weights: Vec<f64> = weights.iter().map(|&a| f64::from(a)).collect();
    let given = TopicWordTable::new(topics, &weights, documents.vocabulary().len(), ctx)?;
    let pass = Complete { given, seed, params: InferParams::default() };
    let sums = documents.pass(&pass, ctx)?.sums;
    if sums.documents == 0 {
        return Err(Error::TooFewDocuments { usable: 0, documents: documents.n_documents() });
    }
    let log_likelihood = libm::ldexp(sums.scores as f64, -BITS);
    let mean = log_likelihood / sums.tokens as f64;
    Ok(Completion {
        perplexity: libm::exp(-mean),
        log_likelihood,
        tokens: sums.tokens,
        documents: sums.documents,
        left_out: documents.n_documents() - sums.documents,
        standard_error: sums.standard_error(mean),
    })
}

/// Exact sums over documents; scores are in units of `2^-BITS`.
#[derive(Debug, Default)]
struct Sums {
    documents: usize,
    tokens: u64,
    scores: i128,
    scores_squared: i128,
    scores_tokens: i128,
    tokens_squared: i128,
}

impl Sums {
    /// Standard error of the ratio score / tokens, from the spread of `score − mean · tokens`.
    fn standard_error(&self, mean: f64) -> f64 {
        let cross = libm::ldexp(self.scores_tokens as f64, -BITS);
        let spread = libm::ldexp(self.scores_squared as f64, -2 * BITS) - 2.0 * mean * cross
            + mean * mean * self.tokens_squared as f64;
        let m = self.documents as f64;
        (spread.max(0.0) * m / (m - 1.0).max(1.0)).sqrt() / self.tokens as f64
    }
}

/// The pass that completes documents.
#[derive(Debug)]
pub(crate) struct Complete {
    given: TopicWordTable,
    seed: Seed,
    params: InferParams,
}

impl Pass for Complete {
    const NAME: &'static str = "completion";
    const STAGE: &'static str = "completing documents";
    type Accumulator<'a> = Scorer<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> Scorer<'a> {
        Scorer {
            given: &self.given,
            fold_in: FoldIn::new(&self.given, &self.params),
            splitter: Splitter::new(self.seed, PairScheme::Split, words),
            halves: Halves::default(),
            words: Vec::new(),
            counts: Vec::new(),
            sums: Sums::default(),
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.given.write(out);
        out.number(self.seed.0);
        out.float(self.params.tolerance);
        out.number(self.params.most_iterations as u64);
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let (given, seed) = (TopicWordTable::read(from, words)?, Seed(from.number()?));
        let (tolerance, most_iterations) = (from.float()?, from.size(u32::MAX as usize)?);
        let params = InferParams { tolerance, most_iterations };
        params.check()?;
        Ok(Self { given, seed, params })
    }
}

/// Scores one document at a time, with its working space.
pub(crate) struct Scorer<'a> {
    given: &'a TopicWordTable,
    fold_in: FoldIn<'a>,
    splitter: Splitter<'a>,
    halves: Halves,
    words: Vec<u32>,
    counts: Vec<u32>,
    sums: Sums,
}

impl Accumulator for Scorer<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.splitter.split(document, &mut self.halves) {
            return;
        }
        let Halves { first, second, .. } = &self.halves;
        self.words.clear();
        self.counts.clear();
        self.words.extend(first.pairs.iter().map(|p| p.0));
        self.counts.extend(first.pairs.iter().map(|p| p.1));
        let half = Document { key: document.key, words: &self.words, counts: &self.counts };
        self.fold_in.solve(half);
        let score = |&(w, c): &(u32, u32)| {
            f64::from(c) * libm::log(self.fold_in.probability(self.given.row(w)))
        };
        let sum: f64 = second.pairs.iter().map(score).sum();
        let (score, tokens) = (libm::ldexp(sum, BITS).round() as i128, i128::from(second.tokens));
        self.sums.documents += 1;
        self.sums.tokens += second.tokens;
        self.sums.scores += score;
        self.sums.scores_squared += score.saturating_mul(score);
        self.sums.scores_tokens += score * tokens;
        self.sums.tokens_squared += tokens * tokens;
    }

    fn merge(&mut self, other: Self) {
        let (mine, theirs) = (&mut self.sums, other.sums);
        mine.documents += theirs.documents;
        mine.tokens += theirs.tokens;
        mine.scores += theirs.scores;
        mine.scores_squared += theirs.scores_squared;
        mine.scores_tokens += theirs.scores_tokens;
        mine.tokens_squared += theirs.tokens_squared;
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        let sums = &mut self.sums;
        fields.size(&mut sums.documents)?;
        fields.count(&mut sums.tokens)?;
        fields.wide(&mut sums.scores)?;
        fields.wide(&mut sums.scores_squared)?;
        fields.wide(&mut sums.scores_tokens)?;
        fields.wide(&mut sums.tokens_squared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::infer::mixtures;
    use crate::seed::Stage;

    const WORDS: u32 = 40;

    fn corpus(documents: &[Vec<(u32, u32)>]) -> Corpus {
        crate::testkit::corpus(WORDS as usize, documents)
    }

    /// Four topics of overlapping words.
    fn topics() -> Topics {
        let row = |k: u32| {
            let weight = move |w: u32| if w / 10 == k { 8.0 } else { f64::from(1 + (w * k) % 3) };
            let sum: f64 = (0..WORDS).map(weight).sum();
            (0..WORDS).map(move |w| (weight(w) / sum) as f32)
        };
        Topics::new(WORDS as usize, (0..4).flat_map(row).collect()).expect("rows")
    }

    /// Documents of 60 tokens, each from one or two topics.
    fn documents(n: u64) -> Vec<Vec<(u32, u32)>> {
        let topics = topics();
        let word = |k: usize, u: f64| {
            let mut left = u;
            let at = topics.topic(k).iter().position(|&p| {
                left -= f64::from(p);
                left < 0.0
            });
            at.unwrap_or(0) as u32
        };
        let document = |d: u64| {
            let mut s = Seed(9).stream(Stage::Bin, d);
            let pair = [s.next_u64() as usize % 4, s.next_u64() as usize % 4];
            (0..60).map(|_| (word(pair[s.next_u64() as usize % 2], s.unit()), 1)).collect()
        };
        (0..n).map(document).collect()
    }

    fn complete(topics: &Topics, corpus: &Corpus, seed: u64) -> Completion {
        let ctx = Context::silent().expect("threads");
        let weights = vec![1.0 / topics.n_topics() as f32; topics.n_topics()];
        completion(topics, &weights, corpus, Seed(seed), &ctx).expect("documents")
    }

    #[test]
    fn with_one_topic_it_is_the_cross_entropy_of_the_second_halves() {
        let corpus = corpus(&documents(30));
        let p: Vec<f64> = (0..WORDS).map(|w| f64::from(1 + w % 7)).collect();
        let sum: f64 = p.iter().sum();
        let topic = Topics::new(40, p.iter().map(|p| (p / sum) as f32).collect()).expect("a row");
        let splitter = Splitter::new(Seed(3), PairScheme::Split, corpus.vocabulary());
        let (mut entropy, mut tokens, mut halves) = (0.0, 0, Halves::default());
        for document in corpus.documents() {
            assert!(splitter.split(document, &mut halves));
            tokens += halves.second.tokens;
            for &(w, c) in &halves.second.pairs {
                let smoothed = (p[w as usize] / sum + 1e-3 / 40.0) / 1.001;
                entropy -= f64::from(c) * smoothed.ln();
            }
        }
        let found = complete(&topic, &corpus, 3);
        let expected = (entropy / tokens as f64).exp();
        assert!((found.perplexity / expected - 1.0).abs() < 1e-6, "{found:?} {expected}");
        assert_eq!((found.tokens, found.documents, found.left_out), (tokens, 30, 0));
    }

    #[test]
    fn mixtures_are_those_of_the_first_halves() {
        let corpus = corpus(&documents(10));
        let splitter = Splitter::new(Seed(5), PairScheme::Split, corpus.vocabulary());
        let mut halves = Halves::default();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for document in corpus.documents() {
            splitter.split(document, &mut halves);
            first.push(halves.first.pairs.clone());
            second.push(halves.second.pairs.clone());
        }
        let (topics, first) = (topics(), self::corpus(&first));
        let ctx = Context::silent().expect("threads");
        let found =
            mixtures(&topics, &[0.25; 4], &first, &InferParams::default(), &ctx).expect("mixtures");
        let mut expected = 0.0;
        for (d, pairs) in second.iter().enumerate() {
            for &(w, c) in pairs {
                let smoothed =
                    |k: usize| (f64::from(topics.topic(k)[w as usize]) + 1e-3 / 40.0) / 1.001;
                let p: f64 = (0..4).map(|k| f64::from(found.mixture(d)[k]) * smoothed(k)).sum();
                expected += f64::from(c) * p.ln();
            }
        }
        let found = complete(&topics, &corpus, 5).log_likelihood;
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
    }

    #[test]
    fn true_topics_predict_better_than_shuffled_ones() {
        let corpus = corpus(&documents(200));
        let truth = topics();
        // Each row is permuted in its own way: the steps have no factor in common with 40.
        let rows = [3, 7, 9, 11].iter().enumerate();
        let values = rows.flat_map(|(k, step)| (0..40).map(move |w| (k, w * step % 40)));
        let values = values.map(|(k, w)| truth.topic(k)[w]).collect();
        let shuffled = Topics::new(40, values).expect("rows");
        let (good, bad) = (complete(&truth, &corpus, 1), complete(&shuffled, &corpus, 1));
        let (good, bad) = (good.perplexity, bad.perplexity);
        assert!(good < 0.9 * bad && good < 0.9 * 40.0, "{good} {bad}");
    }

    #[test]
    fn the_standard_error_is_the_spread_over_corpora() {
        let topics = topics();
        let found: Vec<Completion> = documents(3000)
            .chunks(60)
            .map(|documents| complete(&topics, &corpus(documents), 1))
            .collect();
        let values: Vec<f64> = found.iter().map(|c| c.perplexity.ln()).collect();
        let mean = values.iter().sum::<f64>() / 50.0;
        let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 49.0).sqrt();
        let told = found.iter().map(|c| c.standard_error).sum::<f64>() / 50.0;
        assert!((told / spread - 1.0).abs() < 0.3, "{told} {spread}");
    }

    #[test]
    fn the_order_of_documents_does_not_matter() {
        let mut documents = documents(50);
        let forwards = complete(&topics(), &corpus(&documents), 1);
        documents.reverse();
        assert_eq!(forwards, complete(&topics(), &corpus(&documents), 1));
        assert_ne!(forwards, complete(&topics(), &corpus(&documents), 2), "another split");
    }

    #[test]
    fn documents_that_cannot_be_split_are_left_out() {
        let short = vec![vec![], vec![(3, 1)], vec![(1, 30), (2, 30)]];
        let found = complete(&topics(), &corpus(&short), 1);
        assert_eq!((found.documents, found.left_out), (1, 2));
        let ctx = Context::silent().expect("threads");
        let none = completion(&topics(), &[0.25; 4], &corpus(&short[..2]), Seed(1), &ctx);
        assert_eq!(none, Err(Error::TooFewDocuments { usable: 0, documents: 2 }));
        assert!(completion(&topics(), &[0.5; 2], &corpus(&short), Seed(1), &ctx).is_err());
    }
}
