//! `/ai/moves_batch`: chooses moves in many games, one after the other.

use std::time::Instant;

use interchange::{BatchRequest, Client};
use search::Stop;
use serde_json::{Value, json};

use crate::{
    Answer, Caps,
    ai_move::{self, MoveParams},
};

pub(crate) fn respond(body: &[u8], caps: &Caps, stop: &Stop) -> Answer {
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
        // All games share the time of one request; the remaining time is divided equally among the remaining games.
        let left = caps.time.saturating_sub(start.elapsed());
        let part = left / (body.game_states.len() - index) as u32;
        let caps = Caps { time: part, ..caps.clone() };
        let params = MoveParams {
            player,
            difficulty: body.difficulty.0 as u8,
            ai_type: None,
            seed: None,
            nodes: Some(body.simulation_budget.0 as u64),
            client: Client::GameServer,
        };
        let decision = ai_move::decide(state, &params, &caps, stop);
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
