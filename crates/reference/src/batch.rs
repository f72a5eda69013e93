//! `/ai/moves_batch`: moves in many games, one after the other.

use std::time::Instant;

use interchange::{BatchRequest, Client};
use search::Stop;
use serde_json::{Value, json};

use crate::{
    Answer, Caps,
    moving::{self, Order},
};

pub(crate) fn answer(body: &[u8], caps: &Caps, stop: &Stop) -> Answer {
    let start = Instant::now();
    let body: BatchRequest = match Answer::body(body) {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let mode = body.mode.to_lowercase();
    if !["batch", "tensor"].contains(&mode.as_str()) {
        let short: String = mode.chars().take(80).collect();
        return Answer::error(400, &format!("Invalid mode '{short}'. Must be 'batch' or 'tensor'."));
    }
    let mut moves: Vec<Value> = Vec::with_capacity(body.game_states.len());
    for (index, (state, &player)) in body.game_states.iter().zip(&body.player_numbers).enumerate() {
        // All of them share the time of one request, the ones to come in equal parts.
        let left = caps.time.saturating_sub(start.elapsed());
        let part = left / (body.game_states.len() - index) as u32;
        let caps = Caps { time: part, ..caps.clone() };
        let order = Order {
            player,
            difficulty: body.difficulty.0 as u8,
            ai_type: None,
            seed: None,
            nodes: Some(body.simulation_budget.0 as u64),
            client: Client::GameServer,
        };
        let decision = moving::decide(state, &order, &caps, stop);
        moves.push(json!({"move": decision.m, "evaluation": decision.evaluation, "game_index": index}));
    }
    let games = moves.len();
    let seconds = start.elapsed().as_secs_f64();
    Answer::ok(json!({
        "moves": moves,
        "total_thinking_time_ms": (seconds * 1000.0) as u64,
        "games_processed": games,
        "mode": mode,
        "throughput_games_per_sec": games as f64 / seconds.max(1e-6),
    }))
}
