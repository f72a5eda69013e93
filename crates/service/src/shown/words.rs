//! RingRift in a player's words.

use game::Game;
use ringrift::{Geometry, Kind, Move, Owes, Phase, Position, cell_name};

fn rings(count: u32) -> String {
    count_of(count, "ring")
}

fn count_of(count: u32, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// What the seat to move has to choose, and what it costs.
pub(super) fn prompt<B: Geometry>(position: &Position<B>, moves: &[Move]) -> String {
    let has = |wanted: Kind| moves.iter().any(|m| m.kind() == wanted);
    let line = position.goals().line_length;
    let text = match position.phase() {
        Phase::RingPlacement if has(Kind::SwapSides) => {
            "Take over seat 1 with everything it has, or place rings: one to three on an empty cell, or one on a \
             stack."
        }
        Phase::RingPlacement if has(Kind::PlaceRing) => {
            "Place one to three rings on an empty cell, or one on a stack. That stack then has to move."
        }
        Phase::RingPlacement => "No ring can be placed here: keep your rings.",
        Phase::Movement if has(Kind::MoveStack) || has(Kind::Capture) => match position.focus() {
            Some(cell) => {
                let cells = count_of(position.stack(cell).height(), "cell");
                return format!(
                    "Move the stack in a straight line, {cells} or farther{}. Landing on a marker costs its top ring.",
                    if has(Kind::Capture) { ", or jump a stack whose cap is no higher" } else { "" }
                );
            }
            None => {
                "Move one of your stacks in a straight line, at least as far as it is high. Landing on a marker costs \
                 the top ring."
            }
        },
        Phase::Movement => {
            "You control no stack. Slide a marker to a neighbouring cell and pay with your lowest buried ring, or let \
             it be."
        }
        Phase::Capture => "The stack may now jump another one and take its top ring.",
        Phase::ChainCapture => "The capture goes on: choose where the stack jumps next.",
        Phase::LineProcessing if position.owes() == Owes::Line => {
            "Pay for the line: choose the stack that loses its top ring, to your credit."
        }
        Phase::LineProcessing if has(Kind::CollapseWindow) => {
            return format!(
                "Your line is longer than {line}. Make all of it territory and pay a ring, or {line} of its cells for \
                 nothing."
            );
        }
        Phase::LineProcessing => "Choose the line that becomes territory first. It costs a ring.",
        Phase::TerritoryProcessing if position.owes() == Owes::Region => {
            if position.has_recovered() {
                "Pay for the region: choose the stack that loses your lowest ring, to your credit."
            } else {
                "Pay for the region: choose the stack whose whole cap leaves the game, to your credit."
            }
        }
        Phase::TerritoryProcessing => {
            let price =
                if position.has_recovered() { "a buried ring" } else { "the cap of one of your stacks" };
            return format!(
                "Claim a region that is cut off: it becomes territory and its rings count for you. It costs {price}."
            );
        }
        Phase::ForcedElimination => {
            "You could do nothing this turn: choose the stack whose cap has to go, to your credit."
        }
        Phase::GameOver => "The game is over.",
    };
    text.to_owned()
}

/// A move as an offer, short: the board shows where.
pub(super) fn offer<B: Geometry>(position: &Position<B>, m: Move) -> String {
    let name = cell_name::<B>;
    let cells = || count_of(position.collapsing(m).len() as u32, "cell");
    match m.kind() {
        Kind::PlaceRing => format!("Place {}", rings(m.count())),
        Kind::SkipPlacement => "Place nothing".to_owned(),
        Kind::SwapSides => "Swap sides".to_owned(),
        Kind::MoveStack => "Move here".to_owned(),
        Kind::Capture | Kind::ChainCapture => "Jump here".to_owned(),
        Kind::SkipCapture => "Do not capture".to_owned(),
        Kind::RecoverFallback => format!("Slide and pay from {}", name(m.payer())),
        Kind::RecoverStrike => format!("Strike and pay from {}", name(m.payer())),
        Kind::RecoverLine => format!("Take {} and pay from {}", cells(), name(m.payer())),
        Kind::RecoverWindow => format!("Take {} for nothing", cells()),
        Kind::SkipRecovery => "Do not recover".to_owned(),
        Kind::ProcessLine => "Take the line, and pay a ring".to_owned(),
        Kind::CollapseLine => format!("Take all {}, and pay a ring", cells()),
        Kind::CollapseWindow => format!("Take these {} for nothing", cells()),
        Kind::PayLine => "Pay the top ring".to_owned(),
        Kind::ClaimRegion => format!("Claim {}", cells()),
        Kind::PayRegion => format!("Pay the cap ({})", rings(position.stack(m.cell()).cap())),
        Kind::PayRegionBuried => "Pay the lowest ring".to_owned(),
        Kind::SkipTerritory => "Claim nothing".to_owned(),
        Kind::ForcedElimination => format!("Lose the cap ({})", rings(position.stack(m.cell()).cap())),
        Kind::NoPlacement | Kind::NoMovement | Kind::NoLine | Kind::NoTerritory => "Go on".to_owned(),
    }
}

/// Whether it is the turn of somebody who has nothing to choose but to go on.
pub(super) fn is_note<B: Geometry>(position: &Position<B>, m: Move) -> bool {
    !position.is_over() && m.kind().is_bookkeeping()
}
