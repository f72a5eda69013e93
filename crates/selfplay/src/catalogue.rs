//! The catalogue of a data folder: which shards are complete.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use crate::SelfPlayError;

/// A complete shard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The index of its first game.
    pub first: u64,
    /// The number of games.
    pub games: u64,
    /// The number of decisions with statistics.
    pub decisions: u64,
    /// The number of plies.
    pub plies: u64,
    /// The BLAKE3 hash of its games, one line each, in hexadecimal.
    pub hash: String,
}

/// A database with one row per shard. It is opened for every access, so that threads can share the catalogue.
pub(crate) struct Catalogue {
    path: PathBuf,
}

/// Marks the file as ours.
const APPLICATION_ID: i64 = 0x5246_4C53;

impl Catalogue {
    /// Opens the catalogue at `path`, creating it if it does not exist.
    pub(crate) fn open(path: &Path) -> Result<Self, SelfPlayError> {
        let catalogue = Self { path: path.to_owned() };
        catalogue.connect()?;
        Ok(catalogue)
    }

    fn connect(&self) -> Result<Connection, SelfPlayError> {
        let path = &self.path;
        let failed = |source| SelfPlayError::Catalogue { path: path.to_owned(), source };
        let connection = Connection::open(path).map_err(failed)?;
        let id: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0)).map_err(failed)?;
        let tables: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(failed)?;
        if id != APPLICATION_ID && (id != 0 || tables > 0) {
            return Err(SelfPlayError::NotData {
                path: path.to_owned(),
                problem: "it is a database of something else".to_owned(),
            });
        }
        let schema = format!(
            "PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA application_id = {APPLICATION_ID};
             CREATE TABLE IF NOT EXISTS shards (
                 first INTEGER PRIMARY KEY,
                 games INTEGER NOT NULL,
                 decisions INTEGER NOT NULL,
                 plies INTEGER NOT NULL,
                 hash TEXT NOT NULL
             ) STRICT;"
        );
        connection.execute_batch(&schema).map_err(failed)?;
        Ok(connection)
    }

    fn failed(&self) -> impl Fn(rusqlite::Error) -> SelfPlayError + use<> {
        let path = self.path.clone();
        move |source| SelfPlayError::Catalogue { path: path.clone(), source }
    }

    /// All shards in order.
    pub(crate) fn shards(&self) -> Result<Vec<Shard>, SelfPlayError> {
        let failed = self.failed();
        let text = "SELECT first, games, decisions, plies, hash FROM shards ORDER BY first";
        let connection = self.connect()?;
        let mut statement = connection.prepare(text).map_err(&failed)?;
        let shard = |row: &rusqlite::Row<'_>| {
            let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
            Ok(Shard {
                first: number(0)?,
                games: number(1)?,
                decisions: number(2)?,
                plies: number(3)?,
                hash: row.get(4)?,
            })
        };
        let shards = statement.query_map([], shard).map_err(&failed)?;
        shards.collect::<Result<_, _>>().map_err(&failed)
    }

    pub(crate) fn insert(&self, shard: &Shard) -> Result<(), SelfPlayError> {
        let Shard { first, games, decisions, plies, hash } = shard;
        let values = params![*first as i64, *games as i64, *decisions as i64, *plies as i64, hash];
        let text = "INSERT OR REPLACE INTO shards VALUES (?1, ?2, ?3, ?4, ?5)";
        self.connect()?.execute(text, values).map_err(self.failed())?;
        Ok(())
    }

    pub(crate) fn remove(&self, first: u64) -> Result<(), SelfPlayError> {
        let text = "DELETE FROM shards WHERE first = ?1";
        self.connect()?.execute(text, params![first as i64]).map_err(self.failed())?;
        Ok(())
    }
}
