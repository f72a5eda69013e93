//! An exhaustive search of one turn: everything that a seat can achieve before the next seat is to move.

use std::{collections::HashSet, ops::ControlFlow};

use game::{Game, Seat};
use ringrift::{Content, Draft, Geometry, Kind, Move, Owes, Phase, Position, Standing, Swap, cell_name};
use search::Stop;

use crate::{count_of, hostable::Hostable, view::MoveView};

/// What a turn achieves for the seat that plays it. The better of two turns is the greater one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Gain {
    pub(super) wins: bool,
    pub(super) cells: u32,
    pub(super) rings: u32,
}

/// A complete turn.
#[derive(Clone, Debug)]
pub(super) struct Turn<B: Geometry> {
    pub(super) seat: Seat,
    pub(super) gain: Gain,
    pub(super) line: Vec<Move>,
    pub(super) start: Position<B>,
    pub(super) end: Position<B>,
}

/// A bound on the moves that one or more searches may try. Forced moves do not count.
pub(super) struct Budget<'a> {
    pub(super) left: u64,
    pub(super) stop: &'a Stop,
}

impl Budget<'_> {
    /// Takes one move from the budget, if there is one left.
    fn take(&mut self) -> ControlFlow<()> {
        match self.left.checked_sub(1).filter(|_| !self.stop.is_raised()) {
            Some(left) => {
                self.left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }

    /// Whether the search was complete.
    pub(super) fn is_left(&self) -> bool {
        self.left > 0 && !self.stop.is_raised()
    }
}

/// Calls `visit` with every position in which the present turn can end, each once, and with the moves that lead there. The
/// search ends early if `visit` breaks or the budget is used up.
pub(super) fn each_end<B: Geometry>(
    start: &Position<B>,
    budget: &mut Budget<'_>,
    visit: &mut impl FnMut(&Position<B>, &[Move]) -> ControlFlow<()>,
) {
    let _ = walk(start, start.turns(), &mut Vec::new(), &mut HashSet::new(), budget, visit);
}

fn walk<B: Geometry>(
    position: &Position<B>,
    turn: u32,
    line: &mut Vec<Move>,
    seen: &mut HashSet<u64>,
    budget: &mut Budget<'_>,
    visit: &mut impl FnMut(&Position<B>, &[Move]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if position.is_over() || position.turns() != turn {
        return visit(position, line);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let forced = moves.len() == 1;
    for m in moves {
        // A swap changes who sits where, and achieves nothing on the board.
        if m.kind() == Kind::SwapSides {
            continue;
        }
        if !forced {
            budget.take()?;
        }
        let mut next = *position;
        next.play_unchecked(m, &mut ());
        if forced || seen.insert(next.key()) {
            line.push(m);
            walk(&next, turn, line, seen, budget, visit)?;
            line.pop();
        }
    }
    ControlFlow::Continue(())
}

/// The position with the turn of `seat` about to begin, as if the others passed. `None` if the seat has no rings.
pub(super) fn handed_to<B: Geometry>(position: &Position<B>, seat: Seat) -> Option<Position<B>> {
    if position.to_move() == seat && position.phase() == Phase::RingPlacement {
        return Some(*position);
    }
    if position.is_over() || position.hand(seat) + position.rings_on_board(seat) == 0 {
        return None;
    }
    let handed = Draft {
        seat,
        phase: Phase::RingPlacement,
        focus: None,
        owes: Owes::Nothing,
        acted: false,
        recovered: false,
        swap: Swap::Closed,
        // Rounds without actions are not counted across a turn that was not taken.
        standing: Standing::default(),
        ..position.draft()
    };
    handed.build().ok()
}

/// The best turn that `seat` could play if it were its turn now.
pub(super) fn best_turn<B: Geometry>(
    position: &Position<B>,
    seat: Seat,
    budget: &mut Budget<'_>,
) -> Option<Turn<B>> {
    let start = handed_to(position, seat)?;
    let mut best: Option<Turn<B>> = None;
    each_end(&start, budget, &mut |end, line| {
        let gain = gain(&start, end, seat);
        if best.as_ref().is_none_or(|best| best.gain < gain) {
            best = Some(Turn { seat, gain, line: line.to_vec(), start, end: *end });
        }
        ControlFlow::Continue(())
    });
    best
}

/// What `seat` gains between two positions.
pub(super) fn gain<B: Geometry>(start: &Position<B>, end: &Position<B>, seat: Seat) -> Gain {
    Gain {
        wins: end.end().is_some_and(|end| end.winner == Some(seat)),
        cells: end.territory(seat).saturating_sub(start.territory(seat)),
        rings: end.credits(seat).saturating_sub(start.credits(seat)),
    }
}

impl<B: Geometry> Turn<B> {
    /// The cells that become territory of the seat.
    pub(super) fn cells(&self) -> Vec<String> {
        let own = Content::Collapsed(self.seat);
        let claimed = |&(cell, content): &(_, Content)| content == own && self.start.content(cell) != own;
        self.end.contents().filter(claimed).map(|(cell, _)| cell_name::<B>(cell)).collect()
    }

    /// What the turn achieves, to follow "can" or "could": `claim 57 cells and win`.
    pub(super) fn words(&self) -> String {
        achievement(self.gain)
    }

    /// The movement of a stack or marker in this turn, if there is one.
    pub(super) fn movement(&self) -> Option<MoveView> {
        movement(&self.start, &self.line)
    }
}

/// What a gain is, to follow "can" or "could".
fn achievement(gain: Gain) -> String {
    let Gain { wins, cells, rings } = gain;
    let main = match (cells, rings) {
        (0, 0) => return if wins { "win".to_owned() } else { "move".to_owned() },
        (cells, 0) => format!("claim {}", count_of(cells, "cell")),
        (0, rings) => format!("eliminate {}", count_of(rings, "ring")),
        (cells, _) if !wins => format!("claim {}", count_of(cells, "cell")),
        (cells, rings) => {
            format!("claim {} and eliminate {}", count_of(cells, "cell"), count_of(rings, "ring"))
        }
    };
    if wins { format!("{main}, and win") } else { main }
}

/// The first movement of a stack or marker among `line`, played from `start`.
pub(super) fn movement<B: Geometry>(start: &Position<B>, line: &[Move]) -> Option<MoveView> {
    let mut position = *start;
    for &m in line {
        let offer = position.offer(m);
        if offer.steps.len() > 1 {
            return Some(offer);
        }
        position.play_unchecked(m, &mut ());
    }
    None
}
