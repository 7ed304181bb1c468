//! What is typed for the parameters that the libraries name in errors, warnings and advice.

use vertopic::error::sentence;
use vertopic::{Advice, Error, Parameter, Setting};
use vertopic_io::IoError;

use crate::lab;

/// The flag of a parameter, if it has one.
pub(crate) fn flag(parameter: Parameter) -> Option<&'static str> {
    Some(match parameter {
        Parameter::StopWords => "--stopwords",
        Parameter::MinLength => "--min-length",
        Parameter::MinDf => "--min-df",
        Parameter::MaxDf => "--max-df",
        Parameter::MaxVocab => "--max-vocab",
        Parameter::Topics => "-k",
        Parameter::Method => "--method",
        Parameter::Pairs => "--pairs",
        Parameter::Sample => "--sample",
        Parameter::Seed => "--seed",
        Parameter::Candidates | Parameter::RandomCandidates => "--candidates",
        Parameter::CandidateMinDf => "--candidate-min-df",
        Parameter::CandidateMinTokens => "--candidate-min-tokens",
        Parameter::CandidateNoise => "--candidate-noise",
        Parameter::Projections => "--projections",
        Parameter::FarWords => "--far-words",
        Parameter::NovelWords => "--novel-words",
        Parameter::Bins => "--bins",
        Parameter::Distance => "--distance",
        Parameter::Gamma => "--gamma",
        Parameter::Clustering => "--clustering",
        Parameter::Affinity => "--affinity",
        Parameter::Representative => "--representative",
        Parameter::Tolerance => "--tolerance",
        Parameter::Refine => "--refine",
        Parameter::Stability => "--stability",
        Parameter::Pins => "--pin",
        Parameter::Forbidden => "--forbid",
        Parameter::MergedTopics => "--merge",
        Parameter::Documents | Parameter::Smoothing | Parameter::GeometryWeight => return None,
        other @ Parameter::Other(_) => return io_flag(other).or_else(|| lab::flag(other)),
    })
}

/// The flag of a parameter of the readers and writers.
fn io_flag(parameter: Parameter) -> Option<&'static str> {
    use vertopic_io::advice as io;
    let flags = [
        (io::FORMAT, "--format"),
        (io::VOCAB, "--vocab"),
        (io::TRANSPOSE, "--transpose"),
        (io::ZERO_BASED, "--zero-based"),
        (io::INCLUDE, "--include"),
        (io::TEXT_COLUMN, "--text-column"),
        (io::ID_COLUMN, "--id-column"),
        (io::LABEL_COLUMN, "--label-column"),
        (io::TIME_COLUMN, "--time-column"),
        (io::NO_HEADER, "--no-header"),
        (io::STRICT, "--strict"),
        (io::MEMORY, "--memory"),
        (io::WORDS, "--words"),
    ];
    flags.iter().find(|(known, _)| *known == parameter).map(|&(_, flag)| flag)
}

/// What an error of the library says, with the flag of the parameter that it is about.
pub(crate) fn problem(error: &Error) -> String {
    let parameter = match error {
        Error::Parameter { parameter, .. } | Error::UnknownWord { parameter, .. } => *parameter,
        Error::OtherSketch { has, wants } => {
            let (has, wants) = (typed(has), typed(wants));
            return format!("the sketch was made with {has}, but the fit needs {wants}");
        }
        _ => return error.to_string(),
    };
    let Some(flag) = flag(parameter) else { return error.to_string() };
    let name = parameter.name();
    error.to_string().replacen(name, &format!("{name} ({flag})"), 1)
}

/// Advice as one sentence with flags, if there is any.
pub(crate) fn hint(advice: &[Advice]) -> Option<String> {
    sentence(advice, told)
}

/// What an error of the readers and writers says, and what to do about it.
pub(crate) fn of_io(error: &IoError) -> (String, Option<String>) {
    match error {
        IoError::Core(error) => (problem(error), hint(&error.advice())),
        IoError::UnusedOption { parameter, .. } => {
            let flag = flag(*parameter).unwrap_or(parameter.name());
            (error.to_string().replacen(parameter.name(), flag, 1), io_hint(error))
        }
        _ => (error.to_string(), io_hint(error)),
    }
}

fn io_hint(error: &IoError) -> Option<String> {
    let advice = error.advice()?;
    let flags: Vec<&str> = advice.parameters().iter().filter_map(|p| flag(*p)).collect();
    Some(if flags.is_empty() {
        advice.to_string()
    } else {
        format!("{advice} ({})", flags.join(", "))
    })
}

/// One piece of advice, with what to type for it.
fn told(advice: &Advice) -> String {
    if let Advice::SketchWith(settings) = advice {
        return format!("make the sketches with {}", typed(settings));
    }
    let flags: Vec<&str> = advice.parameters().iter().filter_map(|p| flag(*p)).collect();
    let settings = advice.settings();
    match (advice, &flags[..], &settings[..]) {
        (_, [], []) => advice.to_string(),
        (Advice::MergeTopics(..), _, settings) => {
            format!("{advice} (vertopic edit MODEL {} -o OUT)", typed(settings))
        }
        (_, [], settings) => format!("{advice} ({})", typed(settings)),
        (_, flags, _) => format!("{advice} ({})", flags.join(", ")),
    }
}

/// Settings as typed: `--pairs split --seed 3`.
fn typed(settings: &[Setting]) -> String {
    let typed = |s: &Setting| flag(s.parameter).map(|flag| format!("{flag} {}", s.value));
    settings.iter().filter_map(typed).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Cli;
    use clap::{Arg, Command, CommandFactory as _};

    /// The flags of all verbs that are typed in this way.
    fn args<'c>(program: &'c Command, flag: &str) -> Vec<&'c Arg> {
        let is = |arg: &&Arg| match flag.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().map(|c| format!("-{c}")).as_deref() == Some(flag),
        };
        // `synth` has kinds, which have flags of their own.
        let verbs =
            program.get_subcommands().flat_map(|v| std::iter::once(v).chain(v.get_subcommands()));
        verbs.flat_map(|verb| verb.get_arguments().filter(is)).collect()
    }

    #[test]
    fn every_flag_named_exists() {
        let program = Cli::command();
        for parameter in
            Parameter::ALL.iter().chain(lab::PARAMETERS).chain(vertopic_io::advice::PARAMETERS)
        {
            if let Some(flag) = flag(*parameter) {
                assert!(!args(&program, flag).is_empty(), "{parameter}: {flag}");
            }
        }
    }

    #[test]
    fn every_value_advised_is_taken() {
        let program = Cli::command();
        for setting in Advice::examples().iter().flat_map(Advice::settings) {
            let flag = flag(setting.parameter).expect("a flag for what is set");
            for arg in args(&program, flag) {
                let values = arg.get_possible_values();
                let known = values.iter().any(|v| v.matches(&setting.value, false));
                assert!(values.is_empty() || known, "{flag} {}", setting.value);
            }
        }
    }

    #[test]
    fn advice_names_its_flags() {
        for advice in Advice::examples() {
            let text = told(&advice);
            for parameter in advice.parameters() {
                let flag = flag(*parameter).expect("a flag for what is advised");
                assert!(text.contains(flag), "{text}");
            }
            for setting in advice.settings() {
                assert!(text.contains(&setting.value), "{text}");
            }
        }
        assert_eq!(told(&Advice::FewerTopics), "ask for fewer topics (-k)");
        assert_eq!(
            told(&Advice::MergeTopics(0, 2)),
            "merge topics 0 and 2 (vertopic edit MODEL --merge 0,2 -o OUT)"
        );
        assert_eq!(
            told(&Advice::SpectralClustering),
            "use spectral clustering, which gives as many groups as asked for (--clustering spectral)"
        );
    }

    #[test]
    fn a_parameter_is_named_with_its_flag() {
        let error = Error::parameter(Parameter::Topics, "at least 2", 1);
        assert_eq!(problem(&error), "the number of topics (-k) must be at least 2, got 1");
        let error = Error::parameter(Parameter::Smoothing, "a number", "x");
        assert_eq!(problem(&error), "the smoothing must be a number, got x");
    }
}
