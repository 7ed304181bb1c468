//! The passes behind the operator: the margins, and a block of the product.

use std::sync::Arc;

use crate::context::Context;
use crate::corpus::{Accumulator, Document, Pass, PassReader, PassWriter, SumFields, Vocabulary};
use crate::error::Error;
use crate::exact;
use crate::moments::scatter_add::{Contribution, ScatterAdd};
use crate::moments::word_stats::add_all;
use crate::simd::{self, Kernel, Lane, Rows, Simd, lanes_for};

/// Contributions of at most 2²⁶ that can be added in 32 bits.
const TERMS: u16 = 16;

/// The weights of words in documents, as a parameter of passes.
#[derive(Debug, Clone)]
pub(crate) struct WordWeights {
    pub(super) idf: Option<Arc<[f64]>>,
    pub(super) diagonal: bool,
}

impl WordWeights {
    /// Weighs the words of one document after the other.
    pub(crate) fn shape(&self) -> Shape<'_> {
        Shape { idf: self.idf.as_deref(), diagonal: self.diagonal, weights: Vec::new() }
    }

    pub(crate) fn write(&self, out: &mut PassWriter) {
        out.byte(u8::from(self.diagonal));
        out.byte(u8::from(self.idf.is_some()));
        if let Some(idf) = &self.idf {
            out.table(idf.iter().copied());
        }
    }

    pub(crate) fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let diagonal = from.flag()?;
        let idf = if from.flag()? { Some(from.table(words.len())?.into()) } else { None };
        Ok(Self { idf, diagonal })
    }
}

/// The weights of the words of a document.
pub(crate) struct Shape<'a> {
    idf: Option<&'a [f64]>,
    diagonal: bool,
    /// `a_i` of the document's words.
    pub(crate) weights: Vec<f64>,
}

impl Shape<'_> {
    /// Turns to a document; false if it has no pair of tokens.
    pub(crate) fn load(&mut self, document: Document<'_>) -> bool {
        let n = document.tokens() as f64;
        if n < 2.0 {
            return false;
        }
        self.weights.clear();
        let scale = if let Some(idf) = self.idf {
            self.weights.extend(document.entries().map(|(w, c)| f64::from(c) * idf[w as usize]));
            self.weights.iter().map(|a| a * a).sum::<f64>()
        } else {
            self.weights.extend(document.counts.iter().map(|&c| f64::from(c)));
            n * (n - 1.0)
        };
        let scale = 1.0 / scale.sqrt();
        self.weights.iter_mut().for_each(|a| *a *= scale);
        true
    }

    /// `s_i` over `a_i`, for a word that occurs `count` times and weighs `weight`.
    #[inline]
    pub(crate) fn own(&self, weight: f64, count: u32) -> f64 {
        if self.diagonal { weight / f64::from(count) } else { weight }
    }
}

/// The pass behind the margins.
#[derive(Debug)]
pub(crate) struct SumMargins {
    pub(super) weights: WordWeights,
    /// Binary digits behind the point of a sum.
    pub(super) bits: i32,
}

impl Pass for SumMargins {
    const NAME: &'static str = "margins";
    const STAGE: &'static str = STAGE;
    type Accumulator<'a> = MarginSums<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> MarginSums<'a> {
        MarginSums {
            shape: self.weights.shape(),
            up: libm::ldexp(1.0, self.bits),
            rows: vec![0; words.len()],
            own: vec![0; words.len()],
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.weights.write(out);
        out.bits(self.bits);
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        Ok(Self { weights: WordWeights::read(from, words)?, bits: from.bits()? })
    }
}

/// What progress reports call the passes over documents here.
const STAGE: &str = "applying co-occurrence";

/// The sums behind the margins. Their digits are chosen so that 64 bits hold them for any number of documents.
pub(crate) struct MarginSums<'a> {
    shape: Shape<'a>,
    up: f64,
    pub(super) rows: Vec<i64>,
    pub(super) own: Vec<i64>,
}

impl Accumulator for MarginSums<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.shape.load(document) {
            return;
        }
        let up = self.up;
        let all: f64 = self.shape.weights.iter().sum();
        for ((w, c), &a) in document.entries().zip(&self.shape.weights) {
            let own = self.shape.own(a, c);
            exact::add(&mut self.rows[w as usize], exact::nearest(up * a * (all - own)));
            exact::add(&mut self.own[w as usize], exact::nearest(up * a * own));
        }
    }

    fn merge(&mut self, other: Self) {
        add_all(&mut self.rows, &other.rows);
        add_all(&mut self.own, &other.own);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        fields.integers(&mut self.rows)?;
        fields.integers(&mut self.own)
    }
}

/// The pass behind a block of the product.
#[derive(Debug)]
pub(crate) struct MultiplyRows {
    pub(super) weights: WordWeights,
    /// Rows of V in units of the sums.
    pub(super) vectors: Rows,
    /// Numbers of a row that count; the others fill registers.
    pub(super) width: usize,
}

impl Pass for MultiplyRows {
    const NAME: &'static str = "product";
    const STAGE: &'static str = STAGE;
    type Accumulator<'a> = Product<'a>;

    fn accumulator<'a>(&'a self, words: &'a Vocabulary, _: &Context<'_>) -> Product<'a> {
        let lanes = lanes_for(self.width);
        Product {
            shape: self.weights.shape(),
            vectors: &self.vectors,
            width: self.width,
            whole: Rows::zeros(lanes),
            scatter: ScatterAdd::new(words.len(), lanes, None, TERMS),
        }
    }

    fn write(&self, out: &mut PassWriter) {
        self.weights.write(out);
        out.rows(&self.vectors, self.width);
    }

    fn read(from: &mut PassReader<'_>, words: &Vocabulary) -> Result<Self, Error> {
        let weights = WordWeights::read(from, words)?;
        let (vectors, width) = from.rows(words.len())?;
        Ok(Self { weights, vectors, width })
    }
}

/// The sums behind a block of the product.
pub(crate) struct Product<'a> {
    shape: Shape<'a>,
    vectors: &'a [Lane],
    width: usize,
    /// `a·V`.
    whole: Rows,
    pub(super) scatter: ScatterAdd<'a>,
}

impl Accumulator for Product<'_> {
    fn add(&mut self, document: Document<'_>) {
        if !self.shape.load(document) {
            return;
        }
        let Self { shape, vectors, whole, scatter, .. } = self;
        let weights = &shape.weights;
        simd::run(Weighed { words: document.words, weights, vectors, whole });
        let contributions = document.words.iter().zip(weights).map(|(&word, &a)| Contribution {
            word,
            weight: 1,
            factor: a as f32,
            own: 0.0,
        });
        scatter.push(whole, contributions);
    }

    fn finish(&mut self) {
        self.scatter.flush();
    }

    fn merge(&mut self, other: Self) {
        self.scatter.merge(&other.scatter);
    }

    fn exchange(&mut self, fields: &mut SumFields) -> Result<(), Error> {
        self.scatter.exchange(self.width, fields)
    }
}

/// The sum of some words' rows, weighed.
pub(crate) struct Weighed<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) weights: &'a [f64],
    /// As many lanes for a word as the sum has.
    pub(crate) vectors: &'a [Lane],
    pub(crate) whole: &'a mut [Lane],
}

impl Kernel for Weighed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) {
        let Self { words, weights, vectors, whole } = self;
        let (vectors, whole) = (L::view(vectors), L::view_mut(whole));
        whole.fill(simd.splat(0.0));
        for (&w, &a) in words.iter().zip(weights) {
            let a = simd.splat(a as f32);
            let row = &vectors[w as usize * whole.len()..(w as usize + 1) * whole.len()];
            whole.iter_mut().zip(row).for_each(|(t, v)| *t = simd.add(*t, simd.mul(a, *v)));
        }
    }
}
