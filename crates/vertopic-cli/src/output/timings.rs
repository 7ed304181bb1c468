//! Where the time went.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use vertopic::observe::{Event, Observer};

use crate::output::{Bars, aligned};

/// Measures the time of every stage and passes events on to the bars. Prints a table at the end, if `show`.
#[derive(Debug)]
pub(crate) struct Timings {
    begun: Instant,
    bars: Option<Bars>,
    show: bool,
    record: Mutex<Record>,
}

#[derive(Debug, Default)]
struct Record {
    open: Vec<Open>,
    /// Stages in the order in which they first ended, each with the time that was its own.
    stages: Vec<(String, Duration)>,
}

/// A stage under way.
#[derive(Debug)]
struct Open {
    name: String,
    begun: Instant,
    /// Time of the stages within it.
    inner: Duration,
}

impl Timings {
    /// Starts the clock; `bars` draws progress bars, and `show` prints a table at the end.
    pub(crate) fn new(bars: bool, show: bool) -> Self {
        let bars = bars.then(Bars::default);
        Self { begun: Instant::now(), bars, show, record: Mutex::default() }
    }

    /// Seconds of each stage without the stages within it; the last is the rest.
    pub(crate) fn stages(&self) -> Vec<(String, f64)> {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let known: Duration = record.stages.iter().map(|(_, time)| *time).sum();
        let rest = ("other".to_owned(), self.begun.elapsed().saturating_sub(known));
        let all = record.stages.iter().cloned().chain([rest]);
        all.map(|(name, time)| (name, time.as_secs_f64())).collect()
    }

    /// The stages as a table.
    fn table(&self) -> String {
        let stages = self.stages();
        let whole: f64 = stages.iter().map(|(_, s)| s).sum();
        let value = |s: f64| format!("{s:>8.3} s {:>5.1} %", 100.0 * s / whole.max(1e-9));
        let mut facts: Vec<(&str, String)> =
            stages.iter().map(|(name, s)| (name.as_str(), value(*s))).collect();
        if let Some(bytes) = peak_memory() {
            facts.push(("peak memory", format!("{:>8.0} MB", bytes as f64 / 1e6)));
        }
        aligned(&facts)
    }
}

/// The most bytes of memory that the program has held so far, where the system says it (Linux).
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

impl Drop for Timings {
    fn drop(&mut self) {
        if self.show {
            eprint!("{}", self.table());
        }
    }
}

impl Observer for Timings {
    fn notify(&self, event: Event) {
        if let Some(bars) = &self.bars {
            bars.notify(event);
        }
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { stage, .. } => {
                let name = match record.open.last() {
                    Some(outer) => format!("{}: {stage}", outer.name),
                    None => stage.to_owned(),
                };
                record.open.push(Open { name, begun: Instant::now(), inner: Duration::ZERO });
            }
            Event::Finished => {
                let Some(Open { name, begun, inner }) = record.open.pop() else { return };
                let time = begun.elapsed();
                if let Some(outer) = record.open.last_mut() {
                    outer.inner += time;
                }
                let own = time.saturating_sub(inner);
                match record.stages.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, sum)) => *sum += own,
                    None => record.stages.push((name, own)),
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_has_the_time_that_is_its_own() {
        let timings = Timings::new(false, false);
        let start = |stage| timings.notify(Event::Started { stage, units: 0 });
        let sleep = || std::thread::sleep(Duration::from_millis(20));
        start("outer");
        sleep();
        for _ in 0..2 {
            start("inner");
            sleep();
            timings.notify(Event::Finished);
        }
        timings.notify(Event::Finished);
        let stages = timings.stages();
        let names: Vec<&str> = stages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["outer: inner", "outer", "other"]);
        assert!(stages[0].1 >= 0.04 && stages[1].1 >= 0.02, "{stages:?}");
        assert!(stages[1].1 < stages[0].1, "inner time is not the outer's: {stages:?}");
        let lines = 3 + usize::from(cfg!(target_os = "linux"));
        assert_eq!(timings.table().lines().count(), lines);
    }
}
