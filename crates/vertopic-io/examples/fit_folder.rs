//! Fits topics to a folder of text files and writes the model.
//!
//! `cargo run -p vertopic-io --example fit_folder -- FOLDER [MODEL.safetensors]`

#![allow(clippy::print_stdout)] // an example talks

use std::error::Error;
use std::path::{Path, PathBuf};

use vertopic::corpus::{Frequency, Prune};
use vertopic::{Context, FitParams};
use vertopic_io::input::{InputOptions, read};
use vertopic_io::store::write_model;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("give a folder of text files")?;
    let output = args.next().unwrap_or_else(|| "model.safetensors".to_owned());
    let ctx = Context::silent()?;

    let input = read(&[PathBuf::from(folder)], &InputOptions::default(), &ctx)?;
    // Words of one document alone say nothing about topics.
    let limits = Prune { min_df: Frequency::Count(2), ..Prune::default() };
    let (corpus, _report) = input.corpus.prune(&limits)?;

    let model = FitParams::new(10).fit_with(&corpus, &ctx)?;
    for (label, assessment) in model.labels().iter().zip(model.assessments()) {
        println!("{label}: {assessment}");
    }
    write_model(Path::new(&output), &model)?;
    Ok(())
}
