//! Games in memory: those that are played or watched, and a few that were lately.

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

use super::{Game, game::to_json, watch::News};
use crate::{
    ApiError,
    share::{Client, admit},
};

/// A game in memory, shared by everybody who plays or watches it.
pub struct Live {
    pub(super) game: Arc<AsyncMutex<Kept>>,
    /// What watchers hear. Changed only by whoever holds the game.
    pub(super) news: Sender<News>,
    /// Ends what the agent to move is thinking about.
    pub(super) stop: Mutex<Arc<Stop>>,
    /// An agent is being asked. Changed only by whoever holds the game.
    pub(super) driven: AtomicBool,
    /// Who began it, if it was begun since the service was.
    owner: Option<Client>,
    used: Mutex<Instant>,
}

/// A game, how much of it is on disk and how much was told.
pub(super) struct Kept {
    pub(super) game: Game,
    /// Moves in the file.
    pub(super) written: usize,
    /// Moves that watchers know of; not more than there are.
    pub(super) told: usize,
}

impl Kept {
    fn new(game: Game) -> Self {
        let moves = game.hosted.plies().len();
        Self { game, written: moves, told: moves }
    }

    /// Puts a game in the place of this one, of which it has at most the first moves in common.
    pub(super) fn replace(&mut self, game: Game) {
        *self = Self { told: 0, ..Self::new(game) };
    }

    /// Takes moves back. What is on disk and told beyond the shorter game is no longer so with the next change.
    pub(super) fn undo(&mut self) -> Result<(), ApiError> {
        self.game.undo()?;
        let left = self.game.hosted.plies().len();
        (self.written, self.told) = (self.written.min(left), self.told.min(left));
        Ok(())
    }

    /// What has changed since it was last told, as JSON behind what is on `paper`.
    pub(super) fn change(&self, paper: Vec<u8>) -> Vec<u8> {
        to_json(&self.game.to_change(self.told), paper)
    }
}

impl Live {
    fn new(game: Game, owner: Option<Client>) -> Self {
        Self {
            game: Arc::new(AsyncMutex::new(Kept::new(game))),
            news: Sender::default(),
            stop: Mutex::default(),
            driven: AtomicBool::new(false),
            owner,
            used: Mutex::new(Instant::now()),
        }
    }

    /// Whether somebody watches: what nobody hears need not be put into words.
    pub(super) fn is_watched(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// Tells everybody who watches what has changed.
    pub(super) fn tell(&self, kept: &mut Kept) {
        self.show(kept, self.is_watched().then(|| kept.change(Vec::new())));
    }

    /// Hands a change that was put into words to everybody who watches.
    pub(super) fn show(&self, kept: &mut Kept, change: Option<Vec<u8>>) {
        kept.told = kept.game.hosted.plies().len();
        self.news.send_modify(|news| news.show(change.map(Arc::new)));
    }

    /// Ends what the agent to move is thinking about.
    pub(super) fn raise(&self) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).raise();
    }

    fn used(&self) -> Instant {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many games that nobody plays or watches stay in memory: reading one again takes a few milliseconds.
const IDLE: usize = 256;

/// The games in memory, by name.
pub(super) struct Memory {
    live: Mutex<HashMap<String, Arc<Live>>>,
    /// The most that are played or watched.
    most: usize,
}

impl Memory {
    pub(super) fn new(most: usize) -> Self {
        Self { live: Mutex::default(), most }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Live>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// A game that is in memory.
    pub(super) fn get(&self, id: &str) -> Option<Arc<Live>> {
        let live = self.lock().get(id).cloned()?;
        *live.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Some(live)
    }

    /// Puts a game into memory.
    pub(super) fn enter(&self, game: Game, owner: Option<Client>) -> Arc<Live> {
        let id = game.id.clone();
        let live = Arc::new(Live::new(game, owner));
        // Somebody else may have loaded the same game in the meantime: there must be only one of it.
        Arc::clone(self.lock().entry(id).or_insert(live))
    }

    /// Drops games that nobody plays or watches, the longest unused first, and tells whether there is room for one more that
    /// `client` begins. Several that ask at the same moment may all be let in.
    ///
    /// # Errors
    /// If too many games are going on, or too many of this client.
    pub(super) fn make_room(&self, client: Option<Client>) -> Result<(), ApiError> {
        let mut live = self.lock();
        let idle = IDLE.min(self.most);
        if live.len() < idle {
            return Ok(());
        }
        let mut unused: Vec<(Instant, String)> = live
            .iter()
            .filter(|(_, game)| Arc::strong_count(game) == 1)
            .map(|(id, game)| (game.used(), id.clone()))
            .collect();
        if unused.len() >= idle {
            unused.sort_unstable();
            // A quarter at once, so that it is not done for every game.
            unused.truncate(unused.len() - idle * 3 / 4);
            for (_, id) in &unused {
                live.remove(id);
            }
        }
        let going_on = live.values().filter(|game| Arc::strong_count(game) > 1);
        let own = |game: &&Arc<Live>| {
            client.is_some() && game.owner == client && game.driven.load(Ordering::Relaxed)
        };
        let (all, own) =
            going_on.fold((0, 0), |(all, owned), game| (all + 1, owned + usize::from(own(&game))));
        admit("games go on", self.most, all, own)
    }
}
