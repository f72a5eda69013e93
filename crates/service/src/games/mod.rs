//! Games kept for people: begun, played, watched, taken back, and there again after a restart.

mod agents;
mod driver;
mod game;
mod keeper;
mod live;
mod seat;
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
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use utoipa::ToSchema;

use agents::LiveAgents;
pub use game::{Game, GameChange, GameView, NewGame};
use host::{Status, view::View};
use keeper::{Change, Keeper};
pub use live::Live;
use live::{Kept, Memory};
pub use seat::{SeatView, player};
pub use watch::{Seen, Watcher};

use crate::{Refusal, Setup, Work, clock, share::Client};

/// What can be changed about agents that play among themselves.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Whether agents wait.
    pub paused: Option<bool>,
    /// How long a decision takes at least, in milliseconds.
    pub delay_ms: Option<u64>,
    /// Lets them make one decision while they wait.
    #[serde(default)]
    pub step: bool,
}

/// A game as it stands in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// When it was begun.
    pub created: String,
    /// What was agreed.
    pub setup: Setup,
    /// Who sat where at the start.
    pub seats: Vec<String>,
    /// How far it is.
    pub status: String,
    /// Moves played so far.
    pub ply: usize,
    /// How it ended.
    pub result: Option<serde_json::Value>,
}

/// The longest wait before an agent's move, in milliseconds.
const LONGEST_DELAY: u64 = 60_000;

/// All games of the service.
#[derive(Clone)]
pub struct Games {
    inner: Arc<Inner>,
}

struct Inner {
    memory: Memory,
    keeper: Keeper,
    work: Work,
    begun: AtomicU64,
    /// Agents of all games that remember something.
    agents: Arc<LiveAgents>,
    /// Games of agents tell their watchers one after the other.
    speaking: Mutex<()>,
}

impl Games {
    /// The games of a file, which is made if it is not there. At most `most` are played or watched at once.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(path: &Path, work: Work, most: usize) -> Result<Self, Refusal> {
        let (memory, begun) = (Memory::new(most), AtomicU64::new(0));
        Ok(Self {
            inner: Arc::new(Inner {
                memory,
                keeper: Keeper::open(path)?,
                work,
                begun,
                agents: Arc::default(),
                speaking: Mutex::default(),
            }),
        })
    }

    /// Lets agents go on in games that were interrupted.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn go_on(&self) -> Result<(), Refusal> {
        for id in self.inner.keeper.unfinished().await? {
            // Games between people wait for people; others go on by themselves. One game that cannot be read must not keep
            // all others from going on; whoever asks for it hears why.
            let _ = self.find(&id).await;
        }
        Ok(())
    }

    /// How many games are in memory, and how many were begun since the start.
    pub fn counts(&self) -> (usize, u64) {
        (self.inner.memory.len(), self.inner.begun.load(Ordering::Relaxed))
    }

    /// Begins a game for `client`.
    ///
    /// # Errors
    /// If it makes no sense, cannot be kept, or too many go on already.
    pub async fn begin(&self, begun: NewGame, client: Client) -> Result<GameView, Refusal> {
        let games = self.clone();
        to_the_end(async move { games.begin_now(begun, client).await }).await
    }

    async fn begin_now(&self, begun: NewGame, client: Client) -> Result<GameView, Refusal> {
        self.inner.memory.make_room(Some(client))?;
        let begun = NewGame { delay_ms: begun.delay_ms.min(LONGEST_DELAY), ..begun };
        let mut game = Game::new(new_id(), clock::now("Z"), begun)?;
        game.settle();
        self.inner.keeper.keep(Change::new(&game, 0)?).await?;
        self.inner.begun.fetch_add(1, Ordering::Relaxed);
        let view = game.to_view();
        let live = self.inner.memory.enter(game, Some(client));
        self.drive(&live).await;
        Ok(view)
    }

    /// A game by its name.
    async fn find(&self, id: &str) -> Result<Arc<Live>, Refusal> {
        if let Some(live) = self.inner.memory.get(id) {
            return Ok(live);
        }
        let game = self.inner.keeper.load(id).await?;
        let game = game.ok_or_else(|| Refusal::missing(format!("there is no game {id:?}")))?;
        self.inner.memory.make_room(None)?;
        let live = self.inner.memory.enter(game, None);
        self.drive(&live).await;
        Ok(live)
    }

    /// A game as it stands.
    ///
    /// # Errors
    /// If there is none of that name.
    pub async fn view(&self, id: &str) -> Result<GameView, Refusal> {
        Ok(self.find(id).await?.game.lock().await.game.to_view())
    }

    /// The position after `ply` moves.
    ///
    /// # Errors
    /// If there is no such game or the game is shorter.
    pub async fn view_at(&self, id: &str, ply: usize) -> Result<View, Refusal> {
        let live = self.find(id).await?;
        let kept = live.game.lock().await;
        let hosted = &kept.game.hosted;
        let then = hosted.at(ply);
        let then =
            then.ok_or_else(|| Refusal::missing(format!("the game has {} moves", hosted.plies().len())))?;
        Ok(then.view())
    }

    /// A look at the game itself.
    ///
    /// # Errors
    /// If there is none of that name.
    pub async fn look<T>(&self, id: &str, look: impl FnOnce(&Game) -> T) -> Result<T, Refusal> {
        Ok(look(&self.find(id).await?.game.lock().await.game))
    }

    /// The games that changed last.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn list(&self, limit: usize) -> Result<Vec<Listed>, Refusal> {
        let rows = self.inner.keeper.list(limit.clamp(1, 500)).await?;
        let listed = |row: keeper::Row| {
            let start = row.begun.start.as_deref();
            let opened = crate::open(row.begun.setup.as_ref(), start).ok()?;
            Some(Listed {
                id: row.id,
                created: row.created,
                setup: Setup::from(&opened.config()),
                seats: row.begun.seats,
                status: row.status,
                ply: row.plies,
                result: row.result,
            })
        };
        Ok(rows.into_iter().filter_map(listed).collect())
    }

    /// Changes a game, keeps the change and tells everybody: to the end, even if nobody waits for it any more.
    async fn change(
        &self,
        id: &str,
        change: impl FnOnce(&mut Kept) -> Result<(), Refusal> + Send + 'static,
    ) -> Result<GameView, Refusal> {
        let live = self.find(id).await?;
        let games = self.clone();
        to_the_end(async move {
            let view = {
                let mut kept = live.game.lock().await;
                change(&mut kept)?;
                games.keep(&mut kept).await?;
                live.tell(&mut kept);
                kept.game.to_view()
            };
            games.drive(&live).await;
            Ok(view)
        })
        .await
    }

    /// Makes the file agree with the game; if that fails, the game goes back to what the file says.
    async fn keep(&self, kept: &mut Kept) -> Result<(), Refusal> {
        let outcome = match Change::new(&kept.game, kept.written) {
            Ok(change) => self.inner.keeper.keep(change).await,
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = outcome {
            if let Ok(Some(game)) = self.inner.keeper.load(&kept.game.id).await {
                kept.replace(game);
            }
            return Err(refusal);
        }
        kept.written = kept.game.hosted.plies().len();
        Ok(())
    }

    /// Plays a move of a person, who saw the game with `ply` moves.
    ///
    /// # Errors
    /// If the game has gone on since, it is not a person's turn, or the move is not legal.
    pub async fn play(&self, id: &str, text: &str, ply: Option<usize>) -> Result<GameView, Refusal> {
        let text = text.to_owned();
        self.change(id, move |Kept { game, .. }| {
            if ply.is_some_and(|ply| ply != game.hosted.plies().len()) {
                return Err(Refusal::conflict("the game has gone on: look again before you move"));
            }
            if game.agent().is_some() {
                return Err(Refusal::conflict("it is an agent's turn"));
            }
            game.play(&text)
        })
        .await
    }

    /// Takes back the last decision of a person and everything since.
    ///
    /// # Errors
    /// If there is none.
    pub async fn undo(&self, id: &str) -> Result<GameView, Refusal> {
        self.find(id).await?.raise();
        self.change(id, Kept::undo).await
    }

    /// Gives the game up for a person, at once or as soon as it is that seat's turn.
    ///
    /// # Errors
    /// If nobody sits there who could.
    pub async fn resign(&self, id: &str, seat: Option<usize>) -> Result<GameView, Refusal> {
        let live = self.find(id).await?;
        let view = self
            .change(id, move |Kept { game, .. }| {
                if game.status() != Status::Playing {
                    return Err(Refusal::conflict("the game is over"));
                }
                let people = game.people();
                let asked = match seat {
                    Some(number) => Seat::from_number(number),
                    None => {
                        game.hosted.to_move().filter(|seat| people.contains(seat)).or(people.first().copied())
                    }
                };
                let seat = asked.filter(|seat| people.contains(seat));
                game.resigning =
                    Some(seat.ok_or_else(|| Refusal::conflict("no person sits there to give up"))?);
                game.settle();
                Ok(())
            })
            .await?;
        live.raise();
        Ok(view)
    }

    /// Lets the agent that thinks play the best it has found.
    ///
    /// # Errors
    /// If there is no such game.
    pub async fn stop(&self, id: &str) -> Result<GameView, Refusal> {
        let live = self.find(id).await?;
        live.raise();
        Ok(live.game.lock().await.game.to_view())
    }

    /// Lets agents wait, go on, or make one decision.
    ///
    /// # Errors
    /// If there is no such game.
    pub async fn control(&self, id: &str, control: &Control) -> Result<GameView, Refusal> {
        let control = control.clone();
        self.change(id, move |Kept { game, .. }| {
            if let Some(paused) = control.paused {
                game.paused = paused;
                game.steps = 0;
            }
            if let Some(delay) = control.delay_ms {
                game.delay_ms = delay.min(LONGEST_DELAY);
            }
            if control.step {
                game.steps = game.steps.saturating_add(1);
            }
            Ok(())
        })
        .await
    }

    /// Calls a chain dead that was alive, or alive that was dead.
    ///
    /// # Errors
    /// If nothing is to be agreed on, or there is no stone.
    pub async fn toggle_dead(&self, id: &str, at: &str) -> Result<GameView, Refusal> {
        let at = at.to_owned();
        self.change(id, move |Kept { game, .. }| {
            if game.status() != Status::Scoring {
                return Err(Refusal::conflict("there is nothing to agree on now"));
            }
            Ok(game.hosted.toggle_dead(&at)?)
        })
        .await
    }

    /// Ends a game by the score it has now.
    ///
    /// # Errors
    /// If nothing is to be agreed on.
    pub async fn accept(&self, id: &str) -> Result<GameView, Refusal> {
        self.change(id, |Kept { game, .. }| {
            if game.status() != Status::Scoring {
                return Err(Refusal::conflict("there is nothing to agree on now"));
            }
            Ok(game.hosted.accept()?)
        })
        .await
    }
}

/// Runs `work` to its end, even if whoever asked for it goes away: a request that is given up must not leave a game that
/// is changed in memory but not on disk, or not told.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(work).await.map_err(Refusal::internal)?
}

/// A name that nobody can guess.
fn new_id() -> String {
    // Fresh keys of the standard hasher are the operating system's random numbers.
    let mut number =
        u128::from(RandomState::new().hash_one(1)) << 64 | u128::from(RandomState::new().hash_one(2));
    let mut id = String::with_capacity(12);
    for _ in 0..12 {
        id.push(char::from(b"23456789abcdefghjkmnpqrstuvwxyz"[(number % 31) as usize]));
        number /= 31;
    }
    id
}
