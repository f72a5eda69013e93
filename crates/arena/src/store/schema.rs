//! The schema of the database, its migrations, and the checks when a file is opened.

use rusqlite::{Connection, Transaction};

use super::{BUSY_WAIT, Store, StoreError, retry_while_busy};

/// The SQLite application id of riftlab databases: "RIFT".
const APPLICATION_ID: i64 = 0x5249_4654;

/// The migrations from each schema version to the next, starting with an empty file. Released migrations never change.
const MIGRATIONS: [&str; 3] = [
    "
    CREATE TABLE participants (
        id TEXT PRIMARY KEY NOT NULL,
        name TEXT NOT NULL,
        net TEXT NOT NULL,
        spec TEXT NOT NULL,
        engine TEXT NOT NULL,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT;
    CREATE TABLE events (
        id TEXT PRIMARY KEY NOT NULL,
        kind TEXT NOT NULL,
        scale TEXT NOT NULL,
        config TEXT NOT NULL,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT;
    CREATE INDEX events_by_scale ON events (scale);
    CREATE TABLE games (
        event TEXT NOT NULL REFERENCES events (id),
        number INTEGER NOT NULL CHECK (number >= 0),
        plies INTEGER NOT NULL CHECK (plies >= 0),
        reason TEXT NOT NULL,
        seed TEXT NOT NULL,
        opening INTEGER NOT NULL CHECK (opening >= 0),
        fingerprint TEXT NOT NULL,
        record TEXT,
        stored TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        PRIMARY KEY (event, number)
    ) STRICT;
    CREATE TABLE seats (
        event TEXT NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL CHECK (seat BETWEEN 1 AND 4),
        participant TEXT NOT NULL REFERENCES participants (id),
        rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 4),
        engines TEXT NOT NULL,
        decisions INTEGER,
        nodes INTEGER,
        micros INTEGER,
        PRIMARY KEY (event, number, seat),
        FOREIGN KEY (event, number) REFERENCES games (event, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE snapshots (
        id INTEGER PRIMARY KEY NOT NULL,
        taken TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        scale TEXT NOT NULL,
        games INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE ratings (
        snapshot INTEGER NOT NULL REFERENCES snapshots (id),
        participant TEXT NOT NULL REFERENCES participants (id),
        elo REAL,
        low REAL,
        high REAL,
        games INTEGER NOT NULL,
        anchor INTEGER NOT NULL CHECK (anchor IN (0, 1)),
        PRIMARY KEY (snapshot, participant)
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE runs (
        event TEXT PRIMARY KEY NOT NULL REFERENCES events (id),
        planned INTEGER NOT NULL CHECK (planned >= 0),
        asked TEXT,
        state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'stopped', 'failed')),
        error TEXT,
        begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        seen INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE entrants (
        event TEXT NOT NULL REFERENCES runs (event),
        place INTEGER NOT NULL CHECK (place >= 0),
        participant TEXT NOT NULL REFERENCES participants (id),
        label TEXT NOT NULL,
        PRIMARY KEY (event, place)
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE jobs (
        id TEXT PRIMARY KEY NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('selfplay', 'train', 'pipeline')),
        output TEXT NOT NULL,
        title TEXT NOT NULL,
        config TEXT NOT NULL,
        planned INTEGER NOT NULL CHECK (planned >= 0),
        done INTEGER NOT NULL DEFAULT 0 CHECK (done >= 0),
        stage TEXT NOT NULL DEFAULT '',
        state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'stopped', 'failed')),
        error TEXT,
        begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        seen INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE job_rows (
        job TEXT NOT NULL REFERENCES jobs (id),
        name TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number >= 0),
        content TEXT NOT NULL,
        PRIMARY KEY (job, name, number)
    ) STRICT, WITHOUT ROWID;
",
];

/// Checks the file and migrates it. Files of other programs are never modified.
pub(super) fn prepare(store: &mut Store) -> Result<(), StoreError> {
    let path = store.path.clone();
    store.connection.busy_timeout(BUSY_WAIT).map_err(|error| StoreError::of(&path, error))?;
    let version = store.read(version)?;
    refuse_others(store, version)?;
    store.read(|connection| {
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
    })?;
    if version == Version::Schema(MIGRATIONS.len() as i64) {
        return check_integrity(store);
    }
    store.write(|transaction| {
        // Another process may have migrated the file in the meantime.
        let done = match self::version(transaction)? {
            Version::Empty => 0,
            Version::Schema(done) => done,
            Version::Other => return Ok(()),
        };
        migrate(transaction, done)
    })?;
    let version = store.read(self::version)?;
    refuse_others(store, version)
}

/// The kind and version of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    Empty,
    Schema(i64),
    Other,
}

fn version(connection: &Connection) -> rusqlite::Result<Version> {
    let number =
        |pragma: &str| connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (number("application_id")?, number("user_version")?) {
        (APPLICATION_ID, version) => Version::Schema(version),
        (0, 0) if tables == 0 => Version::Empty,
        _ => Version::Other,
    })
}

fn refuse_others(store: &Store, version: Version) -> Result<(), StoreError> {
    let path = store.path.clone();
    let known = MIGRATIONS.len() as i64;
    match version {
        Version::Other => {
            Err(StoreError::Foreign { path, found: "the SQLite database of another program".to_owned() })
        }
        Version::Schema(found) if found > known => Err(StoreError::Newer { path, found, known }),
        Version::Empty | Version::Schema(_) => Ok(()),
    }
}

fn migrate(transaction: &Transaction<'_>, done: i64) -> rusqlite::Result<()> {
    for migration in MIGRATIONS.iter().skip(done as usize) {
        transaction.execute_batch(migration)?;
    }
    let latest = MIGRATIONS.len() as i64;
    if done < latest {
        transaction.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {latest};"
        ))?;
    }
    Ok(())
}

/// Detects damage before a tournament rather than after it.
fn check_integrity(store: &Store) -> Result<(), StoreError> {
    let ask = |connection: &Connection| {
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
    };
    let what = retry_while_busy(&store.path, || ask(&store.connection))?;
    if what == "ok" { Ok(()) } else { Err(StoreError::Corrupt { path: store.path.clone(), what }) }
}
