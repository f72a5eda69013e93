//! Measures the latency of moves from the point of view of a client that requests one after the other.

use std::{
    fs, io, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Settings, client::Connection};

/// The schedule of requests, and their latencies.
struct Clock {
    begun: Instant,
    /// The interval between requests; if zero, each is sent as soon as the previous one is answered.
    interval: Duration,
    wanted: usize,
    times: Vec<Duration>,
}

impl Clock {
    fn done(&self) -> bool {
        self.times.len() >= self.wanted
    }

    /// Sends the next request on schedule. Time spent waiting for the previous one counts towards its latency.
    fn time<T>(&mut self, send: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let due = self.begun + self.interval * self.times.len() as u32;
        let now = Instant::now();
        thread::sleep(due.saturating_duration_since(now));
        let sent = if self.interval.is_zero() || now < due { Instant::now() } else { due };
        let response = send()?;
        self.times.push(sent.elapsed());
        Ok(response)
    }
}

/// Measures `requests` moves, one after the other or spread over `over`: moves of an agent in the positions of recorded
/// exchanges if `exchanges` is given, otherwise moves of people in a game.
pub(crate) fn measure(settings: &Settings, over: Duration) -> io::Result<()> {
    let wanted = settings.number("requests", 2_000).max(1) as usize;
    let interval = over / wanted as u32;
    let mut clock = Clock { begun: Instant::now(), interval, wanted, times: Vec::new() };
    let what = if let Some(path) = settings.text("exchanges") {
        agents(settings, path, &mut clock)?;
        "POST /ai/move"
    } else {
        people(settings, &mut clock)?;
        "POST /api/games/{id}/moves"
    };
    let mut times = clock.times;
    times.sort_unstable();
    let percentile = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!(
        "{what}, {} requests: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        times.len(),
        percentile(0.5),
        percentile(0.9),
        percentile(0.99),
        percentile(1.0)
    );
    Ok(())
}

/// Requests moves at the given difficulty in the positions of recorded exchanges.
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
            // Use the agent of the level, not one that the client named.
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
        clock.time(|| connection.request("POST", "/ai/move", body))?;
    }
    Ok(())
}

/// Plays moves of people in games with two of them.
fn people(settings: &Settings, clock: &mut Clock) -> io::Result<()> {
    let mut connection = Connection::open(settings.address)?;
    let begin = json!({ "setup": { "game": "ringrift", "board": "square8" }, "seats": ["human", "human"] })
        .to_string();
    let mut game = Value::Null;
    while !clock.done() {
        let legal = game["view"]["moves"].as_array().map_or(0, Vec::len);
        if legal == 0 {
            game = serde_json::from_str(&connection.request("POST", "/api/games", &begin)?)?;
            continue;
        }
        let chosen = &game["view"]["moves"][clock.times.len() * 7919 % legal]["text"];
        let (path, body) = (
            format!("/api/games/{}/moves", game["id"].as_str().unwrap_or_default()),
            json!({ "move": chosen, "ply": game["ply"] }),
        );
        let body = body.to_string();
        game = serde_json::from_str(&clock.time(|| connection.request("POST", &path, &body))?)?;
    }
    Ok(())
}
