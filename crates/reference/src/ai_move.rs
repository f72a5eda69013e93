//! `/ai/move`: from a state to a move that the client takes.
//!
//! Which moves may be answered. A client's own list can be longer than the rules allow: its game server does not hold
//! a player to the stack just placed, and lists captures of every stack after a move. So the strictest reading is
//! taken: what is legal for the placed, moved or capturing stack is legal under every reading, and there always is
//! such a move. It can also be shorter: declining to capture, to claim or to recover is no move of the game server, so
//! it is answered only where nothing else is possible.

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

/// What was decided in one state.
pub(crate) struct Decision {
    /// The move as the client spells it; `None` if there is nothing to decide.
    pub(crate) m: Option<Value>,
    /// What the mover can expect, in points.
    pub(crate) evaluation: f64,
    /// What had to be bent to understand the state.
    pub(crate) repairs: Vec<String>,
    pub(crate) engine: Option<Engine>,
}

/// How a decision is to be made.
pub(crate) struct Order {
    pub(crate) player: i64,
    pub(crate) difficulty: u8,
    pub(crate) ai_type: Option<AiType>,
    pub(crate) seed: Option<i64>,
    /// Nodes instead of the level's own.
    pub(crate) nodes: Option<u64>,
    pub(crate) client: Client,
}

pub(crate) fn answer(body: &[u8], caps: &Caps, stop: &Stop) -> Answer {
    let start = Instant::now();
    let body: MoveRequest = match Answer::body(body) {
        Ok(body) => body,
        Err(refusal) => return refusal.labelled("none", 0, "invalid"),
    };
    let difficulty = body.difficulty.0 as u8;
    let order = Order {
        player: body.player_number.0,
        difficulty,
        ai_type: body.ai_type,
        seed: body.seed.map(|seed| seed.0),
        nodes: None,
        // The game server always names an engine, the page never does.
        client: if body.ai_type.is_some() { Client::GameServer } else { Client::Sandbox },
    };
    let decision = decide(&body.game_state, &order, caps, stop);
    let outcome = if decision.m.is_some() { "success" } else { "no_move" };
    let engine = decision.engine;
    // Nobody played: say who would have.
    let ai_type = engine.as_ref().map_or_else(|| engines::usual(difficulty), |engine| engine.ai_type);
    let mut answer = json!({
        "move": decision.m,
        "evaluation": decision.evaluation,
        "thinking_time_ms": start.elapsed().as_millis() as u64,
        "ai_type": ai_type,
        "difficulty": difficulty,
        "heuristic_profile_id": engine.as_ref().and_then(|engine| engine.profile.clone()),
        "use_neural_net": false,
        "nn_model_id": null,
        "nn_checkpoint": null,
        "nnue_checkpoint": null,
        "fallback": engine.and_then(|engine| engine.fallback),
    });
    if !decision.repairs.is_empty() {
        let told: Vec<String> =
            decision.repairs.iter().take(5).map(|repair| repair.chars().take(120).collect()).collect();
        answer["repairs"] = json!(told);
    }
    Answer::ok(answer).labelled(ai_type, difficulty, outcome)
}

/// Decides in a state.
pub(crate) fn decide(state: &GameState, order: &Order, caps: &Caps, stop: &Stop) -> Decision {
    let nothing = Decision { m: None, evaluation: 0.0, repairs: Vec::new(), engine: None };
    let over = matches!(state.game_status.as_deref(), Some("completed" | "finished" | "abandoned"));
    if over || state.current_player != order.player {
        return nothing;
    }
    let Ok(board) = state.board() else { return nothing };
    on_board!(board, B => {
        let found = state.nearest::<B>();
        let Some(position) = found.position else {
            // Nothing to capture after all: the only thing to say in that phase.
            let skips = &*state.current_phase == Phase::Capture.name();
            let m = skips.then(|| spelled(skip_capture(order.player), state, None));
            return Decision { m, repairs: found.repairs, ..nothing };
        };
        decide_here(&position, state, order, caps, stop, found.repairs)
    })
}

fn decide_here<B: Geometry>(
    position: &Position<B>,
    state: &GameState,
    order: &Order,
    caps: &Caps,
    stop: &Stop,
    repairs: Vec<String>,
) -> Decision {
    let engine = Engine::new(order.difficulty, order.ai_type, order.nodes, position.venue(), caps);
    let seed = seed(position, state, order);
    let report = engine.player.agent(seed).think(position, &engine.limits, stop);
    let m = choose(&report, seed);
    let mover = position.to_move();
    let looked = report.candidates.iter().find(|candidate| candidate.m == m).and_then(|chosen| chosen.values);
    let evaluation = match looked.or(report.values) {
        Some(values) => evaluate::points(values.of(mover)),
        None if engine.profile.is_none() => 0.0,
        None => evaluate::of_seat(&Heuristic::<B>::new(Persona::default()), position, mover),
    };
    let fields = client_move(position, m, order.client);
    let m = spelled(fields, state, Some(&name_of::<B>(m)));
    Decision { m: Some(m), evaluation, repairs, engine: Some(engine) }
}

/// The same seed and the same request give the same move; another position gives another stream, since clients send
/// one seed a game.
fn seed<B: Geometry>(position: &Position<B>, state: &GameState, order: &Order) -> u64 {
    let own = i64::from(order.difficulty) * 1_000 + order.player;
    let seed = order.seed.or(state.rng_seed).unwrap_or(own);
    (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ position.key()
}

/// The agent's move or, if that one declines something, its best that does not.
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

/// What tells a move from the others of its type in its identifier.
fn name_of<B: Geometry>(m: Move) -> String {
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

/// A move with identifier and times.
fn spelled(mut fields: Map<String, Value>, state: &GameState, name: Option<&str>) -> Value {
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
