//! Measures whether memory use stays constant over many short games.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    Errors, STACK_BYTES, Settings,
    games::{Counts, play},
};

pub(crate) fn run(settings: &Settings, errors: &Errors) -> io::Result<()> {
    let wanted = settings.number("games", 10_000);
    let (begun, counts) = (AtomicU64::new(0), Counts::default());
    let start = Instant::now();
    let end = start + Duration::from_secs(settings.number("seconds", 3_600));
    let player = || {
        let setup = json!({ "game": "go", "size": 5 });
        let seats = ["d1".to_owned(), "d1".to_owned()];
        while begun.fetch_add(1, Ordering::Relaxed) < wanted {
            if let Err(error) = play(settings, &setup, &seats, end, &counts, |_| ()) {
                errors.add(&error);
            }
        }
    };
    let report = |games: u64| {
        let memory = settings.resident_kb().map_or("?".to_owned(), |kb| format!("{:.1}", kb as f64 / 1024.0));
        let (moves, seconds) = (counts.moves.load(Ordering::Relaxed), start.elapsed().as_secs_f64());
        println!("{games} games, {moves} moves, {seconds:.0} s: {memory} MB");
    };
    thread::scope(|scope| -> io::Result<()> {
        let mut players = Vec::new();
        for _ in 0..settings.number("at_once", 20) {
            players.push(thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, player)?);
        }
        let step = (wanted / 10).max(1);
        let mut next = 0;
        while !players.iter().all(thread::ScopedJoinHandle::is_finished) {
            let games = counts.games.load(Ordering::Relaxed);
            if games >= next {
                report(games);
                next += step;
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    })?;
    report(counts.games.load(Ordering::Relaxed));
    Ok(())
}
