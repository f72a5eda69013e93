//! Facts about a position that several components share, computed once.

use game::{Game, MAX_SEATS, Seat};
use ringrift::{Bits, Geometry, Position};

use crate::{
    regions::{Claim, best_closing, claim_now},
    tally::{Tallies, Tally},
};

/// A position and the facts that several components share.
pub(crate) struct Facts<'a, B: Geometry> {
    pub(crate) position: &'a Position<B>,
    tallies: &'a Tallies,
    /// One ring as a fraction of a starting hand, which makes counts of rings comparable between boards.
    pub(crate) ring: f32,
    /// One cell as a fraction of a winning territory.
    pub(crate) cell: f32,
    /// What the mover can claim.
    pub(crate) claim: Claim,
    seats: [SeatFacts<B>; MAX_SEATS],
}

/// The mobility, captures and possible closings of one seat.
#[derive(Clone, Copy)]
pub(crate) struct SeatFacts<B: Geometry> {
    /// The total number of directions in which stacks can move or capture.
    pub(crate) ways: u32,
    pub(crate) blocked: u32,
    /// Opposing stacks that this seat can capture.
    pub(crate) targets: B::Bits,
    /// Own stacks that opponents can capture.
    pub(crate) attacked: B::Bits,
    pub(crate) closing: Claim,
}

impl<'a, B: Geometry> Facts<'a, B> {
    pub(crate) fn new(position: &'a Position<B>, tallies: &'a Tallies) -> Self {
        let goals = position.goals();
        let collapsed = position.all_collapsed();
        let none = SeatFacts {
            ways: 0,
            blocked: 0,
            targets: B::Bits::EMPTY,
            attacked: B::Bits::EMPTY,
            closing: Claim::default(),
        };
        let mut facts = Self {
            position,
            tallies,
            ring: 1.0 / f32::from(goals.rings),
            cell: 1.0 / f32::from(goals.territory),
            claim: claim_now(position, collapsed),
            seats: [none; MAX_SEATS],
        };
        for seat in Seat::all(position.seats()) {
            facts.seats[seat.index()].closing = best_closing(position, seat, collapsed);
            facts.survey(seat);
        }
        facts
    }

    #[inline]
    pub(crate) fn of(&self, seat: Seat) -> &SeatFacts<B> {
        &self.seats[seat.index()]
    }

    #[inline]
    pub(crate) fn tally(&self, seat: Seat) -> &Tally {
        self.tallies.of(seat)
    }

    /// Computes the mobility and captures of every stack of `seat`.
    fn survey(&mut self, seat: Seat) {
        let position = self.position;
        let own = position.controlled_by(seat);
        let (mut ways, mut blocked, mut targets) = (0, 0, B::Bits::EMPTY);
        for cell in own.cells() {
            let stack = position.stack(cell);
            let (height, cap) = (stack.height(), stack.cap());
            let ways_before = ways;
            position.each_ray(cell, |direction, ray| {
                let captures = position.capture_reach(cell, direction, ray, cap);
                let captures = captures.is_some_and(|reach| reach >= height);
                ways += u32::from(ray.free >= height || captures);
                if captures {
                    targets = targets.with(B::ahead(cell, direction, ray.free + 1));
                }
            });
            blocked += u32::from(ways == ways_before);
        }
        targets = targets.without(own);
        let facts = &mut self.seats[seat.index()];
        (facts.ways, facts.blocked, facts.targets) = (ways, blocked, targets);
        if !targets.is_empty() {
            for other in Seat::all(position.seats()) {
                let attacked = &mut self.seats[other.index()].attacked;
                *attacked = *attacked | (targets & position.controlled_by(other));
            }
        }
    }
}
