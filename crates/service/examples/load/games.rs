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

use crate::{Errors, STACK, Settings, client::Connection, moves};

/// What happened.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) games: AtomicU64,
    pub(crate) moves: AtomicU64,
    events: AtomicU64,
    watching: AtomicU64,
}

/// The game that is played at a table now, and the how manieth it is.
#[derive(Default)]
struct Table {
    game: Mutex<(u64, String)>,
    changed: Condvar,
}

impl Table {
    fn tell(&self, id: &str) {
        let mut game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
        *game = (game.0 + 1, id.to_owned());
        self.changed.notify_all();
    }

    /// The next game after the one of this number, unless there is none before `end`.
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
    let seen = &Seen::default();
    let tables: Vec<Table> = (0..games).map(|_| Table::default()).collect();
    let end = Instant::now() + Duration::from_secs(seconds);
    let most = thread::scope(|scope| -> io::Result<u64> {
        for (number, table) in (0..).zip(&tables) {
            let host = move || {
                give_way();
                host(settings, number, table, end, seen, errors);
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, host)?;
        }
        for (_, table) in (games..connections).zip(tables.iter().cycle()) {
            let watch = move || {
                give_way();
                watch(settings, table, end, seen, errors);
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, watch)?;
        }
        let beside =
            thread::Builder::new().name("measure".to_owned()).spawn_scoped(scope, || {
                match settings.number("requests", 0) {
                    0 => Ok(()),
                    _ => moves::measure(settings, left(end)),
                }
            })?;
        let mut most = 0;
        while Instant::now() < end {
            thread::sleep(left(end).min(Duration::from_millis(200)));
            most = most.max(seen.watching.load(Ordering::Relaxed));
        }
        beside.join().map_err(|_| io::Error::other("the measurement broke down"))??;
        Ok(most)
    })?;
    println!(
        "{games} games at a time for {seconds} s: {} finished, {} moves; up to {most} watched connections, {} events heard",
        seen.games.load(Ordering::Relaxed),
        seen.moves.load(Ordering::Relaxed),
        seen.events.load(Ordering::Relaxed),
    );
    if let Some(resident) = settings.resident_kb() {
        println!("memory of the service: {} MB", resident / 1024);
    }
    Ok(())
}

/// Lets the service and the measurement go before a thread that stands for a client elsewhere.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 10);
}

fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

/// Lets agents of the first three levels play game after game at a table.
fn host(settings: &Settings, number: u64, table: &Table, end: Instant, seen: &Seen, errors: &Errors) {
    let setup = json!({ "game": "ringrift", "board": "square8" });
    let mut number = number;
    while Instant::now() < end {
        let level = |place: u64| format!("d{}", 1 + (number / place) % 3);
        if let Err(error) = play(settings, &setup, &[level(1), level(3)], end, seen, |id| table.tell(id)) {
            errors.note(&error);
            thread::sleep(Duration::from_millis(100));
        }
        number += 7;
    }
}

/// Watches whatever is played at a table.
fn watch(settings: &Settings, table: &Table, end: Instant, seen: &Seen, errors: &Errors) {
    let mut number = 0;
    while let Some((next, id)) = table.next(number, end) {
        number = next;
        if let Err(error) = follow(settings, &id, end, seen) {
            errors.note(&error);
        }
    }
}

/// Begins a game, tells its name and watches it until it is over or the time is up.
pub(crate) fn play(
    settings: &Settings,
    setup: &Value,
    seats: &[String],
    end: Instant,
    seen: &Seen,
    tell: impl FnOnce(&str),
) -> io::Result<()> {
    let mut connection = Connection::open(settings.address)?;
    let body = json!({ "setup": setup, "seats": seats, "delay_ms": settings.number("delay", 0) }).to_string();
    let begun: Value = serde_json::from_str(&connection.ask("POST", "/api/games", &body)?)?;
    let id = begun["id"].as_str().unwrap_or_default();
    tell(id);
    if let Some(last) = follow(settings, id, end, seen)? {
        seen.games.fetch_add(1, Ordering::Relaxed);
        let moves = serde_json::from_str::<Value>(&last)?["ply"].as_u64().unwrap_or(0);
        seen.moves.fetch_add(moves, Ordering::Relaxed);
    } else {
        // Nobody will look at it again: it must not go on behind the next measurement.
        connection.ask("POST", &format!("/api/games/{id}/control"), r#"{"paused":true}"#)?;
    }
    Ok(())
}

/// Listens to a game until it is over or the time is up; tells how it was when it was over.
fn follow(settings: &Settings, id: &str, end: Instant, seen: &Seen) -> io::Result<Option<String>> {
    let mut connection = Connection::open(settings.address)?;
    connection.listen(&format!("/api/games/{id}/events"), end)?;
    seen.watching.fetch_add(1, Ordering::Relaxed);
    let outcome = loop {
        match connection.event(end) {
            Ok(Some(event)) => {
                seen.events.fetch_add(1, Ordering::Relaxed);
                if event.contains("\"status\":\"over\"") {
                    break Ok(Some(event));
                }
            }
            other => break other,
        }
    };
    seen.watching.fetch_sub(1, Ordering::Relaxed);
    outcome
}
