//! Runs independent jobs on several threads and takes their results in order.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use search::Stop;

/// Runs jobs 0 to `count` on `threads` threads and passes their results to `take` in order, until it breaks or fails or
/// all jobs are done.
///
/// After `stop` is raised, current jobs are finished and no others start. A job gets a flag that is raised once its
/// result is no longer needed, and returns `None` if it gives up.
///
/// # Errors
/// The first error, in order, of a job or of `take`.
pub fn in_order<T: Send, J: Send, E: From<J>>(
    count: u64,
    threads: usize,
    stop: &Stop,
    run: impl Fn(u64, &Stop) -> Result<Option<T>, J> + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let work = |jobs: &Jobs<'_, T, J>| {
        while let Some(place) = jobs.next() {
            let Some(result) = run(place, jobs.abandoned()).transpose() else { break };
            if !jobs.finish(place, result) {
                break;
            }
        }
    };
    in_order_by(count, threads, stop, work, take)
}

/// The jobs of one thread: which to do next, and where their results go.
pub struct Jobs<'a, T, J> {
    next: &'a AtomicU64,
    count: u64,
    stop: &'a Stop,
    abandon: &'a Stop,
    results: SyncSender<(u64, Result<T, J>)>,
}

impl<T, J> Jobs<'_, T, J> {
    /// The number of the next job; `None` if there is none, or none should be started any more.
    pub fn next(&self) -> Option<u64> {
        if self.stop.is_raised() || self.abandon.is_raised() {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&place| place < self.count)
    }

    /// Passes on the result of a job. Returns whether further results are needed.
    pub fn finish(&self, place: u64, result: Result<T, J>) -> bool {
        self.results.send((place, result)).is_ok()
    }

    /// A flag that is raised once results are no longer needed.
    pub fn abandoned(&self) -> &Stop {
        self.abandon
    }
}

/// Like [`in_order`], for threads that work on several jobs at once: `work` takes jobs until there are no more.
///
/// # Errors
/// The first error, in order, of a job or of `take`.
pub fn in_order_by<T: Send, J: Send, E: From<J>>(
    count: u64,
    threads: usize,
    stop: &Stop,
    work: impl Fn(&Jobs<'_, T, J>) + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let (next, abandon) = (AtomicU64::new(0), Stop::default());
    // A small buffer gives backpressure: a slow disk slows the jobs down, and a stop takes effect quickly.
    let (results, receiver) = sync_channel(threads);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let jobs = Jobs { next: &next, count, stop, abandon: &abandon, results: results.clone() };
            let work = &work;
            scope.spawn(move || work(&jobs));
        }
        drop(results);
        let taken = take_in_order(receiver, take);
        // Jobs still running come after a break or a failure.
        abandon.raise();
        taken
    })
}

/// Takes results in order, each as soon as all earlier ones are taken. Dropping the receiver on return releases workers
/// that wait to send.
fn take_in_order<T, J, E: From<J>>(
    results: Receiver<(u64, Result<T, J>)>,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let (mut ahead, mut next) = (BTreeMap::new(), 0);
    for (place, result) in results {
        ahead.insert(place, result?);
        while let Some(result) = ahead.remove(&next) {
            next += 1;
            if take(result)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
