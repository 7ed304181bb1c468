//! `vertopic reproduce`: the paper's experiments.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Instant;

use vertopic_io::atomic::{write_atomically, write_error};
use vertopic_lab::reproduce::{Experiment, Options, reproduce as run_experiment};

use crate::failure::Failure;
use crate::flags::{ReproduceFlags, WhatFlag};
use crate::output::{self, seconds};
use crate::run::Shell;

pub(crate) fn reproduce(flags: ReproduceFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let what = experiments(flags.what);
    let real = matches!(flags.what, WhatFlag::Nips | WhatFlag::Nytimes);
    if real && flags.data.is_none() {
        return Err(Failure::usage(
            "this experiment needs a corpus in UCI form",
            "add --data DIR with docword.nips.txt and vocab.nips.txt (or nytimes); the UCI Machine \
             Learning Repository has them as \"Bag of Words\"",
        ));
    }
    let options = Options {
        out: flags.out,
        data: flags.data,
        replicates: flags.replicates.map(NonZeroUsize::get),
        quick: flags.quick,
    };
    let ctx = shell.run()?;
    for &experiment in &what {
        let start = Instant::now();
        run_experiment(experiment, &options, &ctx)?;
        let page = options.out.join(experiment.name()).join(format!("{}.md", experiment.name()));
        shell.messages.line(&format!("{}: {}", experiment.name(), seconds(start.elapsed())));
        output::data(&format!("{}\n", page.display()))?;
    }
    if flags.what == WhatFlag::All {
        let path = options.out.join("README.md");
        let page = contents(&what);
        write_atomically(&path, |out| {
            out.write_all(page.as_bytes()).map_err(|e| write_error(&path, e))
        })?;
        output::data(&format!("{}\n", path.display()))?;
    }
    Ok(())
}

fn experiments(what: WhatFlag) -> Vec<Experiment> {
    match what {
        WhatFlag::Synthetic => vec![Experiment::Synthetic],
        WhatFlag::Swimmer => vec![Experiment::Swimmer],
        WhatFlag::Nips => vec![Experiment::Nips],
        WhatFlag::Nytimes => vec![Experiment::NewYorkTimes],
        WhatFlag::Complexity => vec![Experiment::Complexity],
        WhatFlag::Assumptions => vec![Experiment::Assumptions],
        WhatFlag::All => Experiment::ALL.to_vec(),
    }
}

/// The way to each page.
fn contents(what: &[Experiment]) -> String {
    let mut out = "# The paper's experiments\n\n\
         \"Topic Discovery through Data Dependent and Random Projections\" (Ding, Rohban, Ishwar & Saligrama, \
         ICML 2013), each experiment with its raw numbers, figures and settings.\n\n"
        .to_owned();
    for experiment in what {
        let name = experiment.name();
        let _ = writeln!(out, "- [{}]({name}/{name}.md)", experiment.title()); // a String takes everything
    }
    out
}
