//! `/rules/evaluate_move`: checks whether a move is legal, and returns the state after it.

use game::{Game, Seat};
use interchange::{Client, EvaluateMoveRequest, ForeignMove, GameState, cell_key, client_state};
use ringrift::{Bits, Content, Geometry, Owes, Phase, Position, on_board};
use serde_json::{Map, Value, json};

use crate::Answer;

pub(crate) fn respond(bytes: &[u8]) -> Answer {
    let body: EvaluateMoveRequest = match Answer::body(bytes) {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let (state, m) = (&body.game_state.value, &body.r#move.value);
    let Ok(board) = state.board() else { return illegal("unknown board") };
    on_board!(board, B => match play::<B>(state, m) {
        Ok(after) => legal(&after, &body),
        Err(reason) => illegal(&reason),
    })
}

/// The response for an illegal move.
fn illegal(reason: &str) -> Answer {
    Answer::ok(json!({
        "valid": false, "validation_error": reason, "next_state": null, "state_hash": null, "s_invariant": null,
        "game_status": null,
    }))
}

/// The position after the move, under the strictest interpretation of the state in which it is legal.
fn play<B: Geometry>(state: &GameState, m: &ForeignMove) -> Result<Position<B>, String> {
    let Some(position) = state.nearest::<B>().position else {
        return Err("the seat to move has nothing to decide".to_owned());
    };
    if m.player.is_some_and(|player| player != position.to_move().number() as i64) {
        return Err(format!("it is the turn of player {}", position.to_move().number()));
    }
    if let Some(forfeit) = m.forfeit() {
        let mut after = position;
        after.forfeit(forfeit);
        return Ok(after);
    }
    let strictly = m.find(&position).map(|found| (position, found));
    let (mut after, found) = strictly.or_else(|reason| {
        let lenient = lenient_interpretations(state, &position);
        lenient
            .into_iter()
            .find_map(|position| m.find(&position).ok().map(|found| (position, found)))
            .ok_or(reason)
    })?;
    after.play_unchecked(found, &mut ());
    Ok(after)
}

/// Interpretations of the state by clients that do not require a player to use one stack: after a placement, if the state
/// does not name the stack, any stack may move; after a move, any stack may capture.
fn lenient_interpretations<B: Geometry>(state: &GameState, position: &Position<B>) -> Vec<Position<B>> {
    let with = |focus| {
        let mut draft = position.draft();
        draft.focus = focus;
        draft.build::<B>().ok()
    };
    match position.phase() {
        Phase::Movement if state.must_move_from_stack_key.is_none() => with(None).into_iter().collect(),
        Phase::Capture => {
            let own = position.controlled_by(position.to_move());
            own.cells().filter_map(|cell| with(Some(cell))).collect()
        }
        _ => Vec::new(),
    }
}

/// The response for a legal move.
fn legal<B: Geometry>(after: &Position<B>, body: &EvaluateMoveRequest) -> Answer {
    let status = if after.is_over() { "completed" } else { "active" };
    Answer::ok(json!({
        "valid": true, "validation_error": null, "next_state": next_state(after, body), "state_hash": hash(after, status),
        "s_invariant": invariant(after), "game_status": status,
    }))
}

/// The state of the request with everything that the move changes. Rings are listed from top to bottom, as clients do.
fn next_state<B: Geometry>(after: &Position<B>, body: &EvaluateMoveRequest) -> Value {
    let mut state = body.game_state.json.as_object().cloned().unwrap_or_default();
    let mut history = match state.remove("moveHistory") {
        Some(Value::Array(moves)) => moves,
        _ => Vec::new(),
    };
    history.push(body.r#move.json.clone());
    let players = state.remove("players");
    let fresh = client_state(after, &[], Client::Sandbox);
    let turn =
        ["mustMoveFromStackKey", "chainCapturePosition", "chainCaptureState", "pendingLineRewardElimination"];
    for name in turn.iter().chain(&["winner"]) {
        state.remove(*name);
    }
    let changed = ["board", "currentPhase", "currentPlayer", "gameStatus", "winner", "totalRingsEliminated"];
    for name in changed.iter().chain(&turn) {
        if let Some(value) = fresh.get(*name) {
            state.insert((*name).to_owned(), value.clone());
        }
    }
    let set = |state: &mut Map<String, Value>, name: &str, value: Value| {
        state.insert(name.to_owned(), value);
    };
    set(&mut state, "moveHistory", history.into());
    set(&mut state, "players", with_counts(players, after));
    set(&mut state, "pendingLineRewardElimination", (after.owes() == Owes::Line).into());
    if let Some(time) = body.r#move.json.get("timestamp") {
        set(&mut state, "lastMoveAt", time.clone());
    }
    Value::Object(state)
}

/// The players with updated counts of rings and territory.
fn with_counts<B: Geometry>(players: Option<Value>, after: &Position<B>) -> Value {
    let Some(Value::Array(mut players)) = players else { return Value::Array(Vec::new()) };
    for player in players.iter_mut().filter_map(Value::as_object_mut) {
        let seat = player.get("playerNumber").and_then(Value::as_i64).and_then(interchange::seat);
        let Some(seat) = seat.filter(|seat| seat.index() < after.seats()) else { continue };
        let counts = [
            ("ringsInHand", after.hand(seat)),
            ("eliminatedRings", after.credits(seat)),
            ("territorySpaces", after.territory(seat)),
        ];
        for (name, count) in counts {
            player.insert(name.to_owned(), count.into());
        }
    }
    players.into()
}

/// The sum of markers, collapsed cells and eliminated rings, which never decreases.
fn invariant<B: Geometry>(position: &Position<B>) -> u32 {
    let of_seat =
        |seat| position.markers_of(seat).count() + position.territory(seat) + position.credits(seat);
    Seat::all(position.seats()).map(of_seat).sum()
}

/// The fingerprint of a state, as readable text.
fn hash<B: Geometry>(position: &Position<B>, status: &str) -> String {
    let (mut stacks, mut markers, mut collapsed) = (Vec::new(), Vec::new(), Vec::new());
    for (cell, content) in position.contents() {
        let key = cell_key::<B>(cell);
        match content {
            Content::Empty => {}
            Content::Stack(stack) => {
                let owner = stack.top().map_or(0, Seat::number);
                stacks.push(format!("{key}:{owner}:{}:{}", stack.height(), stack.cap()));
            }
            Content::Marker(seat) => markers.push(format!("{key}:{seat}")),
            Content::Collapsed(seat) => collapsed.push(format!("{key}:{seat}")),
        }
    }
    let players: Vec<String> = Seat::all(position.seats())
        .map(|seat| {
            let (hand, credits) = (position.hand(seat), position.credits(seat));
            format!("{seat}:{hand}:{credits}:{}", position.territory(seat))
        })
        .collect();
    let lists = [players, stacks, markers, collapsed].map(|mut list| {
        list.sort();
        list.join("|")
    });
    let turn = format!("{}:{}:{status}:0", position.to_move(), position.phase().name());
    format!("{turn}#{}", lists.join("#"))
}
