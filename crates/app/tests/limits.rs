//! The service at the limits of the system: few files, a full disk.
#![cfg(target_os = "linux")]

#[path = "support/server.rs"]
mod server;

use std::{io::Write, net::TcpStream};

use serde_json::{Value, json};

use server::Served;

/// Plays the first legal move of a game. Returns the status of the response.
fn play(server: &Served, id: &str) -> u16 {
    let game = server.game(id);
    let body = json!({ "move": game["view"]["moves"][0]["text"], "ply": game["ply"] });
    server.post(&format!("/api/games/{id}/moves"), &body).status
}

/// The response of a monitoring route, which must have this status.
fn status(server: &Served, path: &str, status: u16) -> Value {
    server.get(path).json(status)
}

#[test]
fn requests_that_never_end_do_not_use_up_the_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Served::start_after("ulimit -n 300", folder.path());
    let halves: Vec<TcpStream> = (0..320)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address()).expect("a connection");
            // Those that have already been closed again cannot be written to.
            let _ = write!(stream, "POST /api/games HTTP/1.1\r\nHost: localhost\r\n");
            stream
        })
        .collect();
    assert_eq!(status(&server, "/health", 200)["status"], "healthy");
    assert_eq!(status(&server, "/live", 200)["live"], true);
    let other = server.get("/api/games");
    assert!(matches!(other.status, 429 | 200), "the client may have used up its share: {}", other.body);
    drop(halves);
    let freed = (0..10_000).any(|_| server.get("/api/games").status == 200);
    assert!(freed, "the connections are free again");
    // There are files left for the databases.
    let id = server.begin(&json!({ "setup": { "game": "go", "size": 5 }, "seats": ["human", "human"] }));
    assert_eq!(play(&server, &id), 200);
}

#[test]
fn a_full_disk_shows_in_the_health_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // A file that cannot grow is what a full disk looks like to a process that ignores the signal about it.
    let mut server = Served::start_after("trap '' XFSZ; ulimit -f 600", folder.path());
    let begin = json!({ "setup": { "game": "go", "size": 9 }, "seats": ["human", "human"] });
    let id = server.begin(&begin);
    assert_eq!(status(&server, "/health", 200)["components"]["games"], "healthy");
    let mut played = 0;
    while play(&server, &id) == 200 {
        played += 1;
        assert!(played < 70, "the file may have no more than 600 blocks");
    }
    // The last test write may have been a moment ago, when there was space.
    let unhealthy = (0..100_000).map(|_| server.get("/health")).find(|answer| answer.status == 503);
    let health = unhealthy.expect("the health is bad").json(503);
    assert_eq!(health["components"]["games"], "unhealthy", "{health}");
    assert!(health["issues"][0].as_str().is_some_and(|issue| issue.contains("games.db")), "{health}");
    assert_eq!(status(&server, "/ready", 503)["ready"], false);
    assert_eq!(status(&server, "/live", 200)["live"], true);
    assert_eq!(server.game(&id)["ply"], played, "what was refused was not played");
    server.kill();
    server = Served::start(folder.path());
    assert_eq!(server.game(&id)["ply"], played, "what was acknowledged is stored");
    assert_eq!(status(&server, "/ready", 200)["ready"], true);
    assert_eq!(play(&server, &id), 200);
}
