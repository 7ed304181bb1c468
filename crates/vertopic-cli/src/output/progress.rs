//! Progress bars, on a terminal only.

use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use vertopic::observe::{Event, Observer};

/// A bar for the stage under way; stages may lie in each other. indicatif draws on standard error,
/// and only if it is a terminal.
#[derive(Debug, Default)]
pub(crate) struct Bars {
    stack: Mutex<Vec<ProgressBar>>,
}

impl Observer for Bars {
    fn notify(&self, event: Event) {
        let mut stack = self.stack.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { stage, units } => stack.push(bar(stage, units)),
            Event::Advanced(units) => {
                if let Some(bar) = stack.last() {
                    bar.inc(units);
                }
            }
            Event::Finished => {
                if let Some(bar) = stack.pop() {
                    bar.finish_and_clear();
                }
            }
            _ => {}
        }
    }
}

fn bar(stage: &'static str, units: u64) -> ProgressBar {
    // Without a known amount of work there is nothing to fill.
    let (bar, template) = if units == 0 {
        (ProgressBar::no_length(), "{spinner} {msg} {elapsed}")
    } else {
        (ProgressBar::new(units), "{msg:<24} {wide_bar} {percent:>3}% {eta:>4}")
    };
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_message(stage)
}
