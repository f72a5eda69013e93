//! Heartbeats: records in the database that an event is being played, for other processes.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

use arena::store::{Entrant, Event, RunState, Store, StoreError};

/// The interval between heartbeats.
const INTERVAL: Duration = Duration::from_secs(5);

/// A run of an event. While the value is alive, it sends regular heartbeats to the database.
pub struct Heartbeat {
    event: String,
    beat: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Heartbeat {
    /// Records that a run begins, with `planned` games by `entrants`. `asked` is what another process needs to resume
    /// it.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn begin(
        store: &mut Store,
        event: &Event,
        planned: u64,
        entrants: &[Entrant],
        asked: Option<&str>,
    ) -> Result<Self, StoreError> {
        store.begin_run(&event.id, planned, entrants, asked)?;
        let (id, path) = (event.id.clone(), store.path().to_owned());
        let (quit, quitting) = mpsc::channel();
        let beat = move || {
            // Databases in memory have no other readers, and a missed heartbeat does no harm.
            let Ok(mut store) = Store::open_existing(&path) else { return };
            while quitting.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let _ = store.record_heartbeat(&id);
            }
        };
        let beat = thread::Builder::new().name("heartbeat".to_owned()).spawn(beat).ok();
        Ok(Self { event: event.id.clone(), beat: beat.map(|beat| (quit, beat)) })
    }

    /// Records the end of the run.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn end(mut self, store: &mut Store, state: RunState, error: Option<&str>) -> Result<(), StoreError> {
        self.stop();
        store.end_run(&self.event, state, error)
    }

    fn stop(&mut self) {
        if let Some((quit, beat)) = self.beat.take() {
            drop(quit);
            let _ = beat.join();
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.stop();
    }
}
