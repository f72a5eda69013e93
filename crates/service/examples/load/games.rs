//! Games between agents, and watchers of them.

use std::{
    io,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Errors, STACK_BYTES, Settings, client::Connection, moves};

/// Counts of games, moves, events and open streams.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) games: AtomicU64,
    pub(crate) moves: AtomicU64,
    events: AtomicU64,
    watching: AtomicU64,
}

/// The current game of a table, with its number.
#[derive(Default)]
struct Table {
    game: Mutex<(u64, String)>,
    changed: Condvar,
}

impl Table {
    fn set_game(&self, id: &str) {
        let mut game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
        *game = (game.0 + 1, id.to_owned());
        self.changed.notify_all();
    }

    /// Waits for the game after number `number`. Returns `None` if there is none before `end`.
    fn next(&self, number: u64, end: Instant) -> Option<(u64, String)> {
        let game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |game: &mut (u64, String)| game.0 == number;
        let (game, waited) =
            self.changed.wait_timeout_while(game, left(end), same).unwrap_or_else(PoisonError::into_inner);
        (!waited.timed_out()).then(|| game.clone())
    }
}

pub(crate) fn run(settings: &Settings, errors: &Errors) -> io::Result<()> {
    let seconds = settings.number("seconds", 60);
    let games = settings.number("games", 200);
    let connections = settings.number("connections", 1000).max(games);
    let counts = &Counts::default();
    let tables: Vec<Table> = (0..games).map(|_| Table::default()).collect();
    let end = Instant::now() + Duration::from_secs(seconds);
    let most = thread::scope(|scope| -> io::Result<u64> {
        for (number, table) in (0..).zip(&tables) {
            let host = move || {
                lower_priority();
                host(settings, number, table, end, counts, errors);
            };
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, host)?;
        }
        for (_, table) in (games..connections).zip(tables.iter().cycle()) {
            let watch = move || {
                lower_priority();
                watch(settings, table, end, counts, errors);
            };
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, watch)?;
        }
        let measurement = thread::Builder::new().name("measure".to_owned()).spawn_scoped(scope, || {
            match settings.number("requests", 0) {
                0 => Ok(()),
                _ => moves::measure(settings, left(end)),
            }
        })?;
        let mut most = 0;
        while Instant::now() < end {
            thread::sleep(left(end).min(Duration::from_millis(200)));
            most = most.max(counts.watching.load(Ordering::Relaxed));
        }
        measurement.join().map_err(|_| io::Error::other("the measurement failed"))??;
        Ok(most)
    })?;
    println!(
        "{games} games at a time for {seconds} s: {} finished, {} moves; up to {most} watched connections, {} events received",
        counts.games.load(Ordering::Relaxed),
        counts.moves.load(Ordering::Relaxed),
        counts.events.load(Ordering::Relaxed),
    );
    if let Some(resident) = settings.resident_kb() {
        println!("memory of the service: {} MB", resident / 1024);
    }
    Ok(())
}

/// Lowers the priority of this thread, which stands for a client on another machine, below the service and the measurement.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 10);
}

fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

/// Runs consecutive games between agents of the first three levels at a table.
fn host(settings: &Settings, number: u64, table: &Table, end: Instant, counts: &Counts, errors: &Errors) {
    let setup = json!({ "game": "ringrift", "board": "square8" });
    let mut number = number;
    while Instant::now() < end {
        let level = |place: u64| format!("d{}", 1 + (number / place) % 3);
        if let Err(error) =
            play(settings, &setup, &[level(1), level(3)], end, counts, |id| table.set_game(id))
        {
            errors.add(&error);
            thread::sleep(Duration::from_millis(100));
        }
        number += 7;
    }
}

/// Watches all games of a table.
fn watch(settings: &Settings, table: &Table, end: Instant, counts: &Counts, errors: &Errors) {
    let mut number = 0;
    while let Some((next, id)) = table.next(number, end) {
        number = next;
        if let Err(error) = follow(settings, &id, end, counts) {
            errors.add(&error);
        }
    }
}

/// Creates a game, passes its id to `started` and watches it until it is over or `end`.
pub(crate) fn play(
    settings: &Settings,
    setup: &Value,
    seats: &[String],
    end: Instant,
    counts: &Counts,
    started: impl FnOnce(&str),
) -> io::Result<()> {
    let mut connection = Connection::open(settings.address)?;
    let body = json!({ "setup": setup, "seats": seats, "delay_ms": settings.number("delay", 0) }).to_string();
    let begun: Value = serde_json::from_str(&connection.request("POST", "/api/games", &body)?)?;
    let id = begun["id"].as_str().unwrap_or_default();
    started(id);
    if let Some(last) = follow(settings, id, end, counts)? {
        counts.games.fetch_add(1, Ordering::Relaxed);
        let moves = serde_json::from_str::<Value>(&last)?["ply"].as_u64().unwrap_or(0);
        counts.moves.fetch_add(moves, Ordering::Relaxed);
    } else {
        // An abandoned game must not disturb the next measurement.
        connection.request("POST", &format!("/api/games/{id}/control"), r#"{"paused":true}"#)?;
    }
    Ok(())
}

/// Follows a game until it is over or `end`, and returns its last event if it is over.
fn follow(settings: &Settings, id: &str, end: Instant, counts: &Counts) -> io::Result<Option<String>> {
    let mut connection = Connection::open(settings.address)?;
    connection.subscribe(&format!("/api/games/{id}/events"), end)?;
    counts.watching.fetch_add(1, Ordering::Relaxed);
    let outcome = loop {
        match connection.event(end) {
            Ok(Some(event)) => {
                counts.events.fetch_add(1, Ordering::Relaxed);
                if event.contains("\"status\":\"over\"") {
                    break Ok(Some(event));
                }
            }
            other => break other,
        }
    };
    counts.watching.fetch_sub(1, Ordering::Relaxed);
    outcome
}
