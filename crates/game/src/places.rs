use crate::{Game, MAX_SEATS, Seat, Values};

/// Where everybody sits after some moves: for each seat before them, the seat from which its participant plays on.
///
/// Nobody moves except by a pie rule's swap ([`Game::seat_after`]). A search keeps one of these for every way it
/// goes down, and brings values back up with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Places([Seat; MAX_SEATS]);

impl Default for Places {
    /// Everybody sits where they sat.
    fn default() -> Self {
        Self(std::array::from_fn(Seat::new))
    }
}

impl Places {
    /// Takes note of the legal move `m`, which is about to be played in `position`.
    #[inline]
    pub fn follow<G: Game>(&mut self, position: &G, m: G::Move) {
        for seat in &mut self.0[..position.seats()] {
            *seat = position.seat_after(m, *seat);
        }
    }

    /// The seat in which the participant of `seat` sits now.
    #[inline]
    pub fn of(&self, seat: Seat) -> Seat {
        self.0[seat.index()]
    }

    /// The seat in which whoever sits in `seat` now sat before the moves.
    ///
    /// # Panics
    /// If `seat` is not a seat of the game.
    #[inline]
    pub fn origin(&self, seat: Seat) -> Seat {
        Seat::all(MAX_SEATS)
            .find(|&origin| self.of(origin) == seat)
            .expect("participants only exchange seats")
    }

    /// Values after the moves, told by the seats before them.
    #[inline]
    #[must_use]
    pub fn told_before(&self, after: Values) -> Values {
        Values(self.0.map(|seat| after.of(seat)))
    }
}
