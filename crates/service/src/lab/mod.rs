//! The laboratory behind the page: ratings, recorded games, and events that are played, here or elsewhere.

mod runs;
mod watch;

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    thread,
};

use ::lab::{LabError, Plan, Progress, Storage};
use arena::store::{RunState, Snapshot, Store, StoreError};
use search::Stop;
use serde::Serialize;
use tokio::sync::broadcast;
use utoipa::ToSchema;

pub use self::runs::{Curve, NewRun, Place, Run};
use crate::{
    ApiError, ErrorKind, Setup,
    work::{AGENTS, give_way},
};

/// The most runs of this process at the same time.
const MOST_RUNS: usize = 2;

/// A participant and its rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Row {
    /// The level that stands for it, or a short name.
    pub name: String,
    /// The agent.
    pub spec: String,
    /// Its rating; none if it has met nobody who met the anchor.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many games it played.
    pub games: u64,
    /// Its share of the points.
    pub score: Option<f64>,
    /// Whether its rating is given.
    pub anchor: bool,
}

/// The ratings of one scale.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Ratings {
    /// All scales there are games on.
    pub venues: Vec<String>,
    /// The one that is shown.
    pub venue: Option<String>,
    /// Games on it.
    pub games: usize,
    /// Everybody on it, the strongest first.
    pub rows: Vec<Row>,
    /// How their ratings went, in the same order: `[games on the scale, Elo, low, high]` at the end of every run.
    pub history: Vec<Curve>,
}

/// A recorded game in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Recorded {
    /// Its name.
    pub id: String,
    /// When its event was begun.
    pub created: String,
    /// What was agreed.
    pub setup: Setup,
    /// Who played.
    pub players: Vec<String>,
    /// Moves.
    pub ply: usize,
    /// The winner, if there is one.
    pub winner: Option<usize>,
    /// By which rule it ended, with the points where they are counted.
    pub reason: Option<String>,
}

/// The laboratory.
#[derive(Clone)]
pub struct Lab {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    /// What this process plays.
    going: Mutex<BTreeMap<String, Arc<Stop>>>,
    store: Mutex<Option<Store>>,
    /// How far the runs are that are shown.
    progress: Mutex<BTreeMap<String, Progress>>,
    /// Whether somebody is at work telling what changes.
    asked: AtomicBool,
    told: broadcast::Sender<String>,
}

impl Lab {
    /// The laboratory whose games are in the database at `path`, which need not be there yet.
    ///
    /// # Errors
    /// If there is something else.
    pub fn open(path: &Path) -> Result<Self, ApiError> {
        let (told, _) = broadcast::channel(64);
        let inner = Inner {
            path: path.to_owned(),
            going: Mutex::default(),
            store: Mutex::default(),
            progress: Mutex::default(),
            asked: AtomicBool::new(false),
            told,
        };
        let lab = Self { inner: Arc::new(inner) };
        lab.read(|_| Ok(()))?;
        Ok(lab)
    }

    /// Reads from the database, which stays open: it is looked over when it is opened. `None` if there is none yet.
    fn read<T>(&self, work: impl FnOnce(&Store) -> Result<T, StoreError>) -> Result<Option<T>, ApiError> {
        let mut open = self.inner.store.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.inner.path.exists() {
            *open = None;
            return Ok(None);
        }
        let store = match open.take() {
            Some(store) => store,
            None => Store::open_existing(&self.inner.path).map_err(ApiError::internal)?,
        };
        let found = work(&store).map_err(ApiError::internal)?;
        *open = Some(store);
        Ok(Some(found))
    }

    /// Ratings on a scale, the first there is if none is named.
    ///
    /// # Errors
    /// If the database cannot be read or there is no such scale.
    pub fn ratings(&self, venue: Option<String>) -> Result<Ratings, ApiError> {
        let scales = self.read(Store::scales)?.unwrap_or_default();
        let venues: Vec<String> = scales.into_iter().map(|(scale, _)| scale).collect();
        let Some(venue) = venue.or_else(|| venues.first().cloned()) else { return Ok(Ratings::default()) };
        if !venues.contains(&venue) {
            return Err(ApiError::missing(format!("nothing was played on {venue:?}")));
        }
        let Some(scale) = self.read(|store| store.scale(&venue))? else { return Ok(Ratings::default()) };
        let rated = ::lab::rate(&venue, scale, &[]).map_err(ApiError::internal)?;
        let row = |who: usize| {
            let rating = rated.ratings.of(who);
            let level = ::lab::level(&venue, &rated.participants[who].id);
            Row {
                name: level.map_or_else(|| short(&rated.label(who)), |level| level.to_string()),
                spec: rated.participants[who].spec.clone(),
                elo: rating.map(|rating| rating.elo),
                low: rating.map(|rating| rating.interval.low),
                high: rating.map(|rating| rating.interval.high),
                games: rated.ratings.games(who),
                score: rated.cross.total(who).score(),
                anchor: rated.is_anchor(who),
            }
        };
        let order = rated.order();
        let rows: Vec<Row> = order.iter().copied().map(row).collect();
        let snapshots = self.read(|store| store.history(&venue))?.unwrap_or_default();
        let curve = |(row, who): (&Row, &usize)| {
            let id = &rated.participants[*who].id;
            let at = |snapshot: &Snapshot| {
                let rating = snapshot.rows.iter().find(|row| row.participant == *id)?.rating?;
                Some([snapshot.games as f64, rating.elo, rating.interval.low, rating.interval.high])
            };
            Curve { name: row.name.clone(), points: snapshots.iter().filter_map(at).collect() }
        };
        let history = rows.iter().zip(&order).map(curve).collect();
        Ok(Ratings { venues, venue: Some(venue), games: rated.games, rows, history })
    }

    /// Recorded games, the latest events first, and how many there are; of one run if it is named.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn games(
        &self,
        run: Option<&str>,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<Recorded>, u64), ApiError> {
        let found = self.read(|store| store.recorded(run, offset, limit.min(200)))?;
        let (games, total) = found.unwrap_or_default();
        let listed = |game: arena::store::Recorded| {
            let record = record::GameRecord::from_line(&game.record).ok()?;
            Some(Recorded {
                id: format!("{}-{}", game.event, game.number),
                created: game.begun,
                setup: Setup::from(&record.config),
                players: record.players,
                ply: record.moves.len(),
                winner: record.result.as_ref().and_then(|result| result.winner),
                reason: record.result.map(|result| result.score.unwrap_or(result.reason)),
            })
        };
        Ok((games.into_iter().filter_map(listed).collect(), total))
    }

    /// The record of a game of [`Lab::games`].
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn record(&self, id: &str) -> Result<String, ApiError> {
        let missing = || ApiError::missing(format!("there is no recorded game {id:?}"));
        let (event, number) = id.rsplit_once('-').ok_or_else(missing)?;
        let number = number.parse().map_err(|_| missing())?;
        self.read(|store| store.record(event, number))?.flatten().ok_or_else(missing)
    }

    /// Whether a run is played by this process.
    fn plays(&self, id: &str) -> bool {
        self.inner.going.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    /// Whether this process plays anything.
    pub fn is_busy(&self) -> bool {
        !self.inner.going.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Asks all runs of this process to end; they can go on later.
    pub fn end(&self) {
        let going = self.inner.going.lock().unwrap_or_else(PoisonError::into_inner);
        going.values().for_each(|stop| stop.raise());
    }

    /// Asks a run to end.
    ///
    /// # Errors
    /// If this process plays none of that name.
    pub fn stop(&self, id: &str) -> Result<(), ApiError> {
        let going = self.inner.going.lock().unwrap_or_else(PoisonError::into_inner);
        let stop =
            going.get(id).ok_or_else(|| ApiError::missing(format!("no run {id:?} is going on here")))?;
        stop.raise();
        Ok(())
    }

    /// Plays in the background. What was asked for before goes on where it stopped.
    ///
    /// # Errors
    /// If it makes no event, or too many runs are going on.
    pub fn start(&self, asked: &NewRun) -> Result<Run, ApiError> {
        self.play(asked.plan()?)
    }

    /// Goes on with a run.
    ///
    /// # Errors
    /// If there is none of that name, it cannot go on here, or too many are going on.
    pub fn resume(&self, id: &str) -> Result<Run, ApiError> {
        let missing = || ApiError::missing(format!("there is no run {id:?}"));
        let run = self.read(|store| store.run(id))?.flatten().ok_or_else(missing)?;
        if run.state == RunState::Running {
            let words = "this run is going on, or was killed a moment ago: try again in half a minute";
            return Err(ApiError::conflict(words));
        }
        self.play(runs::again(&run)?)
    }

    fn play(&self, plan: Plan) -> Result<Run, ApiError> {
        let run = Run::begun(&plan);
        let mut storage = Storage::open(None, Some(&self.inner.path)).map_err(ApiError::internal)?;
        let stop = Arc::new(Stop::default());
        {
            let mut going = self.inner.going.lock().unwrap_or_else(PoisonError::into_inner);
            if going.contains_key(&run.id) {
                return Err(ApiError::conflict("this run is going on"));
            }
            if going.len() >= MOST_RUNS {
                let message = format!("{MOST_RUNS} runs are going on: stop one first");
                return Err(ApiError::new(ErrorKind::Busy, message));
            }
            going.insert(run.id.clone(), Arc::clone(&stop));
        }
        let (lab, id) = (self.clone(), run.id.clone());
        let played = move || {
            give_way(AGENTS);
            // What went wrong stands in the database; if that is what went wrong, the run shows as lost.
            let _ = play_all(&plan, &mut storage, &stop);
            lab.inner.going.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        };
        let spawned = thread::Builder::new().name("run".to_owned()).spawn(played);
        if let Err(error) = spawned {
            self.inner.going.lock().unwrap_or_else(PoisonError::into_inner).remove(&run.id);
            return Err(ApiError::internal(error));
        }
        Ok(run)
    }
}

/// A participant's name without the parts that say that it has no net and no settings of its own.
fn short(name: &str) -> String {
    let name = name.strip_prefix("none:").unwrap_or(name);
    name.strip_suffix(":base").unwrap_or(name).to_owned()
}

fn play_all(plan: &Plan, storage: &mut Storage, stop: &Stop) -> Result<(), LabError> {
    ::lab::play(plan, storage, stop, &mut |_| ControlFlow::Continue(()))?;
    let Some(store) = storage.store() else { return Ok(()) };
    ::lab::store_ratings(store, &plan.event.scale, &[])
}
