//! Runs: which events are being played and their progress, as seen from other processes.
//!
//! The process that plays an event records when the run begins and ends, and sends a heartbeat every few seconds. A run
//! without an end and without a recent heartbeat was killed.

use rusqlite::{OptionalExtension, Row, params};

use super::{Event, Store, StoreError};

/// The number of seconds after the last heartbeat for which a run counts as alive.
pub(super) const HEARTBEAT_TIMEOUT: i64 = 20;

/// The state of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// The event is being played.
    Running,
    /// All games are played.
    Complete,
    /// It was stopped on request.
    Stopped,
    /// It ended with an error.
    Failed,
    /// Its process ended without recording the end.
    Lost,
}

impl RunState {
    const ALL: [Self; 5] = [Self::Running, Self::Complete, Self::Stopped, Self::Failed, Self::Lost];

    /// The name in the database and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Lost => "lost",
        }
    }

    /// The state with this name; an unknown one counts as lost.
    pub(super) fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.name() == name).unwrap_or(Self::Lost)
    }
}

/// An event together with the state of its last run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The event.
    pub event: Event,
    /// The participants, in the order of the event.
    pub entrants: Vec<Entrant>,
    /// The total number of games.
    pub planned: u64,
    /// The number of stored games.
    pub played: u64,
    /// What is needed besides the event to play it again, in the format of the caller.
    pub asked: Option<String>,
    /// The state.
    pub state: RunState,
    /// The error, if the run failed.
    pub error: Option<String>,
    /// When it last began.
    pub begun: String,
}

/// A participant of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The id of the participant.
    pub participant: String,
    /// Its spec as given when the run began, such as `d3`.
    pub label: String,
}

/// The result of a game of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Its position among all games of the database, in the order of insertion.
    pub place: i64,
    /// The id of the participant in every seat.
    pub participants: Vec<String>,
    /// The rank of every seat.
    pub ranks: Vec<u8>,
}

impl Store {
    /// Records that a run of an event begins.
    ///
    /// # Errors
    /// If the database cannot be written, or the event or a participant is unknown.
    pub fn begin_run(
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

    /// Records a heartbeat of a run.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn record_heartbeat(&mut self, event: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("UPDATE runs SET seen = unixepoch() WHERE event = ?1", [event]).map(|_| ())
        })
    }

    /// Records the end of a run.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn end_run(&mut self, event: &str, state: RunState, error: Option<&str>) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction
                .execute(
                    "UPDATE runs SET state = ?2, error = ?3, seen = unixepoch() WHERE event = ?1",
                    params![event, state.name(), error],
                )
                .map(|_| ())
        })
    }

    /// Runs, latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn runs(&self, limit: u64) -> Result<Vec<Run>, StoreError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut query =
                transaction.prepare(&format!("{RUN} ORDER BY begun DESC, runs.rowid DESC LIMIT ?2"))?;
            let runs = query.query_map(params![HEARTBEAT_TIMEOUT, limit as i64], run_from_row)?;
            let mut runs = runs.collect::<rusqlite::Result<Vec<Run>>>()?;
            for run in &mut runs {
                run.entrants = entrants(&transaction, &run.event.id)?;
            }
            Ok(runs)
        })
    }

    /// The run of the event with this id or prefix of an id.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn run(&self, id: &str) -> Result<Option<Run>, StoreError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut query =
                transaction.prepare(&format!("{RUN} WHERE substr(events.id, 1, length(?2)) = ?2"))?;
            let found = query.query_row(params![HEARTBEAT_TIMEOUT, id], run_from_row).optional()?;
            let Some(mut run) = found else { return Ok(None) };
            run.entrants = entrants(&transaction, &run.event.id)?;
            Ok(Some(run))
        })
    }

    /// The results of the games of an event that were inserted after `place`, in the order of insertion.
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

/// Selects runs with their events; the first parameter is the heartbeat timeout.
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
        state: RunState::from_name(&state),
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
