//! The final ranking (R175–R178).

use game::{Outcome, Seat};

use crate::{Position, bits::Bits, geometry::Geometry};

impl<B: Geometry> Position<B> {
    /// The rank of every seat; `None` until the game is over.
    ///
    /// The winner is first. The others follow by territory, credited rings (plus rings in hand after a stalemate),
    /// markers, and how late they lost their last ring; seats that are equal in all four share a rank. A game of
    /// three or four seats that ended by forfeit has no winner, and all seats share the first rank.
    pub(crate) fn final_ranking(&self) -> Option<Outcome> {
        let end = self.ended?;
        let seats = self.rules.seats as usize;
        let Some(winner) = end.winner else { return Some(Outcome::draw(seats)) };
        let rank_key = |seat: Seat| {
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
            .map(|seat| 1 + self.every_seat().filter(|&other| rank_key(other) > rank_key(seat)).count() as u8)
            .collect();
        Some(Outcome::from_ranks(&ranks))
    }

    /// The order in which seats lost their last ring, packed into three bits per seat. The ranking depends on this
    /// order only, not on the turn numbers, so the position key includes the order alone.
    pub(crate) fn elimination_order(&self) -> u64 {
        let earlier =
            |turn| self.eliminated_at.iter().flatten().filter(|&&other| other < turn).count() as u64;
        self.eliminated_at.iter().fold(0, |order, &turn| order << 3 | turn.map_or(7, earlier))
    }
}
