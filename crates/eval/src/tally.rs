//! Sums over stacks, updated incrementally.

use game::{Game, MAX_SEATS, Seat};
use ringrift::{Bits, Change, Content, Geometry, Position, Stack};

/// Sums over the stacks that one seat controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) stacks: u16,
    /// Rings, counting at most five per stack.
    pub(crate) height: u16,
    /// Rings in caps.
    pub(crate) caps: u16,
    /// Own rings.
    pub(crate) held: u16,
    /// Stacks with a single own ring on top.
    pub(crate) thin: u16,
}

/// A taller stack can hardly move.
const TALL: u32 = 5;

impl Tally {
    /// The contribution of one stack to the sums of its controller.
    fn of(stack: Stack, seat: Seat) -> Self {
        let cap = stack.cap();
        Self {
            stacks: 1,
            height: stack.height().min(TALL) as u16,
            caps: cap as u16,
            held: stack.count(seat) as u16,
            thin: u16::from(cap == 1),
        }
    }

    fn combine(&mut self, other: Self, with: impl Fn(u16, u16) -> u16) {
        self.stacks = with(self.stacks, other.stacks);
        self.height = with(self.height, other.height);
        self.caps = with(self.caps, other.caps);
        self.held = with(self.held, other.held);
        self.thin = with(self.thin, other.thin);
    }
}

/// The tallies of all seats, the incremental state of the heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tallies([Tally; MAX_SEATS]);

impl Tallies {
    /// Counts all stacks.
    pub(crate) fn new<B: Geometry>(position: &Position<B>) -> Self {
        let mut tallies = Self::default();
        for seat in Seat::all(position.seats()) {
            for cell in position.controlled_by(seat).cells() {
                tallies.0[seat.index()].combine(Tally::of(position.stack(cell), seat), |sum, one| sum + one);
            }
        }
        tallies
    }

    #[inline]
    pub(crate) fn of(&self, seat: Seat) -> &Tally {
        &self.0[seat.index()]
    }

    /// Applies one change of the board.
    #[inline]
    pub(crate) fn update(&mut self, change: &Change) {
        let controlled = |content| match content {
            Content::Stack(stack) => stack.top().map(|seat| (stack, seat)),
            _ => None,
        };
        if let Some((stack, seat)) = controlled(change.before) {
            self.0[seat.index()].combine(Tally::of(stack, seat), |sum, one| sum - one);
        }
        if let Some((stack, seat)) = controlled(change.after) {
            self.0[seat.index()].combine(Tally::of(stack, seat), |sum, one| sum + one);
        }
    }
}
