//! The parameters that only this crate has, as [`vertopic::Parameter`] names them in errors.

use vertopic::Parameter;

macro_rules! parameters {
    ($($constant:ident => $name:literal,)*) => {
        $(#[doc = concat!("`", $name, "`.")] pub const $constant: Parameter = Parameter::Other($name);)*

        /// All of them.
        pub const ALL: &[Parameter] = &[$($constant),*];
    };
}

parameters! {
    WORDS => "the number of words",
    MOST_WORDS => "the number of words of a linear programme",
    DOCUMENTS => "the number of generated documents",
    TOKENS => "the number of tokens of a document",
    ALL_TOKENS => "the number of tokens of all documents",
    ENTRIES => "the number of words times topics",
    NOVEL_WORDS => "the number of novel words of all topics",
    NOVEL_SHARE => "the share of novel words",
    ZIPF => "the Zipf exponent",
    SPREAD => "the spread of topics",
    CONCENTRATION => "the concentration of topics",
    LENGTH_SPREAD => "the spread of lengths",
    PRIOR_ALPHA => "the prior's alpha",
    PRIOR_ALPHAS => "the number of the prior's alphas",
    PRIOR_MEAN => "the prior's mean",
    PRIOR_MEANS => "the number of the prior's means",
    PRIOR_SIGMA => "the prior's sigma",
    CORRELATION => "the correlation",
    GROUPS => "the number of groups",
    DRAWS => "the number of draws",
    BACKGROUND => "the background",
    DIMENSIONS => "the number of dimensions",
    ALPHA => "alpha",
    ALPHA0 => "alpha0",
    BETA => "beta",
    ETA => "eta",
    INITIAL_SPREAD => "the spread of the first topics",
    SWEEPS => "the number of sweeps",
    SAMPLES => "the number of samples",
    OPTIMISE => "the number of sweeps between optimisations",
    ITERATIONS => "the number of iterations",
    STARTS => "the number of starts",
    PASSES => "the number of passes",
    DIVERGENCE => "the divergence",
    SHAPE => "the shape of the relevance prior",
    EPS => "eps",
    SEPARATION => "the separation",
}

/// Refuses `value` unless it is `ok`.
#[allow(clippy::needless_pass_by_value)] // callers give numbers and fresh strings
pub(crate) fn require(
    ok: bool,
    parameter: Parameter,
    rule: &'static str,
    value: impl ToString,
) -> Result<(), vertopic::Error> {
    if ok { Ok(()) } else { Err(vertopic::Error::parameter(parameter, rule, value)) }
}

/// Refuses 0.
pub(crate) fn at_least_one(parameter: Parameter, value: usize) -> Result<(), vertopic::Error> {
    require(value > 0, parameter, "at least 1", value)
}

/// Refuses what is not a positive number.
pub(crate) fn positive(parameter: Parameter, value: f64) -> Result<(), vertopic::Error> {
    require(value > 0.0 && value.is_finite(), parameter, "a positive number", value)
}

/// Refuses what is not a number, or is negative.
pub(crate) fn not_negative(parameter: Parameter, value: f64) -> Result<(), vertopic::Error> {
    require(value >= 0.0 && value.is_finite(), parameter, "a number, not negative", value)
}
