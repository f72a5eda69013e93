//! The file of games: every move is on disk before it is acknowledged.
//!
//! One thread writes. What is asked while it writes is written together, in one transaction, so that many games at once
//! cost hardly more than one.

use std::{path::Path, sync::mpsc, thread, time::Duration};

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use tokio::sync::oneshot;

use host::{Ply, Status};

use super::game::{Game, NewGame, Progress};
use crate::{ApiError, ErrorKind};

/// What is written into a file that is ours: `RIFG`.
const APPLICATION: i32 = 0x5249_4647;
/// The version of the tables.
const VERSION: i32 = 1;

/// A change that is to be kept.
pub(super) struct Change {
    id: String,
    created: String,
    begun: String,
    status: &'static str,
    progress: String,
    result: Option<String>,
    /// Moves from this ply on are replaced by `moves`.
    from: usize,
    moves: Vec<String>,
}

impl Change {
    /// What makes the file agree with `game`, of which it has the first `kept` moves.
    pub(super) fn new(game: &Game, kept: usize) -> Result<Self, ApiError> {
        let json = |value: Result<String, serde_json::Error>| value.map_err(ApiError::internal);
        let line = |ply: &Ply| json(serde_json::to_string(ply));
        Ok(Self {
            id: game.id.clone(),
            created: game.created.clone(),
            begun: json(serde_json::to_string(&game.begun))?,
            status: match game.status() {
                Status::Playing => "playing",
                Status::Scoring => "scoring",
                Status::Over => "over",
            },
            progress: json(serde_json::to_string(&game.progress()))?,
            result: game.result().map(|result| json(serde_json::to_string(&result))).transpose()?,
            from: kept,
            moves: game.hosted.plies()[kept..].iter().map(line).collect::<Result<_, _>>()?,
        })
    }

    fn write(&self, to: &Transaction<'_>) -> rusqlite::Result<()> {
        to.prepare_cached(
            "INSERT INTO games (id, created, begun, status, progress, result, plies, changed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, unixepoch('subsec'))
             ON CONFLICT (id) DO UPDATE SET status = ?4, progress = ?5, result = ?6, plies = ?7,
                 changed = unixepoch('subsec')",
        )?
        .execute(params![
            self.id,
            self.created,
            self.begun,
            self.status,
            self.progress,
            self.result,
            (self.from + self.moves.len()) as i64
        ])?;
        to.prepare_cached("DELETE FROM moves WHERE game = ?1 AND ply >= ?2")?
            .execute(params![self.id, self.from as i64])?;
        let mut insert = to.prepare_cached("INSERT INTO moves (game, ply, entry) VALUES (?1, ?2, ?3)")?;
        for (ply, entry) in (self.from..).zip(&self.moves) {
            insert.execute(params![self.id, ply as i64, entry])?;
        }
        Ok(())
    }
}

/// A game as it stands in the list.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) created: String,
    pub(super) begun: NewGame,
    pub(super) status: String,
    pub(super) plies: usize,
    pub(super) result: Option<serde_json::Value>,
}

type Answer<T> = oneshot::Sender<Result<T, ApiError>>;

enum Order {
    Keep(Box<Change>, Answer<()>),
    Load(String, Answer<Option<Game>>),
    List(usize, Answer<Vec<Row>>),
    Unfinished(Answer<Vec<String>>),
}

/// Writes and reads games, on a thread of its own.
#[derive(Clone)]
pub(super) struct Keeper {
    orders: mpsc::Sender<Order>,
}

impl Keeper {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// If it cannot be opened, belongs to another program or comes from a newer version.
    pub(super) fn open(path: &Path) -> Result<Self, ApiError> {
        let connection = connect(path)?;
        let (orders, taken) = mpsc::channel();
        let path = path.to_owned();
        thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || serve(connection, &taken, &path))
            .map_err(ApiError::internal)?;
        Ok(Self { orders })
    }

    async fn ask<T>(&self, order: impl FnOnce(Answer<T>) -> Order) -> Result<T, ApiError> {
        let (answer, answered) = oneshot::channel();
        let gone = || ApiError::internal("the file of games is closed");
        self.orders.send(order(answer)).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Keeps a change; it is on disk when this returns.
    pub(super) async fn keep(&self, change: Change) -> Result<(), ApiError> {
        self.ask(|answer| Order::Keep(Box::new(change), answer)).await
    }

    /// A game by its name.
    pub(super) async fn load(&self, id: &str) -> Result<Option<Game>, ApiError> {
        self.ask(|answer| Order::Load(id.to_owned(), answer)).await
    }

    /// The games that changed last.
    pub(super) async fn list(&self, limit: usize) -> Result<Vec<Row>, ApiError> {
        self.ask(|answer| Order::List(limit, answer)).await
    }

    /// The names of games that are not over.
    pub(super) async fn unfinished(&self) -> Result<Vec<String>, ApiError> {
        self.ask(Order::Unfinished).await
    }
}

fn connect(path: &Path) -> Result<Connection, ApiError> {
    let named =
        |error: rusqlite::Error| ApiError::internal(format!("the file of games {}: {error}", path.display()));
    let connection = Connection::open(path).map_err(named)?;
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
    let (application, version) =
        (pragma("application_id").map_err(named)?, pragma("user_version").map_err(named)?);
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).map_err(named)?;
    if (application != APPLICATION && tables > 0) || version > VERSION {
        return Err(ApiError::internal(format!(
            "{} is not a file of games of this version of riftlab: name another folder with --data",
            path.display()
        )));
    }
    connection
        .execute_batch(&format!(
            "PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA wal_autocheckpoint = 4000;
             PRAGMA busy_timeout = 5000;
             PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {VERSION};
             CREATE TABLE IF NOT EXISTS games (
                 id TEXT PRIMARY KEY, created TEXT NOT NULL, begun TEXT NOT NULL, status TEXT NOT NULL,
                 progress TEXT NOT NULL, result TEXT, plies INTEGER NOT NULL, changed REAL NOT NULL);
             CREATE INDEX IF NOT EXISTS games_changed ON games (changed);
             CREATE INDEX IF NOT EXISTS games_status ON games (status);
             CREATE TABLE IF NOT EXISTS moves (
                 game TEXT NOT NULL, ply INTEGER NOT NULL, entry TEXT NOT NULL,
                 PRIMARY KEY (game, ply)) WITHOUT ROWID;"
        ))
        .map_err(named)?;
    Ok(connection)
}

/// The most changes in one transaction.
const BATCH: usize = 256;

/// How long to wait for company while many games are played: ten changes together cost little more than one.
const GATHERED: Duration = Duration::from_millis(2);

fn serve(mut connection: Connection, orders: &mpsc::Receiver<Order>, path: &Path) {
    let mut together = 0;
    while let Ok(first) = orders.recv() {
        // A game that is played alone never waits.
        if together > 1 {
            thread::sleep(GATHERED);
        }
        let mut changes = Vec::new();
        let mut next = Some(first);
        // Whatever waits is written together; the first question that is no change ends the batch.
        let question = loop {
            match next {
                Some(Order::Keep(change, answer)) => changes.push((change, answer)),
                other => break other,
            }
            next = if changes.len() < BATCH { orders.try_recv().ok() } else { None };
        };
        together = changes.len();
        if !changes.is_empty() {
            let written = write_all(&mut connection, &changes);
            for (_, answer) in changes {
                let told = written.as_ref().map_err(|error| {
                    ApiError::new(
                        ErrorKind::Internal,
                        format!("the file of games {}: {error}", path.display()),
                    )
                });
                // Whoever does not wait any more needs no answer.
                let _ = answer.send(told.copied());
            }
        }
        let _ = match question {
            None | Some(Order::Keep(..)) => Ok(()),
            Some(Order::Load(id, answer)) => answer.send(load(&connection, &id)).map_err(drop),
            Some(Order::List(limit, answer)) => answer.send(list(&connection, limit)).map_err(drop),
            Some(Order::Unfinished(answer)) => answer.send(unfinished(&connection)).map_err(drop),
        };
    }
}

fn write_all(connection: &mut Connection, changes: &[(Box<Change>, Answer<()>)]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for (change, _) in changes {
        change.write(&transaction)?;
    }
    transaction.commit()
}

fn load(connection: &Connection, id: &str) -> Result<Option<Game>, ApiError> {
    let row = connection
        .prepare_cached("SELECT created, begun, progress FROM games WHERE id = ?1")
        .and_then(|mut query| {
            query
                .query_row([id], |row| {
                    Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
                })
                .optional()
        })
        .map_err(ApiError::internal)?;
    let Some((created, begun, progress)) = row else { return Ok(None) };
    let begun: NewGame = serde_json::from_str(&begun).map_err(ApiError::internal)?;
    let progress: Progress = serde_json::from_str(&progress).map_err(ApiError::internal)?;
    let moves: Vec<Ply> = connection
        .prepare_cached("SELECT entry FROM moves WHERE game = ?1 ORDER BY ply")
        .and_then(|mut query| {
            query.query_map([id], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
        })
        .map_err(ApiError::internal)?
        .iter()
        .map(|entry| serde_json::from_str(entry))
        .collect::<Result<_, _>>()
        .map_err(ApiError::internal)?;
    Game::restored(id.to_owned(), created, begun, moves, progress).map(Some)
}

fn list(connection: &Connection, limit: usize) -> Result<Vec<Row>, ApiError> {
    let mut query = connection
        .prepare_cached(
            "SELECT id, created, begun, status, plies, result FROM games ORDER BY changed DESC LIMIT ?1",
        )
        .map_err(ApiError::internal)?;
    let rows = query
        .query_map([limit as i64], |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, String>(3)?,
                row.get::<_, i64>(4)?,
                row.get::<_, Option<String>>(5)?,
            ))
        })
        .map_err(ApiError::internal)?;
    let mut list = Vec::new();
    for row in rows {
        let (id, created, begun, status, plies, result) = row.map_err(ApiError::internal)?;
        let begun = serde_json::from_str(&begun).map_err(ApiError::internal)?;
        let result = result.and_then(|result| serde_json::from_str(&result).ok());
        list.push(Row { id, created, begun, status, plies: plies as usize, result });
    }
    Ok(list)
}

fn unfinished(connection: &Connection) -> Result<Vec<String>, ApiError> {
    connection
        .prepare_cached("SELECT id FROM games WHERE status = 'playing' ORDER BY changed DESC LIMIT 1000")
        .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
        .map_err(ApiError::internal)
}
