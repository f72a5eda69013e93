//! Watching a game.
//!
//! A change is put into words once, by whoever makes it, however many watch.

use std::sync::Arc;

use tokio::sync::watch::Receiver;

use super::{Games, Live};
use crate::Refusal;

/// What there is to hear about a game: how it stands, and what the agent to move has found since.
#[derive(Clone, Default)]
pub(super) struct News {
    /// Rises with every change.
    changes: u64,
    /// The game as JSON; not there if nobody watched when it changed.
    game: Option<Arc<Vec<u8>>>,
    /// Rises with every thought.
    thoughts: u64,
    /// The latest thought about this game, as JSON.
    thinking: Option<Arc<Vec<u8>>>,
}

impl News {
    /// The game has changed.
    pub(super) fn show(&mut self, game: Option<Arc<Vec<u8>>>) {
        (self.changes, self.game, self.thinking) = (self.changes + 1, game, None);
    }

    /// The agent to move has got further.
    pub(super) fn think(&mut self, thought: Vec<u8>) {
        (self.thoughts, self.thinking) = (self.thoughts + 1, Some(Arc::new(thought)));
    }

    /// How long the game is as JSON, as far as it is known.
    pub(super) fn length(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.len())
    }
}

/// Sees a game change. Slow watchers miss what was in between, never what is now.
pub struct Watcher {
    /// Keeps the game in memory.
    _live: Arc<Live>,
    news: Receiver<News>,
    /// The change that was told last.
    change: Option<u64>,
    thought: u64,
}

/// What a watcher is told, as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Something happened: a [`GameView`](super::GameView).
    Game(Arc<Vec<u8>>),
    /// The agent to move has got further: a [`ReportView`](crate::view::ReportView).
    Thinking(Arc<Vec<u8>>),
}

impl Watcher {
    /// Waits for the next change. `None` when there will be no more.
    pub async fn next(&mut self) -> Option<Seen> {
        loop {
            self.news.changed().await.ok()?;
            let news = self.news.borrow_and_update().clone();
            let thought = std::mem::replace(&mut self.thought, news.thoughts);
            if self.change != Some(news.changes) {
                if let Some(game) = news.game {
                    self.change = Some(news.changes);
                    return Some(Seen::Game(game));
                }
            } else if let Some(thinking) = news.thinking.filter(|_| thought != news.thoughts) {
                return Some(Seen::Thinking(thinking));
            }
        }
    }
}

impl Games {
    /// Somebody who hears of every change.
    ///
    /// # Errors
    /// If there is no such game.
    pub async fn watch(&self, id: &str) -> Result<Watcher, Refusal> {
        let live = self.find(id).await?;
        let mut news = live.news.subscribe();
        if news.borrow().game.is_none() {
            // From now on whoever changes the game sees that somebody watches.
            let kept = live.game.lock().await;
            if news.borrow().game.is_none() {
                let game = kept.game.to_view().to_json(Vec::new());
                live.news.send_modify(|news| news.game = Some(Arc::new(game)));
            }
        }
        news.mark_changed();
        Ok(Watcher { _live: live, news, change: None, thought: 0 })
    }
}
