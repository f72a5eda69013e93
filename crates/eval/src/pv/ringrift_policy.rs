//! Legal moves of RingRift as sums of scores.
//!
//! Every kind of move names the scores of the cells that it is about, so that a board's symmetries permute scores as they
//! permute moves. D is the number of directions (8 on square boards, 6 on hex boards), A that of axes (4 or 3).
//!
//! | scores per cell | number | moves |
//! |---|---|---|
//! | place 1, 2, 3 rings | 3 | the cell placed on |
//! | leave by direction and distance 1 to 7, 8 or more | 8 D | the start of a stack move or capture |
//! | arrive by direction | D | its landing cell |
//! | slide, strike, line or window by direction | 4 D | the marker of a recovery slide |
//! | line by axis | A | the destination of a recovery slide that collapses a whole line |
//! | window by axis | A | both ends of the window that a recovery slide collapses |
//! | pay for a recovery | 1 | the stack that pays for a recovery slide |
//! | line by axis | A | both ends of a line that is collapsed whole |
//! | window by axis | A | both ends of a window of a longer line |
//! | pay | 4 | the stack that pays for a line, for a region with its cap or with a buried ring, or by force |
//! | claim by wall | 5 | the mean over a region, by the relative seat whose markers wall it; last without such markers |
//!
//! Decisions without a cell have a pooled score each.

use game::{Game, Seat};
use nn::PvInput;
use ringrift::{Bits, Cell, Direction, Geometry, Kind, Move, Position};

use super::relative;

/// Distances that are told apart by the start of a move alone.
const DISTANCES: usize = 8;

/// Decisions without a cell, in the order of their pooled scores.
const PLAIN: [Kind; 9] = [
    Kind::SkipPlacement,
    Kind::NoPlacement,
    Kind::SwapSides,
    Kind::SkipCapture,
    Kind::SkipRecovery,
    Kind::NoMovement,
    Kind::NoLine,
    Kind::SkipTerritory,
    Kind::NoTerritory,
];

/// The first plane of every group of scores.
pub(super) struct PolicyPlanes {
    leave: usize,
    arrive: usize,
    recover: usize,
    recover_line: usize,
    recover_window: usize,
    recover_pay: usize,
    line: usize,
    window: usize,
    pay: usize,
    claim: usize,
    /// The number of scores of a cell.
    pub(super) count: usize,
}

/// The number of pooled scores.
pub(super) const POOLED: usize = PLAIN.len();

impl PolicyPlanes {
    /// The planes of boards with this many axes.
    pub(super) const fn new(axes: usize) -> Self {
        let directions = 2 * axes;
        let leave = 3;
        let arrive = leave + DISTANCES * directions;
        let recover = arrive + directions;
        let recover_line = recover + 4 * directions;
        let recover_window = recover_line + axes;
        let recover_pay = recover_window + axes;
        let line = recover_pay + 1;
        let window = line + axes;
        let pay = window + axes;
        let claim = pay + 4;
        Self {
            leave,
            arrive,
            recover,
            recover_line,
            recover_window,
            recover_pay,
            line,
            window,
            pay,
            claim,
            count: claim + 5,
        }
    }

    /// The plane that takes the place of `plane` when directions and axes are permuted.
    #[cfg(test)]
    pub(super) fn image(&self, plane: usize, directions: &[usize]) -> usize {
        let axis = |axis: usize| directions[2 * axis] / 2;
        match plane {
            _ if plane < self.leave => plane,
            _ if plane < self.arrive => {
                let (direction, distance) =
                    ((plane - self.leave) / DISTANCES, (plane - self.leave) % DISTANCES);
                self.leave + directions[direction] * DISTANCES + distance
            }
            _ if plane < self.recover => self.arrive + directions[plane - self.arrive],
            _ if plane < self.recover_line => {
                let (kind, direction) =
                    ((plane - self.recover) / directions.len(), (plane - self.recover) % directions.len());
                self.recover + kind * directions.len() + directions[direction]
            }
            _ if plane < self.recover_window => self.recover_line + axis(plane - self.recover_line),
            _ if plane < self.recover_pay => self.recover_window + axis(plane - self.recover_window),
            _ if plane < self.line => plane,
            _ if plane < self.window => self.line + axis(plane - self.line),
            _ if plane < self.pay => self.window + axis(plane - self.window),
            _ => plane,
        }
    }
}

/// The number of a cell in the rectangle around the board.
#[inline]
pub(super) fn place<B: Geometry>(cell: Cell) -> usize {
    cell.index() / B::STRIDE * B::SIZE + cell.index() % B::STRIDE
}

#[inline]
fn number(direction: Direction) -> usize {
    2 * direction.axis() + usize::from(direction != Direction::along(direction.axis()))
}

/// Adds the legal moves of a position to an input.
pub(super) fn add_moves<B: Geometry>(position: &Position<B>, moves: &[Move], input: &mut PvInput<f32>) {
    let planes = &const { PolicyPlanes::new(B::AXES) };
    for &m in moves {
        let mut term = |cell: Cell, plane: usize| input.term(place::<B>(cell) * planes.count + plane, 1.0);
        match m.kind() {
            Kind::PlaceRing => term(m.cell(), m.count() as usize - 1),
            Kind::MoveStack | Kind::Capture | Kind::ChainCapture => {
                let (direction, distance) = (number(m.direction()), (m.distance() as usize).min(DISTANCES));
                term(m.cell(), planes.leave + direction * DISTANCES + distance - 1);
                term(Position::<B>::landing(m), planes.arrive + direction);
            }
            Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
                let kind = match m.kind() {
                    Kind::RecoverFallback => 0,
                    Kind::RecoverStrike => 1,
                    Kind::RecoverLine => 2,
                    _ => 3,
                };
                term(m.cell(), planes.recover + kind * 2 * B::AXES + number(m.recovery_direction()));
                let axis = m.recovery_axis();
                if m.kind() == Kind::RecoverWindow {
                    ends(&position.collapsing(m)).for_each(|cell| term(cell, planes.recover_window + axis));
                } else {
                    term(m.payer(), planes.recover_pay);
                }
                if m.kind() == Kind::RecoverLine {
                    term(Position::<B>::slide_end(m), planes.recover_line + axis);
                }
            }
            Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
                let first = if m.kind() == Kind::CollapseWindow { planes.window } else { planes.line };
                ends(&position.collapsing(m)).for_each(|cell| term(cell, first + m.line_axis()));
            }
            Kind::PayLine => term(m.cell(), planes.pay),
            Kind::PayRegion => term(m.cell(), planes.pay + 1),
            Kind::PayRegionBuried => term(m.cell(), planes.pay + 2),
            Kind::ForcedElimination => term(m.cell(), planes.pay + 3),
            Kind::ClaimRegion => add_claim(position, m, planes, input),
            kind => {
                let index = PLAIN.iter().position(|&plain| plain == kind);
                let index = index.expect("the other kinds of moves have cells");
                input.term(B::SIZE * B::SIZE * planes.count + index, 1.0);
            }
        }
        input.end_move();
    }
}

fn add_claim<B: Geometry>(position: &Position<B>, m: Move, planes: &PolicyPlanes, input: &mut PvInput<f32>) {
    let of_seat = |seat: Seat| relative(seat, position.to_move(), position.seats());
    let plane = planes.claim + m.pass().wall().map_or(4, of_seat);
    let region = position.region(m).expect("a claim is about a region");
    let weight = 1.0 / region.count() as f32;
    for cell in region.cells() {
        input.term(place::<B>(cell) * planes.count + plane, weight);
    }
}

fn ends(cells: &[Cell]) -> impl Iterator<Item = Cell> {
    [cells.first(), cells.last()].into_iter().flatten().copied()
}
