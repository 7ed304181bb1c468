use clap::{Args as _, Command, FromArgMatches as _};
use vertopic::corpus::Frequency;
use vertopic::detect::Method;
use vertopic::seed::Seed;

use super::*;

fn plan(line: &str) -> Result<ModelPlan, Failure> {
    let command = ModelFlags::augment_args(Command::new("fit").no_binary_name(true));
    let matches = command.try_get_matches_from(line.split_whitespace()).expect("known flags");
    ModelFlags::from_arg_matches(&matches).expect("flags").try_into()
}

fn params(line: &str) -> FitParams {
    plan(line).expect("makes sense").params(400)
}

#[test]
fn without_flags_the_method_is_the_best_known_and_k_suits_the_corpus() {
    let default = plan("").expect("makes sense");
    for (documents, k) in [(3, 2), (59, 2), (60, 3), (399, 19), (1_000_000, 20)] {
        assert_eq!(default.params(documents), FitParams::new(k));
    }
}

#[test]
fn paper_is_the_paper_to_the_letter() {
    for (name, method) in [("rp", Method::Rp), ("ddp", Method::Ddp), ("binning", Method::Binning)] {
        let line = format!("--paper --method {name} -k 7");
        assert_eq!(params(&line), FitParams::paper(7, method));
    }
}

#[test]
fn the_embedding_and_the_refinement_have_flags() {
    let p = params("-k 4 --weigh tokens --completions 3 --candidate-noise 0.1 --refine 7");
    let embed = p.embed().expect("embedded by default");
    assert_eq!((embed.weighting, embed.completions), (Weighting::Tokens, 3));
    assert_eq!((p.detect().filter.noise, p.refine().sweeps), (Some(0.1), 7));
    assert_eq!(params("-k 4 --paper --refine 2").refine().sweeps, 2);
    assert_eq!(params("-k 4 --paper").detect().method, Method::Ddp);
    assert_eq!(params("-k 4 --weigh tf-idf"), params("-k 4"));
}

#[test]
fn words_are_pinned_and_forbidden() {
    let p = params("-k 4 --pin chip,circuit --forbid a --pin neuron --forbid b,c");
    assert_eq!(p.guidance().pins, [vec!["chip", "circuit"], vec!["neuron"]]);
    assert_eq!(p.guidance().forbidden, ["a", "b", "c"]);
    assert_eq!(params("-k 4 --method rp --forbid a").guidance().forbidden, ["a"]);
    let many = plan("--pin a --pin b --pin c").expect("makes sense");
    assert_eq!(many.params(3).n_topics(), Some(3), "as many topics as pins, at least");
}

#[test]
fn agreement_is_part_of_the_default_method() {
    assert!(params("-k 4").stability() && !params("-k 4 --stability no").stability());
    assert!(!params("-k 4 --method rp").stability());
    assert!(params("-k 4 --method rp --stability yes").stability());
}

#[test]
fn single_flags_go_before_both() {
    let p = params(
        "--paper --method rp -k 16 --affinity exp-median --representative pooled --candidate-min-tokens 80 \
         --candidate-min-df 1% --sample whole --pairs all --tolerance 1e-4 --projections 99 --seed 5",
    );
    assert_eq!(p.cluster().affinity, Affinity::ExpMedian);
    assert_eq!(p.cluster().representative, Representative::Pooled);
    assert_eq!(p.detect().filter.min_tokens, 80);
    assert_eq!(p.detect().filter.min_df, Frequency::Share(0.01));
    assert_eq!(p.pairs(), PairScheme::All);
    assert_eq!((p.detect().sample, p.estimate().sample), (TokenSample::Whole, TokenSample::Whole));
    assert_eq!((p.detect().projections, p.seed()), (Some(99), Seed(5)));
    assert!((p.estimate().tolerance - 1e-4).abs() < 1e-12);
}

#[test]
fn without_a_split_there_are_no_halves() {
    let p = params("--paper --pairs all -k 3");
    assert_eq!((p.detect().sample, p.estimate().sample), (TokenSample::Whole, TokenSample::Whole));
}

#[test]
fn candidates_are_a_number_or_all() {
    assert_eq!(params("-k 3 --candidates 12 --paper").detect().filter.most, Some(12));
    assert_eq!(params("-k 3 --candidates all").detect().filter.most, None);
    assert_eq!(params("-k 3").detect().filter, FitParams::new(3).detect().filter);
    let ddp = params("-k 3 --method ddp");
    assert_eq!(ddp.detect().filter, FitParams::improved(3, Method::Ddp).detect().filter);
    let p =
        params("--method rp --clustering threshold --distance 3 --projections 5 --candidates 7");
    assert_eq!(p.detect().filter.most, Some(7));
    let p = params("-k 3 --candidates random:12");
    assert_eq!(
        (p.detect().random, p.detect().filter),
        (Some(12), FitParams::new(3).detect().filter)
    );
    for wrong in ["0", "-1", "some", "random", "random:0", "random:x"] {
        assert!(wrong.parse::<Candidates>().is_err(), "{wrong}");
    }
}

#[test]
fn with_a_threshold_the_number_of_topics_comes_out() {
    let p = params("--method rp --clustering threshold --distance 3 --projections 500");
    assert_eq!((p.n_topics(), p.cluster().grouping), (None, Grouping::Threshold));
    assert_eq!(p.detect().filter.most, None);
    assert_eq!((p.cluster().distance, p.detect().distance), (Some(3.0), None));
    let p = params("--clustering threshold --method ddp --distance 1 --gamma 3");
    assert_eq!((p.detect().distance, p.detect().gamma, p.n_topics()), (Some(1.0), Some(3.0), None));
    let p = params("--method ddp --clustering threshold --distance 3 -k 4");
    assert_eq!((p.n_topics(), p.detect().projections), (Some(4), None));
}

#[test]
fn flags_that_would_change_nothing_are_refused() {
    for line in [
        "--method ddp --projections 9",
        "--method rp --novel-words 9",
        "--method rp --gamma 1 --distance 1",
        "--method ddp --gamma 1",
        "--paper --method embedded",
        "--method rp --weigh tokens",
        "--method gibbs --refine 3",
        "--method rp --pin a",
        "--paper --pin a",
        "--method gibbs --forbid a",
        "--method rp --candidates random:9",
        "--method nmf --stability yes",
        "--pairs all",
        "--bins 4",
        "--distance 1",
        "--clustering threshold",
        "--clustering threshold --distance 1",
        "--clustering threshold --distance 1 --method ddp",
        "--clustering threshold --distance 1 --method binning",
        "--method rp --clustering threshold --distance 1 --projections 9 --affinity exp",
    ] {
        let failure = plan(line).expect_err("makes no sense");
        assert!(matches!(failure, Failure::Usage { hint: Some(_), .. }), "{line}: {failure:?}");
    }
}

#[test]
fn numbers_out_of_range_are_found_before_the_input_is_read() {
    for (line, message) in [
        ("-k 0", "the number of topics (-k) must be at least 2, got 0"),
        ("-k 1", "the number of topics (-k) must be at least 2, got 1"),
        (
            "--method rp --projections 0",
            "the number of projections (--projections) must be at least 1, got 0",
        ),
        (
            "--method rp --pairs all --sample half",
            "the sample of tokens (--sample) must be whole, unless documents are split, got half",
        ),
        (
            "--candidate-noise NaN",
            "the noise limit of candidates (--candidate-noise) must be a number, not negative, got NaN",
        ),
        (
            "-k 2 --pin a --pin b --pin c",
            "the pinned words (--pin) must be for no more topics than are fitted, got 3 for 2 topics",
        ),
        ("--pin a,a", "the pinned words (--pin) must be named once, got \"a\" twice"),
        (
            "--pin a --forbid b,a",
            "the forbidden words (--forbid) must be other than the pinned words, got \"a\"",
        ),
        ("--tolerance -1", "the tolerance (--tolerance) must be a positive number, got -1"),
        ("--tolerance NaN", "the tolerance (--tolerance) must be a positive number, got NaN"),
    ] {
        match plan(line).expect_err("out of range") {
            Failure::Run { problem, .. } => assert_eq!(problem, message),
            other => panic!("{line}: {other:?}"),
        }
    }
}
