//! Moving and capturing (R090–R093, R101–R103).

use game::{Observer, Seat};

use crate::{
    Cell, Kind, Move, Position, Stack,
    bits::Bits,
    geometry::{Direction, Geometry},
    position::Phase,
    rays::Ray,
};

impl<B: Geometry> Position<B> {
    /// Calls `visit` with the ray in every direction from `cell` until it returns true, and returns whether it did.
    // Without the attribute the compiler does not inline this, and move generation is a tenth slower.
    #[expect(clippy::inline_always, reason = "measured")]
    #[inline(always)]
    fn any_ray(&self, cell: Cell, mut visit: impl FnMut(Direction, Ray) -> bool) -> bool {
        let (through, lines) = (B::lines_through(cell), self.lines.as_ref());
        for (axis, on) in through[..B::AXES].iter().enumerate() {
            let word = lines[on.line as usize];
            let forward = Direction(2 * axis as u8);
            let backward = Direction(2 * axis as u8 + 1);
            if visit(forward, Ray::forward(word, on.position))
                || visit(backward, Ray::backward(word, on.position))
            {
                return true;
            }
        }
        false
    }

    /// Calls `visit` with the ray in every direction from `cell`. Evaluations of mobility and of threats build on it.
    #[inline]
    pub fn each_ray(&self, cell: Cell, mut visit: impl FnMut(Direction, Ray)) {
        self.any_ray(cell, |direction, ray| {
            visit(direction, ray);
            false
        });
    }

    /// The ray from `cell` in one direction.
    pub(crate) fn ray(&self, cell: Cell, direction: Direction) -> Ray {
        let on = B::lines_through(cell)[direction.axis()];
        let word = self.lines.as_ref()[on.line as usize];
        if direction.is_forward() {
            Ray::forward(word, on.position)
        } else {
            Ray::backward(word, on.position)
        }
    }

    /// The distance of the farthest landing of a capture in this direction (R101); `None` if there is no stack to
    /// capture, no room beyond it, or its cap exceeds `cap`.
    #[inline]
    pub fn capture_reach(&self, cell: Cell, direction: Direction, ray: Ray, cap: u32) -> Option<u32> {
        if !ray.stack || ray.beyond == 0 {
            return None;
        }
        let target = self.stack(B::ahead(cell, direction, ray.free + 1));
        (target.cap() <= cap).then_some(ray.free + 1 + ray.beyond)
    }

    /// Whether a stack of this height and cap on `cell` could capture.
    #[inline]
    pub(crate) fn can_capture(&self, cell: Cell, height: u32, cap: u32) -> bool {
        self.any_ray(cell, |direction, ray| {
            self.capture_reach(cell, direction, ray, cap).is_some_and(|reach| reach >= height)
        })
    }

    /// Whether a stack of this height and cap on `cell` could move or capture.
    #[inline]
    pub(crate) fn can_act(&self, cell: Cell, height: u32, cap: u32) -> bool {
        self.any_ray(cell, |direction, ray| {
            ray.free >= height
                || self.capture_reach(cell, direction, ray, cap).is_some_and(|reach| reach >= height)
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
        self.any_ray(cell, |direction, ray| {
            if ray.free >= height {
                push_ray(moves, Move::slide(Kind::MoveStack, cell, direction, height), ray.free - height + 1);
            }
            if ray.stack {
                self.push_captures(Kind::Capture, cell, direction, ray, (height, cap), moves);
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
        ray: Ray,
        (height, cap): (u32, u32),
        moves: &mut Vec<Move>,
    ) {
        if let Some(reach) = self.capture_reach(cell, direction, ray, cap) {
            let nearest = height.max(ray.free + 2);
            if nearest <= reach {
                push_ray(moves, Move::slide(kind, cell, direction, nearest), reach - nearest + 1);
            }
        }
    }

    /// The captures of the stack in focus.
    pub(crate) fn capture_moves(&self, kind: Kind, moves: &mut Vec<Move>) {
        let cell = self.focus.expect("a stack is in focus while it captures");
        let stack = self.stack(cell);
        self.any_ray(cell, |direction, ray| {
            self.push_captures(kind, cell, direction, ray, (stack.height(), stack.cap()), moves);
            false
        });
    }

    /// Moves or captures along a ray (R092, R102) and enters the phase that follows.
    pub(crate) fn move_or_capture(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        let (seat, from, direction) = (self.seat, m.cell(), m.direction());
        let to = B::ahead(from, direction, m.distance());
        let mut moving = self.stack(from);
        self.set_stack(from, Stack::EMPTY, observer);
        self.put_marker(from, seat, observer);
        for distance in 1..m.distance() {
            let cell = B::ahead(from, direction, distance);
            let passed = self.stack(cell);
            if !passed.is_empty() {
                // The only stack on the path is the target of a capture.
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
        let can_continue = moving.top() == Some(seat) && self.can_capture(to, moving.height(), moving.cap());
        if can_continue {
            self.focus = Some(to);
            self.phase = if m.kind() == Kind::MoveStack { Phase::Capture } else { Phase::ChainCapture };
        } else {
            self.enter_line_processing();
        }
    }
}

/// Adds `count` landings along a ray, beginning with `nearest`.
#[inline]
fn push_ray(moves: &mut Vec<Move>, nearest: Move, count: u32) {
    moves.extend((0..count).map(|steps| nearest.farther(steps)));
}
