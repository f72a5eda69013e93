//! Subscriptions to the events of a game.
//!
//! A change is serialized once, when it happens, for all watchers. A watcher that has missed a change receives the whole
//! game instead, which is also serialized only once.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use tokio::sync::watch::Receiver;

use super::{ActiveGame, Games, game::to_json};
use crate::ApiError;

/// The latest events of a game: its last change, and the latest progress report of the agent to move.
#[derive(Clone, Default)]
pub(super) struct Feed {
    /// The number of changes so far.
    changes: u64,
    /// The last change as JSON, if the game was being watched.
    change: Option<Bytes>,
    /// The whole game after the last change, serialized on first use.
    game: Arc<OnceLock<Bytes>>,
    /// The number of progress reports so far.
    reports: u64,
    /// The latest progress report about the present position, as JSON.
    report: Option<Bytes>,
}

impl Feed {
    /// Publishes a change.
    pub(super) fn set_change(&mut self, change: Option<Bytes>) {
        (self.changes, self.change, self.report) = (self.changes + 1, change, None);
        self.game = Arc::default();
    }

    /// Publishes a progress report.
    pub(super) fn set_report(&mut self, report: Vec<u8>) {
        (self.reports, self.report) = (self.reports + 1, Some(report.into()));
    }

    /// The length of the last change as JSON; 0 if unknown.
    pub(super) fn change_len(&self) -> usize {
        self.change.as_ref().map_or(0, Bytes::len)
    }
}

/// A subscription to a game. Slow watchers may miss intermediate changes, but always receive the latest state.
pub struct Watcher {
    active: Arc<ActiveGame>,
    feed: Receiver<Feed>,
    /// The number of the last change received.
    last_change: Option<u64>,
    /// The number of the last report received.
    last_report: u64,
}

/// An event of a game, as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WatchEvent {
    /// The whole game: a [`GameView`](super::GameView).
    Game(Bytes),
    /// The last change: a [`GameChange`](super::GameChange).
    Change(Bytes),
    /// A progress report of the agent to move: a [`ReportView`](host::view::ReportView).
    Thinking(Bytes),
}

impl Watcher {
    /// Waits for the next event. Returns `None` when there will be no more.
    pub async fn next(&mut self) -> Option<WatchEvent> {
        loop {
            self.feed.changed().await.ok()?;
            let feed = self.feed.borrow_and_update().clone();
            let last_report = std::mem::replace(&mut self.last_report, feed.reports);
            if self.last_change == Some(feed.changes) {
                if let Some(report) = feed.report.filter(|_| last_report != feed.reports) {
                    return Some(WatchEvent::Thinking(report));
                }
                continue;
            }
            let is_next = self.last_change.is_some_and(|last| last + 1 == feed.changes);
            if let Some(change) = feed.change.filter(|_| is_next) {
                self.last_change = Some(feed.changes);
                return Some(WatchEvent::Change(change));
            }
            return Some(WatchEvent::Game(self.whole_game().await));
        }
    }

    /// The whole game in its present state.
    async fn whole_game(&mut self) -> Bytes {
        let state = self.active.state.lock().await;
        // The feed changes only under this lock, so it matches the state.
        let feed = self.feed.borrow_and_update().clone();
        (self.last_change, self.last_report) = (Some(feed.changes), feed.reports);
        feed.game.get_or_init(|| to_json(&state.game.to_view(), Vec::new()).into()).clone()
    }
}

impl Games {
    /// Subscribes to a game. The first event is the whole game.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub async fn watch(&self, id: &str) -> Result<Watcher, ApiError> {
        let active = self.find(id).await?;
        let mut feed = active.feed.subscribe();
        feed.mark_changed();
        Ok(Watcher { active, feed, last_change: None, last_report: 0 })
    }
}
