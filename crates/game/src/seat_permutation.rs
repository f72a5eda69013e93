//! Seat permutations, which track participants through a pie rule's swap.

use crate::{Game, MAX_SEATS, Seat, Values};

/// Where participants sit after some moves: maps each seat before the moves to the seat that its participant occupies
/// after them.
///
/// Only a pie rule's swap ([`Game::seat_after`]) changes it. A search stores one per edge or path, and uses it to
/// convert values to the parent's seat order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SeatPermutation([Seat; MAX_SEATS]);

impl Default for SeatPermutation {
    /// The identity.
    fn default() -> Self {
        Self(std::array::from_fn(Seat::new))
    }
}

impl SeatPermutation {
    /// Extends the permutation by the legal move `m`, which is about to be played in `position`.
    #[inline]
    pub fn advance<G: Game>(&mut self, position: &G, m: G::Move) {
        for seat in &mut self.0[..position.seats()] {
            *seat = position.seat_after(m, *seat);
        }
    }

    /// The seat after the moves of the participant who sat in `seat` before them.
    #[inline]
    pub fn of(&self, seat: Seat) -> Seat {
        self.0[seat.index()]
    }

    /// The inverse of [`of`](Self::of): the seat before the moves of the participant who sits in `seat` after them.
    ///
    /// # Panics
    /// If `seat` is not a seat of the game.
    #[inline]
    pub fn origin(&self, seat: Seat) -> Seat {
        Seat::all(MAX_SEATS)
            .find(|&origin| self.of(origin) == seat)
            .expect("participants only exchange seats")
    }

    /// Converts values after the moves to the seat order before them.
    #[inline]
    #[must_use]
    pub fn to_parent(&self, after: Values) -> Values {
        Values(self.0.map(|seat| after.of(seat)))
    }
}
