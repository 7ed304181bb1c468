//! Time spent in each stage of a fit, by listening to its progress.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use vertopic::observe::{Event, Observer};

/// Seconds by stage. Time of a stage within another counts for the inner one alone.
#[derive(Debug, Default)]
pub(super) struct Stopwatch {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: Vec<(&'static str, Instant)>,
    seconds: BTreeMap<String, f64>,
}

impl State {
    /// Adds the time since the last change to the stage under way, and begins to count anew.
    fn tick(&mut self) {
        let now = Instant::now();
        if let Some((stage, since)) = self.open.last_mut() {
            let spent = now.duration_since(*since).as_secs_f64();
            *self.seconds.entry((*stage).to_owned()).or_default() += spent;
            *since = now;
        }
    }
}

impl Stopwatch {
    /// Seconds by stage so far.
    pub(super) fn seconds(&self) -> BTreeMap<String, f64> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).seconds.clone()
    }
}

impl Observer for Stopwatch {
    fn notify(&self, event: Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { stage, .. } => {
                state.tick();
                state.open.push((stage, Instant::now()));
            }
            Event::Finished => {
                state.tick();
                state.open.pop();
                if let Some((_, since)) = state.open.last_mut() {
                    *since = Instant::now();
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn inner_time_is_not_counted_twice() {
        let watch = Stopwatch::default();
        let wait = || std::thread::sleep(Duration::from_millis(20));
        watch.notify(Event::Started { stage: "outer", units: 1 });
        watch.notify(Event::Started { stage: "inner", units: 1 });
        wait();
        watch.notify(Event::Finished);
        watch.notify(Event::Finished);
        let seconds = watch.seconds();
        assert!(seconds["inner"] >= 0.02 && seconds["outer"] < seconds["inner"], "{seconds:?}");
    }
}
