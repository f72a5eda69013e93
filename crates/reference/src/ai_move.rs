//! `/ai/move`: chooses a move that the client accepts.
//!
//! A client's list of legal moves can be longer than that of the rules: its game server does not require a player to move
//! the stack just placed, and lists captures of every stack after a move. The service therefore interprets the state as
//! strictly as possible: a legal move of the placed, moved or capturing stack is legal under every interpretation, and there
//! is always one. The list can also be shorter: it has no moves that decline a capture, a claim or a recovery, so the
//! service returns such a move only if there is no other.

use std::time::Instant;

use eval::{Heuristic, Persona};
use game::{Game, pick};
use interchange::{AiType, Client, GameState, MoveRequest, cell_key, client_move};
use ladder::Playable;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Cell, Geometry, Kind, Move, Phase, Position, on_board};
use search::{Report, Stop};
use serde_json::{Map, Value, json};

use crate::{
    Answer, Caps, clock,
    engines::{self, Engine},
    evaluate,
};

/// The decision in a state.
pub(crate) struct Decision {
    /// The move in the client's JSON; `None` if there is nothing to decide.
    pub(crate) m: Option<Value>,
    /// The evaluation for the mover, in points.
    pub(crate) evaluation: f64,
    /// The repairs that the state needed.
    pub(crate) repairs: Vec<String>,
    pub(crate) engine: Option<Engine>,
}

/// The parameters of a decision.
pub(crate) struct MoveParams {
    pub(crate) player: i64,
    pub(crate) difficulty: u8,
    pub(crate) ai_type: Option<AiType>,
    pub(crate) seed: Option<i64>,
    /// The number of nodes, if it overrides that of the level.
    pub(crate) nodes: Option<u64>,
    pub(crate) client: Client,
}

pub(crate) fn respond(body: &[u8], caps: &Caps, stop: &Stop) -> Answer {
    let start = Instant::now();
    let body: MoveRequest = match Answer::body(body) {
        Ok(body) => body,
        Err(refusal) => return refusal.labelled("none", 0, "invalid"),
    };
    let difficulty = body.difficulty.0 as u8;
    let params = MoveParams {
        player: body.player_number.0,
        difficulty,
        ai_type: body.ai_type,
        seed: body.seed.map(|seed| seed.0),
        nodes: None,
        // The game server always names an engine, the browser never does.
        client: if body.ai_type.is_some() { Client::GameServer } else { Client::Sandbox },
    };
    let decision = decide(&body.game_state, &params, caps, stop);
    let outcome = if decision.m.is_some() { "success" } else { "no_move" };
    let engine = decision.engine;
    // If no engine played, report the default of the level.
    let ai_type =
        engine.as_ref().map_or_else(|| engines::default_ai_type(difficulty), |engine| engine.ai_type);
    let model = engine.as_ref().and_then(|engine| engine.player.net.as_ref());
    let net = model.map(|net| net.id());
    let (nn, nnue) =
        if model.is_some_and(|net| net.has_policy()) { (net.clone(), None) } else { (None, net.clone()) };
    let mut response = json!({
        "move": decision.m,
        "evaluation": decision.evaluation,
        "thinking_time_ms": start.elapsed().as_millis() as u64,
        "ai_type": ai_type,
        "difficulty": difficulty,
        "heuristic_profile_id": engine.as_ref().and_then(|engine| engine.profile.clone()),
        "use_neural_net": net.is_some(),
        "nn_model_id": net,
        "nn_checkpoint": nn,
        "nnue_checkpoint": nnue,
        "fallback": engine.and_then(|engine| engine.fallback),
    });
    if !decision.repairs.is_empty() {
        let repairs: Vec<String> =
            decision.repairs.iter().take(5).map(|repair| repair.chars().take(120).collect()).collect();
        response["repairs"] = json!(repairs);
    }
    Answer::ok(response).labelled(ai_type, difficulty, outcome)
}

/// Chooses a move in a state.
pub(crate) fn decide(state: &GameState, params: &MoveParams, caps: &Caps, stop: &Stop) -> Decision {
    let nothing = Decision { m: None, evaluation: 0.0, repairs: Vec::new(), engine: None };
    let over = matches!(state.game_status.as_deref(), Some("completed" | "finished" | "abandoned"));
    if over || state.current_player != params.player {
        return nothing;
    }
    let Ok(board) = state.board() else { return nothing };
    on_board!(board, B => {
        let found = state.nearest::<B>();
        let Some(position) = found.position else {
            // If there is nothing to capture, skipping is the only legal move of the phase.
            let skips = &*state.current_phase == Phase::Capture.name();
            let m = skips.then(|| with_metadata(skip_capture(params.player), state, None));
            return Decision { m, repairs: found.repairs, ..nothing };
        };
        decide_here(&position, state, params, caps, stop, found.repairs)
    })
}

fn decide_here<B: Geometry>(
    position: &Position<B>,
    state: &GameState,
    params: &MoveParams,
    caps: &Caps,
    stop: &Stop,
    repairs: Vec<String>,
) -> Decision {
    let engine = Engine::new(params.difficulty, params.ai_type, params.nodes, position.venue(), caps);
    let seed = seed(position, state, params);
    let report = engine.player.agent(seed).think(position, &engine.limits, stop);
    let m = choose(&report, seed);
    let mover = position.to_move();
    let searched =
        report.candidates.iter().find(|candidate| candidate.m == m).and_then(|chosen| chosen.values);
    let evaluation = match searched.or(report.values) {
        Some(values) => evaluate::points(values.of(mover)),
        None if engine.profile.is_none() => 0.0,
        None => evaluate::lead(&Heuristic::<B>::new(Persona::default()), position, mover),
    };
    let fields = client_move(position, m, params.client);
    let m = with_metadata(fields, state, Some(&id_suffix::<B>(m)));
    Decision { m: Some(m), evaluation, repairs, engine: Some(engine) }
}

/// The seed of the agent, which depends on the position because clients send the same seed throughout a game. The same
/// request gives the same move.
fn seed<B: Geometry>(position: &Position<B>, state: &GameState, params: &MoveParams) -> u64 {
    let own = i64::from(params.difficulty) * 1_000 + params.player;
    let seed = params.seed.or(state.rng_seed).unwrap_or(own);
    (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ position.key()
}

/// The agent's move; if that declines something, its best move that does not.
fn choose(report: &Report<Move>, seed: u64) -> Move {
    let declines = |m: Move| matches!(m.kind(), Kind::SkipCapture | Kind::SkipTerritory | Kind::SkipRecovery);
    if !declines(report.best) {
        return report.best;
    }
    let others: Vec<Move> =
        report.candidates.iter().map(|candidate| candidate.m).filter(|&m| !declines(m)).collect();
    if others.is_empty() {
        return report.best;
    }
    if report.values.is_some() {
        return others[0];
    }
    others[pick(&mut Xoshiro256PlusPlus::seed_from_u64(!seed), others.len())]
}

fn skip_capture(player: i64) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), Kind::SkipCapture.name().into());
    fields.insert("player".to_owned(), player.into());
    fields.insert("to".to_owned(), json!({"x": 0, "y": 0}));
    fields
}

/// The part of a move's identifier that distinguishes it from other moves of its type.
fn id_suffix<B: Geometry>(m: Move) -> String {
    let key = |cell: Cell| cell_key::<B>(cell);
    match m.kind() {
        Kind::MoveStack | Kind::Capture | Kind::ChainCapture => {
            format!("{}-{}", key(m.cell()), key(Position::<B>::landing(m)))
        }
        Kind::PlaceRing => format!("{}x{}", key(m.cell()), m.count()),
        kind if kind.is_idle() || kind == Kind::SwapSides => String::new(),
        _ => key(m.cell()),
    }
}

/// Adds the identifier, the times and the phase to a move.
fn with_metadata(mut fields: Map<String, Value>, state: &GameState, name: Option<&str>) -> Value {
    let number = state.move_history.len() + 1;
    let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
    let id = match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind}-{name}-{number}"),
        None => format!("{kind}-{number}"),
    };
    fields.insert("id".to_owned(), id.into());
    fields.insert("timestamp".to_owned(), clock::now("Z").into());
    fields.insert("thinkTime".to_owned(), 0.into());
    fields.insert("moveNumber".to_owned(), number.into());
    fields.insert("phase".to_owned(), (*state.current_phase).into());
    Value::Object(fields)
}
