//! Warnings for the seat to move: what the others can do in their next turns, and which moves allow it.

use game::{Game, Seat};
use ringrift::{Geometry, Kind, Move, Phase, Position};
use search::Stop;

use super::turn_search::{Budget, Gain, Turn, best_turn};
use crate::{
    capitalised,
    hostable::Hostable,
    view::{RiskView, ThreatView, ThreatsView},
};

/// The maximum number of moves tried for the threats of one seat.
const THREAT_BUDGET: u64 = 400_000;

/// The maximum number of moves tried for all risks. If the first risk shows that this is too little, there are none.
const RISK_BUDGET: u64 = 800_000;

/// The threats in a position, and the risks of the legal moves.
pub(super) fn threats<B: Geometry>(position: &Position<B>, stop: &Stop) -> ThreatsView {
    if position.is_over() {
        return ThreatsView::default();
    }
    let mut tried = 0;
    let mut threats = Vec::new();
    for seat in others(position) {
        let mut budget = Budget { left: THREAT_BUDGET, stop };
        let turn = best_turn(position, seat, &mut budget).filter(|turn| matters(position, turn.gain));
        tried += THREAT_BUDGET - budget.left;
        threats.extend(turn.as_ref().map(threat));
    }
    ThreatsView { threats, risks: risks(position, tried, stop) }
}

/// The risks of the legal moves, if the present decision moves a stack. `tried` is what the search of all threats has cost.
fn risks<B: Geometry>(position: &Position<B>, tried: u64, stop: &Stop) -> Vec<RiskView> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    // A move that places rings is followed by a movement, which decides what the others can do.
    let moving = position.phase() == Phase::Movement && moves.iter().any(|m| m.kind() == Kind::MoveStack);
    if !moving || tried.max(1).saturating_mul(moves.len() as u64) > RISK_BUDGET {
        return Vec::new();
    }
    let mut budget = Budget { left: 2 * RISK_BUDGET, stop };
    let found: Vec<RiskView> = moves.iter().filter_map(|&m| risk(position, m, &mut budget)).collect();
    // An incomplete search would call moves safe that it has not looked at.
    if budget.is_left() { found } else { Vec::new() }
}

/// The worst threat that a move allows.
fn risk<B: Geometry>(position: &Position<B>, m: Move, budget: &mut Budget<'_>) -> Option<RiskView> {
    let mut after = *position;
    after.play_unchecked(m, &mut ());
    let worst = others(position)
        .filter_map(|seat| best_turn(&after, seat, budget))
        .filter(|turn| matters(position, turn.gain))
        .max_by_key(|turn| turn.gain)?;
    let words = format!("{} could then {}", Position::<B>::seat_name(worst.seat), worst.words());
    Some(RiskView {
        text: position.offer(m).text,
        seat: worst.seat.number(),
        wins: worst.gain.wins,
        cells: worst.cells(),
        words: capitalised(&words),
    })
}

fn others<B: Geometry>(position: &Position<B>) -> impl Iterator<Item = Seat> + use<B> {
    let mover = position.to_move();
    Seat::all(position.seats()).filter(move |&seat| seat != mover)
}

/// Whether a gain is worth a warning: it wins, or it is a quarter of what wins.
pub(super) fn matters<B: Geometry>(position: &Position<B>, gain: Gain) -> bool {
    let goals = position.goals();
    gain.wins
        || 4 * gain.cells >= u32::from(goals.territory)
        || 4 * gain.rings >= u32::from(goals.eliminations)
}

fn threat<B: Geometry>(turn: &Turn<B>) -> ThreatView {
    let words = format!("{} can {} next turn.", Position::<B>::seat_name(turn.seat), turn.words());
    ThreatView {
        seat: turn.seat.number(),
        wins: turn.gain.wins,
        cells: turn.cells(),
        rings: turn.gain.rings,
        by: turn.movement(),
        words: capitalised(&words),
    }
}
