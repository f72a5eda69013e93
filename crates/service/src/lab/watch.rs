//! Looking on at runs, whoever plays them: the database is asked again and again while somebody wants to know.

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

/// How often it is asked.
const EVERY: Duration = Duration::from_secs(1);

/// How many runs are shown.
const SHOWN: u64 = 30;

impl Lab {
    /// Runs, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn runs(&self) -> Result<Vec<Run>, ApiError> {
        let mut known = self.inner.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = self.read(|store| {
            let mut shown = Vec::new();
            for run in store.runs(SHOWN)? {
                let id = runs::id(&run.event);
                let mut progress = match known.remove(&id) {
                    Some(progress) => progress,
                    None => Progress::new(&run, store)?,
                };
                progress.read(&run, store)?;
                shown.push((Run::new(&run, &progress, self.plays(&id)), progress));
            }
            Ok(shown)
        })?;
        // Of runs that are no longer shown nothing is kept.
        let (shown, progress): (Vec<Run>, Vec<Progress>) = shown.unwrap_or_default().into_iter().unzip();
        *known = shown.iter().map(|run| run.id.clone()).zip(progress).collect();
        Ok(shown)
    }

    /// Hears of every change of a run, as JSON.
    pub fn listen(&self) -> broadcast::Receiver<String> {
        let heard = self.inner.told.subscribe();
        if !self.inner.asked.swap(true, Ordering::SeqCst) {
            let lab = self.clone();
            let spawned = thread::Builder::new().name("lab".to_owned()).spawn(move || lab.tell());
            if spawned.is_err() {
                self.inner.asked.store(false, Ordering::SeqCst);
            }
        }
        heard
    }

    /// Tells of changes until nobody listens any more.
    fn tell(&self) {
        let mut told: BTreeMap<String, String> = BTreeMap::new();
        loop {
            for run in self.runs().unwrap_or_default() {
                let Ok(text) = serde_json::to_string(&run) else { continue };
                if told.get(&run.id) != Some(&text) {
                    // Nobody need be listening.
                    let _ = self.inner.told.send(text.clone());
                    told.insert(run.id, text);
                }
            }
            thread::sleep(EVERY);
            if self.inner.told.receiver_count() == 0 {
                self.inner.asked.store(false, Ordering::SeqCst);
                // Somebody may have come between the two lines above.
                if self.inner.told.receiver_count() == 0 || self.inner.asked.swap(true, Ordering::SeqCst) {
                    return;
                }
            }
        }
    }
}
