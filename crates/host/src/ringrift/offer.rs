//! The views of moves: their clicks and labels.

use game::Notation;
use ringrift::{Cell, Geometry, Kind, Move, Position, cell_name};

use crate::{count_of, view::MoveView};

/// The view of a legal move.
pub(super) fn offer<B: Geometry>(position: &Position<B>, m: Move) -> MoveView {
    let cell = m.cell();
    let name = cell_name::<B>;
    let names = |cells: Vec<Cell>| cells.into_iter().map(name).collect::<Vec<_>>();
    let one = |cell: Cell| vec![name(cell)];
    let ahead = |steps| B::ahead(cell, m.direction(), steps);
    let (mut trail, mut captures) = (Vec::new(), None);
    let steps = match m.kind() {
        Kind::PlaceRing
        | Kind::PayLine
        | Kind::PayRegion
        | Kind::PayRegionBuried
        | Kind::ForcedElimination => vec![one(cell)],
        Kind::MoveStack | Kind::Capture | Kind::ChainCapture => {
            trail = (1..m.distance()).map(|steps| name(ahead(steps))).collect();
            if m.kind() != Kind::MoveStack {
                captures = position.captured_cell(m).map(name);
            }
            vec![one(cell), one(Position::<B>::landing(m))]
        }
        Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine => {
            let to = B::ahead(cell, m.recovery_direction(), 1);
            vec![one(cell), one(to), one(m.payer())]
        }
        Kind::RecoverWindow => {
            let to = B::ahead(cell, m.recovery_direction(), 1);
            vec![one(cell), one(to), names(position.collapsing(m))]
        }
        Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
            vec![names(position.collapsing(m))]
        }
        Kind::ClaimRegion => vec![names(position.claimed_region(m))],
        Kind::SkipPlacement
        | Kind::NoPlacement
        | Kind::SwapSides
        | Kind::SkipCapture
        | Kind::SkipRecovery
        | Kind::NoMovement
        | Kind::NoLine
        | Kind::SkipTerritory
        | Kind::NoTerritory => Vec::new(),
    };
    let mut marks: Vec<String> = steps.iter().flatten().cloned().collect();
    marks.extend(captures.clone());
    marks.extend(names(position.collapsing(m)));
    marks.sort_unstable();
    marks.dedup();
    let (text, words) = (position.move_text(m), words(position, m));
    MoveView { text, words, kind: m.kind().name(), steps, marks, trail, captures }
}

fn rings(count: u32) -> String {
    count_of(count, "ring")
}

/// A short label for a move; the board shows its cells.
fn words<B: Geometry>(position: &Position<B>, m: Move) -> String {
    let name = cell_name::<B>;
    let cells = || count_of(position.collapsing(m).len() as u32, "cell");
    match m.kind() {
        Kind::PlaceRing => format!("Place {}", rings(m.count())),
        Kind::SkipPlacement => "Skip placement".to_owned(),
        Kind::SwapSides => "Swap sides".to_owned(),
        Kind::MoveStack => "Move here".to_owned(),
        Kind::Capture | Kind::ChainCapture => "Jump here".to_owned(),
        Kind::SkipCapture => "Skip capture".to_owned(),
        Kind::RecoverFallback => format!("Slide and pay from {}", name(m.payer())),
        Kind::RecoverStrike => format!("Strike and pay from {}", name(m.payer())),
        Kind::RecoverLine => format!("Collapse {} and pay from {}", cells(), name(m.payer())),
        Kind::RecoverWindow => format!("Collapse {} for free", cells()),
        Kind::SkipRecovery => "Skip recovery".to_owned(),
        Kind::ProcessLine => "Collapse the line and pay a ring".to_owned(),
        Kind::CollapseLine => format!("Collapse all {} and pay a ring", cells()),
        Kind::CollapseWindow => format!("Collapse these {} for free", cells()),
        Kind::PayLine => "Pay the top ring".to_owned(),
        Kind::ClaimRegion => format!("Claim {}", cells()),
        Kind::PayRegion => format!("Pay the cap ({})", rings(position.stack(m.cell()).cap())),
        Kind::PayRegionBuried => "Pay the lowest ring".to_owned(),
        Kind::SkipTerritory => "Skip claim".to_owned(),
        Kind::ForcedElimination => format!("Eliminate the cap ({})", rings(position.stack(m.cell()).cap())),
        Kind::NoPlacement | Kind::NoMovement | Kind::NoLine | Kind::NoTerritory => "Continue".to_owned(),
    }
}
