//! Databases that are damaged while the service runs.

use std::{
    fs::File,
    io::{Seek, SeekFrom, Write},
};

use rusqlite::Connection;
use serde_json::json;

use crate::wire::Wired;

const PAGE: u64 = 4096;

#[test]
fn a_damaged_database_shows_in_the_health() {
    let wired = Wired::start(|options| options);
    let points = (0..60).map(|at| format!("{}{}", char::from(b'A' + at % 8), at / 8 + 1));
    let moves: Vec<String> = points.collect();
    let setup = json!({ "game": "go", "size": 19 });
    let begin = json!({ "setup": setup, "seats": ["human", "human"], "moves": moves }).to_string();
    for _ in 0..5 {
        let begun = wired.ask("POST", "/api/games", &[], &begin);
        assert_eq!(begun.status, Some(201), "{}", begun.body);
    }
    // Everything is moved to the main file, of which the second half is damaged.
    let path = wired.folder.path().join("games.db");
    let database = Connection::open(&path).expect("a database");
    let left = database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    assert_eq!(left.ok(), Some(0), "the checkpoint is complete");
    drop(database);
    let mut file = File::options().write(true).open(&path).expect("a file");
    let pages = file.metadata().expect("a size").len() / PAGE;
    assert!(pages > 8, "{pages} pages");
    for page in pages / 2..pages {
        file.seek(SeekFrom::Start(page * PAGE)).expect("a page");
        file.write_all(&[0xa5; PAGE as usize]).expect("damage");
    }
    let health = wired.ask("GET", "/health", &[], "");
    assert_eq!(health.status, Some(503), "{}", health.body);
    let health = health.json();
    assert_eq!(health["components"]["games"], "unhealthy", "{health}");
    let found = health["issues"][0].as_str().is_some_and(|issue| issue.contains("games.db is damaged"));
    assert!(found, "{health}");
    let ready = wired.ask("GET", "/ready", &[], "");
    assert_eq!((ready.status, &ready.json()["ready"]), (Some(503), &json!(false)));
    assert_eq!(wired.ask("GET", "/live", &[], "").status, Some(200));
}
