//! Outcomes of finished games, and values per seat.

use std::fmt;

use crate::{MAX_SEATS, Seat};

/// The result of a finished game: one rank per seat, 1 for the best, shared between equal seats.
///
/// ```
/// use game::{Outcome, Seat};
/// let outcome = Outcome::from_ranks(&[2, 1, 2]);
/// assert_eq!(outcome.winner(), Some(Seat::new(1)));
/// assert_eq!(outcome.values().of(Seat::new(1)), 1.0);
/// assert_eq!(outcome.values().of(Seat::new(2)), -1.0);
/// assert_eq!(Outcome::draw(2).values().of(Seat::FIRST), 0.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    ranks: [u8; MAX_SEATS],
    seats: u8,
}

impl Outcome {
    /// Creates an outcome from one rank per seat.
    ///
    /// # Panics
    /// If there are not two to four ranks, or none of them is 1.
    pub fn from_ranks(ranks: &[u8]) -> Self {
        assert!((2..=MAX_SEATS).contains(&ranks.len()), "an outcome ranks two to four seats");
        assert!(ranks.contains(&1), "at least one seat is ranked first");
        let mut all = [0; MAX_SEATS];
        all[..ranks.len()].copy_from_slice(ranks);
        Self { ranks: all, seats: ranks.len() as u8 }
    }

    /// A win: `winner` is first, and all other seats share the second rank.
    pub fn win(seats: usize, winner: Seat) -> Self {
        let mut ranks = [2; MAX_SEATS];
        ranks[winner.index()] = 1;
        Self::from_ranks(&ranks[..seats])
    }

    /// A draw: all seats share the first rank.
    pub fn draw(seats: usize) -> Self {
        Self::from_ranks(&[1; MAX_SEATS][..seats])
    }

    /// One rank per seat, 1 for the best.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks[..self.seats as usize]
    }

    /// The winner, unless several seats share the first rank.
    pub fn winner(&self) -> Option<Seat> {
        let mut first = Seat::all(self.seats as usize).filter(|seat| self.ranks[seat.index()] == 1);
        first.next().filter(|_| first.next().is_none())
    }

    /// The outcome as values: +1 for a sole winner, `2/k − 1` for each of `k` seats that share the first rank, so that
    /// a two-seat draw is 0, and −1 for all other seats.
    pub fn values(&self) -> Values {
        let first = self.ranks().iter().filter(|&&rank| rank == 1).count();
        let mut values = Values::default();
        for (value, &rank) in values.0.iter_mut().zip(self.ranks()) {
            *value = if rank == 1 { 2.0 / first as f32 - 1.0 } else { -1.0 };
        }
        values
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            Some(seat) => write!(f, "seat {seat} wins"),
            None => write!(f, "no winner"),
        }
    }
}

/// One value per seat, in [−1, 1], absolute: not relative to the seat to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Values(pub [f32; MAX_SEATS]);

impl Values {
    /// The value for `seat`.
    pub fn of(&self, seat: Seat) -> f32 {
        self.0[seat.index()]
    }
}
