//! The games of the service: created, played, watched and taken back by clients, and stored so that they survive a
//! restart.

mod agents;
mod cache;
mod driver;
mod game;
mod list;
mod seat;
mod store;
#[cfg(test)]
mod tests;
mod watch;

use std::{
    hash::{BuildHasher, RandomState},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ::game::Seat;
use serde::Deserialize;
use tokio::{sync::Mutex, task::spawn_blocking};
use utoipa::ToSchema;

use agents::LiveAgents;
pub use cache::ActiveGame;
use cache::{GameCache, GameState};
pub use game::{Game, GameChange, GameView, NewGame};
use host::{Status, view::View};
use ladder::Models;
pub use list::{GameList, GameSummary};
pub use seat::{SeatView, player};
use store::{GameStore, Update};
pub use watch::{WatchEvent, Watcher};

use crate::{ApiError, Scheduler, caps, clock, quota::Client, scheduler::JobSize};

/// Controls how the agents of a game proceed.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Whether agents are paused.
    pub paused: Option<bool>,
    /// The minimum time per decision, in milliseconds.
    pub delay_ms: Option<u64>,
    /// Lets agents make one decision while paused.
    #[serde(default)]
    pub step: bool,
}

/// The maximum of [`Control::delay_ms`].
const MAX_DELAY_MS: u64 = 60_000;

/// All games of the service.
#[derive(Clone)]
pub struct Games {
    inner: Arc<Inner>,
}

struct Inner {
    cache: GameCache,
    store: GameStore,
    scheduler: Scheduler,
    begun: AtomicU64,
    /// The agents of all games that are alive between their decisions.
    agents: Arc<LiveAgents>,
    /// Serializes notifications to watchers of games between agents.
    publishing: Mutex<()>,
    /// The nets that agents may name.
    nets: Arc<Models>,
}

impl Games {
    /// Opens the database of games at `path`, creating it if it does not exist. At most `max` games are active at once. Agents
    /// may name the nets of `nets`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be used.
    pub fn open(path: &Path, scheduler: Scheduler, max: usize, nets: Arc<Models>) -> Result<Self, ApiError> {
        let (cache, begun) = (GameCache::new(max), AtomicU64::new(0));
        Ok(Self {
            inner: Arc::new(Inner {
                cache,
                store: GameStore::open(path)?,
                scheduler,
                begun,
                agents: Arc::default(),
                publishing: Mutex::default(),
                nets,
            }),
        })
    }

    /// Resumes the games with agents that a shutdown interrupted.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub async fn resume_unfinished(&self) -> Result<(), ApiError> {
        for id in self.inner.store.unfinished().await? {
            // Loading a game starts its agents, if one is to move. A game that cannot be loaded must not prevent the others
            // from resuming; requests for it report the error.
            let _ = self.find(&id).await;
        }
        Ok(())
    }

    /// The number of games in memory, and the number of games created since the service started.
    pub fn counts(&self) -> (usize, u64) {
        (self.inner.cache.len(), self.inner.begun.load(Ordering::Relaxed))
    }

    /// Creates a game for `client`.
    ///
    /// # Errors
    /// Returns an error if the description is invalid, too many games are active or the game cannot be saved.
    pub async fn begin(&self, begun: NewGame, client: Client) -> Result<GameView, ApiError> {
        let games = self.clone();
        run_to_completion(async move { games.begin_now(begun, client).await }).await
    }

    async fn begin_now(&self, begun: NewGame, client: Client) -> Result<GameView, ApiError> {
        caps::check_moves(begun.moves.len())?;
        self.inner.cache.make_room(Some(client))?;
        let begun = NewGame { delay_ms: begun.delay_ms.min(MAX_DELAY_MS), ..begun };
        // Playing thousands of initial moves would delay the connections that this thread serves.
        let nets = Arc::clone(&self.inner.nets);
        let create = move || {
            let mut game = Game::new(new_id(), clock::now("Z"), begun, &nets)?;
            game.settle();
            let (update, view) = (Update::new(&game, 0)?, game.to_view());
            Ok::<_, ApiError>((game, update, view))
        };
        let (game, update, view) = self.inner.scheduler.run(JobSize::Short, client, create).await??;
        self.inner.store.save(update).await?;
        self.inner.begun.fetch_add(1, Ordering::Relaxed);
        let active = self.inner.cache.insert(game, Some(client));
        self.drive(&active).await;
        Ok(view)
    }

    /// The game with this id, loaded if it is not in memory. If an agent is to move that could not be driven before, for
    /// example because the disk was full, it is driven now.
    async fn find(&self, id: &str) -> Result<Arc<ActiveGame>, ApiError> {
        if let Some(active) = self.inner.cache.get(id) {
            if !active.driven.load(Ordering::Relaxed) {
                self.drive(&active).await;
            }
            return Ok(active);
        }
        let game = self.load(id).await?;
        let game = game.ok_or_else(|| ApiError::missing(format!("there is no game {id:?}")))?;
        self.inner.cache.make_room(None)?;
        let active = self.inner.cache.insert(game, None);
        self.drive(&active).await;
        Ok(active)
    }

    /// Loads a game from the database. Its moves are replayed on a thread of their own. The scheduler is not used, because
    /// its jobs may wait for the lock of this game, which the caller may hold.
    async fn load(&self, id: &str) -> Result<Option<Game>, ApiError> {
        let Some(stored) = self.inner.store.load(id).await? else { return Ok(None) };
        let nets = Arc::clone(&self.inner.nets);
        spawn_blocking(move || stored.restore(&nets)).await.map_err(ApiError::internal)?.map(Some)
    }

    /// A game in its present state.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub async fn view(&self, id: &str) -> Result<GameView, ApiError> {
        Ok(self.find(id).await?.state.lock().await.game.to_view())
    }

    /// The position after `ply` moves.
    ///
    /// # Errors
    /// Returns an error if there is no such game or it has fewer moves.
    pub async fn view_at(&self, id: &str, ply: usize) -> Result<View, ApiError> {
        let active = self.find(id).await?;
        let state = active.state.lock().await;
        let hosted = &state.game.hosted;
        let then = hosted.at(ply);
        let then = then.ok_or_else(|| {
            ApiError::missing(format!("ply is {ply}, but the game has {} moves", hosted.plies().len()))
        })?;
        Ok(then.view())
    }

    /// Calls `read` with a game and returns its result.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub async fn with_game<T>(&self, id: &str, read: impl FnOnce(&Game) -> T) -> Result<T, ApiError> {
        Ok(read(&self.find(id).await?.state.lock().await.game))
    }

    /// Writes to the database without changing it.
    ///
    /// # Errors
    /// Returns an error if the database cannot be written.
    pub(crate) async fn probe(&self) -> Result<(), ApiError> {
        self.inner.store.probe().await
    }

    /// Changes a game, saves the change and publishes it, even if the client disconnects meanwhile.
    async fn change(
        &self,
        id: &str,
        change: impl FnOnce(&mut GameState) -> Result<(), ApiError> + Send + 'static,
    ) -> Result<GameView, ApiError> {
        let (games, id) = (self.clone(), id.to_owned());
        run_to_completion(async move {
            let active = games.find(&id).await?;
            games.change_now(&active, change).await
        })
        .await
    }

    async fn change_now(
        &self,
        active: &Arc<ActiveGame>,
        change: impl FnOnce(&mut GameState) -> Result<(), ApiError>,
    ) -> Result<GameView, ApiError> {
        let view = {
            let mut state = active.state.lock().await;
            change(&mut state)?;
            self.save(&mut state).await?;
            active.publish(&mut state);
            state.game.to_view()
        };
        self.drive(active).await;
        Ok(view)
    }

    /// Saves the game. If that fails, the game reverts to its saved state.
    async fn save(&self, state: &mut GameState) -> Result<(), ApiError> {
        let outcome = match Update::new(&state.game, state.saved) {
            Ok(update) => self.inner.store.save(update).await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome {
            if let Ok(Some(game)) = self.load(&state.game.id).await {
                state.replace(game);
            }
            return Err(error);
        }
        state.saved = state.game.hosted.plies().len();
        Ok(())
    }

    /// Plays a move for a person. `ply` is the number of moves that the game had when the person chose it.
    ///
    /// # Errors
    /// Returns an error if the game has changed since, an agent is to move or the move is illegal.
    pub async fn play(&self, id: &str, text: &str, ply: Option<usize>) -> Result<GameView, ApiError> {
        let text = text.to_owned();
        self.change(id, move |GameState { game, .. }| {
            if ply.is_some_and(|ply| ply != game.hosted.plies().len()) {
                return Err(ApiError::conflict(
                    "the game has changed since this move was chosen: get its present state and choose again",
                ));
            }
            if game.agent().is_some() {
                return Err(ApiError::conflict("an agent is to move: wait for its move"));
            }
            game.play(&text)
        })
        .await
    }

    /// Takes back the last decision of a person and everything after it.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub async fn undo(&self, id: &str) -> Result<GameView, ApiError> {
        let (games, id) = (self.clone(), id.to_owned());
        run_to_completion(async move {
            let active = games.find(&id).await?;
            active.stop_search();
            games.change_now(&active, GameState::undo).await
        })
        .await
    }

    /// Resigns the game for a person, at once or as soon as that seat is to move.
    ///
    /// # Errors
    /// Returns an error if the game is over or no person has that seat.
    pub async fn resign(&self, id: &str, seat: Option<usize>) -> Result<GameView, ApiError> {
        let (games, id) = (self.clone(), id.to_owned());
        run_to_completion(async move {
            let active = games.find(&id).await?;
            let resigned = games.change_now(&active, |GameState { game, .. }| {
                if game.status() != Status::Playing {
                    return Err(ApiError::conflict("the game is over"));
                }
                let people = game.people();
                let asked = match seat {
                    Some(number) => Seat::from_number(number),
                    None => {
                        game.hosted.to_move().filter(|seat| people.contains(seat)).or(people.first().copied())
                    }
                };
                let seat = asked.filter(|seat| people.contains(seat));
                game.resigning = Some(seat.ok_or_else(|| {
                    ApiError::conflict("only a person can resign, and no person has this seat")
                })?);
                game.settle();
                Ok(())
            });
            let view = resigned.await?;
            active.stop_search();
            Ok(view)
        })
        .await
    }

    /// Stops the search of the agent to move, which then plays the best move found so far.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub async fn stop(&self, id: &str) -> Result<GameView, ApiError> {
        let active = self.find(id).await?;
        active.stop_search();
        Ok(active.state.lock().await.game.to_view())
    }

    /// Pauses or resumes agents, changes their delay, or lets them make one decision.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub async fn control(&self, id: &str, control: &Control) -> Result<GameView, ApiError> {
        let control = control.clone();
        self.change(id, move |GameState { game, .. }| {
            if let Some(paused) = control.paused {
                game.paused = paused;
                game.steps = 0;
            }
            if let Some(delay) = control.delay_ms {
                game.delay_ms = delay.min(MAX_DELAY_MS);
            }
            if control.step {
                game.steps = game.steps.saturating_add(1);
            }
            Ok(())
        })
        .await
    }

    /// Toggles whether the chain at a point counts as dead.
    ///
    /// # Errors
    /// Returns an error if the game is not being scored, or there is no stone at the point.
    pub async fn toggle_dead(&self, id: &str, at: &str) -> Result<GameView, ApiError> {
        let at = at.to_owned();
        self.change(id, move |GameState { game, .. }| {
            if game.status() != Status::Scoring {
                return Err(ApiError::conflict("the game is not being scored"));
            }
            Ok(game.hosted.toggle_dead(&at)?)
        })
        .await
    }

    /// Accepts the present score, which ends the game.
    ///
    /// # Errors
    /// Returns an error if the game is not being scored.
    pub async fn accept(&self, id: &str) -> Result<GameView, ApiError> {
        self.change(id, |GameState { game, .. }| {
            if game.status() != Status::Scoring {
                return Err(ApiError::conflict("the game is not being scored"));
            }
            Ok(game.hosted.accept()?)
        })
        .await
    }
}

/// Runs `work` to completion, even if the caller's future is dropped because a client disconnects. Otherwise a game could be
/// changed in memory but not on disk, or without its watchers being notified.
async fn run_to_completion<T: Send + 'static>(
    work: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::spawn(work).await.map_err(ApiError::internal)?
}

/// A random id that cannot be guessed.
fn new_id() -> String {
    // The keys of a new `RandomState` come from the operating system's random number generator.
    let mut number =
        u128::from(RandomState::new().hash_one(1)) << 64 | u128::from(RandomState::new().hash_one(2));
    let mut id = String::with_capacity(12);
    for _ in 0..12 {
        id.push(char::from(b"23456789abcdefghjkmnpqrstuvwxyz"[(number % 31) as usize]));
        number /= 31;
    }
    id
}
