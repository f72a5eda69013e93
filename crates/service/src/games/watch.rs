//! Watching a game.
//!
//! A change is put into words once, by whoever makes it, however many watch. Whoever has missed one gets the whole game,
//! which is put into words once as well.

use std::sync::{Arc, OnceLock};

use tokio::sync::watch::Receiver;

use super::{Games, Live, game::to_json};
use crate::ApiError;

/// What there is to hear about a game: its last change, and what the agent to move has found since.
#[derive(Clone, Default)]
pub(super) struct News {
    /// Rises with every change.
    changes: u64,
    /// The last change as JSON; not there if nobody watched.
    change: Option<Arc<Vec<u8>>>,
    /// The whole game after it, if somebody has asked.
    game: Arc<OnceLock<Arc<Vec<u8>>>>,
    /// Rises with every thought.
    thoughts: u64,
    /// The latest thought about this game, as JSON.
    thinking: Option<Arc<Vec<u8>>>,
}

impl News {
    /// The game has changed.
    pub(super) fn show(&mut self, change: Option<Arc<Vec<u8>>>) {
        (self.changes, self.change, self.thinking) = (self.changes + 1, change, None);
        self.game = Arc::default();
    }

    /// The agent to move has got further.
    pub(super) fn think(&mut self, thought: Vec<u8>) {
        (self.thoughts, self.thinking) = (self.thoughts + 1, Some(Arc::new(thought)));
    }

    /// How long the last change is as JSON, as far as it is known.
    pub(super) fn length(&self) -> usize {
        self.change.as_ref().map_or(0, |change| change.len())
    }
}

/// Sees a game change. Slow watchers miss what was in between, never what is now.
pub struct Watcher {
    live: Arc<Live>,
    news: Receiver<News>,
    /// The change that was told last.
    seen: Option<u64>,
    thought: u64,
}

/// What a watcher is told, as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The whole game: a [`GameView`](super::GameView).
    Game(Arc<Vec<u8>>),
    /// What the last change made of it: a [`GameChange`](super::GameChange).
    Change(Arc<Vec<u8>>),
    /// The agent to move has got further: a [`ReportView`](host::view::ReportView).
    Thinking(Arc<Vec<u8>>),
}

impl Watcher {
    /// Waits for the next change. `None` when there will be no more.
    pub async fn next(&mut self) -> Option<Seen> {
        loop {
            self.news.changed().await.ok()?;
            let news = self.news.borrow_and_update().clone();
            let thought = std::mem::replace(&mut self.thought, news.thoughts);
            if self.seen == Some(news.changes) {
                if let Some(thinking) = news.thinking.filter(|_| thought != news.thoughts) {
                    return Some(Seen::Thinking(thinking));
                }
                continue;
            }
            let is_next = self.seen.is_some_and(|seen| seen + 1 == news.changes);
            if let Some(change) = news.change.filter(|_| is_next) {
                self.seen = Some(news.changes);
                return Some(Seen::Change(change));
            }
            return Some(Seen::Game(self.whole_game().await));
        }
    }

    /// The game as it stands now.
    async fn whole_game(&mut self) -> Arc<Vec<u8>> {
        let kept = self.live.game.lock().await;
        // Only whoever holds the game changes it: the news are about what is held.
        let news = self.news.borrow_and_update().clone();
        (self.seen, self.thought) = (Some(news.changes), news.thoughts);
        Arc::clone(news.game.get_or_init(|| Arc::new(to_json(&kept.game.to_view(), Vec::new()))))
    }
}

impl Games {
    /// Somebody who hears of every change, the whole game first.
    ///
    /// # Errors
    /// If there is no such game.
    pub async fn watch(&self, id: &str) -> Result<Watcher, ApiError> {
        let live = self.find(id).await?;
        let mut news = live.news.subscribe();
        news.mark_changed();
        Ok(Watcher { live, news, seen: None, thought: 0 })
    }
}
