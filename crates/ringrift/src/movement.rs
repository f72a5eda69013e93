//! Moving and capturing (R090–R093, R101–R103).

use game::{Observer, Seat};

use crate::{
    Cell, Kind, Move, Position, Stack,
    bits::Bits,
    geometry::{Direction, Geometry},
    position::Phase,
    sight::View,
};

impl<B: Geometry> Position<B> {
    /// Shows `visit` what a piece on `cell` sees in every direction, until it returns true; tells whether it did.
    // Left to itself the compiler calls this once per stack and loses a tenth of the speed.
    #[expect(clippy::inline_always, reason = "measured")]
    #[inline(always)]
    fn any_view(&self, cell: Cell, mut visit: impl FnMut(Direction, View) -> bool) -> bool {
        let (through, lines) = (B::lines_through(cell), self.lines.as_ref());
        for (axis, on) in through[..B::AXES].iter().enumerate() {
            let word = lines[on.line as usize];
            let forward = Direction(2 * axis as u8);
            let backward = Direction(2 * axis as u8 + 1);
            if visit(forward, View::forward(word, on.position))
                || visit(backward, View::backward(word, on.position))
            {
                return true;
            }
        }
        false
    }

    /// Shows `visit` what a piece on `cell` sees in every direction: what evaluations of mobility and of threats
    /// are made from.
    #[inline]
    pub fn each_view(&self, cell: Cell, mut visit: impl FnMut(Direction, View)) {
        self.any_view(cell, |direction, view| {
            visit(direction, view);
            false
        });
    }

    /// What a piece on `cell` sees in one direction.
    pub(crate) fn view(&self, cell: Cell, direction: Direction) -> View {
        let on = B::lines_through(cell)[direction.axis()];
        let word = self.lines.as_ref()[on.line as usize];
        if direction.is_forward() {
            View::forward(word, on.position)
        } else {
            View::backward(word, on.position)
        }
    }

    /// The farthest landing of a capture in this direction (R101): the first stack's cap must not exceed `cap`.
    #[inline]
    pub fn capture_reach(&self, cell: Cell, direction: Direction, view: View, cap: u32) -> Option<u32> {
        if !view.stack || view.beyond == 0 {
            return None;
        }
        let target = self.stack(B::ahead(cell, direction, view.free + 1));
        (target.cap() <= cap).then_some(view.free + 1 + view.beyond)
    }

    /// Whether a stack of this height and cap on `cell` could capture.
    #[inline]
    pub(crate) fn can_capture(&self, cell: Cell, height: u32, cap: u32) -> bool {
        self.any_view(cell, |direction, view| {
            self.capture_reach(cell, direction, view, cap).is_some_and(|reach| reach >= height)
        })
    }

    /// Whether a stack of this height and cap on `cell` could move or capture.
    #[inline]
    pub(crate) fn can_act(&self, cell: Cell, height: u32, cap: u32) -> bool {
        self.any_view(cell, |direction, view| {
            view.free >= height
                || self.capture_reach(cell, direction, view, cap).is_some_and(|reach| reach >= height)
        })
    }

    /// Whether some stack of `seat` can move or capture.
    pub(crate) fn move_exists(&self, seat: Seat) -> bool {
        self.controlled_by(seat).cells().any(|cell| {
            let stack = self.stack(cell);
            self.can_act(cell, stack.height(), stack.cap())
        })
    }

    pub(crate) fn movement_moves(&self, moves: &mut Vec<Move>) {
        if let Some(cell) = self.focus {
            self.stack_moves(cell, moves);
            return;
        }
        for cell in self.controlled_by(self.seat).cells() {
            self.stack_moves(cell, moves);
        }
        if self.is_recovery_eligible() {
            self.recovery_moves(moves);
            moves.push(Move::plain(Kind::SkipRecovery));
        }
        if moves.is_empty() {
            moves.push(Move::plain(Kind::NoMovement));
        }
    }

    fn stack_moves(&self, cell: Cell, moves: &mut Vec<Move>) {
        let stack = self.stack(cell);
        let (height, cap) = (stack.height(), stack.cap());
        self.any_view(cell, |direction, view| {
            if view.free >= height {
                push_ray(
                    moves,
                    Move::slide(Kind::MoveStack, cell, direction, height),
                    view.free - height + 1,
                );
            }
            if view.stack {
                self.push_captures(Kind::Capture, cell, direction, view, (height, cap), moves);
            }
            false
        });
    }

    #[inline]
    fn push_captures(
        &self,
        kind: Kind,
        cell: Cell,
        direction: Direction,
        view: View,
        (height, cap): (u32, u32),
        moves: &mut Vec<Move>,
    ) {
        if let Some(reach) = self.capture_reach(cell, direction, view, cap) {
            let nearest = height.max(view.free + 2);
            if nearest <= reach {
                push_ray(moves, Move::slide(kind, cell, direction, nearest), reach - nearest + 1);
            }
        }
    }

    /// The captures of the stack in focus.
    pub(crate) fn capture_moves(&self, kind: Kind, moves: &mut Vec<Move>) {
        let cell = self.focus.expect("a stack is in focus while it captures");
        let stack = self.stack(cell);
        self.any_view(cell, |direction, view| {
            self.push_captures(kind, cell, direction, view, (stack.height(), stack.cap()), moves);
            false
        });
    }

    /// Moves or captures along a ray (R092, R102) and enters the phase that follows.
    pub(crate) fn travel(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        let (seat, from, direction) = (self.seat, m.cell(), m.direction());
        let to = B::ahead(from, direction, m.distance());
        let mut moving = self.stack(from);
        self.set_stack(from, Stack::EMPTY, observer);
        self.put_marker(from, seat, observer);
        for distance in 1..m.distance() {
            let cell = B::ahead(from, direction, distance);
            let passed = self.stack(cell);
            if !passed.is_empty() {
                // Only a capture passes a stack, and only its target.
                self.set_stack(cell, passed.pop(1), observer);
                moving = moving.push_below(passed.controller());
            } else if let Some(owner) = self.marker_owner(cell) {
                if owner == seat {
                    self.collapse_marker(cell, owner, seat, observer);
                } else {
                    self.take_marker(cell, owner, observer);
                    self.put_marker(cell, seat, observer);
                }
            }
        }
        if let Some(owner) = self.marker_owner(to) {
            self.take_marker(to, owner, observer);
            moving = moving.pop(1);
            self.on_board[seat.index()] -= 1;
            self.credits[seat.index()] += 1;
        }
        if !moving.is_empty() {
            self.set_stack(to, moving, observer);
        }
        let goes_on = moving.top() == Some(seat) && self.can_capture(to, moving.height(), moving.cap());
        if goes_on {
            self.focus = Some(to);
            self.phase = if m.kind() == Kind::MoveStack { Phase::Capture } else { Phase::ChainCapture };
        } else {
            self.enter_lines();
        }
    }
}

/// Adds `count` landings along a ray, beginning with `nearest`.
#[inline]
fn push_ray(moves: &mut Vec<Move>, nearest: Move, count: u32) {
    moves.extend((0..count).map(|steps| nearest.farther(steps)));
}
