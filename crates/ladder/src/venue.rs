//! What is played, as far as levels depend on it.

use std::fmt;

use eval::{Heuristic, Persona};
use game::{Evaluate, Follow, Game};
use ringrift::{Board, Geometry, Position};

/// A game, its board and its number of seats: levels and ratings belong to one of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Venue {
    /// RingRift.
    RingRift {
        /// The board.
        board: Board,
        /// Two to four seats.
        seats: u8,
    },
}

impl Venue {
    /// Every configuration that has a ladder.
    pub fn all() -> impl Iterator<Item = Self> {
        let seats = |board| (2..=4).map(move |seats| Self::RingRift { board, seats });
        Board::ALL.into_iter().flat_map(seats)
    }
}

impl fmt::Display for Venue {
    /// As scales of ratings are named: `ringrift/square8/2p`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RingRift { board, seats } => write!(f, "ringrift/{board}/{seats}p"),
        }
    }
}

/// A game that agents of the ladder can play.
pub trait Playable: Game {
    /// What judges its positions at sight, afresh or following the play.
    type Sight: Evaluate<Self> + Follow<Self> + Clone + Send + Sync + 'static;

    /// What is played here.
    fn venue(&self) -> Venue;

    /// Judges positions in the style of `persona`.
    fn sight(persona: Persona) -> Self::Sight;
}

impl<B: Geometry> Playable for Position<B> {
    type Sight = Heuristic<B>;

    fn venue(&self) -> Venue {
        Venue::RingRift { board: B::BOARD, seats: self.seats() as u8 }
    }

    fn sight(persona: Persona) -> Heuristic<B> {
        Heuristic::new(persona)
    }
}
