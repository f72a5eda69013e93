//! Measures the latency of `/ai/move`: `cargo run --release -p reference --example requests -- [difficulty] [requests]`.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::Instant;

use game::{Game, pick};
use interchange::{Client, client_move, client_state};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use reference::{Caps, Request, Service};
use ringrift::{Phase, Position, Rules, Square8};
use search::Stop;
use serde_json::{Value, json};

/// A request from the middle of a game on square8, with a full history of about a kilobyte per move.
fn body(difficulty: u64) -> Vec<u8> {
    let mut position = Position::<Square8>::new(&Rules { swap: true, ..Rules::new(2) });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut moves, mut history) = (Vec::new(), Vec::new());
    // Ring placement has the most legal moves.
    for number in 1.. {
        if number > 32 && position.phase() == Phase::RingPlacement {
            break;
        }
        position.legal_moves(&mut moves);
        let m = moves[pick(&mut rng, moves.len())];
        let mut spelled = client_move(&position, m, Client::GameServer);
        spelled.insert("id".to_owned(), "".into());
        spelled.insert("timestamp".to_owned(), "2026-01-01T00:00:00.000Z".into());
        spelled.insert("moveNumber".to_owned(), number.into());
        history.push(Value::Object(spelled));
        position.play_unchecked(m, &mut ());
    }
    let entry = |m: &Value| json!({"action": m, "stateHashBefore": "x".repeat(350), "stateHashAfter": "y".repeat(350)});
    let entries: Vec<Value> = history.iter().map(entry).collect();
    let mut state = client_state(&position, &history, Client::GameServer);
    state.insert("history".to_owned(), entries.into());
    let ai_type = if difficulty == 1 { "random" } else { "heuristic" };
    let player = position.to_move().number();
    let body = json!({
        "game_state": state, "player_number": player, "difficulty": difficulty, "ai_type": ai_type, "seed": 7,
    });
    body.to_string().into_bytes()
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|text| text.parse::<u64>().ok());
    let difficulty = arguments.next().unwrap_or(2);
    let requests = arguments.next().unwrap_or(2_000);
    let body = body(difficulty);
    let service = Service::new(Caps::default());
    let request = Request { method: "POST", path: "/ai/move", query: None, body: &body, admin_key: None };
    let mut times: Vec<u128> = (0..requests)
        .map(|_| {
            let start = Instant::now();
            let answer = service.handle(&request, &Stop::default());
            let text = answer.body.to_string();
            assert!(answer.status == 200 && text.contains("\"move\":{"));
            start.elapsed().as_micros()
        })
        .collect();
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("{} bytes, D{difficulty}: p50 {} µs, p99 {} µs", body.len(), at(0.5), at(0.99));
}
