//! The context of a computation: threads, memory budget, observer.
//!
//! It cannot change a result; only parameters can.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::error::Error;
use crate::observe::{Event, Observer, Silent, Within};

/// How many threads may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Parallelism {
    /// As many as the machine has cores.
    #[default]
    Available,
    /// Exactly this many.
    Threads(NonZeroUsize),
}

/// Threads, memory budget and observer, passed to every stage that may take long.
pub struct Context<'a> {
    pool: Arc<rayon::ThreadPool>,
    observer: &'a dyn Observer,
    memory: usize,
}

/// Default memory budget of the blocks of a pass, in bytes.
const MEMORY: usize = if cfg!(test) { 1 << 14 } else { 1 << 30 }; // tests run many blocks

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("threads", &self.threads()).finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// A context with the given threads that reports to `observer`.
    pub fn new(parallelism: Parallelism, observer: &'a dyn Observer) -> Result<Self, Error> {
        let threads = match parallelism {
            Parallelism::Available => 0, // rayon's word for "all cores"
            Parallelism::Threads(n) => n.get(),
        };
        Ok(Self { pool: pool(threads)?, observer, memory: MEMORY })
    }

    /// A context with all cores and no observer.
    pub fn silent() -> Result<Context<'static>, Error> {
        Context::new(Parallelism::Available, &Silent)
    }

    /// The same context with a budget of `bytes` for the blocks of a pass, over all threads. Less memory means more passes.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Memory budget of the blocks of a pass, per thread.
    pub(crate) fn bytes(&self) -> usize {
        self.memory / self.threads()
    }

    /// Columns of `bytes` that each thread can hold at a time: a multiple of `step`, at least one step.
    pub(crate) fn columns(&self, bytes: usize, step: usize) -> usize {
        let columns = self.bytes() / bytes.max(1);
        (columns / step * step).max(step)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `work` inside the thread pool, so that rayon's parallel iterators use its threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// `n` zeros, written by all threads.
    pub(crate) fn zeros<T: Copy + Default + Send + Sync>(&self, n: usize) -> Vec<T> {
        self.install(|| rayon::iter::repeat_n(T::default(), n).collect())
    }

    /// Maps `items` on all threads; results keep the order of the items. Each thread makes one scratch space with `memory` and
    /// reuses it.
    pub(crate) fn map_with_scratch<I: Send, M, T: Send>(
        &self,
        items: Vec<I>,
        memory: impl Fn() -> M + Sync,
        make: impl Fn(&mut M, I) -> T + Sync,
    ) -> Vec<T> {
        let items = Mutex::new(items.into_iter().enumerate());
        let work = |_| {
            let (mut own, mut made) = (None, Vec::new());
            let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((at, item)) = next() {
                made.push((at, make(own.get_or_insert_with(&memory), item)));
            }
            made
        };
        let threads = (0..self.threads()).into_par_iter().with_max_len(1);
        let mut made: Vec<(usize, T)> = self.install(|| threads.flat_map_iter(work).collect());
        made.sort_unstable_by_key(|(at, _)| *at);
        made.into_iter().map(|(_, made)| made).collect()
    }

    /// Runs two pieces of work in parallel where there are threads and memory for both. Each gets half of the threads, so a
    /// sequential part of one does not block the other. The observer sees the number of their stages.
    pub(crate) fn join_halves<A: Send, B: Send>(
        &self,
        one: impl FnOnce(&Context<'_>) -> A + Send,
        other: impl FnOnce(&Context<'_>) -> B + Send,
    ) -> (A, B) {
        let within = Within(self.observer);
        let part = |threads: usize| -> Option<Context<'_>> {
            let memory = self.memory / 2;
            (threads > 0 && self.memory >= MEMORY)
                .then(|| Some(Context { pool: pool(threads).ok()?, observer: &within, memory }))?
        };
        let threads = self.threads();
        if let (Some(most), Some(rest)) = (part(threads.div_ceil(2)), part(threads / 2)) {
            return std::thread::scope(|scope| {
                let other = scope.spawn(|| rest.install(|| other(&rest)));
                let one = most.install(|| one(&most));
                (one, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            });
        }
        let ctx = Context { pool: self.pool.clone(), observer: &within, memory: self.memory };
        (one(&ctx), other(&ctx))
    }

    /// Announces a stage of `units` units; the stage ends when the returned guard is dropped.
    #[must_use]
    pub fn stage(&self, stage: &'static str, units: u64) -> Progress<'_> {
        self.observer.notify(Event::Started { stage, units });
        Progress { observer: self.observer }
    }
}

fn pool(threads: usize) -> Result<Arc<rayon::ThreadPool>, Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("vertopic-{i}"))
        .build()
        .map_err(|e| Error::Threads { threads, reason: e.to_string() })?;
    Ok(Arc::new(pool))
}

/// A stage under way. Dropping it ends the stage, whichever way the stage ended.
pub struct Progress<'a> {
    observer: &'a dyn Observer,
}

impl Progress<'_> {
    /// So many more units are done.
    pub fn advance(&self, units: u64) {
        self.observer.notify(Event::Advanced(units));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.observer.notify(Event::Finished);
    }
}

impl std::fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Progress")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<Event>>);

    impl Observer for Told {
        fn notify(&self, event: Event) {
            self.0.lock().expect("whole").push(event);
        }
    }

    #[test]
    fn items_are_shared_out_and_what_is_made_of_them_is_in_their_order() {
        for n in 1..4 {
            let threads = Parallelism::Threads(NonZeroUsize::new(n).expect("some"));
            let ctx = Context::new(threads, &Silent).expect("threads");
            let memories = Mutex::new(0);
            let memory = || *memories.lock().expect("whole") += 1;
            let made = ctx.map_with_scratch((0..50).collect(), memory, |(), item: u64| 3 * item);
            assert_eq!(made, (0..50).map(|item| 3 * item).collect::<Vec<_>>());
            assert!((1..=n).contains(&*memories.lock().expect("whole")), "one for each thread");
        }
    }

    #[test]
    fn two_pieces_of_work_share_the_threads_and_tell_how_many_stages_they_had() {
        let threads = |n| Parallelism::Threads(NonZeroUsize::new(n).expect("some"));
        for (n, memory, expected) in
            [(1, MEMORY, (1, 1)), (2, MEMORY, (1, 1)), (3, MEMORY, (2, 1)), (3, 10, (3, 3))]
        {
            let told = Told::default();
            let ctx = Context::new(threads(n), &told).expect("threads").with_memory(memory);
            let piece = |ctx: &Context<'_>| {
                drop(ctx.stage("a stage", 5));
                (ctx.threads(), ctx.install(rayon::current_num_threads))
            };
            let (one, other) = ctx.join_halves(piece, piece);
            assert_eq!(((one.0, other.0), (one.1, other.1)), (expected, expected), "{n} threads");
            assert_eq!(*told.0.lock().expect("whole"), [Event::Advanced(1); 2]);
        }
    }
}
