//! Texts about Go for players.

use game::{ForfeitKind, Game};
use go::{Move, Points, Position, Rules, Scoring};
use record::GameResult;

use super::colour;
use crate::count_of;

/// The maximum number of dead stones that are listed one by one.
const MAX_LISTED: usize = 12;

/// A title with the options that are not the default: `Go on 9x9, komi 7.5`.
pub(super) fn title(rules: Rules) -> String {
    let mut title = format!("Go on {0}x{0}, komi {1}", rules.size, rules.komi);
    if rules.handicap > 0 {
        title += &format!(", {} handicap stones", rules.handicap);
    }
    title + if rules.scoring == Scoring::Territory { ", territory scoring" } else { "" }
}

/// A heading: `Go on 9x9, after 12 moves`.
pub(super) fn heading<P: Points>(position: &Position<P>, over: bool) -> String {
    let played = count_of(position.moves_played(), "move");
    let state = if over { "over after" } else { "after" };
    format!("Go on {0}x{0}, {state} {played}", position.rules().size)
}

/// The prompt; `typed` adds the notation of moves.
pub(super) fn prompt<P: Points>(position: &Position<P>, typed: bool) -> String {
    if position.is_over() {
        return "The game is over.".to_owned();
    }
    let turn = position.turn();
    let hint = match (position.last_move(), position.banned_ko()) {
        (Some(Move::PASS), _) => format!("{} has passed: another pass ends the game. ", turn.other()),
        (_, Some(ko)) => format!("The ko on {ko} may not be retaken now. "),
        _ => String::new(),
    };
    if typed {
        format!("{hint}Put a stone on a point (D4), or pass.")
    } else {
        format!("{hint}{turn} to play.")
    }
}

/// A description of a legal move, to follow the name of a colour.
pub(super) fn describe_move<P: Points>(position: &Position<P>, m: Move) -> String {
    let Some(point) = m.point() else { return "passes".to_owned() };
    match position.board().captures(point, position.turn()).len() {
        0 => format!("plays {point}"),
        taken => format!("plays {point} and captures {}", count_of(taken, "stone")),
    }
}

/// A description of the result of a game that ended in `position`.
pub(super) fn ending<P: Points>(position: &Position<P>, result: &GameResult) -> String {
    let seat = result.winner.and_then(game::Seat::from_number);
    let Some(winner) = seat.map(colour) else {
        let cycle = position.ended_by_cycle();
        return if cycle { "No result: the position repeats." } else { "A draw." }.to_owned();
    };
    if let Some(score) = &result.score {
        let margin = score.split_once('+').map_or(score.as_str(), |(_, margin)| margin);
        let dead = match &result.dead[..] {
            [] => String::new(),
            dead if dead.len() <= MAX_LISTED => format!(", with {} counted as dead", dead.join(" ")),
            dead => format!(", with {} stones counted as dead", dead.len()),
        };
        return format!("{winner} wins by {margin} ({score}{dead}).");
    }
    let loser = winner.other();
    let why = match ForfeitKind::parse(&result.reason) {
        Some(ForfeitKind::Resignation) => "by resignation".to_owned(),
        Some(ForfeitKind::Timeout) => "on time".to_owned(),
        Some(ForfeitKind::IllegalMove) => format!("by an illegal move of {loser}"),
        Some(ForfeitKind::Failure) => format!("by a failure of {loser}"),
        None => "by adjudication".to_owned(),
    };
    format!("{winner} wins {why}.")
}
