//! Go in a player's words.

use game::Game;
use go::{Move, Points, Position, Rules, Scoring};
use record::{Forfeit, GameResult};

use super::colour;
use crate::count_of;

/// The most dead stones that are listed one by one.
const MOST_LISTED: usize = 12;

/// `Go on 9x9, komi 7.5`, with whatever is unusual.
pub(super) fn title(rules: Rules) -> String {
    let mut title = format!("Go on {0}x{0}, komi {1}", rules.size, rules.komi);
    if rules.handicap > 0 {
        title += &format!(", {} handicap stones", rules.handicap);
    }
    title + if rules.scoring == Scoring::Territory { ", territory scoring" } else { "" }
}

/// `Go on 9x9, after 12 moves`.
pub(super) fn heading<P: Points>(position: &Position<P>, over: bool) -> String {
    let played = count_of(position.moves_played(), "move");
    let state = if over { "over after" } else { "after" };
    format!("Go on {0}x{0}, {state} {played}", position.rules().size)
}

/// What can be done now and, if moves are typed, how to write it.
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

/// What a legal move does, to follow the name of a colour.
pub(super) fn deed<P: Points>(position: &Position<P>, m: Move) -> String {
    let Some(point) = m.point() else { return "passes".to_owned() };
    match position.board().captures(point, position.turn()).len() {
        0 => format!("plays {point}"),
        taken => format!("plays {point} and takes {}", count_of(taken, "stone")),
    }
}

/// How a game that came to `position` ended.
pub(super) fn ending<P: Points>(position: &Position<P>, result: &GameResult) -> String {
    let seat = result.winner.and_then(game::Seat::from_number);
    let Some(winner) = seat.map(colour) else {
        let cycle = position.ended_by_cycle();
        return if cycle { "No result: the game repeats itself." } else { "A draw." }.to_owned();
    };
    if let Some(score) = &result.score {
        let margin = score.split_once('+').map_or(score.as_str(), |(_, margin)| margin);
        let dead = match &result.dead[..] {
            [] => String::new(),
            dead if dead.len() <= MOST_LISTED => format!(", with {} taken for dead", dead.join(" ")),
            dead => format!(", with {} stones taken for dead", dead.len()),
        };
        return format!("{winner} wins by {margin} ({score}{dead}).");
    }
    let loser = winner.other();
    let why = match Forfeit::parse(&result.reason) {
        Some(Forfeit::Resignation) => "by resignation".to_owned(),
        Some(Forfeit::Timeout) => "on time".to_owned(),
        Some(Forfeit::IllegalMove) => format!("by an illegal move of {loser}"),
        Some(Forfeit::Failure) => format!("as {loser} broke down"),
        None => "as declared".to_owned(),
    };
    format!("{winner} wins {why}.")
}
