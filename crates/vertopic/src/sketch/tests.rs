//! A fit from a sketch is the fit from its documents, and sketches are added and subtracted to the last bit.

use super::*;
use crate::context::Parallelism;
use crate::corpus::{CorpusBuilder, DocumentInfo};
use crate::detect::Method;
use crate::error::Advice;
use crate::moments::PairScheme;
use crate::moments::TokenSample;
use crate::note::Note;
use crate::seed::Seed;
use crate::seed::Stage;
use crate::{FitParams, TopicModel};

/// Documents of two topics by numbers, with words that only late ones have, one without a word and one too short for a pair.
fn documents(numbers: impl IntoIterator<Item = u32>) -> Corpus {
    let mut b = CorpusBuilder::new();
    for d in numbers {
        let mut random = Seed(1).stream(Stage::Tie, u64::from(d));
        let mut below = |n: u64| random.next_u64() % n;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let tokens = match d {
            7 => 0,
            8 => 1,
            _ => 30,
        };
        for _ in 0..tokens {
            let own = if below(6) == 0 { (d + 1) % 2 } else { d % 2 };
            let word = match below(12) {
                0 => format!("both{}", below(3)),
                // From document 60 on there are words before, between and behind the others.
                1 if d >= 60 => ["abroad", "hillock", "zenith"][below(3) as usize].to_owned(),
                n => format!("{}{}", ["hill", "sea"][own as usize], n % 6),
            };
            pairs.push((b.word(&word), 1));
        }
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    b.finish().expect("good")
}

fn run(threads: usize) -> Context<'static> {
    let threads = Parallelism::Threads(threads.try_into().expect("positive"));
    Context::new(threads, &crate::observe::Silent).expect("threads")
}

fn settings() -> Vec<FitParams> {
    let seed = Seed(5);
    let methods = [Method::Ddp, Method::Rp];
    let both = |method| [FitParams::paper(2, method), FitParams::improved(2, method)];
    methods.into_iter().flat_map(both).map(|params| params.with_seed(seed)).collect()
}

fn sketch(corpus: &Corpus, params: &FitParams, threads: usize) -> Sketch {
    let params = params.sketch().expect("without documents");
    Sketch::of(corpus, &params, &run(threads)).expect("sums")
}

/// Everything in a model.
fn all(model: &TopicModel) -> (String, &[f32], &[f32]) {
    (model.metadata().expect("JSON"), model.topics().values(), model.weights())
}

#[test]
fn a_fit_of_sketches_is_the_fit_of_their_documents() {
    let whole = documents(0..100);
    let shards = [documents(0..20), documents(60..100), documents(20..60)];
    assert!(shards[0].n_words() < whole.n_words(), "the vocabulary grows");
    for params in settings() {
        let method = params.detect().method;
        for threads in [1, 3] {
            let expected = params.fit_with(&whole, &run(threads)).expect("fitted");
            let one = sketch(&whole, &params, threads);
            let found = params.fit_sketch(&one, &run(4 - threads)).expect("fitted");
            assert_eq!(all(&found), all(&expected), "{method:?} {:?}", params.pairs());

            let [a, b, c] = [0, 1, 2].map(|s| sketch(&shards[s], &params, threads));
            for order in [[&a, &b, &c], [&c, &a, &b], [&b, &c, &a]] {
                let merged = order[0].merge(order[1]).and_then(|m| m.merge(order[2]));
                let merged = merged.expect("they go together");
                assert_eq!(merged, one);
                assert_eq!(merged.metadata(), one.metadata());
            }
        }
    }
}

#[test]
fn subtracting_a_sketch_undoes_its_merge() {
    for params in settings() {
        let [whole, late, early] =
            [0..100, 60..100, 0..60].map(|numbers| sketch(&documents(numbers), &params, 2));
        assert_ne!(whole.vocabulary(), early.vocabulary());
        let left = whole.subtract(&late).expect("a part");
        assert_eq!(left, early, "words that no longer occur are gone");
        assert_eq!(left.metadata(), early.metadata());
        let model = params.fit_sketch(&left, &run(2)).expect("fitted");
        let expected = params.fit_with(&documents(0..60), &run(2)).expect("fitted");
        assert_eq!(all(&model), all(&expected));
        let nothing = whole.subtract(&whole).expect("all of it");
        assert_eq!((nothing.n_documents(), nothing.vocabulary().len(), nothing.nnz()), (0, 0, 0));
        assert_eq!(nothing.merge(&whole).expect("with nothing"), whole);
    }
}

#[test]
fn documents_that_are_not_part_cannot_be_subtracted() {
    let params = &settings()[1];
    let [some, more, late] =
        [0..30, 0..31, 60..80].map(|numbers| sketch(&documents(numbers), params, 2));
    let wrong =
        |from: &Sketch, what: &Sketch| from.subtract(what).expect_err("no part").to_string();
    assert!(wrong(&some, &late).contains("\"abroad\" occurs in them alone"));
    let message = wrong(&some, &more);
    assert!(message.contains("they have more documents: 31, not 30"), "{message}");
    // As many documents, but others: some pair of words falls below zero.
    let others = sketch(&documents(30..50), params, 2);
    let message = wrong(&some, &others);
    assert!(message.contains("not part of the others: they have more"), "{message}");
}

#[test]
fn blocks_are_those_of_a_pass() {
    let (corpus, ctx) = (documents(0..100), run(2));
    let words = corpus.n_words() as u32;
    let some: Vec<u32> = [9, 2, 13, 0].into_iter().filter(|&w| w < words).collect();
    let all: Vec<u32> = (0..words).collect();
    let middle: Vec<u32> = (4..8).collect();
    for pairs in [PairScheme::All, PairScheme::Split] {
        let seed = Seed(2);
        let params = SketchParams { pairs, projections: 37, sample: TokenSample::Whole, seed };
        let sketch = Sketch::of(&corpus, &params, &ctx).expect("sums");
        assert_eq!(
            sketch.word_sums(params.token_pairs(), &ctx),
            corpus.word_sums(params.token_pairs(), &ctx)
        );
        assert_eq!(sketch.pairs.diagonal(), sketch.sums.diagonal);
        for rows in [&some, &all, &middle, &vec![]] {
            for columns in [&all, &some, &middle, &vec![]] {
                let expected = corpus.pair_sums(params.token_pairs(), rows, columns, &ctx);
                let found = sketch.pair_sums(params.token_pairs(), rows, columns, &ctx);
                assert_eq!(found, expected, "{rows:?} {columns:?} {pairs:?}");
            }
            let sample = TokenSample::Whole;
            let asked = Projected { seed, pairs, sample, rows, directions: 36 };
            let kept = |range: std::ops::Range<usize>, rows: Tiles<'_>| -> Vec<Vec<i64>> {
                rows.narrow().iter().map(|tile| tile[..range.len()].to_vec()).collect()
            };
            let expected = corpus.projections(&asked, &ctx, kept);
            let found = sketch.projections(&asked, &ctx, kept);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn sketches_of_other_things_are_refused() {
    let (corpus, ctx) = (documents(0..40), run(2));
    let of = |params: SketchParams| Sketch::of(&corpus, &params, &ctx).expect("sums");
    let plain = SketchParams::default();
    let rp = FitParams::improved(2, Method::Rp);
    let message = rp.fit_sketch(&of(plain), &ctx).expect_err("no projections");
    assert_eq!(
        message.to_string(),
        "the sketch was made with pairs of tokens = all, but the fit needs pairs of tokens = all, \
         number of projections = 100, sample of tokens = whole, seed = 0"
    );
    let few = of(SketchParams { projections: 99, ..plain });
    assert!(matches!(rp.fit_sketch(&few, &ctx), Err(Error::OtherSketch { .. })));
    let many = of(SketchParams { projections: 101, ..plain });
    assert_eq!(rp.fit_sketch(&many, &ctx), rp.fit_with(&corpus, &ctx), "more are as good");
    let seeded = rp.with_seed(1);
    assert!(matches!(seeded.fit_sketch(&many, &ctx), Err(Error::OtherSketch { .. })));
    // DDP on all pairs draws nothing that a sketch would have.
    let ddp = FitParams::improved(2, Method::Ddp).with_seed(1);
    assert_eq!(ddp.fit_sketch(&many, &ctx), ddp.fit_with(&corpus, &ctx));
    let paper = FitParams::paper(2, Method::Ddp);
    assert!(matches!(paper.fit_sketch(&many, &ctx), Err(Error::OtherSketch { .. })));

    let refined = crate::refine::RefineParams::default();
    for (params, what) in [
        (FitParams::new(2), "the default method"),
        (FitParams::improved(2, Method::Binning), "binning"),
        (ddp.clone().with_refine(refined), "refinement"),
        (ddp.clone().with_stability(true), "the stability check"),
    ] {
        let error = params.fit_sketch(&many, &ctx).expect_err("needs documents");
        assert!(error.to_string().contains(what), "{error}");
        assert!(error.advice() == [Advice::FitAsSketches], "{error}");
    }

    let differ = of(plain).merge(&many).expect_err("different").to_string();
    assert!(
        differ.contains(
            "what is counted is pairs of tokens = all in one and pairs of tokens = all, n"
        ),
        "{differ}"
    );
    let noted = of(plain).with_preprocessing(Note::of("stems").expect("a text"));
    let differ = noted.merge(&of(plain)).expect_err("different").to_string();
    assert!(differ.contains("how documents were turned into words"), "{differ}");
}

#[test]
fn words_that_do_not_occur_are_left_out() {
    let mut b = CorpusBuilder::with_words(["a", "never", "z"].map(str::to_owned).to_vec());
    for _ in 0..3 {
        b.push(&mut [(0, 2), (2, 1)], DocumentInfo::default()).expect("good");
    }
    let params = SketchParams { projections: 5, ..SketchParams::default() };
    let sketch = Sketch::of(&b.finish().expect("good"), &params, &run(1)).expect("sums");
    assert_eq!(sketch.vocabulary().words(), ["a", "z"]);
    // a with itself, a with z; z never stands beside another z.
    assert_eq!((sketch.nnz(), sketch.projections.len(), sketch.n_tokens()), (2, 10, 9));
}

type Forge = fn(&mut SketchParts<'_>);

#[test]
fn parts_that_do_not_fit_are_refused() {
    let params =
        SketchParams { pairs: PairScheme::Split, projections: 4, ..SketchParams::default() };
    let sketch = Sketch::of(&documents(0..30), &params, &run(2)).expect("sums");
    let metadata = sketch.metadata().expect("JSON");
    assert_eq!(Sketch::from_parts(&metadata, sketch.parts()), Ok(sketch.clone()));
    let forge: [(&str, Forge); 11] = [
        ("high words are not as many", |p| p.high = vec![0].into()),
        ("larger than any number", |p| {
            p.high =
                vec![i64::MAX; 3 * p.columns.len() + p.words.len() + p.projections.len()].into();
            let n = 3 * p.words.len() / 5 + 2 * p.columns.len() + p.projections.len();
            p.high.to_mut().truncate(n);
        }),
        ("it was altered", |p| p.forward.to_mut()[3] += 1),
        ("it was altered", |p| p.projections.to_mut()[3] += 1),
        ("not as many as the words", |p| p.words.to_mut().truncate(7)),
        ("not as many as the pairs", |p| p.backward.to_mut().truncate(7)),
        ("do not follow each other", |p| p.offsets.to_mut()[1] = u64::MAX),
        ("not in order", |p| p.columns.to_mut()[2] = u32::MAX),
        ("not in order", |p| p.columns.to_mut().swap(1, 2)),
        ("tokens in", |p| p.words.to_mut()[0] = 0),
        ("that its settings name", |p| p.projections.to_mut().truncate(7)),
    ];
    for (rule, forge) in forge {
        let mut parts = sketch.parts();
        forge(&mut parts);
        let error = Sketch::from_parts(&metadata, parts).expect_err("forged").to_string();
        assert!(error.contains(rule), "{rule}: {error}");
    }
    for (from, to, rule) in [
        ("\"format\":2", "\"format\":3", "newer vertopic"),
        ("\"projections\":4", "\"projections\":18446744073709551615", "that its settings name"),
        ("\"documents\":30", "\"documents\":3", "documents have pairs"),
        ("\"seed\":0", "\"seed\":1", "it was altered"),
    ] {
        assert!(metadata.contains(from), "{metadata}");
        let error = Sketch::from_parts(&metadata.replace(from, to), sketch.parts());
        let error = error.expect_err("forged").to_string();
        assert!(error.contains(rule), "{rule}: {error}");
    }
}
