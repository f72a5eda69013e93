//! RingRift on a page.

use game::{ForfeitKind, Game, Notation, Seat};
use ringrift::{Cell, Change, Content, Geometry, Kind, Move, Position, cell_name};

use super::{Shown, result, words};
use crate::view::{CellView, GoalsView, MoveView, PlayerView, ResultView};

impl<B: Geometry> Shown for Position<B> {
    fn cells(&self) -> Vec<CellView> {
        let view = |(cell, content): (Cell, Content)| {
            let at = cell_name::<B>(cell);
            match content {
                Content::Empty => None,
                Content::Stack(stack) => {
                    // Stacks are told from the bottom up, and drawn from the top down.
                    let mut stack: Vec<usize> = stack.rings().map(Seat::number).collect();
                    stack.reverse();
                    Some(CellView { at, stack, ..CellView::default() })
                }
                Content::Marker(seat) => {
                    Some(CellView { at, marker: Some(seat.number()), ..CellView::default() })
                }
                Content::Collapsed(seat) => {
                    Some(CellView { at, collapsed: Some(seat.number()), ..CellView::default() })
                }
            }
        };
        self.contents().filter_map(view).collect()
    }

    fn players(&self) -> Vec<PlayerView> {
        let player = |seat: Seat| PlayerView {
            seat: seat.number(),
            hand: Some(self.hand(seat)),
            eliminated: Some(self.credits(seat)),
            territory: Some(self.territory(seat)),
            on_board: Some(self.rings_on_board(seat)),
            prisoners: None,
        };
        Seat::all(self.seats()).map(player).collect()
    }

    fn goals(&self) -> Option<GoalsView> {
        let goals = Position::goals(self);
        Some(GoalsView {
            eliminations: goals.eliminations.into(),
            territory: goals.territory.into(),
            line: goals.line_length.into(),
        })
    }

    fn phase(&self) -> &'static str {
        Position::phase(self).name()
    }

    fn prompt(&self, moves: &[Move]) -> String {
        words::prompt(self, moves)
    }

    fn offer(&self, m: Move) -> MoveView {
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
                    captures = self.captured_cell(m).map(name);
                }
                vec![one(cell), one(Self::landing(m))]
            }
            Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine => {
                let to = B::ahead(cell, m.recovery_direction(), 1);
                vec![one(cell), one(to), one(m.payer())]
            }
            Kind::RecoverWindow => {
                let to = B::ahead(cell, m.recovery_direction(), 1);
                vec![one(cell), one(to), names(self.collapsing(m))]
            }
            Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
                vec![names(self.collapsing(m))]
            }
            Kind::ClaimRegion => vec![names(self.claimed_region(m))],
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
        marks.extend(names(self.collapsing(m)));
        marks.sort_unstable();
        marks.dedup();
        let (text, words) = (self.move_text(m), words::offer(self, m));
        MoveView { text, words, kind: m.kind().name(), steps, marks, trail, captures }
    }

    fn deed(&self, m: Move) -> String {
        Position::deed(self, m)
    }

    fn is_bookkeeping(&self, m: Move) -> bool {
        words::is_note(self, m)
    }

    fn touched(change: Change) -> String {
        cell_name::<B>(change.cell)
    }

    fn ending(&self) -> Option<ResultView> {
        let (end, outcome) = self.end().zip(self.outcome())?;
        let winner = end.winner.map(Seat::number);
        Some(result(winner, outcome.ranks().to_vec(), end.reason.name(), end.words()))
    }

    fn resigned(&self, _: Seat) -> ResultView {
        let mut last = *self;
        last.forfeit(ForfeitKind::Resignation);
        last.ending().expect("a game that was given up is over")
    }
}
