//! Texts about RingRift for players.

use game::{ForfeitKind, Game, Seat};
use record::GameResult;
use ringrift::{Board, Geometry, Kind, Move, Owes, Phase, Position, Reason, cell_name};

use crate::{count_of, words::listed};

/// The prompt for the seat to move; `typed` adds the notation of moves.
pub(super) fn prompt<B: Geometry>(position: &Position<B>, moves: &[Move], typed: bool) -> String {
    let has = |wanted: Kind| moves.iter().any(|m| m.kind() == wanted);
    let written = |text: &str| if typed { format!(" ({text})") } else { String::new() };
    // Pages have a button for declining; in the terminal it is typed.
    let or_skip = |word: &str| if typed { format!(" Or {word}.") } else { String::new() };
    let line = position.goals().line_length;
    let focus = position.focus().map(cell_name::<B>).unwrap_or_default();
    match position.phase() {
        Phase::RingPlacement => {
            let mut text = if has(Kind::PlaceRing) {
                let written = written("+d4, ++d4, +++d4");
                format!(
                    "Place one to three rings on an empty cell{written}, or one on any stack. That stack then has \
                     to move."
                )
            } else {
                "No ring can be placed.".to_owned()
            };
            if has(Kind::SkipPlacement) {
                text += if typed { " Or keep your rings: skip-placement." } else { " Or keep your rings." };
            }
            if has(Kind::SwapSides) {
                text += " Or swap: take seat 1 with everything it has, and leave seat 2 to your opponent.";
            }
            text
        }
        Phase::Movement if has(Kind::MoveStack) || has(Kind::Capture) => {
            let mover = match position.focus() {
                Some(cell) => {
                    let cells = count_of(position.stack(cell).height(), "cell");
                    let written = written(&format!("{focus}-…"));
                    format!("Move the stack on {focus} in a straight line, at least {cells} far{written}")
                }
                None => format!("Move one of your stacks, at least as far as it is high{}", written("d4-d6")),
            };
            let capture = if has(Kind::Capture) {
                let written = written("d4xd5-d7");
                format!(", or jump a stack whose cap is no higher to take its top ring{written}")
            } else {
                String::new()
            };
            format!("{mover}{capture}. Landing on a marker costs the top ring.")
        }
        Phase::Movement => format!(
            "You control no stack. Slide a marker to a neighbouring cell and pay with your lowest buried ring{}, or {}.",
            written("d4~d5/e6"),
            if typed { "skip-recovery" } else { "decline" }
        ),
        Phase::Capture => format!(
            "The stack on {focus} may now jump another one and take its top ring{}.",
            if typed { ", or skip-capture" } else { "" }
        ),
        Phase::ChainCapture => {
            format!("The capture continues: the stack on {focus} must jump again. Choose where.")
        }
        Phase::LineProcessing if position.owes() == Owes::Line => format!(
            "Pay for the line: eliminate the top ring of one of your stacks. It counts for you{}.",
            written("-d4")
        ),
        Phase::LineProcessing if has(Kind::CollapseWindow) => format!(
            "Your line is longer than {line}. Collapse all of it and pay a ring, or collapse any {line} of its cells for \
             free."
        ),
        Phase::LineProcessing => {
            "You have lines of markers. Choose which one collapses first; each costs a ring \
                                  if you have a stack to pay from."
                .to_owned()
        }
        Phase::TerritoryProcessing if position.owes() == Owes::Region => {
            let price = if position.has_recovered() {
                "your lowest ring in a stack"
            } else {
                "the whole cap of one of your stacks"
            };
            format!("Pay for the region: eliminate {price}. This counts for you{}.", written("-d4"))
        }
        Phase::TerritoryProcessing => {
            let price =
                if position.has_recovered() { "a buried ring" } else { "the cap of one of your stacks" };
            format!(
                "You can claim an enclosed region: it becomes your territory, you eliminate all rings inside, and it \
                 costs {price}.{}",
                or_skip("skip-territory")
            )
        }
        Phase::ForcedElimination => format!(
            "You could not act in this turn, so you must eliminate the cap of one of your stacks. It counts for you{}.",
            written("-d4")
        ),
        Phase::GameOver => "The game is over.".to_owned(),
    }
}

/// A turn in brief: captures and claimed cells are counted, and payments and declined options are left out.
pub(super) fn turn<B: Geometry>(start: &Position<B>, line: &[Move]) -> String {
    let mut position = *start;
    let (mut parts, mut captured, mut claimed) = (Vec::new(), 0, 0);
    let mut landing = String::new();
    for &m in line {
        match m.kind() {
            Kind::Capture | Kind::ChainCapture => {
                captured += 1;
                landing = cell_name::<B>(Position::<B>::landing(m));
            }
            Kind::ClaimRegion => claimed += position.collapsing(m).len() as u32,
            Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried => {}
            kind if kind.is_idle() => {}
            _ => parts.push(position.describe_move(m)),
        }
        position.play_unchecked(m, &mut ());
    }
    if captured > 0 {
        parts.push(format!("captures {} and lands on {landing}", count_of(captured, "ring")));
    }
    if claimed > 0 {
        parts.push(format!("claims {}", count_of(claimed, "cell")));
    }
    if parts.is_empty() { "does nothing".to_owned() } else { listed(&parts) }
}

/// Why the game ended with the turn that began at `before`.
pub(super) fn explanation<B: Geometry>(position: &Position<B>, before: &Position<B>) -> String {
    let Some((end, winner)) = position.end().and_then(|end| Some((end, end.winner?))) else {
        return String::new();
    };
    let goals = position.goals();
    let gained = |count: u32, before: u32, thing: &str| match count.saturating_sub(before) {
        0 => String::new(),
        more => format!(" The last turn brought {}.", count_of(more, thing)),
    };
    let name = format!("Seat {winner}");
    match (end.reason, end.stalemate) {
        (Reason::TerritoryControl, false) => {
            let cells = position.territory(winner);
            let more = gained(cells, before.territory(winner), "cell");
            let how = if cells - before.territory(winner) > u32::from(goals.line_length) {
                " Markers, territory and the edge of the board had cut them off, so they could be claimed at once."
            } else {
                ""
            };
            format!(
                "{name} owns {}. {} are enough if all others together own fewer.{more}{how}",
                count_of(cells, "cell"),
                goals.territory
            )
        }
        (Reason::RingElimination, false) => {
            let rings = position.credits(winner);
            let more = gained(rings, before.credits(winner), "ring");
            format!(
                "{name} has eliminated {}, and {} are enough. Rings of any colour count for whoever eliminates them.{more}",
                count_of(rings, "ring"),
                goals.eliminations
            )
        }
        (Reason::LastPlayerStanding, false) => {
            let rings = |seat: Seat| position.hand(seat) + position.rings_on_board(seat);
            if Seat::all(position.seats()).all(|seat| seat == winner || rings(seat) == 0) {
                format!("{name} is the only player who has rings left.")
            } else {
                let rounds = count_of(position.rules().lps_rounds.into(), "round");
                format!("For {rounds} only seat {winner} could place, move or capture.")
            }
        }
        (_, true) => format!(
            "No stack is left and nobody can place a ring. Territory decides first, then rings, then markers: {name} \
             is ahead."
        ),
        (Reason::Resignation | Reason::Timeout, false) => String::new(),
    }
}

/// A description of the result of a forfeited game.
pub(super) fn forfeit(result: &GameResult) -> String {
    let timeout = ForfeitKind::parse(&result.reason) == Some(ForfeitKind::Timeout);
    match (result.winner, timeout) {
        (Some(winner), false) => format!("Seat {winner} wins by resignation."),
        (Some(winner), true) => format!("Seat {winner} wins on time."),
        (None, false) => "Nobody wins: the game was resigned.".to_owned(),
        (None, true) => "Nobody wins: time ran out.".to_owned(),
    }
}

/// A heading: `square8, 2 seats, turn 5`.
pub(super) fn heading<B: Geometry>(position: &Position<B>, over: bool) -> String {
    let board: Board = B::BOARD;
    let turn = match position.turns() {
        turns if over => format!("over after {}", count_of(turns, "turn")),
        turns => format!("turn {}", turns + 1),
    };
    format!("{board}, {} seats, {turn}", position.seats())
}
