//! Who plays an event just now, and how far it is, for those who look on from another process.
//!
//! Whoever plays an event says so when it begins and when it ends, and shows every few seconds that it is still
//! there. A run that says it is going but has been silent for longer was killed.

use rusqlite::{OptionalExtension, Row, params};

use super::{Event, Store, StoreError};

/// For how many seconds a run that shows no sign of life still counts as going.
const SILENCE: i64 = 20;

/// What became of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// Somebody is playing.
    Running,
    /// All games were played.
    Complete,
    /// It was asked to stop.
    Stopped,
    /// Something went wrong.
    Failed,
    /// It stopped without a word: whoever played was killed.
    Lost,
}

impl RunState {
    const ALL: [Self; 5] = [Self::Running, Self::Complete, Self::Stopped, Self::Failed, Self::Lost];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Lost => "lost",
        }
    }
}

/// An event as something that is played now or was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The event.
    pub event: Event,
    /// Who takes part, in the order of the event.
    pub entrants: Vec<Entrant>,
    /// Games that are to be played in all.
    pub planned: u64,
    /// Games there are.
    pub played: u64,
    /// What is needed to play it again beside the event, for whoever wrote it.
    pub asked: Option<String>,
    /// What became of it.
    pub state: RunState,
    /// What went wrong.
    pub error: Option<String>,
    /// When it was begun, the last time.
    pub begun: String,
}

/// Somebody who takes part in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Id of the participant.
    pub participant: String,
    /// How it was called by whoever began the run, as in `d3`.
    pub label: String,
}

/// How a game of an event ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Its place among all games of the database in the order in which they came.
    pub place: i64,
    /// Id of the participant in every seat.
    pub participants: Vec<String>,
    /// The rank of every seat.
    pub ranks: Vec<u8>,
}

impl Store {
    /// Says that an event is played from now on.
    ///
    /// # Errors
    /// If the database cannot be written, or does not know the event or a participant.
    pub fn run_begins(
        &mut self,
        event: &str,
        planned: u64,
        entrants: &[Entrant],
        asked: Option<&str>,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO runs (event, planned, asked, state, seen) VALUES (?1, ?2, ?3, 'running', unixepoch())
                 ON CONFLICT (event) DO UPDATE SET planned = ?2, asked = ?3, state = 'running', error = NULL,
                     begun = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), seen = unixepoch()",
                params![event, planned as i64, asked],
            )?;
            let mut insert = transaction.prepare(
                "INSERT INTO entrants (event, place, participant, label) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (event, place) DO UPDATE SET label = ?4",
            )?;
            for (place, entrant) in (0_i64..).zip(entrants) {
                insert.execute(params![event, place, entrant.participant, entrant.label])?;
            }
            Ok(())
        })
    }

    /// Says that whoever plays an event is still there.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn run_goes_on(&mut self, event: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("UPDATE runs SET seen = unixepoch() WHERE event = ?1", [event]).map(|_| ())
        })
    }

    /// Says what became of a run.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn run_ends(&mut self, event: &str, state: RunState, error: Option<&str>) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction
                .execute(
                    "UPDATE runs SET state = ?2, error = ?3, seen = unixepoch() WHERE event = ?1",
                    params![event, state.name(), error],
                )
                .map(|_| ())
        })
    }

    /// Runs, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn runs(&self, limit: u64) -> Result<Vec<Run>, StoreError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut query =
                transaction.prepare(&format!("{RUN} ORDER BY begun DESC, runs.rowid DESC LIMIT ?2"))?;
            let runs = query.query_map(params![SILENCE, limit as i64], run_from_row)?;
            let mut runs = runs.collect::<rusqlite::Result<Vec<Run>>>()?;
            for run in &mut runs {
                run.entrants = entrants(&transaction, &run.event.id)?;
            }
            Ok(runs)
        })
    }

    /// The run of an event whose id begins so.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn run(&self, id: &str) -> Result<Option<Run>, StoreError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut query =
                transaction.prepare(&format!("{RUN} WHERE substr(events.id, 1, length(?2)) = ?2"))?;
            let found = query.query_row(params![SILENCE, id], run_from_row).optional()?;
            let Some(mut run) = found else { return Ok(None) };
            run.entrants = entrants(&transaction, &run.event.id)?;
            Ok(Some(run))
        })
    }

    /// How the games of an event ended that came after the one at `place`, in the order in which they came.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn endings(&self, event: &str, place: i64) -> Result<Vec<Ending>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare(
                "SELECT games.rowid AS place, seat, participant, rank
                 FROM games JOIN seats ON seats.event = games.event AND seats.number = games.number
                 WHERE games.event = ?1 AND games.rowid > ?2 ORDER BY games.rowid, seat",
            )?;
            let (mut rows, mut endings) = (query.query(params![event, place])?, Vec::<Ending>::new());
            while let Some(row) = rows.next()? {
                let place = row.get("place")?;
                if endings.last().is_none_or(|ending| ending.place != place) {
                    endings.push(Ending { place, participants: Vec::new(), ranks: Vec::new() });
                }
                if let Some(ending) = endings.last_mut() {
                    ending.participants.push(row.get("participant")?);
                    ending.ranks.push(row.get("rank")?);
                }
            }
            Ok(endings)
        })
    }
}

/// Runs with their events; the first parameter is how long silence is no death.
const RUN: &str = "
    SELECT events.id, kind, scale, config, planned, asked, error, begun,
        (SELECT count(*) FROM games WHERE games.event = events.id) AS played,
        CASE WHEN state = 'running' AND seen < unixepoch() - ?1 THEN 'lost' ELSE state END AS state
    FROM runs JOIN events ON events.id = runs.event";

fn run_from_row(row: &Row<'_>) -> rusqlite::Result<Run> {
    let state: String = row.get("state")?;
    Ok(Run {
        event: Event::from_row(row)?,
        entrants: Vec::new(),
        planned: row.get::<_, i64>("planned")? as u64,
        played: row.get::<_, i64>("played")? as u64,
        asked: row.get("asked")?,
        state: RunState::ALL.into_iter().find(|known| known.name() == state).unwrap_or(RunState::Lost),
        error: row.get("error")?,
        begun: row.get("begun")?,
    })
}

fn entrants(connection: &rusqlite::Connection, event: &str) -> rusqlite::Result<Vec<Entrant>> {
    let mut query = connection
        .prepare_cached("SELECT participant, label FROM entrants WHERE event = ?1 ORDER BY place")?;
    let entrant = |row: &Row<'_>| Ok(Entrant { participant: row.get(0)?, label: row.get(1)? });
    query.query_map([event], entrant)?.collect()
}
