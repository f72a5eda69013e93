//! The cache of games in memory: all games that are being played or watched, and the most recently used others.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use search::Stop;
use tokio::sync::{Mutex as AsyncMutex, watch::Sender};

use super::{Game, game::to_json, watch::Feed};
use crate::{
    ApiError,
    quota::{Client, admit},
};

/// A game in memory, shared by all requests and watchers.
pub struct ActiveGame {
    pub(super) state: Arc<AsyncMutex<GameState>>,
    /// The events for watchers. Changed only while `state` is locked.
    pub(super) feed: Sender<Feed>,
    /// Stops the search of the agent to move.
    pub(super) stop: Mutex<Arc<Stop>>,
    /// Whether a task drives the agents of this game. Changed only while `state` is locked.
    pub(super) driven: AtomicBool,
    /// The client that began the game, if it did so since the service started.
    owner: Option<Client>,
    last_used: Mutex<Instant>,
}

/// A game, and how much of it is on disk and known to watchers.
pub(super) struct GameState {
    pub(super) game: Game,
    /// The number of moves on disk.
    pub(super) saved: usize,
    /// The number of moves that watchers know; at most the number of moves of the game.
    pub(super) published: usize,
}

impl GameState {
    fn new(game: Game) -> Self {
        let moves = game.hosted.plies().len();
        Self { game, saved: moves, published: moves }
    }

    /// Replaces the game. Watchers are then sent all its moves again.
    pub(super) fn replace(&mut self, game: Game) {
        *self = Self { published: 0, ..Self::new(game) };
    }

    /// Takes back the last decision of a person. The next save and the next published change remove its moves.
    pub(super) fn undo(&mut self) -> Result<(), ApiError> {
        self.game.undo()?;
        let left = self.game.hosted.plies().len();
        (self.saved, self.published) = (self.saved.min(left), self.published.min(left));
        Ok(())
    }

    /// Appends to `buffer` everything that has changed since the last publication, as JSON.
    pub(super) fn change(&self, buffer: Vec<u8>) -> Vec<u8> {
        to_json(&self.game.to_change(self.published), buffer)
    }
}

impl ActiveGame {
    fn new(game: Game, owner: Option<Client>) -> Self {
        Self {
            state: Arc::new(AsyncMutex::new(GameState::new(game))),
            feed: Sender::default(),
            stop: Mutex::default(),
            driven: AtomicBool::new(false),
            owner,
            last_used: Mutex::new(Instant::now()),
        }
    }

    /// Whether there are watchers. Without any, changes need not be serialized.
    pub(super) fn is_watched(&self) -> bool {
        self.feed.receiver_count() > 0
    }

    /// Serializes what has changed and publishes it to watchers.
    pub(super) fn publish(&self, state: &mut GameState) {
        self.publish_json(state, self.is_watched().then(|| state.change(Vec::new())));
    }

    /// Publishes a serialized change to watchers.
    pub(super) fn publish_json(&self, state: &mut GameState, change: Option<Vec<u8>>) {
        state.published = state.game.hosted.plies().len();
        self.feed.send_modify(|feed| feed.set_change(change.map(Into::into)));
    }

    /// Stops the search of the agent to move, which then plays the best move found so far.
    pub(super) fn stop_search(&self) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).raise();
    }

    fn last_used(&self) -> Instant {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of idle games that stay in memory. Loading a game again takes a few milliseconds.
const MAX_IDLE: usize = 256;

/// The games in memory, by id.
pub(super) struct GameCache {
    games: Mutex<HashMap<String, Arc<ActiveGame>>>,
    /// The maximum number of games being played or watched.
    max: usize,
}

impl GameCache {
    pub(super) fn new(max: usize) -> Self {
        Self { games: Mutex::default(), max }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<ActiveGame>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Returns the game with this id if it is in memory, and marks it as used.
    pub(super) fn get(&self, id: &str) -> Option<Arc<ActiveGame>> {
        let active = self.lock().get(id).cloned()?;
        *active.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Some(active)
    }

    /// Inserts a game, unless one with the same id is present, and returns the one in the cache.
    pub(super) fn insert(&self, game: Game, owner: Option<Client>) -> Arc<ActiveGame> {
        let id = game.id.clone();
        let active = Arc::new(ActiveGame::new(game, owner));
        // Another request may have loaded the same game in the meantime: there must be only one copy.
        Arc::clone(self.lock().entry(id).or_insert(active))
    }

    /// Evicts the least recently used idle games if there are too many, and checks whether one more game fits. `client` is
    /// the client that begins it, if any. Concurrent calls may all succeed and exceed the bound slightly.
    ///
    /// # Errors
    /// Returns an error if too many games are active, or the client's quota is used up.
    pub(super) fn make_room(&self, client: Option<Client>) -> Result<(), ApiError> {
        let mut games = self.lock();
        let max_idle = MAX_IDLE.min(self.max);
        if games.len() < max_idle {
            return Ok(());
        }
        let mut idle: Vec<(Instant, String)> = games
            .iter()
            .filter(|(_, game)| Arc::strong_count(game) == 1)
            .map(|(id, game)| (game.last_used(), id.clone()))
            .collect();
        if idle.len() >= max_idle {
            idle.sort_unstable();
            // Evict a quarter at once, so that this does not happen for every game.
            idle.truncate(idle.len() - max_idle * 3 / 4);
            for (_, id) in &idle {
                games.remove(id);
            }
        }
        let active = games.values().filter(|game| Arc::strong_count(game) > 1);
        let own = |game: &&Arc<ActiveGame>| {
            client.is_some() && game.owner == client && game.driven.load(Ordering::Relaxed)
        };
        let (all, own) = active.fold((0, 0), |(all, owned), game| (all + 1, owned + usize::from(own(&game))));
        admit("games are being played or watched", self.max, all, own)
    }
}
