//! The database of games. Every move is on disk before it is acknowledged.
//!
//! A single thread owns the connection. Updates that arrive while it writes are batched into one transaction, so that many
//! concurrent games cost little more than one.

use std::{path::Path, sync::mpsc, thread, time::Duration};

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use tokio::sync::oneshot;

use host::{Ply, Status};
use ladder::Models;

use super::game::{Game, NewGame, Progress};
use crate::ApiError;

/// The SQLite application id of these databases: `RIFG`.
const APPLICATION_ID: i32 = 0x5249_4647;
/// The version of the schema.
const VERSION: i32 = 1;

/// An update of one game, ready to be written.
pub(super) struct Update {
    id: String,
    created: String,
    begun: String,
    status: &'static str,
    progress: String,
    result: Option<String>,
    /// The first ply whose move is replaced by `moves`.
    from: usize,
    moves: Vec<String>,
}

impl Update {
    /// Creates the update that saves `game`, of which the first `saved` moves are already stored.
    pub(super) fn new(game: &Game, saved: usize) -> Result<Self, ApiError> {
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
            from: saved,
            moves: game.hosted.plies()[saved..].iter().map(line).collect::<Result<_, _>>()?,
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

/// A game as it is stored.
pub(super) struct StoredGame {
    id: String,
    created: String,
    begun: String,
    progress: String,
    moves: Vec<String>,
}

impl StoredGame {
    /// Restores the game, which includes replaying its moves.
    pub(super) fn restore(self, nets: &Models) -> Result<Game, ApiError> {
        let Self { id, created, begun, progress, moves } = self;
        let unreadable = |error: serde_json::Error| {
            ApiError::internal(format!("the stored game {id:?} is damaged: {error}"))
        };
        let begun: NewGame = serde_json::from_str(&begun).map_err(unreadable)?;
        let progress: Progress = serde_json::from_str(&progress).map_err(unreadable)?;
        let moves = moves.iter().map(|entry| serde_json::from_str(entry));
        let moves = moves.collect::<Result<Vec<Ply>, _>>().map_err(unreadable)?;
        Game::restored(id, created, begun, moves, progress, nets)
    }
}

/// A row of the list of games.
pub(super) struct Row {
    pub(super) created: String,
    pub(super) begun: NewGame,
    pub(super) status: String,
    pub(super) plies: usize,
    pub(super) result: Option<serde_json::Value>,
}

type Reply<T> = oneshot::Sender<Result<T, ApiError>>;

enum Command {
    Save(Box<Update>, Reply<()>),
    Load(String, Reply<Option<StoredGame>>),
    List(usize, Reply<Vec<(String, Option<Row>)>>),
    Unfinished(Reply<Vec<String>>),
    Probe(Reply<()>),
}

/// Reads and writes games on a dedicated thread.
#[derive(Clone)]
pub(super) struct GameStore {
    commands: mpsc::Sender<Command>,
}

impl GameStore {
    /// Opens the database, creating it if it does not exist.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened, belongs to another program or comes from a newer version.
    pub(super) fn open(path: &Path) -> Result<Self, ApiError> {
        let connection = connect(path)?;
        let (commands, received) = mpsc::channel();
        let path = path.to_owned();
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || serve(connection, &received, &path))
            .map_err(ApiError::internal)?;
        Ok(Self { commands })
    }

    async fn execute<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, ApiError> {
        let (reply, replied) = oneshot::channel();
        let closed = || ApiError::internal("the database of games is closed");
        self.commands.send(command(reply)).map_err(|_| closed())?;
        replied.await.map_err(|_| closed())?
    }

    /// Writes an update, and returns when it is on disk.
    pub(super) async fn save(&self, update: Update) -> Result<(), ApiError> {
        self.execute(|reply| Command::Save(Box::new(update), reply)).await
    }

    /// Loads the game with this id, if there is one.
    pub(super) async fn load(&self, id: &str) -> Result<Option<StoredGame>, ApiError> {
        self.execute(|reply| Command::Load(id.to_owned(), reply)).await
    }

    /// The ids of games with their rows, most recently changed first. A row that cannot be read is `None`.
    pub(super) async fn list(&self, limit: usize) -> Result<Vec<(String, Option<Row>)>, ApiError> {
        self.execute(|reply| Command::List(limit, reply)).await
    }

    /// The ids of games that are being played.
    pub(super) async fn unfinished(&self) -> Result<Vec<String>, ApiError> {
        self.execute(Command::Unfinished).await
    }

    /// Writes to the database without changing it.
    pub(super) async fn probe(&self) -> Result<(), ApiError> {
        self.execute(Command::Probe).await
    }
}

fn connect(path: &Path) -> Result<Connection, ApiError> {
    let failed = |error: rusqlite::Error| database_error(path, &error);
    let connection = Connection::open(path).map_err(failed)?;
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
    let (application, version) =
        (pragma("application_id").map_err(failed)?, pragma("user_version").map_err(failed)?);
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).map_err(failed)?;
    if (application != APPLICATION_ID && tables > 0) || version > VERSION {
        return Err(ApiError::internal(format!(
            "{} is no database of games that this version of riftlab can read: choose another folder with --data",
            path.display()
        )));
    }
    connection
        .execute_batch(&format!(
            "PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA wal_autocheckpoint = 4000;
             PRAGMA busy_timeout = 5000;
             PRAGMA application_id = {APPLICATION_ID};
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
        .map_err(failed)?;
    Ok(connection)
}

fn database_error(path: &Path, error: &rusqlite::Error) -> ApiError {
    ApiError::internal(format!("the database of games {} failed: {error}", path.display()))
}

/// The maximum number of updates in one transaction.
const MAX_BATCH: usize = 256;

/// The time to wait for further updates while many games are played. Ten updates in one transaction cost little more than
/// one.
const BATCH_DELAY: Duration = Duration::from_millis(2);

fn serve(mut connection: Connection, commands: &mpsc::Receiver<Command>, path: &Path) {
    let mut last_batch = 0;
    while let Ok(first) = commands.recv() {
        // A single game never waits.
        if last_batch > 1 {
            thread::sleep(BATCH_DELAY);
        }
        let mut updates = Vec::new();
        let mut next = Some(first);
        // All waiting updates are written together; the first other command ends the batch.
        let query = loop {
            match next {
                Some(Command::Save(update, reply)) => updates.push((update, reply)),
                other => break other,
            }
            next = if updates.len() < MAX_BATCH { commands.try_recv().ok() } else { None };
        };
        last_batch = updates.len();
        if !updates.is_empty() {
            let written = write_all(&mut connection, &updates);
            for (_, reply) in updates {
                let outcome = written.as_ref().map_err(|error| database_error(path, error));
                // A caller that has stopped waiting needs no reply.
                let _ = reply.send(outcome.copied());
            }
        }
        let _ = match query {
            None | Some(Command::Save(..)) => Ok(()),
            Some(Command::Load(id, reply)) => reply.send(load(&connection, &id)).map_err(drop),
            Some(Command::List(limit, reply)) => reply.send(list(&connection, limit)).map_err(drop),
            Some(Command::Unfinished(reply)) => reply.send(unfinished(&connection)).map_err(drop),
            Some(Command::Probe(reply)) => {
                // Setting the version to its present value is written like any other change.
                let written = connection.pragma_update(None, "user_version", VERSION);
                reply.send(written.map_err(|error| database_error(path, &error))).map_err(drop)
            }
        };
    }
}

fn write_all(connection: &mut Connection, updates: &[(Box<Update>, Reply<()>)]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for (update, _) in updates {
        update.write(&transaction)?;
    }
    transaction.commit()
}

fn load(connection: &Connection, id: &str) -> Result<Option<StoredGame>, ApiError> {
    let row = connection
        .prepare_cached("SELECT created, begun, progress FROM games WHERE id = ?1")
        .and_then(|mut query| {
            query.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()
        })
        .map_err(ApiError::internal)?;
    let Some((created, begun, progress)) = row else { return Ok(None) };
    let moves = connection
        .prepare_cached("SELECT entry FROM moves WHERE game = ?1 ORDER BY ply")
        .and_then(|mut query| query.query_map([id], |row| row.get(0))?.collect())
        .map_err(ApiError::internal)?;
    Ok(Some(StoredGame { id: id.to_owned(), created, begun, progress, moves }))
}

fn list(connection: &Connection, limit: usize) -> Result<Vec<(String, Option<Row>)>, ApiError> {
    connection
        .prepare_cached(
            "SELECT id, created, begun, status, plies, result FROM games ORDER BY changed DESC LIMIT ?1",
        )
        .and_then(|mut query| {
            query
                .query_map([limit as i64], |row| Ok((row.get(0).unwrap_or_default(), read_row(row))))?
                .collect()
        })
        .map_err(ApiError::internal)
}

/// A row of the list of games, or `None` if it is damaged.
fn read_row(row: &rusqlite::Row<'_>) -> Option<Row> {
    let text = |column| row.get::<_, String>(column).ok();
    let result = row.get::<_, Option<String>>(5).ok()?;
    Some(Row {
        created: text(1)?,
        begun: serde_json::from_str(&text(2)?).ok()?,
        status: text(3)?,
        plies: usize::try_from(row.get::<_, i64>(4).ok()?).ok()?,
        result: result.and_then(|result| serde_json::from_str(&result).ok()),
    })
}

fn unfinished(connection: &Connection) -> Result<Vec<String>, ApiError> {
    connection
        .prepare_cached("SELECT id FROM games WHERE status = 'playing' ORDER BY changed DESC LIMIT 1000")
        .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
        .map_err(ApiError::internal)
}
