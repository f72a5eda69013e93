//! The list of runs, and subscriptions to the changes of runs and jobs. While there are subscribers, a thread polls the
//! database, because other processes work on them, too.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, atomic::Ordering},
    thread,
    time::Duration,
};

use ::lab::Progress;
use tokio::sync::broadcast;

use super::{Lab, Run, runs};
use crate::ApiError;

/// The interval between polls.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The number of runs in the list, and of jobs.
pub(super) const MAX_LISTED: u64 = 30;

/// A change of a run or a job.
#[derive(Clone, Debug)]
pub struct Update {
    /// `run` or `job`.
    pub kind: &'static str,
    /// The run or job, as JSON.
    pub text: String,
}

impl Lab {
    /// The latest runs, most recent first.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub fn runs(&self) -> Result<Vec<Run>, ApiError> {
        let mut known = self.inner.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = self.read(|store| {
            let mut shown = Vec::new();
            for run in store.runs(MAX_LISTED)? {
                let id = runs::id(&run.event);
                let mut progress = match known.remove(&id) {
                    Some(progress) => progress,
                    None => Progress::new(&run, store)?,
                };
                progress.read(&run, store)?;
                shown.push((Run::new(&run, &progress, self.is_running(&id)), progress));
            }
            Ok(shown)
        })?;
        // Progress of runs that are no longer listed is dropped.
        let (shown, progress): (Vec<Run>, Vec<Progress>) = shown.unwrap_or_default().into_iter().unzip();
        *known = shown.iter().map(|run| run.id.clone()).zip(progress).collect();
        Ok(shown)
    }

    /// Subscribes to the changes of runs and jobs.
    pub fn subscribe(&self) -> broadcast::Receiver<Update> {
        let receiver = self.inner.updates.subscribe();
        if !self.inner.polling.swap(true, Ordering::SeqCst) {
            let lab = self.clone();
            let spawned = thread::Builder::new().name("lab".to_owned()).spawn(move || lab.poll());
            if spawned.is_err() {
                self.inner.polling.store(false, Ordering::SeqCst);
            }
        }
        receiver
    }

    /// Polls the database and publishes changes until there are no subscribers.
    fn poll(&self) {
        let mut published: BTreeMap<String, String> = BTreeMap::new();
        let mut publish = |kind: &'static str, id: String, text: serde_json::Result<String>| {
            let Ok(text) = text else { return };
            if published.get(&id) != Some(&text) {
                // Without subscribers, sending fails, which is harmless.
                let _ = self.inner.updates.send(Update { kind, text: text.clone() });
                published.insert(id, text);
            }
        };
        loop {
            for run in self.runs().unwrap_or_default() {
                let text = serde_json::to_string(&run);
                publish("run", run.id, text);
            }
            for job in self.jobs().unwrap_or_default() {
                let text = serde_json::to_string(&job);
                publish("job", job.id, text);
            }
            thread::sleep(POLL_INTERVAL);
            if self.inner.updates.receiver_count() == 0 {
                self.inner.polling.store(false, Ordering::SeqCst);
                // A subscriber may have arrived between the two lines above.
                if self.inner.updates.receiver_count() == 0 || self.inner.polling.swap(true, Ordering::SeqCst)
                {
                    return;
                }
            }
        }
    }
}
