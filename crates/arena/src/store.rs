//! Participants, games and ratings in one SQLite file.
//!
//! A game is known by its event and its number in it, and is stored once, whoever tries how often: events are named
//! by a hash of what they are, and game `i` of an event is always the same game. So a run that was killed at any
//! moment can simply be repeated, and several processes can write at the same time.
//!
//! What is acknowledged is on disk: every call that writes is one transaction, synced before it returns. Whoever
//! finds the file busy waits for its turn.
//!
//! What is deliberately absent: rules, agents and the meaning of specifications, configurations and records. They
//! are texts here. `docs/ratings.md` describes the tables.

mod error;
mod games;
mod history;
mod runs;
mod schema;

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::{content_id, participant_id};

pub use self::{
    error::StoreError,
    games::{Recorded, Scale, StoredGame},
    history::{RatingRow, Snapshot},
    runs::{Ending, Entrant, Run, RunState},
};

/// How long SQLite itself waits for another writer before we try again.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// How long we try in all.
const PATIENCE: Duration = Duration::from_mins(2);

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// Somebody who can be rated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// [`participant_id`] of net and specification.
    pub id: String,
    /// A short name for people, as in `none:mcts:s400`; several participants may share it.
    pub name: String,
    /// Content hash of the net, [`crate::NO_NET`] without one.
    pub net: String,
    /// The specification with every option resolved.
    pub spec: String,
    /// The program that knows what the specification means, with its version.
    pub engine: String,
}

impl Participant {
    /// A participant with the id that its net and its resolved specification give it.
    pub fn new(net: &str, spec: &str, name: &str, engine: &str) -> Self {
        Self {
            id: participant_id(net, spec),
            name: name.to_owned(),
            net: net.to_owned(),
            spec: spec.to_owned(),
            engine: engine.to_owned(),
        }
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            net: row.get("net")?,
            spec: row.get("spec")?,
            engine: row.get("engine")?,
        })
    }
}

/// A match, a gauntlet, a tournament: games that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Content hash of all the rest.
    pub id: String,
    /// What it is: `match`, `gauntlet`, `tournament`, `records`.
    pub kind: String,
    /// On which scale its games count, as in `ringrift/square8/2p`.
    pub scale: String,
    /// Everything its games depend on, resolved, as JSON.
    pub config: String,
}

impl Event {
    /// An event with the id that its content gives it.
    pub fn new(kind: &str, scale: &str, config: &str) -> Self {
        let id = content_id("riftlab event", &[kind, scale, config]);
        Self { id, kind: kind.to_owned(), scale: scale.to_owned(), config: config.to_owned() }
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("kind")?,
            scale: row.get("scale")?,
            config: row.get("config")?,
        })
    }
}

impl Store {
    /// Opens the database at `path`, and creates it if there is no file.
    ///
    /// # Errors
    /// If the file is something else, damaged, of a newer version or out of reach.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(path.as_ref(), OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens the database at `path`, which has to be there.
    ///
    /// # Errors
    /// As for [`Store::open`], and if there is no file.
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        Self::open_with(path, OpenFlags::empty())
    }

    fn open_with(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|error| StoreError::of(path, error))?;
        let mut store = Self { connection, path: path.to_owned() };
        schema::prepare(&mut store)?;
        Ok(store)
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that a participant is known. Returns whether it is new.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn register(&mut self, participant: &Participant) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let Participant { id, name, net, spec, engine } = participant;
            let added = transaction.execute(
                "INSERT INTO participants (id, name, net, spec, engine) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (id) DO NOTHING",
                params![id, name, net, spec, engine],
            )?;
            Ok(added == 1)
        })
    }

    /// Everybody known, by name.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn participants(&self) -> Result<Vec<Participant>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare("SELECT * FROM participants ORDER BY name, id")?;
            query.query_map([], Participant::from_row)?.collect()
        })
    }

    /// The participant with this id.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn participant(&self, id: &str) -> Result<Option<Participant>, StoreError> {
        self.read(|connection| {
            connection
                .query_row("SELECT * FROM participants WHERE id = ?1", [id], Participant::from_row)
                .optional()
        })
    }

    /// Makes sure that an event is known. Returns whether it is new.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn begin(&mut self, event: &Event) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let Event { id, kind, scale, config } = event;
            let added = transaction.execute(
                "INSERT INTO events (id, kind, scale, config) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO NOTHING",
                params![id, kind, scale, config],
            )?;
            Ok(added == 1)
        })
    }

    /// All events, in the order in which they came.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare("SELECT * FROM events ORDER BY rowid")?;
            query.query_map([], Event::from_row)?.collect()
        })
    }

    /// Runs `work` in a transaction that has the right to write from its beginning, again if another is faster.
    fn write<T>(
        &mut self,
        mut work: impl FnMut(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let Self { connection, path } = self;
        patiently(path, || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })
    }

    fn read<T>(&self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        patiently(&self.path, || work(&self.connection))
    }
}

/// Tries until the database is free for us.
fn patiently<T>(path: &Path, mut work: impl FnMut() -> rusqlite::Result<T>) -> Result<T, StoreError> {
    let start = Instant::now();
    loop {
        match work().map_err(|error| StoreError::of(path, error)) {
            // Some locks are refused at once instead of after the wait that we asked for.
            Err(StoreError::Busy { .. }) if start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(10));
            }
            done => return done,
        }
    }
}
