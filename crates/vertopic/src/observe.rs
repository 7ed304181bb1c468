//! The library announces, the shell draws: progress goes to an [`Observer`], never to a terminal.

/// What a long stage reports while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A stage begins; `units` is how many [`Event::Advanced`] steps it will report, or 0 if nobody knows.
    Started {
        /// What is being done, for people: "projecting words".
        stage: &'static str,
        /// How many units of work there are.
        units: u64,
    },
    /// So many more units are done.
    Advanced(u64),
    /// The stage is over.
    Finished,
}

/// Receives the progress of a run. Called from worker threads.
pub trait Observer: Sync {
    /// Told about every step. The default ignores it.
    fn notify(&self, event: Event) {
        let _ = event;
    }
}

/// An observer that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Tells an observer that stages are over, each as a step of the stage that they are within.
pub(crate) struct Within<'a>(pub(crate) &'a dyn Observer);

impl Observer for Within<'_> {
    fn notify(&self, event: Event) {
        if event == Event::Finished {
            self.0.notify(Event::Advanced(1));
        }
    }
}
