//! Fits topics to word counts of one's own: here recipes by their ingredients.
//!
//! `cargo run -p vertopic --example fit_counts`

#![allow(clippy::print_stdout)] // an example talks

use vertopic::infer::{InferParams, mixtures};
use vertopic::{Context, CorpusBuilder, DocumentInfo, Error, FitParams};

const KITCHENS: [&[&str]; 3] = [
    &["miso", "nori", "rice", "sesame", "soy", "tofu"],
    &["basil", "garlic", "mozzarella", "olives", "pasta", "tomato"],
    &["beans", "chili", "coriander", "corn", "lime", "tortilla"],
];

fn main() -> Result<(), Error> {
    // A document is a list of (word id, count). The builder gives each word its id.
    let mut builder = CorpusBuilder::new();
    for d in 0..300 {
        let kitchen = KITCHENS[d % 3];
        let mut counts: Vec<(u32, u32)> = (0..4)
            .map(|i| (builder.word(kitchen[(d / 3 * 5 + i) % 6]), 1 + (d + i) as u32 % 3))
            .collect();
        counts.push((builder.word("salt"), 1));
        counts.push((builder.word(KITCHENS[(d + 1) % 3][d % 6]), 1));
        builder.push(&mut counts, DocumentInfo::default())?;
    }
    let corpus = builder.finish()?;

    let model = FitParams::new(3).with_seed(1).fit(&corpus)?;
    for (topic, label) in model.labels().iter().enumerate() {
        println!("{:5.1} %  {label}", 100.0 * model.weights()[topic]);
    }

    // How much of each topic is in each document. New documents go through `Corpus::project` first.
    let ctx = Context::silent()?;
    let found = mixtures(model.topics(), model.weights(), &corpus, &InferParams::default(), &ctx)?;
    println!("the first recipe is {:.2?}", found.mixture(0));
    Ok(())
}
