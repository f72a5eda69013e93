//! How long one move takes, seen from a client that asks for one after the other.

use std::{
    fs, io, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Settings, client::Connection};

/// When requests are sent and how long they took.
struct Clock {
    begun: Instant,
    /// From one request to the next; as soon as there is an answer if it is zero.
    every: Duration,
    wanted: usize,
    times: Vec<Duration>,
}

impl Clock {
    fn done(&self) -> bool {
        self.times.len() >= self.wanted
    }

    /// Asks at the next time. A request that had to wait for the one before has taken that long, too.
    fn time<T>(&mut self, ask: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let due = self.begun + self.every * self.times.len() as u32;
        let now = Instant::now();
        thread::sleep(due.saturating_duration_since(now));
        let sent = if self.every.is_zero() || now < due { Instant::now() } else { due };
        let answer = ask()?;
        self.times.push(sent.elapsed());
        Ok(answer)
    }
}

/// Measures `requests` moves, one after the other or spread over a time: of the agent of a level for the states of recorded
/// exchanges if there are any, else moves of a person in a game.
pub(crate) fn measure(settings: &Settings, over: Duration) -> io::Result<()> {
    let wanted = settings.number("requests", 2_000).max(1) as usize;
    let every = over / wanted as u32;
    let mut clock = Clock { begun: Instant::now(), every, wanted, times: Vec::new() };
    let what = if let Some(path) = settings.text("exchanges") {
        agents(settings, path, &mut clock)?;
        "POST /ai/move"
    } else {
        people(settings, &mut clock)?;
        "POST /api/games/{id}/moves"
    };
    let mut times = clock.times;
    times.sort_unstable();
    let part = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!(
        "{what}, {} requests: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        times.len(),
        part(0.5),
        part(0.9),
        part(0.99),
        part(1.0)
    );
    Ok(())
}

/// The states of square8 that the recorded service moved in, at the level to measure.
fn agents(settings: &Settings, path: &str, clock: &mut Clock) -> io::Result<()> {
    let level = settings.number("difficulty", 2);
    let board = settings.text("board").unwrap_or("square8");
    let mut bodies = Vec::new();
    for line in fs::read_to_string(path)?.lines() {
        let exchange: Value = serde_json::from_str(line)?;
        let mut body = exchange["request"].clone();
        let state = &body["game_state"];
        let on_board = state["board"]["type"] == board || state["boardType"] == board;
        if exchange["path"] == "/ai/move" && exchange["status"] == 200 && on_board {
            body["difficulty"] = json!(level);
            // The agent of the level, not one that the client named.
            body.as_object_mut().map(|body| body.remove("ai_type"));
            bodies.push(body.to_string());
        }
    }
    if bodies.is_empty() {
        return Err(io::Error::other(format!("{path} has no moves on {board}")));
    }
    let mut connection = Connection::open(settings.address)?;
    clock.begun = Instant::now();
    for body in bodies.iter().cycle() {
        if clock.done() {
            break;
        }
        clock.time(|| connection.ask("POST", "/ai/move", body))?;
    }
    Ok(())
}

/// Moves of two people, who play games until enough are made.
fn people(settings: &Settings, clock: &mut Clock) -> io::Result<()> {
    let mut connection = Connection::open(settings.address)?;
    let begin = json!({ "setup": { "game": "ringrift", "board": "square8" }, "seats": ["human", "human"] })
        .to_string();
    let mut game = Value::Null;
    while !clock.done() {
        let legal = game["view"]["moves"].as_array().map_or(0, Vec::len);
        if legal == 0 {
            game = serde_json::from_str(&connection.ask("POST", "/api/games", &begin)?)?;
            continue;
        }
        let chosen = &game["view"]["moves"][clock.times.len() * 7919 % legal]["text"];
        let (path, body) = (
            format!("/api/games/{}/moves", game["id"].as_str().unwrap_or_default()),
            json!({ "move": chosen, "ply": game["ply"] }),
        );
        let body = body.to_string();
        game = serde_json::from_str(&clock.time(|| connection.ask("POST", &path, &body))?)?;
    }
    Ok(())
}
