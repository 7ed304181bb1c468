//! Third moments of the words of three different tokens of a document, after whitening.
//!
//! With `y_w` the row of word w in V, `t = Σ_w h_w y_w` for counts h, and n tokens, the sum over ordered
//! triples of different tokens is all triples without those that coincide:
//!
//! ```text
//! t⊗t⊗t − Σ_w h_w (y_w⊗y_w⊗t + y_w⊗t⊗y_w + t⊗y_w⊗y_w) + 2 Σ_w h_w y_w⊗y_w⊗y_w
//! ```
//!
//! divided by `n(n−1)(n−2)`. In the terms with w, documents matter only through a vector per word,
//! `g_w = Σ_m h_wm (⅔ y_w − t_m) / (n(n−1)(n−2))`, and these terms are `y_w⊗y_w⊗g_w` in its three
//! arrangements. So the cost is `O(pairs of word and document · K + (M + W) K³)`.

use std::ops::Range;

use rayon::prelude::*;
use vertopic::Error;
use vertopic::context::Context;
use vertopic::corpus::Corpus;

use crate::method::canonical_order;
use crate::method::eca::tensor::Tensor;

/// Third moments, and of how many documents.
#[derive(Debug)]
pub struct Third {
    /// `E[x₁⊗x₂⊗x₃](V, V, V)`.
    pub tensor: Tensor,
    /// Documents with at least three tokens.
    pub documents: usize,
}

/// The mean over the documents of at least three tokens. `rows` is V, W × K.
pub fn triples(corpus: &Corpus, rows: &[f64], k: usize, ctx: &Context<'_>) -> Result<Third, Error> {
    let mut order = canonical_order(corpus);
    order.retain(|&d| corpus.document(d).tokens() >= 3);
    if order.is_empty() {
        return Err(Error::TooFewDocuments { usable: 0, documents: corpus.n_documents() });
    }
    let words = corpus.n_words();
    let row = |w: u32| &rows[w as usize * k..(w as usize + 1) * k];
    let cube = k * (k + 1) * (k + 2) / 6;
    let progress = ctx.stage("counting triples", order.len() as u64);
    let mut sums = sum_in_chunks(order.len(), cube + words * k, ctx, |span, sums| {
        let (packed, per_word) = sums.split_at_mut(cube);
        let mut t = vec![0.0; k];
        for &d in &order[span.clone()] {
            let document = corpus.document(d);
            let n = document.tokens() as f64;
            let weight = 1.0 / (n * (n - 1.0) * (n - 2.0));
            t.fill(0.0);
            for (w, c) in document.entries() {
                t.iter_mut().zip(row(w)).for_each(|(t, y)| *t += f64::from(c) * y);
            }
            add_cube(packed, &t, weight);
            for (w, c) in document.entries() {
                let weight = weight * f64::from(c);
                let g = &mut per_word[w as usize * k..(w as usize + 1) * k];
                for ((g, y), t) in g.iter_mut().zip(row(w)).zip(&t) {
                    *g += weight * (2.0 / 3.0 * y - t);
                }
            }
        }
        progress.advance(span.len() as u64);
    });
    drop(progress);
    let per_word = sums.split_off(cube);
    let corrections = sum_in_chunks(words, cube, ctx, |span, packed| {
        for w in span {
            add_mixed(packed, row(w as u32), &per_word[w * k..(w + 1) * k]);
        }
    });
    let m = order.len() as f64;
    sums.iter_mut().zip(corrections).for_each(|(s, c)| *s = (*s + c) / m);
    Ok(Third { tensor: unpack(&sums, k), documents: order.len() })
}

/// Chunks that a sum is cut into. Not the number of threads: that must not change the rounding.
const CHUNKS: usize = 64;

/// The sum of vectors that `work` adds up over spans of `0..n`: spans in parallel, their sums added in order.
fn sum_in_chunks(
    n: usize,
    length: usize,
    ctx: &Context<'_>,
    work: impl Fn(Range<usize>, &mut [f64]) + Sync,
) -> Vec<f64> {
    let bound = |i: usize| i * n / CHUNKS;
    let mut total = vec![0.0; length];
    // As many at a time as there are threads, so that memory does not grow with the chunks.
    let wave = ctx.threads();
    for start in (0..CHUNKS).step_by(wave) {
        let partial: Vec<Vec<f64>> = ctx.install(|| {
            (start..(start + wave).min(CHUNKS))
                .into_par_iter()
                .filter(|&i| bound(i) < bound(i + 1))
                .map(|i| {
                    let mut sums = vec![0.0; length];
                    work(bound(i)..bound(i + 1), &mut sums);
                    sums
                })
                .collect()
        });
        for part in &partial {
            total.iter_mut().zip(part).for_each(|(a, b)| *a += b);
        }
    }
    total
}

/// Adds `scale · t⊗t⊗t` to a symmetric tensor, of which entries a ≤ b ≤ c are kept, c fastest.
fn add_cube(packed: &mut [f64], t: &[f64], scale: f64) {
    let mut rest = packed;
    for a in 0..t.len() {
        for b in a..t.len() {
            let (line, after) = rest.split_at_mut(t.len() - b);
            let both = scale * t[a] * t[b];
            line.iter_mut().zip(&t[b..]).for_each(|(out, c)| *out += both * c);
            rest = after;
        }
    }
}

/// Adds `y⊗y⊗g + y⊗g⊗y + g⊗y⊗y`.
fn add_mixed(packed: &mut [f64], y: &[f64], g: &[f64]) {
    let mut rest = packed;
    for a in 0..y.len() {
        for b in a..y.len() {
            let (line, after) = rest.split_at_mut(y.len() - b);
            let (both, mixed) = (y[a] * y[b], y[a] * g[b] + g[a] * y[b]);
            for ((out, y), g) in line.iter_mut().zip(&y[b..]).zip(&g[b..]) {
                *out += both * g + mixed * y;
            }
            rest = after;
        }
    }
}

/// All K³ entries of a packed tensor.
fn unpack(packed: &[f64], k: usize) -> Tensor {
    let mut tensor = Tensor { k, values: vec![0.0; k * k * k] };
    let mut at = 0;
    for a in 0..k {
        for b in a..k {
            for c in b..k {
                for (i, j, l) in [(a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)]
                {
                    tensor.values[(i * k + j) * k + l] = packed[at];
                }
                at += 1;
            }
        }
    }
    tensor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::dense;

    /// Every ordered triple of different tokens, one by one.
    fn slow(corpus: &Corpus, rows: &[f64], k: usize) -> Vec<f64> {
        let mut sum = vec![0.0; k * k * k];
        let mut documents = 0.0;
        for document in corpus.documents() {
            let tokens: Vec<u32> =
                document.entries().flat_map(|(w, c)| (0..c).map(move |_| w)).collect();
            let n = tokens.len();
            if n < 3 {
                continue;
            }
            documents += 1.0;
            let weight = 1.0 / (n * (n - 1) * (n - 2)) as f64;
            for at in 0..n * n * n {
                let (p, q, r) = (at / (n * n), at / n % n, at % n);
                if p == q || q == r || p == r {
                    continue;
                }
                let y = |token: usize, a: usize| rows[tokens[token] as usize * k + a];
                for (entry, s) in sum.iter_mut().enumerate() {
                    let (a, b, c) = (entry / (k * k), entry / k % k, entry % k);
                    *s += weight * y(p, a) * y(q, b) * y(r, c);
                }
            }
        }
        sum.iter().map(|s| s / documents).collect()
    }

    #[test]
    fn they_are_those_of_every_triple_of_different_tokens() {
        let corpus = dense(&[
            [3, 1, 0, 2, 1],
            [0, 0, 4, 0, 0],
            [1, 1, 1, 0, 0],
            [1, 1, 0, 0, 0],
            [0, 0, 0, 0, 0],
        ]);
        let k = 3;
        let rows: Vec<f64> = (0..15).map(|i| libm::sin(f64::from(i * i) + 1.0)).collect();
        let ctx = Context::silent().expect("threads");
        let found = triples(&corpus, &rows, k, &ctx).expect("documents");
        assert_eq!(found.documents, 3);
        for (a, b) in found.tensor.values.iter().zip(slow(&corpus, &rows, k)) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn documents_too_short_for_a_triple_are_said() {
        let corpus = dense(&[[1, 1]]);
        let found = triples(&corpus, &[1.0, 2.0], 1, &Context::silent().expect("threads"));
        assert!(matches!(found, Err(Error::TooFewDocuments { usable: 0, documents: 1 })));
    }
}
