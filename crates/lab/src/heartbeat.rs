//! Heartbeats: records in the database that an event is being played, or a job worked on, for other processes.

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
    pulse: Pulse,
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
        let id = event.id.clone();
        let pulse = Pulse::start(store, move |store| store.record_heartbeat(&id));
        Ok(Self { event: event.id.clone(), pulse })
    }

    /// Records the end of the run.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn end(mut self, store: &mut Store, state: RunState, error: Option<&str>) -> Result<(), StoreError> {
        self.pulse.stop();
        store.end_run(&self.event, state, error)
    }
}

/// A thread that sends heartbeats with its own connection until it is stopped or dropped.
pub(crate) struct Pulse(Option<(Sender<()>, JoinHandle<()>)>);

impl Pulse {
    /// Starts to send heartbeats to the file of `store`.
    pub(crate) fn start(
        store: &Store,
        beat: impl Fn(&mut Store) -> Result<(), StoreError> + Send + 'static,
    ) -> Self {
        let path = store.path().to_owned();
        let (quit, quitting) = mpsc::channel();
        let work = move || {
            // Databases in memory have no other readers, and a missed heartbeat does no harm.
            let Ok(mut store) = Store::open_existing(&path) else { return };
            while quitting.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let _ = beat(&mut store);
            }
        };
        let thread = thread::Builder::new().name("heartbeat".to_owned()).spawn(work).ok();
        Self(thread.map(|thread| (quit, thread)))
    }

    /// Sends no more heartbeats.
    pub(crate) fn stop(&mut self) {
        if let Some((quit, thread)) = self.0.take() {
            drop(quit);
            let _ = thread.join();
        }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.stop();
    }
}
