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
    let (next, abandon) = (AtomicU64::new(0), Stop::default());
    let work = |sender: SyncSender<(u64, Result<T, J>)>| {
        while !stop.is_raised() && !abandon.is_raised() {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= count {
                break;
            }
            let Some(result) = run(place, &abandon).transpose() else { break };
            if sender.send((place, result)).is_err() {
                break;
            }
        }
    };
    // A small buffer gives backpressure: a slow disk slows the jobs down, and a stop takes effect quickly.
    let (sender, receiver) = sync_channel(threads);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work(sender));
        }
        drop(sender);
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
