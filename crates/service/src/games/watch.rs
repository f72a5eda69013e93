//! Watching a game.

use std::sync::Arc;

use tokio::sync::watch::Receiver;

use super::{GameView, Games, Live};
use crate::{Refusal, view::ReportView};

/// Sees a game change. Slow watchers miss what was in between, never what is now.
pub struct Watcher {
    live: Arc<Live>,
    changes: Receiver<u64>,
    /// What was told last, as far as it is more than thinking.
    shown: Option<(u64, bool, u64, bool)>,
}

/// What a watcher is told.
pub enum Seen {
    /// Something happened.
    Game(Box<GameView>),
    /// The agent to move has got further.
    Thinking(Box<ReportView>),
}

impl Watcher {
    /// Waits for the next change. `None` when there will be no more.
    pub async fn next(&mut self) -> Option<Seen> {
        self.changes.changed().await.ok()?;
        let kept = self.live.game.lock().await;
        let game = &kept.game;
        let state = (game.generation, game.progress.paused, game.progress.delay_ms, game.progress.agreed);
        if let Some(thinking) = game.thinking.clone().filter(|_| self.shown == Some(state)) {
            return Some(Seen::Thinking(Box::new(thinking)));
        }
        self.shown = Some(state);
        Some(Seen::Game(Box::new(game.to_view())))
    }
}

impl Games {
    /// Somebody who hears of every change.
    ///
    /// # Errors
    /// If there is no such game.
    pub async fn watch(&self, id: &str) -> Result<Watcher, Refusal> {
        let live = self.find(id).await?;
        let mut changes = live.version.subscribe();
        changes.mark_changed();
        Ok(Watcher { live, changes, shown: None })
    }
}
