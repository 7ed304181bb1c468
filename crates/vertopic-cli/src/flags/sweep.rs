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

One document in ten is held out (at most 5,000). Topics come from the other documents. Measures:

  perplexity  of one half of each held-out document given the other half, with its standard error
              over documents; lower is better
  npmi        coherence: how often the display words of a topic occur together; higher is better
  diversity   share of distinct words among the display words of all topics
  stability   similarity of the topics of two halves of the documents, from 0 to 1
  residual    share of the words' co-occurrence that the topics do not explain

The recommended K is the smallest within one standard error of the best perplexity whose topics are
as stable as any. This is a rule of thumb: read some of the topics.";

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

    /// Maximum number of EM sweeps that refine the topics; fit uses 30 by default; slower
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    pub(crate) refine: usize,

    /// Seed of all random draws, including the choice of held-out documents
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) text: TextFlags,

    #[command(flatten)]
    pub(crate) prune: PruneFlags,

    /// Print a JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Plot the measures against the number of topics, to an .svg or .png file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,

    /// Write the models to this folder as k5.safetensors and so on; they are fitted without the held-out documents
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
