//! The laboratory behind the page: ratings, recorded games, and matches that run in the background.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use ::lab::{LabError, Plan};
use arena::{
    Placing, Schedule, System, Tables, Z95, elo,
    store::{Event, Store, StoreError},
    wilson,
};
use search::Stop;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::broadcast;
use utoipa::ToSchema;

use crate::{
    Refusal, Setup, Sort, games,
    work::{AGENTS, give_way},
};

/// The most games of a match.
const MOST_GAMES: u64 = 10_000;

/// The most matches at the same time.
const MOST_RUNS: usize = 2;

/// A match to be played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// `match`.
    pub kind: String,
    /// What is played.
    pub setup: Setup,
    /// One side.
    pub a: String,
    /// The other side.
    pub b: String,
    /// How many games, rounded up to whole rotations of the seats.
    pub games: u64,
    /// Where openings and agents get their random numbers.
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

/// A match that runs or ran.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Run {
    /// Its name.
    pub id: String,
    /// `match`.
    pub kind: &'static str,
    /// Who plays whom.
    pub title: String,
    /// `running`, `done`, `stopped` or `failed`.
    pub state: &'static str,
    /// Games so far.
    pub played: u64,
    /// Games in all.
    pub planned: u64,
    /// What the games so far say of the first side: its score with a 95 % interval, and the difference in Elo.
    pub lines: BTreeMap<&'static str, f64>,
    /// The score after so many games, with its interval: `[games, score, low, high]`.
    pub curve: Vec<[f64; 4]>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip)]
    points: f64,
}

/// A participant and its rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Row {
    /// Its name.
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
    /// How it ended.
    pub result: Option<String>,
}

/// The laboratory.
#[derive(Clone)]
pub struct Lab {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    runs: Mutex<BTreeMap<String, (Run, Arc<Stop>)>>,
    told: broadcast::Sender<String>,
}

impl Lab {
    /// The laboratory whose games are in the database at `path`, which need not be there yet.
    pub fn new(path: &Path) -> Self {
        let (told, _) = broadcast::channel(64);
        Self { inner: Arc::new(Inner { path: path.to_owned(), runs: Mutex::default(), told }) }
    }

    fn store(&self) -> Result<Option<Store>, Refusal> {
        match Store::open_existing(&self.inner.path) {
            Ok(store) => Ok(Some(store)),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(Refusal::internal(error)),
        }
    }

    /// Ratings on a scale, the first there is if none is named.
    ///
    /// # Errors
    /// If the database cannot be read or there is no such scale.
    pub fn ratings(&self, venue: Option<String>) -> Result<Ratings, Refusal> {
        let Some(store) = self.store()? else { return Ok(Ratings::default()) };
        let scales = store.scales().map_err(Refusal::internal)?;
        let venues: Vec<String> = scales.into_iter().map(|(scale, _)| scale).collect();
        let Some(venue) = venue.or_else(|| venues.first().cloned()) else { return Ok(Ratings::default()) };
        if !venues.contains(&venue) {
            return Err(Refusal::missing(format!("nothing was played on {venue:?}")));
        }
        let scale = store.scale(&venue).map_err(Refusal::internal)?;
        let rated = ::lab::rate(&venue, scale, &[]).map_err(Refusal::internal)?;
        let row = |who: usize| {
            let rating = rated.ratings.of(who);
            Row {
                name: rated.label(who),
                spec: rated.participants[who].spec.clone(),
                elo: rating.map(|rating| rating.elo),
                low: rating.map(|rating| rating.interval.low),
                high: rating.map(|rating| rating.interval.high),
                games: rated.ratings.games(who),
                score: rated.cross.total(who).score(),
                anchor: rated.is_anchor(who),
            }
        };
        let rows = rated.order().into_iter().map(row).collect();
        Ok(Ratings { venues, venue: Some(venue), games: rated.games, rows })
    }

    /// Recorded games, the latest events first, and how many there are.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn games(&self, offset: u64, limit: u64) -> Result<(Vec<Recorded>, u64), Refusal> {
        let Some(store) = self.store()? else { return Ok((Vec::new(), 0)) };
        let (games, total) = store.recorded(offset, limit.min(200)).map_err(Refusal::internal)?;
        let listed = |game: arena::store::Recorded| {
            let record = record::GameRecord::from_line(&game.record).ok()?;
            Some(Recorded {
                id: format!("{}-{}", game.event, game.number),
                created: game.begun,
                setup: Setup::from(&record.config),
                players: record.players,
                ply: record.moves.len(),
                result: record.result.as_ref().map(ToString::to_string),
            })
        };
        Ok((games.into_iter().filter_map(listed).collect(), total))
    }

    /// The record of a game of [`Lab::games`].
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn record(&self, id: &str) -> Result<String, Refusal> {
        let missing = || Refusal::missing(format!("there is no recorded game {id:?}"));
        let (event, number) = id.rsplit_once('-').ok_or_else(missing)?;
        let number = number.parse().map_err(|_| missing())?;
        let store = self.store()?.ok_or_else(missing)?;
        store.record(event, number).map_err(Refusal::internal)?.ok_or_else(missing)
    }

    /// All runs since the service began, the latest first.
    pub fn runs(&self) -> Vec<Run> {
        let runs = self.inner.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.values().rev().map(|(run, _)| run.clone()).collect()
    }

    /// Hears of every change of a run, as JSON.
    pub fn listen(&self) -> broadcast::Receiver<String> {
        self.inner.told.subscribe()
    }

    /// Asks all runs to end; they go on from there when they are asked for again.
    pub fn end(&self) {
        let runs = self.inner.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.values().for_each(|(_, stop)| stop.raise());
    }

    /// Asks a run to end.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn stop(&self, id: &str) -> Result<Run, Refusal> {
        let runs = self.inner.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let (run, stop) = runs.get(id).ok_or_else(|| Refusal::missing(format!("there is no run {id:?}")))?;
        stop.raise();
        Ok(run.clone())
    }

    /// Plays a match in the background. The same match asked for again goes on where it stopped.
    ///
    /// # Errors
    /// If it makes no match, or too many run already.
    pub fn start(&self, asked: &NewRun) -> Result<Run, Refusal> {
        let plan = plan(asked)?;
        let id = plan.event.id[..16].to_owned();
        let stop = Arc::new(Stop::default());
        let run = Run {
            id: id.clone(),
            kind: "match",
            title: format!("{} – {} on {}", asked.a, asked.b, plan.event.scale),
            state: "running",
            played: 0,
            planned: plan.schedule.total(),
            lines: BTreeMap::new(),
            curve: Vec::new(),
            error: None,
            points: 0.0,
        };
        {
            let mut runs = self.inner.runs.lock().unwrap_or_else(PoisonError::into_inner);
            let going = |run: &Run| run.state == "running";
            if runs.get(&id).is_some_and(|(run, _)| going(run)) {
                return Err(Refusal::conflict("this match is being played"));
            }
            if runs.values().filter(|(run, _)| going(run)).count() >= MOST_RUNS {
                return Err(Refusal::new(
                    Sort::Busy,
                    format!("{MOST_RUNS} matches are being played: stop one first"),
                ));
            }
            runs.insert(id.clone(), (run.clone(), Arc::clone(&stop)));
        }
        let lab = self.clone();
        let played = move || {
            give_way(AGENTS);
            let ended = lab.play(&plan, &id, &stop);
            lab.change(&id, |run| match ended {
                Ok(true) => run.state = "done",
                Ok(false) => run.state = "stopped",
                Err(error) => (run.state, run.error) = ("failed", Some(error.to_string())),
            });
        };
        thread::Builder::new().name("match".to_owned()).spawn(played).map_err(Refusal::internal)?;
        Ok(run)
    }

    fn play(&self, plan: &Plan, id: &str, stop: &Stop) -> Result<bool, LabError> {
        let mut store = Store::open(&self.inner.path)?;
        let seats = plan.schedule.seats;
        let finished = ::lab::play(plan, &mut store, stop, &mut |game| {
            self.change(id, |run| run.count(game, seats));
        })?;
        Ok(finished.complete)
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Run)) {
        let mut runs = self.inner.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((run, _)) = runs.get_mut(id) else { return };
        change(run);
        if let Ok(text) = serde_json::to_string(run) {
            // Nobody need be listening.
            let _ = self.inner.told.send(text);
        }
    }
}

impl Run {
    /// Counts a game for the first side: a point for every seat of the other that it left behind, half for a tie.
    fn count(&mut self, game: &Placing, seats: usize) {
        let ranks = |who: usize| (0..game.players.len()).filter(move |&seat| game.players[seat] == who);
        let (mut points, mut of) = (0.0, 0.0);
        for own in ranks(0) {
            for other in ranks(1) {
                of += 1.0;
                points += match game.ranks[own].cmp(&game.ranks[other]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
        }
        self.played += 1;
        self.points += if of > 0.0 { points / of } else { 0.5 };
        let score = self.points / self.played as f64;
        let interval = wilson(score, self.played, Z95);
        let difference = elo(score, 2);
        self.lines = BTreeMap::from([("score", score), ("low", interval.low), ("high", interval.high)]);
        if seats == 2 {
            self.lines.insert("elo", difference);
        }
        // A few hundred points are all that a picture shows.
        if self.played.is_multiple_of(self.planned / 300 + 1) || self.played == self.planned {
            self.curve.push([self.played as f64, score, interval.low, interval.high]);
        }
    }
}

fn plan(asked: &NewRun) -> Result<Plan, Refusal> {
    if asked.kind != "match" {
        return Err(Refusal::input(format!("{:?} is no kind of run: expected match", asked.kind)));
    }
    if !(1..=MOST_GAMES).contains(&asked.games) {
        return Err(Refusal::input(format!("{} games: expected 1 to {MOST_GAMES}", asked.games)));
    }
    let config = asked.setup.config()?;
    let venue = ::lab::venue(&config);
    // What is measured plays without falling back; what comes from here starts no program and names no file.
    let specs = [&asked.a, &asked.b].map(|text| games::player(text, venue).map(|player| player.spec));
    let specs = specs.into_iter().collect::<Result<Vec<_>, Refusal>>()?;
    let players = ::lab::players(&specs, &config).map_err(Refusal::input)?;
    let (seats, opening) = (config.seats(), 2 * config.seats() as u32);
    let mut schedule = Schedule {
        participants: 2,
        seats,
        tables: if seats == 2 { Tables::Distinct } else { Tables::Copies },
        system: System::RoundRobin,
        games: asked.games,
        seed: asked.seed,
    };
    schedule.check().map_err(Refusal::input)?;
    let resolved: Vec<String> = players.iter().map(|player| player.config.resolved()).collect();
    let written = json!({
        "type": "service-match-config", "version": 1, "agents": resolved, "rules": &config,
        "opening_plies": opening, "seed": asked.seed,
    });
    let event = Event::new("match", &::lab::scale(&config), &written.to_string());
    schedule.seed = ::lab::seed(&event);
    Ok(Plan { players, config, opening, threads: 1, event, schedule })
}
