//! Sides and seatings of a match, and points of side A.

use game::Seat;

/// One of the two sides of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The candidate.
    A,
    /// The baseline.
    B,
}

impl Side {
    /// 0 for A, 1 for B.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side of a participant of a match: A for participant 0, B for all others.
    pub const fn of_player(player: usize) -> Self {
        if player == 0 { Self::A } else { Self::B }
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// The side of every seat before the first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seating(Vec<Side>);

impl Seating {
    /// The number of games in a round: each side is alone in every seat once. With two seats the two halves coincide.
    pub const fn round(seats: usize) -> u64 {
        if seats == 2 { 2 } else { 2 * seats as u64 }
    }

    /// The seating of game `index`.
    pub fn of_game(index: u64, seats: usize) -> Self {
        let place = (index % Self::round(seats)) as usize;
        let alone = if place < seats { Side::A } else { Side::B };
        Self((0..seats).map(|seat| if seat == place % seats { alone } else { alone.other() }).collect())
    }

    /// The side of a seat.
    pub fn side(&self, seat: Seat) -> Side {
        self.0[seat.index()]
    }

    /// The side of every seat, in turn order.
    pub fn sides(&self) -> &[Side] {
        &self.0
    }
}

/// The points of side A in one or more games, in twelfths of a win, so that a first rank shared by two, three or four
/// is a whole number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points(pub u64);

impl Points {
    /// A whole win.
    pub const WIN: Self = Self(12);

    /// The mean score over `games`.
    pub fn score(self, games: u64) -> f64 {
        self.0 as f64 / (Self::WIN.0 * games.max(1)) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{A, B};

    #[test]
    fn a_round_puts_each_side_alone_in_every_seat_once() {
        let pair: Vec<Seating> = (0..4).map(|game| Seating::of_game(game, 2)).collect();
        assert_eq!(pair, [[A, B], [B, A], [A, B], [B, A]].map(|sides| Seating(sides.to_vec())));
        let three: Vec<Seating> = (0..Seating::round(3)).map(|game| Seating::of_game(game, 3)).collect();
        let expected = [[A, B, B], [B, A, B], [B, B, A], [B, A, A], [A, B, A], [A, A, B]];
        assert_eq!(three, expected.map(|sides| Seating(sides.to_vec())));
    }

    #[test]
    fn every_seat_is_as_often_a_as_b() {
        for seats in 2..=4 {
            for seat in Seat::all(seats) {
                let round = Seating::round(seats);
                let ours = (0..round).filter(|&game| Seating::of_game(game, seats).side(seat) == A).count();
                assert_eq!(2 * ours as u64, round, "seat {seat} of {seats}");
            }
        }
    }
}
