//! Saying in the database that an event is being played, for those who look on from elsewhere.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

use arena::store::{Entrant, Event, RunState, Store, StoreError};

/// How often a run shows that it goes on.
const BEAT: Duration = Duration::from_secs(5);

/// An event that is being played. While it lives the database hears every few seconds that it does.
pub struct Heartbeat {
    event: String,
    beat: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Heartbeat {
    /// Says that an event is played from now on, `planned` games by `entrants`. `asked` is what somebody needs to go
    /// on with it.
    ///
    /// # Errors
    /// If the database refuses.
    pub fn begin(
        store: &mut Store,
        event: &Event,
        planned: u64,
        entrants: &[Entrant],
        asked: Option<&str>,
    ) -> Result<Self, StoreError> {
        store.run_begins(&event.id, planned, entrants, asked)?;
        let (id, path) = (event.id.clone(), store.path().to_owned());
        let (quit, quitting) = mpsc::channel();
        let beat = move || {
            // Nobody looks on at a database in memory, and a missed beat harms nobody.
            let Ok(mut store) = Store::open_existing(&path) else { return };
            while quitting.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                let _ = store.run_goes_on(&id);
            }
        };
        let beat = thread::Builder::new().name("presence".to_owned()).spawn(beat).ok();
        Ok(Self { event: event.id.clone(), beat: beat.map(|beat| (quit, beat)) })
    }

    /// Says how it ended.
    ///
    /// # Errors
    /// If the database refuses.
    pub fn end(mut self, store: &mut Store, state: RunState, error: Option<&str>) -> Result<(), StoreError> {
        self.silence();
        store.run_ends(&self.event, state, error)
    }

    fn silence(&mut self) {
        if let Some((quit, beat)) = self.beat.take() {
            drop(quit);
            let _ = beat.join();
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.silence();
    }
}
