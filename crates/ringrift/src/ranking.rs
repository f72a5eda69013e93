//! The final ranking (R175–R178).

use game::{Outcome, Seat};

use crate::{Position, bits::Bits, geometry::Geometry};

impl<B: Geometry> Position<B> {
    /// The rank of every seat once the game is over.
    ///
    /// The winner is first. The others follow by territory, credited rings (with the hand, after a stalemate),
    /// markers, and how late they lost their last ring; seats equal in all four share a rank. A game that was
    /// broken off with three or four seats has no winner and everybody shares the first rank.
    pub(crate) fn ranked(&self) -> Option<Outcome> {
        let end = self.ended?;
        let seats = self.rules.seats as usize;
        let Some(winner) = end.winner else { return Some(Outcome::draw(seats)) };
        let merit = |seat: Seat| {
            let hand = if end.stalemate { self.hand(seat) } else { 0 };
            let lasted = self.eliminated_at(seat).unwrap_or(u32::MAX);
            (
                seat == winner,
                self.territory(seat),
                self.credits(seat) + hand,
                self.markers_of(seat).count(),
                lasted,
            )
        };
        let ranks: Vec<u8> = self
            .every_seat()
            .map(|seat| 1 + self.every_seat().filter(|&other| merit(other) > merit(seat)).count() as u8)
            .collect();
        Some(Outcome::from_ranks(&ranks))
    }

    /// Order in which seats lost their last ring, as small numbers: all that the ranking needs of the turns.
    pub(crate) fn elimination_order(&self) -> u64 {
        let earlier =
            |turn| self.eliminated_at.iter().flatten().filter(|&&other| other < turn).count() as u64;
        self.eliminated_at.iter().fold(0, |order, &turn| order << 3 | turn.map_or(7, earlier))
    }
}
