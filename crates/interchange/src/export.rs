//! Writes positions and moves in the JSON of the clients of the reference service.
//!
//! A client compares a move in a response with its own list field by field. Therefore everything has the client's own form:
//! the cells of a line are in order along the line, those of a region in the order of its flood fill, a move without a cell
//! has a placeholder, and no field is null.
//!
//! Deliberately absent: fields that do not belong to the game, such as names, clocks and identifiers.

use std::collections::VecDeque;

use game::{Game, MAX_SEATS, Seat};
use ringrift::{Bits, Cell, Content, Direction, Geometry, Kind, Move, Phase, Position, Stack};
use serde_json::{Map, Value, json};

use crate::{cell_key, foreign_move::recovery_mode};

/// The two clients, which differ in what they send and expect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Client {
    /// The game server.
    GameServer,
    /// The browser client, which plays games locally.
    Sandbox,
}

/// A cell; `z` only on hex boards.
pub fn cell<B: Geometry>(cell: Cell) -> Value {
    let (x, y) = B::coordinates(cell);
    if B::HEX { json!({"x": x, "y": y, "z": -x - y}) } else { json!({"x": x, "y": y}) }
}

fn cells<B: Geometry>(list: impl IntoIterator<Item = Cell>) -> Value {
    list.into_iter().map(cell::<B>).collect()
}

/// A legal move of `position`, with the fields that a client compares. The caller adds identifiers and times.
pub fn client_move<B: Geometry>(position: &Position<B>, m: Move, client: Client) -> Map<String, Value> {
    let player = position.to_move().number();
    let kind = m.kind();
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    set("type", kind.name().into());
    set("player", player.into());
    let to = match kind {
        Kind::PlaceRing => {
            set("placementCount", m.count().into());
            set("placedOnStack", (!position.stack(m.cell()).is_empty()).into());
            cell::<B>(m.cell())
        }
        Kind::MoveStack => {
            set("from", cell::<B>(m.cell()));
            cell::<B>(Position::<B>::landing(m))
        }
        Kind::Capture | Kind::ChainCapture => {
            set("from", cell::<B>(m.cell()));
            if let Some(target) = position.captured_cell(m) {
                set("captureTarget", cell::<B>(target));
            }
            cell::<B>(Position::<B>::landing(m))
        }
        Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
            set("from", cell::<B>(m.cell()));
            recovery(position, m, client, &mut set);
            cell::<B>(Position::<B>::slide_end(m))
        }
        Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
            let line = cells::<B>(Position::<B>::line_cells(m));
            let (dx, dy) = B::step(Direction::along(m.line_axis()));
            let direction =
                if B::HEX { json!({"x": dx, "y": dy, "z": -dx - dy}) } else { json!({"x": dx, "y": dy}) };
            let length = m.line_length();
            set(
                "formedLines",
                json!([{"positions": line, "player": player, "length": length, "direction": direction}]),
            );
            if kind != Kind::ProcessLine {
                set("collapsedMarkers", cells::<B>(position.collapsing(m)));
            }
            cell::<B>(m.cell())
        }
        Kind::ClaimRegion => {
            let spaces = region_as_found(position, m);
            set(
                "disconnectedRegions",
                json!([{
                    "spaces": cells::<B>(spaces),
                    "controllingPlayer": region_owner(position, m).number(),
                    "isDisconnected": true,
                }]),
            );
            cell::<B>(m.cell())
        }
        Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried | Kind::ForcedElimination => {
            payment(position, m, &mut set);
            cell::<B>(m.cell())
        }
        // A placeholder, which has no `z` even on hex boards.
        _ => json!({"x": 0, "y": 0}),
    };
    set("to", to);
    fields
}

fn recovery<B: Geometry>(position: &Position<B>, m: Move, client: Client, set: &mut impl FnMut(&str, Value)) {
    let (mode, option) = recovery_mode(m.kind());
    set("recoveryMode", mode.into());
    let pays = m.kind() != Kind::RecoverWindow;
    let payer = pays.then(|| cell_key::<B>(m.payer()));
    set("extractionStacks", payer.into_iter().collect());
    let Some(option) = option else { return };
    let collapsing = position.collapsing(m);
    match client {
        // The game server has the option only if there is a choice; the browser uses another name and would reject
        // this one.
        Client::GameServer if collapsing.len() > usize::from(position.goals().line_length) || !pays => {
            set("recoveryOption", option.into());
        }
        Client::GameServer => {}
        Client::Sandbox => set("option", option.into()),
    }
    if !pays {
        set("collapsePositions", cells::<B>(collapsing));
    }
}

fn payment<B: Geometry>(position: &Position<B>, m: Move, set: &mut impl FnMut(&str, Value)) {
    let stack = position.stack(m.cell());
    let (context, count) = match m.kind() {
        Kind::PayLine => (Some("line"), 1),
        Kind::PayRegion => (Some("territory"), stack.cap()),
        Kind::PayRegionBuried => (Some("recovery"), 1),
        _ => (None, stack.cap()),
    };
    set("eliminatedRings", json!([{"player": position.to_move().number(), "count": count}]));
    if let Some(context) = context {
        set("eliminationContext", context.into());
    }
    // The clients do not repeat the stack in payments for a line.
    if m.kind() != Kind::PayLine {
        set(
            "eliminationFromStack",
            json!({
                "position": cell::<B>(m.cell()),
                "capHeight": stack.cap(),
                "totalHeight": stack.height(),
            }),
        );
    }
}

/// The cells of a region in the order of the clients' flood fill: breadth first from the first cell.
fn region_as_found<B: Geometry>(position: &Position<B>, m: Move) -> Vec<Cell> {
    const SQUARE: &[(i32, i32)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
    const HEX: &[(i32, i32)] = &[(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
    let Some(mut left) = position.region(m) else { return Vec::new() };
    let mut found = Vec::new();
    let mut queue: VecDeque<Cell> = left.first().into_iter().collect();
    for first in &queue {
        left.toggle(*first);
    }
    while let Some(next) = queue.pop_front() {
        found.push(next);
        let (x, y) = B::coordinates(next);
        for (dx, dy) in if B::HEX { HEX } else { SQUARE } {
            if let Some(beside) = B::cell(x + dx, y + dy).filter(|&beside| left.contains(beside)) {
                left.toggle(beside);
                queue.push_back(beside);
            }
        }
    }
    found
}

/// The seat whose markers border a region; if the border has only collapsed cells, the only seat with stacks inside.
fn region_owner<B: Geometry>(position: &Position<B>, m: Move) -> Seat {
    let inside = position.region(m).unwrap_or(B::Bits::EMPTY);
    let sole = Seat::all(position.seats()).find(|&seat| position.controlled_by(seat).meets(inside));
    m.pass().wall().or(sole).unwrap_or(position.to_move())
}

/// The pieces on the board.
pub fn client_board<B: Geometry>(position: &Position<B>) -> Value {
    let (mut stacks, mut markers, mut collapsed) = (Map::new(), Map::new(), Map::new());
    for (place, content) in position.contents() {
        let key = cell_key::<B>(place);
        match content {
            Content::Empty => {}
            Content::Stack(stack) => {
                stacks.insert(key, client_stack::<B>(place, stack));
            }
            Content::Marker(seat) => {
                let marker =
                    json!({"player": seat.number(), "position": cell::<B>(place), "type": "regular"});
                markers.insert(key, marker);
            }
            Content::Collapsed(seat) => {
                collapsed.insert(key, seat.number().into());
            }
        }
    }
    let credits: Map<String, Value> =
        Seat::all(position.seats()).map(|seat| (seat.to_string(), position.credits(seat).into())).collect();
    json!({
        "type": B::BOARD.to_string(), "size": B::SIZE, "stacks": stacks, "markers": markers,
        "collapsedSpaces": collapsed, "eliminatedRings": credits, "formedLines": [], "territories": {},
    })
}

fn client_stack<B: Geometry>(place: Cell, stack: Stack) -> Value {
    let rings: Vec<usize> = stack.rings().rev().map(Seat::number).collect();
    json!({
        "position": cell::<B>(place), "stackHeight": stack.height(), "capHeight": stack.cap(),
        "controllingPlayer": rings.first(), "rings": rings,
    })
}

/// A complete state after `history`, with the fields that `client` sends.
pub fn client_state<B: Geometry>(
    position: &Position<B>,
    history: &[Value],
    client: Client,
) -> Map<String, Value> {
    let rules = position.rules();
    let seats = position.seats();
    let player = |seat: Seat| {
        json!({
            "id": format!("player-{seat}"), "username": format!("Player {seat}"), "type": "ai",
            "playerNumber": seat.number(), "isReady": true, "timeRemaining": 600_000,
            "ringsInHand": position.hand(seat), "eliminatedRings": position.credits(seat),
            "territorySpaces": position.territory(seat),
        })
    };
    let credited: u32 = Seat::all(MAX_SEATS).map(|seat| position.credits(seat)).sum();
    let in_play =
        if client == Client::Sandbox { 0 } else { u32::from(position.goals().rings) * seats as u32 };
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    set("id", "game".into());
    set("boardType", B::BOARD.to_string().into());
    set("board", client_board(position));
    set("players", Seat::all(seats).map(player).collect());
    set("currentPhase", position.phase().name().into());
    set("currentPlayer", position.to_move().number().into());
    set("moveHistory", history.into());
    set("history", json!([]));
    set("timeControl", json!({"type": "rapid", "initialTime": 600, "increment": 0}));
    set("spectators", json!([]));
    set("gameStatus", if position.is_over() { "completed" } else { "active" }.into());
    if let Some(winner) = position.end().and_then(|end| end.winner) {
        set("winner", winner.number().into());
    }
    set("createdAt", "2026-01-01T00:00:00.000Z".into());
    set("lastMoveAt", "2026-01-01T00:00:00.000Z".into());
    set("isRated", false.into());
    set("maxPlayers", seats.into());
    set("totalRingsInPlay", in_play.into());
    set("totalRingsEliminated", credited.into());
    set("victoryThreshold", position.goals().eliminations.into());
    set("territoryVictoryThreshold", position.goals().territory.into());
    if position.phase() == Phase::ChainCapture
        && let Some(focus) = position.focus()
    {
        set("chainCapturePosition", cell::<B>(focus));
    }
    match client {
        Client::GameServer => {
            let standing = position.standing();
            set("rngSeed", 7.into());
            let mut options = json!({"swapRuleEnabled": rules.swap});
            if let Some(rings) = rules.rings {
                options["ringsPerPlayer"] = rings.into();
            }
            set("rulesOptions", options);
            set("lpsRoundsRequired", rules.lps_rounds.into());
            set(
                "lpsTracking",
                json!({
                    "roundIndex": 0, "consecutiveExclusiveRounds": standing.rounds,
                    "consecutiveExclusivePlayer": standing.alone.map(Seat::number),
                }),
            );
        }
        Client::Sandbox => {
            if let Some(focus) = position.focus() {
                set("mustMoveFromStackKey", cell_key::<B>(focus).into());
            }
        }
    }
    fields
}
