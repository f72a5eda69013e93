//! The database: participants, games, ratings and jobs of learning in one SQLite file.
//!
//! A game is identified by its event and its index in the event, and is stored only once: the id of an event is a hash
//! of its content, and game `i` of an event is always the same game. A run that was killed can therefore simply be
//! repeated, and several processes can write at the same time.
//!
//! Every call that writes is one transaction, which is on disk when the call returns. If another process has locked the
//! file, calls wait.
//!
//! Deliberately absent: rules, agents, and the meaning of specs, configurations and records, which are plain text here.
//! `docs/ratings.md` describes the tables.

mod error;
mod games;
mod history;
mod jobs;
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
    jobs::{Job, JobKind, JobRow, JobRun},
    runs::{Ending, Entrant, Run, RunState},
};

/// How long SQLite itself waits for another writer before a retry.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// The total time of retries.
const RETRY_TIMEOUT: Duration = Duration::from_mins(2);

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A participant in rated games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// The [`participant_id`] of net and spec.
    pub id: String,
    /// A short name such as `none:mcts:s400`; it need not be unique.
    pub name: String,
    /// The content hash of the net, or [`crate::NO_NET`].
    pub net: String,
    /// The resolved spec.
    pub spec: String,
    /// The program that interprets the spec, with its version.
    pub engine: String,
}

impl Participant {
    /// Creates a participant. Its id follows from the net and the resolved spec.
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

/// A match, gauntlet or tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The content hash of the other fields.
    pub id: String,
    /// The kind: `match`, `gauntlet`, `tournament` or `records`.
    pub kind: String,
    /// The rating scale, such as `ringrift/square8/2p`.
    pub scale: String,
    /// Everything that its games depend on, as JSON.
    pub config: String,
}

impl Event {
    /// Creates an event. Its id follows from its content.
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
    /// Opens the database at `path`, creating it if the file does not exist.
    ///
    /// # Errors
    /// If the file is not a riftlab database, is damaged, has a newer version or cannot be accessed.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(path.as_ref(), OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens the existing database at `path`.
    ///
    /// # Errors
    /// See [`Store::open`]; also if the file does not exist.
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

    /// The path of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a participant if it is new. Returns whether it is.
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

    /// All participants, by name.
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

    /// Adds an event if it is new. Returns whether it is.
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

    /// All events, oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare("SELECT * FROM events ORDER BY rowid")?;
            query.query_map([], Event::from_row)?.collect()
        })
    }

    /// Runs `work` in an immediate transaction, with retries while the database is busy.
    fn write<T>(
        &mut self,
        mut work: impl FnMut(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let Self { connection, path } = self;
        retry_while_busy(path, || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })
    }

    fn read<T>(&self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        retry_while_busy(&self.path, || work(&self.connection))
    }
}

/// Retries `work` while the database is busy.
fn retry_while_busy<T>(path: &Path, mut work: impl FnMut() -> rusqlite::Result<T>) -> Result<T, StoreError> {
    let start = Instant::now();
    loop {
        match work().map_err(|error| StoreError::of(path, error)) {
            // SQLite refuses some locks at once, regardless of its busy timeout.
            Err(StoreError::Busy { .. }) if start.elapsed() < RETRY_TIMEOUT => {
                thread::sleep(Duration::from_millis(10));
            }
            done => return done,
        }
    }
}
