//! What is going on, in a player's words.

use game::Game;
use ringrift::{Board, Geometry, Kind, Move, Owes, Phase, Position, cell_name};

use crate::words::count_of;

/// What the seat to move has to choose, what it costs, and how to write it.
pub(super) fn choice<B: Geometry>(position: &Position<B>, moves: &[Move]) -> String {
    let has = |wanted: Kind| moves.iter().any(|m| m.kind() == wanted);
    let any = |wanted: &[Kind]| moves.iter().any(|m| wanted.contains(&m.kind()));
    let line = position.goals().line_length;
    let focus = position.focus().map(cell_name::<B>).unwrap_or_default();
    match position.phase() {
        Phase::RingPlacement => {
            let mut text = if has(Kind::PlaceRing) {
                "Place one to three rings on an empty cell (+d4, ++d4, +++d4), or one on any stack. \
                 That stack then has to move."
                    .to_owned()
            } else {
                "No ring can be placed.".to_owned()
            };
            if has(Kind::SkipPlacement) {
                text += " Or keep your rings: skip-placement.";
            }
            if has(Kind::SwapSides) {
                text += " Or swap: take seat 1 with everything it has, and leave seat 2 to your opponent.";
            }
            text
        }
        Phase::Movement if any(&[Kind::MoveStack, Kind::Capture]) => {
            let who = match position.focus() {
                Some(cell) => {
                    let height = position.stack(cell).height();
                    let cells = count_of(height, "cell");
                    format!("Move the stack on {focus} in a straight line, at least {cells} far ({focus}-…)")
                }
                None => "Move one of your stacks, at least as far as it is high (d4-d6)".to_owned(),
            };
            let capture = if has(Kind::Capture) {
                ", or jump a stack whose cap is no higher to take its top ring (d4xd5-d7)"
            } else {
                ""
            };
            format!("{who}{capture}. Landing on a marker costs the top ring.")
        }
        Phase::Movement => "You control no stack. Slide a marker to a neighbouring cell and pay with your \
                            lowest buried ring (d4~d5/e6), or skip-recovery."
            .to_owned(),
        Phase::Capture => {
            format!("The stack on {focus} may now jump another one and take its top ring, or skip-capture.")
        }
        Phase::ChainCapture => {
            format!("The capture goes on: the stack on {focus} has to jump again. Choose where.")
        }
        Phase::LineProcessing if position.owes() == Owes::Line => {
            "Pay for the line: the top ring of one of your stacks leaves the game, to your credit (-d4)."
                .to_owned()
        }
        Phase::LineProcessing if has(Kind::CollapseWindow) => format!(
            "Your line is longer than {line}. Make all of it territory and pay a ring, or any {line} of its \
             cells for nothing."
        ),
        Phase::LineProcessing => {
            "You have lines of markers. Choose which becomes territory first; each costs a ring if you have a \
             stack to pay from."
                .to_owned()
        }
        Phase::TerritoryProcessing if position.owes() == Owes::Region => {
            if position.has_recovered() {
                "Pay for the region: your lowest ring in a stack leaves the game, to your credit (-d4)."
                    .to_owned()
            } else {
                "Pay for the region: the whole cap of one of your stacks leaves the game, to your credit (-d4)."
                    .to_owned()
            }
        }
        Phase::TerritoryProcessing => {
            let price = if position.has_recovered() { "a buried ring" } else { "the cap of one of your stacks" };
            format!(
                "You can claim a cut-off region: it becomes your territory, all rings in it count as \
                 eliminated by you, and it costs {price}. Or skip-territory."
            )
        }
        Phase::ForcedElimination => {
            "You could do nothing this turn, so the cap of one of your stacks has to go, to your credit (-d4)."
                .to_owned()
        }
        Phase::GameOver => "The game is over.".to_owned(),
    }
}

/// How a game ended that was given up, or ran out of time.
pub(super) fn forfeit(winner: Option<usize>, timeout: bool) -> String {
    match (winner, timeout) {
        (Some(winner), false) => format!("Seat {winner} wins by resignation."),
        (Some(winner), true) => format!("Seat {winner} wins on time."),
        (None, false) => "Nobody wins: the game was given up.".to_owned(),
        (None, true) => "Nobody wins: time ran out.".to_owned(),
    }
}

/// `square8, 2 seats, turn 5`.
pub(super) fn heading<B: Geometry>(position: &Position<B>) -> String {
    let board: Board = B::BOARD;
    let turn = match position.turns() {
        turns if position.is_over() => format!("over after {}", count_of(turns, "turn")),
        turns => format!("turn {}", turns + 1),
    };
    format!("{board}, {} seats, {turn}", position.seats())
}
