//! How long one move takes, seen from a client that asks for one after the other.

use std::{
    fs, io,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Settings, client::Connection};

/// Measures `requests` moves: of the agent of a level for the states of recorded exchanges if there are any, else moves of a
/// person in a game.
pub(crate) fn measure(settings: &Settings) -> io::Result<()> {
    let requests = settings.number("requests", 2_000) as usize;
    let (what, mut times) = match settings.text("exchanges") {
        Some(path) => ("POST /ai/move", agents(settings, path, requests)?),
        None => ("POST /api/games/{id}/moves", people(settings, requests)?),
    };
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
fn agents(settings: &Settings, path: &str, requests: usize) -> io::Result<Vec<Duration>> {
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
    let mut times = Vec::new();
    for body in bodies.iter().cycle().take(requests) {
        let begun = Instant::now();
        connection.ask("POST", "/ai/move", body)?;
        times.push(begun.elapsed());
    }
    Ok(times)
}

/// Moves of two people, who play games until enough are made.
fn people(settings: &Settings, requests: usize) -> io::Result<Vec<Duration>> {
    let mut connection = Connection::open(settings.address)?;
    let mut times = Vec::new();
    let begin = json!({ "setup": { "game": "ringrift", "board": "square8" }, "seats": ["human", "human"] })
        .to_string();
    let mut game = Value::Null;
    while times.len() < requests {
        let legal = game["view"]["moves"].as_array().map_or(0, Vec::len);
        if legal == 0 {
            game = serde_json::from_str(&connection.ask("POST", "/api/games", &begin)?)?;
            continue;
        }
        let chosen = &game["view"]["moves"][times.len() * 7919 % legal]["text"];
        let (path, body) = (
            format!("/api/games/{}/moves", game["id"].as_str().unwrap_or_default()),
            json!({ "move": chosen, "ply": game["ply"] }),
        );
        let begun = Instant::now();
        let answer = connection.ask("POST", &path, &body.to_string())?;
        times.push(begun.elapsed());
        game = serde_json::from_str(&answer)?;
    }
    Ok(times)
}
