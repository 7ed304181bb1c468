//! Progress: the library reports to an [`Observer`], never to a terminal.

/// What a long stage reports while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A stage begins. `units` is the number of units that [`Event::Advanced`] will report, or 0 if unknown.
    Started {
        /// What is being done, for people: "projecting words".
        stage: &'static str,
        /// How many units of work there are.
        units: u64,
    },
    /// This many more units are done.
    Advanced(u64),
    /// The stage is over.
    Finished,
}

/// Receives progress. Called from worker threads.
pub trait Observer: Sync {
    /// Receives an event. The default ignores it.
    fn notify(&self, event: Event) {
        let _ = event;
    }
}

/// An observer that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Reports each finished inner stage as one unit of the enclosing stage.
pub(crate) struct Within<'a>(pub(crate) &'a dyn Observer);

impl Observer for Within<'_> {
    fn notify(&self, event: Event) {
        if event == Event::Finished {
            self.0.notify(Event::Advanced(1));
        }
    }
}
