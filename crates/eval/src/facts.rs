//! What one pass over the stacks finds out, for all seats at once.

use game::{Game, MAX_SEATS, Seat};
use ringrift::{Bits, Geometry, Position};

/// A position and the facts that several components share.
pub(crate) struct Facts<'a, B: Geometry> {
    pub(crate) position: &'a Position<B>,
    pub(crate) centre: B::Bits,
    /// One ring as a part of a starting hand: what makes counts of rings comparable between boards.
    pub(crate) ring: f32,
    /// One cell as a part of the territory that wins.
    pub(crate) cell: f32,
    pub(crate) collapsed: B::Bits,
    pub(crate) seats: [SeatFacts<B>; MAX_SEATS],
}

/// The stacks of one seat.
#[derive(Clone, Copy)]
pub(crate) struct SeatFacts<B: Geometry> {
    pub(crate) stacks: u32,
    /// Rings in controlled stacks, the part of a stack above five rings left out.
    pub(crate) height: u32,
    pub(crate) caps: u32,
    /// Own rings in controlled stacks.
    pub(crate) held: u32,
    /// Directions in which a stack can move or capture, over all stacks.
    pub(crate) ways: u32,
    pub(crate) blocked: u32,
    /// Others' stacks that this seat can capture.
    pub(crate) targets: B::Bits,
    /// Own stacks that others can capture.
    pub(crate) attacked: B::Bits,
}

impl<'a, B: Geometry> Facts<'a, B> {
    pub(crate) fn new(position: &'a Position<B>, centre: B::Bits) -> Self {
        let goals = position.goals();
        let none = SeatFacts {
            stacks: 0,
            height: 0,
            caps: 0,
            held: 0,
            ways: 0,
            blocked: 0,
            targets: B::Bits::EMPTY,
            attacked: B::Bits::EMPTY,
        };
        let mut facts = Self {
            position,
            centre,
            ring: 1.0 / f32::from(goals.rings),
            cell: 1.0 / f32::from(goals.territory),
            collapsed: position.all_collapsed(),
            seats: [none; MAX_SEATS],
        };
        for seat in Seat::all(position.seats()) {
            facts.survey(seat);
        }
        facts
    }

    pub(crate) fn of(&self, seat: Seat) -> &SeatFacts<B> {
        &self.seats[seat.index()]
    }

    fn survey(&mut self, seat: Seat) {
        let position = self.position;
        let own = position.controlled_by(seat);
        for cell in own.cells() {
            let stack = position.stack(cell);
            let (height, cap) = (stack.height(), stack.cap());
            let mut ways = 0;
            position.each_view(cell, |direction, view| {
                let captures = position.capture_reach(cell, direction, view, cap);
                let captures = captures.is_some_and(|reach| reach >= height);
                ways += u32::from(view.free >= height || captures);
                if captures {
                    let target = B::ahead(cell, direction, view.free + 1);
                    if !own.contains(target) {
                        let mine = &mut self.seats[seat.index()].targets;
                        *mine = mine.with(target);
                    }
                }
            });
            let facts = &mut self.seats[seat.index()];
            facts.stacks += 1;
            facts.height += height.min(5);
            facts.caps += cap;
            facts.held += stack.count(seat);
            facts.ways += ways;
            facts.blocked += u32::from(ways == 0);
        }
        let targets = self.seats[seat.index()].targets;
        if !targets.is_empty() {
            for other in Seat::all(position.seats()) {
                let attacked = &mut self.seats[other.index()].attacked;
                *attacked = *attacked | (targets & position.controlled_by(other));
            }
        }
    }
}

/// The cells at least a quarter of the board's width from the edge.
pub(crate) fn centre<B: Geometry>() -> B::Bits {
    (0..B::SIZE / 4).fold(B::ON_BOARD, |inner, _| {
        B::directions().fold(inner, |kept, direction| kept & B::shift(inner, direction))
    })
}
