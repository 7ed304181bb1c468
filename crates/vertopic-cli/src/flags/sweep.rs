//! Flags of `vertopic sweep`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::flags::{InputFlags, PruneFlags, RunFlags, TextFlags};

const SWEEP: &str = "\
Examples:
  vertopic sweep my-docs/
  vertopic sweep posts.jsonl -k 10..80 --plot sweep.svg
  vertopic sweep docword.kos.txt.gz -k 10,20,40 --json
  vertopic sweep notes.csv --text-column body -k 5..50/5 --models models/

One document in ten is held out (5,000 at most) and the topics of the others are measured:

  perplexity  of one half of each document held out given the other, with its standard error over
              documents; less is better
  npmi        do the words that a topic shows occur together? more is better
  diversity   share of different words among those that topics show
  stability   how far the topics of two halves of the documents agree, from 0 to 1
  residual    share of the words' patterns that the topics leave unexplained

Recommended is, of the numbers of topics within one standard error of the best perplexity, the
smallest whose topics are as stable as any. That is a rule and not a truth: read some of the topics.";

/// `vertopic sweep`
#[derive(Debug, Args)]
#[command(after_help = SWEEP)]
pub(crate) struct SweepFlags {
    #[command(flatten)]
    pub(crate) input: InputFlags,

    /// Numbers of topics: 5..200 in equal ratios (12 of them), 5..50/5 in steps of 5, or a list 10,20,40
    #[arg(short = 'k', long = "topics", value_name = "RANGE", default_value = "5..200")]
    #[arg(help_heading = "Model")]
    pub(crate) n_topics: Numbers,

    /// Sweeps of EM that polish the topics, at most, as fit does by default with 30; slower
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    pub(crate) refine: usize,

    /// Seed of all random draws, also of which documents are held out
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) text: TextFlags,

    #[command(flatten)]
    pub(crate) prune: PruneFlags,

    /// Print a JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Draw the measures against the number of topics: .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,

    /// Write each model to this folder, k5.safetensors and so on; they come from nine documents in ten
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) models: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// Numbers of topics, smallest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbers(pub(crate) Vec<usize>);

/// Numbers in a range without steps.
const IN_RANGE: usize = 12;
/// More than these are not read by anybody.
const MOST_NUMBERS: usize = 100;
const LARGEST: usize = 10_000;

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let n = text.trim().parse::<usize>().ok().filter(|n| (2..=LARGEST).contains(n));
            n.ok_or_else(|| format!("{text:?} is not a number of topics, 2 to {LARGEST}"))
        };
        let mut all = if let Some((low, rest)) = text.split_once("..") {
            let (high, step) = rest.split_once('/').map_or((rest, None), |(h, s)| (h, Some(s)));
            let (low, high) = (number(low)?, number(high)?);
            if low > high {
                return Err(format!("a range goes up, and {low} is above {high}"));
            }
            match step {
                None => ratios(low, high),
                Some(step) => {
                    let step = step.trim().parse::<usize>().ok().filter(|&s| s > 0);
                    let step = step.ok_or("the step after / is not a positive number")?;
                    (low..=high).step_by(step).collect()
                }
            }
        } else {
            text.split(',').map(number).collect::<Result<Vec<_>, _>>()?
        };
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST_NUMBERS {
            return Err(format!("{} numbers of topics are more than {MOST_NUMBERS}", all.len()));
        }
        Ok(Self(all))
    }
}

/// About equal ratios from one to the other, both included.
fn ratios(low: usize, high: usize) -> Vec<usize> {
    let step = (high as f64 / low as f64).ln() / (IN_RANGE - 1) as f64;
    (0..IN_RANGE).map(|i| (low as f64 * (step * i as f64).exp()).round() as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_steps_and_lists() {
        let numbers = |text: &str| text.parse::<Numbers>().map(|n| n.0);
        let geometric = [5, 7, 10, 14, 19, 27, 37, 52, 73, 102, 143, 200];
        assert_eq!(numbers("5..200").expect("a range"), geometric);
        assert_eq!(numbers("5..8").expect("a range"), [5, 6, 7, 8]);
        assert_eq!(numbers("5..50/15").expect("steps"), [5, 20, 35, 50]);
        assert_eq!(numbers("40, 10,20,10").expect("a list"), [10, 20, 40]);
        assert_eq!(numbers("7").expect("one"), [7]);
        for bad in ["", "a", "1..9", "9..5", "5..9/0", "5..", "5..9999/1", "20000", "3,-4"] {
            assert!(numbers(bad).is_err(), "{bad}");
        }
    }
}
