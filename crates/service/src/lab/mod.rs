//! The laboratory: ratings, recorded games, runs and jobs of learning, whether they are of this process or of others.

mod jobs;
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
use arena::store::{JobRun, RunState, Snapshot, Store, StoreError};
use search::Stop;
use serde::Serialize;
use tokio::sync::broadcast;
use utoipa::ToSchema;

pub use self::{
    jobs::{Job, Table},
    runs::{Curve, NewRun, Run, StandingView},
    watch::Update,
};
use crate::{
    ApiError, ErrorKind, Setup,
    scheduler::{BACKGROUND_NICE, lower_priority},
};

/// The maximum number of concurrent runs of this process.
const MAX_RUNS: usize = 2;

/// A participant and its rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RatingRow {
    /// The level that resolves to this agent, or a short name.
    pub name: String,
    /// The spec of the agent.
    pub spec: String,
    /// The rating; `null` if no chain of games connects the agent to the anchor.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval of the rating.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval of the rating.
    pub high: Option<f64>,
    /// The number of games played.
    pub games: u64,
    /// The score from 0 to 1.
    pub score: Option<f64>,
    /// Whether the rating is fixed.
    pub anchor: bool,
}

/// The ratings of one scale.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Ratings {
    /// All scales with games.
    pub venues: Vec<String>,
    /// The scale of these ratings.
    pub venue: Option<String>,
    /// The number of games on the scale.
    pub games: usize,
    /// The participants, strongest first.
    pub rows: Vec<RatingRow>,
    /// The history of their ratings, in the same order: `[games on the scale, Elo, low, high]` after every run.
    pub history: Vec<Curve>,
}

/// A game in the list of recorded games.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RecordedGame {
    /// The id of the game.
    pub id: String,
    /// When the event of the game began.
    pub created: String,
    /// The game and its options.
    pub setup: Setup,
    /// The participants.
    pub players: Vec<String>,
    /// The number of moves.
    pub ply: usize,
    /// The seat of the winner, if there is one.
    pub winner: Option<usize>,
    /// The score, or the rule that ended the game.
    pub reason: Option<String>,
}

/// The laboratory.
#[derive(Clone)]
pub struct Lab {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    /// The runs of this process, with the flags that stop them.
    running: Mutex<BTreeMap<String, Arc<Stop>>>,
    store: Mutex<Option<Store>>,
    /// The progress of the runs that are listed.
    progress: Mutex<BTreeMap<String, Progress>>,
    /// The jobs that are listed, as they were last read.
    jobs: Mutex<BTreeMap<String, (JobRun, Job)>>,
    /// Whether a thread is polling the database for changes.
    polling: AtomicBool,
    updates: broadcast::Sender<Update>,
}

impl Lab {
    /// Opens the laboratory with the database at `path`, which need not exist yet.
    ///
    /// # Errors
    /// Returns an error if the file is no such database.
    pub fn open(path: &Path) -> Result<Self, ApiError> {
        let (updates, _) = broadcast::channel(64);
        let inner = Inner {
            path: path.to_owned(),
            running: Mutex::default(),
            store: Mutex::default(),
            progress: Mutex::default(),
            jobs: Mutex::default(),
            polling: AtomicBool::new(false),
            updates,
        };
        let lab = Self { inner: Arc::new(inner) };
        lab.read(|_| Ok(()))?;
        Ok(lab)
    }

    /// Reads from the database. It stays open, since opening it includes a check. Returns `None` if it does not exist yet.
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

    /// The ratings on a scale; on the first one if `venue` is `None`.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read or there are no games on the scale.
    pub fn ratings(&self, venue: Option<String>) -> Result<Ratings, ApiError> {
        let scales = self.read(Store::scales)?.unwrap_or_default();
        let venues: Vec<String> = scales.into_iter().map(|(scale, _)| scale).collect();
        let Some(venue) = venue.or_else(|| venues.first().cloned()) else { return Ok(Ratings::default()) };
        if !venues.contains(&venue) {
            return Err(ApiError::missing(format!("there are no rated games on {venue:?}")));
        }
        let Some(scale) = self.read(|store| store.scale(&venue))? else { return Ok(Ratings::default()) };
        let rated = ::lab::rate(&venue, scale, &[]).map_err(ApiError::internal)?;
        let row = |who: usize| {
            let rating = rated.ratings.of(who);
            let level = ::lab::level(&venue, &rated.participants[who].id);
            RatingRow {
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
        let rows: Vec<RatingRow> = order.iter().copied().map(row).collect();
        let snapshots = self.read(|store| store.history(&venue))?.unwrap_or_default();
        let curve = |(row, who): (&RatingRow, &usize)| {
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

    /// A page of the recorded games of `run`, or of all runs, latest events first, and their total number.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub fn games(
        &self,
        run: Option<&str>,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<RecordedGame>, u64), ApiError> {
        let found = self.read(|store| store.recorded(run, offset, limit.min(200)))?;
        let (games, total) = found.unwrap_or_default();
        let listed = |game: arena::store::Recorded| {
            let record = record::GameRecord::from_line(&game.record).ok()?;
            Some(RecordedGame {
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
    /// Returns an error if there is no such game.
    pub fn record(&self, id: &str) -> Result<String, ApiError> {
        let missing = || ApiError::missing(format!("there is no recorded game {id:?}"));
        let (event, number) = id.rsplit_once('-').ok_or_else(missing)?;
        let number = number.parse().map_err(|_| missing())?;
        self.read(|store| store.record(event, number))?.flatten().ok_or_else(missing)
    }

    /// Whether this process plays the run.
    fn is_running(&self, id: &str) -> bool {
        self.inner.running.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    /// Whether this process plays anything.
    pub fn is_busy(&self) -> bool {
        !self.inner.running.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Requests all runs of this process to stop. They can be resumed later.
    pub fn stop_all(&self) {
        let running = self.inner.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.values().for_each(|stop| stop.raise());
    }

    /// Requests a run to stop after its present games.
    ///
    /// # Errors
    /// Returns an error if this process plays no such run.
    pub fn stop(&self, id: &str) -> Result<(), ApiError> {
        let running = self.inner.running.lock().unwrap_or_else(PoisonError::into_inner);
        let stop = running
            .get(id)
            .ok_or_else(|| ApiError::missing(format!("no run {id:?} is being played by this service")))?;
        stop.raise();
        Ok(())
    }

    /// Starts a run in the background. If the same event was started before, its run is resumed.
    ///
    /// # Errors
    /// Returns an error if the description is invalid, or too many runs are being played.
    pub fn start(&self, new: &NewRun) -> Result<Run, ApiError> {
        self.play(new.plan()?)
    }

    /// Resumes a run.
    ///
    /// # Errors
    /// Returns an error if there is no such run, it cannot be resumed here, or too many runs are being played.
    pub fn resume(&self, id: &str) -> Result<Run, ApiError> {
        let missing = || ApiError::missing(format!("there is no run {id:?}"));
        let run = self.read(|store| store.run(id))?.flatten().ok_or_else(missing)?;
        if run.state == RunState::Running {
            let message = "this run is being played, or was killed a moment ago: try again in half a minute";
            return Err(ApiError::conflict(message));
        }
        self.play(runs::resumed_plan(&run)?)
    }

    fn play(&self, plan: Plan) -> Result<Run, ApiError> {
        let run = Run::begun(&plan);
        let mut storage = Storage::open(None, Some(&self.inner.path)).map_err(ApiError::internal)?;
        let stop = Arc::new(Stop::default());
        {
            let mut running = self.inner.running.lock().unwrap_or_else(PoisonError::into_inner);
            if running.contains_key(&run.id) {
                return Err(ApiError::conflict("this run is already being played"));
            }
            if running.len() >= MAX_RUNS {
                let message =
                    format!("{MAX_RUNS} runs are being played, which is the maximum: stop one first");
                return Err(ApiError::new(ErrorKind::Busy, message));
            }
            running.insert(run.id.clone(), Arc::clone(&stop));
        }
        let (lab, id) = (self.clone(), run.id.clone());
        let played = move || {
            lower_priority(BACKGROUND_NICE);
            // Errors are recorded in the database. If the database itself fails, the run is shown as lost.
            let _ = play_all(&plan, &mut storage, &stop);
            lab.inner.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        };
        let spawned = thread::Builder::new().name("run".to_owned()).spawn(played);
        if let Err(error) = spawned {
            self.inner.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&run.id);
            return Err(ApiError::internal(error));
        }
        Ok(run)
    }
}

/// A participant's name without the parts for an absent net and default settings.
fn short(name: &str) -> String {
    let name = name.strip_prefix("none:").unwrap_or(name);
    name.strip_suffix(":base").unwrap_or(name).to_owned()
}

fn play_all(plan: &Plan, storage: &mut Storage, stop: &Stop) -> Result<(), LabError> {
    ::lab::play(plan, storage, stop, &mut |_| ControlFlow::Continue(()))?;
    let Some(store) = storage.store() else { return Ok(()) };
    ::lab::store_ratings(store, &plan.event.scale, &[])
}
